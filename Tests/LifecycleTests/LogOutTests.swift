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

    private static let pad = WindowID(9)

    /// Both apps do what they are told: their windows close.
    private func close(_ world: inout World, _ windows: WindowID...) {
        for window in windows {
            world.change {
                $0.windowWent(window, &$1)
                $0.windowClosed(window, &$1)
            }
        }
    }

    private func logOut(_ world: inout World, isForced: Bool = false) { world.change { $0.logOut(isForced: isForced, &$1) } }

    private func answer(_ world: inout World, _ objection: String? = nil) {
        world.handle(.clientAnswered(Self.client, objection: objection))
    }

    private func asked(toEnd world: World) -> [AppProcess] {
        world.effects.compactMap { if case .askToEnd(let app) = $0 { app } else { nil } }
    }

    // MARK: Inhibitors

    @Test(
        "S-06: an app that must not be interrupted runs on out of sight until it says otherwise",
        arguments: [Inhibitor.Kinds.logOut, .suspend])
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

    @Test("S-13: with nobody who objects, windows close once apps have handed over their state, and the session ends when they are gone")
    func ends() throws {
        var world = World.twoApps(offersState: true)
        logOut(&world)
        guard case .saveState(World.text, let token)? = world.effects.last else {
            Issue.record("the editor is not asked: \(world.effects)")
            return
        }
        #expect(world.closed.isEmpty)
        world.handle(.stateSaved(World.text, token))
        // Who handed over state is not asked to close: it has the window's state no longer then.
        #expect(world.closed == [World.film] && world.leaves == 0 && asked(toEnd: world).isEmpty)
        close(&world, World.film)
        #expect(world.effects.contains(.sessionEnds) && asked(toEnd: world) == [World.editor] && world.leaves == 0)
        close(&world, World.page)
        #expect(world.leaves == 1 && world.life.violations().isEmpty)
    }

    @Test(
        "law 5: an app that asks a question is named at once, one whose windows stay after two seconds, and no app ends before the person says so"
    )
    func questions() {
        var world = World.twoApps()
        logOut(&world)
        #expect(world.closed == [World.page, World.film] && !world.life.isLogOutStopped)
        world.change { $0.windowCame(Self.pad, of: World.editor, name: "editor", &$1) }
        #expect(
            world.life.isLogOutStopped
                && world.life.objections == [LogOutObjection(owner: owner(World.editor, "editor"), .asks, window: Self.pad)])
        world.wait(2.1)
        #expect(world.life.objections.map(\.cause) == [.asks, .stays] && world.life.objections.last?.window == World.film)
        world.wait(1000)
        #expect(world.life.isLogOutStopped && asked(toEnd: world).isEmpty && world.life.secondsLeft(at: world.now) == nil)
        // The question is answered, and the window goes; then the other one.
        close(&world, Self.pad)
        #expect(world.life.objections.map(\.cause) == [.stays, .stays])
        close(&world, World.page)
        #expect(world.life.objections.map(\.owner.process) == [World.player] && !world.effects.contains(.sessionEnds))
        close(&world, World.film)
        #expect(world.leaves == 1 && world.life.violations().isEmpty)
    }

    @Test("apps that stay are told to end when the person says so, see five seconds, and are ended then")
    func anyway() {
        var world = World.twoApps()
        logOut(&world)
        world.wait(2.1)
        logOut(&world, isForced: true)
        #expect(asked(toEnd: world) == [World.editor, World.player] && world.life.isSessionEnding)
        #expect(world.life.remaining.map(\.owner.process) == [World.editor, World.player])
        close(&world, World.film)
        #expect(world.life.remaining.map(\.owner.process) == [World.editor])
        for left in (1...5).reversed() {
            #expect(world.life.secondsLeft(at: world.now) == left && world.leaves == 0 && world.alarm == world.now + 1)
            world.wait(1)
        }
        #expect(world.leaves == 1 && world.effects.last == .endByForce(World.editor) && !world.effects.contains(.endByForce(World.player)))
        #expect(world.life.violations().isEmpty)
    }

    @Test(
        "law 5: a program that writes a file when its windows are gone has two seconds more before it is told to end",
        arguments: [true, false])
    func writes(ends: Bool) {
        var world = World.twoApps()
        world.programs = [World.editor]
        logOut(&world)
        close(&world, World.page, World.film)
        #expect(world.leaves == 0 && !world.effects.contains(.sessionEnds) && world.alarm != nil)
        world.wait(1.9)
        #expect(world.leaves == 0 && !world.life.isLogOutStopped)
        if ends { world.change { $0.programEnded(World.editor, &$1) } } else { world.wait(0.2) }
        #expect(world.leaves == 1 && world.life.violations().isEmpty)
    }

    @Test("who says it twice does not wait")
    func twice() {
        var world = World.twoApps()
        logOut(&world, isForced: true)
        #expect(world.closed.isEmpty && world.leaves == 0)
        logOut(&world, isForced: true)
        #expect(world.leaves == 1)
    }

    @Test("a person who stays keeps what has not closed; a second log-out asks again")
    func again() {
        var world = World.twoApps()
        logOut(&world)
        world.change { $0.windowCame(Self.pad, of: World.editor, name: "editor", &$1) }
        close(&world, World.film)
        world.change { $0.cancelLogOut(&$1) }
        #expect(!world.life.isLoggingOut && world.life.violations().isEmpty)
        world.wait(100)
        logOut(&world)
        #expect(world.closed == [World.page, World.film, World.page, Self.pad] && world.leaves == 0)
        // What came before counts as no answer.
        #expect(!world.life.isLogOutStopped)
    }

    @Test("an inhibitor of log-out names its app and why; the person stays, or ends the session all the same")
    func objects() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        logOut(&world)
        #expect(
            world.life.isLogOutStopped && world.life.objections == [LogOutObjection(owner: owner(World.editor), .says("Burning a disc"))])
        #expect(world.effects.first == .queryEnd(Self.client))
        world.change { $0.cancelLogOut(&$1) }
        #expect(world.effects.last == .cancelEnd(Self.client) && !world.life.isLoggingOut)

        logOut(&world)
        // A window that has closed does not come back, so none is asked before the person decides.
        #expect(world.closed.isEmpty)
        logOut(&world, isForced: true)
        #expect(world.effects.suffix(3) == [.sessionEnds, .endClient(Self.client, isForced: true), .askToEnd(World.editor)])
        answer(&world)
        #expect(world.effects.last == .askToEnd(World.player))
        close(&world, World.page, World.film)
        #expect(world.leaves == 1)
    }

    @Test("the app that is done while the person thinks about it objects no more")
    func done() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        logOut(&world)
        world.handle(.uninhibited(Self.disc))
        #expect(world.closed == [World.page, World.film])
        close(&world, World.page, World.film)
        #expect(world.leaves == 1)
    }

    @Test("other inhibitors keep nobody from logging out")
    func others() {
        var world = World.twoApps()
        world.handle(inhibitor([.suspend, .idle, .switchUser, .automount], of: owner(World.editor)))
        logOut(&world)
        close(&world, World.page, World.film)
        #expect(world.leaves == 1)
    }

    @Test("a program says no, and why; then yes")
    func refuses() {
        var world = World()
        world.handle(.clientRegistered(Self.client, owner(nil, "studio")))
        logOut(&world)
        answer(&world, "A film is not saved")
        #expect(world.life.objections == [LogOutObjection(owner: owner(nil, "studio"), .says("A film is not saved"))])
        answer(&world)
        // It is told that the session ends, and has its time.
        #expect(world.effects.suffix(2) == [.sessionEnds, .endClient(Self.client, isForced: false)] && world.leaves == 0)
        answer(&world)
        #expect(world.leaves == 1)
    }

    @Test("one who does not answer in two seconds is named; one who does not end in five is not waited for")
    func silent() {
        var world = World.twoApps()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        logOut(&world)
        world.wait(1.9)
        #expect(!world.life.isLogOutStopped)
        world.wait(0.2)
        #expect(world.life.objections == [LogOutObjection(owner: owner(World.player), .doesNotAnswer)])
        world.wait(1000)
        #expect(world.life.isLogOutStopped)
        logOut(&world, isForced: true)
        #expect(world.closed == [World.page] && world.leaves == 0)
        close(&world, World.page)
        world.wait(4.9)
        #expect(world.leaves == 0)
        world.wait(0.2)
        #expect(world.leaves == 1)
    }

    @Test("law 5: who ends the session over an objection hears of each app that asks only then, and ends it over that one, too")
    func overruled() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.player)))
        logOut(&world)
        #expect(world.life.isLogOutStoppedEarly && world.closed.isEmpty)
        logOut(&world, isForced: true)
        // The one that a person read of is asked nothing, and loses nothing before the others have answered.
        #expect(world.closed == [World.page] && !world.life.isLogOutStopped && !world.effects.contains(.sessionEnds))
        world.change { $0.windowCame(Self.pad, of: World.editor, name: "editor", &$1) }
        #expect(world.life.objections == [LogOutObjection(owner: owner(World.editor, "editor"), .asks, window: Self.pad)])
        #expect(world.life.isLogOutStopped && !world.life.isLogOutStoppedEarly && asked(toEnd: world).isEmpty)
        logOut(&world, isForced: true)
        #expect(asked(toEnd: world) == [World.editor, World.player])
        close(&world, Self.pad, World.page, World.film)
        #expect(world.leaves == 1 && world.life.violations().isEmpty)
    }

    @Test("law 5: a person who stays is asked about every app again")
    func staysAfterAll() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.player)))
        logOut(&world)
        logOut(&world, isForced: true)
        world.change { $0.windowCame(Self.pad, of: World.editor, name: "editor", &$1) }
        world.change { $0.cancelLogOut(&$1) }
        logOut(&world)
        #expect(world.life.objections == [LogOutObjection(owner: owner(World.player), .says("Burning a disc"))])
        #expect(world.closed == [World.page] && world.life.violations().isEmpty)
    }

    @Test("S-13: a frozen app is thawed to hear of the end, and frozen again when the person stays")
    func thawed() {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        world.wait(13)
        #expect(world.life.phase(World.editor) == .frozen)
        world.handle(.clientRegistered(Self.client, owner(World.editor)))
        world.effects = []
        logOut(&world)
        #expect(world.effects.first == .thaw(World.editor))
        answer(&world, "no")
        world.wait(100)
        #expect(world.life.phase(World.editor) == .background)
        world.change { $0.cancelLogOut(&$1) }
        world.wait(13)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("law 4: programs that leave are waited for no more")
    func left() {
        var world = World()
        world.handle(.clientRegistered(Self.client, owner(World.player)))
        logOut(&world)
        world.handle(.clientLeft(Self.client))
        #expect(world.leaves == 1)
        // Nobody hears of an end that is over.
        let count = world.effects.count
        world.change { $0.cancelLogOut(&$1) }
        #expect(world.effects.count == count)
    }

    // MARK: Shutdown

    @Test("S-13: before the machine is switched off, windows are asked at once; it waits at most four seconds, whoever objects")
    func shutdown() {
        var world = World.twoApps()
        world.handle(inhibitor(.logOut, of: owner(World.editor)))
        world.change { $0.shutDown(&$1) }
        #expect(world.closed == [World.page, World.film])
        // A person sees who objects, and cannot stay.
        #expect(world.life.objections.count == 1 && !world.life.isLogOutStopped && world.life.secondsLeft(at: world.now) == 4)
        world.change { $0.cancelLogOut(&$1) }
        #expect(world.life.isShuttingDown)
        world.wait(2.9)
        #expect(asked(toEnd: world).isEmpty)
        world.wait(0.2)
        #expect(asked(toEnd: world) == [World.editor, World.player] && world.readies == 0)
        world.wait(1)
        #expect(world.readies == 1 && world.leaves == 0 && world.life.violations().isEmpty)
        // The machine ends what is left.
        #expect(!world.effects.contains(.endByForce(World.editor)))
    }

    @Test("the machine does not wait once all windows are gone, and stays on if that is called off", arguments: [true, false])
    func shutdownSoon(isCalledOff: Bool) {
        var world = World.twoApps()
        world.change { $0.shutDown(&$1) }
        close(&world, World.page)
        if isCalledOff {
            world.change { $0.staysOn(&$1) }
            #expect(!world.life.isLoggingOut && world.readies == 0)
        } else {
            close(&world, World.film)
            #expect(world.readies == 1)
        }
        #expect(world.life.violations().isEmpty && world.leaves == 0)
    }

    @Test("a shutdown during a log-out goes on with it, and waits no longer")
    func shutdownMeanwhile() {
        var world = World.twoApps()
        logOut(&world)
        world.wait(10)
        #expect(world.life.isLogOutStopped)
        world.change { $0.shutDown(&$1) }
        #expect(world.closed == [World.page, World.film] && !world.life.isLogOutStopped)
        world.wait(4.1)
        #expect(world.readies == 1 && world.leaves == 0)
    }

    @Test("a session that ends and goes on after all tells so")
    func goesOn() {
        var world = World.twoApps()
        world.change { $0.shutDown(&$1) }
        world.wait(3.5)
        #expect(world.effects.contains(.sessionEnds))
        world.change { $0.staysOn(&$1) }
        #expect(world.effects.contains(.sessionGoesOn) && !world.life.isLoggingOut && world.life.violations().isEmpty)
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
