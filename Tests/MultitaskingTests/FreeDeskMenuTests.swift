import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

extension FreeDeskTests {
    // MARK: The menu bar

    @Test("the menu bar names the app in front, and its menus do what they say, by finger, key and script")
    func menuBar() {
        var world = world()
        let title = world.controls.first { $0.id == "menu-bar/app" }!
        #expect(title.name == .verbatim("App c"))
        world.touch(down: title.frame.center)
        world.lift()
        world.rest()
        #expect(world.interface.openNames == ["menu-bar"])
        world.send(.key(code: 106, symbol: .rightArrow, pressed: true, modifiers: []))
        world.rest()
        use("menu-bar/windows/minimize", &world)
        world.rest()
        #expect(world.place(three) == .minimized && world.interface.openNames == [])
        press("Super+F10", &world)
        world.rest()
        #expect(world.controls.first { $0.id == "menu-bar/app" }?.name == .verbatim("App b"))
        use("menu-bar/app/hide", &world)
        world.rest()
        #expect(world.workspace.shownRoots == [one] && world.finish() == [])
    }

    @Test(
        "X-02: the arrow keys go through the entries of an open menu, and not to the bar", arguments: ["Down", "Up", "Tab"] as [KeyChord])
    func arrowsInMenu(chord: KeyChord) {
        for menu in ["app", "windows"] {
            var world = world()
            world.act(.barMenu(menu))
            world.rest()
            let entries = world.controls.filter { $0.isFocusable && $0.id.area == .menuBar && "\($0.id)".hasPrefix("menu-bar/\(menu)/") }
                .map(\.id)
            #expect(entries.count > 1)
            var visited: [ControlID] = []
            for _ in entries {
                press(chord, &world)
                world.rest()
                guard let focus = world.interface.focus else { return #expect(Bool(false), "\(menu): no focus after \(visited)") }
                visited.append(focus)
            }
            #expect(
                Set(visited).isSubset(of: Set(entries)) && visited.first == (chord == "Up" ? entries.last : entries.first),
                "\(menu): \(visited)")
            #expect(world.finish() == [])
        }
    }

    @Test("an open menu closes with its app, and does not become the next app's", arguments: ["app", "windows"])
    func menuOfAnEndedApp(menu: String) {
        var world = world()
        world.act(.barMenu(menu))
        world.rest()
        #expect(world.interface.openNames == ["menu-bar"])
        world.unmap(three)
        world.rest()
        #expect(world.controls.first { $0.id == "menu-bar/app" }?.name == .verbatim("App b") && world.interface.openNames == [])
        #expect(world.finish() == [])
    }

    @Test("a pull down from the menu bar opens the panels as ever")
    func pull() {
        var world = world()
        world.touch(down: Point(60, 6))
        world.slide(to: Point(64, 200))
        world.lift()
        world.rest()
        #expect(world.interface.isPanelOpen && world.finish() == [])
    }

    @Test("exported menus stand in the bar; choosing an item tells the app; limits hold")
    func exported() {
        var world = world()
        let rows: [ExportedMenu.Row] = [
            .init(number: 1, label: "Open"), .line, .init(number: 2, label: "Save", isEnabled: false),
            .init(number: 0, label: "Recent", rows: [.init(number: 3, label: "A file", isChecked: true)]),
        ]
        world.send(.menusChanged(three, [ExportedMenu(title: "File", rows: rows), ExportedMenu(title: "", rows: rows)]))
        #expect(world.controls.filter { $0.id.area == .menuBar && $0.role == .menu }.map(\.id).contains("menu-bar/own/0"))
        world.act(.barMenu("own/0"))
        world.rest()
        use("menu-bar/own/0/3", &world)
        world.rest()
        #expect(world.interface.openNames == ["menu-bar"])
        world.act(.press(view: "menu-bar/own/0/3/0"))
        #expect(world.effects.last { if case .menus = $0 { true } else { false } } == .menus(.choose(three, 3)))
        #expect(world.act(.chooseMenuItem(window: three, item: 2)) == [.refuse(Refusal("window 3 has no such menu item"))])
        let many = (0..<200).map { ExportedMenu.Row(number: UInt32($0), label: String(repeating: "x", count: 500)) }
        world.send(.menusChanged(three, (0..<40).map { ExportedMenu(title: "\($0)", rows: many) }))
        let menus = world.workspace.exportedMenus(of: three)
        #expect(menus.count <= 16 && menus.allSatisfy { $0.rows.count <= 64 && $0.rows.allSatisfy { $0.label.count <= 80 } })
        world.destroy(three)
        #expect(world.workspace.exportedMenus(of: three) == [] && world.finish() == [])
    }

    @Test("a long list in one menu takes nothing from the menus after it, and a menu without its rows is no item")
    func longMenus() throws {
        var world = world()
        func rows(_ count: Int, _ inner: [ExportedMenu.Row] = []) -> [ExportedMenu.Row] {
            (1...count).map { .init(number: UInt32($0), label: "\($0)", rows: inner) }
        }
        let tools = rows(40, rows(60, rows(20)))
        world.send(.menusChanged(three, [ExportedMenu(title: "Tools", rows: tools), ExportedMenu(title: "Help", rows: rows(8))]))
        let menus = world.workspace.exportedMenus(of: three)
        #expect(menus.map(\.title) == ["Tools", "Help"] && menus.map(\.rows.count) == [40, 8])
        #expect(!menus[0].rows[0].rows.isEmpty && menus[0].rows[0].isEnabled)
        let last = try #require(menus[0].rows.last)
        #expect(last.rows.isEmpty && !last.isEnabled)
        // No depth of menus makes an item of one of them.
        let deep = (0..<8).reduce([ExportedMenu.Row(number: 9, label: "last")]) { inner, _ in [.init(number: 1, label: "x", rows: inner)] }
        world.send(.menusChanged(three, [ExportedMenu(title: "Deep", rows: deep)]))
        #expect(!world.workspace.canChoose(1, in: three) && !world.workspace.canChoose(9, in: three) && world.finish() == [])
    }

    @Test("W-19: a window that an item of an exported menu opens was asked for", arguments: [true, false])
    func windowOfItem(_ isChosen: Bool) {
        var world = world()
        // A person's last touch of the app is long ago.
        world.wait(10_000)
        world.send(.menusChanged(three, [ExportedMenu(title: "File", rows: [.init(number: 1, label: "New Window")])]))
        if isChosen { world.act(.chooseMenuItem(window: three, item: 1)) }
        world.wait(1000)
        world.create(4, WindowFacts(appID: "c", title: "another", client: 3, isBare: true))
        world.map(4)
        world.rest()
        #expect(world.workspace.waiting == (isChosen ? [] : [WindowID(4)]) && world.finish() == [])
    }

    @Test("a menu tells its app that it opens; menus shown nowhere else are reachable where there is no bar")
    func onlyHere() {
        var world = world()
        let rows: [ExportedMenu.Row] = [
            .init(number: 2, label: "Open", shortcut: "Ctrl+O"),
            .init(number: 3, label: "Recent", rows: [.init(number: 4, label: "A file")]),
        ]
        world.send(.menusChanged(three, [ExportedMenu(title: "File", number: 1, rows: rows, isOnlyHere: true)]))
        var seen = 0
        func told() -> [Effect] {
            defer { seen = world.effects.count }
            return world.effects.dropFirst(seen).filter { if case .menus = $0 { true } else { false } }
        }
        #expect(told() == [.menus(.gather(true))])
        world.act(.barMenu("own/0"))
        #expect(told() == [.menus(.open(three, [1]))])
        use("menu-bar/own/0/1", &world)
        #expect(told() == [.menus(.open(three, [1, 3]))])
        world.act(.dismiss)
        #expect(told() == [.menus(.open(three, []))])
        world.act(.idiom("pad"))
        #expect(told() == [.menus(.gather(false))])
        world.rest()
        world.act(.controls(window: three))
        world.rest()
        use("controls/menus", &world)
        world.rest()
        use("menu-bar/own/0", &world)
        world.rest()
        use("menu-bar/own/0/0", &world)
        #expect(
            told() == [.menus(.open(three, [1])), .menus(.choose(three, 2)), .menus(.open(three, []))] && world.interface.openNames == [])
        world.act(.idiom("phone"))
        world.rest()
        world.act(.controlCentre)
        world.rest()
        use("control-centre/menus", &world)
        world.rest()
        #expect(world.controls.contains { $0.id == "menu-bar/own/0" })
        // A menu that its app shows itself needs no place of its own.
        world.send(.menusChanged(three, [ExportedMenu(title: "File", rows: rows)]))
        #expect(world.interface.openNames == [] && world.act(.barMenu()) == [.refuse(Refusal("the idiom phone has no menu bar"))])
        world.act(.idiom("mac"))
        #expect(told() == [.menus(.gather(true))] && world.finish() == [])
    }

    @Test(
        "an app is told that its menu closes however that happens, and of no other window's",
        arguments: ["dismiss", "beside", "choose", "app", "idiom", "gone"])
    func menuCloses(_ how: String) {
        var world = world()
        func menus(_ first: UInt32) -> [ExportedMenu] {
            [
                ExportedMenu(title: "File", number: first, rows: [.init(number: first + 1, label: "Save")]),
                ExportedMenu(title: "Edit", number: first + 2, rows: [.init(number: first + 3, label: "Cut")]),
            ]
        }
        for (window, first) in [(one, 10), (two, 20), (three, 30)] as [(WindowID, UInt32)] {
            world.send(.menusChanged(window, menus(first)))
        }
        world.act(.barMenu("own/0"))
        world.rest()
        // The numbers of a menu may change while it is open.
        world.send(.menusChanged(three, menus(40)))
        var open: [WindowID: [UInt32]] = [:]
        func read() { for effect in world.effects { if case .menus(.open(let window, let numbers)) = effect { open[window] = numbers } } }
        read()
        #expect(open == [three: [40]])
        switch how {
        case "dismiss": world.act(.dismiss)
        case "beside": world.act(.barMenu("own/1"))
        case "choose": world.act(.chooseMenuItem(window: three, item: 41))
        case "app": world.act(.focus(window: one))
        case "idiom": world.act(.idiom("pad"))
        default: world.unmap(three)
        }
        world.rest()
        if how == "choose" { world.act(.dismiss) }
        read()
        #expect(open == [three: how == "beside" ? [42] : []] && world.finish() == [])
    }
}
