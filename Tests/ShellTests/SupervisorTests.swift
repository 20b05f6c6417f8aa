import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Processes
import Testing
import Windows

extension RunningShell {
    /// The shell is started again after a crash (W-20).
    @Suite(.serialized) struct SupervisorTests {
        private struct Pair {
            let launcher: Launcher
            let supervisor: Int32
            let room: String
            let environment: [String: String]

            func control() throws -> ControlClient { try ControlClient(finding: "\(room)/run/mullion-wayland-crash/control.sock") }
        }

        /// `before`: the words of a program that runs the supervisor. `{room}` stands for the folder.
        private func with(before: [String] = [], options: [String] = [], _ body: (Pair, ShellUnderTest) throws -> Void) throws {
            // It gives the program, an environment and a folder.
            try ShellUnderTest.with { outer in
                let room = "\(outer.room)/crash"
                for folder in ["run", "state"] {
                    try FileManager.default.createDirectory(atPath: "\(room)/\(folder)", withIntermediateDirectories: true)
                }
                chmod("\(room)/run", 0o700)
                var environment = outer.environment
                environment["XDG_RUNTIME_DIR"] = "\(room)/run"
                environment["XDG_STATE_HOME"] = "\(room)/state"
                let launcher = try Launcher()
                defer { launcher.endAll(patience: 2000) }
                let supervisor = try launcher.launch(
                    before.map { $0.replacing("{room}", with: room) } + [
                        outer.program, "run", "--headless", "--remote-view", "off", "--audio", "off", "--socket", "wayland-crash",
                        "--config", outer.configPath,
                    ] + options,
                    environment: environment, log: "\(room)/log")
                try body(Pair(launcher: launcher, supervisor: supervisor, room: room, environment: environment), outer)
            }
        }

        private func shell(_ pair: Pair, _ outer: ShellUnderTest, not old: Int32 = 0) throws -> ControlClient {
            var client: ControlClient?
            try outer.wait("the shell", within: 10) {
                guard let found = try? pair.control(), let version = try? found.ask(.get(.version), for: VersionReport.self),
                    version.process != old
                else { return false }
                client = found
                return true
            }
            return try #require(client)
        }

        @Test("kill -9 of the shell: it starts again on the same socket, and its windows come back")
        func restarts_W20() throws {
            try with { pair, outer in
                let first = try shell(pair, outer)
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                #expect(process != pair.supervisor && ProcessTree.ancestors(of: process).contains(pair.supervisor))
                try first.perform(.launch(command: ["foot", "--title", "kept"]))
                _ = try first.waitForWindow(title: "kept", timeout: 20_000)
                try first.waitUntilKept()
                var status = stat()
                #expect(stat("\(pair.room)/run/wayland-crash", &status) == 0)
                let inode = status.st_ino
                kill(process, SIGKILL)
                let second = try shell(pair, outer, not: process)
                _ = try second.waitForWindow(title: "kept", timeout: 20_000)
                #expect(stat("\(pair.room)/run/wayland-crash", &status) == 0 && status.st_ino == inode)
                #expect(outer.text(of: "\(pair.room)/log").contains("the shell was ended by signal 9; it starts again"))
                try? second.perform(.quit)
                try outer.wait("the end") { pair.launcher.drain().contains { $0.pid == pair.supervisor && $0.reason == .exited(0) } }
                #expect(stat("\(pair.room)/run/wayland-crash", &status) != 0)
            }
        }

        @Test(
            "W-19, W-20: kill -9 in the moment of a tap loses no launch, and shows its window once, in front",
            arguments: ["launch.starts", "launch.started"])
        func startsWhatWasAsked(step: String) throws {
            // The second program is the one that the kill meets; the next shell starts only that one.
            try with(before: ["env", "MULLION_FAULT=\(step):2"]) { pair, outer in
                let first = try shell(pair, outer)
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                try first.perform(.launch(command: ["foot", "--title", "before"]))
                _ = try first.waitForWindow(title: "before", timeout: 20_000)
                try first.waitUntilKept()
                try? first.perform(.launch(command: ["foot", "--title", "asked"]))
                let second = try shell(pair, outer, not: process)
                let asked = try second.waitForWindow(title: "asked", timeout: 20_000)
                usleep(1_500_000)
                // The other one waits as a picture where it is not in sight.
                let state = try second.state()
                #expect(state.windows.map(\.title).sorted() == ["asked", "before"] && state.waiting.isEmpty && state.focus == asked.id)
                try? second.perform(.quit)
            }
        }

        @Test("kill -9 of a shell with --idiom: it comes back in the idiom that was in use")
        func idiom_W20() throws {
            try with(options: ["--idiom", "mac"]) { pair, outer in
                let first = try shell(pair, outer)
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                #expect(try first.state().idiom == "mac")
                try first.perform(.idiom("pad"))
                usleep(1_200_000)
                kill(process, SIGKILL)
                let second = try shell(pair, outer, not: process)
                try outer.wait("the idiom") { try second.state().idiom == "pad" }
                try? second.perform(.quit)
            }
        }

        @Test("kill -9 of the shell while its session is locked: it starts again locked, and with its own lock screen")
        func startsLocked() throws {
            try with { pair, outer in
                let first = try shell(pair, outer)
                var environment = pair.environment
                environment["WAYLAND_DISPLAY"] = "wayland-crash"
                mkfifo("\(pair.room)/commands", 0o600)
                let script = "\(TestClient.folder)/locker.py"
                try pair.launcher.launch(
                    ["python3", script, "hold", "\(pair.room)/locker", "\(pair.room)/commands"], environment: environment)
                try outer.wait("the lock", within: 20) { outer.text(of: "\(pair.room)/locker").contains("ext_session_lock_v1.locked") }
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                kill(process, SIGKILL)
                let second = try shell(pair, outer, not: process)
                #expect(try second.state().locked)
                #expect(try second.ask(.get(.views), for: [ViewReport].self).contains { $0.id == "lock/open" })
            }
        }

        @Test(
            "W-20: a program that outlives the shell and connects again gets its window's place, and is not started twice; one that stays away is started again"
        )
        func reconnects() throws {
            try with { pair, outer in
                let first = try shell(pair, outer)
                func log(_ name: String) -> [Substring] { outer.text(of: "\(pair.room)/\(name)").split(separator: "\n") }
                func start(_ name: String, _ more: String...) throws {
                    let script = "\(TestClient.folder)/reconnect.py"
                    try first.perform(.launch(command: ["python3", script, "--log", "\(pair.room)/\(name)"] + more))
                    try outer.wait("the window of \(name)", within: 20) { log(name).contains("connected") }
                }
                try start("stays", "--stays-away")
                try start("returns")
                try outer.wait("both windows") { try first.state().windows.count == 2 }
                try first.perform(.splitView(window: try first.state().windows.map(\.id).min(), side: .left))
                var running = first
                // The second time, the program that returned was not started by the shell that is killed.
                for round in 2...3 {
                    try running.waitUntilKept()
                    let process = try running.ask(.get(.version), for: VersionReport.self).process
                    kill(process, SIGKILL)
                    running = try shell(pair, outer, not: process)
                    try outer.wait("its window", within: 20) { log("returns").filter { $0 == "connected" }.count == round }
                    try outer.wait("the other one, after a while", within: 20) { log("stays").filter { $0 == "connected" }.count == round }
                    #expect(log("returns").filter { $0 == "started" }.count == 1)
                    #expect(log("stays").filter { $0 == "started" }.count == round)
                    try outer.wait("both windows and no placeholder") {
                        let state = try running.state()
                        return state.windows.count == 2
                            && state.windows.allSatisfy { $0.placeholder == nil && "\($0.place)".hasPrefix("split") }
                    }
                }
                try? running.perform(.quit)
            }
        }

        @Test("W-20: a program that outlives the shell, and ends before it connects again, is started again at once")
        func endsBeforeItReconnects() throws {
            try with { pair, outer in
                let first = try shell(pair, outer)
                func log() -> [Substring] { outer.text(of: "\(pair.room)/stays").split(separator: "\n") }
                let script = "\(TestClient.folder)/reconnect.py"
                try first.perform(.launch(command: ["python3", script, "--log", "\(pair.room)/stays", "--stays-away"]))
                try outer.wait("its window", within: 20) { log().contains("connected") }
                try outer.wait("its window") { try first.state().windows.count == 1 }
                let program = try #require(try first.state().windows.first?.pid)
                try first.waitUntilKept()
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                kill(process, SIGKILL)
                let second = try shell(pair, outer, not: process)
                func waiting() throws -> [LifeReport.Waiting.State] {
                    try second.ask(.get(.life), for: LifeReport.self).placeholders.map(\.state)
                }
                try outer.wait("the placeholder") { try !waiting().isEmpty }
                let begin = ContinuousClock.now
                let before = try waiting()
                kill(program, SIGKILL)
                try outer.wait("its start") { try waiting() != [.awaited] }
                // A slow machine may be too late to see that it did not take the five seconds which a silent program has.
                let took = ContinuousClock.now - begin
                #expect(before == [.awaited] && took < .seconds(4) || took > .seconds(4.5), "\(before), \(took)")
                try outer.wait("its window", within: 20) { log().filter { $0 == "connected" }.count == 2 }
                #expect(log().filter { $0 == "started" }.count == 2)
                try outer.wait("no placeholder") { try second.state().windows.map(\.placeholder) == [nil] }
                try? second.perform(.quit)
            }
        }

        @Test("a shell that crashes again and again starts without its windows, which are set aside")
        func clean() throws {
            try with { pair, outer in
                var client = try shell(pair, outer)
                try client.perform(.launch(command: ["foot", "--title", "kept"]))
                _ = try client.waitForWindow(title: "kept", timeout: 20_000)
                try client.waitUntilKept()
                for _ in 0..<3 {
                    let process = try client.ask(.get(.version), for: VersionReport.self).process
                    kill(process, SIGKILL)
                    client = try shell(pair, outer, not: process)
                }
                // A program that the killed shell had just started may connect to this one. It waits, as nobody asked for it.
                let state = try client.state()
                #expect(
                    state.spaces.isEmpty && state.windows.allSatisfy { $0.place == .waiting && $0.placeholder == nil }, "\(state.windows)")
                #expect(outer.text(of: "\(pair.room)/log").contains("without the windows of the last session"))
            }
        }

        @Test("W-20: when the shell crashes, the console that the person sees then says so")
        func saysOnConsole() throws {
            try with(before: ["python3", "\(TestClient.folder)/console.py", "{room}/screen", "{room}/messages"]) { pair, outer in
                let first = try shell(pair, outer)
                let process = try first.ask(.get(.version), for: VersionReport.self).process
                #expect(outer.text(of: "\(pair.room)/screen").isEmpty)
                kill(process, SIGKILL)
                let second = try shell(pair, outer, not: process)
                let said = "mullion: the shell was ended by signal 9; it starts again"
                try outer.wait("the words on the console") { outer.text(of: "\(pair.room)/screen").contains(said) }
                #expect(outer.text(of: "\(pair.room)/messages").contains(said))
                try? second.perform(.quit)
            }
        }

        @Test("the shell ends in order when its supervisor is killed or told to end", arguments: [SIGKILL, SIGTERM])
        func ends(how: Int32) throws {
            try with { pair, outer in
                let process = try shell(pair, outer).ask(.get(.version), for: VersionReport.self).process
                kill(pair.supervisor, how)
                try outer.wait("the end", within: 10) { ProcessTree.record(of: process).map(\.hasEnded) ?? true }
            }
        }
    }
}
