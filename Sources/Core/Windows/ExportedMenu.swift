/// A menu that an app exports for the menu bar (W-25), as its app describes it. No part of it is trusted: `limited` cuts it.
public struct ExportedMenu: Hashable, Codable, Sendable {
    public var title: String
    /// The number by which its adapter knows it; 0: the adapter need not know that it opens.
    public var number: UInt32
    public var rows: [Row]
    /// Whether its app shows it nowhere itself, so that it must be reachable in every idiom.
    public var isOnlyHere: Bool

    public struct Row: Hashable, Codable, Sendable {
        /// The number by which its adapter knows it.
        public var number: UInt32
        public var label: String
        public var isEnabled: Bool
        public var isChecked: Bool
        public var isSeparator: Bool
        /// The sign of one that is switched on and off; nil: it is chosen once.
        public var mark: Mark?
        /// The keys that do the same, as text.
        public var shortcut: String
        /// The menu that it opens; empty if it opens none.
        public var rows: [Row]

        public enum Mark: String, Hashable, Codable, Sendable, CaseIterable {
            case check
            /// One of several.
            case radio
        }

        public init(
            number: UInt32, label: String, isEnabled: Bool = true, isChecked: Bool = false, isSeparator: Bool = false, mark: Mark? = nil,
            shortcut: String = "", rows: [Row] = []
        ) {
            self.number = number
            self.label = label
            self.isEnabled = isEnabled
            self.isChecked = isChecked
            self.isSeparator = isSeparator
            self.mark = mark
            self.shortcut = shortcut
            self.rows = rows
        }

        public static let line = Row(number: 0, label: "", isSeparator: true)
    }

    public init(title: String, number: UInt32 = 0, rows: [Row], isOnlyHere: Bool = false) {
        self.title = title
        self.number = number
        self.isOnlyHere = isOnlyHere
        self.rows = rows
    }

    /// Levels have room of their own, so that a long list in one menu takes nothing from the menus after it.
    static let mostMenus = 16, mostRows = 64, mostOfLevel = 1000, deepest = 4, longest = 80, longestShortcut = 24

    /// The same within the limits of a person's patience and the shell's memory.
    public static func limited(_ menus: [ExportedMenu]) -> [ExportedMenu] {
        var left = [Int](repeating: mostOfLevel, count: deepest)
        func cut(_ label: String) -> String {
            let words = String(label.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
            return words.count > longest ? words.prefix(longest - 1) + "…" : words
        }
        func limited(_ rows: [Row], _ level: Int) -> [Row] {
            guard level < deepest else { return [] }
            var out: [Row] = []
            for row in rows.prefix(min(mostRows, left[level])) {
                left[level] -= 1
                var row = row
                row.label = cut(row.label)
                row.shortcut = row.shortcut.count > longestShortcut ? "" : cut(row.shortcut)
                let opens = !row.rows.isEmpty
                row.rows = limited(row.rows, level + 1)
                // A menu without its rows is no item to choose.
                if opens, row.rows.isEmpty { row.isEnabled = false }
                if row.isSeparator || !row.label.isEmpty { out.append(row) }
            }
            return out
        }
        return menus.prefix(mostMenus).compactMap { menu in
            let title = cut(menu.title), rows = limited(menu.rows, 0)
            return title.isEmpty || rows.isEmpty
                ? nil : ExportedMenu(title: title, number: menu.number, rows: rows, isOnlyHere: menu.isOnlyHere)
        }
    }
}

extension Workspace {
    /// An app exported other menus for a window; empty: it has none any more.
    public mutating func menusChanged(_ id: WindowID, _ new: [ExportedMenu]) {
        guard windows[id] != nil else { return }
        let menus = ExportedMenu.limited(new)
        exported[id] = menus.isEmpty ? nil : menus
    }

    /// The menus that the app of a window exports for it.
    public func exportedMenus(of id: WindowID) -> [ExportedMenu] { exported[id] ?? [] }

    /// Whether the app of a window shows the menus of it nowhere itself, and no bar shows them.
    public func hidesMenus(of id: WindowID) -> Bool { idiom.free.menuBar == 0 && exportedMenus(of: id).contains(where: \.isOnlyHere) }

    /// The numbers of the exported menus that are open while the one with this name in the menu bar is ("own/1/3"), the outermost first.
    /// Menus without a number are left out.
    public func numbersOfMenus(_ name: String, in id: WindowID) -> [UInt32] {
        let path = name.split(separator: "/").dropFirst().map { Int($0) }, menus = exportedMenus(of: id)
        guard name.hasPrefix("own/"), let first = path.first ?? nil, menus.indices.contains(first) else { return [] }
        var numbers = [menus[first].number], rows = menus[first].rows
        for index in path.dropFirst() {
            guard let index, rows.indices.contains(index) else { return [] }
            numbers.append(rows[index].number)
            rows = rows[index].rows
        }
        return numbers.filter { $0 != 0 }
    }

    /// Whether a window's app exported such an item, and it can be chosen.
    public func canChoose(_ number: UInt32, in id: WindowID) -> Bool {
        func has(_ rows: [ExportedMenu.Row]) -> Bool {
            rows.contains { $0.isEnabled && !$0.isSeparator && ($0.rows.isEmpty ? $0.number == number : has($0.rows)) }
        }
        return exportedMenus(of: id).contains { has($0.rows) }
    }
}
