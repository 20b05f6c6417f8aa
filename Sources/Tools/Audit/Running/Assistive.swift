import Clocks
import Geometry
import Glibc
import MessageBus

/// Reads the trees that apps expose to assistive technology (AT-SPI), as a screen reader does.
final class Assistive: BusHandler {
    /// One accessible object.
    struct Node: Hashable {
        var id: String
        var role: UInt32
        var name: String
        var states: UInt64
        /// In points of its window; nil if the object has no extents.
        var frame: Rect?
        var text: String?
        var depth: Int

        func has(_ state: State) -> Bool { states >> state.rawValue & 1 == 1 }
        var isControl: Bool { Role.controls.contains(role) }
    }

    enum State: UInt64 { case enabled = 8, focusable = 11, focused = 12, multiLine = 17, sensitive = 24, showing = 25, visible = 30 }

    enum Role {
        /// Check box, check menu item, combo box, menu item, page tab, push button, radio button, slider, spin button, toggle button, entry, link.
        static let controls: Set<UInt32> = [7, 8, 11, 35, 37, 43, 44, 51, 52, 62, 79, 88]
        /// Text that a person edits: text, terminal, paragraph, entry, document.
        static let texts: Set<UInt32> = [61, 60, 73, 79, 82, 94, 95]
        /// The roles that fingers press: check box, combo box, page tab, push button, radio button, slider, spin button, toggle button,
        /// entry.
        static let targets: Set<UInt32> = [7, 11, 37, 43, 44, 51, 52, 62, 79]
        static let alert: UInt32 = 2, dialog: UInt32 = 16, label: UInt32 = 29, tab: UInt32 = 37, terminal: UInt32 = 60

        static func name(_ role: UInt32) -> String {
            [
                7: "check box", 8: "check menu item", 11: "combo box", 35: "menu item", 37: "page tab", 43: "button", 44: "radio button",
                51: "slider", 52: "spin button",
                62: "toggle button", 79: "entry", 88: "link",
            ][role] ?? "role \(role)"
        }
    }

    private var session: BusConnection?
    private var bus: BusConnection?
    private var answers: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var nextToken: UInt64 = 1

    /// nil if there is no accessibility bus on this machine.
    init?(session address: String) {
        session = BusConnection(address: address, handler: self)
        guard let session, wait(session, until: { session.isReady }, within: 5) else { return nil }
        // Qt and others expose nothing until an assistive technology asks for it.
        for property in ["IsEnabled", "ScreenReaderEnabled"] {
            _ = ask(
                session, "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set", within: 10,
                {
                    $0.string("org.a11y.Status")
                    $0.string(property)
                    $0.variant(.flag(true))
                }
            ) { _ in true }
        }
        guard
            let address = ask(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", within: 10, { _ in }, { $0.string() })
        else { return nil }
        // Other transports than Unix sockets are none of a private bus.
        bus = BusConnection(address: String(address.prefix { $0 != "," }), handler: self)
        guard let bus, wait(bus, until: { bus.isReady }, within: 5) else { return nil }
    }

    deinit {
        bus?.close()
        session?.close()
    }

    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) { answers.removeValue(forKey: token)?(answer) }

    // MARK: Trees

    /// The most objects of one app that are read.
    static let mostNodes = 1200

    /// The objects of the app with these processes that show, parents first; nil if the app exposes nothing at all.
    ///
    /// - Parameter seconds: in which the app could run, so that the tree of a large app is as large on a busy machine.
    func nodes(of processes: [Int32], within seconds: Double = 8) -> [Node]? {
        guard let bus else { return nil }
        let patience = Patience(seconds)
        var nodes: [Node] = []
        var found = false
        for (name, path) in children(bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root") {
            guard
                let pid = ask(
                    bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", within: 2,
                    { $0.string(name) }, { $0.uint32() }),
                processes.contains(Int32(bitPattern: pid))
            else { continue }
            found = true
            var waiting = [(name, path, 0)]
            while !waiting.isEmpty, nodes.count < Self.mostNodes, !patience.isOver {
                let (owner, object, depth) = waiting.removeFirst()
                guard let node = node(bus, owner, object, depth) else { continue }
                // Apps and windows have no state of their own in some toolkits.
                if depth < 2 || node.has(.showing) || node.has(.visible) {
                    nodes.append(node)
                    if depth < 40 { waiting += children(bus, owner, object).map { ($0.0, $0.1, depth + 1) } }
                }
            }
        }
        return found ? nodes : nil
    }

    private func node(_ bus: BusConnection, _ owner: String, _ path: String, _ depth: Int) -> Node? {
        let accessible = "org.a11y.atspi.Accessible"
        guard let role = ask(bus, owner, path, accessible, "GetRole", within: 1, { _ in }, { $0.uint32() }) else { return nil }
        var node = Node(id: "\(owner)\(path)", role: role, name: "", states: 0, frame: nil, text: nil, depth: depth)
        node.states =
            ask(
                bus, owner, path, accessible, "GetState", within: 1, { _ in },
                { message in
                    message.array(of: "u", limit: 2) { message.uint32() }.map { words in
                        UInt64(words.first ?? 0) | UInt64(words.dropFirst().first ?? 0) << 32
                    }
                }) ?? 0
        node.name = property(bus, owner, path, accessible, "Name")?.text ?? ""
        // Screen readers read the description of a control without a name, such as its tooltip.
        if node.isControl, node.name.allSatisfy(\.isWhitespace) {
            node.name = property(bus, owner, path, accessible, "Description")?.text ?? ""
        }
        if node.isControl || Role.texts.contains(role) {
            node.frame = ask(
                bus, owner, path, "org.a11y.atspi.Component", "GetExtents", within: 1, { $0.uint32(1) },
                { message in
                    message.structure("iiii") {
                        guard let x = message.int32(), let y = message.int32(), let width = message.int32(), let height = message.int32()
                        else { return nil }
                        return Rect(Double(x), Double(y), Double(width), Double(height))
                    }
                })
        }
        if Role.texts.contains(role) {
            node.text = ask(
                bus, owner, path, "org.a11y.atspi.Text", "GetText", within: 1,
                {
                    $0.int32(0)
                    $0.int32(-1)
                }, { $0.string() })
        }
        return node
    }

    private func children(_ bus: BusConnection, _ owner: String, _ path: String) -> [(String, String)] {
        let pairs =
            ask(
                bus, owner, path, "org.a11y.atspi.Accessible", "GetChildren", within: 2, { _ in },
                { message in
                    message.array(of: "(so)", limit: 200) {
                        message.structure("so") { () -> [String]? in
                            guard let name = message.string(), let path = message.objectPath() else { return nil }
                            return [name, path]
                        }
                    }
                }) ?? []
        return pairs.map { ($0[0], $0[1]) }
    }

    private func property(_ bus: BusConnection, _ owner: String, _ path: String, _ interface: String, _ name: String) -> BusValue? {
        ask(
            bus, owner, path, "org.freedesktop.DBus.Properties", "Get", within: 1,
            {
                $0.string(interface)
                $0.string(name)
            }, { $0.value(.init(text: 4096)) })
    }

    // MARK: Calls

    private func ask<T>(
        _ bus: BusConnection, _ owner: String, _ path: String, _ interface: String, _ member: String, within seconds: Double,
        _ arguments: (inout Outgoing) -> Void, _ read: @escaping (Incoming) -> T?
    ) -> T? {
        let token = nextToken
        nextToken += 1
        var result: T?, isAnswered = false
        answers[token] = { answer in
            isAnswered = true
            if case .success(let message) = answer { result = read(message) }
        }
        defer { answers[token] = nil }
        guard bus.call(owner, path, interface, member, token: token, timeout: UInt64(clamping: Int64(clamping: seconds * 1e6)), arguments)
        else { return nil }
        _ = wait(bus, until: { isAnswered }, within: seconds + 0.2)
        return result
    }

    private func wait(_ bus: BusConnection, until condition: () -> Bool, within seconds: Double) -> Bool {
        let deadline = Clocks.monotonicSeconds + seconds
        while true {
            guard bus.process(steps: 64) else { return false }
            if condition() { return true }
            let left = deadline - Clocks.monotonicSeconds
            guard left > 0 else { return false }
            let events = bus.events
            var item = pollfd(fd: bus.descriptor, events: Int16((events.read ? POLLIN : 0) | (events.write ? POLLOUT : 0)), revents: 0)
            poll(&item, 1, Int32(clamping: Int64(clamping: min(left, 0.05) * 1000 + 1)))
        }
    }
}
