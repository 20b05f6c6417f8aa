import CWlroots
import Glibc
import Multitasking
import WaylandServer

/// Whether a process can ask for feedback by libfeedback, the library of feedbackd: whether it has loaded it.
enum FeedbackLibrary {
    private static let name = "libfeedback"
    private static let mostLines = 65_536

    static func isLoaded(by process: Int32) -> Bool {
        guard process > 0, let file = fopen("/proc/\(process)/maps", "re") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        for _ in 0..<mostLines {
            guard fgets(&line, Int32(line.count), file) != nil else { return false }
            if strstr(line, name) != nil { return true }
        }
        return false
    }
}

extension Compositor {
    /// A virtual keyboard or an input method of a client typed a key.
    func typed(by client: WaylandClient, asks: Bool) {
        emit(.programTyped(client: mw_client_identity(client), process: Clients.process(of: client), asks: asks))
    }
}
