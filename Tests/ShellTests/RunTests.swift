import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// From start to end: what the shell does when nothing happens, and what it leaves behind.
    @Suite(.serialized) struct RunTests {
        /// At rest: nothing is drawn, the process does not wake up, and hidden windows get no frame callbacks.
        @Test func idle() throws {
            try ShellUnderTest.with(showsInstalledApps: true) { shell in
                let hidden = try TestClient(shell, ["--animate"])
                try shell.open("gtk4-demo", of: "gtk-4-examples")
                let still = try TestClient(shell)
                // Windows in sight are pictured once, five seconds after the last act (W-20).
                usleep(5_500_000)
                // One more turn for what was in progress.
                _ = try hidden.mark()
                try shell.wait("the last frames") {
                    let before = try shell.statistics().framesDrawn
                    usleep(200_000)
                    return try shell.statistics().framesDrawn == before
                }
                let mark = try hidden.mark()
                let before = try shell.statistics(), woken = try wakeups(of: shell)
                #expect(throws: ControlError.self) {
                    try shell.client.ask(.wait(WaitRequest(until: .gone(window: still.id), timeout: 3000)))
                }
                let after = try shell.statistics()
                #expect(after.framesDrawn == before.framesDrawn)
                #expect(after.frameCallbacks == before.frameCallbacks)
                #expect(after.events == before.events)
                let work = Double(after.cpuNanoseconds - before.cpuNanoseconds) / 3e6
                #expect(work < 5, "\(work) ms of work in a second, in a debug build")
                #expect(try wakeups(of: shell) < woken + 15, "only the questions of this test wake it")
                #expect(try hidden.events(since: mark, "client.frame").isEmpty)

                // When shown again, it continues at once.
                try shell.perform(.focus(window: hidden.id))
                try hidden.waitFor("client.frame", since: mark)
                try hidden.tell("still")
            }
        }

        /// How often it has gone to sleep so far.
        private func wakeups(of shell: ShellUnderTest) throws -> Int {
            let lines = shell.text(of: "/proc/\(shell.process)/status").split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("voluntary_ctxt_switches:") })
            return try #require(Int(line.split(separator: "\t").last ?? ""))
        }

        /// SIGTERM ends it properly: status 0, no clients, no sockets.
        @Test(arguments: [SIGTERM, SIGINT]) func teardown(number: Int32) throws {
            let shell = try ShellUnderTest(showsInstalledApps: true)
            defer { shell.clear() }
            let a = try TestClient(shell), b = try TestClient(shell, to: .slideOver)
            let app = try shell.open("foot", of: "foot", to: .pictureInPicture)
            try shell.open("xterm", of: "xterm", to: .splitView(.right))
            try shell.down(Point(590, 400))
            if getuid() == 0 { #expect(shell.log.contains("running as root")) }
            kill(shell.process, number)
            try shell.wait("the end", within: 10) { shell.ending != nil }
            #expect(shell.ending == "the shell ended with status 0", "\(shell.log.suffix(2000))")
            for process in [a.process, b.process, try #require(app.pid)] {
                try shell.wait("process \(process) to go") { kill(process, 0) != 0 }
            }
            for path in [ShellUnderTest.socket, "\(ShellUnderTest.socket).lock", "mullion-\(ShellUnderTest.socket)/control.sock"] {
                #expect(access("\(shell.runtime)/\(path)", F_OK) != 0, "\(path) is left behind")
            }
        }

        /// A killed shell leaves its sockets behind; the next one takes them over.
        @Test func afterAKill() throws {
            let first = try ShellUnderTest()
            defer { first.clear() }
            let program = try first.program
            _ = try TestClient(first)
            kill(first.process, SIGKILL)
            try first.wait("the end") { first.ending != nil }
            #expect(access(first.controlPath, F_OK) == 0)
            let again = try first.start([
                program, "run", "--headless", "--remote-view", "off",
                "--socket", ShellUnderTest.socket, "--config", first.configPath,
            ])
            try first.wait("the second one", within: 10) { (try? ControlClient(path: first.controlPath).state()) != nil }
            try ControlClient(path: first.controlPath).ask(.quit)
            try first.wait("its end") { kill(again.process, 0) != 0 || first.text(of: again.output).contains("ending") }
        }
    }
}
