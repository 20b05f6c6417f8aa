import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What a finger can throw, and catch again before it has come to rest.
enum Thing: String, CaseIterable, Sendable {
    case picture, divider, card, spaces, swiped, switcherCard, switcherRow, pages

    func world() -> CoreWorld {
        var world: CoreWorld
        switch self {
        case .picture:
            world = InterfaceTests.world(["editor", "terminal"])
            world.act(.pictureInPicture(window: one))
        case .divider:
            world = InterfaceTests.world(["editor", "terminal"])
            world.act(.splitView(window: one, side: .left))
        case .card:
            world = InterfaceTests.world(["editor", "terminal"])
            world.act(.slideOver(window: two))
        case .spaces, .swiped: world = InterfaceTests.world(["editor", "terminal", "notes", "browser"])
        case .switcherCard: world = InterfaceTests.world(["editor", "terminal", "notes"])
        case .switcherRow:
            world = InterfaceTests.world(["editor", "terminal", "notes", "browser", "context", "editor", "terminal", "notes", "editor"])
        case .pages: world = InterfaceTests.world([], installed: catalogue + many(120))
        }
        if self == .switcherCard || self == .switcherRow { world.act(.appSwitcher) }
        world.rest()
        return world
    }

    /// Where it is drawn.
    func drawn(_ world: CoreWorld) -> Rect? {
        func picture(_ id: WindowID) -> Rect? {
            world.system.items(at: world.now).first { $0.kind == .window(id) }?.frame
        }
        switch self {
        case .picture: return picture(one)
        case .divider: return world.system.stage.dividerBar(world.workspace, at: world.now)
        case .card: return picture(two)
        case .spaces, .swiped: return world.workspace.currentSpace.flatMap { picture($0.windows[0]) }
        case .switcherCard: return world.cardFrame(.space(world.space(of: two)))
        case .switcherRow: return world.cardFrame(.space(world.workspace.spaces[4].id))
        case .pages: return Rect(world.interface.home.scroll.value(at: world.now), 0, 1, 1)
        }
    }

    /// Where a finger takes it.
    func spot(_ world: CoreWorld) -> Point? {
        guard let drawn = drawn(world) else { return nil }
        let screen = Rect(0, 0, 1180, 820)
        switch self {
        case .picture, .switcherCard, .divider:
            let point = Rect(0, 0, 1180, 820).inset(by: 40).contains(drawn.center) ? drawn.center : nil
            guard let point else { return nil }
            return self == .switcherCard
                && world.system.controls(at: world.now).last(where: { $0.target.contains(point) })?.id != world.card(of: two) ? nil : point
        case .card:
            let point = Point(drawn.center.x, drawn.y - 10)
            return screen.inset(by: 20).contains(point) ? point : nil
        case .spaces, .swiped: return Point(590, 815)
        case .switcherRow: return Point(590, 790)
        case .pages: return Point(60, 400)
        }
    }

    /// How it goes with a finger that goes so.
    func follows(_ way: Vector) -> Vector? {
        switch self {
        case .picture: way
        case .divider, .card, .spaces, .switcherRow: Vector(way.dx, 0)
        case .switcherCard: way.dy < 0 ? Vector(0, way.dy) : nil
        case .pages: Vector(-way.dx, 0)
        case .swiped: nil
        }
    }

    /// Ways along which it is thrown, and carried once it is caught.
    func way(_ random: inout SeededGenerator) -> Vector {
        func between(_ low: Int, _ high: Int) -> Double { Double(low + Int(random.next() % UInt64(high - low))) }
        switch self {
        case .picture: return Vector(between(-300, 300), between(-300, 300))
        case .divider, .card: return Vector(between(-200, 200), 0)
        case .spaces: return Vector(between(-500, 500), 0)
        case .swiped: return Vector(between(-40, 40), -between(60, 300))
        case .switcherCard: return Vector(between(-8, 8), -between(20, 90))
        case .switcherRow: return Vector(between(-400, 400), 0)
        case .pages: return Vector(between(-500, 500), 0)
        }
    }
}

@Suite("Law 2: position and velocity are continuous through every grab and release")
struct CatchTests {
    private func away(_ a: Rect, _ b: Rect) -> Double { max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY)) }

    /// Whole pixels: what comes to rest, and the divider, are rounded to them.
    private let pixel = 1.1

    @Test(
        "thrown, caught at any moment of its flight, held, carried, let go", arguments: Thing.allCases,
        1...(TestSeed.isSlow ? 60 : 15) as ClosedRange<UInt64>)
    func caught(thing: Thing, seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 31 &+ UInt64(thing.rawValue.count))
        func below(_ n: Int) -> Int { Int(random.next() % UInt64(n)) }
        var world = thing.world()
        world.isChecked = false
        world.keepsHistory = false
        for round in 0..<3 {
            // Thrown.
            guard let start = thing.spot(world) else { break }
            world.touch(down: start)
            let throwing = thing.way(&random)
            world.slide(to: start + throwing, over: [60, 120, 300][below(3)], steps: 10)
            if thing == .swiped, world.interface.isOverviewOpen { world.act(.dismiss) }
            world.lift()
            guard !world.workspace.showsHome || thing == .pages else { break }
            world.wait(Double(below(260)))
            // Caught where it is drawn.
            if thing != .switcherCard, thing != .switcherRow, world.interface.isOverviewOpen { break }
            if world.interface.isDockOpen { world.act(.dismiss) }
            guard let spot = thing.spot(world), let before = thing.drawn(world) else { break }
            let isFlying = flies(thing, world)
            let what = "\(thing), seed \(seed), round \(round)"
            world.touch(down: spot)
            guard isFlying else {
                world.lift()
                world.rest()
                continue
            }
            for ms in 0..<(below(120) + 1) {
                guard let now = thing.drawn(world) else { break }
                #expect(away(before, now) <= pixel, "\(what): held still for \(ms) ms it goes from \(before) to \(now)")
                if away(before, now) > pixel { return }
                world.wait(1)
            }
            // Carried.
            let carrying = thing.way(&random)
            let share = carrying * (1 / max(1, carrying.length)) * 3
            var at = spot, last = thing.drawn(world) ?? before
            for step in 0..<(below(14) + 4) {
                world.wait(8)
                at = at + share
                world.touch(to: at)
                guard let now = thing.drawn(world) else { break }
                if let expected = thing.follows(share) {
                    let slack = thing == .spaces || thing == .switcherRow || thing == .pages ? share.length : pixel
                    #expect(
                        away(last.offset(by: expected), now) <= slack,
                        "\(what), step \(step): the finger goes \(share), it from \(last) to \(now)")
                    if away(last.offset(by: expected), now) > slack { return }
                } else if thing == .swiped {
                    #expect(away(last, now) <= 12, "\(what), step \(step): from \(last) to \(now)")
                }
                last = now
            }
            // Let go: it goes on at the finger's pace, and is nowhere else at once.
            let speed = share.length / 8
            world.lift()
            guard let let_ = thing.drawn(world) else { break }
            #expect(away(last, let_) <= pixel, "\(what): let go at \(last) it is at \(let_)")
            world.wait(1)
            guard let next = thing.drawn(world) else { break }
            #expect(away(let_, next) <= speed * 2.2 + pixel, "\(what): a millisecond after it was let go at \(let_) it is at \(next)")
            world.wait(Double(below(120)))
        }
        world.isChecked = true
        #expect(world.finish() == [])
    }

    private func flies(_ thing: Thing, _ world: CoreWorld) -> Bool {
        var later = world
        guard let now = thing.drawn(later) else { return false }
        later.wait(30)
        guard let then = thing.drawn(later) else { return false }
        return away(now, then) > 3
    }

    @Test("the first ten points of a picture's drag are not lost, and it does not jump to make up for them")
    func firstTenPoints() {
        var world = Thing.picture.world()
        let start = Thing.picture.spot(world)!, frame = Thing.picture.drawn(world)!
        world.touch(down: start)
        var last = frame
        for step in 1...60 {
            world.wait(8)
            world.touch(to: start + Vector(-3, -2) * Double(step))
            let now = Thing.picture.drawn(world)!
            #expect(away(last, now) < 9, "step \(step): \(last) to \(now)")
            last = now
        }
        world.wait(250)
        #expect(away(frame.offset(by: Vector(-180, -120)), Thing.picture.drawn(world)!) < 0.2)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test(
        "what is let go keeps the speed of the finger", arguments: [(Thing.picture, 1 as UInt32), (.card, 2), (.spaces, 4), (.divider, 2)])
    func speed(thing: Thing, window: UInt32) {
        var world = thing.world()
        // The last space has none to its right.
        let start = thing.spot(world)!, side = thing == .spaces ? 1.0 : -1
        func x() -> Double { world.system.shownFrame(of: WindowID(window), at: world.now)!.x }
        world.touch(down: start)
        world.slide(to: start + Vector(60 * side, 0), over: 120, steps: 30)
        world.wait(4)
        world.touch(to: start + Vector(62 * side, 0))
        let before = x()
        world.lift()
        world.wait(4)
        let pace = (x() - before) * side / 4
        #expect(pace > 0.3 && pace < 0.8, "\(thing) goes \(pace) points a millisecond")
        #expect(world.finish() == [])
    }

    @Test("a card that is caught and let go again opens no controls")
    func caughtIsNoTap() {
        var world = Thing.card.world()
        world.drag(from: Thing.card.spot(world)!, to: Thing.card.spot(world)! + Vector(-300, 0), over: 100)
        world.wait(60)
        world.tap(at: Thing.card.spot(world)!)
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("four quick swipes go four spaces on, whatever the pauses", arguments: [0.0, 30, 80, 150], [-1.0, 1])
    func quickSwipes(pause: Double, side: Double) {
        var world = world(["editor", "terminal", "notes", "browser", "context", "editor"])
        world.act(.showSpace(world.workspace.spaces[side < 0 ? 0 : 5].id))
        world.rest()
        for swipe in 1...4 {
            world.touch(down: Point(590, 815))
            world.slide(to: Point(590 + side * 300, 813), over: 90, steps: 8)
            world.lift()
            world.wait(pause)
            let index = world.workspace.spaces.firstIndex { $0.id == world.workspace.current }
            #expect(index == (side < 0 ? swipe : 5 - swipe), "after swipe \(swipe)")
        }
        #expect(world.finish() == [])
    }

    @Test("the other way while the spaces still move: back to where it came from")
    func backAtOnce() {
        for count in [2, 3] {
            var world = world(["editor", "terminal", "notes"].dropLast(3 - count).map { $0 })
            let first = world.workspace.current
            for way in [300.0, -300] {
                world.touch(down: Point(590, 815))
                world.slide(to: Point(590 + way, 815), over: 90, steps: 8)
                world.lift()
                world.wait(40)
            }
            #expect(world.workspace.current == first)
            #expect(world.finish() == [])
        }
    }

    @Test("a finger that stops the spaces may go up: home")
    func stoppedAndUp() {
        var world = world(["editor", "terminal", "notes"])
        world.touch(down: Point(590, 815))
        world.slide(to: Point(290, 815), over: 90, steps: 8)
        world.lift()
        world.wait(60)
        world.touch(down: Point(590, 815))
        world.slide(to: Point(590, 300), over: 120, steps: 20)
        world.lift()
        #expect(world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("the point of the window that a swipe took stays under the finger")
    func underTheFinger() {
        var world = world(["editor", "terminal"])
        world.touch(down: Point(400, 816))
        for step in 1...30 {
            world.wait(8)
            world.touch(to: Point(400 + Double(step), 816 - 10 * Double(step)))
        }
        let card = world.cardFrame(.space(world.space(of: two)))!
        let taken = card.map(Point(400, 816), from: Rect(0, 0, 1180, 820))
        #expect(abs(taken.x - 430) < 1 && abs(taken.y - 516) < 1, "\(taken)")
        world.take()
        #expect(world.finish() == [])
    }

    @Test("a finger that rested in the swipe goes on: the card stays in the hand, and lifting decides")
    func onAfterTheRest() {
        func rested() -> CoreWorld {
            var made = InterfaceTests.world(["editor", "terminal", "notes"])
            made.swipe(Vector(0, -300), speed: 900, lifts: false)
            made.wait(300)
            #expect(made.open == ["switcher"] && made.system.isGesturing)
            return made
        }
        let id = CardID.space(rested().space(of: three))
        var world = rested()
        let before = world.cardFrame(id)!
        world.slide(to: Point(520, 476), over: 200, steps: 20)
        let after = world.cardFrame(id)!
        #expect(after.center.x > before.center.x + 80 && after.width < before.width, "it goes with the finger: \(before) to \(after)")
        world.wait(200)
        world.lift()
        #expect(away(after, world.cardFrame(id)!) < 1)
        #expect(world.open == ["switcher"] && world.finish() == [])
        // Flung up: home.
        world = rested()
        world.slide(to: Point(400, 200), over: 100, steps: 10)
        world.lift()
        #expect(world.workspace.isHome && world.open == [] && world.finish() == [])
        // Down again: the app.
        world = rested()
        world.slide(to: Point(400, 800), over: 300, steps: 20)
        world.wait(150)
        world.lift()
        #expect(world.workspace.currentSpace?.content == .full(three) && world.open == [] && world.finish() == [])
        // Taken back, or the window dies.
        for how in 0..<2 {
            world = rested()
            if how == 0 { world.take() } else { world.destroy(three) }
            world.slide(to: Point(400, 300), over: 60)
            world.lift()
            #expect(world.finish() == [])
        }
    }

    @Test("a tap on a card of the switcher that is still on its way opens it")
    func tapInFlight() {
        var world = world(["editor", "terminal", "notes"])
        world.act(.appSwitcher)
        world.wait(150)
        let frame = world.cardFrame(.space(world.space(of: two)))!
        #expect(Rect(0, 0, 1180, 820).contains(frame.center))
        world.tap(at: frame.center)
        #expect(world.open == [] && world.workspace.focus == two)
        #expect(world.finish() == [])
    }
}
