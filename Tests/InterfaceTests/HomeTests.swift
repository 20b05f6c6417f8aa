import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-03: the home screen")
struct HomeTests {
    @Test("every installed app has an icon, and a tap on it starts the app")
    func icons() {
        var world = world()
        for app in catalogue { #expect(world.control("home/\(app.id)")?.press == .openApp(app: app.id)) }
        world.tap("home/terminal")
        #expect(world.launches == [["terminal"]])
        #expect(world.finish() == [])
    }

    @Test(
        "X-05: icons grow with the text where the screen has room for them, and every app stays",
        arguments: [(Size(1180, 820), 90.0, 70.0), (Size(360, 720), 72, 56)])
    func iconsGrow(size: Size, icon: Double, dock: Double) {
        for (scale, side, dockSide) in [(1.0, 72.0, 56.0), (1.5, icon, dock)] {
            var world = InterfaceTests.world([], size: size, preferences: Preferences(appearance: Appearance(textScale: scale)))
            world.rest()
            let icons = world.controls.filter { $0.id.appOfIcon != nil }
            #expect(icons.count { $0.id.area == .home } == catalogue.count && icons.count > catalogue.count)
            for control in icons { #expect(control.frame.width == (control.id.area == .home ? side : dockSide), "\(control.id), \(scale)") }
            for (index, one) in icons.enumerated() {
                for other in icons[(index + 1)...] { #expect(!one.frame.intersects(other.frame), "\(one.id), \(other.id)") }
            }
        }
    }

    @Test("home hides every window but Picture in Picture, and no window has the keys; from there it goes back")
    func windows() {
        var world = world(["editor", "terminal", "notes"])
        world.act(.pictureInPicture(window: one))
        world.act(.slideOver(window: two))
        world.act(.home)
        #expect(world.workspace.isHome && world.workspace.focus == nil)
        #expect(world.workspace.shownRoots == [one])
        world.rest()
        world.act(.home)
        #expect(!world.workspace.isHome && world.workspace.isShown(three) && world.workspace.isShown(two))
        #expect(world.finish() == [])
    }

    @Test("one flick is one page, however hard, and no page beyond the last")
    func pages() {
        for speed in [1500.0, 4000, 20_000] {
            var world = world(installed: many(90))
            let pages = world.system.views(at: world.now)!.pageCount
            #expect(pages == 3)
            func flick(_ dx: Double, _ world: inout CoreWorld) {
                world.touch(down: Point(590, 600))
                world.slide(to: Point(590 + dx, 600), over: abs(dx) / speed * 1000, steps: 6)
                world.lift()
                world.wait(600)
            }
            for page in [1, 2, 2] {
                flick(-320, &world)
                #expect(world.interface.home.page == page, "at \(speed) points a second")
            }
            flick(320, &world)
            #expect(world.interface.home.page == 1)
            #expect(world.finish() == [])
        }
    }

    @Test("a hard flick does not throw the page past the edge of the next one")
    func tame() {
        var world = world(installed: many(90))
        world.touch(down: Point(900, 600))
        world.slide(to: Point(100, 600), over: 40, steps: 5)
        world.lift()
        for _ in 0..<60 {
            world.wait(10)
            #expect(world.interface.home.scroll.value(at: world.now) < 1180 + 60)
        }
        #expect(world.finish() == [])
    }

    @Test("X-04: where people read from right to left icons are mirrored, and pages follow the finger all the same")
    func rightToLeft() {
        let left = world(installed: many(90))
        var right = world(preferences: mirrored(), installed: many(90))
        for app in ["home/app0", "home/app5", "dock/app0", "dock/app2"] {
            let a = left.control(app)!.frame, b = right.control(app)!.frame
            #expect(abs(b.minX - (1180 - a.maxX)) < 1 && b.y == a.y, "\(app)")
        }
        right.touch(down: Point(400, 600))
        right.touch(to: Point(420, 600))
        let before = right.control("home/app0")!.frame
        right.touch(to: Point(600, 600))
        #expect(abs(right.control("home/app0")!.frame.minX - before.minX - 180) <= 1.5, "icons follow the finger")
        right.slide(to: Point(900, 600), over: 100)
        right.lift()
        #expect(right.interface.home.page == 1, "the next page comes from the left")
        #expect(right.finish() == [])
    }

    @Test("a search lists names that begin with it, then those that contain it, then other words")
    func search() {
        var world = world()
        world.write("tex")
        #expect(world.interface.home.search == "tex")
        #expect(world.ids.filter { $0.hasPrefix("home/") } == ["home/editor", "home/context", "home/notes"])
        world.write("t ed")
        #expect(world.ids.filter { $0.hasPrefix("home/") } == ["home/editor"])
        world.press("Return")
        #expect(world.launches == [["editor"]])
        #expect(world.finish() == [])
    }

    @Test("a search of nothing but spaces finds everything")
    func spaces() {
        var world = world()
        world.act(.search(text: " "))
        #expect(world.ids.count { $0.hasPrefix("home/") } == catalogue.count)
        world.act(.search(text: "nothing like it"))
        #expect(world.controls.contains { $0.name == .message(.nothingFound, ["nothing like it"]) })
        #expect(world.finish() == [])
    }

    @Test("typing begins it, BackSpace takes back, Escape leaves it, at last home stays")
    func typing() {
        var world = world(["editor"])
        world.act(.home)
        world.write("te")
        #expect(
            world.open == ["search"] && world.effects.last { if case .client(.textEntry) = $0 { true } else { false } } == .textEntry(true))
        world.press("BackSpace")
        #expect(world.interface.home.search == "t")
        world.press("Escape")
        #expect(world.interface.home.search == nil && world.effects.contains(.textEntry(false)))
        world.press("Escape")
        #expect(world.workspace.isHome)
        world.send(.typed("notes"))
        #expect(world.interface.home.search == "notes")
        world.send(.erased(2))
        #expect(world.interface.home.search == "not")
        world.tap("home/notes")
        world.send(.launched(LaunchID(1), process: 900))
        #expect(world.finish() == [])
    }

    @Test("the screen turns: the same page is in front, and lies where the screen is")
    func turns() {
        var world = world(installed: many(90))
        world.act(.scroll(1))
        world.rest()
        world.send(.screenChanged(Screen(size: Size(820, 1180))))
        #expect(world.interface.home.scroll.target == 820)
        world.send(.appsChanged(many(3)))
        world.rest()
        #expect(world.interface.home.page == 0 && world.interface.home.scroll.target == 0)
        #expect(world.finish() == [])
    }

    @Test("a long press opens the app's menu; the finger lifted on it changes nothing more; the right button does the same")
    func menu() {
        var world = world(["editor"])
        world.act(.home)
        world.rest()
        let icon = world.middle("home/editor")
        world.touch(down: icon)
        world.wait(499)
        #expect(world.open == [])
        world.wait(2)
        #expect(world.open == ["menu"])
        world.lift()
        #expect(world.open == ["menu"] && world.launches.isEmpty)
        let shown = world.ids.filter { $0.hasPrefix("menu/") }
        #expect(Set(shown).isSuperset(of: ["menu/open", "menu/new", "menu/all", "menu/action/draft"]))
        world.tap("menu/action/draft")
        #expect(world.launches == [["editor", "--draft"]])
        world.rest()
        world.send(.pointerMotion(at: world.middle("home/browser")))
        world.click(world.middle("home/browser"), 0x111)
        #expect(world.open == ["menu"] && !world.ids.contains("menu/new"), "W-08: it has one window only")
        world.tap(at: Point(20, 400))
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("a menu keeps clear of the labels beside its icon, and of the dock", arguments: ["home/editor", "dock/editor"])
    func menuIsClear(id: ControlID) throws {
        var world = world(["editor"])
        world.act(.home)
        world.rest()
        let icon = try #require(world.control(id)), dock = try #require(world.control("dock"))
        world.touch(down: icon.frame.center)
        world.wait(600)
        world.lift()
        world.rest()
        let menu = try #require(world.control("menu")).frame
        if id == "dock/editor" {
            #expect(menu.maxY <= dock.frame.minY - 8)
        } else {
            #expect(menu.minY >= icon.target.maxY + 8 || menu.maxY <= icon.frame.minY - 8)
        }
        #expect(world.finish() == [])
    }

    @Test("a finger that moves before the menu opens gets none")
    func noMenu() {
        var world = world(installed: many(90))
        world.touch(down: world.middle("home/app3"))
        world.wait(300)
        world.slide(to: world.middle("home/app3") + Vector(-60, 0), over: 100)
        world.wait(900)
        #expect(world.open == [])
        world.lift()
        #expect(world.launches.isEmpty)
        #expect(world.finish() == [])
    }
}

@Suite("X-03: the dock")
struct DockTests {
    private func dock(_ world: CoreWorld) -> [String] { world.ids.filter { $0.hasPrefix("dock/") }.map { String($0.dropFirst(5)) } }

    @Test("pinned apps, then those used last that are not pinned; those that run are marked")
    func order() {
        var world = world(["context", "editor"], preferences: Preferences(appearance: Appearance(dock: ["terminal", "editor"])))
        world.act(.home)
        #expect(dock(world) == ["terminal", "editor", "context"])
        func dots(_ world: CoreWorld) -> Int {
            world.system.items(at: world.now).count { $0.kind == .fill(.mark) && $0.frame.size == Size(5, 5) && $0.frame.y > 700 }
        }
        #expect(dots(world) == 2)
        world.destroy(one)
        #expect(dock(world) == ["terminal", "editor"] && dots(world) == 1)
        #expect(world.finish() == [])
    }

    @Test("the user adds and removes apps, even the last one")
    func change() {
        var world = world(preferences: Preferences(appearance: Appearance(dock: ["terminal"])))
        world.act(.addToDock(app: "notes"))
        #expect(dock(world) == ["terminal", "notes"])
        world.act(.addToDock(app: "notes"))
        #expect(dock(world) == ["terminal", "notes"])
        world.act(.removeFromDock(app: "terminal"))
        world.act(.removeFromDock(app: "notes"))
        #expect(dock(world) == [], "the last one stays out")
        #expect(world.act(.addToDock(app: "nothing")).refusals == ["no app is called \"nothing\""])
        #expect(world.act(.removeFromDock(app: "nothing")).refusals == ["the dock has no app \"nothing\""])
        #expect(world.finish() == [])
    }

    @Test("over an app it comes by a short swipe and goes when the app is touched, which gets the touch")
    func over() {
        var world = world(["editor"])
        world.swipe(Vector(0, -40), speed: 200)
        #expect(world.open == ["dock"])
        world.rest()
        let effects = world.touch(down: Point(500, 300))
        #expect(effects.contains(.touchDown(0, one, at: Point(500, 300))))
        #expect(world.open == [])
        world.lift()
        #expect(world.act(.home).refusals == [])
        #expect(world.act(.dock).refusals == ["the home screen shows the dock already"])
        #expect(world.finish() == [])
    }

    @Test("an icon dragged from it: edges split, the middle floats; let go over the dock nothing happens", arguments: [false, true])
    func drag(byPointer: Bool) {
        let drops: [(Point, (CoreWorld) -> Bool)] = [
            (Point(40, 400), { $0.place(two) == .split($0.space(of: two), .left) }),
            (Point(1150, 400), { $0.place(two) == .split($0.space(of: two), .right) }),
            (Point(300, 300), { $0.place(two) == .slideOver(0) && $0.workspace.slideOver.side == .left }),
            (Point(800, 300), { $0.place(two) == .slideOver(0) && $0.workspace.slideOver.side == .right }),
            (Point(700, 780), { $0.place(two) == .full($0.space(of: two)) && $0.workspace.focus == one }),
        ]
        for (end, holds) in drops {
            var world = world(["editor", "terminal"])
            world.act(.focus(window: one))
            world.act(.dock)
            world.rest()
            let start = world.middle("dock/terminal")
            if byPointer {
                world.send(.pointerMotion(at: start))
                world.send(.pointerButton(0x110, pressed: true))
                for step in 1...10 {
                    world.wait(20)
                    world.send(.pointerMotion(at: start + (end - start) * (Double(step) / 10)))
                }
                world.send(.pointerButton(0x110, pressed: false))
            } else {
                world.drag(from: start, to: end)
            }
            #expect(holds(world), "dropped at \(end): \(String(describing: world.place(two)))")
            #expect(world.finish() == [])
        }
    }

    @Test("an app beside itself: its own window is in front, so a new one is opened")
    func besideItself() {
        var world = world(["terminal", "editor"])
        world.act(.openApp(app: "editor", to: .splitView(.left)))
        #expect(world.launches == [["editor", "--new-window"]])
        #expect(world.finish() == [])
    }
}
