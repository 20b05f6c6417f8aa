import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19: a window that waits says so on the screen")
struct BannerTests {
    private func isOpen(_ world: CoreWorld) -> Bool { world.interface.openNames.contains("banner") }

    private func stranger(_ world: inout CoreWorld, _ raw: UInt32, app: String = "files") {
        world.create(raw, WindowFacts(appID: app, lineage: [Int32(raw) + 500, 1], client: UInt64(raw) + 50))
        world.map(raw)
    }

    private func control(_ world: CoreWorld, _ id: ControlID) throws -> ViewControl {
        try #require(world.controls.first { $0.id == id })
    }

    @Test("X-05: one control alone says the words of a banner, so that a screen reader reads them once")
    func readOnce() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        world.wait(1000)
        let said = world.controls.filter { $0.name == .message(.openedWindow, ["Files"]) }
        #expect(said.map(\.id) == ["banner/text"] && said.map(\.role) == [.alert] && world.finish() == [])
    }

    @Test("W-19: a banner names the app; Open opens its window, Later keeps the badge")
    func openAndLater() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        #expect(isOpen(world) && world.workspace.focus == one && world.system.keyboard == .window(one))
        #expect(try control(world, "banner/text").name == .message(.openedWindow, ["Files"]))
        world.wait(1000)
        let open = try control(world, "banner/open")
        #expect(open.press == .openWaiting(window: two))
        world.tap(at: open.frame.center)
        #expect(world.workspace.focus == two && !isOpen(world))
        world.wait(6000)
        stranger(&world, 3)
        world.wait(1000)
        world.tap(at: try control(world, "banner/later").frame.center)
        #expect(!isOpen(world) && world.workspace.waiting == [WindowID(3)] && world.workspace.focus == two)
        #expect(world.act(.bannerLater).refusals == ["no banner is shown"])
        #expect(world.finish() == [])
    }

    @Test("W-19: it stays eight seconds; an app has one in five seconds at most")
    func pace() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        world.wait(1000)
        stranger(&world, 3)
        stranger(&world, 4, app: "mail")
        #expect(world.interface.banner?.content.window == two)
        world.wait(8000)
        #expect(world.interface.banner?.content.window == four)
        world.wait(9000)
        #expect(!isOpen(world))
        #expect(world.workspace.waiting == [two, WindowID(3), four])
        stranger(&world, 5)
        #expect(world.interface.banner?.content.window == WindowID(5))
        #expect(world.finish() == [])
    }

    @Test("W-19: a refused activation leaves a trace, one of a window in sight leaves none")
    func refused() throws {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(20_000)
        world.send(.activationAsked(two, hasRecentSerial: false, launch: nil))
        #expect(!isOpen(world))
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        #expect(world.interface.banner?.content == .init(window: one, isNew: false) && world.workspace.focus == two)
        #expect(try control(world, "banner/open").press == .focus(window: one))
        world.act(.press(view: "banner/open"))
        #expect(world.workspace.focus == one && !isOpen(world))
        world.wait(6000)
        world.send(.windowAsked(two, .activate(byPerson: false)))
        #expect(world.interface.banner?.content == .init(window: two, isNew: false))
        #expect(world.finish() == [])
    }

    @Test("W-19: a touch that was on its way to the app below neither opens a window nor reaches the app")
    func tooSoon() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        world.wait(300)
        world.tap(at: try control(world, "banner/open").frame.center)
        #expect(world.workspace.waiting == [two] && world.workspace.focus == one && isOpen(world))
        world.wait(1000)
        world.tap(at: try control(world, "banner/open").frame.center)
        #expect(world.workspace.waiting == [] && world.workspace.focus == two)
        #expect(world.finish() == [])
    }

    @Test("W-19: the key that opens what waits opens the window of the banner, and Dismiss hides it")
    func keys() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        world.wait(10_000)
        stranger(&world, 3, app: "mail")
        world.act(.openWaiting())
        #expect(world.workspace.focus == WindowID(3) && world.workspace.waiting == [two] && !isOpen(world))
        world.wait(10_000)
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        #expect(isOpen(world))
        world.act(.openWaiting())
        #expect(world.workspace.focus == one && world.workspace.waiting == [two])
        world.wait(10_000)
        stranger(&world, 4, app: "maps")
        world.act(.dismiss)
        #expect(!isOpen(world) && world.workspace.waiting == [two, four])
        #expect(world.finish() == [])
    }

    @Test("W-19: it waits while the app switcher covers the apps, and goes with its window")
    func covered() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.act(.appSwitcher)
        stranger(&world, 2)
        #expect(!isOpen(world))
        world.act(.dismiss)
        #expect(world.interface.banner?.content.window == two && isOpen(world))
        world.unmap(two)
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("W-19: a finger on it holds it; its time begins again afterwards")
    func held() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        stranger(&world, 2)
        world.wait(1000)
        world.touch(down: try control(world, "banner/open").frame.center)
        world.wait(12_000)
        #expect(isOpen(world))
        world.slide(to: Point(600, 600))
        world.lift()
        world.wait(6000)
        #expect(isOpen(world) && world.workspace.waiting == [two])
        world.wait(3000)
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("W-19: a window without a name is a program's, and one in a sandbox has no name that it claims")
    func names() throws {
        var world = CoreWorld()
        world.send(.appsChanged([App(id: "bank", name: "Bank", command: ["bank"])]))
        world.open(1)
        world.wait(5000)
        world.create(2, WindowFacts(appID: "", title: "", lineage: [502, 1], client: 52))
        world.map(2)
        #expect(try control(world, "banner/text").name == .message(.openedWindowUnknown))
        world.act(.bannerLater)
        world.wait(6000)
        world.create(3, WindowFacts(appID: "bank", title: "Bank", lineage: [503, 1], client: 53, sandbox: .container(7)))
        world.map(3)
        #expect(try control(world, "banner/text").name == .message(.openedWindowUnknown))
        #expect(world.finish() == [])
    }

    @Test("W-19: with the keyboard focus on it, it stays", arguments: [Size(1180, 820), Size(390, 844), Size(320, 480)], [1.0, 2])
    func focus(size: Size, textScale: Double) {
        var world = CoreWorld(size: size)
        world.act(.textSize(textScale))
        world.open(1)
        world.wait(5000)
        stranger(&world, 2, app: "an app with a name that is much longer than there is room for on any screen of a phone")
        world.wait(1000)
        for control in world.controls where control.id.area == .banner {
            #expect(
                Rect(origin: .zero, size: size).contains(control.frame, tolerance: 0)
                    && (control.press == nil || control.target.height >= 44))
        }
        world.act(.keyFocus(view: "banner/open"))
        #expect(world.interface.focus == "banner/open")
        world.wait(12_000)
        #expect(isOpen(world))
        // At rest, no timer runs for it.
        #expect(world.timers[.screen(.banner)] == nil)
        world.act(.press(view: "banner/later"))
        #expect(!isOpen(world) && world.interface.focus == nil)
        #expect(world.finish() == [])
    }

    @Test("W-19: after Later, an app that asks again and again shows no banner until its window was seen")
    func nagging() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(20_000)
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        world.act(.bannerLater)
        for _ in 0..<4 {
            world.wait(6000)
            world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
            #expect(!isOpen(world))
        }
        world.act(.focus(window: one))
        world.act(.focus(window: two))
        world.wait(20_000)
        world.send(.activationAsked(one, hasRecentSerial: false, launch: nil))
        #expect(isOpen(world))
        #expect(world.finish() == [])
    }
}
