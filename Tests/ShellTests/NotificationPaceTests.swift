import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing

extension RunningShell {
    /// What senders do too fast, and pictures that are large or none (X-03, S-07, P-06).
    @Suite(.serialized) struct NotificationPaceTests {
        private func with(_ body: (ShellUnderTest, PrivateBus) throws -> Void) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n", environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            { shell in
                try shell.wait("the name on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.freedesktop.Notifications",
                    ]).output.contains("yes")
                }
                try body(shell, bus)
            }
        }

        private func send(_ shell: ShellUnderTest, _ bus: PrivateBus, _ calls: [String]) throws -> (process: Int32, output: String) {
            try shell.start(
                ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/notifier.py"]
                    + calls)
        }

        private func all(_ shell: ShellUnderTest) throws -> [NoticeReport.Item] {
            try shell.client.ask(.get(.notifications), for: NoticeReport.self).notifications
        }

        @Test("X-03: three thousand updates of one notification end with the last one, and none is refused")
        func renewed() throws {
            try with { shell, bus in
                let sender = try send(shell, bus, [#"{"renew": 3000}"#])
                try shell.wait("the answers", within: 30) { shell.text(of: sender.output).contains("flood ") }
                #expect(shell.text(of: sender.output).contains("flood 3000 0"), "\(shell.text(of: sender.output))")
                try shell.wait("the last value", within: 10) { try all(shell).map(\.title) == ["renewed 3000"] }
                // A sender that left at once counts as much.
                shell.signal(sender.process, SIGKILL)
                usleep(300_000)
                #expect(try all(shell).map(\.title) == ["renewed 3000"])
            }
        }

        @Test(
            "X-03: photos of twelve megapixels are shown, what is none leaves no picture, and the pictures of cleared ones leave the disk")
        func photos() throws {
            try with { shell, bus in
                let folder = "\(shell.room)/photos"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(repeating: 7, count: 5000).write(to: URL(filePath: "\(folder)/none.jpg"))
                let sender = try send(
                    shell, bus,
                    [
                        "{\"title\": \"jpeg\", \"photo\": [\"\(folder)/a.jpg\", \"jpeg\", 4000, 3000]}",
                        "{\"title\": \"png\", \"photo\": [\"\(folder)/b.png\", \"png\", 4032, 3024]}",
                        "{\"title\": \"data\", \"photo\": [\"\", \"\", 3000, 2400]}",
                        "{\"title\": \"none\", \"hints\": {\"image-path\": [\"s\", \"\(folder)/none.jpg\"]}}",
                    ])
                try shell.wait("three pictures", within: 30) { try all(shell).count == 4 && all(shell).count { $0.image != nil } == 3 }
                let pictures = try all(shell).compactMap(\.image),
                    place = URL(filePath: pictures[0]).deletingLastPathComponent().path(percentEncoded: false)
                #expect(try all(shell).first { $0.title == "none" }?.image == nil)
                for path in pictures {
                    // Small ones: the copies of the photos are gone.
                    let bytes = try Data(contentsOf: URL(filePath: path))
                    #expect(bytes.prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]) && bytes.count < 100_000)
                }
                try shell.wait("nothing else in the folder") { try Set(FileManager.default.contentsOfDirectory(atPath: place)).count == 3 }
                try shell.perform(.notifications)
                try shell.settle()
                try shell.keepPicture("notification-photos")
                try shell.perform(.notice(.clearAll))
                try shell.wait("the pictures to leave the disk") { try FileManager.default.contentsOfDirectory(atPath: place).isEmpty }
                shell.signal(sender.process, SIGKILL)
            }
        }
    }
}
