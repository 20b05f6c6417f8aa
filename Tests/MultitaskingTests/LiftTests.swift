import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("W-17: lifting a window by its grip")
struct LiftTests {
    /// Window 2 in front of 1, both full screen.
    private func world(size: Size = Size(1180, 820)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.open(1)
        world.open(2)
        world.rest()
        return world
    }

    @Test("let go at an edge it is split with what was in front before", arguments: [Side.left, .right])
    func toSplit(side: Side) {
        var world = world()
        world.drag(from: world.spot(.grip(0)), to: Point(side == .left ? 20 : 1160, 400), over: 500)
        if side == .left { isSplit(world, two, one) } else { isSplit(world, one, two) }
        #expect(world.finish() == [])
    }

    @Test("upright, at the top or the bottom too", arguments: [Side.top, .bottom])
    func stacked(side: Side) {
        var world = world(size: Size(820, 1180))
        world.drag(from: world.spot(.grip(0)), to: Point(410, side == .top ? 100 : 600), over: 300)
        isFull(world, two)
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(410, 600))
        world.slide(to: Point(410, side == .top ? 20 : 1160))
        world.lift()
        if side == .top { isSplit(world, two, one) } else { isSplit(world, one, two) }
        world.rest()
        #expect(world.frame(two)?.width == 820)
        #expect(world.finish() == [])
    }

    @Test("in the outer quarter it goes to Slide Over on that side", arguments: [Side.left, .right])
    func toSlideOver(side: Side) {
        var world = world()
        world.drag(from: world.spot(.grip(0)), to: Point(side == .left ? 200 : 980, 400), over: 500)
        #expect(world.place(two) == .slideOver(0))
        #expect(world.workspace.slideOver.side == side)
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("in a lower corner it becomes a picture", arguments: [Corner.bottomLeft, .bottomRight])
    func toPicture(corner: Corner) {
        var world = world()
        world.drag(from: world.spot(.grip(0)), to: Point(corner.isLeft ? 80 : 1100, 800), over: 500)
        #expect(world.place(two) == .pictureInPicture)
        #expect(world.workspace.pip?.corner == corner)
        #expect(world.finish() == [])
    }

    @Test("in the middle it takes the screen")
    func toFullScreen() {
        var world = splitWorld()
        world.drag(from: world.spot(.grip(1)), to: Point(590, 400), over: 500)
        isFull(world, two)
        #expect(world.finish() == [])
    }

    @Test("from a split to the other edge the sides change places")
    func swap() {
        var world = splitWorld()
        world.drag(from: world.spot(.grip(0)), to: Point(1160, 400), over: 500)
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("the place it would take is shown while it is held, and gone after")
    func preview() {
        var world = world()
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(1160, 400))
        world.wait(600)
        let preview = world.system.items(at: world.now).first { $0.key.part == .dropPreview }
        #expect(preview.map { Rect(595, 0, 585, 820).contains($0.frame, tolerance: 0.1) } ?? false)
        world.lift()
        #expect(!world.system.items(at: world.now).contains { $0.key.part == .dropPreview })
        #expect(world.finish() == [])
    }

    @Test("upright, a window that fills the screen is split with what was before by taking it down and back to the top")
    func backToTheTop() {
        var world = world(size: Size(820, 1180))
        let grip = world.spot(.grip(0))
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 400))
        world.slide(to: grip)
        world.lift()
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("put back near where it was taken, nothing changes")
    func putBack() {
        var world = splitWorld()
        let before = world.workspace.spaces
        let grip = world.spot(.grip(0))
        world.touch(down: grip)
        world.slide(to: grip + Vector(0, 200))
        world.slide(to: grip + Vector(5, 8))
        world.lift()
        #expect(world.workspace.spaces == before)
        #expect(world.finish() == [])
    }

    private func isOfTouch(_ effect: Effect) -> Bool {
        switch effect {
        case .client(.touchDown), .client(.touchMotion), .client(.touchUp), .client(.touchCancel): true
        default: false
        }
    }

    @Test("law 8: a finger on the dots is the shell's at once, and the app hears nothing of it")
    func cancelsTouch() {
        var world = splitWorld()
        let grip = world.spot(.grip(0))
        var effects = world.touch(down: grip)
        for dy in [6.0, 12, 40, 200] { effects += world.touch(to: grip + Vector(0, dy)) }
        effects += world.lift()
        #expect(!effects.contains(where: isOfTouch))
        #expect(world.finish() == [])
    }

    @Test("W-07: a tap on the dots opens the controls of that window and makes it active; 72 by 44 points hit them")
    func tap() {
        var world = splitWorld()
        world.act(.focus(window: two))
        world.rest()
        let dots = Stage.gripPill(of: world.frame(one)!).center
        let inside = [Vector(-35, 0), Vector(35, 0), Vector(0, -9), Vector(0, 33)]
        for way in inside {
            world.tap(at: dots + way)
            #expect(world.system.interface.popover?.content == .controls(one) && world.system.interface.isPopoverOpen, "\(way)")
            #expect(world.workspace.focus == one)
            world.act(.dismiss)
            world.rest()
        }
        #expect(!world.effects.contains(where: isOfTouch))
        for way in [Vector(-37, 0), Vector(37, 0), Vector(0, 35)] {
            world.tap(at: dots + way)
            #expect(!world.system.interface.isPopoverOpen, "\(way)")
        }
        #expect(world.finish() == [])
    }

    @Test("law 8: the other fingers of the app are cancelled too and stay nobody's until they are lifted")
    func otherFingers() {
        var world = splitWorld()
        world.touch(1, down: Point(900, 600))
        world.touch(0, down: world.spot(.grip(0)))
        world.slide(0, to: Point(590, 300))
        #expect(world.effects.count(.touchCancel) == 1)
        #expect(world.touch(1, to: Point(910, 600)) == [])
        #expect(world.touch(2, down: Point(900, 300)) == [.touchFrame])
        world.lift(0)
        #expect(world.touch(1, to: Point(920, 600)) == [])
        #expect(world.lift(1) == [])
        world.lift(2)
        #expect(world.finish() == [])
    }

    @Test("taken back by the device, the window goes back to its place")
    func takenBack() {
        var world = splitWorld()
        let before = world.workspace.spaces
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(1160, 300))
        world.take()
        #expect(world.workspace.spaces == before)
        world.rest()
        #expect(world.frame(one) == Rect(0, 0, 585, 820))
        #expect(world.finish() == [])
    }

    @Test("law 8: an action while a finger holds a window: the finger lets go and the action wins")
    func actionWins() {
        var world = splitWorld()
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(1160, 300))
        world.act(.slideOver(window: two))
        #expect(!world.system.isGesturing)
        world.slide(to: Point(20, 300))
        world.lift()
        #expect(world.place(two) == .slideOver(0))
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("a window that opens meanwhile does not pull the lifted one from under the finger")
    func newWindowMeanwhile() {
        var world = world()
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(590, 400))
        world.open(3)
        world.wait(2000)
        let frame = world.frame(two)
        #expect(frame != nil)
        #expect(world.system.items(at: world.now).contains { $0.kind == .window(two) && $0.opacity == 1 })
        world.slide(to: Point(20, 400))
        world.lift()
        isSplit(world, two, three)
        #expect(world.finish() == [])
    }

    @Test("killed under the finger, it is gone and nothing is held")
    func killed() {
        var world = world()
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(1160, 400))
        world.destroy(two)
        #expect(!world.system.isGesturing)
        world.lift()
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("an app's own title bar works like the grip, but only under a finger")
    func titleBar() {
        var world = world()
        world.send(.windowAsked(two, .move()))
        #expect(!world.system.isGesturing)
        world.touch(down: Point(300, 20))
        world.touch(to: Point(306, 24))
        world.send(.windowAsked(two, .move()))
        #expect(world.system.isGesturing)
        #expect(world.effects.last == .touchCancel || world.effects.contains(.touchCancel))
        world.slide(to: Point(20, 400))
        world.lift()
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("a title bar in Slide Over moves the card, in a picture the picture")
    func titleBarElsewhere() {
        var world = slideOverWorld()
        let middle = world.spot(.cardMiddle)
        world.touch(down: middle)
        world.send(.windowAsked(three, .move()))
        world.slide(to: middle + Vector(-500, 0))
        world.wait(150)
        world.lift()
        #expect(world.workspace.slideOver.side == .left)
        #expect(world.finish() == [])
    }

    @Test("with one window alone there is nothing to split with: the edge is Slide Over")
    func alone() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        world.drag(from: world.spot(.grip(0)), to: Point(20, 400), over: 500)
        #expect(world.place(one) == .slideOver(0))
        #expect(world.finish() == [])
    }
}

@Suite("Between spaces by the bottom edge")
struct PanTests {
    @Test("a swipe along the bottom goes to the neighbour, and no further than the last one; a short one comes back")
    func pan() {
        var world = CoreWorld()
        for raw in [1, 2, 3] as [UInt32] { world.open(raw) }
        world.rest()
        isFull(world, three)
        func swipe(_ dx: Double) {
            world.touch(down: Point(590, 815))
            world.slide(to: Point(590 + dx, 815), over: 150)
            world.wait(150)
            world.lift()
            world.rest()
        }
        swipe(100)
        isFull(world, three)
        swipe(400)
        isFull(world, two)
        swipe(-400)
        isFull(world, three)
        swipe(-400)
        isFull(world, three)
        #expect(world.finish() == [])
    }

    @Test("the neighbour follows right behind, and both settle from where they are")
    func follows() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        world.touch(down: Point(590, 815))
        world.slide(to: Point(990, 815))
        let front = world.frame(two)!, behind = world.frame(one)!
        #expect(front.minX > 340 && front.minX <= 400)
        #expect(behind.maxX < front.minX && front.minX - behind.maxX < 30)
        world.wait(400)
        let rested = (world.frame(two)!, world.frame(one)!)
        #expect(rested.0.minX == 400, "the way that it took to know is made up for")
        world.lift()
        #expect(world.frame(two) == rested.0 && world.frame(one) == rested.1)
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("a tap at the bottom edge is the app's; every drag from there is the shell's, which cancels the app's touch (law 8)")
    func vertical() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        world.touch(down: Point(590, 815))
        #expect(world.lift() == [.touchUp(0)])
        for end in [Point(590, 500), Point(200, 815), Point(590, 790)] {
            world.touch(down: Point(590, 805))
            #expect(world.touch(to: Point(590, 800)).contains { if case .client(.touchMotion) = $0 { true } else { false } })
            let before = world.effects.count(.touchCancel)
            world.slide(to: end)
            #expect(world.system.isGesturing)
            #expect(world.effects.count(.touchCancel) == before + 1)
            #expect(!world.take().contains(.touchUp(0)))
            world.rest()
            isFull(world, two)
        }
        #expect(world.finish() == [])
    }

    @Test("17 points from the bottom edge a drag is the app's")
    func beyond() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        world.touch(down: Point(590, 803))
        world.slide(to: Point(590, 300))
        #expect(!world.system.isGesturing)
        #expect(world.lift() == [.touchUp(0)])
        #expect(world.finish() == [])
    }

    @Test("a second swipe catches both spaces where they are")
    func caught() {
        var world = CoreWorld()
        for raw in [1, 2, 3] as [UInt32] { world.open(raw) }
        world.rest()
        world.touch(down: Point(590, 815))
        world.slide(to: Point(1000, 815), over: 150)
        world.lift()
        world.wait(60)
        world.touch(down: Point(700, 815))
        let before = world.frame(two)!
        world.touch(to: Point(711, 815))
        world.touch(to: Point(712, 815))
        #expect(abs(world.frame(two)!.x - before.x) < 14, "\(before) then \(world.frame(two)!)")
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("by pointer too; a click stays the app's")
    func pointer() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        world.send(.pointerMotion(at: Point(590, 818)))
        world.send(.pointerButton(0x110, pressed: true))
        for x in stride(from: 600.0, through: 1000, by: 20) {
            world.wait(16)
            world.send(.pointerMotion(at: Point(x, 818)))
        }
        world.wait(200)
        world.send(.pointerButton(0x110, pressed: false))
        isFull(world, one)
        world.rest()
        world.send(.pointerMotion(at: Point(300, 818)))
        #expect(world.send(.pointerButton(0x110, pressed: true)) == [])
        let click = world.send(.pointerButton(0x110, pressed: false))
        #expect(click.contains(.pointerButton(0x110, pressed: true)) && click.contains(.pointerButton(0x110, pressed: false)))
        #expect(world.finish() == [])
    }
}
