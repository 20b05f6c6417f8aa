import Control
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing
import Windows

extension RunningShell {
    /// Apps in the background are frozen, and come back as they were (S-03, S-06, S-08).
    @Suite(.serialized) struct LifeTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"
        /// A terminal whose program never rests.
        private let busy = ["sh", "-c", "trap '' TERM; while :; do :; done"]

        /// Ticks of the processor's clock that the app and all that it started have used.
        private func work(of app: LifeReport.App) -> UInt64 {
            ([app.process] + ProcessTree.descendants(of: app.process)).reduce(0) { $0 + (ProcessTree.record(of: $1)?.work ?? 0) }
        }

        @Test("an app in the background uses no processor, and goes on when it is shown")
        func frozen_S03_S08() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let terminal = try shell.open("foot", of: "foot", ["-e"] + busy)
                let running = try shell.app(of: terminal)
                #expect(running.phase == .active && running.reasons.isEmpty)
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                let before = work(of: running)
                usleep(600_000)
                #expect(work(of: running) == before)
                try shell.perform(.focus(window: terminal.id))
                #expect(try shell.app(of: terminal).phase == .active)
                try shell.wait("its work") { work(of: running) > before + 3 }
                shell.expectAlive()
            }
        }

        @Test("an app that the person keeps is not frozen, and its reason is shown")
        func kept_S06() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let terminal = try shell.open("foot", of: "foot", ["-e"] + busy)
                try shell.client.perform(.keepRunning(app: "foot", true))
                try shell.perform(.home)
                usleep(800_000)
                let kept = try shell.app(of: terminal)
                #expect(kept.phase == .background && kept.reasons.map(\.kind) == ["kept"])
                try shell.client.perform(.keepRunning(app: "foot", false))
                try shell.waitForPhase(.frozen, of: terminal)
                #expect(try shell.run([shell.program, "ctl", "life"]).output.contains("foot (\(kept.process)): frozen"))
            }
        }

        @Test("a frozen app that is closed from the app switcher ends in order")
        func closed_S03() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let terminal = try shell.open("foot", of: "foot")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                try shell.perform(.appSwitcher)
                try shell.client.perform(.close(window: terminal.id))
                try shell.wait("the end") { try shell.state().windows.isEmpty }
            }
        }

        @Test("S-04, W-20: an app that is killed in its grace, long before it is frozen, is there when it is shown; one that exits is not")
        func killedWhileItRuns_S04() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n[life]\ngrace = 60\n") { shell in
                let exits = try shell.open("foot", of: "foot", ["-e", "sh", "-c", "sleep 2"])
                let terminal = try shell.open("foot", of: "foot", ["--title", "kept"])
                try shell.perform(.home)
                kill(try #require(terminal.pid), SIGKILL)
                try shell.wait("its place to be kept") {
                    try shell.state().windows.contains { $0.title == "kept" && $0.placeholder == true }
                }
                try shell.waitUntilGone(exits.id)
                let left = try shell.state().windows
                #expect(left.count == 1, "\(left.map(\.title))")
                let window = try #require(left.first).id
                let waiting = try shell.client.ask(.get(.life), for: LifeReport.self).placeholders
                #expect(
                    waiting.map(\.window) == [window] && waiting[0].app == "foot" && waiting[0].title == "kept"
                        && waiting[0].state == .waits)
                #expect(
                    try shell.run([shell.program, "ctl", "life"]).output
                        == "foot (window \(window.raw)): is started again when it is shown\n")
                #expect(try shell.run([shell.program, "ctl", "life", "--json"]).output.contains("\"state\":\"waits\""))
                try shell.perform(.focus(window: try #require(left.first).id))
                try shell.wait("its program", within: 8) {
                    try shell.state().windows.contains { $0.title == "kept" && $0.placeholder != true && $0.place == .full }
                }
            }
        }

        /// Nobody else is left to thaw them.
        @Test("when the shell is killed, no app stays frozen")
        func thawed_S06() throws {
            let shell = try ShellUnderTest(config: quick)
            defer { shell.clear() }
            // It runs on without its window.
            let terminal = try shell.open("foot", of: "foot", ["-e"] + busy)
            try shell.perform(.home)
            try shell.waitForPhase(.frozen, of: terminal)
            let head = try shell.app(of: terminal).process
            let loop = try #require(ProcessTree.descendants(of: head).last)
            let before = try #require(ProcessTree.record(of: loop)).work
            #expect(AppIdentity.isFrozen(process: loop))
            kill(shell.process, SIGKILL)
            try shell.wait("the guard", within: 5) { !AppIdentity.isFrozen(process: loop) }
            try shell.wait("its work", within: 5) { ProcessTree.record(of: loop).map { $0.work > before } ?? true }
            kill(loop, SIGKILL)
        }
    }
}
