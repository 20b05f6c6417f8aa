import Geometry
import Interface
import MullionTesting
import Multitasking
import Seat
import Stage
import Status
import Testing
import Windows

/// The bar with the time and the state of the device: where it is, what it takes, and when it hides.
@Suite("X-09: the status bar") struct StatusBarTests {
    private let one = WindowID(1), two = WindowID(2)

    private func world(_ idiom: Idiom = .pad, textScale: Double = 1) -> CoreWorld {
        var preferences = Preferences(newWindows: .always)
        preferences.appearance.textScale = textScale
        var world = CoreWorld(idiom: idiom, preferences: preferences)
        world.open(1)
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.send(.status(.battery(BatteryFacts(percentage: 80))))
        world.send(
            .status(
                .network(
                    NetworkFacts(
                        hasWireless: true, isWirelessOn: true, state: 70, kind: "802-11-wireless", ssid: Array("Home".utf8), strength: 80)))
        )
        world.rest()
        return world
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.first { $0.id == id } }

    @Test("it takes a strip at the upper edge from apps, and grows with the text", arguments: [1, 1.5, 2])
    func strip(scale: Double) {
        let world = world(textScale: scale), height = 28 + 16 * (scale - 1)
        #expect(world.frame(one)?.minY == height)
        #expect(world.frame(one)?.maxY == 820)
        #expect(control("status/time", world)?.name == .verbatim("9:05"))
        #expect(control("status/time", world)?.frame.maxY == height)
    }

    @Test("it says the state: battery, network, and what a service does not tell is missing")
    func state() {
        var world = world()
        #expect(
            control("status/state", world)?.name
                == .list([.message(.wirelessNamed, ["Home"]), .list([.message(.batteryAt, ["80%"])], ", ")], ", "))
        world.send(.status(.battery(nil)))
        #expect(control("status/state", world)?.name == .list([.message(.wirelessNamed, ["Home"])], ", "))
        world.send(.status(.hangs(.network)))
        #expect(control("status/state", world) == nil, "nothing is known")
        #expect(control("status/time", world) != nil)
    }

    @Test("before the time is known there is no bar, and without one apps have the whole screen")
    func none() {
        var world = CoreWorld(preferences: Preferences(newWindows: .always))
        world.open(1)
        world.rest()
        #expect(world.frame(one)?.minY == 0)
        var preferences = Preferences(newWindows: .always)
        preferences.showsStatus = false
        world.send(.configured(preferences))
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.rest()
        #expect(world.frame(one)?.minY == 0 && control("status/time", world) == nil)
    }

    @Test("an app that fills the screen gets all of it and hides the bar; the others keep their size, and get no configure")
    func fullScreen() {
        var world = world()
        world.open(2)
        world.rest()
        let before = world.clients[one]?.configures.count
        world.send(.windowAsked(two, .fullscreen(true)))
        world.answerAll()
        world.rest()
        #expect(world.frame(two) == Rect(0, 0, 1180, 820))
        #expect(world.clients[one]?.configures.count == before)
        #expect(control("status/time", world) == nil)
        // The app switcher has it.
        world.act(.appSwitcher)
        world.rest()
        #expect(control("status/time", world) != nil)
        world.act(.dismiss)
        world.send(.windowAsked(two, .fullscreen(false)))
        world.answerAll()
        world.rest()
        #expect(world.frame(two)?.minY == 28 && control("status/time", world) != nil)
    }

    @Test(
        "a tap opens notifications or the control centre; a pull from the bar is that of the upper edge, on the home screen, too",
        arguments: [false, true])
    func touches(isHome: Bool) {
        for (id, panel) in [(ControlID("status/time"), Interface.Panel.notifications), ("status/state", .controlCentre)] {
            var world = world()
            if isHome { world.act(.home) }
            world.rest()
            guard let place = control(id, world)?.frame.center else { return #expect(Bool(false), "\(id) is not there") }
            world.touch(1, down: place)
            world.wait(40)
            world.lift(1)
            world.rest()
            #expect(world.interface.isPanelOpen && world.interface.panel?.content == panel, "\(id)")
            world.act(.dismiss)
            world.rest()
            world.touch(1, down: place)
            for step in 1...10 {
                world.wait(16)
                world.touch(1, to: place + Vector(0, Double(step) * 30))
            }
            world.lift(1)
            world.rest()
            #expect(world.interface.isPanelOpen, "pulled from \(id)")
        }
    }

    @Test("a finger just below the bar is the app's")
    func belowTheBar() {
        let world = world()
        #expect(Stage.edge(at: Point(300, 20), world.workspace.screen!, .pad, precise: false) == .top)
        #expect(Stage.edge(at: Point(300, 32), world.workspace.screen!, .pad, precise: false) == nil)
    }

    @Test("the clock ticks only where the time is in sight: not behind a film, a lock or a dark screen")
    func clock() {
        var world = CoreWorld(preferences: Preferences(newWindows: .always))
        func clocks(_ effects: [Effect]) -> [Bool] {
            effects.compactMap { if case .status(.clock(let isOn)) = $0 { isOn } else { nil } }
        }
        // It asks for the time at the start.
        world.open(1)
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.rest()
        #expect(clocks(world.send(.screenLit(false))) == [false])
        #expect(clocks(world.send(.screenLit(true))) == [true])
        #expect(clocks(world.send(.windowAsked(one, .fullscreen(true)))) == [false])
        #expect(clocks(world.act(.appSwitcher)) == [true])
        #expect(clocks(world.act(.dismiss)) == [false])
        #expect(clocks(world.send(.windowAsked(one, .fullscreen(false)))) == [true])
        #expect(clocks(world.send(.lock(.asked(LockerID(1), isDark: true)))) == [false])
        // A minute settles nothing and asks for one frame.
        world.unlock()
        world.rest()
        let revision = world.system.revision
        #expect(world.send(.timeIs(TimeOfDay(hour: 9, minute: 6))) == [])
        #expect(world.system.revision == revision + 1)
        #expect(world.send(.timeIs(TimeOfDay(hour: 9, minute: 6))) == [])
        #expect(world.system.revision == revision + 1, "the same again")
    }

    @Test("each idiom shows it in its place", arguments: Idiom.all)
    func places(idiom: Idiom) {
        var world = world(idiom)
        func isSeen() -> Bool { world.controls.contains { $0.id == "status/time" } }
        switch idiom.status.place {
        case .bar, .menuBar: #expect(isSeen())
        case .controlCentre:
            #expect(!isSeen())
            world.act(.controlCentre)
            world.rest()
            #expect(isSeen())
        case .switcher:
            #expect(!isSeen())
            world.act(.appSwitcher)
            world.rest()
            #expect(isSeen())
        case .none: #expect(Bool(false), "\(idiom.name) has no place for it")
        }
        #expect(world.system.violations() == [])
    }

    @Test("in another idiom and back, windows have their old places")
    func idioms() {
        var world = world()
        let before = world.frame(one)
        world.send(.idiomsKnown(Idiom.all))
        world.act(.idiom("mac"))
        world.answerAll()
        world.rest()
        #expect(world.workspace.screen?.status == 0)
        world.act(.idiom("pad"))
        world.answerAll()
        world.rest()
        #expect(world.frame(one) == before)
    }

    @Test("a panel of another program at the upper edge stands above the bar")
    func panel() {
        var world = world()
        world.reserve(Insets(30, 0, 0, 0))
        world.rest()
        #expect(world.workspace.statusBar == Rect(0, 30, 1180, 28))
        #expect(world.frame(one)?.minY == 58)
    }

    @Test("around a cut-out the bar is as high as that")
    func cutOut() {
        var phone = Idiom.phone
        phone.cutOuts = Insets(44, 0, 0, 0)
        let world = world(phone)
        #expect(world.workspace.statusBar?.height == 44)
        #expect(world.frame(one)?.minY == 44)
    }

    @Test("what sees the screen is named beside the time; a touch lists it, and the list goes with it")
    func sensors() {
        var world = world()
        #expect(control("status/sensors", world) == nil)
        world.act(.sensors)
        #expect(!world.interface.isPopoverOpen, "there is nothing to list")
        world.open(2, WindowFacts(appID: "recorder", title: "Recorder", client: 77))
        world.send(.capture(.begins(client: 77, isOwnView: false)))
        world.send(.capture(.begins(client: 9, isOwnView: false)))
        world.rest()
        let name = Text.list([.message(.screenIsShared), .verbatim("Recorder")], ": ")
        #expect(control("status/sensors", world)?.name == .list([name], ", "), "a program without a window has no name")
        guard let place = control("status/sensors", world)?.frame.center else { return }
        world.touch(1, down: place)
        world.wait(40)
        world.lift(1)
        world.rest()
        #expect(world.controls.contains { $0.id == "sensors/screen" && $0.name == name })
        world.send(.capture(.ends(client: 77)))
        world.send(.capture(.ends(client: 9)))
        world.rest()
        #expect(!world.interface.isSensorListOpen && control("status/sensors", world) == nil)
    }
}
