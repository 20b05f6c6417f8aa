import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("W-07: multitasking controls")
struct ControlsTests {
    enum Way: CaseIterable, CustomTestStringConvertible {
        case touch, pointer, keys
        var testDescription: String { "by \(self)" }
    }

    /// Opens the controls of the active window and presses one of them.
    private func choose(_ id: ControlID, _ way: Way, _ world: inout CoreWorld, _ location: SourceLocation = #_sourceLocation) {
        let focus = world.workspace.focus!
        let frame = world.frame(focus)!
        let isCard = world.workspace.slideOver.stack.contains(focus)
        let dots = isCard ? Point(frame.center.x, frame.minY - 12) : Stage.gripPill(of: frame).center
        switch way {
        case .touch:
            world.tap(at: dots)
            world.rest()
            world.tap("controls/\(id)", location)
        case .pointer:
            world.click(dots)
            world.rest()
            world.click(world.middle("controls/\(id)", location))
        case .keys:
            world.press("Super+m")
            for _ in 0..<40 where world.interface.focus != "controls/\(id)" { world.press("Tab") }
            #expect(world.interface.focus == "controls/\(id)", sourceLocation: location)
            world.press("Return")
        }
        world.rest()
    }

    @Test("every choice works by touch, by click and by keys alone", arguments: Way.allCases)
    func choices(way: Way) {
        let expected: [(String, (CoreWorld) -> Bool)] = [
            ("full", { $0.workspace.currentSpace?.content == .full(two) }),
            ("split-left", { $0.place(two) == .split($0.space(of: two), .left) }),
            ("split-right", { $0.place(two) == .split($0.space(of: two), .right) }),
            ("slide-over", { $0.place(two) == .slideOver(0) }),
            ("picture", { $0.place(two) == .pictureInPicture }),
            ("new", { $0.launches == [["editor", "--new-window"]] }),
            ("all", { $0.open == ["shelf"] }),
            ("close", { $0.closes == [two] }),
        ]
        for (id, holds) in expected {
            var world = world(["terminal", "editor"])
            choose(ControlID(rawValue: id), way, &world)
            #expect(holds(world), "\(id): \(String(describing: world.place(two)))")
            #expect(id == "all" || id == "new" || world.open == [], "\(id) leaves \(world.open)")
            #expect(world.finish() == [])
        }
    }

    @Test("of a window in Split View and of one in Slide Over")
    func elsewhere() {
        var world = world(["terminal", "editor"])
        world.act(.splitView(window: two, side: .left))
        world.rest()
        choose("split-right", .touch, &world)
        #expect(world.place(two) == .split(world.space(of: two), .right))
        choose("slide-over", .touch, &world)
        #expect(world.place(two) == .slideOver(0))
        choose("full", .touch, &world)
        #expect(world.workspace.currentSpace?.content == .full(two))
        #expect(world.finish() == [])
    }

    @Test("on an upright screen top and bottom too")
    func upright() {
        var world = world(["terminal", "editor"], size: Size(820, 1180))
        choose("split-bottom", .touch, &world)
        #expect(world.place(two) == .split(world.space(of: two), .bottom))
        #expect(world.finish() == [])
    }

    @Test("nothing else is open: a partner is chosen on the home screen, and Cancel takes it back")
    func picking() {
        var world = world(["editor"])
        choose("split-left", .touch, &world)
        #expect(world.open == ["picking"] && world.workspace.isHome)
        world.tap("picking/cancel")
        #expect(world.open == [] && world.workspace.currentSpace?.content == .full(one))
        choose("split-left", .touch, &world)
        world.tap("home/terminal")
        world.send(.launched(LaunchID(1), process: 102))
        world.create(2, facts("terminal", 2))
        world.map(2)
        #expect(world.place(one) == .split(world.space(of: one), .left) && world.place(two) == .split(world.space(of: one), .right))
        #expect(world.open == [])
        #expect(world.finish() == [])
        world.act(.home)
        #expect(world.open == [])
    }

    @Test("choosing a partner ends when the user goes elsewhere")
    func pickingEnds() {
        var world = world(["editor"])
        choose("split-left", .touch, &world)
        world.act(.home)
        #expect(!world.workspace.isHome && world.open == [])
        choose("split-left", .touch, &world)
        world.destroy(one)
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("W-13: an auxiliary window can only be closed")
    func dialog() {
        var world = world(["editor"])
        world.open(2, facts("editor", 2, parent: 1))
        world.rest()
        let frame = world.frame(two)!
        let dots = Stage.gripPill(of: frame, isSheet: true, world.workspace)
        #expect(dots.maxY < frame.minY, "its title can be read")
        // What lies where a title is, is the dialog's own, but for the little that a finger's target takes of it.
        for precise in [false, true] {
            #expect(
                world.system.stage.hit(Point(frame.center.x, frame.minY + 12), world.workspace, precise: precise, at: world.now)
                    == .window(two, nil))
            #expect(world.system.stage.hit(dots.center, world.workspace, precise: precise, at: world.now) == .window(two, .grip))
        }
        #expect(world.system.views(at: world.now)?.operable().first { $0.id == "dots/2" }?.frame == dots, "what is heard is what is seen")
        world.tap(at: dots.center)
        world.rest()
        #expect(world.ids == ["controls/close"])
        world.tap("controls/close")
        // It goes out of sight first (M-14).
        world.wait(300)
        #expect(world.closes == [two])
        #expect(world.finish() == [])
    }

    @Test("they are modal: a touch outside only closes them, Escape too, and a window that goes takes them along")
    func modal() {
        var world = world(["terminal", "editor"])
        world.act(.controls())
        world.rest()
        let touch = world.touch(down: Point(100, 700)) + world.lift()
        #expect(world.open == [] && !touch.contains { if case .client(.touchDown) = $0 { true } else { false } })
        world.act(.controls())
        #expect(world.press("q").contains(.swallowKey))
        world.press("Escape")
        #expect(world.open == [])
        world.act(.controls())
        world.destroy(two)
        #expect(world.open == [])
        #expect(world.finish() == [])
    }
}

@Suite("W-08: the app shelf")
struct ShelfTests {
    private func shelf() -> CoreWorld {
        var world = world(["editor", "terminal", "editor"])
        world.act(.appShelf())
        world.rest()
        return world
    }

    @Test("all windows of the app, and a control that opens another")
    func content() {
        var world = shelf()
        #expect(
            world.ids.filter { $0.hasPrefix("shelf/") } == [
                "shelf/close", "shelf/window/3", "shelf/close/3", "shelf/window/1", "shelf/close/1", "shelf/add",
            ])
        #expect(world.control("shelf/window/3")!.isChosen && !world.control("shelf/window/1")!.isChosen)
        world.tap("shelf/window/1")
        #expect(world.workspace.focus == one && world.open == [])
        world.act(.appShelf())
        world.rest()
        world.tap("shelf/add")
        #expect(world.launches == [["editor", "--new-window"]])
        #expect(world.finish() == [])
    }

    @Test("it hides when the app is touched, and the app gets the touch")
    func hides() {
        var world = shelf()
        let effects = world.touch(down: Point(500, 300))
        #expect(effects.contains(.touchDown(0, three, at: Point(500, 300))) && world.open == [])
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("it goes with the last window of its app; a window that comes is in it")
    func follows() {
        var world = shelf()
        world.open(4, facts("editor", 4))
        world.destroy(one)
        world.destroy(three)
        #expect(world.finish() == [])
        world.destroy(four)
        #expect(world.open == [])
        #expect(world.act(.appShelf(app: "editor")).refusals == ["no window of editor is open"])
        #expect(world.finish() == [])
    }

    @Test("a swipe up from the very bottom leaves it for home, also where the line is")
    func swipe() {
        var world = shelf()
        world.swipe(Vector(0, -500), speed: 1500, from: 590)
        #expect(world.workspace.isHome && world.open == [])
        #expect(world.finish() == [])
    }

    @Test("opened by a key it has the keys: arrows and Return choose, Escape closes")
    func keys() {
        var world = world(["editor", "terminal", "editor"])
        world.press("Super+e")
        #expect(world.interface.focus == "shelf/window/3")
        world.press("Right")
        #expect(world.interface.focus == "shelf/window/1")
        world.press("Return")
        #expect(world.workspace.focus == one && world.open == [])
        world.press("Super+e")
        world.press("Escape")
        #expect(world.open == [] && world.press("Left") == [])
        #expect(world.finish() == [])
    }
}
