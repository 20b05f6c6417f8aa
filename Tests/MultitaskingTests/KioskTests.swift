import Geometry
import Interface
import Lifecycle
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

/// One app and no way out of it.
@Suite("An idiom that offers one app") struct KioskTests {
    private let one = WindowID(1)

    private func world() -> CoreWorld {
        var world = CoreWorld(idiom: .kiosk)
        CoreOp.apps(6).apply(to: &world)
        world.send(.beginsWith(["editor"]))
        world.send(.launched(LaunchID(1), process: 101))
        world.open(1, CoreOp.facts(1, parent: nil, app: 0))
        world.rest()
        return world
    }

    private func launches(_ world: CoreWorld) -> Int {
        world.effects.count { if case .program(.launch(_, ["editor"], _)) = $0 { true } else { false } }
    }

    @Test("every action that leaves the app is refused, by its name")
    func actions() {
        let leaving: [Action] = [
            .home, .appSwitcher, .controlCentre, .notifications, .dock, .search(text: "a"), .appMenu(app: "editor"), .keyHelp, .close(),
            .focusNext, .nextSpace, .openApp(app: "clock"), .newWindow(), .launch(command: ["foot"]), .idiom("pad"), .quit, .quitAnyway,
            .openWaiting(), .endApp(window: WindowID(1)), .pictureInPicture(), .darkAppearance(true),
        ]
        var world = world()
        for action in leaving {
            let effects = world.act(action)
            #expect(effects.contains { if case .session(.refuse) = $0 { true } else { false } }, "\(action)")
            #expect(world.workspace.focus == one && world.interface.openNames == [], "\(action)")
        }
        #expect(world.act(.home) == [.refuse(Refusal("the idiom kiosk does not offer home"))])
    }

    @Test("random fingers, buttons and keys never leave the app")
    func monkey() {
        var random = SeededGenerator(seed: TestSeed.first)
        var world = world()
        let size = world.workspace.screen!.size
        func spot(_ random: inout SeededGenerator) -> Point {
            // Half of them at the edges, where gestures begin.
            let x = Double.random(in: 0..<size.width, using: &random), y = Double.random(in: 0..<size.height, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return Point(x, size.height - 1)
            case 1: return Point(x, 1)
            case 2: return Point(Bool.random(using: &random) ? 1 : size.width - 1, y)
            default: return Point(x, y)
            }
        }
        let keys: [KeyChord] =
            KeyBinding.standard.map(\.chord) + ["Escape", "Tab", "Return", "Home", "XF86Back", "XF86HomePage", "Delete", "space"]
        for round in 0..<(TestSeed.isSlow ? 4000 : 500) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let finger = Int32.random(in: 0..<3, using: &random)
                world.touch(finger, down: spot(&random))
                for _ in 0..<3 { world.slide(finger, to: spot(&random), over: 60, steps: 3) }
                world.lift(finger)
            case 1:
                world.point(at: spot(&random))
                world.send(.pointerButton(0x110, pressed: true))
                world.point(at: spot(&random))
                world.wait(40)
                world.send(.pointerButton(0x110, pressed: false))
            case 2:
                for pressed in [true, false] {
                    world.send(.key(code: 125, symbol: .leftSuper, pressed: pressed, modifiers: pressed ? [] : .super))
                    if pressed { world.wait(1200) }
                }
            default:
                let chord = keys.randomElement(using: &random)!
                for pressed in [true, false] {
                    world.send(.key(code: chord.symbol.rawValue & 0xff, symbol: chord.symbol, pressed: pressed, modifiers: chord.modifiers))
                }
            }
            #expect(world.workspace.isShown(one) && !world.workspace.isHome && world.interface.openNames == [], "in round \(round)")
            guard world.workspace.isShown(one), world.interface.openNames == [] else { return }
        }
        world.rest()
        #expect(world.workspace.focus == one && world.problems == [])
    }

    @Test("an app that ends is started again; one that fails again and again is tried more seldom")
    func again() {
        var world = world()
        #expect(launches(world) == 1)
        world.wait(20_000)
        world.disconnect(one)
        world.send(.launchEnded(LaunchID(1), status: 0))
        world.wait(1100)
        #expect(launches(world) == 2)
        world.send(.launchEnded(LaunchID(2), status: 1))
        world.act(.dismiss)
        let before = launches(world)
        world.wait(60_000)
        let tries = launches(world) - before
        #expect(tries >= 1 && tries <= 6, "\(tries) tries in a minute")
        #expect(!world.workspace.showsHome, "an empty screen offers no apps")
    }

    @Test("an app that hides its window, between a splash and a login for example, is not started twice", arguments: [true, false])
    func hides(isDestroyed: Bool) {
        var world = hiding()
        if isDestroyed { world.destroy(nine) } else { world.unmap(nine) }
        #expect(world.interface.startNote?.isAgain == false)
        world.wait(10_000)
        #expect(launches(world) == 1)
        if isDestroyed { world.create(9, Self.hiding) }
        world.map(9)
        #expect(world.workspace.focus == nine && world.interface.startNote == nil)
        // It stays away: better another one than an empty screen for ever.
        if isDestroyed { world.destroy(nine) } else { world.unmap(nine) }
        world.wait(31_000)
        #expect(launches(world) == 2)
        #expect(world.problems == [])
    }

    @Test("an app that hid its window, and then ends, is started again at once")
    func hidesAndEnds() {
        var world = hiding()
        world.unmap(nine)
        world.wait(5000)
        world.disconnect(nine)
        world.send(.launchEnded(LaunchID(1), status: 0))
        world.wait(1100)
        #expect(launches(world) == 2)
        #expect(world.problems == [])
    }

    private let nine = WindowID(9)
    private static let hiding = WindowFacts(appID: "editor", title: "Editor", lineage: [101, 1], client: 9)

    /// The app shows its window with a connection of its own.
    private func hiding() -> CoreWorld {
        var world = CoreWorld(idiom: .kiosk)
        CoreOp.apps(6).apply(to: &world)
        world.send(.beginsWith(["editor"]))
        world.send(.launched(LaunchID(1), process: 101))
        world.create(9, Self.hiding)
        world.map(9)
        world.wait(20_000)
        return world
    }

    @Test("W-20: after a crash of the shell the app fills the screen again, and does not stand on its own picture")
    func afterCrash() {
        var before = world()
        before.send(.programKnown(AppProcess(101), command: ["editor"], directory: nil))
        before.wait(3000)
        let kept = before.system.kept
        #expect(kept.windows.count == 1)
        var world = CoreWorld(idiom: .kiosk, keepsHistory: true)
        CoreOp.apps(6).apply(to: &world)
        world.send(.restored(kept, first: WindowID(50)))
        world.send(.beginsWith(["editor"]))
        world.wait(200)
        let started = world.effects.compactMap { effect -> LaunchID? in
            switch effect {
            case .program(.launch(let id, _, _)), .program(.relaunch(let id, _, _)): id
            default: nil
            }
        }
        #expect(started.count == 1)
        for id in started { world.send(.launched(id, process: 202)) }
        world.create(1, WindowFacts(appID: "editor", title: "Editor", lineage: [202, 1], client: 5))
        world.map(1)
        world.rest()
        #expect(
            world.workspace.windows.values.map(\.id) == [one] && world.workspace.shownRoots == [one]
                && world.workspace[one]?.facts.parent == nil)
        #expect(world.workspace.waiting == [] && world.finish() == [])
    }

    @Test("it is started again when its window goes, though windows of a session before are there")
    func againBesideOthers() {
        var world = world()
        world.open(2, CoreOp.facts(2, parent: nil, app: 3))
        world.wait(20_000)
        world.disconnect(one)
        world.send(.launchEnded(LaunchID(1), status: 0))
        world.wait(1100)
        #expect(launches(world) == 2)
        world.wait(1100)
        world.create(3, WindowFacts(appID: "editor", title: "", lineage: [102, 1], client: 3))
        world.send(.launched(LaunchID(2), process: 102))
        world.map(3)
        world.rest()
        #expect(world.workspace.focus == WindowID(3))
        world.wait(60_000)
        #expect(launches(world) == 2, "it is there")
    }

    @Test("a notification is kept, but shows no banner, makes no sound, and opens nothing")
    func notifications() {
        var world = world()
        var content = NoticeContent(app: "app2", name: "Calculator", title: "Tap me", body: "")
        content.hasDefault = true
        let effects = world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: 1_800_000_000)))
        #expect(!effects.contains { if case .audio(.playSound) = $0 { true } else { false } })
        world.wait(500)
        #expect(world.interface.openNames == [] && world.system.notices.listed.map(\.id) == [NoticeID(1)])
        #expect(!world.system.items(at: world.now).contains { "\($0.key)".contains("unread") })
        for act in [NoticeAct.open(NoticeID(1)), .press(notice: NoticeID(1), button: "default"), .clearAll] {
            #expect(world.act(.notice(act)) == [.refuse(Refusal("the idiom kiosk does not offer notifications"))])
        }
        world.send(.notice(.absent(app: "app2")))
        world.wait(2000)
        #expect(world.workspace.focus == one && world.effects.count { if case .program(.launch) = $0 { true } else { false } } == 1)
        #expect(world.finish() == [])
    }

    @Test("where notifications are offered, but not other apps, a tap opens none")
    func otherApps() {
        var idiom = Idiom.kiosk
        idiom.offers = [.notifications]
        var world = CoreWorld(idiom: idiom)
        CoreOp.apps(6).apply(to: &world)
        world.open(1, CoreOp.facts(1, parent: nil, app: 0))
        world.rest()
        let own = world.workspace[one]!.app
        for (id, app) in [(1, "app2"), (2, own)] as [(UInt32, String)] {
            var content = NoticeContent(app: app, name: app, title: "Tap me", body: "")
            content.hasDefault = true
            world.send(.notice(.notify(NoticeID(id), content, sender: ":1.5", at: 1_800_000_000)))
        }
        #expect(world.act(.notice(.open(NoticeID(1)))) == [.refuse(Refusal("the idiom kiosk does not offer opening"))])
        let effects = world.act(.notice(.open(NoticeID(2))))
        #expect(effects.contains { if case .notice(.invoked(NoticeID(2), _, _)) = $0 { true } else { false } }, "its own app is told")
        #expect(world.workspace.focus == one && world.finish() == [])
    }

    @Test("W-20: a session that ended at the home screen begins with its last window", arguments: [Idiom.pad, .kiosk])
    func endedAtHome(last: Idiom) {
        var before = CoreWorld(idiom: .pad)
        before.send(.idiomsKnown([.pad, .kiosk]))
        before.open(1)
        before.send(.programKnown(AppProcess(101), command: ["editor"], directory: nil))
        before.act(.home)
        before.rest()
        var kept = before.system.kept
        #expect(kept.isHome)
        // Another idiom of this name may have offered a home screen.
        if last == .kiosk { kept.idiom = "kiosk" }
        var preferences = Preferences()
        preferences.idiom = .fixed("kiosk")
        var world = CoreWorld(idiom: .kiosk, preferences: preferences)
        world.send(.idiomsKnown([.pad, .kiosk]))
        world.send(.restored(kept, first: WindowID(50)))
        world.rest()
        #expect(!world.workspace.isHome && world.workspace.focus != nil && world.problems == [])
    }

    @Test("on the pad, nothing is started again")
    func pad() {
        var world = CoreWorld()
        world.send(.beginsWith(["editor"]))
        world.send(.launched(LaunchID(1), process: 101))
        world.send(.launchEnded(LaunchID(1), status: 0))
        world.wait(60_000)
        #expect(launches(world) == 1)
    }

    @Test("keys for consoles are the person's only where the idiom offers them")
    func consoles() {
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, .tv, .kiosk]))
        #expect(world.effects.allSatisfy { if case .devices = $0 { false } else { true } }, "the pad says nothing")
        var rules = DeviceRules()
        rules.gamepads = true
        #expect(world.act(.idiom("tv")).contains(.devices(rules)))
        rules.gamepads = false
        rules.consoles = false
        #expect(world.act(.idiom("kiosk")).contains(.devices(rules)))
    }
}

/// Two panes in a car.
@Suite("An idiom with fixed panes") struct FixedPaneTests {
    @Test("the divider stands at its place, and neither a finger, a key nor a script moves it")
    func fixed() {
        var world = CoreWorld(size: Size(1280, 480), idiom: .car)
        CoreOp.apps(6).apply(to: &world)
        for raw in 1...2 as ClosedRange<UInt32> { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.act(.splitView(window: WindowID(2), side: .right))
        world.rest()
        #expect(world.workspace.currentSpace?.split?.fraction == 0.62)
        let bar = world.system.stage.dividerBar(world.workspace, at: world.now)!
        world.touch(0, down: bar.center)
        world.slide(0, to: Point(300, 200), over: 300, steps: 6)
        world.lift(0)
        world.act(.dividerStep(1))
        #expect(world.act(.divider(fraction: 0.4)) == [.refuse(Refusal("the divider of the idiom car is fixed"))])
        #expect(world.workspace.currentSpace?.split?.fraction == 0.62 && world.problems == [])
    }
}
