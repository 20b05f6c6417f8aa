import Callers
import Clocks
import Compositor
import Glibc
import MessageBus
import Windows

/// Reads the menus of windows from the session bus, and activates their items. Every answer comes from an app, and is limited in size
/// and time. It starts no service. As `com.canonical.AppMenu.Registrar` it learns of the menus of Qt's windows.
final class MenuBus: LinkedBus {
    /// The menus of a window changed.
    var onMenus: (WindowID, [ExportedMenu]) -> Void = { _, _ in }
    /// The menus that connections registered changed.
    var onRegistered: () -> Void = {}
    /// The owner whose quota a process uses (P-06).
    var owner: (Int32) -> Owner = { _ in .user }

    enum OpenMenu: Hashable {
        case gtk(opener: String)
        case item(Int32)
    }

    struct Entry {
        var source: MenuSource
        /// The process of the window. A connection of another one is not asked.
        var process: Int32
        var isTrusted = false
        /// Of these, the one of the source's form is used.
        var model = MenuModel()
        /// GTK's menus that are being read. They replace the others when the last question about them has ended, so that a person never
        /// sees half of them, and an open menu stays open.
        var next = MenuModel()
        var reading = 0, open = 0
        var layout = DBusMenuModel()
        var choices: [UInt32: MenuModel.Choice] = [:]
        var openers: [UInt32: String] = [:]
        var items: [UInt32: Int32] = [:]
        /// The menus that are open as their app knows it, the outermost first. By name, because the numbers change with the menus.
        var opened: [OpenMenu] = []
        var watches: [BusWatch] = []
        /// Asked again and again, an app is read at most twice a second.
        var readAt: Int64 = 0
        var isStale = false
    }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    var entries: [WindowID: Entry] = [:]
    private var news: Set<WindowID> = []
    var registrar = MenuRegistrar()

    /// In milliseconds, and in nanoseconds.
    private static let patience: UInt64 = 5000, pause: Int64 = 500_000_000

    var due: Int64? { entries.values.filter(\.isStale).map { $0.readAt + Self.pause }.min() }

    init(address: String) { self.address = address }

    func set(_ window: WindowID, _ source: MenuSource?, process: Int32) {
        if let old = entries[window], old.source == source, old.process == process { return }
        opened(window, [])
        let had = entries.removeValue(forKey: window)
        if let source, process > 0 { entries[window] = Entry(source: source, process: process) }
        if had != nil { news.insert(window) }
        begin(window)
        link.changed()
    }

    func begins(_ bus: BusConnection) { beginRegistrar(bus) }

    func joined() {
        ownRegistrar()
        for window in entries.keys.sorted() { begin(window) }
    }

    func processed() {
        if link.isReady {
            for (window, entry) in entries where entry.isStale && entry.readAt + Self.pause <= Clocks.monotonicNanoseconds { read(window) }
        }
        if registrar.takeChange() { onRegistered() }
        let windows = news.sorted()
        news.removeAll()
        for window in windows { tell(window) }
    }

    func noteNews(of window: WindowID) { news.insert(window) }

    private func tell(_ window: WindowID) {
        guard let entry = entries[window] else { return onMenus(window, []) }
        switch entry.source.form {
        case .gtk:
            let exported = entry.model.exported()
            entries[window]!.choices = exported.choices
            entries[window]!.openers = exported.openers
            onMenus(window, exported.menus)
        case .dbusMenu:
            let (menus, items) = entry.layout.exported()
            entries[window]!.items = items
            onMenus(window, menus)
        }
    }

    func lost() {
        for window in entries.keys {
            entries[window]!.model = MenuModel()
            entries[window]!.reading += 1
            entries[window]!.layout = DBusMenuModel()
            entries[window]!.isTrusted = false
            entries[window]!.opened = []
            entries[window]!.isStale = false
            entries[window]!.watches.removeAll()
            news.insert(window)
        }
        registrar.lost()
    }

    func close() {
        entries.removeAll()
        registrar.lost()
        link.close()
    }

    // MARK: Questions

    func ask(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: (inout Outgoing) -> Void = { _ in },
        done: @escaping (Incoming) -> Void = { _ in }, ended: @escaping () -> Void = {}
    ) {
        link.call(destination, path, interface, member, timeout: Self.patience, starts: false, arguments) {
            if case .success(let answer) = $0 { done(answer) }
            ended()
        }
    }

    /// Asks the bus for the process of a connection.
    func askProcess(of bus: String, done: @escaping (Int32) -> Void) {
        ask(BusLink.bus, "/org/freedesktop/DBus", BusLink.bus, "GetConnectionUnixProcessID", { $0.string(bus) }) {
            if let process = $0.uint32().flatMap({ Int32(exactly: $0) }) { done(process) }
        }
    }

    /// First, whether the connection is that of the window's own process.
    private func begin(_ window: WindowID) {
        guard link.isReady, let source = entries[window]?.source else { return }
        askProcess(of: source.bus) { [unowned self] process in
            if let entry = entries[window], entry.source == source, entry.process == process, !entry.isTrusted { trust(window) }
        }
    }

    private func trust(_ window: WindowID) {
        guard let source = entries[window]?.source else { return }
        entries[window]!.isTrusted = true
        for (path, interface, member) in source.signals where !path.isEmpty {
            if let watch = link.connection?.watch(
                "type='signal',sender='\(source.bus)',path='\(path)',interface='\(interface)',member='\(member)'")
            {
                entries[window]!.watches.append(watch)
            }
        }
        read(window)
    }

    /// Reads all from the beginning.
    private func read(_ window: WindowID) {
        guard link.isReady, let entry = entries[window], entry.isTrusted else { return }
        entries[window]!.isStale = false
        entries[window]!.readAt = Clocks.monotonicNanoseconds
        switch entry.source.form {
        case .gtk: readGTK(window, entry.source)
        case .dbusMenu: readDBusMenu(window, entry.source)
        }
    }

    func choose(_ window: WindowID, _ number: UInt32) {
        guard link.isReady, let entry = entries[window], entry.isTrusted else { return }
        switch entry.source.form {
        case .gtk: if let choice = entry.choices[number] { chooseGTK(entry, choice) }
        case .dbusMenu: if let item = entry.items[number] { chooseDBusMenu(entry, item) }
        }
        link.changed()
    }

    /// These menus of a window are open now, the outermost first. The app hears which menus closed before it hears which opened.
    func opened(_ window: WindowID, _ numbers: [UInt32]) {
        guard link.isReady, let entry = entries[window], entry.isTrusted else { return }
        let open: [OpenMenu] = numbers.compactMap { number in
            switch entry.source.form {
            case .gtk: entry.openers[number].map { .gtk(opener: $0) }
            case .dbusMenu: entry.items[number].map { .item($0) }
            }
        }
        guard open != entry.opened else { return }
        entries[window]!.opened = open
        for menu in entry.opened.reversed() where !open.contains(menu) { tell(window, entry, menu, isOpen: false) }
        for menu in open where !entry.opened.contains(menu) { tell(window, entry, menu, isOpen: true) }
        link.changed()
    }

    private func tell(_ window: WindowID, _ entry: Entry, _ menu: OpenMenu, isOpen: Bool) {
        switch menu {
        case .gtk(let opener): tellGTK(entry, opener, isOpen: isOpen)
        case .item(let id): tellDBusMenu(window, entry, id, isOpen: isOpen)
        }
    }

    // MARK: BusUser

    func signal(_ signal: Incoming) {
        if let (name, owner) = BusLink.ownerChange(signal) {
            if owner.isEmpty { registrar.left(name) }
            return
        }
        let sender = signal.sender, path = signal.path
        for (window, entry) in entries where entry.source.bus == sender && entry.source.signals.contains(where: { $0.path == path }) {
            entries[window]!.isStale = true
        }
    }

    func has(_ path: String, _ interface: String) -> Bool { path == MenuRegistrar.path }
    func method(_ call: Incoming) -> Int32 { registered(call) }
}

extension MenuSource {
    /// The signals that say that the menus changed.
    fileprivate var signals: [(path: String, interface: String, member: String)] {
        switch form {
        case .gtk(let menuBar, let app, let window):
            [(menuBar, MenuBus.menus, "Changed"), (app, MenuBus.actions, "Changed"), (window, MenuBus.actions, "Changed")]
        case .dbusMenu(let path): [(path, MenuBus.dbusMenu, "LayoutUpdated"), (path, MenuBus.dbusMenu, "ItemsPropertiesUpdated")]
        }
    }
}
