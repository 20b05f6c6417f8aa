import Clocks
import Descriptors
import Glibc
import MullionTesting
import Testing

@testable import AppScopes
@testable import Processes

/// How scopes begin and end.
extension ScopeTests {
    @Suite struct LifeTests {
        @Test(arguments: Means.here) func whatIsGoneIsNotAdopted(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let gone = try rig.start("exit 0")
            #expect(eventually { !rig.launcher.drain().isEmpty })
            rig.scopes.adopt(gone, app: "org.example.App")
            #expect(rig.wait { $0 == .failed(gone, reason: "there is no such process") })
            // One that nobody waited for is still in the table.
            let zombie = try rig.start("exit 0")
            try #require(eventually { ProcessTree.record(of: zombie)?.hasEnded == true })
            rig.scopes.adopt(zombie, app: "org.example.App")
            #expect(rig.wait { $0 == .failed(zombie, reason: "it has ended") })
        }

        @Test(arguments: Means.here) func theShellAndWhatStartedItAreNotFrozen(means: ScopeMeans) throws {
            let rig = try Rig(means)
            for process in [0, 1, -1, getpid(), getppid()] {
                rig.scopes.adopt(process, app: "org.example.App")
                #expect(rig.wait { if case .failed(process, _) = $0 { true } else { false } })
                rig.scopes.freeze(process)
                #expect(rig.wait { $0 == .failed(process, reason: "it is in no scope") })
            }
        }

        @Test(arguments: Means.here) func anAppLivesUntilItsLastProcess(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("(sleep 0.3; sleep 0.2) & (sleep 0.4) & sleep 0.1; exit 0")
            try #require(eventually { rig.scopes.processes(in: app).count >= 3 })
            let group = ControlGroups.folder(of: app, means == .freezer1 ? .freezer : .unified)
            let start = Clocks.monotonicSeconds
            #expect(eventually(seconds: 2) { rig.launcher.drain().contains { $0.pid == app } })
            rig.turn(seconds: 0.05)
            #expect(rig.seen.isEmpty && !rig.scopes.processes(in: app).isEmpty)
            #expect(rig.wait { $0 == .empty(app) })
            #expect(Clocks.monotonicSeconds - start > 0.2)
            if means != .processes { #expect(eventually { access(group ?? "", F_OK) != 0 }) }
        }

        /// Frozen, it would freeze the other one, too.
        @Test(arguments: Means.here) func anAppStartedFromAnothersWindowIsItsOwn(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let terminal = try rig.startScope("/bin/sh -c 'while :; do :; done & while :; do :; done' & wait", app: "foot")
            try #require(eventually { rig.scopes.processes(in: terminal).count == 3 })
            let app = try #require(ProcessTree.descendants(of: terminal).first)
            rig.adopt(app)
            try #require(rig.wait { $0 == .adopted(app, means) })
            #expect(Set(rig.scopes.processes(in: terminal)) == [terminal])
            let all = rig.scopes.processes(in: app)
            #expect(all.count == 2)
            #expect(rig.freeze(terminal))
            let before = work(all)
            #expect(eventually { work(all) > before + 5 })
            #expect(rig.freeze(app))
            let still = work(all)
            #expect(rig.thaw(terminal) != nil)
            rig.turn(seconds: 0.1)
            #expect(work(all) == still)
        }

        @Test(arguments: Means.groups) func aHelperThatLeftItsParentBelongsToTheApp(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("sleep 0.3; (setsid sh -c 'while :; do :; done' &); sleep 100")
            var helper: Int32 = 0
            try #require(
                eventually {
                    helper = rig.scopes.processes(in: app).first { work([$0]) > 3 && $0 != app } ?? 0
                    return helper > 0
                })
            #expect(!ProcessTree.descendants(of: app).contains(helper))
            #expect(rig.freeze(app))
            let before = work([helper])
            rig.turn(seconds: 0.1)
            #expect(work([helper]) == before)
        }

        @Test(arguments: Means.groups) func othersFindOutTheApp(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("sleep 100", app: "org.gnome.Text-Editor")
            #expect(AppIdentity.of(process: app).id == "org.gnome.Text-Editor")
            #expect(!AppIdentity.isFrozen(process: app))
            #expect(rig.freeze(app))
            #expect(AppIdentity.isFrozen(process: app))
        }

        @Test(arguments: Means.here) func aReleasedAppGoesOnAndIsSilent(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            let all = rig.scopes.processes(in: app)
            #expect(rig.freeze(app))
            let before = work(all)
            rig.scopes.release(app)
            #expect(eventually { work(all) > before + 5 })
            rig.turn(seconds: 0.1)
            all.forEach { kill($0, SIGKILL) }
            rig.turn(seconds: 0.2)
            #expect(rig.seen.allSatisfy { if case .empty = $0 { false } else { true } })
            #expect(rig.scopes.bySerial.isEmpty)
        }

        @Test(arguments: Means.here) func atTheEndEverythingGoesOn(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope(Script.busy), other = try rig.startScope("sleep 100 & wait")
            try #require(
                eventually { rig.scopes.processes(in: app).count == Script.busyCount && rig.scopes.processes(in: other).count == 2 })
            let all = rig.scopes.processes(in: app), others = rig.scopes.processes(in: other)
            let group = ControlGroups.folder(of: app, means == .freezer1 ? .freezer : .unified)
            #expect(rig.freeze(app) && rig.freeze(other))
            let before = work(all)
            rig.scopes.thawAll()
            #expect(eventually { work(all) > before + 5 })
            // What runs on does so in the group of the shell, and no group is left.
            rig.scopes.stop()
            let then = work(all)
            #expect(eventually { work(all) > then + 5 })
            if let kind = means.kind, let group {
                #expect(access(group, F_OK) != 0 && access(String(group[..<group.lastIndex(of: "/")!]), F_OK) != 0)
                #expect(ControlGroups.folder(of: app, kind) == ControlGroups.folder(of: nil, kind))
            }
            (all + others).forEach { kill($0, SIGKILL) }
            #expect(rig.scopes.drain().isEmpty && rig.scopes.processes(in: app).isEmpty)
        }

        @Test(arguments: Means.groups) func whatAnEarlierShellLeftFrozenGoesOn(means: ScopeMeans) throws { // S-06
            let kind = try #require(means.kind)
            let folder = try #require(Machine.look(environment: [:]).folders[kind])
            let session = "left-\(getpid())"
            let parent = Group(kind: kind, folder: "\(folder)/\(ScopeName.folder(session: session))")
            let group = Group(kind: kind, folder: "\(parent.folder)/\(ScopeName.unit(app: "org.example.App"))")
            #expect(parent.make() == 0 && group.make() == 0)
            let launcher = try Launcher()
            let process = try launcher.launch(["/bin/sh", "-c", "while :; do :; done"], environment: [:])
            #expect(group.move(process) == 0 && group.set(frozen: true) == 0)
            #expect(eventually { group.isFrozen })
            let rig = try Rig(means, session: session)
            let before = work([process])
            #expect(eventually { work([process]) > before })
            launcher.endAll(patience: 0)
            _ = group.remove()
            _ = rig
        }

        @Test(arguments: Means.groups) func twoShellsOfOneNameLeaveEachOtherAlone(means: ScopeMeans) throws {
            let first = try Rig(means)
            let app = try first.startScope(Script.busy)
            #expect(first.freeze(app))
            let second = try Rig(means, session: first.session)
            let other = try second.startScope("sleep 100")
            #expect(second.freeze(other))
            let all = first.scopes.processes(in: app), before = work(all)
            first.turn(seconds: 0.1)
            #expect(work(all) == before)
        }

        @Test(arguments: Means.here) func anAppIsWeighed(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("sleep 100 & sleep 100 & wait")
            try #require(eventually { rig.scopes.processes(in: app).count == 3 })
            rig.scopes.setOOMScore(700, of: app)
            let all = rig.scopes.processes(in: app)
            #expect(eventually { all.allSatisfy { readSmallFile("/proc/\($0)/oom_score_adj") == "700\n" } })
        }

        @Test(arguments: Means.here) func nothingIsLeftOpen(means: ScopeMeans) throws {
            let before = Self.ownedHere()
            do {
                let rig = try Rig(means)
                for _ in 0..<5 {
                    let app = try rig.startScope("sleep 0.3 & sleep 0.5; exit 0")
                    #expect(rig.wait { $0 == .empty(app) })
                }
                #expect(rig.scopes.bySerial.isEmpty)
            }
            #expect(Self.ownedHere() == before)
            #expect(Descriptors.report().lost.isEmpty)
        }

        /// Other tests of the same process open files of their own meanwhile.
        private static func ownedHere() -> [String] {
            Descriptors.report().open.compactMap(\.owner).filter { owner in
                ["scope", "control groups", "groups of this session", "frozen apps"].contains { owner.contains($0) }
            }
        }

        @Test(arguments: Means.here) func nothingIsDoneWhileNothingHappens(means: ScopeMeans) throws {
            let rig = try Rig(means)
            let app = try rig.startScope("sleep 100")
            #expect(rig.freeze(app))
            rig.turn(seconds: 0.1)
            var item = pollfd(fd: rig.scopes.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&item, 1, 300) == 0)
        }
    }
}
