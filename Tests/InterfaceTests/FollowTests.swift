import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("Law 2: panels, sheets and apps that fly home follow the finger, and are caught")
struct FollowTests {
    private static let panels = [Interface.Panel.notifications, .controlCentre]

    private func top(of panel: Interface.Panel) -> Point { Point(panel == .notifications ? 300 : 1100, 6) }

    /// Where the panel is drawn; nil if it is out of sight.
    private func drawn(_ world: CoreWorld) -> Rect? {
        guard let card = world.system.views(at: world.now)?.panelCard, let shown = world.interface.panel else { return nil }
        return card.frame.offset(by: Vector(0, (shown.presence(at: world.now) - 1) * card.way))
    }

    /// The panel in its place.
    private func opened(_ panel: Interface.Panel) -> CoreWorld {
        var world = world(["editor"])
        world.act(panel == .notifications ? .notifications : .controlCentre)
        world.rest()
        return world
    }

    @Test("a panel comes down with the finger, point by point, and goes back with it", arguments: panels, [2.0, 6])
    func pulled(panel: Interface.Panel, step: Double) throws {
        var world = world(["editor"])
        let start = top(of: panel)
        world.touch(down: start)
        var last: Rect?
        for way in stride(from: step, through: 150, by: step) {
            world.wait(8)
            world.touch(to: start + Vector(0, way))
            let now = drawn(world)
            if let last, let now { #expect(now.y - last.y > -0.1 && now.y - last.y < step + 3.5, "from \(last) to \(now)") }
            last = now
        }
        world.wait(250)
        let there = try #require(drawn(world))
        let way = try #require(world.system.views(at: world.now)?.panelCard).way
        #expect(abs(there.maxY - (there.height + 16 - way + 150)) < 6, "it went as far as the finger: \(there)")
        // Back, without letting go.
        for back in stride(from: 150, through: 60, by: -step) {
            let before = try #require(drawn(world)), from = start.y + back
            world.touch(to: Point(start.x, from - step))
            let now = try #require(drawn(world))
            #expect(abs(now.y - before.y + step) < (back == 150 ? step : 0.2))
            world.wait(8)
        }
        world.lift()
        world.rest()
        #expect(world.open == [], "it was pushed back")
        #expect(world.finish() == [])
    }

    @Test(
        "pushed up from its ground, from a control or from beside it, the panel follows and closes; a little, and it stays",
        arguments: panels, 0..<3)
    func pushed(panel: Interface.Panel, spot: Int) throws {
        for (way, closes) in [(-200.0, true), (-14, false)] {
            var world = opened(panel)
            let frame = try #require(drawn(world))
            let button = world.controls.last { $0.press != nil && $0.slide == nil && frame.contains($0.frame) }?.frame.center
            let start = [Point(frame.center.x, frame.maxY - 3), button ?? Point(frame.x + 4, frame.maxY - 40), Point(40, 600)][spot]
            world.touch(down: start)
            world.slide(to: start + Vector(0, way), over: 400, steps: 40)
            world.wait(200)
            let now = try #require(drawn(world))
            #expect(abs(now.y - frame.y - way) < 1, "\(now)")
            world.lift()
            world.rest()
            #expect(world.open == (closes ? [] : [panel == .notifications ? "notifications" : "control-centre"]))
            #expect(!world.effects.contains { if case .client(.configureScreen) = $0 { true } else { false } }, "nothing was pressed")
            #expect(world.finish() == [])
        }
    }

    @Test(
        "a panel is caught on its way in and out, stands under the finger and follows from the first point", arguments: panels,
        [40.0, 90, 140])
    func caughtPanel(panel: Interface.Panel, after: Double) throws {
        for isLeaving in [false, true] {
            var world = isLeaving ? opened(panel) : world(["editor"])
            world.act(panel == .notifications ? .notifications : .controlCentre)
            world.wait(after)
            let flying = try #require(drawn(world))
            let spot = Point(flying.center.x, max(flying.minY + 2, flying.maxY - 4))
            guard spot.y > 20 else { continue }
            world.touch(down: spot)
            world.wait(150)
            let held = try #require(drawn(world))
            #expect(abs(held.y - flying.y) < 0.5, "held still")
            for step in 1...4 {
                world.touch(to: spot + Vector(0, -2 * Double(step)))
                let now = try #require(drawn(world))
                #expect(abs(now.y - flying.y + 2 * Double(step)) < 0.5, "no dead way and no jump")
            }
            world.wait(150)
            world.lift()
            world.rest()
            #expect(world.open.isEmpty == isLeaving, "only stopped, it goes on")
            #expect(world.finish() == [])
        }
    }

    /// Where the dock over an app is drawn; nil if it is out of sight.
    private func dock(_ world: CoreWorld) -> Rect? {
        guard let card = world.system.views(at: world.now)?.dockCard, let shown = world.interface.dock, !shown.isGone(at: world.now) else {
            return nil
        }
        return card.frame.offset(by: Vector(0, (1 - shown.presence(at: world.now)) * card.way))
    }

    @Test("the dock comes up with the finger from the bottom edge, point by point, and goes back with it", arguments: [2.0, 6])
    func dockPulled(step: Double) throws {
        var world = world(["editor"])
        let start = Point(590, 817)
        world.touch(down: start)
        var last: Rect?
        for way in stride(from: step, through: 60, by: step) {
            world.wait(16)
            world.touch(to: start + Vector(0, -way))
            let now = dock(world)
            if let last, let now { #expect(last.y - now.y > -0.1 && last.y - now.y < step + 5, "from \(last) to \(now)") }
            last = now
        }
        world.wait(250)
        let there = try #require(dock(world)), way = try #require(world.system.views(at: world.now)?.dockCard).way
        #expect(abs(there.y - (820 - there.height - 12 + way - 60)) < 6, "it went as far as the finger: \(there)")
        for back in stride(from: 60, through: 6 + step, by: -step) {
            let before = try #require(dock(world))
            world.touch(to: start + Vector(0, step - back))
            let now = try #require(dock(world))
            #expect(abs(now.y - before.y - step) < 0.2)
            world.wait(16)
        }
        world.lift()
        world.rest()
        #expect(world.open == [] && dock(world) == nil, "it was pushed back")
        #expect(world.finish() == [])
    }

    @Test(
        "let go, the dock goes on from where the finger left it: up after a short swipe, down after one that turned, home or the app switcher after a long one"
    )
    func dockReleased() throws {
        for (ways, speed, open) in [([-60.0], 0.2, ["dock"]), ([-80, -20], 0.4, []), ([-420], 2, []), ([-250], 0.1, ["switcher"])]
            as [([Double], Double, [String])]
        {
            var world = world(["editor"])
            let start = Point(590, 817)
            world.touch(down: start)
            var from = 0.0
            for way in ways {
                world.slide(to: start + Vector(0, way), over: abs(way - from) / speed, steps: 30)
                from = way
            }
            let before = try #require(dock(world))
            world.lift()
            if let now = dock(world) { #expect(abs(now.y - before.y) < 0.5, "no jump as the finger lets go") }
            world.rest()
            #expect(world.open == open, "\(ways)")
            #expect(world.finish() == [])
        }
    }

    @Test("a finger pushes the dock back down, by its ground or by an icon; a little, and it stays", arguments: [true, false])
    func dockPushed(isOnIcon: Bool) throws {
        for (way, closes) in [(80.0, true), (14, false)] {
            var world = world(["editor"])
            world.act(.dock)
            world.rest()
            let place = try #require(dock(world)), launches = world.launches.count
            let spot = isOnIcon ? world.middle("dock/terminal") : Point(place.minX + 4, place.center.y)
            world.touch(down: spot)
            world.slide(to: spot + Vector(0, way), over: 300, steps: 30)
            world.wait(200)
            let now = try #require(dock(world))
            #expect(abs(now.y - place.y - way) < 1, "it follows: \(place), \(now)")
            world.lift()
            world.rest()
            #expect(world.open == (closes ? [] : ["dock"]))
            #expect(world.launches.count == launches && world.interface.lifted == nil, "nothing was pressed")
            #expect(world.finish() == [])
        }
    }

    @Test("the dock is caught on its way in and out, stands under the finger and follows from the first point", arguments: [40.0, 90, 140])
    func dockCaught(after: Double) throws {
        for isLeaving in [false, true] {
            var world = world(["editor"])
            world.act(.dock)
            if isLeaving {
                world.rest()
                world.act(.dock)
            }
            world.wait(after)
            guard let flying = dock(world), flying.minY + 4 < 800 else { continue }
            let spot = Point(flying.minX + 30, flying.minY + 4)
            world.touch(down: spot)
            world.wait(150)
            let held = try #require(dock(world))
            #expect(abs(held.y - flying.y) < 0.5, "held still: \(flying), \(held)")
            for step in 1...4 {
                world.touch(to: spot + Vector(0, 2 * Double(step)))
                let now = try #require(dock(world))
                #expect(abs(now.y - flying.y - 2 * Double(step)) < 0.5, "no dead way and no jump")
            }
            world.wait(150)
            world.lift()
            world.rest()
            #expect(world.open.isEmpty == isLeaving, "only stopped, it goes on")
            #expect(world.finish() == [])
        }
    }

    @Test(
        "an app that flies home is caught, on it or at the bottom edge, and comes back or goes on",
        arguments: [1.0, 40, 80, 120, 160, 200], [true, false])
    func flight(after: Double, isOnIt: Bool) throws {
        for (way, isHome) in [(Vector.zero, true), (Vector(0, -60), true), (Vector(0, 120), false)] {
            var world = world(["editor", "terminal"])
            world.swipe(Vector(0, -300), speed: 2000)
            world.wait(after)
            #expect(world.workspace.isHome)
            let card = CardID.space(world.space(of: two)), flying = try #require(world.cardFrame(card))
            let spot = isOnIt ? flying.center : Point(900, 817)
            world.touch(down: spot)
            world.wait(40)
            let held = try #require(world.cardFrame(card))
            #expect(abs(held.x - flying.x) < 1 && abs(held.y - flying.y) < 1, "held still: \(flying), \(held)")
            if way != .zero {
                world.slide(to: spot + way * 0.5, over: 200)
                let then = try #require(world.cardFrame(card))
                world.slide(to: spot + way, over: 200)
                let now = try #require(world.cardFrame(card))
                #expect((now.maxY - then.maxY) * way.dy > 0, "it follows: \(then), \(now)")
            }
            world.lift()
            world.rest()
            #expect(world.workspace.isHome == isHome, "\(way)")
            #expect(world.finish() == [])
        }
    }

    @Test(
        "a tap on an icon that an app flies over opens what the icon is for; a rest there opens nothing",
        arguments: [1.0, 40, 80, 120, 160, 200])
    func tapInFlight(after: Double) throws {
        for (app, rest) in [("terminal", 40.0), ("editor", 40), ("terminal", 900)] {
            var world = world(["editor", "terminal"])
            world.act(.home)
            world.rest()
            let icon = try #require(world.system.views(at: world.now)?.iconFrame(of: app)).center
            world.act(.home)
            world.rest()
            #expect(world.workspace.focus == two)
            world.swipe(Vector(0, -300), speed: 2000)
            world.wait(after)
            let flying = try #require(world.cardFrame(.space(world.space(of: two))))
            world.touch(down: icon)
            world.wait(rest)
            world.lift()
            let isCaught = flying.contains(icon)
            if isCaught, app == "terminal" {
                let there = try #require(world.cardFrame(.space(world.space(of: two))))
                #expect(abs(there.center.x - flying.center.x) < 1, "no jump: \(flying), \(there)")
            }
            world.rest()
            if rest < 500 {
                let isHome = world.workspace.isHome, focus = world.workspace.focus
                #expect(!isHome && focus == (app == "editor" ? one : two), "\(app), caught: \(isCaught)")
            } else if isCaught {
                #expect(world.workspace.isHome && world.open == [])
            }
            #expect(world.finish() == [])
        }
    }

    @Test("the home screen's dock stays where it is while a finger catches an app that flies home")
    func dockInFlight() throws {
        var world = world(["editor", "terminal"])
        world.swipe(Vector(0, -300), speed: 2000)
        world.wait(80)
        func isInPlace() -> Bool {
            guard let place = world.system.views(at: world.now)?.dockCard?.frame else { return false }
            return world.workspace.showsHome || dock(world) == place
        }
        let flying = try #require(world.cardFrame(.space(world.space(of: two))))
        #expect(world.workspace.showsHome)
        world.touch(down: flying.center)
        #expect(!world.workspace.showsHome)
        for step in 0..<12 {
            #expect(isInPlace(), "held, step \(step)")
            world.wait(16)
        }
        world.lift()
        #expect(world.workspace.showsHome)
        for step in 0..<30 {
            #expect(isInPlace(), "let go, step \(step)")
            world.wait(16)
        }
        #expect(world.open == [] && world.finish() == [])
    }

    @Test("taps on the home screen after the flight are taps")
    func tapAfterFlight() {
        var world = world(["editor", "terminal"])
        world.swipe(Vector(0, -300), speed: 2000)
        world.wait(700)
        world.tap(at: Point(590, 400))
        world.wait(40)
        #expect(world.workspace.isHome && !world.system.isGesturing)
        #expect(world.finish() == [])
    }

    @Test("past the last space and before the first one a finger finds an end", arguments: [-1.0, 1], [true, false])
    func ends(side: Double, isAlone: Bool) throws {
        var world = world(isAlone ? ["editor"] : ["editor", "terminal", "notes"])
        let id = try #require(side < 0 ? world.workspace.spaces.last : world.workspace.spaces.first).id
        if !isAlone { world.act(.showSpace(id)) }
        world.rest()
        let window = try #require(world.workspace.currentSpace).windows[0], place = try #require(world.frame(window))
        world.touch(down: Point(590, 815))
        world.slide(to: Point(590 + side * 400, 813), over: 200)
        world.wait(200)
        let there = try #require(world.frame(window)), moved = (there.x - place.x) * side
        #expect(moved > 10 && moved < 200, "it resists: \(moved)")
        world.lift()
        world.rest()
        #expect(world.workspace.current == id && world.frame(window) == place)
        #expect(world.finish() == [])
    }

    @Test(
        "a sheet that is caught follows from the first point; one at rest does not jump to make up for the first ten",
        arguments: [true, false])
    func sheet(isCaught: Bool) throws {
        var world = world(["editor"])
        world.create(4, WindowFacts(appID: "editor", client: 1, parent: one, isModal: true))
        world.map(4)
        world.wait(isCaught ? 120 : 2000)
        let start = try #require(world.frame(four))
        let spot = try #require(
            (0..<60).lazy.map { Point(start.center.x, start.minY + 30 - Double($0)) }.first {
                world.system.stage.hit($0, world.workspace, at: world.now) == .window(four, .grip)
            })
        world.touch(down: spot)
        var last = start
        for step in 1...40 {
            world.wait(8)
            world.touch(to: spot + Vector(0, Double(step) * 2))
            let now = try #require(world.frame(four))
            if isCaught {
                #expect(abs(now.y - last.y - 2) < 0.2, "step \(step): \(last.y) to \(now.y)")
            } else {
                #expect(now.y - last.y > -0.1 && now.y - last.y < 6, "step \(step): \(last.y) to \(now.y)")
            }
            last = now
        }
        world.wait(250)
        let there = try #require(world.frame(four))
        #expect(abs(there.y - start.y - 80) < 0.5)
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("W-04: an icon of the dock that is dropped at the upper edge of an upright screen makes a pair there", arguments: [true, false])
    func iconAtTop(isUpright: Bool) {
        var world = world(["editor"], size: isUpright ? Size(820, 1180) : Size(1180, 820))
        world.act(.dock)
        world.rest()
        let icon = world.middle("dock/terminal")
        world.touch(down: icon)
        world.slide(to: icon + Vector(0, -100), over: 200)
        world.slide(to: Point(410, 40), over: 300)
        world.wait(200)
        world.lift()
        world.wait(100)
        let place = world.interface.launches.cards.keys.first.flatMap { world.workspace.launches[$0]?.destination }
        #expect(place == (isUpright ? .splitView(.top) : .slideOver), "\(String(describing: place))")
    }

    @Test("\"Rotate Screen\" turns the screen, and turns it back", arguments: [nil: 1, 0: 1, 1: 0, 2: 3, 3: 2] as [Int?: Int])
    func rotates(turns: Int?, wanted: Int) {
        var world = world(["editor"])
        world.send(.screenChanged(Screen(size: Size(1180, 820), turns: turns)))
        world.act(.controlCentre)
        world.rest()
        #expect(world.control("control-centre/rotate")?.press == .rotate(wanted))
        #expect(world.finish() == [])
    }
}
