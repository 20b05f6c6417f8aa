import MessageBus
import Windows

/// The menus of one window, or of an item of the tray, in the form of Qt and KDE (`com.canonical.dbusmenu`), and their translation for the
/// shell's views.
struct DBusMenuModel {
    struct Item: Hashable {
        var id: Int32
        var label = ""
        var isEnabled = true
        var isVisible = true
        var isSeparator = false
        var isChecked = false
        var mark: ExportedMenu.Row.Mark?
        /// Whether it opens a menu, which may be filled only when it is opened.
        var opens = false
        var shortcut = ""
        /// Whether its menu lies deeper than menus are read.
        var isCut = false
        var items: [Item] = []

        init(id: Int32, _ properties: [String: BusValue], _ items: [Item]) {
            self.id = id
            self.items = items
            label = properties["label"]?.text ?? ""
            isEnabled = properties["enabled"]?.flag ?? true
            isVisible = properties["visible"]?.flag ?? true
            isSeparator = properties["type"]?.text == "separator"
            let toggle = properties["toggle-type"]?.text ?? ""
            mark = toggle.isEmpty ? nil : toggle == "radio" ? .radio : .check
            isChecked = mark != nil && properties["toggle-state"]?.integer == 1
            opens = properties["children-display"]?.text == "submenu" || !items.isEmpty
            shortcut = Item.shortcut(properties["shortcut"]?.lists?.first ?? [])
        }

        /// As people know keys: "Ctrl+Shift+N".
        private static func shortcut(_ keys: [String]) -> String {
            guard keys.count <= 6 else { return "" }
            return keys.map { $0 == "Control" ? "Ctrl" : String($0.prefix(12)) }.joined(separator: "+")
        }
    }

    /// The menus of the bar.
    var items: [Item] = []
    /// The menus without items whose app was asked to fill them.
    private(set) var asked: Set<Int32> = []

    static let properties = ["type", "label", "enabled", "visible", "toggle-type", "toggle-state", "children-display", "shortcut"]
    /// `depth`: of menus below the bar, as the question says it. Levels have room of their own, so that a long list in one menu takes
    /// nothing from the menus after it.
    static let mostOfLevel = 1200, mostInMenu = 256, depth: Int32 = 5, mostAsked = 128

    /// The menus that an app has not filled yet, within the limit, those nearer to the bar first. They count as asked for from now on.
    mutating func takeUnfilled() -> [Int32] {
        var found: [Int32] = [], level = items
        while !level.isEmpty {
            let menus = level.filter { $0.isVisible && $0.opens }
            found += menus.filter { $0.items.isEmpty && !$0.isCut }.map(\.id)
            level = menus.flatMap(\.items)
        }
        let new = found.filter { !asked.contains($0) }.prefix(max(0, DBusMenuModel.mostAsked - asked.count))
        asked.formUnion(new)
        return Array(new)
    }

    /// The rows of one menu, as those of an item of the tray. Their numbers are the ids of the items.
    var rows: [ExportedMenu.Row] { Self.rows(items) { UInt32(bitPattern: $0.id) } }

    private static func rows(_ items: [Item], _ number: (Item) -> UInt32) -> [ExportedMenu.Row] {
        var out: [ExportedMenu.Row] = []
        for item in items where item.isVisible {
            if item.isSeparator {
                if let last = out.last, !last.isSeparator { out.append(.line) }
                continue
            }
            let own = number(item), inner = rows(item.items, number)
            // A menu that stays empty says nothing.
            guard !item.opens || !inner.isEmpty || item.isCut else { continue }
            out.append(
                .init(
                    number: own, label: MenuModel.plain(item.label), isEnabled: item.isEnabled && !item.isCut, isChecked: item.isChecked,
                    mark: item.mark, shortcut: item.shortcut, rows: inner))
        }
        if out.last?.isSeparator ?? false { out.removeLast() }
        return out
    }

    /// The menus of the bar, and the item behind each number.
    func exported() -> (menus: [ExportedMenu], choices: [UInt32: Int32]) {
        var choices: [UInt32: Int32] = [:]
        func number(_ item: Item) -> UInt32 {
            let number = UInt32(choices.count + 1)
            choices[number] = item.id
            return number
        }
        let menus = items.filter { $0.isVisible && !$0.isSeparator }.compactMap { item -> ExportedMenu? in
            let own = number(item), rows = Self.rows(item.items, number)
            // Qt shows no menu bar in a window whose menus it exports.
            return rows.isEmpty ? nil : ExportedMenu(title: MenuModel.plain(item.label), number: own, rows: rows, isOnlyHere: true)
        }
        return (menus, choices)
    }

    // MARK: Answers

    private static let limits = BusValue.Limits(text: 1024, entries: 24)

    /// The answer of `GetLayout`: u(ia{sv}av). nil if it has another form.
    static func items(in answer: Incoming) -> [Item]? {
        guard answer.uint32() != nil else { return nil }
        var left = [Int](repeating: mostOfLevel, count: Int(depth) + 1)
        return answer.whole(.structure, "ia{sv}av") { item(in: answer, 0, &left) }?.items
    }

    /// The rest of a struct that was entered.
    private static func item(in answer: Incoming, _ level: Int, _ left: inout [Int]) -> Item? {
        guard let id = answer.int32(), let properties = answer.table(limits) else { return nil }
        left[level] -= 1
        var room = left
        let below = level + 1, isDeepest = below == left.count
        let items = answer.wholeArray(of: "v", limit: isDeepest ? 0 : min(mostInMenu, max(0, room[below]))) { () -> Item? in
            guard room[below] > 0 else { return nil }
            return answer.whole(.variant, "(ia{sv}av)") { answer.whole(.structure, "ia{sv}av") { item(in: answer, below, &room) } }
        }
        left = room
        var found = Item(id: id, properties, items ?? [])
        found.isCut = isDeepest && found.opens
        return found
    }
}
