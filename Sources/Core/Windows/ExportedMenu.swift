/// A menu that an app exports for the menu bar (W-25), as its app describes it. No part of it is trusted: `limited` cuts it.
public struct ExportedMenu: Hashable, Codable, Sendable {
    public var title: String
    public var rows: [Row]

    public struct Row: Hashable, Codable, Sendable {
        /// The number by which its adapter knows it.
        public var number: UInt32
        public var label: String
        public var isEnabled: Bool
        public var isChecked: Bool
        public var isSeparator: Bool
        /// The menu that it opens; empty if it opens none.
        public var rows: [Row]

        public init(number: UInt32, label: String, isEnabled: Bool = true, isChecked: Bool = false, isSeparator: Bool = false, rows: [Row] = []) {
            self.number = number
            self.label = label
            self.isEnabled = isEnabled
            self.isChecked = isChecked
            self.isSeparator = isSeparator
            self.rows = rows
        }

        public static let line = Row(number: 0, label: "", isSeparator: true)
    }

    public init(title: String, rows: [Row]) {
        self.title = title
        self.rows = rows
    }

    static let mostMenus = 16, mostRows = 64, mostOfAll = 600, deepest = 4, longest = 80

    /// The same within the limits of a person's patience and the shell's memory.
    static func limited(_ menus: [ExportedMenu]) -> [ExportedMenu] {
        var left = mostOfAll
        func cut(_ label: String) -> String {
            let words = String(label.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
            return words.count > longest ? words.prefix(longest - 1) + "…" : words
        }
        func limited(_ rows: [Row], _ depth: Int) -> [Row] {
            var out: [Row] = []
            for row in rows.prefix(mostRows) where left > 0 {
                left -= 1
                var row = row
                row.label = cut(row.label)
                row.rows = depth < deepest ? limited(row.rows, depth + 1) : []
                if row.isSeparator || !row.label.isEmpty { out.append(row) }
            }
            return out
        }
        return menus.prefix(mostMenus).compactMap { menu in
            let title = cut(menu.title), rows = limited(menu.rows, 1)
            return title.isEmpty || rows.isEmpty ? nil : ExportedMenu(title: title, rows: rows)
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

    /// Whether a window's app exported such an item, and it can be chosen.
    public func canChoose(_ number: UInt32, in id: WindowID) -> Bool {
        func has(_ rows: [ExportedMenu.Row]) -> Bool {
            rows.contains { $0.isEnabled && !$0.isSeparator && ($0.rows.isEmpty ? $0.number == number : has($0.rows)) }
        }
        return exportedMenus(of: id).contains { has($0.rows) }
    }
}
