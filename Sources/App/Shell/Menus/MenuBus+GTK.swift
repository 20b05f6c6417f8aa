import Compositor
import MessageBus
import Windows

/// Menus in GTK's form: groups of menus, and actions beside them.
extension MenuBus {
    static let menus = "org.gtk.Menus", actions = "org.gtk.Actions"

    func readGTK(_ window: WindowID, _ source: MenuSource) {
        guard case .gtk(_, let app, let win) = source.form else { return }
        entries[window]!.model = MenuModel()
        start(window, [0])
        for (prefix, path) in [("app.", app), ("win.", win)] where !path.isEmpty {
            ask(source.bus, path, Self.actions, "DescribeAll", done: { [unowned self] answer in
                guard entries[window] != nil else { return }
                for (name, action) in MenuBus.actions(in: answer) { entries[window]!.model.actions[prefix + name] = action }
                noteNews(of: window)
            })
        }
    }

    private func start(_ window: WindowID, _ groups: [UInt32]) {
        guard let source = entries[window]?.source, case .gtk(let menuBar, _, _) = source.form, !groups.isEmpty else { return }
        entries[window]!.model.groups.formUnion(groups)
        ask(source.bus, menuBar, Self.menus, "Start", { message in
            message.container(.array, "u") { for group in groups { $0.uint32(group) } }
        }) { [unowned self] answer in
            guard entries[window] != nil else { return }
            for (address, items) in MenuBus.menus(in: answer) where groups.contains(address.group) { entries[window]!.model.take(address, items) }
            start(window, entries[window]!.model.missing)
            noteNews(of: window)
        }
    }

    func chooseGTK(_ entry: Entry, _ choice: MenuModel.Choice) {
        guard case .gtk(_, let app, let win) = entry.source.form else { return }
        let (prefix, name) = (choice.action.prefix(4), String(choice.action.dropFirst(4)))
        let path = prefix == "app." ? app : prefix == "win." ? win : ""
        guard !path.isEmpty else { return }
        let takes = entry.model.actions[choice.action]?.takes ?? ""
        ask(entry.source.bus, path, Self.actions, "Activate", { message in
            message.string(name)
            message.container(.array, "v") { array in
                guard let target = choice.target, !takes.isEmpty else { return }
                if takes == "i", let number = target.integer.flatMap({ Int32(exactly: $0) }) {
                    array.container(.variant, "i") { $0.int32(number) }
                } else if ["s", "b", "x", "d"].contains(takes) {
                    array.variant(target)
                }
            }
            message.container(.array, "{sv}") { _ in }
        })
    }

    // MARK: Answers

    private static let limits = BusValue.Limits(text: 256, entries: 24)

    /// The answer of `Start`: a(uuaa{sv}).
    private static func menus(in answer: Incoming) -> [(MenuModel.Address, [MenuModel.Item])] {
        answer.array(of: "(uuaa{sv})", limit: 256) {
            answer.structure("uuaa{sv}") {
                guard let group = answer.uint32(), let menu = answer.uint32() else { return nil }
                let items = answer.wholeArray(of: "a{sv}", limit: 128) { answer.table(limits).map(item) } ?? []
                return (MenuModel.Address(group: group, menu: menu), items)
            }
        } ?? []
    }

    private static func item(_ table: [String: BusValue]) -> MenuModel.Item {
        func address(_ key: String) -> MenuModel.Address? {
            if case .pair(let group, let menu) = table[key] { MenuModel.Address(group: group, menu: menu) } else { nil }
        }
        return MenuModel.Item(
            label: table["label"]?.text, action: table["action"]?.text, target: table["target"], section: address(":section"), submenu: address(":submenu"))
    }

    /// The answer of `DescribeAll`: a{s(bgav)}.
    private static func actions(in answer: Incoming) -> [(String, MenuModel.Action)] {
        answer.array(of: "{s(bgav)}", limit: 512) {
            answer.entry("s(bgav)") {
                guard let name = answer.string() else { return nil }
                let action = answer.structure("bgav") { () -> MenuModel.Action? in
                    guard let isEnabled = answer.bool(), let takes = answer.signature() else { return nil }
                    let states = answer.wholeArray(of: "v", limit: 4) { answer.value(limits) } ?? []
                    return MenuModel.Action(isEnabled: isEnabled, takes: takes, state: states.first)
                }
                return action.map { (name, $0) }
            }
        } ?? []
    }
}
