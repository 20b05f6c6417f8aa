/// An act of a person on an item of the tray, by the number of the item.
public enum TrayAct: Hashable, Codable, Sendable {
    /// Asks its app to come forward, or shows its menu if it has nothing else.
    case open(UInt32)
    /// Shows its menu.
    case menu(UInt32)
    /// Shows a menu within its menu: the places of the rows that open it, the outermost first.
    case submenu(UInt32, path: [Int])
    /// Chooses an entry of its menu, by the number of the entry.
    case press(UInt32, entry: Int32)
}
