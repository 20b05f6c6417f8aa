import MessageBus
import Windows

/// The menus of one window in GTK's form (`org.gtk.Menus`, `org.gtk.Actions`), as far as they are known, and what becomes of them for
/// the menu bar.
struct MenuModel {
    /// A menu within a group of menus.
    struct Address: Hashable {
        var group: UInt32
        var menu: UInt32
    }

    struct Item: Hashable {
        var label: String?
        /// With its prefix: "win.save".
        var action: String?
        var target: BusValue?
        var section: Address?
        var submenu: Address?
        /// The action whose state says that the submenu is open ("submenu-action"). Its app may fill the submenu, and renew its items,
        /// only when that becomes true.
        var opener: String?
        /// GTK's name of a key with modifiers: "<Primary>s".
        var keys: String?
        /// When it is not shown: "action-missing" or "action-disabled".
        var hiddenWhen: String?
    }

    struct Action {
        var isEnabled: Bool
        /// The signature of its parameter; empty: it takes none.
        var takes: String
        var state: BusValue?
    }

    /// The effect of choosing an item.
    struct Choice: Hashable {
        var action: String
        var target: BusValue?
    }

    var menus: [Address: [Item]] = [:]
    /// The groups that were asked for.
    var groups: Set<UInt32> = []
    /// By name with prefix.
    var actions: [String: Action] = [:]

    /// An office program has 80 groups, 1000 items and 700 actions.
    static let mostGroups = 160, mostItems = 4000, mostActions = 2048

    /// Sections and menus in each other.
    private static let deepest = 8
    private static let root = Address(group: 0, menu: 0)

    /// The groups that are shown and that are not asked for yet, within the limit, those nearer to the bar first.
    var missing: [UInt32] {
        var depths: [UInt32: Int] = [:], visited: Set<Address> = []
        func visit(_ address: Address, _ depth: Int, _ seen: inout Set<Twin>) {
            guard depth < MenuModel.deepest else { return }
            depths[address.group] = min(depth, depths[address.group] ?? depth)
            guard visited.insert(address).inserted else { return }
            for item in items(of: address, &seen) {
                if let section = item.section {
                    visit(section, depth + 1, &seen)
                } else if let submenu = item.submenu {
                    var inner: Set<Twin> = []
                    visit(submenu, depth + 1, &inner)
                }
            }
        }
        var seen: Set<Twin> = []
        visit(MenuModel.root, 0, &seen)
        let nearest = depths.filter { !groups.contains($0.key) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return nearest.prefix(max(0, MenuModel.mostGroups - groups.count)).map(\.key)
    }

    mutating func take(_ address: Address, _ items: [Item]) {
        guard menus.values.reduce(0, { $0 + $1.count }) + items.count <= MenuModel.mostItems else { return }
        menus[address] = items
    }

    /// Two menus in one that have the same label and are opened by the same action are one menu.
    private struct Twin: Hashable {
        var label: String?
        var opener: String
    }

    /// The items that are shown. LibreOffice adds its whole bar once more whenever a program begins to show menus, before those that it
    /// had added earlier.
    ///
    /// - Parameter seen: of the menu, with all its sections.
    private func items(of address: Address, _ seen: inout Set<Twin>) -> [Item] {
        (menus[address] ?? []).filter { item in
            guard item.submenu != nil, let opener = item.opener else { return true }
            return seen.insert(Twin(label: item.label, opener: opener)).inserted
        }
    }

    private func isHidden(_ item: Item) -> Bool {
        guard let name = item.action ?? item.opener else { return false }
        return switch item.hiddenWhen {
        case "action-missing": actions[name] == nil
        case "action-disabled": !(actions[name]?.isEnabled ?? false)
        default: false
        }
    }

    /// The menus of the bar, and the meanings of their numbers.
    struct Export {
        var menus: [ExportedMenu] = []
        var choices: [UInt32: Choice] = [:]
        /// The actions that say whether a menu is open.
        var openers: [UInt32: String] = [:]
    }

    /// The menus of the bar.
    func exported() -> Export {
        var out = Export(), left = MenuModel.mostItems, last: UInt32 = 0
        func rows(_ address: Address, _ depth: Int, _ seen: inout Set<Twin>) -> [ExportedMenu.Row] {
            guard depth < MenuModel.deepest else { return [] }
            var list: [ExportedMenu.Row] = []
            for item in items(of: address, &seen) where left > 0 && !isHidden(item) {
                left -= 1
                if let section = item.section {
                    let inner = rows(section, depth + 1, &seen)
                    if !list.isEmpty, !inner.isEmpty { list.append(.line) }
                    if let title = item.label, !title.isEmpty, !inner.isEmpty {
                        list.append(.init(number: 0, label: MenuModel.plain(title), isEnabled: false))
                    }
                    list += inner
                } else if let submenu = item.submenu {
                    if let row = menu(item, submenu, depth) { list.append(row) }
                } else if let name = item.action, let label = item.label {
                    let action = actions[name]
                    last += 1
                    out.choices[last] = Choice(action: name, target: item.target)
                    let isChecked = action?.state.map { state in item.target.map { $0 == state } ?? (state == .flag(true)) } ?? false
                    list.append(
                        .init(
                            number: last, label: MenuModel.plain(label), isEnabled: action?.isEnabled ?? false, isChecked: isChecked,
                            shortcut: item.keys.map(AcceleratorName.shown) ?? ""))
                }
            }
            return list
        }
        func menu(_ item: Item, _ submenu: Address, _ depth: Int) -> ExportedMenu.Row? {
            var number: UInt32 = 0, seen: Set<Twin> = []
            let opener = item.opener.flatMap { actions[$0]?.state?.flag == nil ? nil : $0 }
            if let opener {
                last += 1
                number = last
                out.openers[number] = opener
            }
            var inner = rows(submenu, depth + 1, &seen)
            // It may have items as soon as it is open.
            if inner.isEmpty, let opener, actions[opener]?.isEnabled ?? false { inner = [.init(number: 0, label: "…", isEnabled: false)] }
            return inner.isEmpty ? nil : .init(number: number, label: MenuModel.plain(item.label ?? ""), rows: inner)
        }
        var seen: Set<Twin> = []
        let bar = rows(MenuModel.root, 0, &seen)
        out.menus = bar.compactMap { $0.rows.isEmpty ? nil : ExportedMenu(title: $0.label, number: $0.number, rows: $0.rows) }
        return out
    }

    /// A label without the marks of its mnemonics: "_File" is "File", "__" is "_".
    static func plain(_ label: String) -> String {
        var out = "", wasMark = false
        for character in label {
            if character == "_", !wasMark {
                wasMark = true
                continue
            }
            wasMark = false
            out.append(character)
        }
        return out
    }
}
