import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing

extension RunningShell {
    /// What toolkits and browsers expect besides the service itself (X-03).
    @Suite(.serialized) struct NotificationSenderTests {
        private let config = "launch = []\nreduced-motion = true\n"

        private func with(_ body: (ShellUnderTest, PrivateBus) throws -> Void) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try shell.wait("the names on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.kde.StatusNotifierWatcher",
                    ]).output.contains("yes")
                }
                try body(shell, bus)
            }
        }

        private func run(_ shell: ShellUnderTest, _ bus: PrivateBus, _ client: String, _ words: [String]) throws -> (
            process: Int32, output: String
        ) {
            try shell.start(
                ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/\(client).py"]
                    + words)
        }

        @Test("X-03: a program that looks for a tray finds one")
        func tray() throws {
            try with { shell, bus in
                let tray = try run(
                    shell, bus, "tray", ["/org/ayatana/NotificationItem/x", "org.kde.StatusNotifierItem-7-1", ":1.9/other/path", "//bad/"])
                func said() -> [String] { shell.text(of: tray.output).split(separator: "\n").map(String.init) }
                try shell.wait("four items to come and go, not \(said())", within: 10) {
                    said().count { $0.hasPrefix("Unregistered") } == 4
                }
                #expect(said().prefix(2) == ["host yes", "protocol 0"])
                for path in ["/org/ayatana/NotificationItem/x", "/StatusNotifierItem", "/other/path"] {
                    #expect(said().contains("items ['\(path)']") && said().contains("Registered \(path)"), "\(said())")
                }
                shell.signal(tray.process, SIGKILL)
            }
        }

        @Test("X-03: a web site is named beside its browser, as Chromium's and KDE's hints say, and its notifications stand together")
        func sites() throws {
            try with { shell, bus in
                let hints =
                    #""hints": {"desktop-entry": ["s", "chromium"], "urgency": ["u", 2], "x-kde-origin-name": ["s", "mail.example.org"]}"#
                let sender = try run(
                    shell, bus, "notifier",
                    [
                        #"{"app": "Chromium", "title": "Anna", "body": "one\n\ntwo &lt;b&gt;", "actions": ["default", "Open", "settings", "Settings"], \#(hints)}"#,
                        #"{"app": "Chromium", "title": "Ben", "actions": ["default", "Open"], \#(hints)}"#,
                    ])
                try shell.wait("both") { try shell.client.ask(.get(.notifications), for: NoticeReport.self).notifications.count == 2 }
                let all = try shell.client.ask(.get(.notifications), for: NoticeReport.self).notifications
                #expect(all.map(\.thread) == ["mail.example.org", "mail.example.org"] && all[1].body == "one\ntwo <b>")
                // What a browser calls critical is not.
                #expect(all.allSatisfy { $0.level == "active" })
                try shell.waitForView("notice/open")
                #expect(try shell.view("notice/open").name == "Chromium · mail.example.org: Anna: one\ntwo <b>")
                shell.signal(sender.process, SIGKILL)
            }
        }
    }
}
