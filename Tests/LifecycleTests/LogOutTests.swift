import Geometry
import Testing
import Windows

@testable import Lifecycle

@Suite("Inhibitors and the end of the session")
struct LogOutTests {
    private static let disc = InhibitorID(1), client = SessionClientID(1)

    private func owner(_ process: AppProcess?, _ name: String = "") -> SessionOwner { SessionOwner(process: process, name: name) }

    private func inhibitor(_ kinds: Inhibitor.Kinds, of owner: SessionOwner, _ reason: String = "Burning a disc") -> LifecycleEvent {
        .inhibited(Inhibitor(Self.disc, of: owner, reason: reason, kinds: kinds))
    }

    /// The session ended: the shell was told to leave.
    private func leaves(_ world: inout World, _ body: (inout Lifecycle, inout Lifecycle.Turn) -> Void) -> Bool {
        var left = false
        world.change { life, turn in
            body(&life, &turn)
            left = turn.leaves
        }
        return left
    }

    private func answer(_ world: inout World, _ objection: String? = nil) -> Bool {
        leaves(&world) { $0.handle(.clientAnswered(Self.client, objection: objection), &$1) }
    }

    // MARK: Inhibitors

    @Test("S-06: an app that must not be interrupted runs on out of sight until it says otherwise", arguments: [Inhibitor.Kinds.logOut, .suspend])
    func awake(kinds: Inhibitor.Kinds) {
        var world = World.twoApps()
        world.handle(inhibitor(kinds, of: owner(World.editor)))
        world.look(World.film)
        world.wait(1000)
        #expect(world.life.phase(World.editor) == .background)
        #expect(world.life.reasons(World.editor) == [.inhibits(Self.disc, reason: "Burning a disc")])
        world.handle(.uninhibited(Self.disc))
        world.wait(10.1)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("S-06: a person ends it in place of its app, once")
    func ended() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        world.look(World.film)
        world.change { $0.endInhibitor(Self.disc, &$1) }
        #expect(world.effects == [.inhibitorEnded(Self.disc)])
        world.change { $0.endInhibitor(Self.disc, &$1) }
        world.handle(.uninhibited(Self.disc))
        #expect(world.effects.count == 1 && !world.life.hasInhibitor(Self.disc))
    }

    @Test("S-08: the screen stays on for an app in sight and for nobody else; such a wish alone keeps no app awake")
    func idle() {
        var world = World.twoApps()
        world.handle(inhibitor(.idle, of: owner(World.editor)))
        #expect(world.life.keepsScreenOn)
        world.look(World.film)
        #expect(!world.life.keepsScreenOn)
        world.wait(10.1)
        #expect(world.life.phase(World.editor) == .frozen)
        world.look(World.page)
        world.change { $0.windowWent(World.page, &$1) }
        // A program without a window, such as a portal.
        #expect(world.life.keepsScreenOn)
        world.handle(.uninhibited(Self.disc))
        #expect(!world.life.keepsScreenOn)
    }

    @Test("a portal speaks for the app that it names")
    func portal() {
        var world = World.twoApps()
        world.handle(inhibitor(.suspend, of: owner(AppProcess(999), "editor")))
        world.look(World.film)
        world.wait(20)
        #expect(world.life.phase(World.editor) == .background)
    }

    // MARK: Logging out

    @Test("S-13: with nobody who objects, apps hand over their state and the session ends")
    func ends() throws {
        var world = World.twoApps(offersState: true)
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        guard case .saveState(World.text, let token)? = world.effects.last else {
            Issue.record("the editor is not asked: \(world.effects)")
            return
        }
        #expect(leaves(&world) { $0.handle(.stateSaved(World.text, token), &$1) })
        #expect(world.effects.contains(.sessionEnds) && world.life.violations().isEmpty)
    }

    @Test("an inhibitor of log-out names its app and why; the person stays, or ends the session all the same")
    func objects() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(world.life.isLogOutStopped && world.life.objections == [LogOutObjection(owner: owner(World.editor), reason: "Burning a disc")])
        #expect(world.effects.first == .queryEnd(Self.client))
        world.change { $0.cancelLogOut(&$1) }
        #expect(world.effects.last == .cancelEnd(Self.client) && !world.life.isLoggingOut)

        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(!leaves(&world) { $0.logOut(isForced: true, &$1) })
        #expect(world.effects.suffix(2) == [.sessionEnds, .endClient(Self.client, isForced: true)])
        #expect(answer(&world))
    }

    @Test("the app that is done while the person thinks about it objects no more")
    func done() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(leaves(&world) { $0.handle(.uninhibited(Self.disc), &$1) })
    }

    @Test("other inhibitors keep nobody from logging out")
    func others() {
        var world = World.twoApps()
        world.handle(inhibitor([.suspend, .idle, .switchUser, .automount], of: owner(World.editor)))
        #expect(leaves(&world) { $0.logOut(isForced: false, &$1) })
    }

    @Test("a program says no, and why; then yes")
    func refuses() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(nil, "studio")))
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(!answer(&world, "A film is not saved"))
        #expect(world.life.objections == [LogOutObjection(owner: owner(nil, "studio"), reason: "A film is not saved")])
        #expect(!answer(&world))
        // It is told that the session ends, and has its time.
        #expect(world.effects.suffix(2) == [.sessionEnds, .endClient(Self.client, isForced: false)])
        #expect(answer(&world))
    }

    @Test("one who does not answer in two seconds is named; one who does not end in five is not waited for")
    func silent() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        world.wait(1.9)
        #expect(!world.life.isLogOutStopped)
        world.wait(0.2)
        #expect(world.life.objections == [LogOutObjection(owner: owner(World.player), reason: nil)])
        world.wait(1000)
        #expect(world.life.isLogOutStopped)
        #expect(!leaves(&world) { $0.logOut(isForced: true, &$1) })
        world.now = world.now + 5
        #expect(leaves(&world) { $0.alarmRang(&$1) })
    }

    @Test("S-13: a frozen app is thawed to hear of the end, and frozen again when the person stays")
    func thawed() {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        world.wait(13)
        #expect(world.life.phase(World.editor) == .frozen)
        world.handle(.clientRegistered(Self.client, owner(World.editor)))
        world.effects = []
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(world.effects.first == .thaw(World.editor))
        #expect(!answer(&world, "no"))
        world.wait(100)
        #expect(world.life.phase(World.editor) == .background)
        world.change { $0.cancelLogOut(&$1) }
        world.wait(13)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("law 4: programs that leave are waited for no more")
    func left() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        #expect(!leaves(&world) { $0.logOut(isForced: false, &$1) })
        #expect(leaves(&world) { $0.handle(.clientLeft(Self.client), &$1) })
        // Nobody hears of an end that is over.
        #expect(!leaves(&world) { $0.cancelLogOut(&$1) })
    }
}

@Suite("Instances of apps")
struct AppInstanceTests {
    private func begin(_ app: inout AppInstances, _ fresh: String, comesBack: Bool = false, isAwaited: Bool = false) -> String {
        let (reason, id, _) = app.begin(isComingBack: comesBack, isAwaited: isAwaited, fresh: fresh)
        return "\(reason) \(id)"
    }

    @Test("W-20: an app that crashed has its instance again, and hears that it crashed")
    func crash() {
        var app = AppInstances()
        #expect(begin(&app, "a") == "launch a")
        #expect(begin(&app, "b") == "launch b")
        app.gone("a", isWanted: false)
        #expect(begin(&app, "c") == "recover a")
        app.gone("c", isWanted: false)
        #expect(begin(&app, "d") == "launch d")
    }

    @Test("W-20: an app that was ended for its memory comes back at its place, as it was")
    func wanted() {
        var app = AppInstances()
        _ = begin(&app, "a")
        app.gone("a", isWanted: true)
        // Somebody opens another window of it meanwhile.
        #expect(begin(&app, "b", isAwaited: true) == "launch b")
        #expect(begin(&app, "c", comesBack: true) == "restore a")
        app.gone("a", isWanted: true)
        #expect(begin(&app, "c") == "launch a")
    }

    @Test("W-20: after a crash of the shell everything recovers, after a log-out it is restored", arguments: [true, false])
    func session(isOrderly: Bool) {
        var app = AppInstances()
        _ = (begin(&app, "a"), begin(&app, "b"))
        app = app.kept(isOrderly: isOrderly)
        #expect(!app.isRunning)
        let reason = isOrderly ? "restore" : "recover"
        #expect(begin(&app, "c", comesBack: true) == "\(reason) a")
        #expect(begin(&app, "c", comesBack: true) == "\(reason) b")
        #expect(begin(&app, "c", comesBack: true) == "launch c")
    }

    @Test("W-20: whose place waits does not come back elsewhere")
    func awaited() {
        var app = AppInstances()
        _ = begin(&app, "a")
        app = app.kept(isOrderly: false)
        #expect(begin(&app, "b", isAwaited: true) == "launch b")
        #expect(begin(&app, "c", comesBack: true) == "recover a")
    }

    @Test("who ends it continues it the next time; the state of earlier ones can go")
    func finished() {
        var app = AppInstances()
        _ = (begin(&app, "a"), begin(&app, "b"))
        app.finished("a")
        app.finished("a")
        app.finished("nobody")
        #expect(app.discarded.isEmpty)
        app.finished("b")
        #expect(app.discarded == ["a"] && !app.isRunning && !app.isEmpty)
        #expect(begin(&app, "c") == "launch b")
        app.deleted(["a", "x"])
        #expect(app.discarded.isEmpty)
    }

    @Test("W-20: who is to start without state keeps the instance, whose state it replaces, and restores nothing")
    func pristine() {
        var app = AppInstances()
        #expect(app.begin(isComingBack: false, isAwaited: false, fresh: "a") == (.launch, "a", false))
        app.gone("a", isWanted: false)
        #expect(app.begin(isComingBack: false, isAwaited: false, isPristine: true, fresh: "b") == (.pristine, "a", false))
        app.gone("a", isWanted: false)
        #expect(app.begin(isComingBack: false, isAwaited: false, fresh: "b") == (.recover, "a", true))
        app.finished("a")
        #expect(app.begin(isComingBack: false, isAwaited: false, isPristine: true, fresh: "b") == (.pristine, "a", false))
        app.finished("a")
        #expect(app.begin(isComingBack: false, isAwaited: false, fresh: "b") == (.launch, "a", true))
    }

    @Test("an app that starts and crashes without an end has a bounded number of instances, each with its own id")
    func bounded() {
        var app = AppInstances(), random = RandomLifeTests.Random(state: 5), running: Set<String> = []
        for number in 0..<5000 {
            switch random.next() % 5 {
            case 0: if let id = running.popFirst() { app.gone(id, isWanted: number % 2 == 0) }
            case 1: if let id = running.popFirst() { app.finished(id) }
            default:
                let (_, id, _) = app.begin(isComingBack: random.next() % 2 == 0, isAwaited: random.next() % 2 == 0, fresh: "\(number)")
                #expect(!running.contains(id), "\(id) runs twice")
                running.insert(id)
                running = running.filter { app.reason(of: $0) != nil }
            }
            #expect(running.count <= AppInstances.most && app.discarded.count <= AppInstances.most)
        }
    }
}
