import Geometry
import Testing

@testable import Windows

/// Who a program is: only what somebody else vouches for counts (docs/security.md).
@Suite("Identity") struct IdentityTests {
    private static let group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.example.App-4711.scope\n"
    private static let info = "[Application]\nname=org.example.App\nruntime=x\n[Context]\nname=no\n"

    /// Somewhere in a sandbox.
    private func evidence(_ change: (inout Identity.Evidence) -> Void = { _ in }) -> Identity.Evidence {
        var evidence = Identity.Evidence()
        evidence.executable = "/usr/bin/program"
        evidence.connection = 7
        change(&evidence)
        return evidence
    }

    private func who(_ change: (inout Identity.Evidence) -> Void = { _ in }) -> Identity { Identity(evidence(change)) }

    @Test func aSandboxThatNobodyVouchesForHasNoName() {
        #expect(who() == .container(7))
        #expect(who { $0.executable = nil } == .container(7))
        #expect(who { $0.isOutside = true } == .program("/usr/bin/program"))
        #expect(who { $0.context = .init(engine: "org.flatpak", app: "", number: 3) } == .container(3))
    }

    @Test("a .flatpak-info of its own proves nothing: the service manager's scope has to say the same, and be out of reach")
    func flatpaks() {
        #expect(who { $0.flatpakInfo = Self.info } == .container(7))
        #expect(
            who {
                $0.flatpakInfo = Self.info
                $0.movesGroups = false
            } == .container(7))
        #expect(
            who {
                $0.flatpakInfo = Self.info
                $0.groups = Self.group
            } == .container(7), "it can move itself to that group")
        let real = who {
            $0.flatpakInfo = Self.info
            $0.groups = Self.group
            $0.movesGroups = false
        }
        #expect(real == .app("org.example.App", engine: "org.flatpak"))
        #expect(
            who {
                $0.flatpakInfo = "[Application]\nname=org.example.Victim\n"
                $0.groups = Self.group
                $0.movesGroups = false
            } == .container(7))
        #expect(
            who {
                $0.groups = Self.group
                $0.movesGroups = false
            } == .container(7), "a sandbox within a Flatpak's group that shows no file")
    }

    @Test func groupsOfFlatpaks() {
        #expect(Identity.flatpak(groups: Self.group) == "org.example.App")
        #expect(Identity.flatpak(groups: "12:pids:/x\n1:name=systemd:/user.slice/app-flatpak-org.a\\x2db.C-1.scope\n") == "org.a-b.C")
        // Made below a group of its own, as its owner can.
        #expect(Identity.flatpak(groups: "0::/user.slice/app.slice/app-mullion-foot-1.scope/app-flatpak-org.example.App-1.scope\n") == nil)
        #expect(
            Identity.flatpak(groups: "0::/app-flatpak-1.scope\n") == nil
                && Identity.flatpak(groups: "0::/user.slice/app-foot-1.scope\n") == nil)
        #expect(Identity.flatpak(groups: "") == nil)
    }

    @Test func namesOfFlatpaks() {
        #expect(Identity.flatpak(info: Self.info) == "org.example.App")
        #expect(Identity.flatpak(info: "[Runtime]\nname=org.example.Platform\n") == "org.example.Platform")
        #expect(Identity.flatpak(info: "[Context]\nname=no\n") == "")
    }

    @Test func snaps() {
        let groups = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-12ab.scope\n"
        #expect(Identity.snap(groups: groups) == "firefox" && Identity.snap(groups: "0::/user.slice/app-foot.scope\n") == nil)
        let firefox = Identity.app("firefox", engine: "snap")
        #expect(who { $0.groups = groups } == .container(7), "it can move itself to that group")
        #expect(
            who {
                $0.groups = groups
                $0.label = "snap.firefox.firefox (enforce)\n"
            } == firefox)
        #expect(
            who {
                $0.groups = groups
                $0.label = "snap.firefoxy.x (enforce)\n"
            } == .container(7))
        #expect(
            who {
                $0.groups = groups
                $0.movesGroups = false
            } == firefox
                && who {
                    $0.groups = groups
                    $0.isOutside = true
                } == firefox)
    }

    @Test func whatTheShellKnowsItself() {
        #expect(who { $0.launched = "org.example.App" } == .app("org.example.App", engine: Identity.launcher))
        let parent = Identity.app("org.example.App", engine: "org.flatpak")
        #expect(who { $0.ancestor = parent } == parent && who { $0.ancestor = .container(1) } == .container(7))
        #expect(
            who {
                $0.isOutside = true
                $0.launched = "org.example.App"
            } == .program("/usr/bin/program"), "outside a sandbox, programs say it themselves")
    }

    @Test("under which app something is kept: a claim counts only outside a sandbox, and engines have names of their own")
    func owners() {
        #expect(Identity.program("/x").owner(claiming: "org.example.App") == "org.example.App")
        #expect(Identity.container(7).owner(claiming: "org.example.App") == nil)
        for engine in [Identity.flatpak, Identity.launcher] {
            #expect(Identity.app("org.example.App", engine: engine).owner(claiming: "org.example.Victim") == "org.example.App")
        }
        #expect(Identity.app("foot", engine: "snap").owner(claiming: "foot") == "snap:foot")
        #expect(Identity.app("foot", engine: "org.example.engine").owner(claiming: "") == "org.example.engine:foot")
    }

    @Test func whatASandboxMayDoOnTheBus() {
        let own = Identity.app("org.example.App", engine: "org.flatpak"), nameless = Identity.container(7)
        for door in Identity.BusDoor.allCases { #expect(Identity.program("/x").allows(door, for: "any")) }
        let allowed: Set<Identity.BusDoor> = [.life, .views, .inhibit, .register]
        for door in Identity.BusDoor.allCases {
            #expect(own.allows(door) == allowed.contains(door) && nameless.allows(door) == allowed.contains(door), "\(door)")
        }
        #expect(own.allows(.restore, for: "org.example.App") && !own.allows(.restore, for: "org.example.Victim"))
        #expect(!nameless.allows(.restore, for: "org.example.App") && !nameless.allows(.restore, for: ""))
    }

    // MARK: Windows

    private func workspace() -> Workspace {
        var workspace = Workspace(idiom: .pad)
        workspace.setApps([
            App(id: "org.example.App", name: "App", command: ["bwrap", "--ro-bind", "/", "/", "app"]),
            App(
                id: "org.example.Office", name: "Office", command: ["office", "-x"],
                filePlace: FilePlace(index: 1, isMany: true, takesAddresses: false)),
        ])
        return workspace
    }

    private func launch(_ app: String?, _ command: [String]?, process: Int32, in workspace: inout Workspace) {
        let id = workspace.beginLaunch(of: app, command, to: nil, at: .zero)
        workspace.launched(id, process: process)
    }

    @Test("a script is the app of an entry only by the entry's own words, and not because an entry runs the same interpreter")
    func scripts() {
        var workspace = Workspace(idiom: .pad)
        workspace.setApps([
            App(id: "broken", name: "Broken", command: ["sh", "-c", "exit 3"]),
            App(id: "notes", name: "Notes", command: ["python3", "/usr/share/notes.py"]),
            App(id: "shell", name: "Shell", command: ["bash"]), App(id: "foot", name: "Foot", command: ["/usr/bin/foot"]),
        ])
        #expect(workspace.app(startedBy: ["sh", "-c", "mullion alert Done"]) == nil)
        #expect(workspace.app(startedBy: ["python3", "/home/me/other.py"]) == nil && workspace.app(startedBy: ["python3"]) == nil)
        #expect(workspace.app(startedBy: ["bash", "-c", "true"]) == nil && workspace.app(startedBy: ["bash"]) == "shell")
        #expect(workspace.app(startedBy: ["python3", "/usr/share/notes.py", "a.txt"]) == "notes")
        #expect(workspace.app(startedBy: ["foot", "sh", "-c", "true"]) == "foot")
    }

    @Test("the shell vouches for what it started from a desktop entry, not for what such an app starts")
    func launched() {
        var workspace = workspace()
        launch("org.example.App", ["/usr/bin/bwrap", "--ro-bind", "/", "/", "app", "file"], process: 100, in: &workspace)
        #expect(workspace.launchedApp([102, 101, 100, 1]) == "org.example.App")
        #expect(workspace.launchedApp([102, 101]) == nil)
        // Another sandbox by the same engine, or one that a window only says to be.
        launch("org.example.App", ["bwrap", "--ro-bind", "/", "/", "evil"], process: 200, in: &workspace)
        launch("org.example.App", nil, process: 300, in: &workspace)
        launch(nil, ["bwrap", "--ro-bind", "/", "/", "app"], process: 400, in: &workspace)
        for process: Int32 in [200, 300, 400] { #expect(workspace.launchedApp([process]) == nil) }
        launch("org.example.Office", ["office", "/a", "/b", "-x"], process: 500, in: &workspace)
        #expect(workspace.launchedApp([500]) == "org.example.Office")
        // A sandbox in a terminal is not the terminal.
        workspace.created(WindowID(1), WindowFacts(appID: "org.example.Office", lineage: [500, 1]))
        #expect(workspace.launchedApp([501, 500]) == nil && workspace.launchedApp([500]) == "org.example.Office")
    }

    @Test("a window counts as its sandbox's app where trust follows, whatever it says")
    func windowsOfSandboxes() {
        var workspace = workspace()
        func trusted(_ number: UInt32, _ claim: String, _ sandbox: Identity?) -> String {
            workspace.created(WindowID(number), WindowFacts(appID: claim, lineage: [Int32(number)], sandbox: sandbox))
            return workspace.trustedApp(of: WindowID(number))
        }
        #expect(trusted(1, "org.example.Office", nil) == "org.example.Office")
        #expect(trusted(2, "org.example.Office", .container(1)) == "")
        #expect(trusted(3, "org.example.Office", .app("org.example.App", engine: "org.flatpak")) == "org.example.App")
        #expect(trusted(4, "org.example.App.writer", .app("org.example.App", engine: "org.flatpak")) == "org.example.App.writer")
        #expect(workspace.trustedApp(of: WindowID(99)) == "")
        // The same holds for the name that a person reads.
        #expect((1...4).map { workspace.appName(of: WindowID($0)) } == ["Office", "", "App", "Writer"])
    }
}
