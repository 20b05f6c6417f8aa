import Foundation
import Glibc
import Processes
import Testing

/// The checks of `make check` must fail when they should.
@Suite struct CheckScriptTests {
    private let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    /// The output of check-core for a core whose Stage module contains the text; nil if it passes.
    private func complaint(_ text: String) throws -> String? {
        let root = NSTemporaryDirectory() + "mullion-core-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        for room in [
            "Rooms", "Callers", "Geometry", "Status", "QuickLook", "AudioSessions", "Notices", "Idioms", "Windows", "Seat", "Watches",
            "Tray", "Locking",
            "Lifecycle",
            "Modality",
            "Stage", "Interface", "Modals", "Multitasking",
        ] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(room)", withIntermediateDirectories: true)
            try "let a = 1\n".write(toFile: "\(root)/\(room)/A.swift", atomically: true, encoding: .utf8)
        }
        try text.write(toFile: "\(root)/Stage/B.swift", atomically: true, encoding: .utf8)
        let launcher = try Launcher()
        try launcher.launch(
            ["\(repository)/scripts/check-core", root], environment: ProcessInfo.processInfo.environment,
            log: "\(root)/log")
        while true {
            var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 10_000)
            guard let exit = launcher.drain().first else { continue }
            return exit.reason == .exited(0) ? nil : try String(contentsOfFile: "\(root)/log", encoding: .utf8)
        }
    }

    @Test(arguments: [
        "import Geometry", "public import Windows", "import struct Geometry.Point", "import RealModule",
        "import OrderedCollections", "// import Foundation", "let important = 1", "let x = [1].shuffled(using: &g)",
    ])
    func pureTextPasses(text: String) throws {
        #expect(try complaint(text + "\n") == nil)
    }

    @Test(arguments: [
        "import Foundation", "import FoundationEssentials", "  import Glibc", "import Dispatch", "import CWlroots",
        "@preconcurrency import Foundation", "public import Multitasking", "import struct Foundation.Date",
        "import Geometry; import Glibc", "@_spi(X) internal import Glibc", "let t = ContinuousClock().now",
        "let n = Int.random(in: 0..<3)", "let x = [1].randomElement()",
    ])
    func impureTextFails(text: String) throws {
        let complaint = try #require(try complaint("let a = 1\n" + text + "\n"))
        #expect(complaint.contains("Stage/B.swift:2: "))
    }
}
