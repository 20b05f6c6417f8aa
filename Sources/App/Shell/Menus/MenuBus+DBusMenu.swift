import Compositor
import MessageBus
import Windows

/// Menus in the form of Qt and KDE: one tree of items.
extension MenuBus {
    static let dbusMenu = DBusMenuRemote.interface

    private func remote(_ source: MenuSource) -> DBusMenuRemote? {
        guard case .dbusMenu(let path) = source.form else { return nil }
        return DBusMenuRemote(link: link, bus: source.bus, path: path)
    }

    func readDBusMenu(_ window: WindowID, _ source: MenuSource) {
        remote(source)?.layout(DBusMenuModel.properties) { [unowned self] answer in
            guard entries[window]?.source == source, let items = (try? answer.get()) ?? nil else { return }
            entries[window]!.layout.items = items
            for id in entries[window]!.layout.takeUnfilled() { fill(window, id) }
            noteNews(of: window)
        }
    }

    /// Asks an app to fill a menu that will be seen. If it says that the menu changed, the menus are read again.
    func fill(_ window: WindowID, _ id: Int32) {
        guard link.isReady, let entry = entries[window], entry.isTrusted else { return }
        remote(entry.source)?.aboutToShow(id) { [unowned self] hasChanged in
            if hasChanged ?? false { entries[window]?.isStale = true }
        }
    }

    /// Says that a menu is open, so that its app may fill it, or no longer.
    func tellDBusMenu(_ window: WindowID, _ entry: Entry, _ id: Int32, isOpen: Bool) {
        if isOpen { fill(window, id) }
        remote(entry.source)?.event(id, isOpen ? "opened" : "closed")
    }

    func chooseDBusMenu(_ entry: Entry, _ id: Int32) { remote(entry.source)?.event(id, "clicked") }
}
