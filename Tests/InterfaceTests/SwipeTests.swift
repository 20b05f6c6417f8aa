import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Up from the bottom edge, down from the top")
struct SwipeTests {
    private func two_() -> CoreWorld { world(["editor", "terminal"]) }

    @Test("a flick goes home, however fast", arguments: [800.0, 3000, 20_000])
    func flick(speed: Double) {
        var world = two_()
        world.swipe(Vector(0, -420), speed: speed)
        #expect(world.workspace.isHome && world.open == [])
        #expect(world.finish() == [])
    }

    @Test("a rest on the way opens the app switcher, under the finger")
    func hold() {
        var world = two_()
        world.swipe(Vector(0, -300), speed: 600, lifts: false)
        world.wait(150)
        #expect(world.open == ["dock"], "the dock came with the finger")
        world.wait(60)
        #expect(world.open == ["switcher"])
        world.lift()
        #expect(world.open == ["switcher"])
        #expect(world.finish() == [])
    }

    @Test("as slow as a finger can be it is a rest", arguments: [1.0, 20])
    func slow(speed: Double) {
        var world = two_()
        world.swipe(Vector(0, -140), speed: speed)
        #expect(world.open == ["switcher"])
        #expect(world.finish() == [])
    }

    @Test("a short one shows the dock, a shorter one nothing")
    func short() {
        var world = two_()
        world.swipe(Vector(0, -60), speed: 200)
        #expect(world.open == ["dock"] && !world.workspace.isHome)
        world.act(.dismiss)
        world.swipe(Vector(0, -18), speed: 100)
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("up and then sideways goes to the neighbour")
    func sideways() {
        var world = two_()
        world.touch(down: Point(590, 816))
        world.slide(to: Point(592, 790), over: 60, steps: 4)
        world.slide(to: Point(900, 770), over: 200, steps: 10)
        world.lift()
        #expect(world.workspace.currentSpace?.content == .full(one))
        #expect(world.finish() == [])
    }

    @Test("up and back down again: nothing")
    func reversed() {
        var world = two_()
        world.touch(down: Point(590, 816))
        world.slide(to: Point(590, 500), over: 200)
        world.slide(to: Point(590, 800), over: 200)
        world.lift()
        #expect(world.workspace.currentSpace?.content == .full(two) && world.open == [])
        #expect(world.finish() == [])
    }

    @Test("law 4: taken back, its window dies, another comes, the screen turns: back it goes, and nothing stays", arguments: 0..<5)
    func cancelled(how: Int) {
        var world = two_()
        world.swipe(Vector(0, -300), speed: 900, lifts: false)
        switch how {
        case 0: world.take()
        case 1: world.destroy(two)
        case 2: world.open(3, facts("notes", 3))
        case 3: world.send(.screenChanged(Screen(size: Size(820, 1180))))
        default: world.act(.fullScreen(window: one))
        }
        #expect(!world.system.isGesturing && world.timers[.hands(.swipeHold)] == nil)
        world.slide(to: Point(400, 100))
        world.lift()
        #expect(!world.workspace.isHome && world.open == [])
        #expect(world.finish() == [])
        #expect(world.system.stage.cards.values.allSatisfy { $0.isLeaving })
    }

    @Test("a second finger is ignored")
    func secondFinger() {
        var world = two_()
        world.swipe(Vector(0, -200), speed: 900, lifts: false)
        #expect(world.touch(1, down: Point(900, 300)) == [.touchFrame])
        let before = world.cardFrame(.space(world.space(of: two)))
        #expect(world.touch(1, to: Point(700, 300)) == [] && world.lift(1) == [])
        #expect(world.cardFrame(.space(world.space(of: two))) == before)
        world.slide(to: Point(400, 300), over: 100)
        world.lift()
        #expect(world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("law 8: the app's touches end where the swipe begins")
    func touches() {
        var world = two_()
        world.touch(1, down: Point(900, 300))
        world.touch(0, down: Point(590, 816))
        world.touch(0, to: Point(590, 812))
        let effects = world.touch(0, to: Point(590, 800))
        #expect(effects.count { $0 == .touchCancel } == 1)
        #expect(world.touch(1, to: Point(910, 300)) == [])
        #expect(world.lift(0).allSatisfy { if case .client(.touchUp) = $0 { false } else { true } } && world.lift(1) == [])
        #expect(world.finish() == [])
    }

    @Test("at home a flick leads to the first page and ends a search; a rest opens the switcher")
    func atHome() {
        var world = world(["editor"], installed: catalogue + many(90))
        world.act(.home)
        world.act(.scroll(2))
        world.rest()
        world.swipe(Vector(0, -300), speed: 2000)
        #expect(world.workspace.isHome && world.interface.home.page == 0)
        world.act(.search(text: "no"))
        world.swipe(Vector(0, -300), speed: 2000)
        #expect(world.workspace.isHome && world.interface.home.search == nil)
        world.swipe(Vector(0, -300), speed: 500, lifts: false)
        world.wait(250)
        #expect(world.open == ["switcher"])
        world.lift()
        world.swipe(Vector(0, -300), speed: 2000)
        #expect(world.workspace.isHome && world.open == [])
        #expect(world.finish() == [])
    }

    @Test("law 2: a card caught in flight comes to the finger from where it is")
    func caught() {
        var world = two_()
        world.act(.home)
        world.rest()
        world.act(.focus(window: two))
        world.wait(120)
        let id = CardID.space(world.space(of: two))
        #expect(world.cardFrame(id)!.width < 1100)
        world.touch(down: Point(400, 816))
        world.touch(to: Point(400, 806))
        var last = world.cardFrame(id)!
        for step in 0..<120 {
            world.wait(1)
            world.touch(to: Point(400, 805 - Double(step)))
            let now = world.cardFrame(id)!
            #expect(
                abs(now.x - last.x) < 30 && abs(now.width - last.width) < 30 && abs(now.y - last.y) < 30,
                "after \(step) ms: \(last) then \(now)")
            last = now
        }
        world.lift()
        let next = world.cardFrame(id)!
        #expect(abs(next.x - last.x) < 1 && abs(next.width - last.width) < 1)
        #expect(world.finish() == [])
    }

    @Test("down from the top: notifications, at the trailing end the control centre; 17 points below it is the app's")
    func top() {
        for (x, open, preferences) in [
            (300.0, "notifications", Preferences()), (1100, "control-centre", Preferences()), (100, "control-centre", mirrored()),
        ] {
            var world = world(["editor"], preferences: preferences)
            world.touch(down: Point(x, 6))
            world.slide(to: Point(x, 120))
            #expect(world.open == [open])
            world.lift()
            world.tap(at: Point(600, 760))
            #expect(world.open == [])
            // Until it is out of sight, a finger there catches it.
            world.rest()
            world.touch(down: Point(x, 17))
            world.slide(to: Point(x, 200))
            #expect(world.open == [] && world.lift() == [.touchUp(0)])
            #expect(world.finish() == [])
        }
    }

    @Test("down from the top at home, too")
    func topAtHome() {
        var world = world()
        world.touch(down: Point(300, 6))
        world.slide(to: Point(300, 120))
        world.lift()
        #expect(world.open == ["notifications"])
        #expect(world.finish() == [])
    }

    @Test("X-05: reduced motion is the same states without the way", arguments: 0..<12 as Range<UInt64>)
    func reduced(seed: UInt64) {
        func run(_ isSuspended: Bool) -> [String] {
            var random = SeededGenerator(seed: seed)
            var world = world(["editor", "terminal", "notes"], preferences: Preferences(reducedMotion: isSuspended))
            var log: [String] = []
            let actions: [Action] = [
                .home, .appSwitcher, .dock, .appShelf(), .controls(), .dismiss, .search(text: "e"), .keyHelp, .appExpose(app: "editor"),
                .slideOver(), .fullScreen(), .splitView(side: .left), .nextSpace, .controlCentre, .openApp(app: "notes"),
            ]
            for _ in 0..<25 {
                switch random.next() % 4 {
                case 0: world.swipe(Vector(0, -Double(random.next() % 400 + 20)), speed: [150, 2000][Int(random.next() % 2)])
                default: world.act(actions[Int(random.next() % UInt64(actions.count))])
                }
                world.wait(5000)
                log.append(
                    "\(world.open) \(world.workspace.isHome) \(String(describing: world.workspace.focus)) \(world.workspace.spaces.map(\.windows))"
                )
            }
            #expect(world.finish() == [])
            return log
        }
        #expect(run(true) == run(false))
    }
}
