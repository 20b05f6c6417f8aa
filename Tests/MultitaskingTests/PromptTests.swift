import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("W-19: prompts come in front")
struct PromptTests {
    /// A terminal in which a person typed a while ago.
    private func terminal(preferences: Preferences = Preferences()) -> CoreWorld {
        var world = CoreWorld(preferences: preferences)
        world.open(1, WindowFacts(appID: "foot", lineage: [101, 50, 1], client: 1))
        world.wait(5000)
        return world
    }

    private func prompt(_ name: String, _ world: inout CoreWorld, _ raw: UInt32 = 2, lineage: [Int32] = [900, 1]) {
        world.create(raw, WindowFacts(appID: name, lineage: lineage, client: UInt64(raw)))
        world.map(raw)
    }

    @Test(
        "a known prompt stands over the active window with the keys, and the focus returns",
        arguments: ["gcr-prompter", "Pinentry-gtk-2", "org.gnupg.pinentry-qt"])
    func known(name: String) {
        var world = terminal()
        prompt(name, &world)
        #expect(world.place(two) == .dialog(of: one))
        #expect(world.workspace.focus == two && world.system.keyboard == .window(two))
        #expect(world.workspace.waiting.isEmpty)
        world.send(.windowUnmapped(two))
        #expect(world.workspace.focus == one && world.system.keyboard == .window(one))
        #expect(world.finish() == [])
    }

    @Test("it stands over the window whose program asked, and the focus returns to the other one")
    func asker() {
        var world = terminal()
        world.open(3, WindowFacts(appID: "editor", lineage: [300, 1], client: 3), to: .splitView(.right))
        world.act(.focus(window: WindowID(3)))
        world.wait(5000)
        prompt("gcr-prompter", &world, lineage: [900, 101, 50, 1])
        #expect(world.place(two) == .dialog(of: one) && world.workspace.focus == two)
        world.send(.windowUnmapped(two))
        #expect(world.workspace.focus == WindowID(3))
        #expect(world.finish() == [])
    }

    @Test("over the home screen it has the screen, and the home screen returns")
    func home() {
        var world = terminal()
        world.act(.home)
        prompt("gcr-prompter", &world)
        #expect(world.workspace.focus == two && world.workspace.isShown(two))
        world.send(.windowUnmapped(two))
        #expect(world.workspace.isHome && world.workspace.focus == nil)
        #expect(world.finish() == [])
    }

    @Test("a prompt that the window in front names as its parent does not stand on that window")
    func circle() {
        var world = CoreWorld()
        world.create(1, WindowFacts(appID: "foot", lineage: [101, 50, 1], client: 1, isX11: true))
        world.create(2, WindowFacts(appID: "gcr-prompter", lineage: [900, 1], client: 2))
        world.map(1)
        world.rename(
            one,
            {
                var facts = world.clients[one]!.facts
                facts.parent = two
                return facts
            }())
        world.map(2)
        #expect(world.workspace.isShown(two) && world.finish() == [])
        world.open(3, WindowFacts(appID: "foot", lineage: [101, 50, 1], client: 1, parent: one))
        world.send(.windowUnmapped(two))
        #expect(world.workspace[one]?.isMapped == true && world.finish() == [])
    }

    @Test("an open view of the shell closes for it")
    func overView() {
        var world = terminal()
        world.act(.appSwitcher)
        prompt("gcr-prompter", &world)
        #expect(world.system.keyboard == .window(two) && !world.interface.isOverviewOpen)
        var panel = terminal()
        panel.act(.controlCentre)
        prompt("gcr-prompter", &panel)
        #expect(panel.system.keyboard == .window(two) && !panel.interface.isPanelOpen)
        #expect(world.finish() == [] && panel.finish() == [])
    }

    @Test("keys that were on their way to the app below are dropped, and held ones are not the prompt's")
    func keys() {
        var world = terminal()
        func effects(_ world: inout CoreWorld, _ code: UInt32) -> [Effect] {
            world.send(.key(code: code, symbol: KeySymbol(rawValue: 0x61), pressed: true, modifiers: [], text: "a"))
        }
        #expect(!effects(&world, 30).contains(.swallowKey))
        let count = world.effects.count
        prompt("gcr-prompter", &world)
        let coming = Array(world.effects.dropFirst(count))
        let drops = coming.firstIndex(of: .client(.dropHeldKeys)), gives = coming.firstIndex(of: .keyboardFocus(.window(two)))
        #expect(drops != nil && gives != nil && drops! < gives!)
        world.wait(100)
        #expect(effects(&world, 31).contains(.swallowKey))
        world.wait(200)
        #expect(!effects(&world, 32).contains(.swallowKey))
    }

    @Test("a dialog of a helper that the app in front started is one; other windows of it are not")
    func helper() {
        var world = terminal()
        world.create(2, WindowFacts(appID: "helper", lineage: [102, 101, 50, 1], client: 2, isModal: true))
        world.map(2)
        #expect(world.place(two) == .dialog(of: one) && world.workspace.focus == two)
        world.create(3, WindowFacts(appID: "helper2", lineage: [103, 101, 50, 1], client: 3))
        world.map(3)
        #expect(world.place(WindowID(3)) == .waiting)
        #expect(world.finish() == [])
    }

    @Test("a helper with a desktop entry, of another app, or a sandboxed app is none")
    func others() {
        var world = terminal()
        world.send(.appsChanged([App(id: "helper", name: "Helper", command: ["helper"])]))
        world.create(2, WindowFacts(appID: "helper", lineage: [102, 101, 50, 1], client: 2, isModal: true))
        world.map(2)
        world.create(3, WindowFacts(appID: "stray", lineage: [300, 1], client: 3, isModal: true))
        world.map(3)
        world.create(4, WindowFacts(appID: "gcr-prompter", lineage: [400, 1], client: 4, sandbox: .container(7)))
        world.map(4)
        #expect(world.workspace.waiting == [two, WindowID(3), four])
        #expect(world.workspace.focus == one)
    }

    @Test("the configuration adds to the known ones, and a fifth prompt waits")
    func more() {
        var world = terminal()
        var preferences = Preferences()
        preferences.prompts = ["Org.Example.Ask"]
        prompt("org.example.ask", &world)
        #expect(world.place(two) == .waiting)
        world.send(.configured(preferences))
        for raw in 3...7 as ClosedRange<UInt32> { prompt("org.example.ask", &world, raw) }
        #expect(world.workspace.waiting == [two, WindowID(7)])
        #expect(world.workspace.focus == WindowID(6))
        #expect(world.finish() == [])
    }

    // MARK: Programs that are just starting

    private func starts(_ world: inout CoreWorld) throws -> LaunchID {
        let ids = world.act(.launch(command: ["browser"])).compactMap { if case .program(.launch(let id, _, _)) = $0 { id } else { nil } }
        let id = try #require(ids.first)
        world.send(.launched(id, process: 700))
        return id
    }

    @Test(
        "a prompt of a program that is just starting stands over that one's window when it comes, with the keys", arguments: [false, true],
        [false, true])
    func starting(isHome: Bool, hasToken: Bool) throws {
        var world = terminal()
        if isHome { world.act(.home) }
        let launch = try starts(&world)
        prompt("gcr-prompter", &world)
        world.wait(3000)
        world.create(3, WindowFacts(appID: "browser", lineage: [700, 1], client: 3))
        if hasToken { world.send(.activationAsked(WindowID(3), hasRecentSerial: false, launch: launch)) }
        world.map(3)
        #expect(world.workspace.isShown(two) && world.workspace.isShown(WindowID(3)))
        #expect(world.place(two) == .dialog(of: WindowID(3)) && world.system.keyboard == .window(two))
        world.send(.windowUnmapped(two))
        #expect(world.system.keyboard == .window(WindowID(3)) && !world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("an app that brings an older window forward covers no prompt either")
    func olderWindow() {
        var world = terminal()
        world.open(3, WindowFacts(appID: "browser", lineage: [700, 1], client: 3))
        world.act(.focus(window: one))
        world.wait(5000)
        prompt("gcr-prompter", &world)
        world.send(.activationAsked(WindowID(3), hasRecentSerial: true, launch: nil))
        #expect(world.place(two) == .dialog(of: WindowID(3)) && world.system.keyboard == .window(two))
        #expect(world.finish() == [])
    }

    @Test("a person who goes elsewhere leaves a prompt behind, and it is not frozen there")
    func elsewhere() {
        var world = terminal()
        world.open(3)
        world.act(.focus(window: one))
        world.wait(5000)
        prompt("gcr-prompter", &world)
        world.act(.focus(window: WindowID(3)))
        world.wait(60_000)
        #expect(!world.workspace.isShown(two) && world.workspace[two]?.isSuspended == false)
        #expect(world.workspace[one]?.isSuspended == true)
        #expect(world.finish() == [])
    }

    @Test(
        "a prompt does not come back after a restart, neither over the home screen nor over an app, nor from an older store",
        arguments: [false, true])
    func restart(isHome: Bool) {
        var world = terminal()
        if isHome { world.act(.home) }
        prompt("gcr-prompter", &world)
        world.send(.programKnown(AppProcess(900), command: ["gcr-prompter"], directory: nil, started: 5))
        world.send(.programKnown(AppProcess(101), command: ["foot"], directory: nil, started: 5))
        var kept = world.system.kept
        #expect(kept.windows.map(\.appID) == ["foot"])
        kept.windows[0].appID = "gcr-prompter"
        var next = CoreWorld()
        next.send(.restored(kept, first: WindowID(50)))
        #expect(next.workspace.windows.isEmpty && next.finish() == [])
    }

    @Test("a prompt over the picture of a window that comes back stays in front when the window itself comes")
    func overPlaceholder() throws {
        var world = terminal()
        world.send(.programKnown(AppProcess(101), command: ["foot"], directory: nil, started: 5))
        var kept = world.system.kept
        kept.windows[0].process = nil
        var next = CoreWorld()
        let start = try #require(relaunches(next.send(.restored(kept, first: WindowID(50)))).first)
        next.send(.launched(start.id, process: 700))
        prompt("gcr-prompter", &next)
        #expect(next.place(two) == .dialog(of: WindowID(50)))
        next.create(3, WindowFacts(appID: "foot", lineage: [700, 1], client: 3))
        next.map(3)
        #expect(next.place(two) == .dialog(of: WindowID(3)) && next.system.keyboard == .window(two))
        next.send(.windowUnmapped(two))
        #expect(next.system.keyboard == .window(WindowID(3)) && next.finish() == [])
    }
}
