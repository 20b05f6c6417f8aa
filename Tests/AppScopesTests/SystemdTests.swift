import Glibc
import Testing

@testable import AppScopes
@testable import Processes

/// A user's service manager of the test's own: real, in a control group and a runtime directory made for it.
final class Manager {
    /// nil: none can be run here. It needs root, to mount cgroup2 where systemd looks for it.
    nonisolated(unsafe) static let shared: Manager? = getuid() == 0 ? try? Manager() : nil

    let environment: [String: String]
    private let launcher: Launcher
    private let process: Int32
    private let group: String

    private struct Missing: Error {}

    private init() throws {
        guard let root = ControlGroups.folders(.unified).first, Means.has(.cgroup2) else { throw Missing() }
        var template = Array("/tmp/mullion-manager-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing() }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = ["XDG_RUNTIME_DIR": folder, "HOME": folder]
        group = "\(root)/mullion-manager-\(getpid())"
        let script = """
            mkdir \(group) && echo $$ > \(group)/cgroup.procs || exit 1
            mount -t tmpfs none /run/systemd && mkdir /run/systemd/system || exit 1
            mount -t cgroup2 none /sys/fs/cgroup || exit 1
            # By this systemd finds out whether it can freeze.
            mkdir -p /sys/fs/cgroup/init.scope
            exec systemd --user --unit=basic.target
            """
        launcher = try Launcher()
        process = try launcher.launch(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
            environment: environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/systemd"]) { $1 })
        let environment = environment
        let isThere = eventually(seconds: 10) {
            Machine.look(environment: environment).manager != nil && access("\(folder)/bus", F_OK) == 0 || !launcher.drain().isEmpty
        }
        // The bus starts with who speaks on it first, and then the manager joins it.
        let hasName =
            isThere
            && eventually(seconds: 10) {
                let asking = try? launcher.launch(
                    ["busctl", "--address=unix:path=\(folder)/bus", "status", "org.freedesktop.systemd1"],
                    environment: ["PATH": "/usr/bin:/bin"])
                var exits: [ProcessExit] = []
                _ = eventually {
                    exits += launcher.drain()
                    return exits.contains { $0.pid == asking }
                }
                return exits.contains { $0.pid == asking && $0.reason == .exited(0) }
            }
        guard hasName, Machine.look(environment: environment).manager != nil else {
            end()
            throw Missing()
        }
        atexit { Manager.shared?.end() }
    }

    /// With all that it started.
    private func end() {
        launcher.endAll(patience: 2000)
        Group(kind: .unified, folder: group).kill()
        let parent = group[..<(group.lastIndex(of: "/") ?? group.startIndex)]
        let folder = environment["XDG_RUNTIME_DIR"] ?? ""
        let script = "sleep 0.05; find \(group) -depth -type d -exec rmdir {} ';'; rmdir \(parent)/init.scope; rm -rf \(folder)"
        _ = try? launcher.launch(["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        _ = eventually { !launcher.drain().isEmpty }
    }
}

/// Scopes made by a real service manager.
extension ScopeTests {
    @Suite(.enabled(if: Manager.shared != nil, "no service manager of a user can be run here")) struct SystemdTests {
        private func rig(guarded: Bool = false) throws -> Rig {
            try Rig(.systemd, guarded: guarded, environment: try #require(Manager.shared).environment)
        }

        @Test func aScopeIsFrozenAndGoesOn() throws { // S-08, S-06
            let rig = try rig()
            let app = try rig.startScope(Script.busy, app: "org.gnome.Text-Editor")
            let folder = try #require(ControlGroups.folder(of: app, .unified))
            #expect(folder.contains("/app.slice/app-mullion-org.gnome.Text\\x2dEditor-") && folder.hasSuffix(".scope"))
            #expect(AppIdentity.of(process: app).id == "org.gnome.Text-Editor")
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app), before = work(all)
            rig.turn(seconds: 0.3)
            #expect(work(all) == before)
            #expect(try #require(rig.thaw(app)) >= 0.3)
            #expect(eventually { work(all) > before + 5 })
            #expect(rig.freeze(app))
            rig.timed { rig.scopes.kill(app) }
            #expect(rig.wait { $0 == .empty(app) })
            #expect(all.allSatisfy { !isAlive($0) })
            #expect(eventually { access(folder, F_OK) != 0 })
            #expect(rig.longest < 0.05, "a call took \(rig.longest) s")
        }

        @Test func whatIsStartedMeanwhileIsInTheScope() throws {
            let rig = try rig()
            let app = try rig.start("i=1; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done; wait")
            rig.adopt(app)
            rig.scopes.freeze(app)
            #expect(rig.wait { $0 == .failed(app, reason: "its scope is still being made") })
            try #require(rig.wait { $0 == .adopted(app, .systemd) })
            #expect(eventually { rig.scopes.processes(in: app).count == 100 })
            #expect(rig.freeze(app))
            #expect(rig.thaw(app) != nil)
        }

        @Test func anAppThatIsKilledBeforeItsScopeIsThereIsGone() throws {
            let rig = try rig()
            let app = try rig.start(Script.busy)
            rig.turn(seconds: 0.05)
            let all = [app] + ProcessTree.descendants(of: app)
            rig.adopt(app)
            rig.scopes.kill(app)
            #expect(rig.wait { $0 == .empty(app) })
            #expect(eventually { all.allSatisfy { !isAlive($0) } })
        }

        /// As flatpak does at the start of an app.
        @Test func anAppThatMovesToAScopeOfItsOwnIsFollowed() throws {
            let manager = try #require(Manager.shared)
            let rig = try rig()
            let variables = manager.environment.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            // Another run may have left a scope of this name.
            let scope = "app-flatpak-org.example.Moved-\(UInt32.random(in: 1 ... .max)).scope"
            let app = try rig.startScope(
                "sleep 0.2; exec env \(variables) systemd-run --user --scope --quiet --unit=\(scope) sh -c '\(Script.busy)'"
            )
            #expect(rig.wait { $0 == .adopted(app, .systemd) })
            #expect(ControlGroups.folder(of: app, .unified)?.hasSuffix("/\(scope)") == true)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app), before = work(all)
            rig.turn(seconds: 0.1)
            #expect(work(all) == before)
            #expect(rig.thaw(app) != nil)
            #expect(!rig.seen.contains(.empty(app)))
        }

        @Test func theGuardThawsAScope() throws { // S-06
            let rig = try rig(guarded: true)
            let app = try rig.startScope(Script.busy)
            try #require(eventually { rig.scopes.processes(in: app).count == Script.busyCount })
            #expect(rig.freeze(app))
            let all = rig.scopes.processes(in: app), before = work(all)
            rig.scopes.guardLink.stop()
            #expect(eventually { work(all) > before + 5 })
        }

        /// The session's bus may be one on which no manager is.
        @Test(.enabled(if: access("/usr/bin/dbus-daemon", X_OK) == 0, "there is no dbus-daemon")) func withoutAManagerTheNextMeansIsTaken()
            throws
        {
            let launcher = try Launcher()
            let path = "/tmp/mullion-bus-\(getpid())"
            defer {
                launcher.endAll(patience: 500)
                unlink(path)
            }
            try launcher.launch(["/usr/bin/dbus-daemon", "--session", "--nofork", "--address=unix:path=\(path)"], environment: [:])
            try #require(eventually { access(path, F_OK) == 0 })
            let manager = UserManager(address: "unix:path=\(path)")
            var outcome: UserManager.Outcome?
            manager.makeScope("app-mullion-x-1.scope", app: "x", processes: [getpid()]) { outcome = $0 }
            #expect(
                eventually {
                    manager.process()
                    return outcome != nil
                })
            if case .refused = outcome {} else { Issue.record("\(String(describing: outcome))") }
            manager.close()
        }

        /// Where the group's own file may not be written, the manager does it.
        @Test func theManagerItselfFreezes() throws {
            let rig = try rig()
            let app = try rig.startScope(Script.busy)
            let group = try #require(rig.scopes.scopes[app]?.group)
            let manager = UserManager(address: try #require(rig.scopes.machine.manager))
            defer { manager.close() }
            for isFrozen in [true, false] {
                var outcome: UserManager.Outcome?
                manager.freeze(String(try #require(group.folder.split(separator: "/").last)), isFrozen) { outcome = $0 }
                #expect(
                    eventually {
                        manager.process()
                        return outcome != nil
                    })
                #expect(outcome == .done)
                #expect(eventually { group.isFrozen == isFrozen })
            }
        }

        @Test func whileTheManagerCannotBeReachedTheNextMeansIsTaken() throws {
            let rig = try Rig(nil, environment: try #require(Manager.shared).environment)
            #expect(rig.scopes.means == .systemd)
            rig.scopes.manager?.makeScope("app-mullion-x-1.scope", app: "x", processes: []) { _ in }
            rig.scopes.manager?.close()
            let app = try rig.start(Script.busy)
            rig.adopt(app)
            #expect(rig.wait { $0 == .adopted(app, .cgroup2) })
            #expect(rig.freeze(app))
        }
    }
}
