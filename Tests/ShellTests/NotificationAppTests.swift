import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

extension RunningShell {
    /// Apps that name their notifications (`org.gtk.Notifications`, the portal's backend), and answers (X-03, S-07).
    @Suite(.serialized) struct NotificationAppTests {
        private static let id = "org.example.Chat"
        /// Started by the shell, it answers its actions.
        private static let apps = [
            TestApp(id, "Chat", command: "/usr/bin/python3 -W ignore \(TestClient.folder)/app_notifier.py \(id) {room}/chat")
        ]
        private let config = "launch = []\nreduced-motion = true\n"

        private func report(_ shell: ShellUnderTest) throws -> NoticeReport {
            try shell.client.ask(.get(.notifications), for: NoticeReport.self)
        }

        private func with(_ body: (ShellUnderTest, PrivateBus) throws -> Void) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(apps: Self.apps, config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try shell.wait("the names on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.freedesktop.impl.portal.desktop.mullion.Notices",
                    ]).output.contains("yes")
                }
                try body(shell, bus)
            }
        }

        private func start(_ shell: ShellUnderTest, _ bus: PrivateBus, _ client: String, _ words: [String]) throws -> (
            process: Int32, output: String
        ) {
            try shell.start(
                ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/\(client).py"]
                    + words)
        }

        private func said(_ shell: ShellUnderTest) -> [String] {
            shell.text(of: "\(shell.room)/chat").split(separator: "\n").map(String.init)
        }

        private func wait(_ line: String, _ shell: ShellUnderTest) throws {
            try shell.wait("the app to say \"\(line)\", not \(said(shell))", within: 20) { said(shell).contains(line) }
        }

        @Test("X-03: a GTK app hears of a tap by its action, in the app that runs, and in the one that is started for it")
        func gtk() throws {
            try with { shell, bus in
                var app = try start(shell, bus, "app_notifier", [Self.id, "\(shell.room)/chat", "notify"])
                try shell.waitForView("notice/open")
                #expect(try shell.view("notice/open").name == "Chat: Anna: Lunch at <one>?")
                usleep(600_000)
                try shell.touch("notice/open")
                try wait("action open ('chat', 7)", shell)
                #expect(try report(shell).notifications.isEmpty)
                shell.signal(app.process, SIGKILL)
                unlink("\(shell.room)/chat")
                // Again, and the app ends before a person presses its button.
                app = try start(shell, bus, "app_notifier", [Self.id, "\(shell.room)/chat", "notify"])
                try shell.wait("the notification") { try report(shell).notifications.first?.buttons == ["app.read"] }
                shell.signal(app.process, SIGKILL)
                unlink("\(shell.room)/chat")
                usleep(300_000)
                #expect(try report(shell).notifications.first?.buttons == ["app.read"])
                let id = try #require(try report(shell).notifications.first?.id)
                try shell.perform(.notice(.press(notice: NoticeID(id), button: "app.read")))
                try wait("action read -", shell)
            }
        }

        @Test("X-03: a tap starts the app of a notification whose sender has gone")
        func gone() throws {
            try with { shell, bus in
                // A program that is gone before a person taps, as notify-send; and one that is killed.
                let hint = "string:desktop-entry:\(Self.id)"
                _ = try shell.run(["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "notify-send", "-h", hint, "Anna", "Lunch?"])
                let sender = try start(
                    shell, bus, "notifier",
                    [
                        #"{"title": "Ben", "body": "And you?", "actions": ["default", "Open", "read", "Read"], "hints": {"desktop-entry": ["s", "\#(Self.id)"]}}"#
                    ])
                try shell.wait("both") { try report(shell).notifications.count == 2 }
                shell.signal(sender.process, SIGKILL)
                try shell.wait("its buttons to go") { try report(shell).notifications.allSatisfy(\.buttons.isEmpty) }
                let all = try report(shell).notifications
                #expect(all.map(\.app) == [Self.id, Self.id] && all.map(\.title) == ["Ben", "Anna"])
                for notice in all {
                    unlink("\(shell.room)/chat")
                    try shell.perform(.notifications)
                    try shell.waitForView("notifications/item/\(notice.id)")
                    usleep(600_000)
                    try shell.touch("notifications/item/\(notice.id)")
                    try wait("activate", shell)
                    #expect(try !report(shell).notifications.contains { $0.id == notice.id })
                    // It shows no window, and a second start waits for the first.
                    try shell.perform(.dismiss)
                }
            }
        }

        @Test(
            "X-03, W-20: a tap on a notification of an app that was killed starts it once, in the place of its window",
            arguments: [true, false])
        func killed(isStartedByBus: Bool) throws {
            let folder = "/tmp/mullion-chat-\(UInt32.random(in: 0 ... .max))", said = "\(folder)/said"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let command = "/usr/bin/python3 -W ignore \(TestClient.folder)/chat.py \(Self.id) \(said)"
            let service = "[D-BUS Service]\nName=\(Self.id)\nExec=\(command) --gapplication-service\n"
            let bus = try PrivateBus(services: isStartedByBus ? [Self.id: service] : [:])
            let app = TestApp(Self.id, "Chat", command: command, more: isStartedByBus ? "DBusActivatable=true\n" : "")
            try ShellUnderTest.with(apps: [app], config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                func lines() -> [String] { shell.text(of: said).split(separator: "\n").map(String.init) }
                try shell.wait("the names on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.gtk.Notifications",
                    ]).output.contains("yes")
                }
                let first = try shell.openApp(Self.id)
                _ = try shell.run([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "gdbus", "call", "--session", "--dest", "org.gtk.Notifications",
                    "--object-path", "/org/gtk/Notifications", "--method", "org.gtk.Notifications.AddNotification", Self.id, "chat-1",
                    "{'title': <'Anna'>, 'default-action': <'app.open'>, 'default-action-target': <('chat', 7)>}",
                ])
                try shell.wait("the notification") { try report(shell).notifications.count == 1 }
                try shell.perform(.home)
                kill(try shell.app(of: first).process, SIGKILL)
                try shell.wait("its placeholder", within: 10) {
                    try shell.client.ask(.get(.life), for: LifeReport.self).placeholders.map(\.state) == [.waits]
                }
                unlink(said)
                let notice = try #require(try report(shell).notifications.first)
                try shell.perform(.notifications)
                try shell.waitForView("notifications/item/\(notice.id)")
                usleep(600_000)
                try shell.touch("notifications/item/\(notice.id)")
                try shell.wait("the action, not \(lines())", within: 20) { lines().contains("action open ('chat', 7)") }
                try shell.wait("its window in front", within: 10) {
                    let state = try shell.state()
                    return state.windows.count == 1 && state.windows.allSatisfy { $0.app == Self.id }
                        && state.focus == state.windows.first?.id
                }
                usleep(500_000)
                #expect(lines().filter { $0 == "startup" }.count == 1 && lines().filter { $0 == "window" }.count == 1, "\(lines())")
                #expect(try shell.state().windows.count == 1 && report(shell).notifications.isEmpty)
                shell.expectAlive()
            }
        }

        @Test("X-03: the portal's backend: names, an answer with its parameter, and a button that the app does not export")
        func portal() throws {
            try with { shell, bus in
                let portal = try start(shell, bus, "app_notifier", [Self.id, "\(shell.room)/chat", "portal"])
                try wait("sent", shell)
                let all = try report(shell).notifications
                #expect(all.map(\.title) == ["Ben"] && all.first?.body == "Are you there?" && all.first?.app == Self.id)
                #expect(all.first?.buttons == ["answer", "mute"] && all.first?.reply == "answer")
                try shell.perform(.notice(.reply(notice: NoticeID(all[0].id), text: "Yes")))
                try shell.wait("the answer, not \(said(shell))", within: 10) {
                    said(shell).contains {
                        $0.hasPrefix("invoked ('\(Self.id)', 'two', 'answer', [<(uint32 9, uint64 9223372036854775808)>, <{")
                    }
                }
                // The parameter, how to come forward, the answer.
                #expect(said(shell).contains { $0.hasSuffix("}>, <'Yes'>])") })
                shell.signal(portal.process, SIGKILL)
            }
        }

        @Test("X-03: an answer is written in the banner and reaches its sender")
        func answers() throws {
            try with { shell, bus in
                let sender = try start(
                    shell, bus, "notifier",
                    [
                        #"{"title": "Anna", "body": "Lunch?", "actions": ["default", "Open", "inline-reply", "Reply"], "hints": {"x-kde-reply-placeholder-text": ["s", "Answer Anna"]}}"#
                    ])
                try shell.waitForView("notice/open")
                usleep(600_000)
                let center = try shell.view("notice/open").frame.center
                try shell.client.input(.drag(from: center, to: Point(center.x, center.y + 80), duration: 200))
                try shell.waitForView("notice/button/0")
                try shell.touch("notice/button/0")
                try shell.waitForView("notice/reply")
                #expect(try shell.view("notice/reply").name == "Answer Anna")
                try shell.keepPicture("notification-reply")
                try shell.client.input(.type(text: "Yes"))
                try shell.wait("the text") { try shell.view("notice/reply").name == "Yes" }
                try shell.touch("notice/send")
                try shell.wait("the answer") { shell.text(of: sender.output).contains("NotificationReplied 1 Yes") }
                try shell.wait("its end") { shell.text(of: sender.output).contains("NotificationClosed 1 2") }
                shell.signal(sender.process, SIGKILL)
            }
        }

        @Test("X-03: what no app should send is refused by name or cut, and the shell goes on")
        func bad() throws {
            try with { shell, bus in
                _ = try start(shell, bus, "app_notifier", [Self.id, "\(shell.room)/chat", "bad"])
                try wait("end", shell)
                let lines = said(shell), invalid = "error org.freedesktop.DBus.Error.InvalidArgs"
                for refused in [
                    " \(invalid)", "xxxxxxxx \(invalid)", "buttons \(invalid)", "target \(invalid)", "deep \(invalid)", "icon2 \(invalid)",
                ] {
                    #expect(lines.count { $0 == refused } == 2, "\(refused) in \(lines)")
                }
                for taken in ["types ok", "many ok", "icon ok", "turned ok", "empty ok"] {
                    #expect(lines.count { $0 == taken } == 2, "\(taken) in \(lines)")
                }
                let all = try report(shell).notifications
                #expect(all.count == 10)
                #expect(all.first { $0.title == "many" }?.buttons.count == 8)
                #expect(all.contains { $0.title == "gnp.exe" && $0.body == "<b><i>never closed & <" })
            }
        }

        @Test("S-07: a sender is known before its first notification is served")
        func identified() throws {
            let bus = try PrivateBus()
            let apps = [
                TestApp(
                    Self.id, "Chat", command: "/usr/bin/python3 -W ignore \(TestClient.folder)/app_notifier.py \(Self.id) {room}/chat plain"
                )
            ]
            try ShellUnderTest.with(apps: apps, config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try shell.wait("the name", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.freedesktop.Notifications",
                    ]).output.contains("yes")
                }
                try shell.perform(.openApp(app: Self.id))
                try wait("sent", shell)
                #expect(try report(shell).notifications.map(\.app) == [Self.id])
            }
        }

        @Test("X-03: a script that names no app is the app of its window, also while that waits")
        func script() throws {
            try with { shell, bus in
                let code = """
                    import sys
                    sys.path.insert(0, "\(TestClient.folder)")
                    import common
                    from gi.repository import Gio, GLib
                    session, last = common.Session(), 0
                    session.toplevel("Chat", "\(Self.id)", size=(300, 200))
                    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
                    while True:
                        session.c.dispatch(0.25)
                        call = GLib.Variant("(susssasa{sv}i)", ("script", last, "", "Hello", "", [], {}, -1))
                        last = bus.call_sync("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify", call, None, 0, -1, None).unpack()[0]
                    """
                let script = try shell.start([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "-c", code,
                ])
                try shell.wait("its app", within: 20) { try report(shell).notifications.first?.app == Self.id }
                shell.signal(script.process, SIGKILL)
            }
        }

        /// The answer does not wait for the disk, so a kill may lose the last ones, however fast or slow the machine is. It loses nothing that
        /// was on the disk, and none whose successor is there.
        @Test(
            "X-03: kill -9 loses at most the last notifications that were on their way to the disk; none is there twice, and numbers go on")
        func kills() throws {
            let bus = try PrivateBus(),
                folder = FileManager.default.temporaryDirectory.appending(path: "mullion-notices-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": folder], rounds = TestSeed.isSlow ? 12 : 3
            // `kept` is in the store for certain, a beginning of `recent` may be.
            var kept: [String] = [], recent: [String] = [], last: UInt32 = 0
            for round in 0...rounds {
                let shell = try ShellUnderTest(config: config, environment: environment)
                defer { shell.clear() }
                try shell.wait("the name on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", "org.freedesktop.Notifications",
                    ]).output.contains("yes")
                }
                let there = try report(shell).notifications.sorted { $0.id < $1.id }
                let titles = there.map(\.title), most = there.last?.id ?? 0
                #expect(
                    titles.starts(with: kept) && (kept + recent).starts(with: titles),
                    "round \(round): \(titles), not \(kept) and then \(recent)")
                #expect(recent.isEmpty ? most == last : most <= last)
                guard round < rounds else { break }
                let all = (0..<6).map { "\(round)-\($0)" }
                let sender = try start(shell, bus, "notifier", all.map { "{\"title\": \"\($0)\"}" })
                try shell.wait("six answers", within: 10) { shell.text(of: sender.output).split(separator: "\n").count >= 6 }
                let numbers = shell.text(of: sender.output).split(separator: "\n").compactMap { UInt32($0.dropFirst(3)) }
                #expect(numbers == (1...6).map { most + $0 })
                (kept, recent, last) = (titles, all, most + 6)
                if round % 3 == 1 {
                    // The answer to a schedule comes when it is on the disk, and so is all that came before it.
                    #expect(
                        try shell.run([
                            "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", try ShellUnderTest.program(), "notify", "--at", "+9h",
                            "--name", "later", "Later",
                        ]).status == 0)
                    (kept, recent) = (kept + recent, [])
                } else {
                    usleep([0, 0, 20_000][round % 3])
                }
                shell.signal(shell.process, SIGKILL)
                shell.signal(sender.process, SIGKILL)
                usleep(300_000)
            }
        }
    }
}
