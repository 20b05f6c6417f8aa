import Control
import Foundation
import Geometry
import Glibc
import Journal
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// What apps see of their life: state that is asked for and given back, background tasks, phases (S-04, S-06, S-13).
    @Suite(.serialized) struct LifeApiTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"
        /// The shell starts a bus of its own.
        private let ownBus = ["DBUS_SESSION_BUS_ADDRESS": ""]

        /// `Tests/Clients/life.py`: a window with a state, driven by lines.
        private final class LifeApp {
            struct Entry: Decodable {
                var e: String
                var t: Int
                var text: String?
                var size: Int?
                var writable: Bool?
                var phase: Int?
                var ms: Int?
                var command: String?
            }

            let shell: ShellUnderTest
            private let files: String
            private(set) var window: WindowReport

            init(_ shell: ShellUnderTest, _ arguments: String...) throws {
                self.shell = shell
                files = "\(shell.room)/life-\(UInt32.random(in: 0...UInt32.max))"
                mkfifo("\(files).commands", 0o600)
                window = try shell.open(
                    ["python3", "\(TestClient.folder)/life.py", "app", "--log", "\(files).log", "--commands", "\(files).commands"]
                        + arguments)
            }

            var entries: [Entry] {
                get throws {
                    try shell.text(of: "\(files).log").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        .map { try JSON(parsing: Array($0.utf8)).decoded(as: Entry.self) }
                }
            }

            func count(_ event: String) throws -> Int { try entries.count { $0.e == event } }

            func waitFor(_ event: String, times: Int = 1, within seconds: Double = 8) throws {
                try shell.wait("\(event) at the app", within: seconds) { try count(event) >= times }
            }

            /// Returns when the shell has handled it.
            func tell(_ command: String) throws {
                let before = try count("did")
                let pipe = try #require(FileHandle(forWritingAtPath: "\(files).commands"))
                try pipe.write(contentsOf: Data("\(command)\n".utf8))
                try pipe.close()
                try waitFor("did", times: before + 1)
            }

            func kill() throws {
                Glibc.kill(try #require(window.pid), SIGKILL)
                try shell.waitUntilGone(window.id)
            }
        }

        private func life(_ window: WindowReport, _ shell: ShellUnderTest) throws -> LifeReport.App {
            let report = try shell.client.ask(.get(.life), for: LifeReport.self)
            return try #require(report.apps.first { $0.windows.contains(window.id) })
        }

        private func waitFor(_ phase: AppPhase, of window: WindowReport, _ shell: ShellUnderTest, within seconds: Double = 5) throws {
            try shell.wait("\(phase)", within: seconds) { try life(window, shell).phase == phase }
        }

        @Test("S-04, S-13, W-20: an app is asked for its state as it goes out of sight, and has it back for its first frame after kill -9")
        func restored() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let app = try LifeApp(shell, "--text", "a draft")
                #expect(try app.entries.prefix(2).map(\.e) == ["fresh", "configure"])
                #expect(try app.count("save") == 0)
                try shell.perform(.home)
                try app.waitFor("gave")
                try waitFor(.frozen, of: app.window, shell)
                try app.kill()

                let again = try LifeApp(shell)
                let first = try again.entries.prefix(2)
                #expect(first.map(\.e) == ["restore", "configure"])
                #expect(first.first?.text == "a draft" && first.first?.size == 7 && first.first?.writable == false)
                // Another window of the app has a state of its own, and so has another app.
                let other = try LifeApp(shell, "--name", "other"), stranger = try LifeApp(shell, "--app-id", "test.stranger")
                #expect(try other.count("fresh") == 1 && stranger.count("fresh") == 1)
                // While one process has the state, another one of the same name begins anew.
                let twin = try LifeApp(shell)
                #expect(try twin.count("fresh") == 1)
                shell.expectAlive()
            }
        }

        @Test("S-04: an app that says what changed survives its end in the midst of work")
        func changed() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let app = try LifeApp(shell)
                try app.tell("text half a sentence")
                try app.tell("changed")
                try app.waitFor("gave")
                // A round trip: what a dead client's socket still holds is not read.
                try app.tell("text never given")
                try app.kill()
                let again = try LifeApp(shell)
                #expect(try again.entries.first?.text == "half a sentence")
                // Nothing to keep: what was kept is forgotten.
                try again.tell("answer no")
                try again.tell("changed")
                try again.waitFor("gave")
                try again.tell("text never given")
                try again.kill()
                #expect(try LifeApp(shell).count("fresh") == 1)
            }
        }

        @Test("an app that does not answer is frozen without its state; an answer that comes late is kept")
        func late() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let silent = try LifeApp(shell, "--answer", "never", "--app-id", "test.silent")
                try shell.perform(.home)
                try waitFor(.saving, of: silent.window, shell)
                try waitFor(.frozen, of: silent.window, shell, within: 8)
                #expect(try silent.count("gave") == 0)
                try silent.kill()
                #expect(try LifeApp(shell, "--app-id", "test.silent").count("fresh") == 1)

                let slow = try LifeApp(shell, "--answer", "never", "--app-id", "test.slow", "--text", "late")
                try shell.client.perform(.keepRunning(app: "test.slow", true))
                try shell.perform(.home)
                try slow.waitFor("save")
                usleep(2_300_000)
                try slow.tell("submit")
                try slow.kill()
                #expect(try LifeApp(shell, "--app-id", "test.slow").entries.first?.text == "late")
                shell.expectAlive()
            }
        }

        @Test("phases: active, inactive, background; and how long it was frozen")
        func phases() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let app = try LifeApp(shell)
                try shell.perform(.home)
                try waitFor(.frozen, of: app.window, shell)
                usleep(300_000)
                try shell.perform(.focus(window: app.window.id))
                try app.waitFor("resumed")
                try shell.wait("the phase") { try app.entries.last { $0.e == "phase" }?.phase == 0 }
                let told = try app.entries.filter { $0.e == "phase" }.compactMap(\.phase)
                #expect(told.first == 0 && told.last == 0 && told.contains(2), "\(told)")
                let resumed = try #require(try app.entries.last { $0.e == "resumed" }?.ms)
                #expect(resumed > 250 && resumed < 60_000)
            }
        }

        @Test("S-06: a task keeps a hidden app awake until it ends, and is shown with its progress; a person can end it")
        func task() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let app = try LifeApp(shell)
                try app.tell("task Export of a film")
                try shell.perform(.home)
                usleep(800_000)
                try app.tell("progress 0.25")
                var running = try life(app.window, shell)
                #expect(running.phase == .background && running.reasons.map(\.name) == ["Export of a film"])
                #expect(running.reasons.first?.progress == 0.25)
                try app.tell("end")
                try waitFor(.frozen, of: app.window, shell)

                try shell.perform(.focus(window: app.window.id))
                try app.tell("task Another one")
                try shell.perform(.home)
                usleep(800_000)
                running = try life(app.window, shell)
                let number = try #require(running.reasons.first?.task)
                try shell.client.perform(.endTask(number))
                try app.waitFor("expired")
                try waitFor(.frozen, of: app.window, shell)
                #expect(try app.count("expires") == 0)
            }
        }

        @Test("S-06: a task that gets no further expires after half a minute, and its app is told five seconds before")
        func expiry() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let app = try LifeApp(shell)
                try app.tell("task Export")
                try shell.perform(.home)
                try app.waitFor("expires", within: 30)
                let warned = try #require(try app.entries.first { $0.e == "expires" })
                #expect(warned.ms.map { (4900...5000).contains($0) } ?? false)
                try app.waitFor("expired", within: 8)
                let expired = try #require(try app.entries.first { $0.e == "expired" })
                #expect((4500...6500).contains(expired.t - warned.t))
                try waitFor(.frozen, of: app.window, shell)
            }
        }

        @Test("what no client may do ends it with an error that says what is wrong; what it may do is harmless")
        func abuse() throws {
            try ShellUnderTest.with { shell in
                let file = "mullion_window_state_v1 1", name = "mullion_life_manager_v1 0"
                let expected = [
                    "too-large": "mullion_window_state_v1 0", "lying-size": file, "shrunk-file": file, "pipe-for-file": file,
                    "device-for-file": file, "folder-for-file": file, "unreadable-file": file, "empty-name": name, "long-name": name,
                    "name-twice": "mullion_life_manager_v1 1", "no-toplevel": "wl_display 1", "unknown-toplevel": "wl_display 1",
                    "too-many-states": "wl_display 3", "empty-task": "mullion_app_life_v1 0", "long-task": "mullion_app_life_v1 0",
                    "too-much-progress": "mullion_background_task_v1 0", "negative-progress": "mullion_background_task_v1 0",
                ]
                #expect(Set(try #require(try shell.script("life.py", "abuse", "--list").ways)) == Set(expected.keys))
                for (way, code) in expected {
                    let answer = try shell.script("life.py", "abuse", way)
                    #expect(answer.code == code, "\(way): \(String(describing: answer.error))")
                    if way == "too-large" {
                        #expect(answer.error?.last == .string("the state has 1048577 bytes, and at most 1048576 are kept"))
                    }
                }
                let harmless = try shell.script("life.py", "harmless")
                #expect(harmless.ended == false, "\(String(describing: harmless.error))")
                #expect(harmless.steps?["expired"] == .array([.string("early"), .string("many")]))
                shell.expectAlive()
            }
        }

        @Test(
            "S-06: `mullion task` lets a command in a hidden terminal finish, with its progress and its exit status; then the terminal is frozen"
        )
        func command() throws {
            try ShellUnderTest.with(config: quick, environment: ownBus) { shell in
                let work = "for i in 10 40 80 100; do echo \"$i% of it\"; sleep 1.5; done; exit 3"
                let line = try
                    "'\(shell.program)' task --name Build --progress -- sh -c '\(work)' >\(shell.room)/out 2>\(shell.room)/err; echo $? >\(shell.room)/status; sleep 1000"
                let terminal = try shell.open("foot", of: "foot", ["-e", "sh", "-c", line])
                try shell.wait("the task, and no \(shell.text(of: "\(shell.room)/err"))") {
                    try life(terminal, shell).reasons.first?.name == "Build"
                }
                try shell.perform(.home)
                try shell.wait("its progress", within: 8) { (try life(terminal, shell).reasons.first?.progress ?? 0) >= 0.4 }
                #expect(try life(terminal, shell).phase == .background)
                try shell.wait("its end", within: 10) { shell.text(of: "\(shell.room)/status") == "3\n" }
                #expect(shell.text(of: "\(shell.room)/out") == "10% of it\n40% of it\n80% of it\n100% of it\n")
                try waitFor(.frozen, of: terminal, shell)
            }
        }

        @Test("`mullion task` runs the command also without a shell, and says so; its exit status is the command's")
        func commandAlone() throws {
            try ShellUnderTest.with { shell in
                for (words, status, says) in [
                    (["sh", "-c", "echo done; exit 7"], Int32(7), "done\n"), (["sh", "-c", "kill -9 $$"], 137, "without a task"),
                    (["no-such-program"], 127, "No such file or directory"), (["/"], 126, "Permission denied"),
                ] {
                    let (ended, output) = try shell.run([shell.program, "task", "--name", "Work", "--"] + words)
                    #expect(ended == status && output.contains(says), "\(words): \(ended) \(output)")
                    if status == 7 { #expect(output.contains("mullion task: ") && output.contains("the command runs without a task")) }
                }
                #expect(try shell.run([shell.program, "task"]).output.contains("The command is missing."))
                #expect(try shell.run([shell.program, "task", "--name", "", "--", "true"]).output.contains("must have 1 to 256"))
                shell.expectAlive()
            }
        }

        private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Examples").path

        /// An app of Examples that says what happens on its standard output, and takes lines on its standard input.
        private struct Example {
            let shell: ShellUnderTest
            let name: String
            let window: WindowReport

            init(_ shell: ShellUnderTest, _ name: String, _ arguments: String = "") throws {
                self.shell = shell
                self.name = name
                let program = "\(LifeApiTests.examples)/.build/debug/mullion-\(name)", room = shell.room
                try #require(FileManager.default.isExecutableFile(atPath: program), "make examples builds it")
                window = try shell.open([
                    "sh", "-c",
                    "rm -f \(room)/\(name).in; mkfifo \(room)/\(name).in; exec 3<>\(room)/\(name).in; "
                        + "exec '\(program)' \(arguments) <&3 >\(room)/\(name).out 2>&1",
                ])
            }

            func tell(_ line: String) throws {
                let pipe = try #require(FileHandle(forWritingAtPath: "\(shell.room)/\(name).in"))
                try pipe.write(contentsOf: Data("\(line)\n".utf8))
                try pipe.close()
            }

            func says(_ text: String, within seconds: Double = 10) throws {
                let file = "\(shell.room)/\(name).out"
                try shell.wait("\"\(text)\" from \(name), which said \(shell.text(of: file))", within: seconds) {
                    ("\n" + shell.text(of: file)).contains("\n\(text)\n")
                }
            }

            func kill() throws {
                Glibc.kill(try #require(window.pid), SIGKILL)
                try shell.waitUntilGone(window.id)
            }
        }

        /// The shell's service is on the bus.
        private func waitForService(_ shell: ShellUnderTest) throws {
            let address = "unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
            try shell.wait("the service", within: 20) {
                try shell.run([
                    "gdbus", "call", "--address", address, "--dest", "org.freedesktop.DBus", "--object-path", "/",
                    "--method", "org.freedesktop.DBus.GetNameOwner", "org.mullion.Life1",
                ]).status == 0
            }
        }

        @Test("W-20: the notes example has its text, cursor and scroll place again after kill -9")
        func notes() throws {
            try ShellUnderTest.with(config: quick, environment: ownBus) { shell in
                try waitForService(shell)
                let notes = try Example(shell, "notes")
                try notes.says("fresh")
                for line in 1...60 { try notes.tell("type line \(line)") }
                try notes.tell("text")
                try shell.wait("the last line") { shell.text(of: "\(shell.room)/notes.out").contains("line 60\n") }
                func places() -> [Substring] {
                    shell.text(of: "\(shell.room)/notes.out").split(separator: "\n").filter { $0.hasPrefix("scroll ") }
                }
                // GTK scrolls bit by bit.
                try shell.wait("its rest", within: 10) {
                    try notes.tell("scroll")
                    usleep(300_000)
                    return places().count > 2 && places().suffix(3).allSatisfy { $0 == places().last }
                }
                let place = try #require(places().last)
                try notes.says("saved 471 471")
                // What it shows is asked for again as it goes out of sight.
                try shell.perform(.home)
                try waitFor(.frozen, of: notes.window, shell)
                try notes.kill()
                let again = try Example(shell, "notes")
                try again.says("restored 471 471")
                #expect(place != "scroll 0")
                try shell.wait("its place, \(place)", within: 10) {
                    try again.tell("scroll")
                    usleep(200_000)
                    return places().last == place
                }
            }
        }

        @Test("S-06: the exporter example finishes out of sight, and is frozen then")
        func exporter() throws {
            try ShellUnderTest.with(config: quick, environment: ownBus) { shell in
                try waitForService(shell)
                let exporter = try Example(shell, "exporter", "4")
                try exporter.says("phase active")
                try exporter.tell("export")
                try exporter.says("begun")
                try shell.perform(.home)
                try exporter.says("phase background")
                try exporter.says("progress 75")
                #expect(try life(exporter.window, shell).reasons.map(\.name) == ["Holiday.mov"])
                try exporter.says("done")
                try waitFor(.frozen, of: exporter.window, shell)
                try shell.perform(.focus(window: exporter.window.id))
                try exporter.says("phase active")
                try shell.wait("how long it was frozen") { shell.text(of: "\(shell.room)/exporter.out").contains("frozen for ") }
            }
        }

        @Test("S-04: the example in C counts on where it was, and the one in Python too")
        func otherExamples() throws {
            try ShellUnderTest.with(config: quick, environment: ownBus) { shell in
                let counter = try Example(shell, "life-c", "task")
                try counter.says("fresh 0")
                for _ in 0..<3 { try shell.tap(Point(500, 400)) }
                try counter.says("count 3")
                try shell.perform(.home)
                try counter.says("saved 3")
                try shell.wait("its task") { try life(counter.window, shell).reasons.map(\.name) == ["Counting"] }
                try counter.kill()
                try Example(shell, "life-c").says("restored 3")

                try waitForService(shell)
                func begin() throws -> WindowReport {
                    let out = "\(shell.room)/python.out"
                    return try shell.open(
                        "foot", of: "foot", ["-e", "sh", "-c", "/usr/bin/python3 '\(Self.examples)/life.py' 30 >>\(out) 2>&1"])
                }
                let terminal = try begin(), out = "\(shell.room)/python.out"
                // On a busy machine its first phase may be the one before the terminal is active.
                try shell.wait("it begins", within: 10) {
                    let lines = shell.text(of: out).split(separator: "\n")
                    return lines.contains("begins at 0") && (lines.contains("phase active") || lines.contains("PhaseChanged active"))
                }
                // Its window comes later than what runs in it, and so does its task.
                try shell.wait("its task") { try life(terminal, shell).reasons.map(\.name) == ["Counting to 30"] }
                try shell.perform(.home)
                usleep(4_000_000)
                #expect(try life(terminal, shell).reasons.map(\.name) == ["Counting to 30"])
                kill(try #require(terminal.pid), SIGKILL)
                try shell.waitUntilGone(terminal.id)
                _ = try begin()
                try shell.wait("it goes on: \(shell.text(of: out))", within: 10) {
                    shell.text(of: out).components(separatedBy: "begins at ").count == 3
                }
                let count = shell.text(of: out).components(separatedBy: "begins at ").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                #expect((2...8).contains(count))
            }
        }

        @Test("S-04, S-06: tasks, state and phases over the session bus, from Python; every bad call is refused in words")
        func bus() throws {
            try ShellUnderTest.with(config: quick, environment: ownBus) { shell in
                let script = "\(TestClient.folder)/life_bus.py", out = "\(shell.room)/bus.out"
                func start() throws -> WindowReport {
                    try? FileManager.default.removeItem(atPath: out)
                    return try shell.open("foot", of: "foot", ["-e", "sh", "-c", "/usr/bin/python3 -W ignore \(script) >\(out) 2>&1"])
                }
                func says(_ text: String, within seconds: Double = 15) throws {
                    try shell.wait("\"\(text)\" from the client, which said \(shell.text(of: out))", within: seconds) {
                        shell.text(of: out).contains(text)
                    }
                }
                let first = try start()
                try says("\nready\n")
                let said = shell.text(of: out)
                for line in [
                    "phase active", "task 1", "offered 1 ''", "empty name: BadParameter the name is empty",
                    "long name: BadParameter the name has 300 bytes, and may have 256",
                    "progress: BadParameter the progress is 2.0, and goes from 0 to 1",
                    "not a number: BadParameter", "unknown task: Unknown this program has no task 77",
                    "unknown state: Unknown this program has no state 77",
                    "again: NameInUse this program offers state under the name \"main\" already",
                    "too large: TooLarge the state has 1048577 bytes, and at most 1048576 are kept", "another's task: Unknown",
                    "tasks: 15, then TooMany an app can have 16 background tasks", "states: 63, then TooMany a program can offer 64 states",
                ] { #expect(said.contains(line), "\(line): \(said)") }
                try shell.perform(.home)
                try says("signal SaveState")
                try says("signal PhaseChanged background")
                // It holds a task.
                usleep(700_000)
                #expect(try life(first, shell).phase == .background)
                #expect(try life(first, shell).reasons.map(\.name) == ["Export"])
                let client = try #require(Int32(said.split(separator: "\n").first { $0.hasPrefix("process ") }?.dropFirst(8) ?? ""))
                kill(client, SIGKILL)
                try shell.waitUntilGone(first.id)
                _ = try start()
                try says("offered 65 'kept over the bus'")
                shell.expectAlive()
            }
        }
    }
}
