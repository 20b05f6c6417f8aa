import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Slide Over by touch")
struct SlideOverTests {
    @Test("W-02: dragged by its top it goes to the other side; let go half-way it goes back")
    func side() {
        var world = slideOverWorld()
        world.drag(from: world.spot(.cardTop), to: Point(250, 60))
        #expect(world.workspace.slideOver.side == .left)
        world.rest()
        #expect(world.frame(three)?.minX == 10)
        world.drag(from: world.spot(.cardTop), to: Point(400, 44))
        #expect(world.workspace.slideOver.side == .left)
        #expect(world.finish() == [])
    }

    @Test("W-02: a flick past the edge hides it, and the handle stays")
    func hide() {
        var world = slideOverWorld()
        world.touch(down: world.spot(.cardTop))
        world.slide(to: world.spot(.cardTop) + Vector(90, 0), over: 60)
        world.lift()
        #expect(world.workspace.slideOver.isHidden)
        #expect(world.workspace.focus != three)
        world.rest()
        #expect(world.frame(three)!.minX > 1180)
        #expect(world.system.items(at: world.now).contains { $0.key.part == .slideOverHandle })
        #expect(world.finish() == [])
    }

    @Test("W-02: pulled by the handle it follows the finger and stays", arguments: [Side.left, .right])
    func reveal(side: Side) {
        var world = slideOverWorld()
        world.act(.slideOverSide(side))
        world.act(.slideOverHide)
        world.rest()
        let start = world.spot(.slideOverHandle)
        world.touch(down: start)
        world.slide(to: start + Vector(side == .left ? 200 : -200, 0))
        let card = world.frame(three)!
        #expect(card.maxX > 100 && card.minX < 1080, "it can be seen under the finger: \(card)")
        world.lift()
        #expect(!world.workspace.slideOver.isHidden)
        #expect(world.workspace.focus == three)
        #expect(world.finish() == [])
    }

    @Test("W-02: a tap on the handle brings it back; a pull outwards does not")
    func handle() {
        var world = slideOverWorld()
        world.act(.slideOverHide)
        world.rest()
        world.drag(from: world.spot(.slideOverHandle), to: world.spot(.slideOverHandle) + Vector(12, 30))
        #expect(world.workspace.slideOver.isHidden)
        world.tap(at: world.spot(.slideOverHandle))
        #expect(!world.workspace.slideOver.isHidden)
        #expect(world.finish() == [])
    }

    @Test("W-03: a swipe along the bottom strip flips through the stack, both ways")
    func flip() {
        var world = slideOverWorld()
        world.open(4, to: .slideOver)
        world.rest()
        world.touch(down: world.spot(.cardBottom))
        world.slide(to: world.spot(.cardBottom) + Vector(-120, 0), over: 100)
        world.lift()
        #expect(world.workspace.slideOver.stack == [three, four])
        world.rest()
        world.touch(down: world.spot(.cardBottom))
        world.slide(to: world.spot(.cardBottom) + Vector(120, 0), over: 100)
        world.lift()
        #expect(world.workspace.slideOver.stack == [four, three])
        world.rest()
        world.tap(at: world.spot(.cardBottom))
        #expect(world.workspace.slideOver.stack == [four, three], "a tap flips nothing")
        #expect(world.finish() == [])
    }

    @Test("W-17: pulled down out of the stack, the window may go anywhere")
    func pullOut() {
        var world = slideOverWorld()
        world.drag(from: world.spot(.cardTop), to: Point(590, 400), over: 500)
        isFull(world, three)
        #expect(world.workspace.slideOver.stack.isEmpty)
        #expect(world.finish() == [])
    }

    @Test("the app in the card gets its touches; only its strips are the shell's")
    func content() {
        var world = slideOverWorld()
        let middle = world.spot(.cardMiddle)
        let effects = world.touch(down: middle)
        #expect(effects.contains { if case .client(.touchDown(0, three, _)) = $0 { true } else { false } })
        world.slide(to: middle + Vector(-300, 0))
        world.lift()
        #expect(world.workspace.slideOver.side == .right)
        #expect(world.effects.contains(.touchUp(0)))
        #expect(world.finish() == [])
    }

    @Test("a dialog in the card has a grip and no strips of its own")
    func dialog() {
        var world = slideOverWorld()
        world.create(4, WindowFacts(client: 3, parent: three))
        world.map(4)
        world.rest()
        let frame = world.frame(four)!
        let effects = world.touch(down: Point(frame.minX + 20, frame.minY - 10))
        #expect(effects.contains { if case .client(.touchDown(0, three, _)) = $0 { true } else { false } })
        world.lift()
        let inside = world.touch(down: Point(frame.center.x, frame.minY + 20))
        #expect(inside.contains { if case .client(.touchDown(0, four, _)) = $0 { true } else { false } })
        world.lift()
        #expect(world.finish() == [])
    }
}

@Suite("W-06: Picture in Picture by touch")
struct PictureTests {
    private func pip(_ world: CoreWorld) -> PictureInPicture? { world.workspace.pip }

    @Test("thrown, it lands in the corner it was thrown at", arguments: Corner.allCases)
    func corners(corner: Corner) {
        let way = Vector(corner.isLeft ? -300 : -5, corner.isTop ? -200 : -5)
        var world = pipWorld()
        let start = world.spot(.picture)
        world.touch(down: start)
        world.slide(to: start + way, over: 120)
        world.lift()
        #expect(pip(world)?.corner == corner && pip(world)?.stashed == nil)
        #expect(world.finish() == [])
    }

    @Test(
        "dragged by a handle of its app it grows from the far corner, keeps its shape and its limits",
        arguments: [
            (Vector(-80, -45), true), (Vector(60, 34), true), (Vector(-4000, -4000), true), (Vector(4000, 4000), true),
            (Vector(-80, -45), false),
        ])
    func stretched(way: Vector, asks: Bool) {
        var world = pipWorld(isPip: true)
        world.rest()
        let before = world.frame(two)!, handle = before.origin + Vector(10, 10)
        world.touch(down: handle)
        if asks { world.send(.windowAsked(two, .resize(by: 0))) }
        world.slide(to: handle + way)
        if asks, way.dx > -100, way.dx < 100 {
            let held = world.frame(two)!
            #expect(abs(held.maxX - before.maxX) < 1 && abs(held.maxY - before.maxY) < 1, "the far corner stays")
        }
        world.lift()
        world.rest()
        let after = world.frame(two)!
        if asks {
            #expect(way.dx < 0 ? after.width > before.width : after.width < before.width)
            #expect(abs(after.width / after.height - before.width / before.height) < 0.03)
            #expect(pip(world)?.corner == .bottomRight)
        } else {
            #expect(after.size == before.size, "a finger alone moves it")
        }
        #expect(world.finish() == [])
    }

    @Test("a finger that is not on it, and no finger, stretch nothing")
    func stretchedByNobody() {
        var world = pipWorld()
        world.rest()
        let before = world.frame(two)!
        world.send(.windowAsked(two, .resize(by: 0)))
        world.touch(down: Point(100, 100))
        world.send(.windowAsked(two, .resize(by: 0)))
        world.send(.windowAsked(one, .resize(by: 0)))
        world.slide(to: Point(300, 300))
        world.lift()
        world.rest()
        #expect(world.frame(two) == before)
        #expect(world.finish() == [])
    }

    @Test("a tap in it is the shell's, and of one by its own protocol the app's; neither takes keys away", arguments: [false, true])
    func tap(isPip: Bool) {
        var world = pipWorld(isPip: isPip)
        let effects = world.touch(down: world.spot(.picture))
        #expect(effects.contains { if case .client(.touchDown(0, two, _)) = $0 { true } else { false } } == isPip)
        #expect(world.workspace.focus == one)
        world.lift()
        #expect(world.interface.isPipControlsOpen)
        #expect(world.finish() == [])
    }

    @Test("pushed past the edge it leaves a tab, by which it is pulled back")
    func stash() {
        var world = pipWorld()
        let start = world.spot(.picture)
        world.touch(down: start)
        world.slide(to: start + Vector(160, 0), over: 80)
        world.lift()
        #expect(pip(world)?.stashed == .right)
        world.rest()
        #expect(world.frame(two)!.minX > 1180)
        world.touch(down: world.spot(.pipTab))
        world.slide(to: world.spot(.pipTab) + Vector(-150, 0))
        #expect(world.frame(two)!.minX < 1180)
        world.lift()
        #expect(pip(world)?.stashed == nil)
        world.rest()
        world.act(.pipStash(.left))
        world.rest()
        world.tap(at: world.spot(.pipTab))
        #expect(pip(world)?.stashed == nil && pip(world)?.corner == .bottomLeft)
        #expect(world.finish() == [])
    }

    @Test("two fingers resize it about their middle, and no further than its limits")
    func pinch() {
        var world = pipWorld()
        let before = world.frame(two)!
        let middle = world.spot(.picture)
        world.touch(0, down: middle + Vector(-60, 0))
        world.touch(1, down: middle + Vector(60, 0))
        #expect(world.effects.count(.touchCancel) == 0, "its app has neither finger")
        world.slide(0, to: middle + Vector(-80, 0))
        world.slide(1, to: middle + Vector(80, 0))
        #expect(abs(world.frame(two)!.width - before.width * 4 / 3) < 2)
        world.lift(0)
        world.lift(1)
        world.rest()
        #expect(abs(world.frame(two)!.width - before.width * 4 / 3) < 2)
        #expect(world.place(two) == .pictureInPicture)
        world.touch(0, down: world.spot(.picture) + Vector(-60, 0))
        world.touch(1, down: world.spot(.picture) + Vector(60, 0))
        world.slide(0, to: world.spot(.picture) + Vector(-5, 0))
        world.lift(1)
        world.lift(0)
        world.rest()
        #expect(world.frame(two)!.width >= 820 * 0.22 - 1)
        #expect(world.finish() == [])
    }

    @Test("spread wide it fills the screen")
    func pinchOut() {
        var world = pipWorld()
        let middle = world.spot(.picture)
        world.touch(0, down: middle + Vector(-30, 0))
        world.touch(1, down: middle + Vector(30, 0))
        world.slide(0, to: middle + Vector(-160, -60))
        world.slide(1, to: middle + Vector(160, 60))
        world.lift(0)
        world.lift(1)
        isFull(world, two)
        #expect(world.finish() == [])
    }

    @Test("a third finger is nobody's")
    func thirdFinger() {
        var world = pipWorld()
        let middle = world.spot(.picture)
        world.touch(0, down: middle + Vector(-40, 0))
        world.touch(1, down: middle + Vector(40, 0))
        #expect(world.touch(2, down: Point(200, 200)) == [.touchFrame])
        #expect(world.touch(2, to: Point(300, 200)) == [])
        world.liftAll()
        #expect(world.finish() == [])
    }

    @Test("by key it grows and shrinks in steps, within its limits")
    func steps() {
        var world = pipWorld()
        let before = world.workspace.pipWidth!
        world.act(.pipStep(1))
        #expect(world.workspace.pipWidth == (before * 1.2).rounded())
        for _ in 0..<20 { world.act(.pipStep(1)) }
        #expect(world.workspace.pipWidth == 820 * 0.8)
        for _ in 0..<20 { world.act(.pipStep(-1)) }
        #expect(world.workspace.pipWidth == (820 * 0.22).rounded())
        #expect(world.act(.pipStep(5)).refusals == ["a step is 1 or -1, not 5"])
        #expect(world.finish() == [])
    }

    @Test("caught in flight, it stays under the finger")
    func caught() {
        var world = pipWorld()
        world.act(.pipCorner(.topLeft))
        world.wait(80)
        let flying = world.frame(two)!
        world.touch(down: flying.center)
        world.wait(200)
        #expect(world.frame(two) == flying, "a finger that only rests on it holds it")
        world.touch(to: flying.center + Vector(12, 0))
        let caught = world.frame(two)!
        #expect(caught.center.distance(to: flying.center + Vector(12, 0)) < 1)
        world.wait(500)
        #expect(world.frame(two) == caught)
        world.lift()
        #expect(world.finish() == [])
    }
}
