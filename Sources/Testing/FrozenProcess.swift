import Foundation
import Processes

extension AppIdentity {
    /// Whether the process is stopped by a signal or frozen by its control group.
    public static func isFrozen(process: Int32) -> Bool {
        if isStopped(process: process) { return true }
        func says(_ kind: ControlGroups.Kind, _ file: String, _ word: String) -> Bool {
            guard let folder = ControlGroups.folder(of: process, kind),
                let text = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            else { return false }
            return text.split(separator: "\n").contains { $0 == word }
        }
        return says(.unified, "cgroup.events", "frozen 1") || says(.freezer, "freezer.state", "FROZEN")
    }
}
