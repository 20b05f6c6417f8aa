import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Law 2: windows that come one after another")
struct ComingTests {
    @Test("a window that takes the place of one that is hardly seen goes on with its coming")
    func heir() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(30)
        let before = try #require(world.system.stage.shown[one]), opacity = before.opacity.value(at: world.now)
        #expect(opacity > 0 && opacity < 0.5)
        world.open(2)
        // Position and velocity of what is seen go on; nothing leaves.
        let after = try #require(world.system.stage.shown[two])
        #expect(world.system.stage.shown[one] == nil)
        #expect(after.opacity == before.opacity && after.frame == before.frame)
        world.rest()
        #expect(world.finish() == [])
    }

    @Test("one that was seen leaves, and the new one comes by itself")
    func seen() throws {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        world.open(2)
        #expect(world.system.stage.shown[one]?.level == .leaving)
        #expect(try #require(world.system.stage.shown[two]).opacity.value(at: world.now) == 0)
        #expect(world.finish() == [])
    }

    @Test("a hundred windows in a fifth of a second: only a few are drawn in one place")
    func hundred() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        for raw in UInt32(2)...101 {
            world.open(raw)
            world.wait(2)
            // The one that was there, those half seen, and the newest.
            #expect(world.system.stage.shown.count <= 4)
        }
        world.rest()
        world.send(.x11MenusWantKeys(false))
        #expect(world.system.stage.shown.count == 1)
        #expect(world.finish() == [])
    }
}

@Suite("Rotation and resolution")
struct ScreenTests {
    private let wide = Screen(size: Size(1180, 820)), upright = Screen(size: Size(820, 1180))

    /// A split at two thirds, a stack of two cards on the left, a picture in a corner.
    private func everything() -> CoreWorld {
        var world = splitWorld()
        world.act(.divider(fraction: 2.0 / 3))
        world.open(3, to: .slideOver)
        world.open(4, to: .slideOver)
        world.act(.slideOverSide(.left))
        world.open(5, to: .pictureInPicture)
        world.act(.pipCorner(.topRight))
        world.act(.pipWidth(500))
        world.rest()
        return world
    }

    @Test("turned and turned back, everything is where it was and as large")
    func thereAndBack() {
        var world = everything()
        let before = world.workspace.frames()
        let places = world.workspace.windows.keys.map { world.place($0) }
        world.send(.screenChanged(upright))
        #expect(world.workspace.windows.keys.map { world.place($0) } == places)
        world.rest()
        world.send(.screenChanged(wide))
        world.rest()
        #expect(world.workspace.frames() == before)
        #expect(world.finish() == [])
    }

    @Test("left and right when wide are top and bottom when upright, if a person chose so", arguments: [Side.right, .bottom])
    func axes(side: Side) {
        var world = CoreWorld(size: Size(820, 1180))
        world.open(1)
        world.open(2, to: .splitView(side))
        world.rest()
        #expect(world.frame(one)?.size == (side == .right ? Size(405, 1180) : Size(820, 585)))
        world.send(.screenChanged(wide))
        world.rest()
        #expect(world.frame(one) == Rect(0, 0, 585, 820))
        #expect(world.place(two) == .split(world.workspace.current!, .right))
        world.send(.screenChanged(upright))
        world.rest()
        #expect(world.frame(one)?.size == (side == .right ? Size(405, 1180) : Size(820, 585)))
        #expect(world.finish() == [])
    }

    @Test("a tall picture that shrinks when the screen turns grows back with it")
    func contentSize() {
        var world = CoreWorld(size: Size(820, 1180))
        world.open(1)
        world.create(2, WindowFacts(title: "Picture-in-Picture", client: 2))
        world.setNatural(Size(400, 800), of: two)
        world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        world.map(2)
        world.act(.pipWidth(560))
        world.rest()
        let before = world.frame(two)!
        world.send(.screenChanged(wide))
        world.rest()
        #expect(wide.bounds.contains(world.frame(two)!))
        #expect(world.frame(two)!.width < before.width)
        world.send(.screenChanged(upright))
        world.rest()
        #expect(world.frame(two) == before)
        #expect(world.finish() == [])
    }

    @Test(
        "a screen that went away and came back, another size, and one too small for anything",
        arguments: [
            Size(1180, 820), Size(2360, 1640), Size(600, 400), Size(40, 30), Size(1, 1), Size(16384, 100),
        ])
    func sizes(size: Size) {
        var world = everything()
        let places = world.workspace.windows.keys.map { world.place($0) }
        world.send(.screenRemoved)
        #expect(world.system.items(at: world.now) == [])
        world.send(.screenChanged(Screen(size: size)))
        #expect(world.workspace.windows.keys.map { world.place($0) } == places)
        #expect(world.finish() == [])
        world.send(.screenChanged(wide))
        #expect(world.workspace.windows.keys.map { world.place($0) } == places)
        #expect(world.finish() == [])
    }

    @Test("a panel's room is kept free, and kept when the resolution changes")
    func reserved() {
        var world = everything()
        world.reserve(Insets(32, 0, 0, 0))
        world.rest()
        for id in world.workspace.windows.keys { #expect((world.frame(id)?.minY ?? 32) >= 32) }
        world.send(.screenChanged(Screen(size: Size(1280, 800))))
        world.rest()
        #expect(world.frame(one)?.minY == 32)
        #expect(world.finish() == [])
    }

    @Test(
        "law 4: turned while fingers hold things, nothing stays held",
        arguments: [
            CoreSpot.divider, .cardTop, .cardBottom, .picture, .grip(0),
        ])
    func turnedWhileHeld(spot: CoreSpot) {
        var world = everything()
        world.act(.pipCorner(.bottomRight))
        world.rest()
        world.touch(down: world.spot(spot))
        world.slide(to: world.spot(spot) + Vector(30, 30))
        world.send(.screenChanged(upright))
        #expect(!world.system.isGesturing)
        world.slide(to: Point(500, 500))
        world.lift()
        #expect(world.finish() == [])
    }
}

@Suite("Law 2: motion")
struct MotionTests {
    @Test("caught and sent elsewhere in flight: neither place nor speed jumps")
    func retarget() {
        var world = splitWorld()
        world.act(.swapSides)
        world.wait(90)
        func speed() -> Double {
            let a = world.system.shownFrame(of: one, at: world.now)!.x
            let b = world.system.shownFrame(of: one, at: world.now + 0.0001)!.x
            return (b - a) / 0.0001
        }
        let before = world.frame(one)!, speedBefore = speed()
        #expect(before.x > 0 && before.x < 595)
        #expect(speedBefore > 500)
        for action in [Action.swapSides, .fullScreen(window: one), .slideOver(window: one), .splitView(window: one, side: .right)] {
            var branch = world
            branch.act(action)
            #expect(branch.frame(one) == before, "\(action)")
            swap(&branch, &world)
            #expect(abs(speed() - speedBefore) < 20, "\(action)")
            swap(&branch, &world)
            #expect(branch.finish() == [])
        }
    }

    @Test("a finger that catches a card in flight takes it where it is")
    func catchCard() {
        var world = slideOverWorld()
        world.act(.slideOverSide(.left))
        world.wait(100)
        let card = world.spot(.cardTop), frame = world.frame(three)!
        world.touch(down: card)
        world.wait(300)
        #expect(world.frame(three) == frame)
        world.touch(to: card + Vector(10, 0))
        #expect(world.frame(three)?.minX == frame.minX + 10)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("a picture follows the finger from the first point on")
    func followsAtOnce() {
        var world = pipWorld()
        let frame = world.frame(two)!, start = frame.center
        world.touch(down: start)
        for x in [-3.0, -9, -12, -32] {
            world.touch(to: start + Vector(x, 0))
            #expect(world.frame(two) == frame.offset(by: Vector(x, 0)))
        }
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("what is taken does not jump by the way the finger went before it was a drag")
    func noJump() {
        var world = pipWorld(isPip: true)
        let frame = world.frame(two)!, start = frame.center
        world.touch(down: start)
        world.touch(to: start + Vector(-9, 0))
        world.touch(to: start + Vector(-12, 0))
        #expect(world.frame(two) == frame)
        world.touch(to: start + Vector(-32, 0))
        #expect(world.frame(two) == frame.offset(by: Vector(-20, 0)))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("reduced motion: the same states, without the way")
    func reducedMotion() {
        var still = CoreWorld(preferences: Preferences(reducedMotion: true))
        var moving = CoreWorld()
        func both(_ step: (inout CoreWorld) -> Void) {
            step(&still)
            step(&moving)
            #expect(!still.system.isMoving(at: still.now))
            #expect(still.workspace == moving.workspace)
        }
        both { $0.open(1) }
        both { $0.open(2) }
        both { $0.act(.splitView(side: .left)) }
        both { $0.act(.divider(fraction: 0.33)) }
        both { $0.open(3, to: .slideOver) }
        both { $0.act(.slideOverSide(.left)) }
        both { $0.act(.slideOverHide) }
        both { $0.act(.pictureInPicture(window: one)) }
        both { $0.act(.pipCorner(.topLeft)) }
        both { $0.send(.screenChanged(Screen(size: Size(820, 1180)))) }
        moving.rest()
        for id in still.workspace.windows.keys { #expect(still.frame(id) == moving.frame(id)) }
        #expect(still.finish() == [] && moving.finish() == [])
    }

    @Test("at rest nothing moves, and time alone changes nothing")
    func atRest() {
        var world = slideOverWorld()
        #expect(!world.system.isMoving(at: world.now))
        let items = world.system.items(at: world.now), revision = world.system.revision
        world.wait(10_000)
        #expect(!world.system.isMoving(at: world.now))
        #expect(world.system.items(at: world.now) == items)
        #expect(world.system.revision == revision)
    }

    @Test("input that only goes to an app asks for no new picture")
    func quietInput() {
        var world = splitWorld()
        // With the first key the dots go.
        world.send(.key(code: 31, symbol: 0x62, pressed: true, modifiers: []))
        world.send(.pointerMotion(at: Point(100, 300)))
        world.send(.pointerButton(0x110, pressed: true))
        world.send(.key(code: 31, symbol: 0x62, pressed: false, modifiers: []))
        world.send(.key(code: 32, symbol: 0x63, pressed: true, modifiers: []))
        let revision = world.system.revision
        world.send(.pointerMotion(at: Point(101, 300)))
        world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 10, discrete: 120)))
        world.send(.pointerButton(0x110, pressed: false))
        world.send(.key(code: 30, symbol: 0x61, pressed: true, modifiers: []))
        #expect(world.system.revision == revision)
    }
}
