import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("S-11: one app at a time, as data")
struct WatchTests {
    private func world() -> CoreWorld {
        var world = CoreWorld(size: Size(240, 280), idiom: .watch)
        world.send(
            .appsChanged([
                App(id: "app1", name: "One", command: ["one"]), App(id: "app2", name: "Two", command: ["two"]),
            ]))
        world.open(1)
        world.open(2)
        world.rest()
        return world
    }

    @Test("S-11: no multitasking window of any kind")
    func noWindows() {
        var world = world()
        for action: Action in [.splitView(side: .left), .slideOver(), .pictureInPicture(), .controls(), .appShelf(), .appExpose()] {
            let effects = world.act(action)
            #expect(effects.contains { if case .session(.refuse) = $0 { true } else { false } }, "\(action) was granted")
        }
        #expect(world.workspace.spaces.allSatisfy { $0.windows.count == 1 })
        #expect(!world.system.items(at: world.now).contains { $0.key.part == .grip })
        #expect(world.finish() == [])
    }

    @Test("S-11: a tap at the top of a window is the app's")
    func noDots() {
        var world = world()
        let effects = world.touch(down: Point(120, 24))
        #expect(effects.contains { if case .client(.touchDown(_, WindowID(2), _)) = $0 { true } else { false } })
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("S-11: between favourites by the dock, between those used last by the app switcher")
    func switching() {
        var world = world()
        world.act(.openApp(app: "app1"))
        world.rest()
        #expect(world.workspace.focus == WindowID(1))
        world.act(.newWindow(app: "app2"))
        world.rest()
        #expect(world.workspace.focus == WindowID(2))
        #expect(!world.effects.contains { if case .program(.launch) = $0 { true } else { false } })
        world.act(.appSwitcher)
        world.rest()
        let cards = world.system.controls(at: world.now).filter { $0.role == .card }
        #expect(cards.map(\.press) == [.showSpace(world.workspace.spaces[1].id), .showSpace(world.workspace.spaces[0].id)])
        #expect(world.finish() == [])
    }

    @Test(
        "A-24: a lowered wrist shows nothing of the app, closes nothing, and the next touch only wakes",
        arguments: [Idiom.watch, .roundWatch])
    func wrist(idiom: Idiom) {
        var world = CoreWorld(size: Size(400, 400), idiom: idiom)
        world.send(.idiomsKnown([.pad, idiom]))
        world.open(1)
        world.rest()
        func shows(_ world: CoreWorld) -> Bool { world.system.items(at: world.now).contains { $0.kind == .window(WindowID(1)) } }
        #expect(shows(world))
        world.act(.controlCentre)
        world.act(.wrist(raised: false))
        world.rest()
        #expect(!shows(world) && world.workspace.focus == WindowID(1) && world.workspace.isMapped(WindowID(1)))
        let items = world.system.items(at: world.now)
        #expect(!items.contains { if case .art(.text, _) = $0.kind { true } else { false } }, "a text is seen")
        let effects = world.touch(down: Point(200, 200))
        #expect(!effects.contains { if case .client(.touchDown) = $0 { true } else { false } })
        world.lift()
        world.rest()
        #expect(shows(world))
        world.act(.wrist(raised: false))
        world.act(.idiom("pad"))
        #expect(world.workspace.idiom.name == "pad" && shows(world))
        #expect(world.finish() == [])
    }

    @Test(
        "A-24: a sensor says how the watch is held; the wrist goes down and up with it, and no other idiom asks",
        arguments: Posture.allCases)
    func held(posture: Posture) {
        var world = CoreWorld(size: Size(400, 400), idiom: .watch)
        world.send(.idiomsKnown([.pad, .watch]))
        world.open(1)
        world.rest()
        func isLit(_ world: CoreWorld) -> Bool { world.system.items(at: world.now).contains { $0.kind == .window(WindowID(1)) } }
        world.act(.wrist(raised: !posture.isWristRaised))
        world.rest()
        world.send(.hardware(.held(posture)))
        world.rest()
        #expect(isLit(world) == posture.isWristRaised)
        // A touch wakes the screen until the sensor reports another posture.
        if !posture.isWristRaised {
            world.touch(down: Point(200, 200))
            world.lift()
            world.rest()
            #expect(isLit(world))
        }
        var rules = DeviceRules()
        #expect(world.act(.idiom("pad")).contains(.devices(rules)))
        world.send(.hardware(.held(.faceDown)))
        #expect(isLit(world))
        rules.posture = true
        #expect(world.act(.idiom("watch")).contains(.devices(rules)))
        #expect(world.finish() == [])
    }

    @Test(
        "A-24: the tilt counts before the orientation, and unknown words say nothing",
        arguments: [
            ("face-down", "normal", Posture.faceDown), ("vertical", "left-up", .leftUp), ("undefined", "normal", .normal),
            (nil, "right-up", .rightUp),
            ("tilted-up", nil, .tiltedUp), ("vertical", "undefined", nil), ("", "sideways", nil), (nil, nil, nil),
        ] as [(String?, String?, Posture?)])
    func words(tilt: String?, orientation: String?, posture: Posture?) {
        #expect(Posture(tilt: tilt, orientation: orientation) == posture)
    }

    @Test("S-11: a round screen has a square for apps, and icons at the edge of the disc are small")
    func round() {
        var world = CoreWorld(size: Size(480, 480), idiom: .roundWatch)
        world.send(.appsChanged((1...12).map { App(id: "app\($0)", name: "App \($0)", command: ["app"]) }))
        world.rest()
        let room = Rect(70, 70, 340, 340)
        #expect(world.workspace.screen?.usable == room)
        func icons(_ world: CoreWorld) -> [Item] {
            world.system.items(at: world.now).filter { if case .art(.icon, let size) = $0.kind { size.width == 52 } else { false } }
        }
        #expect(icons(world).contains { $0.frame.width == 52 })
        world.act(.scroll(1))
        world.wait(60)
        for icon in icons(world) {
            let share = icon.frame.center.distance(to: Point(240, 240)) / 240
            #expect(share < 0.6 ? icon.frame.width > 51.9 : icon.frame.width < 52.1)
            #expect(share < 1.05 || icon.opacity < 0.4)
        }
        world.open(1)
        world.rest()
        #expect(world.clients[WindowID(1)]?.told?.frame.size == room.size && world.frame(WindowID(1)) == room)
        let items = world.system.items(at: world.now)
        #expect(items.last?.kind == .art(.aroundDisc(.locked), size: Size(480, 480)))
        #expect(items.contains { $0.key.part == .surroundings && $0.opacity == 1 })
        world.act(.idiom("pad"))
        #expect(world.finish() == [])
    }

    @Test("S-11: the crown with Super goes to the app used before and back; without it scrolls the app")
    func crown() {
        var world = world()
        let notch = PointerAxis(isHorizontal: false, source: 0, value: -15, discrete: -120)
        world.send(.pointerMotion(at: Point(120, 140)))
        #expect(world.send(.pointerAxis(notch)).contains { if case .client(.pointerAxis) = $0 { true } else { false } })
        #expect(world.workspace.focus == WindowID(2))
        // On the line at the lower edge it needs no key.
        world.send(.pointerMotion(at: Point(120, 278)))
        #expect(!world.send(.pointerAxis(notch)).contains { if case .client(.pointerAxis) = $0 { true } else { false } })
        world.rest()
        #expect(world.workspace.focus == WindowID(1))
        world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120)))
        world.rest()
        #expect(world.workspace.focus == WindowID(2))
        #expect(world.finish() == [])
    }
}
