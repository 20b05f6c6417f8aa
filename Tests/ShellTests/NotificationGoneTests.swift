import Control
import Foundation
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

extension RunningShell {
    /// Apps that are frozen under another name, and senders that have left (X-03, S-07).
    @Suite(.serialized) struct NotificationGoneTests {
        private static let id = "org.example.Chat"
        private let config = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        private func report(_ shell: ShellUnderTest) throws -> NoticeReport {
            try shell.client.ask(.get(.notifications), for: NoticeReport.self)
        }

        private func with(
            config: String? = nil, files: [String: String] = [:], _ body: (ShellUnderTest, PrivateBus) throws -> Void
        ) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config ?? self.config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], files: files) {
                shell in
                try shell.wait("the names on the bus", within: 10) {
                    try python(shell, bus, "bus", "owned", "org.gtk.Notifications").contains("yes")
                }
                try body(shell, bus)
            }
        }

        private func command(_ bus: PrivateBus, _ client: String, _ words: [String]) -> [String] {
            ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/\(client).py"]
                + words
        }

        private func python(_ shell: ShellUnderTest, _ bus: PrivateBus, _ client: String, _ words: String...) throws -> String {
            try shell.run(command(bus, client, words)).output
        }

        /// `app` notifies as itself by GTK's service, another program in its name (as after a restart of the shell), or a portal does.
        enum Way: CaseIterable { case gtk, otherProgram, portal }

        @Test("X-03: a tap reaches a frozen GTK 3 app whose windows have another app id", arguments: Way.allCases)
        func frozen(_ way: Way) throws {
            try with { shell, bus in
                let said = "\(shell.room)/chat"
                func lines() -> [String] { shell.text(of: said).split(separator: "\n").map(String.init) }
                let app = try shell.start(command(bus, "chat", [Self.id, said, "called=chat-window.py"] + (way == .gtk ? ["notify"] : [])))
                try shell.wait("its window", within: 20) { try shell.state().windows.contains { $0.app == "chat-window.py" } }
                let window = try #require(try shell.state().windows.first { $0.app == "chat-window.py" })
                if way != .gtk {
                    let isPortal = way == .portal,
                        name = isPortal ? "org.freedesktop.impl.portal.desktop.mullion.Notices" : "org.gtk.Notifications"
                    _ = try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "gdbus", "call", "--session", "--dest", name, "--object-path",
                        isPortal ? "/org/freedesktop/portal/desktop" : "/org/gtk/Notifications", "--method",
                        (isPortal ? "org.freedesktop.impl.portal.Notification" : "org.gtk.Notifications") + ".AddNotification", Self.id,
                        "chat-1",
                        "{'title': <'Anna'>, 'default-action': <'app.open'>, 'default-action-target': <('chat', 7)>}",
                    ])
                }
                try shell.wait("the notification", within: 10) { try report(shell).notifications.count == 1 }
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: window)
                let id = try #require(try report(shell).notifications.first?.id)
                try shell.perform(.notifications)
                try shell.waitForView("notifications/item/\(id)")
                usleep(600_000)
                try shell.touch("notifications/item/\(id)")
                try shell.wait("the action, not \(lines())", within: 10) { lines().contains("action open ('chat', 7)") }
                try shell.wait("its window in front", within: 10) { try shell.state().focus == window.id }
                #expect(lines().filter { $0 == "window" }.count == 1)
                shell.signal(app.process, SIGKILL)
                shell.expectAlive()
            }
        }

        @Test("X-03: an answer is not swallowed when its sender leaves: the banner says so and copies it")
        func answer() throws {
            try with { shell, bus in
                let sender = try shell.start(
                    command(
                        bus, "notifier",
                        [
                            #"{"title": "Anna", "body": "Lunch?", "actions": ["default", "Open", "inline-reply", "Reply"]}"#
                        ]))
                try shell.wait("the notification", within: 10) { try report(shell).notifications.count == 1 }
                let id = try #require(try report(shell).notifications.first?.id)
                try shell.perform(.notice(.press(notice: NoticeID(id), button: "inline-reply")))
                try shell.waitForView("notice/reply")
                try shell.client.input(.type(text: "Yes, at one"))
                try shell.wait("the text") { try shell.view("notice/reply").name == "Yes, at one" }
                shell.signal(sender.process, SIGKILL)
                try shell.waitForView("notice/note")
                #expect(try shell.view("notice/note").name == "Your answer was not sent: Yes, at one")
                try shell.keepPicture("notification-unsent")
                #expect(try report(shell).notifications.first?.unsent == "Yes, at one")
                // A banner takes no touch in its first half second.
                usleep(700_000)
                try shell.touch("notice/copy")
                let (status, pasted) = try shell.run(["/usr/bin/python3", "\(TestClient.folder)/paste.py", "text/plain"])
                #expect(status == 0 && pasted.contains("Yes, at one"), "\(pasted)")
                shell.expectAlive()
            }
        }

        @Test("X-03: an incoming call leaves the screen with its sender, and a bar stops")
        func callAndBar() throws {
            try with { shell, bus in
                let caller = try shell.start(
                    command(
                        bus, "notifier",
                        [
                            #"{"app": "Phone", "title": "Anna", "body": "Incoming call", "actions": ["a", "Answer"], "hints": {"category": ["s", "call.incoming"]}}"#
                        ]))
                try shell.waitForView("notice/open")
                usleep(7_000_000)
                #expect(try report(shell).notifications.first?.buttons == ["a"])
                try shell.waitForView("notice/open")
                shell.signal(caller.process, SIGKILL)
                try shell.wait("the banner to go") { try shell.find("notice/open") == nil }
                let missed = try #require(try report(shell).notifications.first)
                #expect(missed.lapse == "missedCall" && missed.buttons.isEmpty && missed.body.isEmpty)

                let copier = try shell.start(
                    command(
                        bus, "notifier",
                        [
                            #"{"app": "Files", "title": "Copying", "body": "Movies", "hints": {"value": ["i", 40]}}"#
                        ]))
                try shell.wait("the bar", within: 10) { try report(shell).notifications.first?.progress == 40 }
                usleep(3_000_000)
                shell.signal(copier.process, SIGKILL)
                try shell.wait("the bar to stop") { try report(shell).notifications.first { $0.title == "Copying" }?.lapse == "stopped" }
                // notify-send leaves at once: its bar waits for the next one.
                try ShellUnderTest.require("notify-send", of: "libnotify-bin")
                _ = try shell.run(["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "notify-send", "-h", "int:value:40", "Backup"])
                usleep(2_000_000)
                #expect(try report(shell).notifications.first { $0.title == "Backup" }?.progress == 40)
                try shell.wait("that bar to stop", within: 15) {
                    try report(shell).notifications.first { $0.title == "Backup" }?.lapse == "stopped"
                }
                try shell.perform(.notifications)
                usleep(800_000)
                try shell.keepPicture("notifications-lapsed")
                shell.expectAlive()
            }
        }

        @Test("X-03: no sender has an empty heading")
        func headings() throws {
            try with { shell, bus in
                for name in ["org.gtk.Notifications", "org.freedesktop.impl.portal.desktop.mullion.Notices"] {
                    let isPortal = name != "org.gtk.Notifications"
                    for app in isPortal ? ["", " ", "org.example.Unknown"] : [" ", "org.example.Unknown"] {
                        _ = try shell.run([
                            "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "gdbus", "call", "--session", "--dest", name, "--object-path",
                            isPortal ? "/org/freedesktop/portal/desktop" : "/org/gtk/Notifications", "--method",
                            (isPortal ? "org.freedesktop.impl.portal.Notification" : "org.gtk.Notifications") + ".AddNotification", app,
                            "one",
                            "{'body': <'Only a body'>}",
                        ])
                    }
                }
                let sender = try shell.start(
                    command(bus, "notifier", [#"{"app": "", "title": "Plain"}"#, #"{"app": "\u200b", "title": ""}"#]))
                try shell.wait("all", within: 10) { try report(shell).notifications.count == 7 }
                for notice in try report(shell).notifications {
                    #expect(!notice.name.trimmingCharacters(in: .whitespaces).isEmpty, "\(notice)")
                }
                try shell.perform(.notifications)
                usleep(800_000)
                try shell.keepPicture("notifications-headings")
                shell.signal(sender.process, SIGKILL)
            }
        }
    }
}
