import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Windows at depths (V-01 to V-03).
@Suite("V-01, V-02: windows of several apps at depths, one of them active")
struct SharedSpaceTests {
    private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

    private func world(_ count: UInt32 = 3) -> CoreWorld {
        var world = CoreWorld()
        world.send(.idiomsKnown(Idiom.all))
        world.act(.idiom("vision"))
        for number in 1...count {
            world.open(number, WindowFacts(appID: "app\(number)", title: "A", client: UInt64(number), isBare: true))
        }
        world.rest()
        return world
    }

    private func seen(_ id: WindowID, _ world: CoreWorld) -> Rect { world.frame(id)! }

    private func item(_ id: WindowID, _ world: CoreWorld) -> Item {
        world.system.items(at: world.now).first { $0.kind == .window(id) }!
    }

    /// Where the bar of a window is held.
    private func bar(_ id: WindowID, _ world: CoreWorld) -> Point {
        let frame = seen(id, world), measures = world.workspace.idiom.depth!
        let point = Point(frame.center.x, frame.maxY + measures.barGap + measures.barHeight / 2)
        #expect(world.system.stage.hit(point, world.workspace, at: world.now) == .window(id, .grip))
        return point
    }

    @Test("V-01: Super+Up leads into the Full Space of the window in use, and back")
    func fullSpaceByKey() {
        var world = world()
        let chord: KeyChord = "Super+Up"
        func press() {
            for pressed in [true, false] { world.send(.key(code: 40, symbol: chord.symbol, pressed: pressed, modifiers: chord.modifiers)) }
            world.rest()
        }
        press()
        #expect(world.workspace.fullSpace == three)
        press()
        #expect(world.workspace.fullSpace == nil && world.workspace.focus == three && world.finish() == [])
    }

    @Test("V-02: exactly one window is active; the others recede and grow translucent, and their clients are told no other size")
    func recede() {
        var world = world()
        #expect(world.workspace.focus == three)
        let told = world.clients[three]!.told!.frame.size
        let near = seen(three, world), opacity = item(three, world).opacity
        #expect(opacity == 1 && item(one, world).opacity < 0.9 && item(two, world).opacity < 0.9)
        world.act(.focus(window: one))
        world.rest()
        let far = seen(three, world)
        #expect(far.width < near.width * 0.97 && far.height < near.height * 0.97 && item(three, world).opacity < 0.9)
        #expect(item(one, world).opacity == 1 && world.workspace.placed.last?.id == one)
        #expect(world.clients[three]!.told!.frame.size == told)
        let active = world.clients.filter { $0.value.told?.activated == true }
        #expect(active.map(\.key) == [one])
        #expect(world.problems == [])
    }

    @Test(
        "V-06: the edges of windows without focus are feathered, less so while looked at; those of the active one and of a Full Space are not"
    )
    func feather() {
        var world = world(2)
        let measures = world.workspace.idiom.depth!
        #expect(item(two, world).feather == 0)
        let soft = item(one, world).feather
        #expect(soft > measures.feather * 0.8 && soft <= measures.feather)
        let shadows = world.system.items(at: world.now).filter { if case .shadow = $0.kind { true } else { false } }
        #expect(
            shadows.contains { $0.key.window == two && $0.opacity > 0.1 }
                && shadows.allSatisfy { $0.key.window != one || $0.opacity < 0.01 })
        let frame = seen(one, world), bar = Point(frame.center.x, frame.maxY + measures.barGap + measures.barHeight / 2)
        world.act(.gaze(at: bar))
        world.rest()
        if world.workspace.gazed == one { #expect(item(one, world).feather < soft * 0.7) }
        world.act(.gaze(at: nil))
        world.act(.fullScreen(window: two))
        world.rest()
        #expect(item(two, world).feather == 0)
        #expect(world.problems == [])
    }

    @Test("V-01: a depth is a uniform scale about the middle of the screen; the client keeps its size, and is told nothing")
    func depth() {
        var world = world(1)
        let measures = world.workspace.idiom.depth!, middle = world.workspace.screen!.usable.center
        let near = seen(one, world), count = world.clients[one]!.configures.count
        for depth in [800.0, -300, 0] {
            world.act(.depth(to: depth))
            world.rest()
            let scale = measures.distance / (measures.distance + depth), frame = seen(one, world)
            #expect(abs(frame.width - near.width * scale) < 0.1 && abs(frame.height - near.height * scale) < 0.1)
            #expect(abs(frame.x - (middle.x + (near.x - middle.x) * scale)) < 0.1)
            #expect(abs(frame.y - (middle.y + (near.y - middle.y) * scale)) < 0.1)
            #expect(world.clients[one]!.configures.count == count && world.workspace.depth(of: one) == depth)
        }
        world.act(.depthStep(100))
        #expect(world.workspace.depth(of: one) == 0, "far too many steps are refused")
        for _ in 0..<20 { world.act(.depthStep(1)) }
        #expect(world.workspace.depth(of: one) == measures.farthest)
        for _ in 0..<20 { world.act(.depthStep(-1)) }
        #expect(world.workspace.depth(of: one) == measures.nearest)
        #expect(world.problems == [])
    }

    @Test("V-02: a press in a window at a depth is told to its client in the client's own points")
    func inverse() {
        var world = world(1)
        world.act(.depth(to: 800))
        world.rest()
        let frame = seen(one, world), scale = frame.width / world.clients[one]!.commit.size.width
        #expect(scale < 0.7)
        let effects = world.send(.touchDown(0, at: Point(frame.x + 30 * scale, frame.y + 20 * scale)))
        let local = effects.compactMap { if case .client(.touchDown(0, one, at: let local)) = $0 { local } else { nil } }
        #expect(local.count == 1 && abs(local[0].x - 30) < 0.5 && abs(local[0].y - 20) < 0.5)
        world.send(.touchUp(0))
        #expect(world.system.stage.hit(Point(frame.x - 40, frame.y - 40), world.workspace, at: world.now) == .background)
    }

    @Test("V-02: the far window lies behind a nearer one, and the active one before all")
    func order() {
        var world = world()
        world.act(.depth(window: one, to: 0))
        world.act(.depth(window: two, to: 1200))
        world.act(.depth(window: three, to: 600))
        world.act(.focus(window: one))
        world.rest()
        #expect(world.workspace.placed.map(\.id) == [two, three, one])
        world.act(.focus(window: two))
        #expect(world.workspace.placed.map(\.id) == [three, one, two])
    }

    @Test("V-02: where a person looks is told to no client, until a press")
    func gaze() {
        var world = world()
        world.act(.focus(window: three))
        world.rest()
        let pale = item(one, world).opacity, frame = seen(one, world)
        let point = [
            Point(frame.x + 4, frame.y + 4), Point(frame.maxX - 4, frame.maxY - 4), Point(frame.x + 4, frame.maxY - 4),
            Point(frame.maxX - 4, frame.y + 4),
        ]
        .first { world.system.stage.hit($0, world.workspace, at: world.now).window == one }
        guard let point else { return #expect(Bool(false), "window 1 is wholly covered") }
        let effects = world.act(.gaze(at: point))
        #expect(effects == [], "\(effects)")
        #expect(world.workspace.gazed == one && world.workspace.focus == three)
        world.rest()
        #expect(item(one, world).opacity > pale)
        world.act(.gaze(at: nil))
        #expect(world.workspace.gazed == nil)
        // A pointer that rests elsewhere does not take the look back when everything settles; one that moves does.
        let other = seen(three, world).center
        world.send(.pointerMotion(at: other))
        world.act(.gaze(at: point))
        world.act(.darkAppearance(true))
        world.rest()
        #expect(world.workspace.gazed == one)
        world.send(.pointerMotion(at: other + Vector(1, 0)))
        #expect(world.workspace.gazed == three)
        world.act(.gaze(at: point))
        let pressed = world.act(.gazePress)
        #expect(
            pressed.contains { if case .client(.touchDown(_, one, _)) = $0 { true } else { false } }
                && pressed.contains { if case .client(.touchUp) = $0 { true } else { false } })
        #expect(world.workspace.focus == one)
        #expect(world.problems == [])
    }

    @Test("V-02: the bar below a window moves it; a wheel meanwhile moves it farther away, a second finger nearer")
    func bar() {
        var world = world(1)
        let start = seen(one, world), from = bar(one, world)
        world.touch(down: from)
        for step in 1...8 {
            world.wait(16)
            world.touch(to: from + Vector(-10 * Double(step), -5 * Double(step)))
        }
        world.wait(300)
        world.lift()
        world.rest()
        #expect(seen(one, world) == start.offset(by: Vector(-80, -40)))

        let grip = bar(one, world)
        world.send(.pointerMotion(at: grip))
        world.send(.pointerButton(0x110, pressed: true))
        world.wait(16)
        world.send(.pointerMotion(at: grip + Vector(20, 0)))
        world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: -30, discrete: -240)))
        world.rest()
        world.send(.pointerButton(0x110, pressed: false))
        world.rest()
        #expect(world.workspace.depth(of: one) == 400 && seen(one, world).width < start.width * 0.85)
        // What the pointer held stays below the pointer.
        #expect(abs(seen(one, world).center.x - (grip.x + 20)) < 1)

        let again = bar(one, world)
        world.send(.touchDown(0, at: again))
        world.wait(16)
        world.send(.touchMotion(0, at: again + Vector(-20, 0)))
        world.send(.touchDown(1, at: again + Vector(80, 0)))
        world.wait(16)
        world.send(.touchMotion(1, at: again + Vector(230, 0)))
        world.send(.touchMotion(0, at: again + Vector(-20, 1)))
        world.wait(300)
        world.send(.touchUp(1))
        world.send(.touchUp(0))
        world.rest()
        #expect(world.workspace.depth(of: one)! < 0, "\(world.workspace.depth(of: one)!)")
        #expect(world.problems == [])
    }

    @Test("V-01: a wheel moves a window in depth while the pointer holds its bar and has not moved it yet")
    func heldBar() {
        var world = world(1)
        let start = seen(one, world)
        world.send(.pointerMotion(at: bar(one, world)))
        world.send(.pointerButton(0x110, pressed: true))
        let effects = world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: -30, discrete: -240)))
        #expect(!effects.contains { if case .client(.pointerAxis) = $0 { true } else { false } })
        world.rest()
        world.send(.pointerButton(0x110, pressed: false))
        world.rest()
        #expect(world.workspace.depth(of: one) == 400 && seen(one, world).width < start.width * 0.85)
        #expect(world.problems == [])
    }

    @Test("V-01: with Super held, a wheel over a window moves it in depth, and its client scrolls nothing")
    func superWheel() {
        var world = world(1)
        world.send(.pointerMotion(at: seen(one, world).center))
        world.send(.key(code: 125, symbol: KeySymbol(rawValue: 0xffeb), pressed: true, modifiers: []))
        world.send(.key(code: 30, symbol: KeySymbol(rawValue: 0x61), pressed: true, modifiers: .super))
        world.send(.key(code: 30, symbol: KeySymbol(rawValue: 0x61), pressed: false, modifiers: .super))
        world.act(.dismiss)
        world.rest()
        let effects = world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120)))
        #expect(!effects.contains { if case .client(.pointerAxis) = $0 { true } else { false } })
        #expect(world.workspace.depth(of: one) == -200)
    }

    @Test("V-03: closing a window puts it away, and its app is not asked to close; away, it is closed for good")
    func close() {
        var world = world(2)
        func closes(_ effects: [Effect]) -> Bool { effects.contains { if case .client(.close(two)) = $0 { true } else { false } } }
        #expect(!closes(world.act(.close())))
        #expect(world.place(two) == .minimized && world.workspace.focus == one && world.workspace.isMapped(two))
        world.rest()
        world.act(.openApp(app: "app2"))
        #expect(world.place(two) != .minimized && world.workspace.focus == two)
        world.rest()
        // By the control beside the bar.
        let control = world.controls.first { $0.id == ControlID(.sheet, "2/close") }
        #expect(control?.press == .close(window: two))
        world.act(.press(view: ControlID(.sheet, "2/close")))
        #expect(world.place(two) == .minimized)
        #expect(closes(world.act(.close(window: two))))
        #expect(world.problems == [])
    }

    @Test("V-01: in a Full Space an app is alone on the whole screen; any other window leads back, each to its own size and depth")
    func fullSpace() {
        var world = world(2)
        world.act(.depth(window: two, to: 400))
        world.rest()
        let before = seen(two, world), room = world.workspace.screen!.usable
        world.act(.fullScreen())
        world.rest()
        #expect(world.frame(two) == room)
        #expect(!world.workspace.isShown(one))
        #expect(world.workspace.shownRoots == [two])
        #expect(world.clients[two]!.told!.frame.size == room.size)
        world.act(.fullScreen())
        world.rest()
        #expect(seen(two, world) == before && world.frame(one) != nil)
        world.act(.tile(to: .whole))
        world.act(.focus(window: one))
        world.rest()
        #expect(world.workspace.fullSpace == nil && world.workspace.focus == one && world.workspace.shownRoots.count == 2)
        world.act(.tile(to: .left))
        #expect(world.workspace.tile(of: one) == nil, "a part of the screen is refused")
        // An app asks for it with its own button; one in the background does not get it.
        world.send(.windowAsked(two, .maximize(true)))
        #expect(world.workspace.fullSpace == nil)
        world.send(.windowAsked(one, .maximize(true)))
        #expect(world.workspace.fullSpace == one)
        world.act(.close())
        #expect(world.workspace.fullSpace == nil && world.workspace.focus == two)
        #expect(world.problems == [])
    }

    @Test("V-01: a Full Space shows all windows of its app, in front of the one that fills the screen, and of no other app")
    func fullSpaceOfAnApp() {
        var world = world(2)
        let four = WindowID(4), five = WindowID(5),
            facts = { (app: String) in WindowFacts(appID: app, title: "A", client: 9, isBare: true) }
        world.open(3, facts("app2"))
        world.rest()
        let before = seen(three, world), room = world.workspace.screen!.usable
        world.act(.fullScreen(window: two))
        world.rest()
        #expect(world.workspace.fullSpace == two && world.frame(two) == room)
        #expect(world.workspace.isShown(three) && !world.workspace.isShown(one))
        #expect(world.workspace.placed.map(\.id) == [two, three], "the one that fills the screen covers none of them")
        // A person acts in either without leaving it, and each is where it was.
        world.act(.focus(window: three))
        world.rest()
        #expect(world.workspace.fullSpace == two && world.workspace.focus == three)
        #expect(item(three, world).opacity == 1 && item(two, world).opacity < 0.9 && world.frame(two) == room)
        let beside = [Point(60, 400), Point(1120, 400), Point(590, 60)].first {
            world.system.stage.hit($0, world.workspace, at: world.now).window == two
        }
        guard let beside else { return #expect(Bool(false), "window 2 is wholly covered") }
        world.touch(down: beside)
        world.lift()
        #expect(world.workspace.focus == two && world.workspace.placed.map(\.id) == [two, three])
        // Farther away, and put away: the others stay.
        world.act(.depth(window: three, to: 400))
        world.rest()
        #expect(world.workspace.fullSpace == two && seen(three, world).width < before.width)
        world.act(.close(window: three))
        world.rest()
        #expect(world.workspace.fullSpace == two && world.place(three) == .minimized)
        world.act(.focus(window: three))
        #expect(world.workspace.fullSpace == two && world.workspace.isShown(three))
        // A new window of the app comes here, and one of another app leads back.
        world.open(4, facts("app2"))
        world.rest()
        #expect(world.workspace.fullSpace == two && world.workspace.shownRoots.count == 3 && world.workspace.focus == four)
        world.destroy(three)
        #expect(world.workspace.fullSpace == two)
        world.open(5, facts("app5"))
        world.rest()
        #expect(world.workspace.fullSpace == nil && world.workspace.focus == five && world.workspace.shownRoots.count == 4)
        // A Full Space goes with the window that fills the screen, or to another one of the app.
        world.act(.fullScreen(window: two))
        world.act(.fullScreen(window: four))
        #expect(world.workspace.fullSpace == four && world.workspace.isShown(two) && world.workspace.tile(of: two) == nil)
        world.destroy(four)
        world.rest()
        #expect(world.workspace.fullSpace == nil && world.workspace.shownRoots.count == 3)
        #expect(world.problems == [])
    }

    @Test("V-01: a new window covers little of those that are open")
    func room() {
        var world = world(1)
        let first = seen(one, world)
        world.setNatural(Size(300, 300), of: two)
        world.open(2, WindowFacts(appID: "app2", title: "A", client: 2, isBare: true))
        world.rest()
        let second = seen(two, world), overlap = first.intersection(second)
        #expect(overlap.width * overlap.height < second.width * second.height * 0.7, "\(first) \(second)")
        #expect(world.workspace.screen!.usable.contains(second))
    }

    @Test("V-02: the surroundings of windows are dimmed, and nothing of the windows")
    func surroundings() {
        var world = world(1)
        func dark(_ world: CoreWorld) -> Double { world.system.items(at: world.now).first { $0.key.part == .surroundings }?.opacity ?? 0 }
        #expect(dark(world) == 0)
        world.act(.surroundings(0.5))
        world.rest()
        #expect(dark(world) > 0.4)
        let items = world.system.items(at: world.now)
        #expect(items.firstIndex { $0.key.part == .surroundings }! < items.firstIndex { $0.kind == .window(one) }!)
        world.act(.surroundings())
        world.rest()
        #expect(dark(world) == 0)
        world.act(.idiom("mac"))
        #expect(world.act(.surroundings()).contains { if case .session(.refuse) = $0 { true } else { false } })
    }

    @Test("V-01: other idioms have no depths, and keep those of the Shared Space")
    func elsewhere() {
        var world = world(2)
        world.act(.depth(window: two, to: 600))
        world.rest()
        let before = seen(two, world)
        for name in ["mac", "pad", "watch", "phone"] {
            world.act(.idiom(name))
            #expect(world.workspace.depth(of: two) == nil && world.workspace.gazed == nil)
            #expect(world.act(.depthStep(1)).contains { if case .session(.refuse) = $0 { true } else { false } })
            world.act(.idiom("vision"))
            world.rest()
            #expect(seen(two, world) == before)
        }
        #expect(world.problems == [])
    }
}
