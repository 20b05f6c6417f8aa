import Compositor
import Glibc
import MessageBus
import Windows

/// Reads the menus of windows from the session bus, and activates their items. Every answer comes from an app, and is limited in size
/// and time. It starts no service.
final class MenuBus: LinkedBus {
    /// The menus of a window changed.
    var onMenus: (WindowID, [ExportedMenu]) -> Void = { _, _ in }

    private struct Entry {
        var source: MenuSource
        /// The process of the window. A connection of another one is not asked.
        var process: Int32
        var isTrusted = false
        var model = MenuModel()
        /// The model that is being read. It replaces the other one when the last question about it has ended, so that a person
        /// never sees half of it, and an open menu stays open.
        var next = MenuModel()
        var reading = 0, open = 0
        var choices: [UInt32: MenuModel.Choice] = [:]
        var watches: [BusWatch] = []
        /// Asked again and again, an app is read at most twice a second.
        var readAt: Int64 = 0
        var isStale = false
    }

    private enum Question {
        case process(WindowID)
        case menus(WindowID, [UInt32], reading: Int)
        case actions(WindowID, prefix: String, reading: Int)
        case chosen

        var reading: (window: WindowID, number: Int)? {
            switch self {
            case .menus(let window, _, let number), .actions(let window, _, let number): (window, number)
            case .process, .chosen: nil
            }
        }
    }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private var entries: [WindowID: Entry] = [:]
    private var news: Set<WindowID> = []

    private static let menus = "org.gtk.Menus", actions = "org.gtk.Actions"
    /// In milliseconds, and in nanoseconds.
    private static let patience: UInt64 = 5000, pause: Int64 = 500_000_000

    var due: Int64? { entries.values.filter(\.isStale).map { $0.readAt + Self.pause }.min() }

    init(address: String) { self.address = address }

    func set(_ window: WindowID, _ source: MenuSource?, process: Int32) {
        let had = entries.removeValue(forKey: window)
        if let source, process > 0 { entries[window] = Entry(source: source, process: process) }
        if had != nil { news.insert(window) }
        begin(window)
        link.changed()
    }

    func joined() { for window in entries.keys.sorted() { begin(window) } }

    func processed() {
        if link.isReady {
            for (window, entry) in entries where entry.isStale && entry.readAt + Self.pause <= monotonicNow() { read(window) }
        }
        let windows = news.sorted()
        news.removeAll()
        for window in windows { tell(window) }
    }

    private func tell(_ window: WindowID) {
        guard entries[window] != nil else { return onMenus(window, []) }
        let (menus, choices) = entries[window]!.model.exported()
        entries[window]!.choices = choices
        onMenus(window, menus)
    }

    func lost() {
        for window in entries.keys {
            entries[window]!.model = MenuModel()
            entries[window]!.reading += 1
            entries[window]!.isTrusted = false
            entries[window]!.isStale = false
            entries[window]!.watches.removeAll()
            news.insert(window)
        }
    }

    func close() {
        entries.removeAll()
        link.close()
    }

    // MARK: Questions

    private func ask(
        _ question: Question, _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: (inout Outgoing) -> Void = { _ in }
    ) {
        link.call(destination, path, interface, member, timeout: Self.patience, starts: false, arguments) { [unowned self] in
            if let reading = question.reading, entries[reading.window]?.reading != reading.number { return }
            if case .success(let answer) = $0 { answered(question, answer) }
            if let window = question.reading?.window { ended(window) }
        }
    }

    /// First, whether the connection is that of the window's own process.
    private func begin(_ window: WindowID) {
        guard link.isReady, let entry = entries[window] else { return }
        ask(.process(window), BusLink.bus, "/org/freedesktop/DBus", BusLink.bus, "GetConnectionUnixProcessID") { $0.string(entry.source.bus) }
    }

    private func trust(_ window: WindowID) {
        guard let source = entries[window]?.source else { return }
        entries[window]!.isTrusted = true
        for (path, interface) in [(source.menuBar, Self.menus), (source.app, Self.actions), (source.window, Self.actions)] where !path.isEmpty {
            if let watch = link.connection?.watch("type='signal',sender='\(source.bus)',path='\(path)',interface='\(interface)',member='Changed'") {
                entries[window]!.watches.append(watch)
            }
        }
        read(window)
    }

    /// Reads menus and actions from the beginning.
    private func read(_ window: WindowID) {
        guard link.isReady, let entry = entries[window], entry.isTrusted else { return }
        let source = entry.source
        entries[window]!.isStale = false
        entries[window]!.readAt = monotonicNow()
        entries[window]!.next = MenuModel()
        entries[window]!.reading += 1
        entries[window]!.open = 0
        start(window, [0])
        for (prefix, path) in [("app.", source.app), ("win.", source.window)] where !path.isEmpty {
            entries[window]!.open += 1
            ask(.actions(window, prefix: prefix, reading: entries[window]!.reading), source.bus, path, Self.actions, "DescribeAll")
        }
    }

    /// A question about what is being read was answered, or was not answered in time.
    private func ended(_ window: WindowID) {
        entries[window]!.open -= 1
        guard entries[window]!.open == 0 else { return }
        entries[window]!.model = entries[window]!.next
        news.insert(window)
    }

    private func start(_ window: WindowID, _ groups: [UInt32]) {
        guard let entry = entries[window], !groups.isEmpty else { return }
        let source = entry.source
        entries[window]!.next.groups.formUnion(groups)
        entries[window]!.open += 1
        ask(.menus(window, groups, reading: entry.reading), source.bus, source.menuBar, Self.menus, "Start") { message in
            message.container(.array, "u") { for group in groups { $0.uint32(group) } }
        }
    }

    func choose(_ window: WindowID, _ number: UInt32) {
        guard link.isReady, let entry = entries[window], entry.isTrusted, let choice = entry.choices[number] else { return }
        let (prefix, name) = (choice.action.prefix(4), String(choice.action.dropFirst(4)))
        let path = prefix == "app." ? entry.source.app : prefix == "win." ? entry.source.window : ""
        guard !path.isEmpty else { return }
        let takes = entry.model.actions[choice.action]?.takes ?? ""
        ask(.chosen, entry.source.bus, path, Self.actions, "Activate") { message in
            message.string(name)
            message.container(.array, "v") { array in
                guard let target = choice.target, !takes.isEmpty else { return }
                if takes == "i", let number = target.integer.flatMap({ Int32(exactly: $0) }) {
                    array.container(.variant, "i") { $0.int32(number) }
                } else if ["s", "b", "x", "d"].contains(takes) {
                    array.variant(target)
                }
            }
            message.container(.array, "{sv}") { _ in }
        }
        link.changed()
    }

    // MARK: BusHandler

    private func answered(_ question: Question, _ answer: Incoming) {
        switch question {
        case .process(let window):
            guard let process = answer.uint32().flatMap({ Int32(exactly: $0) }), entries[window]?.process == process else { return }
            trust(window)
        case .menus(let window, let groups, _):
            for (address, items) in MenuBus.menus(in: answer) where groups.contains(address.group) { entries[window]!.next.take(address, items) }
            start(window, entries[window]!.next.missing)
        case .actions(let window, let prefix, _):
            for (name, action) in MenuBus.actions(in: answer) { entries[window]!.next.actions[prefix + name] = action }
        case .chosen: break
        }
    }

    func signal(_ signal: Incoming) {
        let sender = signal.sender, path = signal.path
        for (window, entry) in entries where entry.source.bus == sender && [entry.source.menuBar, entry.source.app, entry.source.window].contains(path) {
            entries[window]!.isStale = true
        }
    }

    private static let limits = BusValue.Limits(text: 256, entries: 24)

    /// The answer of `Start`: a(uuaa{sv}).
    private static func menus(in answer: Incoming) -> [(MenuModel.Address, [MenuModel.Item])] {
        answer.array(of: "(uuaa{sv})", limit: 256) {
            answer.structure("uuaa{sv}") {
                guard let group = answer.uint32(), let menu = answer.uint32() else { return nil }
                let items = answer.wholeArray(of: "a{sv}", limit: 128) { answer.table(limits).map(item) } ?? []
                return (MenuModel.Address(group: group, menu: menu), items)
            }
        } ?? []
    }

    private static func item(_ table: [String: BusValue]) -> MenuModel.Item {
        func address(_ key: String) -> MenuModel.Address? {
            if case .pair(let group, let menu) = table[key] { MenuModel.Address(group: group, menu: menu) } else { nil }
        }
        return MenuModel.Item(
            label: table["label"]?.text, action: table["action"]?.text, target: table["target"], section: address(":section"), submenu: address(":submenu"))
    }

    /// The answer of `DescribeAll`: a{s(bgav)}.
    private static func actions(in answer: Incoming) -> [(String, MenuModel.Action)] {
        answer.array(of: "{s(bgav)}", limit: 512) {
            answer.entry("s(bgav)") {
                guard let name = answer.string() else { return nil }
                let action = answer.structure("bgav") { () -> MenuModel.Action? in
                    guard let isEnabled = answer.bool(), let takes = answer.signature() else { return nil }
                    let states = answer.wholeArray(of: "v", limit: 4) { answer.value(limits) } ?? []
                    return MenuModel.Action(isEnabled: isEnabled, takes: takes, state: states.first)
                }
                return action.map { (name, $0) }
            }
        } ?? []
    }
}
