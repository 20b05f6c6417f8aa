import Foundation
import Testing

/// Law 11: each fact has one owner. `Sight` passes facts of other rooms on to the screen, and only the owner's carrier writes them.
@Suite struct OwnersTests {
    private static let core = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Core/Multitasking")

    /// The files that write a fact, each as often as it does.
    private func writers(of fact: String) throws -> [String] {
        let files = try #require(FileManager.default.enumerator(at: Self.core, includingPropertiesForKeys: nil))
        let assignment = try Regex("sight\\.\(fact) = ")
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.matches(of: assignment).map { _ in file.deletingPathExtension().lastPathComponent }
        }.sorted()
    }

    @Test(
        "law 11: a fact that the screen shows is written in one place",
        arguments: [
            ("isLocked", ["System"]), ("preferences", ["Screenful"]), ("idioms", ["Switching"]), ("keys", ["Rooms"]),
            ("heard", ["Sound", "Sound", "System"]), ("awake", ["Life"]), ("modality", ["ProgramViews"]), ("shortcuts", ["ShortcutPlans"]),
            ("notices", ["NoticeOutcomes", "NoticeOutcomes"]), ("isWristDown", ["WatchOutcomes", "WatchOutcomes"]),
            ("gaze", ["WatchOutcomes", "WatchOutcomes"]),
            ("immersed", ["WatchOutcomes"]), ("pictureOfCall", ["WatchOutcomes", "WatchOutcomes"]), ("isLit", ["SystemEvents"]),
            ("isAwake", ["SystemEvents"]), ("device.status", ["StatusOutcomes"]), ("device.wireless", ["DeviceOutcomes"]),
            ("device.pairing", ["DeviceOutcomes"]), ("device.hasTurnSensor", ["DeviceOutcomes"]),
            ("device.locksRotation", ["DeviceOutcomes"]), ("device.sensors", ["SensorOutcomes"]), ("device.tray", ["TrayOutcomes"]),
            ("device.drives", ["DriveOutcomes"]), ("device.kept", ["KeptOutcomes"]), ("device.prompts", ["PromptOutcomes"]),
            ("facts", ["SystemEvents"]), ("sharers", ["SystemEvents"]),
        ])
    func one(fact: String, writers: [String]) throws { #expect(try self.writers(of: fact) == writers) }

    @Test("law 11: the screen and the hands write none of these facts")
    func none() throws {
        for folder in ["Screenful", "Hands"] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: Self.core.appending(path: folder).path(percentEncoded: false))
            for file in files where file.hasSuffix(".swift") && !file.hasSuffix("Screenful.swift") {
                let text = try String(contentsOf: Self.core.appending(path: "\(folder)/\(file)"), encoding: .utf8)
                #expect(!text.contains(#/sight\.[a-zA-Z]+ = /#), "\(file)")
            }
        }
    }
}
