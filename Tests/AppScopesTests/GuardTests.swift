import Glibc
import MullionTesting
import Testing

@testable import AppScopes
@testable import Processes

/// The process that lets all apps go on when the shell is gone (S-06).
extension ScopeTests {
    @Suite struct GuardTests {
        @Test(arguments: Means.here) func theGuardThawsWhenTheShellIsGone(means: ScopeMeans) throws { // S-06
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app)
            let lines = try #require(rig.scopes.scopes[app]).guarded.map { "+ \($0)\n" }.joined()
            #expect(!lines.isEmpty)

            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let process = try rig.launcher.launch(Rig.guardCommand, environment: [:], channel: ends[0])
            close(ends[0])
            #expect(write(ends[1], lines, lines.utf8.count) == lines.utf8.count)
            // Nothing ends it before the shell goes, whatever ends a session. It ignores them from its start on.
            #expect(eventually { ignores(process, SIGTERM) })
            for number in [SIGTERM, SIGINT, SIGHUP] { kill(process, number) }
            usleep(50_000)
            let before = work(all)
            #expect(isAlive(process) && AppIdentity.isFrozen(process: app))
            close(ends[1])
            #expect(eventually { work(all) > before + 5 })
            #expect(eventually { rig.launcher.drain().contains { $0.pid == process && $0.reason == .exited(0) } })
            // Everything of it goes on, not one process of it.
            for each in all { #expect(!AppIdentity.isFrozen(process: each)) }
        }

        @Test(arguments: Means.here) func theGuardIsStartedByTheFirstFreeze(means: ScopeMeans) throws {
            let rig = try Rig(means, guarded: true)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.scopes.guardProcess == nil)
            #expect(rig.freeze(app))
            let process = try #require(rig.scopes.guardProcess)
            #expect(eventually { ignores(process, SIGTERM) })
            // In a session of its own, and in no group that is frozen.
            #expect(ProcessTree.record(of: process)?.session == process)
            #expect(ControlGroups.folder(of: process, .unified) == ControlGroups.folder(of: nil, .unified))
            #expect(!rig.scopes.processes(in: app).contains(process))
            // What goes on is not listed any more: a guard that has nothing to do does nothing.
            let all = rig.scopes.processes(in: app)
            #expect(rig.thaw(app) != nil && rig.freeze(app))
            let before = work(all)
            rig.scopes.guardLink.stop()
            #expect(eventually { work(all) > before + 5 })
            #expect(!isAlive(process))
        }

        @Test(arguments: Means.here) func aGuardThatEndsIsReplaced(means: ScopeMeans) throws {
            let rig = try Rig(means, guarded: true)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let first = try #require(rig.scopes.guardProcess)
            kill(first, SIGKILL)
            rig.turn(seconds: 5) { rig.scopes.guardProcess.map { $0 != first } ?? false }
            let second = try #require(rig.scopes.guardProcess)
            #expect(second != first && !isAlive(first) && isAlive(second))
            let all = rig.scopes.processes(in: app), before = work(all)
            // It was told everything anew.
            rig.scopes.guardLink.stop()
            #expect(eventually { work(all) > before + 5 })
        }

        /// A process in the shell's place, with scopes and a guard of its own, freezes an app and is killed.
        @Test(arguments: Means.here) func aShellThatIsKilledLeavesNothingFrozen(means: ScopeMeans) throws { // S-06
            let launcher = try Launcher()
            defer { launcher.endAll(patience: 0) }
            let app = try launcher.launch(["/bin/sh", "-c", Script.busy], environment: [:])
            try #require(eventually { ProcessTree.descendants(of: app).count == Script.busyCount - 1 })
            let all = [app] + ProcessTree.descendants(of: app)
            let shell = try launcher.launch(
                [OwnProgram.path, "--testing-library", "swift-testing", "--filter", "theShellThatIsKilled"],
                environment: [
                    "PATH": "/usr/bin:/bin", Self.appVariable: "\(app)", ScopeMeans.variable: means.rawValue,
                    "MULLION_BINARY": Rig.guardCommand[0],
                ])
            try #require(eventually(seconds: 20) { AppIdentity.isFrozen(process: app) })
            #expect(eventually(seconds: 20) { launcher.drain().contains { $0.pid == shell && $0.reason == .signalled(SIGKILL) } })
            let before = work(all)
            #expect(eventually { work(all) > before + 5 })
            #expect(eventually { all.allSatisfy { !AppIdentity.isFrozen(process: $0) } })
            all.forEach { kill($0, SIGKILL) }
            #expect(eventually { all.allSatisfy { !isAlive($0) } })
            // The next shell of that name removes what the killed one could not.
            if let kind = means.kind, let folder = Machine.look(environment: [:]).folders[kind] {
                _ = try Rig(means, session: "killed-\(app)")
                #expect(access("\(folder)/\(ScopeName.folder(session: "killed-\(app)"))", F_OK) != 0)
            }
        }

        private static let appVariable = "MULLION_TEST_FROZEN_APP"

        @Test(.enabled(if: getenv(appVariable) != nil, "it runs in the process that another test kills"))
        func theShellThatIsKilled() throws {
            let app = try #require(getenv(Self.appVariable).flatMap { Int32(String(cString: $0)) })
            let means = try #require(getenv(ScopeMeans.variable).flatMap { ScopeMeans(rawValue: String(cString: $0)) })
            let rig = try Rig(means, session: "killed-\(app)", guarded: true)
            rig.adopt(app)
            #expect(rig.wait { $0 == .adopted(app, means) })
            #expect(rig.freeze(app))
            rig.turn(seconds: 0.2)
            kill(getpid(), SIGKILL)
        }

        @Test func anotherProcessOfTheSameNumberIsLeftAlone() throws {
            let launcher = try Launcher()
            let process = try launcher.launch(["/bin/sleep", "100"], environment: [:])
            kill(process, SIGSTOP)
            try #require(eventually { ProcessTree.record(of: process)?.isStopped == true })
            let start = try #require(ProcessTree.record(of: process)).start
            var list = ThawList()
            list.take("+ \(process)@\(start + 1)")
            list.thaw()
            usleep(20_000)
            #expect(ProcessTree.record(of: process)?.isStopped == true)
            list.take("+ \(process)@\(start)")
            list.thaw()
            #expect(eventually { ProcessTree.record(of: process)?.isStopped == false })
            launcher.endAll(patience: 0)
        }

        @Test func withoutAGuardNothingIsStarted() throws {
            let rig = try Rig(.processes)
            let app = try rig.startScope("sleep 100")
            #expect(rig.freeze(app))
            #expect(rig.scopes.guardProcess == nil)
        }

        private func ignores(_ process: Int32, _ number: Int32) -> Bool {
            let text = readSmallFile("/proc/\(process)/status") ?? ""
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("SigIgn:") }),
                let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16)
            else { return false }
            return mask & (1 << UInt64(number - 1)) != 0
        }
    }
}
