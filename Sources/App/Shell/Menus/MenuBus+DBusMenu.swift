import Compositor
import MessageBus
import Windows

/// Menus in the form of Qt and KDE: one tree of items.
extension MenuBus {
    static let dbusMenu = "com.canonical.dbusmenu"

    func readDBusMenu(_ window: WindowID, _ source: MenuSource) {
        guard case .dbusMenu(let path) = source.form else { return }
        ask(
            source.bus, path, Self.dbusMenu, "GetLayout",
            { message in
                message.int32(0)
                message.int32(DBusMenuModel.depth)
                message.texts(DBusMenuModel.properties)
            }
        ) { [unowned self] answer in
            guard entries[window]?.source == source, let items = DBusMenuModel.items(in: answer) else { return }
            entries[window]!.layout.items = items
            for id in entries[window]!.layout.takeUnfilled() { fill(window, id) }
            noteNews(of: window)
        }
    }

    /// Asks an app to fill a menu that will be seen. If it says that the menu changed, the menus are read again.
    func fill(_ window: WindowID, _ id: Int32) {
        guard link.isReady, let entry = entries[window], entry.isTrusted, case .dbusMenu(let path) = entry.source.form else { return }
        ask(entry.source.bus, path, Self.dbusMenu, "AboutToShow", { $0.int32(id) }) { [unowned self] answer in
            if answer.bool() ?? false { entries[window]?.isStale = true }
        }
    }

    /// Says that a menu is open, so that its app may fill it, or no longer.
    func tellDBusMenu(_ window: WindowID, _ entry: Entry, _ id: Int32, isOpen: Bool) {
        if isOpen { fill(window, id) }
        event(entry, id, isOpen ? "opened" : "closed")
    }

    func chooseDBusMenu(_ entry: Entry, _ id: Int32) { event(entry, id, "clicked") }

    private func event(_ entry: Entry, _ id: Int32, _ name: String) {
        guard case .dbusMenu(let path) = entry.source.form else { return }
        ask(
            entry.source.bus, path, Self.dbusMenu, "Event",
            { message in
                message.int32(id)
                message.string(name)
                message.container(.variant, "i") { $0.int32(0) }
                message.uint32(0)
            })
    }
}
