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

    struct Item {
        var label: String?
        /// With its prefix: "win.save".
        var action: String?
        var target: BusValue?
        var section: Address?
        var submenu: Address?
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

    static let mostGroups = 48, mostItems = 1500

    /// The groups that menus name and that are not asked for yet, within the limit.
    var missing: [UInt32] {
        let named = Set(menus.values.joined().flatMap { [$0.section?.group, $0.submenu?.group].compactMap(\.self) })
        return named.subtracting(groups).sorted().prefix(max(0, MenuModel.mostGroups - groups.count)).map(\.self)
    }

    mutating func take(_ address: Address, _ items: [Item]) {
        guard menus.values.reduce(0, { $0 + $1.count }) + items.count <= MenuModel.mostItems else { return }
        menus[address] = items
    }

    /// The menus of the bar, and what each row's number stands for.
    func exported() -> (menus: [ExportedMenu], choices: [UInt32: Choice]) {
        var choices: [UInt32: Choice] = [:], left = MenuModel.mostItems
        func rows(_ address: Address, _ depth: Int) -> [ExportedMenu.Row] {
            guard depth < 8 else { return [] }
            var out: [ExportedMenu.Row] = []
            for item in menus[address] ?? [] where left > 0 {
                left -= 1
                if let section = item.section {
                    let inner = rows(section, depth + 1)
                    if !out.isEmpty, !inner.isEmpty { out.append(.line) }
                    if let title = item.label, !title.isEmpty, !inner.isEmpty { out.append(.init(number: 0, label: MenuModel.plain(title), isEnabled: false)) }
                    out += inner
                } else if let submenu = item.submenu {
                    let inner = rows(submenu, depth + 1)
                    if !inner.isEmpty { out.append(.init(number: 0, label: MenuModel.plain(item.label ?? ""), rows: inner)) }
                } else if let name = item.action, let label = item.label {
                    let action = actions[name], number = UInt32(choices.count + 1)
                    choices[number] = Choice(action: name, target: item.target)
                    let isChecked = action?.state.map { state in item.target.map { $0 == state } ?? (state == .flag(true)) } ?? false
                    out.append(.init(number: number, label: MenuModel.plain(label), isEnabled: action?.isEnabled ?? false, isChecked: isChecked))
                }
            }
            return out
        }
        let bar = rows(Address(group: 0, menu: 0), 0)
        return (bar.compactMap { $0.rows.isEmpty ? nil : ExportedMenu(title: $0.label, rows: $0.rows) }, choices)
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
