import Compositor
import MessageBus
import Windows

/// Menus in GTK's form: groups of menus, and actions beside them.
extension MenuBus {
    static let menus = "org.gtk.Menus", actions = "org.gtk.Actions"

    func readGTK(_ window: WindowID, _ source: MenuSource) {
        guard case .gtk(_, let app, let win) = source.form else { return }
        entries[window]!.next = MenuModel()
        entries[window]!.reading += 1
        entries[window]!.open = 0
        start(window, [0])
        for (prefix, path) in [("app.", app), ("win.", win)] where !path.isEmpty {
            askPart(of: window, source.bus, path, Self.actions, "DescribeAll", { _ in }) { [unowned self] answer in
                for (name, action) in MenuBus.actions(in: answer) { entries[window]!.next.actions[prefix + name] = action }
            }
        }
    }

    private func start(_ window: WindowID, _ groups: [UInt32]) {
        guard let source = entries[window]?.source, case .gtk(let menuBar, _, _) = source.form, !groups.isEmpty else { return }
        entries[window]!.next.groups.formUnion(groups)
        askPart(
            of: window, source.bus, menuBar, Self.menus, "Start",
            { message in
                message.container(.array, "u") { for group in groups { $0.uint32(group) } }
            }
        ) { [unowned self] answer in
            for (address, items) in MenuBus.menus(in: answer) where groups.contains(address.group) {
                entries[window]!.next.take(address, items)
            }
            start(window, entries[window]!.next.missing)
        }
    }

    /// Asks for a part of the menus. The last part that comes, or does not come in time, makes them the menus of the window.
    private func askPart(
        of window: WindowID, _ bus: String, _ path: String, _ interface: String, _ member: String, _ arguments: (inout Outgoing) -> Void,
        done: @escaping (Incoming) -> Void
    ) {
        let reading = entries[window]!.reading
        entries[window]!.open += 1
        let isMeant = { [unowned self] in entries[window]?.reading == reading }
        ask(
            bus, path, interface, member, arguments, done: { if isMeant() { done($0) } },
            ended: { [unowned self] in
                guard isMeant() else { return }
                entries[window]!.open -= 1
                guard entries[window]!.open == 0 else { return }
                entries[window]!.model = entries[window]!.next
                noteNews(of: window)
            })
    }

    /// Says that a menu is open or no longer: its app fills it, and renews its items, when the state of this action becomes true.
    func tellGTK(_ entry: Entry, _ opener: String, isOpen: Bool) {
        guard let (path, name) = action(opener, of: entry.source) else { return }
        ask(
            entry.source.bus, path, Self.actions, "SetState",
            { message in
                message.string(name)
                message.variant(.flag(isOpen))
                message.container(.array, "{sv}") { _ in }
            })
    }

    /// Where an action with a prefix is.
    private func action(_ action: String, of source: MenuSource) -> (path: String, name: String)? {
        guard case .gtk(_, let app, let win) = source.form else { return nil }
        let prefix = action.prefix(4), path = prefix == "app." ? app : prefix == "win." ? win : ""
        return path.isEmpty ? nil : (path, String(action.dropFirst(4)))
    }

    func chooseGTK(_ entry: Entry, _ choice: MenuModel.Choice) {
        guard let (path, name) = action(choice.action, of: entry.source) else { return }
        let takes = entry.model.actions[choice.action]?.takes ?? ""
        ask(
            entry.source.bus, path, Self.actions, "Activate",
            { message in
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

    private static let limits = BusValue.Limits(text: 1024, entries: 24)

    /// The answer of `Start`: a(uuaa{sv}).
    private static func menus(in answer: Incoming) -> [(MenuModel.Address, [MenuModel.Item])] {
        answer.array(of: "(uuaa{sv})", limit: 1024) {
            answer.structure("uuaa{sv}") {
                guard let group = answer.uint32(), let menu = answer.uint32() else { return nil }
                let items = answer.wholeArray(of: "a{sv}", limit: 256) { answer.table(limits).map(item) } ?? []
                return (MenuModel.Address(group: group, menu: menu), items)
            }
        } ?? []
    }

    private static func item(_ table: [String: BusValue]) -> MenuModel.Item {
        func address(_ key: String) -> MenuModel.Address? {
            if case .pair(let group, let menu) = table[key] { MenuModel.Address(group: group, menu: menu) } else { nil }
        }
        return MenuModel.Item(
            label: table["label"]?.text, action: table["action"]?.text, target: table["target"], section: address(":section"),
            submenu: address(":submenu"),
            opener: table["submenu-action"]?.text, keys: table["accel"]?.text, hiddenWhen: table["hidden-when"]?.text)
    }

    /// The answer of `DescribeAll`: a{s(bgav)}.
    private static func actions(in answer: Incoming) -> [(String, MenuModel.Action)] {
        answer.array(of: "{s(bgav)}", limit: MenuModel.mostActions) {
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
