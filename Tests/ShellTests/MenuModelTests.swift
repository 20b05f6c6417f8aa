import Compositor
import MessageBus
import Testing
import Windows

@testable import Shell

/// Menus in GTK's form become menus of the bar (W-25).
@Suite struct MenuModelTests {
    private func address(_ group: UInt32, _ menu: UInt32) -> MenuModel.Address { .init(group: group, menu: menu) }

    @Test("sections, submenus, states and targets")
    func menus() {
        var model = MenuModel()
        model.take(address(0, 0), [.init(label: "_File", submenu: address(0, 1)), .init(label: "Empty", submenu: address(0, 9))])
        model.take(
            address(0, 1),
            [
                .init(section: address(1, 0)), .init(section: address(1, 1)), .init(label: "_Recent", submenu: address(2, 0)),
            ])
        model.groups = [0]
        #expect(model.missing == [1, 2])
        model.take(address(1, 0), [.init(label: "Save __As", action: "win.save"), .init(label: "Gone", action: "win.gone")])
        model.take(address(1, 1), [.init(label: "Wrap", action: "win.wrap")])
        model.take(
            address(2, 0),
            [
                .init(label: "One", action: "app.recent", target: .text("one")),
                .init(label: "Two", action: "app.recent", target: .text("two")),
            ])
        model.actions = [
            "win.save": .init(isEnabled: true, takes: ""), "win.wrap": .init(isEnabled: false, takes: "", state: .flag(true)),
            "app.recent": .init(isEnabled: true, takes: "s", state: .text("two")),
        ]
        let exported = model.exported(), menus = exported.menus, choices = exported.choices
        #expect(menus.map(\.title) == ["File"])
        let rows = menus[0].rows
        #expect(
            rows.map(\.label) == ["Save _As", "Gone", "", "Wrap", "Recent"] && rows.map(\.isEnabled) == [true, false, true, false, true])
        #expect(rows[2].isSeparator && rows[3].isChecked && rows[4].rows.map(\.isChecked) == [false, true])
        #expect(choices[rows[4].rows[1].number] == .init(action: "app.recent", target: .text("two")))
    }

    @Test("a menu that opens by an action says so, also while it is empty; the same menu once more is left out with its groups")
    func openers() {
        func bar(_ group: UInt32) -> [MenuModel.Item] {
            [
                .init(label: "_File", submenu: address(group, 0), opener: "win.file"),
                .init(label: "Recent", submenu: address(group + 1, 0), opener: "win.recent"),
            ]
        }
        var model = MenuModel()
        model.take(address(0, 0), [.init(section: address(0, 3)), .init(section: address(0, 1))])
        model.take(address(0, 3), [.init(section: address(0, 4))])
        model.take(address(0, 4), bar(12))
        model.take(address(0, 1), bar(5) + [.init(label: "_File", submenu: address(9, 0), opener: "win.other")])
        model.groups = [0]
        #expect(model.missing == [9, 12, 13])
        for group in [5, 9, 12] as [UInt32] {
            model.take(address(group, 0), [.init(label: "Save \(group)", action: "win.save", keys: "<Primary><Shift>s")])
        }
        model.actions = [
            "win.save": .init(isEnabled: true, takes: ""), "win.file": .init(isEnabled: true, takes: "", state: .flag(false)),
            "win.recent": .init(isEnabled: true, takes: "", state: .flag(false)),
            "win.other": .init(isEnabled: true, takes: "", state: .text("x")),
        ]
        let exported = model.exported()
        #expect(exported.menus.map(\.title) == ["File", "Recent", "File"])
        #expect(exported.menus.map { $0.rows.map(\.label) } == [["Save 12"], ["…"], ["Save 9"]])
        #expect(exported.menus[0].rows[0].shortcut == "Ctrl+Shift+S" && exported.menus[1].rows.allSatisfy { !$0.isEnabled })
        #expect(exported.menus.map { exported.openers[$0.number] } == ["win.file", "win.recent", nil])
        // Numbers are of one kind only.
        #expect(Set(exported.openers.keys).isDisjoint(with: exported.choices.keys))
    }

    @Test("items that are hidden without their action, or while it is disabled")
    func hidden() {
        var model = MenuModel()
        model.take(address(0, 0), [.init(label: "File", submenu: address(0, 1))])
        model.take(
            address(0, 1),
            ["action-missing", "action-disabled", "macos-menubar"].flatMap { hidden in
                ["win.on", "win.off", "win.none"].map { MenuModel.Item(label: $0, action: $0, hiddenWhen: hidden) }
            })
        model.actions = ["win.on": .init(isEnabled: true, takes: ""), "win.off": .init(isEnabled: false, takes: "")]
        #expect(model.exported().menus[0].rows.map(\.label) == ["win.on", "win.off", "win.on", "win.on", "win.off", "win.none"])
    }

    @Test(
        "keys of GTK as a person reads them",
        arguments: [
            ("<Primary>s", "Ctrl+S"), ("<Primary><Shift>Return", "Ctrl+Shift+Return"), ("F11", "F11"), ("<Alt>Page_Up", "Alt+Page Up"),
            ("<Primary>plus", "Ctrl++"),
            ("<Control>slash", "Ctrl+/"), ("", ""), ("<Primary>", ""), ("<Wrong>s", ""), ("<Primary", ""),
            ("<Primary>aVeryLongNameOfAKey", ""),
        ])
    func keys(_ accelerator: String, _ shown: String) {
        #expect(AcceleratorName.shown(accelerator) == shown)
    }

    @Test("menus that contain themselves, and floods, have an end")
    func hostile() {
        var model = MenuModel()
        model.take(
            address(0, 0),
            [.init(label: "Loop", submenu: address(0, 0)), .init(section: address(0, 0)), .init(label: "x", action: "app.x")])
        let exported = model.exported(), menus = exported.menus, choices = exported.choices
        #expect(menus.count <= 2000 && choices.count <= MenuModel.mostItems)
        model.take(address(5, 5), Array(repeating: .init(label: "y", action: "app.y"), count: MenuModel.mostItems))
        #expect(model.menus[address(5, 5)] == nil)
        let many = (0..<50).map { MenuModel.Item(section: address(UInt32(1000 + $0), 0)) }
        model.take(address(0, 0), many)
        model.groups = Set((0..<UInt32(MenuModel.mostGroups - 10)))
        #expect(model.missing.count == 10)
        model.groups = Set((0..<200).map(UInt32.init))
        #expect(model.missing == [])
    }

    private func item(_ id: Int32, _ label: String, _ more: [String: BusValue] = [:], _ items: [DBusMenuModel.Item] = [])
        -> DBusMenuModel.Item
    {
        DBusMenuModel.Item(id: id, more.merging(["label": .text(label)]) { first, _ in first }, items)
    }

    @Test("items of Qt: mnemonics, states, keys, separators, and what cannot be seen")
    func dbusMenu() throws {
        var model = DBusMenuModel()
        model.items = [
            item(
                1, "_File", [:],
                [
                    item(2, "_New", ["shortcut": .lists([["Control", "Shift", "N"]])]), item(3, "", ["type": .text("separator")]),
                    item(4, "", ["type": .text("separator")]),
                    item(5, "Hidden", ["visible": .flag(false)]),
                    item(6, "Wrap", ["toggle-type": .text("checkmark"), "toggle-state": .integer(1), "enabled": .flag(false)]),
                    item(7, "Recent", ["children-display": .text("submenu")]), item(8, "Last", ["toggle-state": .integer(1)]),
                    item(9, "", ["type": .text("separator")]),
                ]),
            item(10, "Empty", ["children-display": .text("submenu")]), item(11, "Gone", ["visible": .flag(false)], [item(12, "x")]),
        ]
        let (menus, choices) = model.exported()
        #expect(menus.map(\.title) == ["File"] && menus[0].isOnlyHere)
        let rows = menus[0].rows
        #expect(rows.map(\.label) == ["New", "", "Wrap", "Last"] && rows.map(\.isChecked) == [false, false, true, false])
        #expect(rows.map(\.isEnabled) == [true, true, false, true] && rows[0].shortcut == "Ctrl+Shift+N")
        #expect(choices[rows[0].number] == 2 && choices[rows[3].number] == 8 && choices[menus[0].number] == 1)
        // Menus that are filled when they open are asked for once.
        let asked = [model.takeUnfilled(), model.takeUnfilled()]
        #expect(asked == [[10, 7], []])
        model.items[1].items = [item(13, "Filled")]
        #expect(model.exported().menus.map(\.title) == ["File", "Empty"])
    }

    @Test("of many menus that are filled when they open, those nearer to the bar are asked for first")
    func manyUnfilled() {
        let unfilled: [String: BusValue] = ["children-display": .text("submenu")]
        let deep = (0..<300).map { item(Int32(1000 + $0), "x", unfilled) }
        var model = DBusMenuModel()
        model.items = [item(1, "Tools", unfilled, deep), item(2, "Help", unfilled)]
        let asked = model.takeUnfilled()
        #expect(asked.first == 2 && asked.count == DBusMenuModel.mostAsked)
    }

    @Test("a registration names its window on X11; on Wayland those of a process belong to its windows in their order")
    func registrations() {
        func registration(_ bus: String, _ process: Int32, _ number: UInt32, _ path: String) -> MenuRegistrar.Registration {
            .init(bus: bus, process: process, number: number, path: path)
        }
        func path(_ source: MenuSource?) -> String? { if case .dbusMenu(let path) = source?.form { path } else { nil } }
        var registrar = MenuRegistrar()
        for (bus, process, number, path) in [
            (":1.1", 10, 7, "/b"), (":1.1", 10, 3, "/a"), (":1.2", 20, 400, "/x"), (":1.2", 20, 500, "/y"),
        ] as [(String, Int32, UInt32, String)] {
            let isKnown = registrar.add(registration(bus, process, number, path), of: .program(bus))
            #expect(isKnown)
        }
        let changes = [registrar.takeChange(), registrar.takeChange()]
        #expect(changes == [true, false])
        func sources() -> [WindowID: MenuSource] {
            registrar.sources(for: [
                (WindowID(1), 10, nil), (WindowID(2), 20, 500), (WindowID(3), 10, nil), (WindowID(4), 10, nil), (WindowID(5), 20, 400),
                (WindowID(6), 30, nil),
            ])
        }
        let found = sources()
        #expect((1...6).map { path(found[WindowID($0)]) } == ["/a", "/y", "/b", "/a", "/x", nil])
        registrar.remove(":1.1", 3)
        #expect(path(sources()[WindowID(1)]) == "/b")
        registrar.left(":1.2")
        #expect(sources()[WindowID(2)] == nil)
        for number in 0..<100 { _ = registrar.add(registration(":1.3", 40, UInt32(number), "/z"), of: .program(":1.3")) }
        #expect(registrar.registrations.count { $0.bus == ":1.3" } == 64)
    }
}
