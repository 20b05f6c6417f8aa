import Clocks
import Glibc
import MullionTesting
import Processes
import Testing

@testable import AppScopes

/// Real processes, by each means that this machine has.
extension ScopeTests {
    @Suite struct FreezeTests {
        @Test(.enabled(if: Means.has(.cgroup2), "no group of cgroup2 can be made here")) func cgroup2IsTested() {
            #expect(AppScopes.detect(environment: [ScopeMeans.variable: "cgroup2"]).means == .cgroup2)
        }

        @Test(.enabled(if: Means.has(.freezer1), "no group of cgroup1's freezer can be made here")) func freezer1IsTested() {
            #expect(AppScopes.detect(environment: [ScopeMeans.variable: "freezer1"]).means == .freezer1)
        }

        @Test(arguments: Means.here) func aFrozenAppUsesNothingAndGoesOn(means: ScopeMeans) throws { // S-08, S-06
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            try #require(eventually { work(rig.scopes.processes(in: app)) > 5 })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app)
            #expect(all.count == Script.busyCount && all.contains(app))
            let before = work(all)
            rig.turn(seconds: 0.3)
            #expect(work(all) == before)
            let seconds = try #require(rig.thaw(app))
            #expect(seconds >= 0.3 && seconds < 3)
            #expect(eventually { work(all) > before + 5 })
            #expect(rig.seen.isEmpty)
        }

        @Test(arguments: Means.here) func noChildEscapesTheFreeze(means: ScopeMeans) throws { // S-08
            let rig = try Rig(means)
            let app = try rig.startScope(Script.forking)
            for _ in 0..<15 {
                rig.turn(seconds: 0.03)
                #expect(rig.freeze(app))
                let all = Set(rig.scopes.processes(in: app)), before = work(Array(all))
                rig.turn(seconds: 0.05)
                #expect(Set(rig.scopes.processes(in: app)) == all)
                #expect(work(Array(all)) == before)
                #expect(rig.thaw(app) != nil)
            }
        }

        @Test(arguments: ["", "\0"]) func connectionsThatWaitAreSeen(prefix: String) throws { // S-06
            let name = prefix + "/tmp/mullion-waiting-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
            func open(_ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) throws -> Int32 {
                let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                let status = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(file, $0, length) }
                }
                try #require(status == 0)
                return file
            }
            func number(_ file: Int32) throws -> UInt32 {
                var found = stat()
                try #require(fstat(file, &found) == 0)
                return UInt32(truncatingIfNeeded: found.st_ino)
            }
            let server = try open(bind)
            defer {
                close(server)
                if prefix.isEmpty { unlink(name) }
            }
            try #require(listen(server, 4) == 0)
            let own = try number(server)
            let idle = try #require(WaitingConnections.look())
            #expect(idle.callers[own] == [])
            #expect(WaitingConnections.sockets(of: [getpid()]).contains(own))
            let client = try open(connect)
            defer { close(client) }
            let waiting = try #require(WaitingConnections.look())
            #expect(waiting.callers[own] == [try number(client)])
            #expect(waiting.isNew(on: own, since: idle) && !waiting.isNew(on: own, since: waiting))
            // Another program writes its request and ends.
            close(try open(connect))
            let closed = try #require(WaitingConnections.look())
            #expect(closed.callers[own]?.count == 2 && closed.isNew(on: own, since: waiting) && !closed.isNew(on: own, since: closed))
            for _ in 0..<2 { close(accept(server, nil, nil)) }
            #expect(WaitingConnections.look()?.callers[own] == [])
        }

        /// The watch reports a connection once, with the program that made it, and none to an app that runs.
        @Test func aConnectionIsReportedOnce() throws { // S-06
            let path = "/tmp/mullion-watch-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            defer { unlink(path) }
            let rig = try Rig(Means.here[0])
            func python(_ script: String) throws -> Int32 {
                try rig.startScope("exec python3 -c \"import socket, time; s = socket.socket(socket.AF_UNIX); \(script); time.sleep(600)\"")
            }
            let server = try python("s.bind('\(path)'); s.listen()")
            try #require(
                eventually {
                    access(path, F_OK) == 0
                        && WaitingConnections.look().map { !WaitingConnections.sockets(of: [server]).isDisjoint(with: $0.callers.keys) }
                            ?? false
                })
            let watch = ConnectionWatch()
            defer { watch.stop() }
            func look(_ programs: [Int32]) -> [ConnectionWatch.Call] {
                guard watch.isNeeded else { return [] }
                watch.look(programs: programs)
                var item = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
                #expect(poll(&item, 1, 10_000) == 1)
                return watch.drain()
            }
            watch.begin(server, processes: [server])
            #expect(eventually { watch.drain().isEmpty && watch.isNeeded })
            #expect(look([]) == [])
            let client = try python("s.connect('\(path)')")
            let connected = eventually {
                WaitingConnections.look()?.callers.values.contains { !WaitingConnections.sockets(of: [client]).isDisjoint(with: $0) }
                    ?? false
            }
            #expect(connected)
            let calls = look([client])
            #expect(calls.map(\.app) == [server] && calls.first?.callers.first == client)
            #expect(look([client]) == [])
            watch.end(server)
            #expect(!watch.isNeeded)
        }

        @Test func whatARunningAppHasNotAnsweredYetIsStillNewOnceItIsFrozen() { // S-06
            let first = WaitingConnections(callers: [1: [10], 2: [20]])
            let seen = first.remembered(on: [1], before: WaitingConnections())
            #expect(!first.isNew(on: 1, since: seen) && first.isNew(on: 2, since: seen))
            // The first app runs now, and has left the connection waiting.
            let later = WaitingConnections(callers: [1: [10, 11], 2: [20, 0]]).remembered(on: [2], before: seen)
            #expect(!first.isNew(on: 1, since: later) && WaitingConnections(callers: [1: [11]]).isNew(on: 1, since: later))
            #expect(
                !WaitingConnections(callers: [2: [20, 0]]).isNew(on: 2, since: later)
                    && WaitingConnections(callers: [2: [0, 0]]).isNew(on: 2, since: later))
        }

        @Test(arguments: Means.here) func aShellSeesNoStopOfItsJob(means: ScopeMeans) throws { // S-06
            let rig = try Rig(means)
            // It ends as soon as it sees its job stopped, as a shell with job control would move that to the background.
            let shell =
                "import os, time; job = os.fork(); job or time.sleep(600); os._exit(7 if os.WIFSTOPPED(os.waitpid(job, os.WUNTRACED)[1]) else 8)"
            let app = try rig.startScope("exec python3 -c '\(shell)'")
            try #require(eventually { rig.scopes.processes(in: app).count == 2 })
            for _ in 0..<25 {
                rig.turn(seconds: 0.01)
                #expect(rig.freeze(app))
                #expect(rig.thaw(app) != nil)
            }
            rig.turn(seconds: 0.05)
            #expect(rig.scopes.processes(in: app).count == 2)
        }

        @Test(arguments: Means.here) func whatAFrozenAppWasAskedItDoesWhenItGoesOn(means: ScopeMeans) throws { // S-06
            let rig = try Rig(means)
            let app = try rig.startScope("trap 'exit 3' USR1; while :; do sleep 0.01; done")
            rig.turn(seconds: 0.1)
            #expect(rig.freeze(app))
            kill(app, SIGUSR1)
            usleep(50_000)
            #expect(isAlive(app))
            #expect(rig.thaw(app) != nil)
            #expect(rig.wait { $0 == .empty(app) })
        }

        @Test(arguments: Means.here) func aFrozenAppIsKilledWhole(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app)
            rig.timed { rig.scopes.kill(app) }
            #expect(rig.wait { $0 == .empty(app) })
            #expect(all.allSatisfy { !isAlive($0) })
            #expect(rig.scopes.processes(in: app).isEmpty)
            rig.scopes.freeze(app)
            #expect(rig.wait { $0 == .failed(app, reason: "it is in no scope") })
        }

        /// The kernel drops what it has not reported yet of a group that is removed: a service manager is often quicker than 10 ms.
        @Test(arguments: Means.here.filter { $0 == .cgroup2 }) func aGroupThatIsRemovedAtOnceIsKnownToBeEmpty(means: ScopeMeans) throws {
            let rig = try Rig(means)
            for round in 0..<10 {
                let app = try rig.startScope("sleep 100 & sleep 100 & wait", app: "org.example.Quick\(round)")
                try #require(eventually { rig.scopes.processes(in: app).count == 3 })
                let folder = try #require(ControlGroups.folder(of: app, .unified))
                #expect(rig.freeze(app))
                #expect(writeSmallFile("\(folder)/cgroup.kill", "1") == 0)
                let end = Clocks.monotonicSeconds + 10
                while rmdir(folder) != 0, Clocks.monotonicSeconds < end {}
                try #require(rig.wait { $0 == .empty(app) }, "round \(round)")
            }
        }

        @Test(arguments: Means.here) func aForkingAppIsKilledWhole(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("while :; do sleep 100 & sleep 0.002; done")
            try #require(eventually { rig.scopes.processes(in: app).count > 20 })
            let some = rig.scopes.processes(in: app)
            rig.timed { rig.scopes.kill(app) }
            #expect(rig.wait { $0 == .empty(app) })
            #expect(some.allSatisfy { !isAlive($0) })
        }

        @Test(arguments: Means.here) func aHundredProcessesAreOneApp(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.start("i=1; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done; wait")
            try #require(eventually { ProcessTree.descendants(of: app).count == 99 })
            rig.timed { rig.scopes.adopt(app, app: "org.example.Many") }
            try #require(rig.wait { $0 == .adopted(app, means) })
            #expect(rig.scopes.processes(in: app).count == 100)
            let start = Clocks.monotonicSeconds
            #expect(rig.freeze(app))
            #expect(Clocks.monotonicSeconds - start < 0.3)
            #expect(AppIdentity.isFrozen(process: app))
            #expect(rig.thaw(app) != nil)
            #expect(eventually { !AppIdentity.isFrozen(process: app) })
            rig.scopes.kill(app)
            #expect(rig.wait { $0 == .empty(app) })
            // Nothing of it holds up a frame, but the walk through all processes where there are no groups.
            #expect(rig.longest < (means == .processes ? 0.5 : 0.05), "a call took \(rig.longest) s")
        }

        @Test(arguments: Means.here) func freezingAndThawingInQuickTurnEndsAsAskedLast(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            for _ in 0..<20 {
                rig.scopes.freeze(app)
                rig.scopes.thaw(app)
            }
            rig.turn(seconds: 0.2)
            let all = rig.scopes.processes(in: app), before = work(all)
            #expect(eventually { work(all) > before + 5 })
            // Each that was told of is undone.
            #expect(rig.seen.filter { $0 == .frozen(app) }.count <= rig.seen.filter { if case .thawed = $0 { true } else { false } }.count)
            _ = rig.wait(seconds: 0) { $0 == .frozen(app) }
            rig.scopes.freeze(app)
            rig.scopes.thaw(app)
            #expect(rig.freeze(app))
            // That may have been the report of the one before.
            rig.turn(seconds: 0.1)
            let still = work(all)
            rig.turn(seconds: 0.1)
            #expect(work(all) == still)
        }

        /// The parent of a vfork waits where no signal reaches it.
        @Test(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "there is no python3")) func whatCannotBeFrozenRuns() throws {
            let rig = try Rig(.processes)
            let app = try rig.startScope("exec python3 '\(Self.vfork)'")
            try #require(
                eventually { ProcessTree.record(of: app)?.state == UInt8(ascii: "D") && !ProcessTree.descendants(of: app).isEmpty })
            let child = try #require(ProcessTree.descendants(of: app).first)
            let start = Clocks.monotonicSeconds
            rig.scopes.freeze(app)
            #expect(rig.wait { if case .failed(app, let reason) = $0 { reason.contains("0.3 s") } else { false } })
            #expect(Clocks.monotonicSeconds - start >= 0.3 && Clocks.monotonicSeconds - start < 1)
            #expect(eventually { ProcessTree.record(of: child)?.isStopped == false })
            #expect(!rig.seen.contains { if case .thawed = $0 { true } else { false } })
        }

        private static let vfork =
            "\(#filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/"))/Clients/vfork.py"

        @Test func whatAPersonStoppedStaysStopped() throws {
            let rig = try Rig(.processes)
            let app = try rig.startScope("sleep 100 & sleep 101 & wait")
            try #require(eventually { rig.scopes.processes(in: app).count == 3 })
            let child = try #require(ProcessTree.descendants(of: app).first)
            kill(child, SIGSTOP)
            try #require(eventually { ProcessTree.record(of: child)?.isStopped == true })
            #expect(rig.freeze(app))
            #expect(rig.thaw(app) != nil)
            #expect(eventually { ProcessTree.record(of: app)?.isStopped == false })
            #expect(ProcessTree.record(of: child)?.isStopped == true)
        }

        @Test(.enabled(if: Means.has(.cgroup2), "no group of cgroup2 can be made here")) func aThawByAnotherIsTold() throws {
            // Many shells and apps run beside this test, and a user has 128 of these.
            try #require(
                eventually(seconds: 60) {
                    let instance = inotify_init1(0)
                    if instance >= 0 { close(instance) }
                    return instance >= 0
                })
            let rig = try Rig(.cgroup2)
            let app = try rig.startScope(Script.busy)
            #expect(rig.freeze(app))
            let folder = try #require(ControlGroups.folder(of: app, .unified))
            #expect(Group(kind: .unified, folder: folder).set(frozen: false) == 0)
            #expect(rig.wait { if case .thawed(app, _) = $0 { true } else { false } })
        }
    }
}
