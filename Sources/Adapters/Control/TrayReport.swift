import Interface
import Multitasking
import Tray
import Windows

/// Answer to `get tray`: the items that apps keep in the tray, and the menu that is open.
public struct TrayReport: Codable, Hashable, Sendable {
    public var items: [Item]
    /// The menu that a person opened; missing: none is open.
    public var menu: Menu?

    public struct Item: Codable, Hashable, Sendable {
        /// Its number for `tray`.
        public var id: UInt32
        public var name: String
        public var title: String
        public var tooltip: String
        /// "passive", "active" or "attention". A person sees no passive one.
        public var state: TrayFacts.State
        /// The name of an icon of the theme, or the path of a file; missing: it has none.
        public var icon: String?
        /// The id of its app, and the process; missing: not known.
        public var app: String?
        public var process: Int32?
        public var hasMenu: Bool
        /// Whether a press shows its menu.
        public var isMenu: Bool

        init(_ item: TrayItem) {
            id = item.id
            name = item.facts.name
            title = item.title
            tooltip = item.facts.tooltip
            state = item.facts.state
            icon = item.facts.icon
            app = item.facts.app.isEmpty ? nil : item.facts.app
            process = item.facts.process
            hasMenu = item.facts.hasMenu
            isMenu = item.facts.isMenu
        }
    }

    public struct Menu: Codable, Hashable, Sendable {
        /// The item whose menu it is.
        public var item: UInt32
        /// "reading", "rows", "silent" or "none".
        public var state: String
        public var rows: [Row]?
    }

    public struct Row: Codable, Hashable, Sendable {
        /// Its number for `tray press`.
        public var entry: Int32
        public var label: String
        public var isEnabled: Bool
        /// Whether it is switched on; missing: it is no switch.
        public var isChecked: Bool?
        /// A menu within the menu; missing: none.
        public var rows: [Row]?

        /// A line has no row.
        static func all(_ rows: [ExportedMenu.Row]) -> [Row] {
            rows.filter { !$0.isSeparator }.map { row in
                Row(
                    entry: Int32(bitPattern: row.number), label: row.label, isEnabled: row.isEnabled,
                    isChecked: row.mark == nil ? nil : row.isChecked, rows: row.rows.isEmpty ? nil : all(row.rows))
            }
        }
    }

    public init(_ tray: Tray) {
        items = tray.items.map(Item.init)
        menu = tray.menu.map { menu in
            switch menu.content {
            case .reading: Menu(item: menu.item, state: "reading")
            case .silent: Menu(item: menu.item, state: "silent")
            case .none: Menu(item: menu.item, state: "none")
            case .rows(let rows): Menu(item: menu.item, state: "rows", rows: Row.all(rows))
            }
        }
    }
}
