import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

/// Freely stacked windows by finger (W-25).
@Suite("W-25: windows that a person moves, resizes and puts away")
struct FreeGestureTests {
    private let one = WindowID(1), two = WindowID(2)

    /// Two windows whose clients draw no title.
    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.send(.idiomsKnown(Idiom.all))
        world.act(.idiom("mac"))
        for number in 1...2 as ClosedRange<UInt32> {
            world.open(number, WindowFacts(appID: "app\(number)", title: "A", client: UInt64(number), isBare: true))
        }
        world.rest()
        return world
    }

    private func bar(_ id: WindowID, _ world: CoreWorld) -> Point {
        let frame = world.frame(id)!
        return Point(frame.center.x + 30, frame.minY - world.workspace.titleBar(of: id) / 2)
    }

    private func drag(_ world: inout CoreWorld, from: Point, by way: Vector) {
        world.touch(down: from)
        for step in 1...10 {
            world.wait(16)
            world.touch(to: from + Vector(way.dx * Double(step) / 10, way.dy * Double(step) / 10))
        }
        world.wait(200)
        world.lift()
        world.rest()
    }

    @Test("a window is dragged by its title bar, comes in front, and its size is its own")
    func move() {
        var world = world()
        let before = world.frame(one)!, other = world.frame(two)!
        #expect(world.workspace.titleBar(of: one) == 32 && before != other)
        drag(&world, from: Point(before.minX + 120, before.minY - 16), by: Vector(-60, 40))
        #expect(world.frame(one) == before.offset(by: Vector(-60, 40)))
        #expect(world.frame(two) == other && world.workspace.focus == one && world.workspace.shownRoots.last == one)
        #expect(world.problems == [])
    }

    @Test("a window cannot be lost beyond an edge of the screen")
    func reach() {
        var world = world()
        drag(&world, from: bar(two, world), by: Vector(40, 5000))
        let frame = world.frame(two)!
        #expect(frame.minY - 32 < world.workspace.screen!.usable.maxY)
        drag(&world, from: bar(two, world), by: Vector(0, -100))
        #expect(world.frame(two)!.minY < frame.minY)
    }

    @Test(
        "P-04: a dialog of a window that a person dragged under the dock brings it back, and is in sight as a whole",
        arguments: [false, true])
    func dialogOfLowWindow(isModal: Bool) {
        var world = world()
        drag(&world, from: bar(two, world), by: Vector(40, 5000))
        let low = world.frame(two)!
        world.create(9, WindowFacts(appID: "app2", title: "Find", client: 2, parent: two, isModal: isModal, isBare: true))
        world.setNatural(Size(300, 160), of: WindowID(9))
        world.map(9)
        world.rest()
        let room = world.workspace.freeRoom!
        #expect(room.contains(world.frame(WindowID(9))!, tolerance: 1) && room.contains(world.frame(two)!, tolerance: 1))
        #expect(world.frame(two)!.minY < low.minY && world.workspace.focus == WindowID(9))
        #expect(world.problems == [])
    }

    @Test("at an edge it fills a half, at a corner a quarter, at the upper edge all; dragged away it has its own size again")
    func tiles() {
        for (spot, tile, size) in [
            (Point(2, 400), Tile.left, Size(590, 660)), (Point(1178, 400), .right, Size(590, 660)),
            (Point(600, 2), .whole, Size(1180, 660)),
            (Point(2, 20), .topLeft, Size(590, 314)), (Point(1178, 815), .bottomRight, Size(590, 314)),
        ] {
            var world = world()
            let own = world.frame(two)!.size, start = bar(two, world)
            drag(&world, from: start, by: spot - start)
            #expect(world.workspace.tile(of: two) == tile && world.frame(two)?.size == size, "\(tile): \(world.frame(two)!)")
            #expect(world.clients[two]?.told?.arranged == true)
            drag(
                &world, from: Point(world.frame(two)!.center.x, world.frame(two)!.minY - 16),
                by: Vector(tile == .right || tile == .bottomRight ? -120 : 120, 150))
            #expect(world.workspace.tile(of: two) == nil && world.frame(two)?.size == own, "\(tile)")
            #expect(world.problems == [])
        }
    }

    @Test("the band outside of a window resizes it, and the other sides stay")
    func resize() {
        var world = world()
        let before = world.frame(two)!
        drag(&world, from: Point(before.maxX + 10, before.center.y), by: Vector(70, 30))
        #expect(world.frame(two) == Rect(before.x, before.y, before.width + 70, before.height))
        let wide = world.frame(two)!
        drag(&world, from: Point(wide.minX - 10, wide.center.y), by: Vector(-40, 0))
        #expect(world.frame(two) == Rect(wide.x - 40, wide.y, wide.width + 40, wide.height))
        let wider = world.frame(two)!
        drag(&world, from: Point(wider.maxX + 8, wider.maxY + 8), by: Vector(-5000, -5000))
        #expect(world.frame(two)!.size == Size(160, 80) && world.frame(two)!.origin == wider.origin)
        #expect(world.problems == [])
    }

    @Test("law 4: a border that is dragged is where the finger is, whether its app answers or not", arguments: [true, false])
    func resizeFollows(isSlow: Bool) {
        var world = world()
        if isSlow { world.setManner(.asked, of: two) }
        for border in [Border(x: 1, y: 1), Border(x: -1, y: 0), Border(x: 0, y: -1), Border(x: -1, y: 1)] {
            let before = world.frame(two)!
            let from = Point(
                border.x < 0 ? before.minX - 10 : border.x > 0 ? before.maxX + 10 : before.maxX - 60, // beside the other window's title bar
                border.y < 0 ? before.minY - 42 : border.y > 0 ? before.maxY + 10 : before.center.y)
            world.touch(down: from)
            for step in 1...8 {
                let way = Vector(Double(step * border.x * 9), Double(step * border.y * 7))
                world.wait(16)
                world.touch(to: from + way)
                let seen = world.system.stage.frame(of: two, at: world.now)!,
                    drawn = world.system.stage.contentRect(of: two, world.workspace, at: world.now)!
                let wanted = Rect(
                    before.x + (border.x < 0 ? way.dx : 0), before.y + (border.y < 0 ? way.dy : 0), before.width + abs(way.dx),
                    before.height + abs(way.dy))
                #expect(seen == wanted && drawn == wanted, "\(border), step \(step)")
            }
            world.lift()
            world.answer(two)
            world.rest()
            let size = Size(before.width + abs(Double(border.x)) * 72, before.height + abs(Double(border.y)) * 56)
            #expect(world.frame(two)!.size == size, "\(border)")
        }
        #expect(world.problems == [])
    }

    @Test("a terminal of whole lines is told the size that it chose, and keeps the side that was not dragged")
    func resizeBySteps() {
        var world = world()
        world.setStep(Size(7, 15), of: two)
        let before = world.frame(two)!
        drag(&world, from: Point(before.minX - 10, before.maxY + 10), by: Vector(-60, 50))
        let after = world.frame(two)!
        #expect(after.size == Size(378, 285) && after.maxX == before.maxX && after.minY == before.minY)
        #expect(world.clients[two]?.told?.frame.size == after.size)
        #expect(world.problems == [])
    }

    @Test("P-01: the controls of a title bar that another window covers are not offered", arguments: [Tile.full, .whole])
    func coveredBar(tile: Tile) {
        var world = world()
        func bar(_ id: WindowID) -> Set<ControlID> { Set(world.controls.map(\.id).filter { $0.rawValue.hasPrefix("sheet/\(id.raw)/") }) }
        #expect(bar(one).count == 3 && bar(two).count == 3)
        world.act(.tile(window: two, to: tile))
        world.rest()
        #expect(bar(one).isEmpty && bar(two).count == (tile == .full ? 0 : 3))
        world.act(.tile(window: two, to: .right))
        world.rest()
        #expect(bar(one).count == 3, "half of it is in sight")
        #expect(world.problems == [])
    }

    @Test(
        "W-25: a window that leaves full screen by any way fills what it filled before",
        arguments: [nil, .left, .whole, .topRight] as [Tile?], [0, 1, 2, 3])
    func afterFullScreen(tile: Tile?, way: Int) {
        var world = world()
        world.act(.tile(window: two, to: tile))
        world.rest()
        let before = world.frame(two)!
        if way < 2 { world.act(.toggleTile(window: two, to: .full)) } else { world.send(.windowAsked(two, .fullscreen(true))) }
        world.rest()
        #expect(world.frame(two) == world.workspace.screen!.usable)
        switch way {
        case 0, 2: world.act(.toggleTile(window: two, to: .full))
        default: world.send(.windowAsked(two, .fullscreen(false)))
        }
        world.rest()
        #expect(world.frame(two) == before && world.workspace.tile(of: two) == tile, "\(world.frame(two)!)")
        #expect(world.clients[two]?.told?.fullscreen == false)
        #expect(world.problems == [])
    }

    @Test("P-04: a person's move ends the full screen that a pad's app chose, and so does Full Screen itself")
    func fullScreenOfApp() {
        for action in [Action.fullScreen(window: two), .splitView(window: two, side: .left), .slideOver(window: two)] {
            var world = CoreWorld()
            world.open(1)
            world.open(2)
            world.rest()
            world.send(.windowAsked(two, .fullscreen(true)))
            world.rest()
            #expect(world.clients[two]?.told?.fullscreen == true)
            world.act(action)
            world.rest()
            #expect(world.clients[two]?.told?.fullscreen == false, "\(action)")
            #expect(world.problems == [])
        }
    }

    @Test(
        "P-04: the upper edge of a window in full screen brings the menu bar, and that the way out", arguments: [true, false],
        [true, false])
    func fullScreen(byPointer: Bool, isAppsOwn: Bool) {
        var world = world()
        let own = world.frame(two)!, whole = world.workspace.screen!.usable
        if isAppsOwn { world.commit(two) { $0.wantsFullscreen = true } } else { world.act(.toggleTile(window: two, to: .full)) }
        world.rest()
        #expect(world.frame(two) == whole && world.workspace.menuBar == nil)
        func bring() {
            if byPointer {
                world.point(at: Point(400, 300))
                world.point(at: Point(600, 0))
            } else {
                drag(&world, from: Point(600, 2), by: Vector(0, 120))
            }
            world.rest()
        }
        bring()
        #expect(world.workspace.menuBar != nil && world.frame(two) == whole && !world.system.interface.isPanelOpen)
        // A press elsewhere, or a pointer that goes away, takes the bar back.
        if byPointer { world.point(at: Point(400, 400)) } else { world.tap(at: Point(400, 400)) }
        world.rest()
        #expect(world.workspace.menuBar == nil)
        bring()
        let leave = ControlID(.menuBar, "leave"), button = world.controls.first { $0.id == leave }!.frame.center
        if byPointer {
            world.point(at: button)
            for isDown in [true, false] { world.send(.pointerButton(0x110, pressed: isDown)) }
        } else {
            world.tap(at: button)
        }
        world.rest()
        #expect(world.frame(two) == own && world.workspace.menuBar != nil)
        #expect(world.problems == [])
    }

    @Test("a minimized window is out of sight and comes back by its app, where it was")
    func minimize() {
        var world = world()
        let before = world.frame(two)
        world.act(.minimize(window: two))
        world.rest()
        #expect(world.place(two) == .minimized && !world.workspace.isShown(two) && world.workspace.focus == one)
        world.act(.openApp(app: "app2"))
        world.rest()
        #expect(world.workspace.isShown(two) && world.frame(two) == before && world.workspace.focus == two)
        #expect(world.act(.minimize(window: WindowID(9))) == [.refuse(Refusal("there is no window 9"))])
    }

    @Test("where windows are arranged, none is tiled or minimized")
    func refused() {
        var world = CoreWorld()
        world.open(1)
        #expect(world.act(.minimize(window: one)) == [.refuse(Refusal("the idiom pad has no minimized windows"))])
        #expect(world.act(.tile(window: one, to: .left)) == [.refuse(Refusal("the idiom pad arranges windows itself"))])
    }
}
