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
    /// Real senders on a bus, and what a person does with what they send (X-03, S-07, S-12).
    @Suite(.serialized) struct NotificationTests {
        /// A sender that stays on the bus.
        private struct Sender {
            let shell: ShellUnderTest
            let process: Int32
            let output: String

            init(_ shell: ShellUnderTest, _ bus: PrivateBus, _ calls: [String]) throws {
                self.shell = shell
                (process, output) = try shell.start(
                    [
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore",
                        "\(TestClient.folder)/notifier.py",
                    ] + calls)
            }

            var lines: [String] { shell.text(of: output).split(separator: "\n").map(String.init) }

            func wait(_ line: String) throws {
                try shell.wait("the sender to say \"\(line)\", not \(lines)", within: 10) { lines.contains { $0.hasPrefix(line) } }
            }

            /// Its first id.
            func id() throws -> UInt32 {
                try wait("id ")
                return UInt32(lines.first { $0.hasPrefix("id ") }!.dropFirst(3))!
            }

            func end() { shell.signal(process, SIGKILL) }
        }

        private let config = "launch = []\nreduced-motion = true\n"

        private func report(_ shell: ShellUnderTest) throws -> NoticeReport {
            try shell.client.ask(.get(.notifications), for: NoticeReport.self)
        }

        /// Waits until the service is there.
        private func serve(_ shell: ShellUnderTest, _ bus: PrivateBus) throws {
            try shell.wait("the name on the bus", within: 10) {
                try shell.run([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                    "owned", "org.freedesktop.Notifications",
                ]).output.contains("yes")
            }
        }

        private func notifySend(_ shell: ShellUnderTest, _ bus: PrivateBus, _ words: String...) throws {
            try ShellUnderTest.require("notify-send", of: "libnotify-bin")
            #expect(try shell.run(["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "notify-send"] + words).status == 0)
        }

        @Test("X-03: real senders reach the list, and hear what a person did")
        func senders() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try serve(shell, bus)
                let sender = try Sender(
                    shell, bus,
                    [
                        #"{"title": "Anna", "body": "<b>Lunch</b> &amp; tea?", "actions": ["default", "Open", "reply", "Reply"], "pixels": [64, 64, 256, 16384]}"#
                    ])
                let id = try sender.id()
                try shell.waitForView("notice/open")
                #expect(try shell.view("notice/open").name == "Notifier: Anna: Lunch & tea?")
                try shell.wait("the picture") { try report(shell).notifications.first?.image != nil }
                try shell.keepPicture("notification-banner")
                usleep(600_000)
                let center = try shell.view("notice/open").frame.center
                try shell.client.input(.drag(from: center, to: Point(center.x, center.y + 80), duration: 200))
                try shell.waitForView("notice/button/0")
                try shell.keepPicture("notification-expanded")
                try shell.touch("notice/button/0")
                try sender.wait("NotificationClosed \(id) 2")
                let told = sender.lines.filter { !$0.hasPrefix("id ") }
                #expect(told.map { $0.split(separator: " ").first } == ["ActivationToken", "ActionInvoked", "NotificationClosed"])
                #expect(told[1] == "ActionInvoked \(id) reply")
                // Nobody else's: an id of another sender, and one that never was.
                let mine = try Sender(shell, bus, [#"{"title": "Mine"}"#]), own = try mine.id()
                let other = try Sender(
                    shell, bus, ["{\"close\": \(own)}", "{\"title\": \"Thief\", \"replaces\": \(own)}", #"{"close": 4000000000}"#])
                try other.wait("closed 4000000000")
                #expect(other.lines[0] == "error org.freedesktop.DBus.Error.InvalidArgs")
                // The answer is the number that it named, and what it sent stands beside the other one's.
                #expect(other.lines[1] == "id \(own)")
                for title in ["Mine", "Thief"] { #expect(try report(shell).notifications.contains { $0.title == title }) }
                try notifySend(shell, bus, "-u", "low", "Quiet", "It waits in the list")
                try shell.wait("the quiet one") { try report(shell).notifications.first?.title == "Quiet" }
                #expect(try report(shell).notifications.first?.level == "passive")
                try shell.perform(.notifications)
                try shell.waitForView("notifications/clear-all")
                // The newest of its app is in sight, and the others behind it.
                #expect(try shell.find("notifications/item/\(own)") == nil)
                try shell.touch("notifications/group/?Notifier/more")
                #expect(try shell.find("notifications/item/\(own)") != nil)
                try shell.keepPicture("notification-list")
                try shell.perform(.notice(.clearAll))
                try mine.wait("NotificationClosed \(own) 2")
                for one in [sender, mine, other] { one.end() }
            }
        }

        @Test("X-03: notify-send returns after the time that it names, and calls with one number are one notification")
        func scripts() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try serve(shell, bus)
                // `-w` waits for the end: without one, `timeout` ends it with status 124.
                for words in [["-t", "500"], ["-t", "800", "-A", "yes=Yes"]] {
                    try ShellUnderTest.require("notify-send", of: "libnotify-bin")
                    let run = try shell.run(
                        ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "timeout", "20", "notify-send", "-w"] + words + ["Done"])
                    #expect(run.status == 0, "\(words)")
                }
                for step in 1...5 { try notifySend(shell, bus, "-r", "991", "Step \(step)") }
                let found = try report(shell).notifications.map(\.title)
                #expect(found.filter { $0.hasPrefix("Step") } == ["Step 5"] && found.filter { $0 == "Done" }.count == 2, "\(found)")
            }
        }

        @Test("S-07: ten thousand from one sender, pictures that are none and broken markup are named or cut, and the shell goes on")
        func badInput() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try serve(shell, bus)
                let bad = try Sender(
                    shell, bus,
                    [
                        #"{"title": "negative", "pixels": [-5, -5, -20, 400]}"#,
                        #"{"title": "huge", "pixels": [10000, 10000, 40000, 400]}"#,
                        #"{"title": "\u202eknab", "body": "<b><i><a href=\"x\">never closed & &bogus; <"}"#,
                        #"{"title": "", "icon": "/dev/zero"}"#,
                        "{\"title\": \"\(String(repeating: "x", count: 20_000))\"}",
                    ])
                try shell.wait("five answers, not \(bad.lines)", within: 20) { bad.lines.count >= 5 }
                let all = try report(shell).notifications
                #expect(all.count == 5)
                #expect(all.allSatisfy { $0.image == nil })
                #expect(all.contains { $0.title == "knab" && $0.body == "never closed & &bogus; <" })
                let flood = try Sender(shell, bus, [#"{"flood": \#(TestSeed.isSlow ? 10_000 : 2000)}"#])
                try flood.wait("flood ")
                // Each one that was answered with a number is there, and the others were refused.
                let taken = Int(flood.lines.last!.split(separator: " ")[1])
                #expect(taken.map { $0 + 5 } == (try report(shell).notifications.count) && taken ?? 0 >= 200)
                bad.end()
                flood.end()
            }
        }

        @Test(
            "S-07: while a program shares the screen there is no banner, and a single picture is no sharing",
            arguments: ["moving", "still"])
        func sharedScreen(way: String) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                try serve(shell, bus)
                try ShellUnderTest.require("grim", of: "grim")
                #expect(try shell.run(["grim", "\(shell.room)/grim.png"]).status == 0)
                let sharer = try shell.start(["/usr/bin/python3", "\(TestClient.folder)/sharer.py", way])
                #expect(try report(shell).busy == false)
                try shell.wait("the sharing") { try report(shell).busy }
                let sender = try Sender(shell, bus, [#"{"title": "Anna"}"#, #"{"title": "Now", "hints": {"urgency": ["y", 2]}}"#])
                try shell.wait("both") { try report(shell).notifications.count == 2 }
                try shell.waitForView("notice/open")
                #expect(try shell.view("notice/open").name == "Notifier: Now", "only what cannot wait")
                try shell.perform(.notice(.clearAll))
                shell.signal(sharer.process, way == "moving" ? SIGUSR1 : SIGKILL)
                try shell.wait("its end", within: 10) { try !report(shell).busy }
                let next = try Sender(shell, bus, [#"{"title": "Ben"}"#])
                try shell.wait("its banner") { try shell.find("notice/open")?.name == "Notifier: Ben" }
                if way == "moving" { shell.signal(sharer.process, SIGKILL) }
                for one in [sender, next] { one.end() }
            }
        }

        @Test("S-12: a schedule survives a killed shell, and comes once")
        func killed() throws {
            let bus = try PrivateBus(),
                folder = FileManager.default.temporaryDirectory.appending(path: "mullion-notices-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": folder]
            let words = ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", try ShellUnderTest.program()]
            do {
                let shell = try ShellUnderTest(config: config, environment: environment)
                defer { shell.clear() }
                try serve(shell, bus)
                let sender = try Sender(shell, bus, [#"{"title": "Kept", "actions": ["reply", "Reply"]}"#])
                _ = try sender.id()
                #expect(try shell.run(words + ["notify", "--at", "+2s", "--name", "tea", "Tea"]).status == 0)
                #expect(try shell.run(words + ["notify", "--at", "+1h", "--name", "later", "Later"]).status == 0)
                #expect(try shell.run(words + ["notify", "--at", "2097-02-29T08:00", "Never"]).status == 64)
                #expect(try shell.run(words + ["notify", "--at", "+1h", "--name", "never", "Never"]).status == 0)
                #expect(try shell.run(words + ["notify", "--cancel", "never"]).status == 0)
                try shell.perform(.notice(.quiet(true)))
                try shell.perform(.notice(.choose(app: "foot", what: .manner(.quietly))))
                usleep(300_000)
                shell.signal(shell.process, SIGKILL)
                sender.end()
            }
            sleep(3)
            for time in 1...2 {
                let shell = try ShellUnderTest(config: config, environment: environment)
                defer { shell.clear() }
                try serve(shell, bus)
                try shell.wait("what became due") { try report(shell).notifications.contains { $0.title == "Tea" } }
                let kept = try report(shell)
                #expect(kept.notifications.map(\.title).sorted() == ["Kept", "Tea"], "start \(time)")
                #expect(kept.notifications.allSatisfy { $0.buttons.isEmpty })
                #expect(kept.scheduled.map(\.name) == ["later"])
                #expect(kept.quiet && kept.apps["foot"]?.show == "quietly")
                shell.signal(shell.process, SIGKILL)
            }
        }
    }
}
