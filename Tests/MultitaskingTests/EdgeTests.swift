import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("What begins at an edge of the screen is the edge's")
struct EdgeTests {
    /// What lies under the edge.
    enum Under: CaseIterable, Sendable {
        case app, titleBar, pair, card, cardLeft, picture, home, switcher

        func world() -> CoreWorld {
            var world = CoreWorld()
            world.open(1)
            world.open(2)
            switch self {
            case .app, .titleBar: break
            case .pair: world.act(.splitView(window: two, side: .right))
            case .card, .cardLeft:
                world.open(3, to: .slideOver)
                world.act(.slideOverSide(self == .card ? .right : .left))
            case .picture:
                world.open(3, to: .pictureInPicture)
                world.act(.pipCorner(.topLeft))
            case .home: world.act(.home)
            case .switcher: world.act(.appSwitcher)
            }
            world.rest()
            return world
        }
    }

    /// A finger goes so far in so many milliseconds. It is seen every 8 ms, and at no more than forty places. An app that is touched
    /// asks to be moved as soon as it sees the finger move by more than 2 points, as a header bar does at the latest.
    private func pull(_ world: inout CoreWorld, from start: Point, by way: Vector, over milliseconds: Double, asksToMove: Bool) {
        world.touch(down: start)
        // All is checked again when the finger lifts.
        world.isChecked = false
        defer { world.isChecked = true }
        let steps = min(40, max(1, Int(clamping: milliseconds / 8)))
        var hasAsked = false
        for step in 1...steps {
            world.wait(milliseconds / Double(steps))
            let share = way * (Double(step) / Double(steps))
            world.touch(to: start + share)
            if asksToMove, !hasAsked, share.length > 2, let window = world.workspace.focus, world.ledger.touches[0] != nil {
                hasAsked = true
                world.send(.windowAsked(window, .move(by: 0)))
            }
        }
    }

    /// The very edge and the end of its strip by turns; `make test-slow` tries both at every x.
    private func depths(_ edge: Double, _ inner: Double, at x: Double) -> [Double] {
        TestSeed.isSlow ? [edge, inner] : [x.truncatingRemainder(dividingBy: 8) == 0 ? edge : inner]
    }

    @Test("down from the top, at every speed and every x, whatever lies there", arguments: Under.allCases)
    func pullsDown(under: Under) {
        let rested = under.world()
        for milliseconds in [8.0, 40, 80, 160, 250, 400, 800, 1200] {
            let step = milliseconds == 250 && under == .titleBar ? 4.0 : 52
            for x in stride(from: 4.0, through: 1176, by: step) {
                for y in depths(0.5, 15.5, at: x) {
                    var world = rested
                    world.keepsHistory = false
                    pull(&world, from: Point(x, y), by: Vector(6, 170), over: milliseconds, asksToMove: under != .home)
                    let panel = x > 1180 * 2 / 3 ? "control-centre" : "notifications"
                    let open = world.interface.openNames.filter { $0 != "switcher" }
                    #expect(open == [panel], "from \(x), \(y) in \(milliseconds) ms")
                    world.lift()
                    #expect(world.workspace.spaces == rested.workspace.spaces && world.workspace.slideOver == rested.workspace.slideOver)
                    #expect(world.workspace.pip == rested.workspace.pip && world.problems == [])
                    if world.interface.openNames.isEmpty { return }
                }
            }
        }
    }

    @Test("up from the bottom, at every x, whatever lies there", arguments: [Under.app, .titleBar, .pair, .card, .cardLeft, .picture])
    func pullsUp(under: Under) {
        var rested = under.world()
        if under == .picture { rested.act(.pipCorner(.bottomRight)) }
        rested.rest()
        for milliseconds in [8.0, 40, 120, 250, 400] {
            for x in stride(from: 4.0, through: 1176, by: 52) {
                for y in depths(819.5, 804, at: x) {
                    var world = rested
                    world.keepsHistory = false
                    pull(&world, from: Point(x, y), by: Vector(5, -430), over: milliseconds, asksToMove: true)
                    world.lift()
                    #expect(world.workspace.isHome, "from \(x), \(y) in \(milliseconds) ms")
                    #expect(world.workspace.spaces == rested.workspace.spaces && world.problems == [])
                    if !world.workspace.isHome { return }
                }
            }
        }
    }

    @Test("along the edge it is for what lies there: a title bar that asked meanwhile moves its window")
    func titleBarSideways() {
        for asksAfter in [3.0, 30] {
            var world = Under.app.world()
            world.touch(down: Point(300, 8))
            for step in stride(from: 3.0, through: 60, by: 3) {
                world.wait(8)
                world.touch(to: Point(300 - step, 8 + step * 0.2))
                if step == asksAfter { world.send(.windowAsked(two, .move(by: 0))) }
            }
            #expect(world.system.isGesturing && world.interface.openNames == [])
            world.slide(to: Point(20, 400), over: 300)
            world.lift()
            isSplit(world, two, one)
            #expect(world.finish() == [])
        }
    }

    @Test("an app that resizes its own picture by a finger at the edge waits, too")
    func noResize() {
        var world = Under.picture.world()
        world.touch(down: Point(200, 15.5))
        world.send(.windowAsked(three, .resize(by: 0)))
        #expect(!world.system.isGesturing)
        world.slide(to: Point(200, 150), over: 100)
        #expect(world.interface.openNames == ["notifications"])
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("taps at the edge stay taps: the app's, or on the dots and the strip of a card")
    func taps() {
        var world = Under.app.world()
        world.touch(down: Point(300, 4))
        #expect(world.lift() == [.touchUp(0)])
        world.tap(at: Point(590, 6))
        #expect(world.interface.openNames == ["controls"])
        world.act(.dismiss)
        world.rest()
        var card = Under.card.world()
        card.tap(at: Point(980, 13))
        #expect(card.interface.popover?.content == .controls(three))
        #expect(world.finish() == [] && card.finish() == [])
    }

    @Test("the dots at the very edge: sideways they lift the window, after a rest downwards too")
    func handles() {
        var world = Under.app.world()
        world.drag(from: Point(590, 8), to: Point(20, 400), over: 300)
        isSplit(world, two, one)
        world = Under.app.world()
        world.touch(down: Point(590, 8))
        world.wait(400)
        world.slide(to: Point(590, 300), over: 200)
        world.slide(to: Point(1000, 400), over: 200)
        world.lift()
        #expect(world.place(two) == .slideOver(0))
        #expect(world.finish() == [])
    }

    @Test("a flip along a card's lower strip is still one, though it lies at the edge")
    func flips() {
        var world = Under.card.world()
        world.open(4, to: .slideOver)
        world.rest()
        world.drag(from: Point(980, 807), to: Point(780, 807), over: 150)
        #expect(world.workspace.slideOver.stack.first == three)
        #expect(world.finish() == [])
    }

    @Test("a second finger's gesture, its end, the end of the window: nothing stays (law 4)")
    func ends() {
        for how in 0..<4 {
            var world = Under.card.world()
            world.touch(down: Point(980, 12))
            switch how {
            case 0: world.take()
            case 1: world.destroy(three)
            case 2: world.drag(2, from: Point(590, 18), to: Point(20, 400))
            default: world.send(.screenChanged(Screen(size: Size(820, 1180))))
            }
            world.slide(to: Point(900, 300), over: 100)
            world.lift()
            #expect(world.finish() == [])
        }
    }

    @Test("a tap at the upper edge, beside the cards of the app switcher, closes it")
    func tapAboveTheCards() {
        var world = Under.switcher.world()
        #expect(world.system.interface.isOverviewOpen)
        world.tap(at: Point(590, 12))
        #expect(!world.system.interface.isOverviewOpen)
        #expect(world.problems == [])
    }
}
