import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Mistakes that were found by generated tests, each as short as it could be made.
@Suite("Found by generated tests")
struct RegressionTests {
    @Test("panels that leave no room at all: home is still there, and nothing is divided by nothing")
    func noRoom() {
        for size in [Size(1180, 820), Size(1, 1), Size(60, 40)] {
            var world = world(size: size, installed: many(40))
            world.reserve(Insets(600, 500, 600, 700))
            for action in [Action.scroll(1), .appSwitcher, .home, .search(text: "a"), .controlCentre, .keyHelp] { world.act(action) }
            world.touch(down: Point(0, 0))
            world.touch(to: Point(-30, 0))
            world.lift()
            _ = world.system.items(at: world.now)
            #expect(world.finish() == [])
        }
    }

    @Test("a menu over the dock is modal: the dock's icons are neither hit nor reached by keys")
    func menuOverDock() {
        var world = world(["editor"])
        world.act(.dock)
        world.rest()
        let icon = world.middle("dock/notes")
        world.touch(down: world.middle("dock/editor"))
        world.wait(600)
        world.lift()
        #expect(world.open == ["dock", "menu"] && world.ids.allSatisfy { $0.hasPrefix("menu/") })
        world.rest()
        world.tap(at: icon)
        #expect(world.open == ["dock"] && world.launches.isEmpty)
        #expect(world.finish() == [])
    }

    @Test("the app switcher goes while a finger scrolls it: nothing stays scrolled or held")
    func scrolledAway() {
        var world = world((0..<9).map { _ in "editor" })
        world.act(.appSwitcher)
        world.rest()
        world.touch(down: Point(600, 790))
        world.slide(to: Point(1100, 790))
        world.act(.dismiss)
        world.touch(to: Point(200, 790))
        #expect(!world.system.isGesturing)
        world.lift()
        #expect(world.finish() == [])
        world.act(.appSwitcher)
        world.rest()
        world.touch(down: Point(600, 790))
        world.slide(to: Point(1100, 790))
        world.take()
        #expect(world.finish() == [])
    }

    @Test("a window that comes while home is turned under a finger: the page is whole when home is back")
    func windowOverHome() {
        var world = world(installed: many(90))
        world.touch(down: Point(800, 600))
        world.slide(to: Point(500, 600))
        world.open(1, facts("app1", 1))
        world.lift()
        world.act(.home)
        #expect(world.finish() == [])
    }

    @Test("the menu of an app goes when the app is taken away")
    func uninstalled() {
        var world = world()
        world.act(.appMenu(app: "notes"))
        world.send(.appsChanged([]))
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("the next space by its key closes the app switcher")
    func nextSpace() {
        var world = world(["editor", "terminal"])
        world.press("Super+a")
        world.press("Super+Tab")
        #expect(world.open == [] && world.workspace.currentSpace?.content == .full(one))
        #expect(world.finish() == [])
    }

    @Test("the icon of an app whose window is a picture opens it over the whole screen")
    func picture() {
        var world = world(["editor", "terminal"])
        world.act(.pictureInPicture(window: one))
        world.act(.home)
        world.rest()
        world.tap("home/editor")
        #expect(world.workspace.currentSpace?.content == .full(one) && world.workspace.pip == nil)
        #expect(world.finish() == [])
    }

    @Test("at home a picture can be brought back from the edge, and does not take the keys from home")
    func focusPicture() {
        var world = world(["editor", "terminal"])
        world.act(.pictureInPicture(window: one))
        world.act(.home)
        world.act(.focus(window: one))
        #expect(world.workspace.isHome && world.workspace.focus == nil)
        world.write("no")
        #expect(world.interface.home.search == "no")
        #expect(world.finish() == [])
    }

    @Test("the line at the bottom: a click goes home, a drag of the pointer goes between spaces and up")
    func indicator() {
        var world = world(["editor", "terminal"])
        let line = Point(590, 814)
        func drag(_ way: Vector, _ world: inout CoreWorld) {
            world.send(.pointerMotion(at: line))
            world.send(.pointerButton(0x110, pressed: true))
            for step in 1...20 {
                world.wait(8)
                world.send(.pointerMotion(at: line + way * (Double(step) / 20)))
            }
            world.send(.pointerButton(0x110, pressed: false))
            world.rest()
        }
        drag(Vector(500, 0), &world)
        #expect(world.workspace.currentSpace?.content == .full(one))
        drag(Vector(0, -500), &world)
        #expect(world.workspace.isHome)
        world.act(.home)
        world.rest()
        world.click(line)
        #expect(world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("a dock on its way out has no controls, and the keyboard is not at one of them")
    func leavingDock() {
        var world = world(["editor"])
        world.press("Super+b")
        world.rest()
        #expect(world.interface.focus != nil)
        world.tap(at: Point(500, 300))
        #expect(world.open == [] && world.interface.focus == nil && !world.ids.contains { $0.hasPrefix("dock/") })
        #expect(world.finish() == [])
    }
}
