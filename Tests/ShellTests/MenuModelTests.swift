import MessageBus
@testable import Shell
import Testing
import Windows

/// Menus in GTK's form become menus of the bar (W-25).
@Suite struct MenuModelTests {
    private func address(_ group: UInt32, _ menu: UInt32) -> MenuModel.Address { .init(group: group, menu: menu) }

    @Test("sections, submenus, states and targets")
    func menus() {
        var model = MenuModel()
        model.take(address(0, 0), [.init(label: "_File", submenu: address(0, 1)), .init(label: "Empty", submenu: address(0, 9))])
        model.take(address(0, 1), [
            .init(section: address(1, 0)), .init(section: address(1, 1)), .init(label: "_Recent", submenu: address(2, 0)),
        ])
        model.groups = [0]
        #expect(model.missing == [1, 2])
        model.take(address(1, 0), [.init(label: "Save __As", action: "win.save"), .init(label: "Gone", action: "win.gone")])
        model.take(address(1, 1), [.init(label: "Wrap", action: "win.wrap")])
        model.take(address(2, 0), [.init(label: "One", action: "app.recent", target: .text("one")), .init(label: "Two", action: "app.recent", target: .text("two"))])
        model.actions = [
            "win.save": .init(isEnabled: true, takes: ""), "win.wrap": .init(isEnabled: false, takes: "", state: .flag(true)),
            "app.recent": .init(isEnabled: true, takes: "s", state: .text("two")),
        ]
        let (menus, choices) = model.exported()
        #expect(menus.map(\.title) == ["File"])
        let rows = menus[0].rows
        #expect(rows.map(\.label) == ["Save _As", "Gone", "", "Wrap", "Recent"] && rows.map(\.isEnabled) == [true, false, true, false, true])
        #expect(rows[2].isSeparator && rows[3].isChecked && rows[4].rows.map(\.isChecked) == [false, true])
        #expect(choices[rows[4].rows[1].number] == .init(action: "app.recent", target: .text("two")))
    }

    @Test("menus that contain themselves, and floods, have an end")
    func hostile() {
        var model = MenuModel()
        model.take(address(0, 0), [.init(label: "Loop", submenu: address(0, 0)), .init(section: address(0, 0)), .init(label: "x", action: "app.x")])
        let (menus, choices) = model.exported()
        #expect(menus.count <= 2000 && choices.count <= MenuModel.mostItems)
        model.take(address(5, 5), Array(repeating: .init(label: "y", action: "app.y"), count: MenuModel.mostItems))
        #expect(model.menus[address(5, 5)] == nil)
        model.groups = Set((0..<60).map(UInt32.init))
        model.take(address(6, 0), [.init(section: address(200, 0))])
        #expect(model.missing == [])
    }
}
