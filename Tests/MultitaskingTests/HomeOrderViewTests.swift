import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// The home screen, arranged by finger (X-03).
@Suite("X-03: icons moved by finger") struct HomeOrderViewTests {
    private func world(_ idiom: Idiom = .pad, count: Int = 30) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .always))
        world.send(.appsChanged((0..<count).map { App(id: "app\($0)", name: "App \($0)", command: ["true"]) }))
        world.rest()
        return world
    }

    private func frame(_ id: ControlID, _ world: CoreWorld) throws -> Rect {
        try #require(world.controls.last { $0.id == id }, "\(id) is not there").frame
    }

    /// Holds an icon until its menu is there, and carries it.
    private func carry(_ id: ControlID, to point: Point, _ world: inout CoreWorld, resting milliseconds: Double = 0) throws {
        let start = try frame(id, world).center
        world.touch(down: start)
        world.wait(700)
        for step in 1...12 {
            world.touch(to: start + Vector((point.x - start.x) * Double(step) / 12, (point.y - start.y) * Double(step) / 12))
            world.wait(16)
        }
        world.wait(milliseconds)
        world.touch(to: point + Vector(0.5, 0))
        world.lift()
        world.wait(1000)
    }

    private func order(_ world: CoreWorld) -> [String] {
        world.system.homeOrder.entries.map { entry in
            switch entry {
            case .app(let app): app
            case .folder(let folder): "[\(folder.apps.joined(separator: " "))]"
            }
        }
    }

    @Test("an icon goes where it is let go: before another one, and for the next session, too")
    func moves() throws {
        var world = world()
        let target = try frame("home/app0", world)
        try carry("home/app5", to: Point(target.minX - 6, target.center.y), &world)
        #expect(order(world).prefix(3) == ["app5", "app0", "app1"])
        #expect(world.system.chosen.contains { if case .home = $0 { true } else { false } })
        #expect(!world.interface.isPopoverOpen && world.interface.lifted == nil)
        #expect(world.finish() == [])
    }

    @Test("the other icons wobble while one is carried, unless motion is reduced, and fingers find them where they were")
    func wobble() throws {
        for isReduced in [false, true] {
            var world = world()
            world.act(.reducedMotion(isReduced))
            world.rest()
            let start = try frame("home/app5", world).center
            world.touch(down: start)
            world.wait(700)
            world.touch(to: start + Vector(60, 60))
            world.wait(600)
            let items = world.system.items(at: world.now), places = world.controls.map(\.frame)
            world.wait(70)
            #expect((world.system.items(at: world.now) != items) == !isReduced)
            #expect(world.controls.map(\.frame) == places)
            #expect(world.system.isMoving(at: world.now) == !isReduced)
            world.lift()
            world.rest()
            #expect(!world.system.isMoving(at: world.now))
            #expect(world.finish() == [])
        }
    }

    @Test("on another icon it makes a folder; the folder opens, is named, and its apps go out of it again")
    func folder() throws {
        var world = world()
        try carry("home/app1", to: try frame("home/app3", world).center, &world)
        #expect(order(world).prefix(4) == ["app0", "app2", "[app3 app1]", "app4"])
        world.tap(at: try frame("home/folder/1", world).center)
        world.wait(1000)
        #expect(world.interface.openFolder == 1)
        world.tap(at: try frame("folder/name", world).center)
        for scalar in "Games".unicodeScalars {
            for isPressed in [true, false] {
                world.send(
                    .key(code: 30, symbol: KeySymbol(rawValue: scalar.value), pressed: isPressed, modifiers: [], text: String(scalar)))
            }
        }
        for isPressed in [true, false] { world.send(.key(code: 28, symbol: .enter, pressed: isPressed, modifiers: [])) }
        world.wait(500)
        #expect(world.system.homeOrder.folder(1)?.name == "Games")
        let target = try frame(
            "home/app0",
            {
                var closed = world
                closed.act(.dismiss)
                closed.wait(1000)
                return closed
            }())
        try carry("folder/app1", to: Point(target.minX - 6, target.center.y), &world)
        #expect(order(world).prefix(4) == ["app1", "app0", "app2", "app3"], "the folder is gone with its last but one app")
        #expect(world.interface.openFolder == nil)
        #expect(world.finish() == [])
    }

    @Test("rotation, larger text and another idiom show the same order, and change nothing of it")
    func derived() throws {
        var world = world()
        try carry("home/app5", to: Point(try frame("home/app0", world).minX - 6, try frame("home/app0", world).center.y), &world)
        let before = world.system.homeOrder
        world.send(.screenChanged(Screen(size: Size(820, 1180), scale: 1)))
        world.act(.textSize(2))
        world.send(.idiomsKnown([.pad, .phone]))
        world.act(.idiom("phone"))
        world.rest()
        world.act(.idiom("pad"))
        world.send(.screenChanged(Screen(size: Size(1180, 820), scale: 1)))
        world.rest()
        #expect(world.system.homeOrder == before)
        // An app that goes and comes back has its place.
        let all = world.workspace.apps
        world.send(.appsChanged(all.filter { $0.id != "app5" }))
        #expect(world.controls.last { $0.id == "home/app5" } == nil)
        world.send(.appsChanged(all))
        #expect(world.system.homeOrder == before)
        #expect(world.finish() == [])
    }

    @Test("an icon that rests at a side turns the page, and goes to that one")
    func pages() throws {
        var world = world(count: 60)
        try carry("home/app0", to: Point(1172, 300), &world, resting: 900)
        #expect(world.interface.home.page > 0)
        #expect(world.finish() == [])
    }

    @Test("the menu takes an app off the home screen, the search finds it, and brings it back")
    func hides() throws {
        var world = world()
        world.act(.arrangeHome(.hide(app: "app7")))
        #expect(world.controls.last { $0.id == "home/app7" } == nil)
        world.act(.search(text: "app 7"))
        world.wait(500)
        #expect(world.controls.last { $0.id == "home/app7" } != nil)
        world.act(.appMenu(app: "app7"))
        world.wait(500)
        world.tap(at: try frame("menu/show-on-home", world).center)
        world.act(.search(text: ""))
        world.act(.dismiss)
        world.wait(500)
        #expect(order(world).last == "app7")
        world.act(.arrangeHome(.reset))
        #expect(order(world) == (0..<30).map { "app\($0)" })
        #expect(world.finish() == [])
    }

    @Test("icons change places in the dock, and one of the pages goes into it")
    func dock() throws {
        var world = world()
        let dock = world.controls.filter { $0.id.area == .dock && $0.role == .icon }
        let first = try #require(dock.first), last = try #require(dock.last)
        let name = try #require(last.id.appOfIcon)
        try carry(last.id, to: Point(first.frame.minX - 4, first.frame.center.y), &world)
        #expect(world.interface.dockApps?.first == name)
        try carry("home/app9", to: Point(first.frame.minX - 4, first.frame.center.y), &world)
        #expect(world.interface.dockApps?.first == "app9")
        #expect(world.finish() == [])
    }

    @Test("an icon that is carried out of the dock is in the dock no longer, and its icon on the home screen stays in sight meanwhile")
    func outOfDock() throws {
        for isFixed in [false, true] {
            var world = world()
            if isFixed {
                var preferences = Preferences(newWindows: .always)
                preferences.fixed = .dock
                world.send(.configured(preferences))
                world.rest()
            }
            func dock() -> [String] { world.controls.filter { $0.id.area == .dock && $0.role == .icon }.compactMap(\.id.appOfIcon) }
            let app = try #require(dock().first), id = ControlID(.dock, app), start = try frame(id, world).center,
                target = try frame("home/app9", world)
            let home = try frame(ControlID(.home, app), world)
            func pictures(at place: Rect) -> Int {
                world.system.items(at: world.now).count { item in
                    if case .art(.icon(_), _) = item.kind { place.inset(by: -8).contains(item.frame) } else { false }
                }
            }
            let place = try frame(id, world)
            #expect(pictures(at: place) == 1 && pictures(at: home) == 1)
            world.touch(down: start)
            world.wait(800)
            for step in 1...12 {
                let way = Vector((target.minX - 6 - start.x) * Double(step) / 12, (target.center.y - start.y) * Double(step) / 12)
                world.touch(to: start + way)
                world.wait(16)
            }
            #expect(pictures(at: place) == 0 && pictures(at: home) == 1, "its own place alone is empty")
            world.touch(to: Point(target.minX - 5.5, target.center.y))
            world.lift()
            world.wait(1000)
            #expect(dock().contains(app) == isFixed)
            let after = order(world)
            #expect(after.firstIndex(of: app).map { $0 + 1 } == after.firstIndex(of: "app9"), "it is where it was let go")
            #expect(world.interface.lifted == nil && world.finish() == [])
        }
    }

    @Test("an app that is uninstalled in the hand of a person makes nothing, and the drag ends")
    func uninstalled() throws {
        var world = world()
        let start = try frame("home/app5", world).center, target = try frame("home/app9", world).center
        world.touch(down: start)
        world.wait(700)
        world.touch(to: start + Vector(60, 60))
        world.wait(100)
        #expect(world.interface.lifted?.app == "app5")
        let all = world.workspace.apps
        world.send(.appsChanged(all.filter { $0.id != "app5" }))
        #expect(world.interface.lifted == nil)
        world.touch(to: target)
        world.wait(100)
        world.lift()
        world.wait(1000)
        #expect(order(world).allSatisfy { !$0.hasPrefix("[") }, "no folder")
        world.act(.arrangeHome(.move(app: "app5", to: .with("app9"))))
        #expect(world.effects.contains(.refuse(Refusal("there is no app \"app5\""))))
        world.act(.arrangeHome(.move(app: "app9", to: .with("app5"))))
        #expect(order(world).allSatisfy { !$0.hasPrefix("[") }, "nor one with an app that is not there")
        #expect(world.finish() == [])
    }

    @Test("a home screen from which all apps were taken says so, and where they are found")
    func allHidden() {
        var world = world(count: 2)
        for app in ["app0", "app1"] { world.act(.arrangeHome(.hide(app: app))) }
        world.rest()
        #expect(world.controls.last { $0.id == "home/empty" }?.name == .message(.allAppsHidden))
        world.send(.appsChanged([]))
        world.rest()
        #expect(world.controls.last { $0.id == "home/empty" }?.name == .message(.noApps))
        #expect(world.finish() == [])
    }
}
