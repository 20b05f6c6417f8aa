import Geometry
import Testing
import Windows

@testable import Lifecycle

/// A small world of apps and windows, driven by hand.
struct World {
    var life = Lifecycle()
    var now = Moment.zero
    /// Without those in `kernel`.
    var effects: [LifecycleEffect] = []
    /// What only the kernel is told: scopes, and who is ended first when memory runs out.
    var kernel: [LifecycleEffect] = []
    var silenced: [AppProcess] = []
    var unsilenced: [AppProcess] = []
    var alarm: Moment?
    /// Processes that the shell launched.
    var programs: Set<AppProcess> = []
    /// The windows that were asked to close.
    var closed: [WindowID] = []
    /// How often the session ended, and the machine was let off.
    var leaves = 0, readies = 0

    static let editor = AppProcess(100), player = AppProcess(200)
    static let page = WindowID(1), film = WindowID(2)
    /// What the editor offers.
    static let text = StateID(1)

    /// An editor in front of a player.
    static func twoApps(offersState: Bool = false) -> World {
        var world = World()
        world.change { $0.windowCame(page, of: editor, name: "editor", &$1) }
        world.change { $0.windowCame(film, of: player, name: "player", &$1) }
        if offersState { world.handle(.stateOffered(text, editor)) }
        world.look(page)
        return world
    }

    mutating func change(_ body: (inout Lifecycle, inout Lifecycle.Turn) -> Void) {
        var turn = Lifecycle.Turn(at: now)
        body(&life, &turn)
        if turn.asksWindows {
            turn.asksWindows = false
            let asked = life.apps.filter { !life.endsByItself($0.key) }.flatMap { id, app in
                app.windows.map { ($0, SessionOwner(process: id, name: app.name)) }
            }
            closed += asked.map(\.0)
            life.windowsAsked(asked, programs: programs, &turn)
        }
        if turn.leaves { leaves += 1 }
        if turn.isReady { readies += 1 }
        for effect in turn.effects {
            switch effect {
            case .adopt, .standing, .watchMemory: kernel.append(effect)
            default: effects.append(effect)
            }
        }
        silenced += turn.silenced
        unsilenced += turn.unsilenced
        if let alarm = turn.alarm { self.alarm = alarm }
    }

    mutating func look(_ windows: WindowID...) {
        change { $0.seen(windows, active: windows.first, &$1) }
    }

    mutating func handle(_ event: LifecycleEvent) { change { $0.handle(event, &$1) } }

    /// Time passes; the timer rings when it is due, and freezes succeed at once.
    mutating func wait(_ seconds: Double, freezes: Bool = true) {
        let end = now + seconds
        while let due = alarm, due <= end {
            now = max(now, due)
            alarm = nil
            let before = effects.count
            change { $0.alarmRang(&$1) }
            guard freezes else { continue }
            for case .freeze(let id) in effects[before...] { handle(.frozen(id)) }
        }
        now = end
    }

    mutating func phase(_ id: AppProcess) -> AppPhase? { life.phase(id) }
}

@Suite("The life of apps")
struct LifecycleTests {
    @Test("S-03, S-08: an app out of sight is frozen after its grace, and not a moment before")
    func grace() {
        var world = World.twoApps()
        world.look(World.film)
        #expect(world.life.phase(World.editor) == .background)
        world.wait(9.9)
        #expect(world.life.phase(World.editor) == .background)
        world.wait(0.2)
        #expect(world.life.phase(World.editor) == .frozen)
        #expect(world.effects.filter { $0 == .freeze(World.editor) }.count == 1)
        #expect(world.life.phase(World.player) == .active)
    }

    @Test("S-05: a game is paused as soon as it is out of sight, with or without sound, and hands over its state first")
    func game() {
        var world = World.twoApps(offersState: true)
        world.life.games = ["editor"]
        world.look(World.film)
        #expect(world.life.phase(World.editor) == .saving, "it is asked for its state")
        world.wait(2.1)
        #expect(world.life.phase(World.editor) == .frozen)
        var silent = World.twoApps()
        silent.life.games = ["editor"]
        silent.look(World.film)
        silent.wait(0.1)
        #expect(silent.life.phase(World.editor) == .frozen)
        silent.look(World.page)
        #expect(silent.life.phase(World.editor) == .active)
        // An app with the same name in other letters is the same game; another app has its grace.
        silent.look(World.page)
        silent.wait(5)
        #expect(silent.life.phase(World.player) == .background)
        #expect(silent.life.violations() == [])
    }

    @Test("S-03: an app with an open X11 menu is not frozen before the menu is gone, as it would keep the input of all X11 programs")
    func openMenu() {
        var world = World.twoApps()
        world.change { $0.setMenus([World.page], &$1) }
        world.look(World.film)
        world.wait(60)
        #expect(world.life.phase(World.editor) == .background)
        world.change { $0.setMenus([], &$1) }
        world.wait(9.9)
        #expect(world.life.phase(World.editor) == .background, "its grace begins now")
        world.wait(0.2)
        #expect(world.life.phase(World.editor) == .frozen)
        // One that opens while the app is about to be frozen stops that.
        world.look(World.page)
        world.look(World.film)
        world.wait(9.9)
        world.wait(0.2, freezes: false)
        #expect(world.life.phase(World.editor) == .freezing)
        world.change { $0.setMenus([World.page], &$1) }
        #expect(world.life.phase(World.editor) == .background)
        #expect(world.life.violations() == [])
    }

    @Test("S-03: in sight again it runs at once, and is told how long it stood still")
    func back() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(30)
        world.effects = []
        world.look(World.page)
        #expect(world.effects.first == .thaw(World.editor))
        guard case .resumed(World.editor, let seconds)? = world.effects.last(where: { if case .resumed = $0 { true } else { false } })
        else {
            Issue.record("nothing was resumed: \(world.effects)")
            return
        }
        #expect(abs(seconds - 19.94) < 0.01)
        #expect(world.life.phase(World.editor) == .active)
    }

    @Test("sound ends before the freeze and goes on after it")
    func silence() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(10.01)
        #expect(world.silenced == [World.editor])
        #expect(!world.effects.contains(.freeze(World.editor)))
        world.wait(0.1)
        #expect(world.effects.contains(.freeze(World.editor)))
        world.look(World.page)
        #expect(world.unsilenced == [World.editor])
    }

    @Test("back in sight before the freeze was reported, it is thawed all the same")
    func backWhileFreezing() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(10.2, freezes: false)
        #expect(world.life.phase(World.editor) == .freezing)
        world.look(World.page)
        #expect(world.effects.last == .thaw(World.editor))
        // The report comes late.
        world.handle(.frozen(World.editor))
        #expect(world.life.phase(World.editor) == .active)
    }

    @Test("S-13: an app is asked for its state when it goes out of sight, and again before the freeze")
    func state() throws {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        let first = try #require(world.savedToken)
        world.handle(.stateSaved(World.text, first))
        world.wait(10.001)
        #expect(world.life.phase(World.editor) == .saving)
        let second = try #require(world.savedToken)
        #expect(second != first)
        // An answer to the first request is none to the second.
        world.handle(.stateSaved(World.text, first))
        #expect(world.life.phase(World.editor) == .saving)
        world.handle(.stateSaved(World.text, second))
        #expect(world.life.phase(World.editor) == .freezing)
        world.wait(0.1)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("a client that never hands over its state is frozen without it, after two seconds")
    func noState() {
        var world = World.twoApps(offersState: true)
        world.look(World.film)
        world.wait(11.9)
        #expect(world.life.phase(World.editor) == .saving)
        world.wait(0.2)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("a freeze that fails leaves the app running, says why, and is tried again")
    func failure() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(10.1, freezes: false)
        world.handle(.freezeFailed(World.editor, reason: "no rights"))
        #expect(world.life.phase(World.editor) == .background)
        #expect(world.life.reasons(World.editor) == [.failed("no rights")])
        #expect(world.unsilenced == [World.editor])
        world.effects = []
        world.wait(29)
        #expect(world.effects.isEmpty)
        world.wait(12)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("S-06: what is heard, recorded or called goes on; when that ends, its time begins")
    func reasons() {
        for reason in [AwakeReason.sound, .recording, .call, .pictureInPicture] {
            var world = World.twoApps()
            world.change { $0.setReasons([World.editor: [reason]], &$1) }
            world.look(World.film)
            world.wait(600)
            #expect(world.life.phase(World.editor) == .background)
            #expect(world.life.reasons(World.editor) == [reason])
            world.change { $0.setReasons([:], &$1) }
            world.wait(9.9)
            #expect(world.life.phase(World.editor) == .background)
            world.wait(0.2)
            #expect(world.life.phase(World.editor) == .frozen)
        }
    }

    @Test("S-06: what is heard, recorded, called or shown at the side can be stopped, and begins again when its app was in sight")
    func stopped() {
        for reason in [AwakeReason.sound, .recording, .call, .pictureInPicture] {
            var world = World.twoApps()
            var isStopped = false
            world.change { isStopped = $0.stop(app: "editor", &$1) }
            #expect(!isStopped, "it is in sight")
            world.change { $0.setReasons([World.editor: [reason]], &$1) }
            world.look(World.film)
            world.wait(60)
            world.change { isStopped = $0.stop(app: "editor", &$1) }
            #expect(isStopped && world.life.reasons(World.editor).isEmpty)
            world.change { isStopped = $0.stop(app: "editor", &$1) }
            #expect(!isStopped, "it is stopped already")
            world.wait(0.2)
            #expect(world.life.phase(World.editor) == .frozen && world.silenced == [World.editor], "without the grace period")
            world.look(World.page)
            world.look(World.film)
            world.wait(60)
            #expect(world.life.reasons(World.editor) == [reason] && world.life.phase(World.editor) == .background)
        }
    }

    @Test("S-06: an app that the person allowed by a portal runs until they stop it, and the portal learns of it")
    func allowed() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        #expect(world.life.phase(World.editor) == .frozen)
        world.handle(.backgroundAllowed(["editor"]))
        #expect(world.effects.contains(.thaw(World.editor)) && world.life.reasons(World.editor) == [.allowed])
        world.wait(60)
        #expect(world.life.phase(World.editor) == .background)
        world.change { _ = $0.stop(app: "editor", &$1) }
        #expect(world.effects.contains(.forbidBackground("editor")) && world.life.reasons(World.editor).isEmpty)
        world.wait(0.2)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("S-06: an app that is stopped and has a task finishes it")
    func stoppedWithTask() {
        var world = World.twoApps()
        world.handle(.taskBegan(TaskID(1), World.editor, name: "Export"))
        world.change { $0.setReasons([World.editor: [.sound]], &$1) }
        world.look(World.film)
        world.change { _ = $0.stop(app: "editor", &$1) }
        world.wait(1)
        #expect(world.life.phase(World.editor) == .background)
        world.handle(.taskEnded(TaskID(1)))
        world.wait(9.9)
        #expect(world.life.phase(World.editor) == .background)
        world.wait(0.2)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("an app that a person keeps running is never frozen; one that was frozen goes on when they say so")
    func kept() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        world.change { $0.configure($0.rules, LifecyclePreferences(kept: ["editor"]), &$1) }
        #expect(world.effects.contains(.thaw(World.editor)))
        world.wait(100)
        #expect(world.life.phase(World.editor) == .background)
        #expect(world.life.reasons(World.editor) == [.kept])
    }

    @Test("S-05: where hidden windows go on, nothing is frozen")
    func mac() {
        var rules = LifecycleRules()
        rules.freezesHidden = false
        var world = World.twoApps()
        world.change { $0.configure(rules, LifecyclePreferences(), &$1) }
        world.look(World.film)
        world.wait(1000)
        #expect(world.effects.isEmpty)
    }

    @Test("somebody calls a frozen app: it runs for a while, and is frozen again")
    func called() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        world.effects = []
        world.handle(.called(World.editor))
        #expect(world.effects.first == .thaw(World.editor))
        #expect(world.life.reasons(World.editor) == [.called])
        world.wait(5)
        #expect(world.life.phase(World.editor) == .background)
        world.wait(10.1)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("a connection that fills is drained for a moment")
    func drained() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        world.handle(.connectionFills(World.editor))
        #expect(world.life.phase(World.editor) == .background)
        world.wait(0.06)
        #expect(world.life.reasons(World.editor).isEmpty)
    }

    @Test("the last window goes: the app is forgotten, and runs")
    func lastWindow() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        world.change { $0.windowWent(World.page, &$1) }
        #expect(world.effects.contains(.thaw(World.editor)))
        #expect(world.life.apps[World.editor] == nil)
        #expect(world.life.violations().isEmpty)
    }

    @Test("S-06: a notification that is used wakes every frozen app for a while, and no other")
    func notification() {
        var world = World.twoApps()
        world.look(World.film)
        world.wait(20)
        world.effects = []
        world.handle(.notificationUsed)
        #expect(world.effects.contains(.thaw(World.editor)))
        #expect(world.life.reasons(World.editor) == [.called] && world.life.reasons(World.player).isEmpty)
        world.wait(20)
        #expect(world.life.phase(World.editor) == .frozen)
    }

    @Test("memory: some pressure warns, critical pressure ends the frozen app used longest ago, never another")
    func memory() {
        var world = World.twoApps()
        let third = AppProcess(300)
        world.change { $0.windowCame(WindowID(3), of: third, name: "third", &$1) }
        world.look(WindowID(3))
        world.look(World.film)
        world.wait(20)
        world.effects = []
        world.handle(.memoryPressure(.some))
        #expect(world.effects.isEmpty, "frozen apps cannot hear it")
        world.handle(.memoryPressure(.critical))
        #expect(world.effects == [.kill(World.editor)])
        world.handle(.memoryPressure(.critical))
        #expect(world.effects == [.kill(World.editor), .kill(third)])
        world.handle(.memoryPressure(.critical))
        #expect(world.effects.count == 2, "what runs is never ended")
    }

    @Test("S-04: an app that started without its state gets it back again once it handed over a new one")
    func withheld() {
        var world = World.twoApps(offersState: true)
        world.change { life, _ in life.withholdState(from: "editor") }
        #expect(world.life.crashes.withheld == ["editor"])
        world.look(World.film)
        for case .saveState(let state, let token) in world.effects { world.handle(.stateSaved(state, token)) }
        #expect(world.life.crashes.withheld == [])
    }

    @Test("memory: the app that a person listened to last is not ended")
    func nowPlaying() {
        var world = World.twoApps()
        world.change { $0.setReasons([:], nowPlaying: World.editor, &$1) }
        world.look(World.film)
        world.wait(20)
        world.effects = []
        world.handle(.memoryPressure(.critical))
        #expect(world.effects.isEmpty)
    }

    @Test(
        "who a window belongs to: a launch and all that it started, or else the client",
        arguments: [
            ([20], [20], [], 20),
            // A wrapper script.
            ([21, 20], [20], [], 20),
            // Started in a terminal, which was launched and has windows.
            ([23, 22, 20], [20], [20], 23),
            // A second window of a launched program.
            ([20], [20], [20], 20),
            // Nobody launched it.
            ([30, 5], [20], [20], 30),
        ] as [([Int32], Set<Int32>, Set<Int32>, Int32)])
    func heads(_ lineage: [Int32], _ launches: Set<Int32>, _ clients: Set<Int32>, _ head: Int32) {
        #expect(AppProcess.of(lineage: lineage, launches: launches, clients: clients) == AppProcess(head))
        #expect(AppProcess.of(lineage: [], launches: launches, clients: clients) == nil)
    }
}

extension World {
    var savedToken: SaveToken? {
        for case .saveState(World.text, let token) in effects.reversed() { return token }
        return nil
    }
}
