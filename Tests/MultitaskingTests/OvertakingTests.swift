import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19: what a person arranged since a launch stays in front")
struct OvertakingTests {
    private func launch(_ world: inout CoreWorld, process: Int32, to destination: Destination? = nil) {
        let effects = world.act(.launch(command: ["program\(process)"], to: destination))
        for case .program(.launch(let id, _, _)) in effects { world.send(.launched(id, process: process)) }
    }

    private func comes(_ world: inout CoreWorld, _ raw: UInt32, process: Int32, splash: Bool = false) {
        world.create(
            raw,
            WindowFacts(
                appID: "app\(process)", title: "Window \(raw)", lineage: [process, 1], client: UInt64(process), isX11: splash,
                isSplash: splash))
        world.map(raw)
    }

    private func banner(_ world: CoreWorld) -> WindowID? {
        world.interface.banner.flatMap { $0.isOpen ? $0.content.window : nil }
    }

    /// Two windows, each in a space of its own; the second is in front.
    private func two() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(5000)
        return world
    }

    enum Act: CaseIterable { case otherWindow, newSplit, slideOver, otherSpace, swipe, newWindow, taskbar }

    @Test(
        "W-19: another window, Split View, Slide Over or space overtakes a launch, and its window waits with a banner",
        arguments: Act.allCases)
    func overtakes(act: Act) {
        var world = two()
        launch(&world, process: 900)
        world.wait(1000)
        switch act {
        case .otherWindow: world.act(.focus(window: one))
        case .newSplit: world.act(.splitView(window: one, side: .right))
        case .slideOver: world.act(.slideOver(window: one))
        case .otherSpace: world.act(.previousSpace)
        case .swipe: world.drag(from: Point(590, 818), to: Point(990, 818))
        case .newWindow: world.open(3)
        case .taskbar: world.send(.windowAsked(one, .activate(byPerson: true)))
        }
        world.rest()
        let front = world.workspace.currentSpace, focus = world.workspace.focus
        comes(&world, 9, process: 900)
        #expect(world.workspace.waiting == [WindowID(9)] && banner(world) == WindowID(9))
        #expect(world.workspace.currentSpace == front && world.workspace.focus == focus)
        world.act(.openWaiting())
        #expect(world.workspace.focus == WindowID(9) && world.workspace.waiting == [])
        // The launch is used up: what the program opens by itself waits, too.
        world.wait(5000)
        comes(&world, 10, process: 900)
        #expect(world.workspace.waiting == [WindowID(10)])
        #expect(world.finish() == [])
    }

    enum Other: CaseIterable { case nothing, home, homeAndBack, switcher, rotation, typing, divider, laterLaunch }

    @Test("W-19: the home screen, the app switcher, a turned screen and keys for the app in front do not", arguments: Other.allCases)
    func doesNot(other: Other) {
        var world = two()
        if other == .divider { world.act(.splitView(window: one, side: .right)) }
        launch(&world, process: 900)
        world.wait(1000)
        switch other {
        case .nothing: break
        case .home: world.act(.home)
        case .homeAndBack:
            world.act(.home)
            world.act(.focus(window: WindowID(2)))
        case .switcher:
            world.act(.appSwitcher)
            world.wait(1000)
            world.act(.dismiss)
        case .rotation: world.send(.screenChanged(Screen(size: Size(820, 1180))))
        case .typing:
            world.send(.key(code: 30, symbol: 0x61, pressed: true, modifiers: []))
            world.send(.key(code: 30, symbol: 0x61, pressed: false, modifiers: []))
            world.tap(at: Point(300, 400))
        case .divider: world.act(.divider(fraction: 0.66, exact: false))
        case .laterLaunch: launch(&world, process: 901)
        }
        world.wait(3000)
        comes(&world, 9, process: 900)
        #expect(world.workspace.focus == WindowID(9) && world.workspace.waiting == [] && banner(world) == nil)
        #expect(world.finish() == [])
    }

    @Test("W-19: from the home screen, going to a window overtakes a launch; staying there does not", arguments: [false, true])
    func fromHome(goes: Bool) {
        var world = two()
        world.act(.home)
        launch(&world, process: 900)
        world.wait(1000)
        if goes { world.act(.focus(window: WindowID(2))) }
        comes(&world, 9, process: 900)
        #expect((world.workspace.waiting == [WindowID(9)]) == goes && (world.workspace.focus == WindowID(9)) != goes)
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: of two launches in turn both open; once the person uses the later one's window, the earlier one waits",
        arguments: [false, true])
    func twoLaunches(isUsed: Bool) {
        var world = two()
        world.act(.home)
        launch(&world, process: 900)
        launch(&world, process: 901)
        comes(&world, 8, process: 901)
        world.wait(3000)
        if isUsed { world.tap(at: Point(300, 400)) }
        comes(&world, 9, process: 900)
        #expect(world.place(WindowID(8)) != .waiting)
        #expect((world.place(WindowID(9)) == .waiting) == isUsed)
        #expect(world.workspace.focus == WindowID(isUsed ? 8 : 9))
        #expect(world.finish() == [])
    }

    @Test("W-19: a later launch that a person gave a place overtakes the earlier one")
    func laterPlace() {
        var world = two()
        launch(&world, process: 900)
        launch(&world, process: 901, to: .splitView(.right))
        comes(&world, 8, process: 901)
        comes(&world, 9, process: 900)
        #expect(world.place(WindowID(9)) == .waiting && world.workspace.isShown(WindowID(8)))
        #expect(world.finish() == [])
    }

    @Test("W-19: the splash of a launch that was overtaken waits without a banner, and its window with one")
    func splash() {
        var world = two()
        launch(&world, process: 900)
        world.act(.focus(window: one))
        comes(&world, 8, process: 900, splash: true)
        #expect(world.place(WindowID(8)) == .waiting && banner(world) == nil)
        comes(&world, 9, process: 900)
        world.destroy(WindowID(8))
        #expect(world.workspace.waiting == [WindowID(9)] && banner(world) == WindowID(9) && world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: the banner of a splash that declares nothing passes to its window; a splash that a person opened gives its place",
        arguments: [false, true])
    func undeclaredSplash(isOpened: Bool) {
        var world = two()
        launch(&world, process: 900)
        world.act(.focus(window: one))
        comes(&world, 8, process: 900)
        world.commit(WindowID(8)) { ($0.minimum, $0.maximum) = ($0.size, $0.size) }
        #expect(banner(world) == WindowID(8))
        if isOpened { world.act(.openWaiting()) }
        world.wait(1000)
        comes(&world, 9, process: 900)
        world.destroy(WindowID(8))
        if isOpened {
            #expect(world.workspace.focus == WindowID(9) && world.workspace.waiting == [])
        } else {
            #expect(world.workspace.waiting == [WindowID(9)] && banner(world) == WindowID(9))
        }
        #expect(world.finish() == [])
    }

    @Test("W-19: a token does not help a launch that was overtaken, and a running app's window leaves a banner", arguments: [false, true])
    func token(isRunning: Bool) throws {
        var world = two()
        if isRunning {
            world.create(9, WindowFacts(appID: "app9", title: "Nine", lineage: [950, 1], client: 950))
            world.send(.activationAsked(WindowID(9), hasRecentSerial: true, launch: nil))
            world.map(9)
            world.act(.focus(window: WindowID(2)))
            world.wait(20_000)
        }
        let id = try #require(
            world.act(.launch(command: ["app9"])).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }.first)
        world.act(.focus(window: one))
        if !isRunning { world.create(9, WindowFacts(appID: "app9", lineage: [950, 1], client: 950)) }
        world.send(.activationAsked(WindowID(9), hasRecentSerial: false, launch: id))
        if !isRunning { world.map(9) }
        #expect(world.workspace.focus == one && banner(world) == WindowID(9))
        #expect(world.workspace.launches[id]?.isUsed == true)
        #expect(world.finish() == [])
    }
}

@Suite("W-19: a token that was used up")
struct SpentTokenTests {
    private let terminal = WindowFacts(appID: "terminal", lineage: [500, 1], client: 50)

    /// A terminal that the shell launched is in front, and a browser is open behind it.
    private func world() throws -> (CoreWorld, LaunchID) {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "browser", lineage: [400, 1], client: 40))
        let effects = world.act(.launch(command: ["terminal"]))
        let id = try #require(effects.compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }.first)
        world.send(.launched(id, process: 500))
        world.create(2, terminal)
        world.map(2)
        world.wait(20_000)
        return (world, id)
    }

    private func enter(_ world: inout CoreWorld) {
        world.send(.key(code: 28, symbol: .enter, pressed: true, modifiers: []))
        world.send(.key(code: 28, symbol: .enter, pressed: false, modifiers: []))
    }

    @Test(
        "W-19: what a person started in the terminal brings another app forward with the terminal's own token", arguments: [5000.0, 16_000])
    func running(milliseconds: Double) throws {
        var (world, id) = try world()
        enter(&world)
        world.wait(milliseconds)
        world.send(.tokenShownAgain(one, launch: id, usedFor: nil))
        #expect(world.workspace.focus == (milliseconds < 15_000 ? one : WindowID(2)))
        #expect(world.interface.openNames.contains("banner") == (milliseconds > 15_000), "refused, it leaves a trace")
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: the same for the first window of a program that takes seconds to start, also with a token of no launch",
        arguments: [false, true])
    func starting(ofLaunch: Bool) throws {
        var (world, id) = try world()
        enter(&world)
        world.wait(6000)
        world.create(3, WindowFacts(appID: "viewer", lineage: [600, 550, 500, 1], client: 60))
        world.send(.tokenShownAgain(WindowID(3), launch: ofLaunch ? id : nil, usedFor: ofLaunch ? nil : WindowID(2)))
        world.map(3)
        #expect(world.workspace.focus == WindowID(3))
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: the first window of a program that a person starts in the terminal opens without a token, too; its next one does not",
        arguments: [6000.0, 16_000])
    func withoutToken(milliseconds: Double) throws {
        var (world, _) = try world()
        enter(&world)
        world.wait(milliseconds)
        let facts = WindowFacts(appID: "viewer", lineage: [600, 550, 500, 1], client: 60)
        world.create(3, facts)
        world.map(3)
        #expect(world.workspace.focus == WindowID(milliseconds < 15_000 ? 3 : 2))
        world.act(.focus(window: WindowID(2)))
        world.tap(at: Point(300, 400))
        world.wait(6000)
        world.create(4, facts)
        world.map(4)
        #expect(world.place(four) == .waiting && world.workspace.focus == WindowID(2))
        #expect(world.finish() == [])
    }

    @Test("W-19: not while another app is in front, without a press there, or with an invented token", arguments: 0...2)
    func refused(way: Int) throws {
        var (world, id) = try world()
        world.open(3)
        if way == 0 { world.tap(at: Point(300, 400)) } else { world.act(.focus(window: WindowID(2))) }
        if way == 2 { enter(&world) }
        let focus = world.workspace.focus
        world.wait(5000)
        world.send(way == 2 ? .tokenShownAgain(one, launch: nil, usedFor: nil) : .tokenShownAgain(one, launch: id, usedFor: WindowID(2)))
        #expect(world.workspace.focus == focus && world.interface.openNames.contains("banner"))
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: what a person started in the terminal asks another app on the bus to show something: it comes forward, and so does the window that it opens",
        arguments: [5000.0, 16_000])
    func asksOnTheBus(milliseconds: Double) throws {
        var (world, _) = try world()
        let browser = try #require(world.workspace[one]?.facts.lineage.first)
        enter(&world)
        world.wait(milliseconds)
        world.send(.showAsked(of: browser, by: [600, 550, 500, 1]))
        let isAPersons = milliseconds < 15_000
        #expect(world.workspace.focus == (isAPersons ? one : WindowID(2)))
        world.create(3, WindowFacts(appID: "app1", lineage: [browser, 1], client: 40))
        world.map(3)
        #expect(world.workspace.focus == WindowID(isAPersons ? 3 : 2))
        // One call, one window.
        world.create(4, WindowFacts(appID: "app1", lineage: [browser, 1], client: 40))
        world.map(4)
        #expect(world.place(four) == .waiting)
        #expect(world.finish() == [])
    }

    @Test(
        "W-19: a window that came before it was seen who asked comes forward; one from before the press waits on", arguments: [false, true])
    func asksAfterTheWindow(isOld: Bool) throws {
        var (world, _) = try world()
        let browser = try #require(world.workspace[one]?.facts.lineage.first)
        func opens() {
            world.create(3, WindowFacts(appID: "app1", lineage: [browser, 1], client: 40))
            world.map(3)
            #expect(world.place(WindowID(3)) == .waiting)
        }
        if isOld { opens() }
        world.wait(3000)
        enter(&world)
        world.wait(3000)
        if !isOld { opens() }
        world.send(.showAsked(of: browser, by: [600, 550, 500, 1]))
        #expect(world.workspace.focus == (isOld ? one : WindowID(3)))
        world.create(4, WindowFacts(appID: "app1", lineage: [browser, 1], client: 40))
        world.map(4)
        #expect((world.place(four) == .waiting) == !isOld, "one call, one window")
        #expect(world.finish() == [])
    }

    @Test("W-19: the same for an app that the bus starts first, and not for a program that a person did not use")
    func asksOnTheBusElsewhere() throws {
        var (world, _) = try world()
        enter(&world)
        world.send(.showAsked(of: 700, by: [500, 1]))
        #expect(world.workspace.focus == WindowID(2))
        world.wait(4000)
        world.create(3, WindowFacts(appID: "files", lineage: [700, 1], client: 70))
        world.map(3)
        #expect(world.workspace.focus == WindowID(3))
        let browser = try #require(world.workspace[one]?.facts.lineage.first)
        world.send(.showAsked(of: browser, by: [500, 1]))
        #expect(world.workspace.focus == WindowID(3), "the terminal is no longer in front")
        world.send(.showAsked(of: 700, by: [700, 1]))
        world.send(.showAsked(of: 700, by: []))
        #expect(world.workspace.focus == WindowID(3))
        #expect(world.finish() == [])
    }
}
