import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Tray
import Windows

/// The items of apps in the tray, as a person uses them in each idiom.
@Suite("the tray in the shell's views") struct TrayViewTests {
    private func world(_ idiom: Idiom = .pad, items: Int = 2) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .asked))
        world.open(1)
        for number in 1...max(1, items) where number <= items { world.send(.tray(.item(facts(number)))) }
        world.rest()
        return world
    }

    private func facts(_ number: Int) -> TrayFacts {
        TrayFacts(
            key: ":1.\(number)/item", name: "item", title: number == 1 ? "Chat" : "Item \(number)", icon: "icon\(number)",
            process: Int32(700 + number), hasMenu: true)
    }

    private let rows: [ExportedMenu.Row] = [
        .init(number: 1, label: "Show"), .line, .init(number: 2, label: "Muted", isChecked: true, mark: .check),
        .init(number: 3, label: "Away", mark: .radio), .init(number: 4, label: "Later", isEnabled: false),
        .init(number: 5, label: "More", rows: [.init(number: 6, label: "Quit")]),
    ]

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func effects(_ world: CoreWorld) -> [TrayEffect] {
        world.effects.compactMap { if case .tray(let effect) = $0 { effect } else { nil } }
    }

    @Test("by finger: from the control centre to the page, and an item whose window comes forward", arguments: [Idiom.pad, .phone])
    func opens(idiom: Idiom) throws {
        var world = world(idiom)
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/tray", &world)
        #expect(world.interface.controlPage == .tray)
        #expect(
            control("control-centre/tray/1", world)?.name == .list([.similar("Chat"), .list([.message(.runsWithoutWindow)], ", ")], ", "))
        try tap("control-centre/tray/1", &world)
        #expect(effects(world) == [.open(":1.1/item", ask: 1)] && world.interface.isControlCentreOpen)
        world.send(.tray(.answered(ask: 1, .done)))
        #expect(!world.interface.isControlCentreOpen)
        world.create(2, WindowFacts(appID: "chat", title: "Chat", lineage: [701, 1], client: 7))
        world.map(2)
        #expect(world.workspace.focus == two && world.workspace.waiting.isEmpty, "a person asked for it")
        world.create(3, WindowFacts(appID: "chat", title: "Another", lineage: [701, 1], client: 7))
        world.map(3)
        #expect(world.workspace.waiting == [three], "and for nothing else")
        world.act(.controlPage(.tray))
        world.rest()
        #expect(control("control-centre/tray/1", world)?.name == .similar("Chat"))
        #expect(world.finish() == [])
    }

    @Test("without an item there is no tile, a hidden one has none, and the page says what would be there")
    func empty() throws {
        var world = world(items: 0)
        world.act(.controlCentre)
        world.rest()
        #expect(control("control-centre/tray", world) == nil)
        var hidden = facts(1)
        hidden.state = .passive
        world.send(.tray(.item(hidden)))
        world.rest()
        #expect(control("control-centre/tray", world) == nil)
        world.act(.controlPage(.tray))
        world.rest()
        #expect(world.controls.contains { $0.name == .message(.trayEmpty) })
        hidden.state = .attention
        world.send(.tray(.item(hidden)))
        world.rest()
        #expect(control("control-centre/tray/1", world) != nil)
        #expect(world.finish() == [])
    }

    @Test("the menu is a page: lines, signs, what cannot be chosen, and menus within it; Escape goes back one step at a time")
    func menu() throws {
        var world = world()
        world.act(.controlPage(.tray))
        world.wait(1000)
        try tap("control-centre/tray/1/more", &world)
        #expect(effects(world) == [.readMenu(":1.1/item", ask: 1)])
        #expect(world.controls.contains { $0.name == .message(.trayMenuReading) })
        world.send(.tray(.menu(ask: 1, .rows(rows))))
        world.rest()
        #expect(control("control-centre/tray-menu/2", world)?.role == .toggle && control("control-centre/tray-menu/2", world)!.isChosen)
        #expect(control("control-centre/tray-menu/3", world)?.role == .menuItem && !control("control-centre/tray-menu/3", world)!.isChosen)
        #expect(control("control-centre/tray-menu/4", world)?.press == nil)
        try tap("control-centre/tray-menu/5", &world)
        #expect(world.interface.trayPath == [5] && effects(world).last == .menusOpen(":1.1/item", [5]))
        #expect(control("control-centre/tray-menu/5-0", world)?.name == .similar("Quit"))
        world.act(.dismiss)
        #expect(world.interface.trayPath == [] && world.interface.controlPage == .trayMenu)
        #expect(effects(world).last == .menusOpen(":1.1/item", []))
        try tap("control-centre/tray-menu/2", &world)
        #expect(effects(world).last == .press(":1.1/item", entry: 2) && world.interface.controlPage == .trayMenu)
        world.act(.dismiss)
        #expect(world.interface.controlPage == .tray && effects(world).last == .closeMenu(":1.1/item"))
        #expect(world.system.tray.menu == nil)
        world.act(.tray(.menu(2)))
        world.send(.tray(.menu(ask: 2, .rows(rows))))
        world.rest()
        try tap("control-centre/tray-menu/0", &world)
        #expect(effects(world).contains(.press(":1.2/item", entry: 1)) && effects(world).last == .closeMenu(":1.2/item"))
        #expect(!world.interface.isControlCentreOpen)
        #expect(world.finish() == [])
    }

    @Test("an app that does not answer: the page says so and offers another try; one that goes takes its page along")
    func silent() throws {
        var world = world()
        world.act(.tray(.menu(1)))
        world.send(.tray(.menu(ask: 1, .silent)))
        world.rest()
        #expect(world.controls.contains { $0.name == .message(.trayItemSilent, ["Chat"]) })
        try tap("control-centre/tray-menu/again", &world)
        #expect(effects(world).last == .readMenu(":1.1/item", ask: 2))
        world.send(.tray(.gone(":1.1/item")))
        world.rest()
        #expect(world.interface.controlPage == .tray && control("control-centre/tray/2", world) != nil)
        world.act(.controlCentre)
        world.rest()
        world.act(.tray(.open(2)))
        world.send(.tray(.answered(ask: 3, .silent)))
        world.rest()
        #expect(world.interface.isControlCentreOpen && world.controls.contains { $0.name == .message(.trayItemSilent, ["Item 2"]) })
        #expect(world.finish() == [])
    }

    @Test("W-25: on the mac the icons stand in the menu bar, before the symbols at its end, and never over the menus of an app")
    func bar() throws {
        var world = CoreWorld(idiom: .mac, preferences: Preferences(newWindows: .always))
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.open(1)
        for number in 1...16 { world.send(.tray(.item(facts(number)))) }
        world.rest()
        let icons = world.controls.filter { "\($0.id)".hasPrefix("menu-bar/tray/") }
        let search = try #require(control("menu-bar/search", world)), title = try #require(control("menu-bar/windows", world))
        #expect(icons.count >= 4 && icons.count < 16)
        #expect(icons.allSatisfy { $0.frame.maxX <= search.frame.minX + 1 && $0.frame.minX >= title.frame.maxX - 1 })
        #expect(icons[0].name == .similar("Chat") && icons[0].menu == .tray(.menu(1)))
        try tap("menu-bar/tray/1", &world)
        #expect(effects(world).last == .open(":1.1/item", ask: 1))
        world.send(.tray(.answered(ask: 1, .refused)))
        world.rest()
        #expect(world.interface.isControlCentreOpen && world.interface.controlPage == .trayMenu)
        #expect(world.finish() == [])
    }

    @Test(
        "every idiom reaches every item by the arrow keys or a finger", arguments: Idiom.all.filter { $0.offers.contains(.controlCentre) })
    func idioms(idiom: Idiom) {
        var world = world(idiom, items: 9)
        world.act(.controlPage(.tray))
        world.rest()
        #expect(world.controls.contains { $0.id == "control-centre/tray/1" && $0.press == .tray(.open(1)) }, "\(idiom.name)")
        #expect(world.finish() == [])
    }

    @Test("a locked session opens nothing, and keeps the items for later")
    func locked() {
        var world = world()
        world.act(.tray(.menu(1)))
        world.send(.tray(.menu(ask: 1, .rows(rows))))
        world.lock()
        #expect(world.system.tray.menu == nil && effects(world).last == .closeMenu(":1.1/item"))
        #expect(world.act(.tray(.open(1))).refusals == [WhileLocked.refusal])
        world.send(.tray(.item(facts(3))))
        world.unlock()
        #expect(world.system.tray.items.count == 3 && world.finish() == [])
    }
}
