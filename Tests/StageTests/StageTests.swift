import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

private func world() -> CoreWorld {
    var world = CoreWorld()
    world.open(1)
    world.open(2, to: .splitView(.right))
    world.open(3, to: .slideOver)
    world.rest()
    return world
}

extension CoreWorld {
    fileprivate var items: [Item] { system.items(at: now) }
    fileprivate func hit(_ x: Double, _ y: Double, precise: Bool = false) -> Hit {
        system.stage.hit(Point(x, y), workspace, precise: precise, at: now)
    }
}

@Suite("What is drawn")
struct DrawingTests {
    @Test("back to front: wallpaper, panels below, the pair, Slide Over, a picture, panels above")
    func order() {
        var world = world()
        world.open(4, to: .pictureInPicture)
        world.rest()
        let kinds = world.items.map(\.kind)
        func index(_ kind: Item.Kind) -> Int { kinds.firstIndex(of: kind) ?? -1 }
        let expected: [Item.Kind] = [
            .art(.wallpaper, size: Size(1180, 820)), .layer(0), .layer(1), .fill(.divider), .window(one), .window(two), .window(three),
            .window(WindowID(4)), .layer(2), .layer(3), .dragIcon,
        ]
        #expect(expected.map(index) == expected.map(index).sorted() && !expected.map(index).contains(-1))
    }

    @Test("each item has a name of its own, so that only what changed is painted")
    func keys() {
        let items = world().items
        #expect(Set(items.map(\.key)).count == items.count)
        #expect(Set(items.map(\.key.number)).count == items.count)
    }

    @Test("a hidden window is not drawn, and a shown one is clipped to its place")
    func clips() {
        var world = world()
        world.act(.fullScreen(window: two))
        world.rest()
        #expect(!world.items.contains { $0.kind == .window(one) })
        #expect(world.items.first { $0.kind == .window(two) }?.clip.map { $0.contains(Rect(0, 0, 1180, 820), tolerance: 0.1) } ?? false)
    }

    @Test("W-11: only a picture that is smaller than its place has a letterbox")
    func letterbox() {
        var world = world()
        #expect(!world.items.contains { $0.key.part == .letterbox })
        world.commit(one) { $0.size = Size(300, 200) }
        #expect(world.items.contains { $0.key.part == .letterbox && $0.key.window == one })
    }

    @Test("W-03: a dot for each window of the stack, six at most")
    func dots() {
        var world = world()
        func dots() -> Int { world.items.count { [.dot0, .dot1, .dot2, .dot3, .dot4, .dot5].contains($0.key.part) } }
        #expect(dots() == 1)
        for raw in 4...12 as ClosedRange<UInt32> { world.open(raw, to: .slideOver) }
        world.rest()
        #expect(dots() == 6)
    }

    @Test("popups stand over the neighbour and the divider")
    func popups() {
        var world = world()
        world.send(.popupsChanged(one, boxes: [Rect(500, 100, 200, 300)], grab: false))
        let items = world.items
        let popup = items.firstIndex { $0.kind == .popups(one) }!, neighbour = items.firstIndex { $0.kind == .window(two) }!
        #expect(popup > neighbour)
        #expect(world.hit(650, 200) == .window(one, nil))
        #expect(world.hit(590, 200) == .window(one, nil), "also where the divider lies")
    }

    @Test("while it answers, a window's old picture is stretched over the moving rectangle")
    func stretched() {
        var world = world()
        world.setManner(.asked, of: one)
        world.act(.divider(fraction: 1.0 / 3))
        world.wait(100)
        #expect(world.workspace[one]!.isAwaited)
        #expect(world.system.contentRect(of: one, at: world.now) == world.system.shownFrame(of: one, at: world.now))
        world.wait(400)
        // Not waited for any longer: shown as it is, scaled into its place.
        let picture = world.system.contentRect(of: one, at: world.now)!
        #expect(abs(picture.width / picture.height - 585.0 / 820) < 0.001)
    }

    @Test("without a screen nothing is drawn and nothing is hit")
    func noScreen() {
        var world = world()
        world.send(.screenRemoved)
        #expect(world.items.isEmpty)
        #expect(world.hit(100, 100) == .background)
        #expect(!world.system.isMoving(at: world.now))
    }
}

@Suite("What a finger hits")
struct HitTests {
    @Test("W-07: the dots of a window that fills the screen by its own wish are not drawn, and are found all the same")
    func immersed() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.rest()
        func dots(_ window: WindowID) -> Bool { world.items.contains { $0.key.part == .grip && $0.key.window == window } }
        #expect(dots(two))
        world.send(.windowAsked(two, .fullscreen(true)))
        world.rest()
        #expect(!dots(two))
        #expect(world.hit(590, 8) == .window(two, .grip))
        // Beside another it is one of two, and both have theirs.
        world.act(.splitView(window: one, side: .left))
        world.rest()
        #expect(dots(one) && dots(two))
        world.act(.fullScreen(window: two))
        world.rest()
        #expect(!dots(two))
        world.send(.windowAsked(two, .fullscreen(false)))
        world.rest()
        #expect(dots(two))
    }

    @Test(
        "W-07: the dots of a window that fills the screen by its own wish show where a person looks for them, as its client may draw no way out"
    )
    func wayOut() {
        var world = CoreWorld()
        world.open(1)
        world.send(.windowAsked(one, .fullscreen(true)))
        world.rest()
        func dots() -> Bool { world.items.contains { $0.key.part == .grip && $0.key.window == one } }
        world.send(.pointerMotion(at: Point(300, 400)))
        world.rest()
        #expect(!dots())
        world.send(.pointerMotion(at: Point(300, 20)))
        world.rest()
        #expect(dots())
        world.send(.pointerMotion(at: Point(300, 100)))
        world.rest()
        #expect(!dots(), "a film goes on without them")
        world.tap(at: Point(300, 20))
        world.wait(100)
        #expect(dots())
        world.wait(1100)
        world.rest()
        #expect(!dots() && world.timers.isEmpty)
        // They stay hidden when the window comes back.
        world.act(.home)
        world.rest()
        world.act(.focus(window: one))
        world.rest()
        #expect(!dots())
        world.tap(at: Point(590, 20))
        world.rest()
        #expect(dots() && world.interface.isPopoverOpen)
        #expect(world.finish() == [])
    }

    @Test("windows, the divider and its target of 44 points, the card and its strips")
    func places() {
        let world = world()
        #expect(world.hit(200, 400) == .window(one, nil))
        #expect(world.hit(590, 400) == .divider(over: nil))
        #expect(world.hit(570, 400) == .divider(over: one))
        #expect(world.hit(570, 400, precise: true) == .window(one, nil))
        #expect(world.hit(610, 400) == .divider(over: two))
        #expect(world.hit(566, 400) == .window(one, nil))
        #expect(world.hit(292, 8) == .window(one, .grip))
        #expect(world.hit(292, 43) == .window(one, .grip))
        #expect(world.hit(292, 43, precise: true) == .window(one, nil))
        #expect(world.hit(982, 20) == .cardTop(three))
        #expect(world.hit(982, 40) == .window(three, .cardTop))
        #expect(world.hit(982, 400) == .window(three, nil))
        #expect(world.hit(982, 800) == .cardBottom(three))
    }

    @Test("at least 44 points for a finger: divider, handle and tab")
    func targets() {
        var world = world()
        world.act(.slideOverHide)
        world.open(4, to: .pictureInPicture)
        world.act(.pipStash(.left))
        world.rest()
        func extent(_ along: (Double) -> Hit, _ isIt: (Hit) -> Bool) -> Int { (0..<1180).count { isIt(along(Double($0))) } }
        func isDivider(_ hit: Hit) -> Bool { if case .divider = hit { true } else { false } }
        #expect(extent({ world.hit($0, 300) }, isDivider) == 44)
        let handle = world.workspace.handles.first { $0.kind == .slideOver }!.frame.center
        #expect((0..<820).count { world.hit(handle.x, Double($0)) == .slideOverHandle } >= 44)
        #expect(extent({ world.hit($0, handle.y) }, { $0 == .slideOverHandle }) >= 24, "it lies at the screen's edge")
        let tab = world.workspace.handles.first { $0.kind == .picture }!.frame.center
        #expect((0..<820).count { world.hit(tab.x, Double($0)) == .pipTab } >= 44)
    }

    @Test("what leaves is not hit; what comes is, where it is seen")
    func leaving() {
        var world = world()
        world.act(.fullScreen(window: two))
        world.wait(50)
        #expect(world.items.contains { $0.kind == .window(one) }, "it can still be seen")
        for x in stride(from: 5.0, to: 790, by: 50) { #expect(world.hit(x, 400).window != one) }
    }

    @Test("the bottom 16 points are the edge, whether or not there is a space to go to")
    func bottom() {
        var world = CoreWorld()
        world.open(1)
        world.rest()
        #expect(world.hit(590, 815) == .window(one, .bottom))
        world.open(2)
        world.rest()
        #expect(world.hit(590, 815) == .window(two, .bottom))
        #expect(world.hit(590, 804) == .window(two, .bottom))
        #expect(world.hit(590, 803) == .window(two, nil))
    }
}

@Suite("Drags and pinches")
struct RecognizerTests {
    @Test("within the slop it is a tap; beyond it a drag along its axis")
    func slop() {
        var trace = Trace(Point(100, 100), at: .zero)
        trace.move(to: Point(107, 107), at: .milliseconds(8))
        #expect(!trace.isDrag(slop: 10, along: .any))
        trace.move(to: Point(112, 103), at: .milliseconds(16))
        #expect(trace.isDrag(slop: 10, along: .any) && trace.isDrag(slop: 10, along: .horizontal))
        #expect(!trace.isDrag(slop: 10, along: .vertical))
        trace.restart()
        #expect(trace.translation == .zero && trace.point == Point(112, 103))
        #expect(trace.velocity(at: .milliseconds(16)).dx > 0)
    }

    @Test("a pinch is how much two fingers spread, and where their middle is")
    func pinch() {
        let pinch = Pinch(Point(100, 100), Point(200, 100))
        #expect(pinch.scale(Point(50, 100), Point(250, 100)) == 2)
        #expect(pinch.center(Point(0, 0), Point(10, 20)) == Point(5, 10))
        #expect(Pinch(Point(5, 5), Point(5, 5)).scale(Point(0, 0), Point(40, 0)) == 2, "fingers on one spot")
    }

    @Test("a rubber band gives less and less")
    func rubber() {
        #expect(rubberBand(50, low: 0, high: 100) == 50)
        #expect(rubberBand(200, low: 0, high: 100) == 135)
        #expect(rubberBand(-100, low: 0, high: 100) == -35)
    }
}
