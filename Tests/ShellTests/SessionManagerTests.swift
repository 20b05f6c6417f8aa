import Control
import Foundation
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Programs and the session manager: instances that come back, inhibitors, and the end of the session (S-06, S-13, W-20).
    @Suite(.serialized) struct SessionManagerTests {
        private static let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"
        /// The shell starts a bus of its own.
        private static let ownBus = ["DBUS_SESSION_BUS_ADDRESS": ""]

        /// `Tests/Clients/session.py`.
        private struct SessionApp {
            let shell: ShellUnderTest
            private let files: String
            let window: WindowReport

            init(_ shell: ShellUnderTest, _ app: String, _ steps: String...) throws {
                self.shell = shell
                files = "\(shell.room)/session-\(UInt32.random(in: 0...UInt32.max))"
                mkfifo("\(files).commands", 0o600)
                window = try shell.open(SessionApp.command("\(files).said", app, steps, ["--commands", "\(files).commands"]), appID: app)
            }

            static func command(_ said: String, _ app: String, _ steps: [String], _ options: [String] = []) -> [String] {
                ["/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/session.py", said, app] + steps + ["--"] + options
            }

            var said: [String] { shell.text(of: "\(files).said").split(separator: "\n").map(String.init) }

            func says(_ line: String, within seconds: Double = 8) throws {
                try shell.wait("\"\(line)\" from \(window.appID), which said \(said)", within: seconds) { said.contains(line) }
            }

            func tell(_ command: String) throws {
                let pipe = try #require(FileHandle(forWritingAtPath: "\(files).commands"))
                try pipe.write(contentsOf: Data("\(command)\n".utf8))
                try pipe.close()
            }

            func kill() throws {
                Glibc.kill(try #require(window.pid), SIGKILL)
                try shell.waitUntilGone(window.id)
            }
        }

        /// The portal's inhibitors reach the session manager only beside a screen saver on the bus.
        @Test("S-06: what an app inhibits by the GTK portal counts, as the app's own")
        func inhibitorsOfThePortal() throws {
            let program = "/usr/libexec/xdg-desktop-portal-gtk"
            try ShellUnderTest.require(program, of: "xdg-desktop-portal-gtk")
            try ShellUnderTest.with(config: Self.quick, environment: Self.ownBus) { shell in
                let bus = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                try shell.wait("the bus") { FileManager.default.fileExists(atPath: bus) }
                let environment = ["env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(bus)"]
                func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) throws -> (
                    status: Int32, output: String
                ) {
                    try shell.run(
                        environment + ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method] + arguments)
                }
                let saver = "org.gnome.ScreenSaver", manager = "org.gnome.SessionManager"
                try shell.wait("the screen saver") {
                    try call(saver, "/org/gnome/ScreenSaver", "\(saver).GetActive").output.contains("false")
                }
                #expect(try call(saver, "/org/gnome/ScreenSaver", "\(saver).Lock").output.contains("NotSupported"))
                _ = try shell.start(environment + [program])
                let portal = "org.freedesktop.impl.portal"
                try shell.wait("the portal's answer", within: 15) {
                    try call(
                        "\(portal).desktop.gtk", "/org/freedesktop/portal/desktop", "\(portal).Inhibit.Inhibit",
                        "/org/freedesktop/portal/desktop/request/1_1/t", "org.example.App", "", "1", "{'reason': <'Burning a disc'>}"
                    ).status == 0
                }
                try shell.wait("the inhibitor") {
                    try call(manager, "/org/gnome/SessionManager", "\(manager).IsInhibited", "1").output.contains("true")
                }
            }
        }

        /// A shell that ends by itself in `body`, with status 0.
        private func ending(_ body: (ShellUnderTest) throws -> Void) throws {
            let shell = try ShellUnderTest(config: Self.quick, environment: Self.ownBus)
            defer { shell.clear() }
            do {
                try body(shell)
                try shell.wait("the end", within: 10) { shell.ending != nil }
                #expect(shell.ending == "the shell ended with status 0")
            } catch {
                throw ShellUnderTest.Failure("\(error)\nThe shell's log ends with:\n\(shell.log.suffix(4000))")
            }
        }

        // MARK: Logging out

        @Test(
            "S-06, S-13: who keeps a person from logging out is named; Cancel stays, Log Out Anyway ends the session",
            arguments: ["1180x820", "390x844"])
        func inhibited(size: String) throws {
            let shell = try ShellUnderTest(size: size, config: Self.quick, environment: Self.ownBus)
            defer { shell.clear() }
            let studio = try SessionApp(shell, "test.studio", "inhibit 1 Burning a disc", "register yes")
            #expect(try !shell.isOpen("log-out"))
            try shell.perform(.home)
            try shell.perform(.quit)
            try shell.waitForView("log-out/anyway")
            #expect(try shell.view("log-out/app/0").name == "Studio")
            #expect(try shell.view("log-out/app/0/reason").name == "Burning a disc")
            try studio.says("signal QueryEndSession 0")
            // It lies on the screen, whatever its size.
            let screen = try #require(try shell.state().screen?.size)
            for view in try shell.views() where view.id.hasPrefix("log-out") {
                #expect(
                    view.frame.minX >= 0 && view.frame.minY >= 0 && view.frame.maxX <= screen.width && view.frame.maxY <= screen.height,
                    "\(view)")
            }
            try shell.touch("log-out/cancel")
            #expect(try shell.state().open.isEmpty)
            try studio.says("signal CancelEndSession")
            shell.expectAlive()

            try shell.perform(.quit)
            try shell.tap(try shell.waitForView("log-out/anyway").frame.center)
            try shell.wait("the end", within: 15) { shell.ending != nil }
            #expect(shell.ending == "the shell ended with status 0")
            #expect(
                studio.said.suffix(2) == ["signal EndSession 1", "signal Stop"] || studio.said.last == "signal EndSession 1",
                "\(studio.said)")
        }

        @Test("S-13: an app that is done while the person waits objects no more, and the session ends")
        func done() throws {
            try ending { shell in
                let app = try SessionApp(shell, "test.studio", "inhibit 1 Burning a disc")
                try shell.perform(.quit)
                try shell.waitForView("log-out/anyway")
                try app.tell("uninhibit")
            }
        }

        @Test("S-13: a frozen app is thawed to hear that the session ends")
        func thawed() throws {
            try ending { shell in
                let app = try SessionApp(shell, "test.studio", "register no A film is not saved")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: app.window)
                try shell.perform(.quit)
                try shell.waitForView("log-out/anyway")
                #expect(try shell.view("log-out/app/0/reason").name == "A film is not saved")
                #expect(try shell.phase(of: app.window) != .frozen)
                // Who changed their mind.
                try app.tell("answer yes")
            }
        }

        @Test("a program that never answers is named after two seconds, and given up five seconds after Log Out Anyway")
        func silent() throws {
            try ending { shell in
                _ = try SessionApp(shell, "test.studio", "register never")
                let began = ContinuousClock.now
                try shell.perform(.quit)
                try shell.waitForView("log-out/anyway", within: 8)
                #expect(ContinuousClock.now - began > .seconds(1.9))
                #expect(try shell.view("log-out/app/0/reason").name == "Not Responding")
                try shell.tap(try shell.view("log-out/anyway").frame.center)
            }
        }

        @Test("a signal ends the shell at once, whoever objects", arguments: [SIGTERM, SIGINT, SIGHUP])
        func signalled(number: Int32) throws {
            try ending { shell in
                _ = try SessionApp(shell, "test.studio", "inhibit 1 Burning a disc", "register never")
                let began = ContinuousClock.now
                kill(shell.process, number)
                try shell.wait("the end", within: 5) { shell.ending != nil }
                #expect(ContinuousClock.now - began < .seconds(4))
            }
        }

        @Test("Logout on the bus ends the session; an inhibitor is ended by hand, and a reason to run is seen")
        func bus_S06() throws {
            try ending { shell in
                let app = try SessionApp(shell, "test.studio", "inhibit 5 Burning a disc")
                try shell.perform(.home)
                usleep(900_000)
                let reason = try #require(try shell.app(of: app.window).reasons.first)
                #expect(reason.kind == "inhibits" && reason.name == "Burning a disc")
                let number = try #require(reason.inhibitor)
                let life = try shell.run([shell.program, "ctl", "life"]).output
                #expect(life.contains("inhibitor \(number): Burning a disc"), "\(life)")
                #expect(try shell.run([shell.program, "ctl", "end-inhibitor", "\(number)"]).status == 0)
                #expect(try shell.run([shell.program, "ctl", "end-inhibitor", "\(number)"]).status != 0)
                try shell.waitForPhase(.frozen, of: app.window)
                let bus = "unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                let call =
                    ["env", "DBUS_SESSION_BUS_ADDRESS=\(bus)", "gdbus", "call", "--session", "--dest", "org.gnome.SessionManager"]
                    + ["--object-path", "/org/gnome/SessionManager", "--method", "org.gnome.SessionManager.Logout", "1"]
                #expect(try shell.run(call).status == 0)
            }
        }

        @Test("what no program may ask of the session manager is refused in words, and the shell goes on")
        func abuse() throws {
            try ShellUnderTest.with(config: Self.quick, environment: Self.ownBus) { shell in
                let file = "\(shell.room)/abuse"
                try shell.open(
                    "foot", of: "foot",
                    ["-e", "sh", "-c", "exec /usr/bin/python3 -W ignore \(TestClient.folder)/session_abuse.py >\(file) 2>&1"])
                try shell.wait("the end of the abuse", within: 60) {
                    shell.text(of: file).contains("ready\n") || shell.text(of: file).contains("Error")
                }
                let answers = shell.text(of: file).split(separator: "\n").map(String.init)
                let expected = [
                    "no flags: InvalidArgs: the flags name nothing that can be inhibited: they go from 1 to 31",
                    "unknown flags: InvalidArgs: the flags name nothing that can be inhibited: they go from 1 to 31",
                    "long reason: InvalidArgs: a reason has 513 bytes, and may have 512",
                    "long app: InvalidArgs: an app's id has 257 bytes, and may have 256",
                    "wrong types: InvalidArgs:*",
                    "unknown inhibitor: InvalidArgs: this program has no inhibitor 4000000",
                    "another's inhibitor: InvalidArgs: this program has no inhibitor*",
                    "no app: InvalidArgs: the app's id is empty",
                    "long id: InvalidArgs: an app's id has 257 bytes, and may have 256",
                    "no connection: InvalidArgs: \"org.example.Name\" is no connection: such as \":1.5\"",
                    "no such connection: InvalidArgs: there is no connection :1.4000000",
                    "another's instance: InvalidArgs: this program has no instance*",
                    "unknown instance: InvalidArgs: this program has no instance x of test.abuse",
                    "many ids: LimitsExceeded: at most 64 ids are taken at once",
                    "another's client: InvalidArgs: this program has no such client",
                    "answer for another: InvalidArgs: this is another program's client",
                    "unknown client: InvalidArgs: this program has no such client",
                    "unknown mode: InvalidArgs: the mode is 4, and goes from 0 to 3",
                    "unknown method: UnknownMethod:*",
                    "unknown object: UnknownObject:*",
                    "is inhibited: granted (True,)",
                    "is not inhibited: granted (False,)",
                    "reason: granted ('work',)",
                    "flags: granted (4,)",
                    "inhibitors: 2",
                    "inhibitors of one program: 30, then LimitsExceeded: an app can have 32 inhibitors",
                    "clients of one program: 31, then LimitsExceeded: an app can have 32 clients of the session",
                    "instances of one program: 255, then LimitsExceeded: an app can have 256 instances",
                    "inhibitors: 31",
                    "ready",
                ]
                for (answer, expected) in zip(answers, expected) {
                    #expect(expected.hasSuffix("*") ? answer.hasPrefix(expected.dropLast()) : answer == expected, "\(answer)")
                }
                #expect(answers.count == expected.count, "\(answers)")
                shell.expectAlive()
            }
        }

        // MARK: Instances

        @Test("W-20: a toolkit has its instance again after kill -9 of the app, and after its end")
        func restored_W20() throws {
            try ShellUnderTest.with(config: Self.quick, environment: Self.ownBus) { shell in
                func instance(_ app: SessionApp) throws -> [Substring] {
                    try #require(app.said.first { $0.hasPrefix("restore ") }, "\(app.said)").split(separator: " ")
                }
                let first = try SessionApp(shell, "test.editor", "restore")
                let begun = try instance(first)
                #expect(begun[1] == "launch" && begun[3] == "-" && begun[4] == "soon")
                try first.tell("draft half")
                try first.says("wrote half")
                try first.kill()

                let second = try SessionApp(shell, "test.editor", "restore")
                #expect(try instance(second) == ["restore", "recover", begun[2], "half", "soon"])
                // Another process of the app, and another app.
                let other = try instance(try SessionApp(shell, "test.editor", "restore"))
                #expect(other[1] == "launch" && other[2] != begun[2] && other[3] == "-")
                #expect(try instance(try SessionApp(shell, "test.stranger", "restore"))[3] == "-")
                // Behind the others it is frozen by now.
                try shell.perform(.focus(window: second.window.id))
                try second.tell("leave")
                try shell.waitUntilGone(second.window.id)
                #expect(try instance(try SessionApp(shell, "test.editor", "restore")) == ["restore", "launch", begun[2], "half", "soon"])
            }
        }

        @Test(
            "W-20: a toolkit has its instance again after the shell was killed, and after the session ended in order",
            arguments: [true, false])
        func session_W20(isOrderly: Bool) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["XDG_STATE_HOME": folder].merging(Self.ownBus) { $1 }
            let said = "\(folder)/said", command = SessionApp.command(said, "test.editor", ["restore", "draft all of it"])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let before = try ShellUnderTest(config: Self.quick, environment: environment)
            do {
                defer { before.clear() }
                try before.open(command, appID: "test.editor")
                try before.client.waitUntilKept()
                if isOrderly {
                    try before.quit()
                } else {
                    kill(before.process, SIGKILL)
                }
            }
            func answers() -> [[Substring]] {
                ((try? String(contentsOfFile: said, encoding: .utf8)) ?? "").split(separator: "\n").filter { $0.hasPrefix("restore ") }
                    .map { $0.split(separator: " ") }
            }
            let begun = try #require(answers().first)
            try ShellUnderTest.with(config: Self.quick, environment: environment) { shell in
                try shell.wait("the app asks again, after \(answers())", within: 20) { answers().count == 2 }
                #expect(answers()[1] == ["restore", isOrderly ? "restore" : "recover", begun[2], "all", "of", "it", "soon"])
                try shell.wait("its window") { try shell.state().windows.contains { $0.placeholder == nil && $0.appID == "test.editor" } }
            }
        }

        // MARK: Windows set aside

        /// A shell that begins clean, after one with a window.
        private func clean(size: String, _ body: (ShellUnderTest) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let before = try ShellUnderTest(config: Self.quick, environment: ["XDG_STATE_HOME": folder])
            do {
                defer { before.clear() }
                for name in ["one", "two"] { try before.open("foot", of: "foot", ["--title", name]) }
                try before.client.waitUntilKept()
                kill(before.process, SIGKILL)
            }
            // As the supervisor starts it after the third crash.
            let environment = ["XDG_STATE_HOME": folder, "MULLION_CLEAN_START": "1"]
            // Nobody answers before it fails again.
            let failed = try ShellUnderTest(config: Self.quick, environment: environment)
            do {
                defer { failed.clear() }
                try failed.waitForView("windows-aside/back")
                try failed.perform(.darkAppearance(true))
                try failed.client.waitUntilKept()
                kill(failed.process, SIGKILL)
            }
            try ShellUnderTest.with(size: size, config: Self.quick, environment: environment, body)
            // What a person decided holds.
            try ShellUnderTest.with(config: Self.quick, environment: ["XDG_STATE_HOME": folder]) { shell in
                let view = try shell.find("windows-aside/back")
                #expect(view == nil)
            }
        }

        @Test("W-20: a shell that failed several times asks, and brings the windows back", arguments: ["1180x820", "390x844"])
        func bringBack(size: String) throws {
            try clean(size: size) { shell in
                try shell.waitForView("windows-aside/back")
                #expect(try shell.state().windows.isEmpty)
                try shell.touch("windows-aside/back")
                try shell.wait("the windows") { try Set(shell.state().windows.map(\.title)) == ["one", "two"] }
                try shell.wait("the one in front") { try shell.state().windows.contains { $0.placeholder == nil && $0.title == "two" } }
                #expect(try shell.state().open.isEmpty)
                // The other one comes when it is shown.
                let other = try #require(try shell.state().windows.first { $0.title == "one" })
                #expect(other.placeholder == true)
                try shell.perform(.focus(window: other.id))
                try shell.wait("the other one") { try shell.state().windows.allSatisfy { $0.placeholder == nil } }
                #expect(throws: (any Error).self) { try shell.perform(.bringWindowsBack) }
                try shell.client.waitUntilKept()
            }
        }

        /// Starts a shell in `folder`, and kills it after `body` and a save.
        private func killed(_ folder: String, isClean: Bool = false, _ body: (ShellUnderTest) throws -> Void) throws {
            let shell = try ShellUnderTest(
                config: Self.quick, environment: ["XDG_STATE_HOME": folder].merging(isClean ? ["MULLION_CLEAN_START": "1"] : [:]) { $1 })
            defer { shell.clear() }
            try body(shell)
            try shell.client.waitUntilKept()
            kill(shell.process, SIGKILL)
        }

        @Test("W-20: windows that were set aside are offered at every start until a person answers, with those set aside later")
        func offeredAgain() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try killed(folder) { shell in for name in ["one", "two"] { try shell.open("foot", of: "foot", ["--title", name]) } }
            // A new window in a start that a person did not answer, which fails as well.
            try killed(folder, isClean: true) { shell in
                try shell.waitForView("windows-aside/back")
                try shell.open("foot", of: "foot", ["--title", "three"])
            }
            // The start after that is an ordinary one: the new window is restored.
            try killed(folder) { shell in
                try shell.waitForView("windows-aside/back")
                try shell.wait("the new window") { try shell.state().windows.map(\.title) == ["three"] }
            }
            try killed(folder, isClean: true) { shell in _ = try shell.waitForView("windows-aside/back") }
            // It ends in order without an answer.
            try ShellUnderTest.with(config: Self.quick, environment: ["XDG_STATE_HOME": folder]) { shell in
                _ = try shell.waitForView("windows-aside/back")
            }
            try killed(folder) { shell in
                try shell.waitForView("windows-aside/back")
                #expect(try shell.state().windows.isEmpty)
                try shell.touch("windows-aside/back")
                try shell.wait("the windows") { try Set(shell.state().windows.map(\.title)) == ["one", "two", "three"] }
            }
            try ShellUnderTest.with(config: Self.quick, environment: ["XDG_STATE_HOME": folder]) { shell in
                try shell.wait("the windows") { try shell.state().windows.count == 3 }
                #expect(try shell.find("windows-aside/back") == nil)
            }
        }

        @Test("W-20: or starts clean; the windows can still be had by hand")
        func startClean() throws {
            try clean(size: "1180x820") { shell in
                try shell.waitForView("windows-aside/clean")
                try shell.tap(Point(20, 20))
                try shell.settle()
                try shell.touch("windows-aside/clean")
                let state = try shell.state()
                #expect(state.open.isEmpty && state.windows.isEmpty)
                #expect(try shell.run([shell.program, "ctl", "bring-windows-back"]).status == 0)
                try shell.wait("the windows") { try Set(shell.state().windows.map(\.title)) == ["one", "two"] }
            }
        }
    }
}
