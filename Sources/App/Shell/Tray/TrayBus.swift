import Clocks
import Compositor
import MessageBus
import Tray

/// Reads the items of the tray from the session bus, asks their apps to come forward, and reads the menu that a person opened. Every
/// answer comes from an app, and is limited in size and time. It starts no service.
///
/// An item is read at most once a second. Between a signal of it and the next look the bus delivers no more of its signals, so that an app
/// which changes its icon a thousand times a second wakes the shell once.
final class TrayBus: LinkedBus {
    /// An app tells this of an item.
    var onWords: (String, TrayWords) -> Void = { _, _ in }
    var onAnswered: (UInt64, Tray.Answer) -> Void = { _, _ in }
    var onMenu: (UInt64, Tray.Content) -> Void = { _, _ in }
    /// For troubleshooting.
    var onNote: (String) -> Void = { _ in }
    /// Whether the app of an item runs, so that it can answer. A frozen one is asked when it runs again.
    var mayAsk: (String) -> Bool = { _ in true }
    /// A token with which the app that gets it brings its window forward.
    var token: () -> String? = { nil }

    private struct Item {
        let bus: String, path: String
        var watch: BusWatch?
        var readAt: Int64 = 0
        var isStale = true, isReading = false, isKnown = false
        /// How often it did not answer while nothing of it was known.
        var failures = 0
        var menu: String?
        var open: OpenMenu?
    }

    private struct OpenMenu {
        var ask: UInt64
        var layout = DBusMenuModel()
        var hasRows = false
        /// The menus within it that the app knows to be open.
        var opened: [Int32] = []
        var watches: [BusWatch] = []
        var readAt: Int64 = 0
        var isStale = true, isReading = false
    }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private var items: [String: Item] = [:]

    static let interface = "org.kde.StatusNotifierItem"
    /// In nanoseconds: between two looks at an item, and at a menu.
    private static let pause: Int64 = 1_000_000_000, menuPause: Int64 = 500_000_000
    private static let patience: UInt64 = 5000
    private static let mostFailures = 4

    init(address: String) { self.address = address }

    func add(_ key: String, _ bus: String, _ path: String) {
        guard items[key] == nil else { return }
        items[key] = Item(bus: bus, path: path)
        look()
    }

    func remove(_ key: String) {
        if items.removeValue(forKey: key) != nil { link.changed() }
    }

    func close() {
        items.removeAll()
        link.close()
    }

    /// An app that was frozen may run again.
    var hasStale: Bool { items.values.contains { $0.isStale } }

    // MARK: The link

    var due: Int64? {
        guard link.isReady else { return nil }
        var times: [Int64] = []
        for (key, item) in items {
            if item.isStale, !item.isReading, mayAsk(key) { times.append(item.readAt + Self.pause) }
            if let open = item.open, open.isStale, !open.isReading { times.append(open.readAt + Self.menuPause) }
        }
        return times.min()
    }

    func joined() { look() }

    func processed() { look() }

    func lost() {
        for key in items.keys {
            items[key]!.watch = nil
            items[key]!.open = nil
            (items[key]!.isStale, items[key]!.isReading) = (true, false)
        }
    }

    func signal(_ signal: Incoming) {
        let sender = signal.sender, path = signal.path
        for (key, item) in items where item.bus == sender {
            if item.path == path { items[key]!.isStale = true }
            if item.menu == path { items[key]!.open?.isStale = true }
        }
    }

    /// Reads what is due, and hears no more of what is to be read later.
    func look() {
        defer { link.changed() }
        guard link.isReady else { return }
        let now = Clocks.monotonicNanoseconds
        for (key, item) in items {
            if item.isStale {
                if item.watch != nil { items[key]!.watch = nil }
                if !item.isReading, item.readAt == 0 || item.readAt + Self.pause <= now, mayAsk(key) { read(key, now) }
            }
            if let open = item.open, open.isStale {
                if !open.watches.isEmpty { items[key]!.open!.watches = [] }
                if !open.isReading, open.readAt == 0 || open.readAt + Self.menuPause <= now { readMenu(key, now) }
            }
        }
    }

    private func read(_ key: String, _ now: Int64) {
        guard let item = items[key] else { return }
        (items[key]!.isStale, items[key]!.isReading, items[key]!.readAt) = (false, true, now)
        // Before it is read, so that no change in between is lost.
        items[key]!.watch = link.connection?.watch(
            "type='signal',sender='\(item.bus)',path='\(item.path)',interface='\(Self.interface)'")
        call(item, "org.freedesktop.DBus.Properties", "GetAll", { $0.string(Self.interface) }) { [unowned self] answer in
            guard items[key] != nil else { return }
            items[key]!.isReading = false
            switch answer {
            case .success(let message):
                guard let words = TrayWords(message) else { return onNote("\(key) in the tray tells something else than its properties") }
                if let trouble = words.trouble { onNote("\(key) in the tray: \(trouble)") }
                items[key]!.isKnown = true
                items[key]!.failures = 0
                if items[key]!.menu != words.menu { items[key]!.menu = words.menu }
                onWords(key, words)
            case .failure(let error):
                onNote("\(key) in the tray does not tell what it is: \(error.text)")
                items[key]!.failures += 1
                // It may not be ready yet, or be busy.
                if items[key]!.failures < Self.mostFailures { items[key]!.isStale = true }
            }
        }
    }

    private func call(
        _ item: Item, _ interface: String, _ member: String, _ arguments: (inout Outgoing) -> Void,
        done: @escaping (Result<Incoming, BusError>) -> Void = { _ in }
    ) {
        link.call(item.bus, item.path, interface, member, timeout: Self.patience, starts: false, arguments, done: done)
    }

    // MARK: A person's acts

    /// "Activate" or "ContextMenu".
    func ask(_ key: String, _ member: String, _ ask: UInt64) {
        guard link.isReady, let item = items[key] else { return onAnswered(ask, .silent) }
        giveToken(item)
        call(
            item, Self.interface, member,
            {
                $0.int32(0)
                $0.int32(0)
            }
        ) { [unowned self] answer in
            switch answer {
            case .success: onAnswered(ask, .done)
            case .failure(let error): onAnswered(ask, error.isSilence ? .silent : .refused)
            }
        }
        link.changed()
    }

    private func giveToken(_ item: Item) {
        if let token = token() { call(item, Self.interface, "ProvideXdgActivationToken", { $0.string(token) }) }
    }

    // MARK: Menus

    private func remote(_ key: String) -> DBusMenuRemote? {
        guard link.isReady, let item = items[key], let menu = item.menu else { return nil }
        return DBusMenuRemote(link: link, bus: item.bus, path: menu)
    }

    func openMenu(_ key: String, _ ask: UInt64) {
        guard let remote = remote(key) else { return onMenu(ask, items[key]?.menu == nil ? .none : .silent) }
        closeMenu(key)
        items[key]!.open = OpenMenu(ask: ask)
        remote.event(0, "opened")
        fill(key, 0)
        look()
    }

    func closeMenu(_ key: String) {
        guard let open = items[key]?.open, let remote = remote(key) else { return }
        for id in open.opened.reversed() + [0] { remote.event(id, "closed") }
        items[key]!.open = nil
        link.changed()
    }

    /// The app hears which menus closed before it hears which opened.
    func menusOpen(_ key: String, _ ids: [Int32]) {
        guard let open = items[key]?.open, let remote = remote(key) else { return }
        items[key]!.open!.opened = ids
        for id in open.opened.reversed() where !ids.contains(id) { remote.event(id, "closed") }
        for id in ids where !open.opened.contains(id) {
            remote.event(id, "opened")
            fill(key, id)
        }
        link.changed()
    }

    func press(_ key: String, _ entry: Int32) {
        guard let item = items[key], let remote = remote(key) else { return }
        giveToken(item)
        remote.event(entry, "clicked")
        items[key]!.open?.isStale = true
        link.changed()
    }

    /// Has the app fill a menu, and reads it again, because apps say that nothing changed after they have filled it.
    private func fill(_ key: String, _ id: Int32) {
        guard let ask = items[key]?.open?.ask else { return }
        remote(key)?.aboutToShow(id) { [unowned self] hasChanged in
            guard hasChanged != nil, items[key]?.open?.ask == ask else { return }
            items[key]!.open!.isStale = true
        }
    }

    private func readMenu(_ key: String, _ now: Int64) {
        guard let remote = remote(key), let ask = items[key]?.open?.ask else { return }
        (items[key]!.open!.isStale, items[key]!.open!.isReading, items[key]!.open!.readAt) = (false, true, now)
        items[key]!.open!.watches = ["LayoutUpdated", "ItemsPropertiesUpdated"].compactMap { member in
            link.connection?.watch(
                "type='signal',sender='\(remote.bus)',path='\(remote.path)',interface='\(DBusMenuRemote.interface)',member='\(member)'")
        }
        remote.layout([]) { [unowned self] answer in
            guard items[key]?.open?.ask == ask else { return }
            items[key]!.open!.isReading = false
            switch answer {
            case .success(let layout):
                items[key]!.open!.layout.items = layout ?? []
                for id in items[key]!.open!.layout.takeUnfilled() { fill(key, id) }
                items[key]!.open!.hasRows = true
                onMenu(ask, .rows(items[key]!.open!.layout.rows))
            case .failure(let error):
                onNote("the menu of \(key) in the tray is not read: \(error.text)")
                if !items[key]!.open!.hasRows { onMenu(ask, error.isSilence ? .silent : .none) }
            }
        }
    }
}
