import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Notices
import Testing

extension RunningShell {
    /// Who pays, and under which name it is seen, if a program in a sandbox says that it is many others (P-06, docs/security.md).
    @Suite(.serialized) struct NotificationOwnerTests {
        private let config = "launch = []\nreduced-motion = true\n"
        private static let sandbox = ["bwrap", "--dev-bind", "/", "/", "--die-with-parent"]

        private func with(
            _ bus: PrivateBus, apps: [TestApp] = [], files: [String: String] = [:], _ body: (ShellUnderTest) throws -> Void
        ) throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with(apps: apps, config: config, files: files, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) {
                shell in
                try serve(shell, bus)
                try body(shell)
            }
        }

        /// A shell that the test kills.
        private func killing(_ bus: PrivateBus, state: String, _ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            let shell = try ShellUnderTest(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": state])
            defer { shell.clear() }
            try serve(shell, bus)
            try body(shell)
            // What is on its way to the disk is there after this.
            usleep(1_000_000)
            shell.signal(shell.process, SIGKILL)
        }

        private func serve(_ shell: ShellUnderTest, _ bus: PrivateBus) throws {
            for name in ["org.kde.StatusNotifierWatcher", "org.gnome.SessionManager", "org.mullion.AudioSession1"] {
                try shell.wait("\(name) on the bus", within: 10) {
                    try shell.run([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py",
                        "owned", name,
                    ])
                    .output.contains("yes")
                }
            }
        }

        private func report(_ shell: ShellUnderTest) throws -> NoticeReport {
            try shell.client.ask(.get(.notifications), for: NoticeReport.self)
        }

        /// Starts the program, and waits for its first line.
        private func claim(_ shell: ShellUnderTest, _ bus: PrivateBus, _ words: [String], in sandbox: [String] = Self.sandbox) throws -> (
            process: Int32, said: String
        ) {
            let started = try shell.start(
                sandbox + [
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/claimer.py",
                ] + words)
            try shell.wait("\(words)", within: 40) { shell.text(of: started.output).contains("\n") }
            return (started.process, shell.text(of: started.output).split(separator: "\n").first.map(String.init) ?? "")
        }

        private func taken(_ said: String) -> Int { said.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1 }

        @Test(
            "P-06: a sandbox that invents hundreds of names over 24 connections deletes and delays nobody's notifications, also after a restart"
        )
        func flood() throws {
            let bus = try PrivateBus(),
                folder = FileManager.default.temporaryDirectory.appending(path: "mullion-owner-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let mine = (0..<30).map { "mine \($0)" }
            try killing(bus, state: folder) { shell in
                let calls = mine.map { #"{"title": "\#($0)", "app": "App \#($0.suffix(1))"}"# }
                let honest = try shell.start(
                    [
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore",
                        "\(TestClient.folder)/notifier.py",
                    ] + calls)
                try shell.wait("thirty", within: 20) { try report(shell).notifications.count == 30 }
                let flood = try claim(shell, bus, ["flood", "1500", "24"])
                // They share one rate, and one drawer.
                #expect((100..<1000).contains(taken(flood.said)), "\(flood.said)")
                let all = try report(shell).notifications
                #expect(Set(mine).isSubset(of: all.map(\.title)))
                let nameless = all.filter { $0.title.hasPrefix("flood") }
                #expect(nameless.count <= 500 && nameless.allSatisfy { $0.app.isEmpty && $0.name.isEmpty && $0.level == "active" })
                // Another program notifies at once, meanwhile.
                let next = try claim(shell, bus, ["claim", #"{"app": "Mail", "title": "mine too"}"#], in: [])
                #expect(next.said.hasPrefix("id "))
                for process in [honest.process, flood.process, next.process] { shell.signal(process, SIGKILL) }
            }
            try killing(bus, state: folder) { shell in
                try shell.wait("what was kept") { try Set(mine + ["mine too"]).isSubset(of: report(shell).notifications.map(\.title)) }
            }
        }

        @Test(
            "P-06: a sandbox takes all schedules, items of trays, inhibitors and sessions of sound from nobody; its schedules end with it")
        func tables() throws {
            let bus = try PrivateBus(),
                folder = FileManager.default.temporaryDirectory.appending(path: "mullion-owner-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try killing(bus, state: folder) { shell in
                let words = ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", try ShellUnderTest.program()]
                var running: [Int32] = []
                for what in ["schedules", "tray", "inhibit", "sessions"] {
                    // Two sandboxes are one owner.
                    let first = try claim(shell, bus, [what, "60", "20"]), second = try claim(shell, bus, [what, "10", "5"])
                    #expect(taken(first.said) == 16 && taken(second.said) == 0, "\(first.said), \(second.said)")
                    let other = try claim(shell, bus, [what, "8", "4"], in: [])
                    #expect(taken(other.said) == 8, "another program: \(other.said)")
                    running += [first.process, second.process, other.process]
                }
                #expect(try shell.run(words + ["notify", "--at", "+1h", "--name", "tea", "Tea"]).status == 0)
                #expect(try report(shell).scheduled.count == 16 + 8 + 1)
                for process in running { shell.signal(process, SIGKILL) }
                try shell.wait("its schedules to go", within: 10) { try report(shell).scheduled.count == 9 }
                // Its places are free again.
                #expect(try taken(claim(shell, bus, ["tray", "60", "20", "leave"]).said) == 16)
                #expect(try taken(claim(shell, bus, ["schedules", "60", "20"]).said) == 16)
            }
            try killing(bus, state: folder) { shell in
                try shell.wait("what outlives its program") { try report(shell).scheduled.count == 9 }
                #expect(try report(shell).scheduled.contains { $0.name == "tea" })
            }
        }

        @Test("P-06: a nameless sandbox is seen as a program, without a claimed name, icon, file or level; one with a name as its app")
        func seen() throws {
            let bus = try PrivateBus(), line = Self.sandbox.joined(separator: " ")
            let firefox = TestApp("firefox", "Firefox", command: "true"),
                boxed = TestApp("org.example.Boxed", "Boxed", command: "\(line) sh {room}/boxed.sh")
            let claims = """
                {"app": "Firefox", "title": "Update", "body": "Your password?", "icon": "firefox", "hints": {"desktop-entry": ["s", "firefox"], \
                "urgency": ["y", 2], "category": ["s", "battery.low"], "image-path": ["s", "PATH"], "x-kde-origin-name": ["s", "bank.example"]}}
                """
            let files = [
                "boxed.sh":
                    "exec /usr/bin/python3 -W ignore '\(TestClient.folder)/claimer.py' claim \"$(cat \"$(dirname \"$0\")/claims\")\"\n"
            ]
            try with(bus, apps: [firefox, boxed], files: files) { shell in
                let picture = "\(shell.room)/secret.png", said = claims.replacingOccurrences(of: "PATH", with: picture)
                try shell.write(said, to: "\(shell.room)/claims")
                try FileManager.default.copyItem(
                    atPath: "\(TestClient.folder)/../ShellTests/References/\(try Self.anyPicture())", toPath: picture)
                try shell.perform(.notice(.quiet(true)))
                let quiet = try claim(shell, bus, ["claim", said])
                try shell.wait("it") { try report(shell).notifications.count == 1 }
                usleep(500_000)
                var item = try #require(try report(shell).notifications.first)
                #expect(item.app == "" && item.name == "" && item.level == "active" && item.image == nil && item.title == "Update")
                #expect(try shell.find("notice/open") == nil, "Do Not Disturb holds")
                try shell.perform(.notice(.clearAll))
                try shell.perform(.notice(.quiet(false)))
                let shown = try claim(shell, bus, ["claim", said])
                try shell.waitForView("notice/open")
                #expect(try shell.view("notice/open").name == "A program, Update: Your password?")
                try shell.keepPicture("nameless-banner")
                // The same from outside any sandbox: there a program's word counts, as before, and its file is copied.
                try shell.perform(.notice(.clearAll))
                let outside = try claim(shell, bus, ["claim", said], in: [])
                try shell.wait("its picture") { try report(shell).notifications.first?.image != nil }
                #expect(try report(shell).notifications.first?.app == "firefox")
                try shell.perform(.notice(.clearAll))
                try shell.client.perform(.openApp(app: boxed.id))
                try shell.wait("the app in a sandbox", within: 20) { try report(shell).notifications.count == 1 }
                item = try #require(try report(shell).notifications.first)
                #expect(item.app == boxed.id && item.name == "" && item.image == nil)
                try shell.wait("its banner") { try shell.find("notice/open")?.name.hasPrefix("Boxed") ?? false }
                try shell.keepPicture("named-banner")
                for process in [quiet.process, shown.process, outside.process] { shell.signal(process, SIGKILL) }
            }
        }

        private static func anyPicture() throws -> String {
            let all = try FileManager.default.subpathsOfDirectory(atPath: "\(TestClient.folder)/../ShellTests/References")
            return try #require(all.sorted().first { $0.hasSuffix(".png") })
        }
    }
}
