import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("S-02: the app switcher")
struct SwitcherTests {
    private func cards(_ world: CoreWorld) -> [String] {
        world.ids.filter { $0.hasPrefix("switcher/space/") || $0.hasPrefix("switcher/window/") }
    }

    private func opened(_ apps: [String], _ preferences: Preferences = Preferences()) -> CoreWorld {
        var world = world(apps, preferences: preferences)
        world.act(.appSwitcher)
        world.rest()
        return world
    }

    @Test("the space used last comes first; a pair is one card; Slide Over has a row of its own below")
    func order() {
        var world = world(["editor", "terminal", "notes", "context", "browser"])
        world.act(.focus(window: two))
        world.act(.splitView(window: three, side: .left))
        world.act(.slideOver(window: four))
        world.act(.focus(window: one))
        world.act(.appSwitcher)
        world.rest()
        let pair = world.card(of: two)
        #expect(world.card(of: three) == pair)
        let spaces = cards(world).filter { $0.hasPrefix("switcher/space/") }
        #expect(spaces.prefix(2) == [world.card(of: one).rawValue, pair.rawValue] && cards(world).contains("switcher/window/4"))
        let frames = cards(world).map { world.control($0)!.frame }
        let stack = world.control("switcher/window/4")!.frame
        for (card, frame) in zip(cards(world), frames) where card != "switcher/window/4" { #expect(frame.maxY < stack.minY) }
        #expect(world.control(pair)!.name == .message(.pair, ["Notes", "Terminal"]))
        #expect(world.control(world.card(of: one))!.isChosen)
        #expect(world.finish() == [])
    }

    @Test("W-25: of the windows of a desk and of a Shared Space, the card of the one in front says so", arguments: [Idiom.mac, .vision])
    func oneInFront(idiom: Idiom) {
        var world = CoreWorld(size: Size(1180, 820), idiom: idiom)
        CoreOp.apps(6).apply(to: &world)
        for raw in 1...3 as ClosedRange<UInt32> { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.act(.focus(window: two))
        world.rest()
        world.act(.appSwitcher)
        world.rest()
        #expect(cards(world).count == 3)
        #expect(cards(world).filter { world.control($0)!.isChosen } == ["switcher/window/2"])
        #expect(world.finish() == [])
    }

    @Test("a tap shows it; a tap beside the cards goes back")
    func tap() {
        var world = opened(["editor", "terminal"])
        world.tap(world.card(of: one))
        #expect(world.workspace.currentSpace?.content == .full(one) && world.open == [])
        world.act(.appSwitcher)
        world.rest()
        world.tap(at: Point(590, 60))
        #expect(world.open == [] && world.workspace.currentSpace?.content == .full(one))
        #expect(world.finish() == [])
    }

    @Test("swiped up both windows of a card are asked to close; a little up it comes back; sideways it scrolls")
    func swipeUp() {
        var world = world(["editor", "terminal", "notes"])
        world.act(.splitView(window: three, side: .left))
        world.act(.appSwitcher)
        world.rest()
        let card = world.card(of: three), start = world.middle(card), before = world.control(card)!.frame
        world.touch(down: start)
        world.slide(to: start + Vector(0, -80), over: 400)
        world.wait(150)
        world.lift()
        world.rest()
        #expect(world.closes == [] && world.control(card)?.frame == before)
        world.touch(down: start)
        world.slide(to: start + Vector(0, -300), over: 150)
        world.lift()
        #expect(Set(world.closes) == [two, three])
        #expect(world.finish() == [])
    }

    @Test("one of a pair is closed by its own control")
    func oneOfPair() {
        var world = world(["editor", "terminal"])
        world.act(.splitView(window: two, side: .left))
        world.act(.appSwitcher)
        world.rest()
        world.tap("switcher/close/2")
        #expect(world.closes == [two])
        world.destroy(two)
        world.rest()
        #expect(cards(world).count == 1 && world.open == ["switcher"])
        #expect(world.finish() == [])
    }

    @Test("a window that asks first comes back after a second")
    func refuses() {
        var world = opened(["editor", "terminal"])
        let card = world.card(of: two)
        world.act(.closeSpace(world.space(of: two)))
        #expect(!cards(world).contains(card.rawValue))
        world.wait(990)
        #expect(!cards(world).contains(card.rawValue))
        world.wait(20)
        #expect(cards(world).contains(card.rawValue))
        world.rest()
        #expect(world.control(card)!.frame.width > 300)
        #expect(world.finish() == [])
    }

    @Test("it scrolls with momentum, never past its ends, and what is far away is not drawn", arguments: [300.0, 3000, 20_000])
    func scroll(speed: Double) {
        var world = opened((0..<14).map { ["editor", "terminal", "notes"][$0 % 3] })
        let reach = world.system.views(at: world.now)!.overviewLayout(.switcher).reach
        #expect(reach > 500)
        func drawn() -> Int { world.system.items(at: world.now).count { if case .window = $0.kind { true } else { false } } }
        #expect(drawn() < 14)
        world.touch(down: Point(900, 800 - 60))
        world.slide(to: Point(500, 740), over: 400 / speed * 1000, steps: 8)
        let let_go = world.system.stage.scroll.value(at: world.now)
        world.lift()
        for _ in 0..<200 {
            world.wait(10)
            #expect(world.system.stage.scroll.value(at: world.now) <= reach + 60)
        }
        let rest = world.system.stage.scroll.value(at: world.now)
        #expect(rest > let_go && rest <= reach)
        for _ in 0..<12 {
            world.send(.pointerMotion(at: Point(5, 5)))
            world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: -400, discrete: -120)))
        }
        world.rest()
        #expect(world.system.stage.scroll.value(at: world.now) == 0)
        #expect(world.finish() == [])
    }

    @Test("X-04: from right to left the first card is on the right, and every card can be reached")
    func rightToLeft() {
        var world = opened((0..<14).map { _ in "editor" }, mirrored())
        let first = world.control(world.card(of: WindowID(14)))!.frame
        #expect(first.maxX > 1100 && first.maxX < 1180)
        var seen: Set<String> = Set(cards(world))
        for _ in 0..<8 {
            world.act(.scroll(1))
            world.rest()
            seen.formUnion(cards(world))
        }
        #expect(seen.count == 14)
        #expect(world.finish() == [])
    }

    @Test("by keys alone: arrows reach every card, Return shows it, Delete closes it, Escape leaves", arguments: [false, true])
    func keys(isSuspended: Bool) {
        var world = world((0..<11).map { _ in "editor" }, preferences: Preferences(reducedMotion: isSuspended))
        world.press("Super+a")
        var seen: Set<String> = []
        for _ in 0..<60 {
            world.press("Tab")
            if let focus = world.interface.focus { seen.insert(focus.rawValue) }
        }
        #expect(seen.filter { $0.hasPrefix("switcher/space/") }.count == 11)
        world.rest()
        for _ in 0..<40 where world.interface.focus?.isPart(of: "switcher/space") != true { world.press("Tab") }
        let card = world.interface.focus!
        world.press("Delete")
        #expect(world.closes.count == 1)
        world.destroy(world.closes[0])
        world.rest()
        #expect(world.control(card) == nil)
        for _ in 0..<40 where world.interface.focus?.isPart(of: "switcher/space") != true { world.press("Right") }
        let next = world.interface.focus!
        world.press("Return")
        #expect(world.open == [] && "switcher/space/\(world.workspace.current!.raw)" == next)
        world.press("Super+a")
        world.press("Escape")
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("with nothing open it shows a message, and a tap leaves")
    func empty() {
        var world = world()
        world.act(.appSwitcher)
        #expect(world.controls.contains { $0.name == .message(.noWindows) })
        world.tap(at: Point(500, 500))
        #expect(world.open == [] && world.workspace.showsHome)
        #expect(world.finish() == [])
    }

    @Test("law 4: its card's windows die under the finger, and the app dies that Exposé shows")
    func dies() {
        var world = opened(["editor", "terminal"])
        let start = world.middle(world.card(of: two))
        world.touch(down: start)
        world.slide(to: start + Vector(0, -60))
        world.destroy(two)
        world.slide(to: start + Vector(0, -200))
        world.lift()
        #expect(world.finish() == [])
        world.act(.appExpose(app: "editor"))
        world.rest()
        world.touch(down: world.middle("switcher/window/1"))
        world.touch(to: world.middle("switcher/window/1") + Vector(0, -60))
        world.act(.dismiss)
        world.touch(to: Point(500, 100))
        world.lift()
        world.destroy(one)
        #expect(world.finish() == [])
    }
}

@Suite("W-09: App Exposé")
struct ExposeTests {
    @Test("all windows of one app and a + beside them; a tap shows one; it goes with the app's last window")
    func windows() {
        var world = world(["editor", "terminal", "editor"])
        world.act(.appExpose(app: "editor"))
        world.rest()
        #expect(Set(world.ids.filter { $0.hasPrefix("switcher/window/") }) == ["switcher/window/1", "switcher/window/3"])
        let frames = ["switcher/window/1", "switcher/window/3", "expose/add"].map { world.control($0)!.frame }
        for (index, frame) in frames.enumerated() { for other in frames.dropFirst(index + 1) { #expect(!frame.intersects(other)) } }
        world.tap("switcher/window/1")
        #expect(world.workspace.focus == one && world.open == [])
        world.act(.appExpose(app: "editor"))
        world.rest()
        world.tap("expose/add")
        #expect(world.launches == [["editor", "--new-window"]] && world.open == ["launching"])
        world.act(.appExpose(app: "editor"))
        world.destroy(one)
        #expect(world.open.contains("expose"))
        world.destroy(three)
        #expect(!world.open.contains("expose"))
        #expect(world.finish() == [])
    }
}
