import CSystemd
import Glibc

/// What a connection reports. Called while it is being processed: it must not be closed from here.
protocol BusHandler: AnyObject {
    /// Whether there is an object at `path` that has the interface.
    func has(_ path: String, _ interface: String) -> Bool
    /// A described method of an object that is there. Answers it, or returns a negative errno.
    func method(_ call: Incoming) -> Int32
    func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing)
    func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming)
    /// The answer to a call sent with `token`; nil: an error, or none in time.
    func answer(_ token: UInt64, _ answer: Incoming?)
    func signal(_ signal: Incoming)
}

/// A connection to a message bus. Nothing here waits; belongs to one thread.
final class BusConnection {
    /// A method, or a property if it takes no call, of an exported interface, with D-Bus signatures.
    enum Member {
        case method(String, takes: String = "", gives: String = "")
        case property(String, String)
        case writable(String, String)
    }

    private var bus: OpaquePointer?
    fileprivate unowned let handler: any BusHandler

    /// Begins to connect; nil if that cannot even begin. `handler` must outlive the connection.
    init?(address: String, handler: any BusHandler) {
        self.handler = handler
        var handlers = Self.handlers
        // Unretained: the connection is closed in `close()` or `deinit`, before it goes.
        let user = Unmanaged.passUnretained(self).toOpaque()
        guard csd_bus_open(&bus, address, &handlers, user) >= 0 else { return nil }
    }

    deinit { close() }

    /// Not from a handler.
    func close() {
        csd_bus_close(bus)
        bus = nil
    }

    var descriptor: Int32 { bus.map(csd_bus_fd) ?? -1 }
    var isReady: Bool { bus.map(csd_bus_is_ready) ?? false }
    var queued: UInt64 { bus.map(csd_bus_queued) ?? 0 }
    /// This connection's name on the bus; empty while not ready.
    var name: String { bus.flatMap(csd_bus_name).map { String(cString: $0) } ?? "" }

    var events: (read: Bool, write: Bool) {
        guard let bus else { return (false, false) }
        var read = false, write = false
        csd_bus_events(bus, &read, &write)
        return (read, write)
    }

    /// CLOCK_MONOTONIC nanoseconds; nil: only the descriptor matters.
    var deadline: Int64? {
        guard let bus else { return nil }
        return Int64(exactly: csd_bus_timeout(bus)).flatMap { $0 > .max / 1000 ? nil : $0 * 1000 }
    }

    /// Does what can be done now, at most `steps` things; false: the connection is lost.
    func process(steps: Int) -> Bool {
        for _ in 0..<steps {
            guard let bus else { return false }
            let status = csd_bus_process(bus)
            if status <= 0 { return status == 0 }
        }
        return true
    }

    /// Every object below `prefix` that `has` says so of has this interface.
    func export(_ interface: String, below prefix: String, _ members: [Member]) {
        guard let bus else { return }
        var status = csd_interface_begin(bus)
        for member in members where status >= 0 {
            status = switch member {
            case .method(let name, let takes, let gives): csd_interface_member(bus, CSD_METHOD, name, takes, gives)
            case .property(let name, let type): csd_interface_member(bus, CSD_PROPERTY, name, "", type)
            case .writable(let name, let type): csd_interface_member(bus, CSD_WRITABLE_PROPERTY, name, "", type)
            }
        }
        if status >= 0 { status = csd_interface_end(bus, prefix, interface) }
        assert(status >= 0, "\(interface): \(status)")
    }

    func match(_ rule: String) {
        guard let bus else { return }
        _ = csd_bus_match(bus, rule)
    }

    /// Calls a method; the answer comes with `token`. False if it could not be sent.
    @discardableResult
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, token: UInt64,
        _ arguments: (inout Outgoing) -> Void = { _ in }
    ) -> Bool {
        guard let bus, let raw = csd_call_new(bus, destination, path, interface, member) else { return false }
        var message = Outgoing(raw)
        arguments(&message)
        guard message.isWhole else {
            csd_drop(raw)
            return false
        }
        return csd_call_send(bus, raw, Self.callTimeout, token) >= 0
    }

    func emit(
        _ path: String, _ interface: String, _ member: String, _ arguments: (inout Outgoing) -> Void
    ) {
        guard let bus, let raw = csd_signal_new(bus, path, interface, member) else { return }
        var message = Outgoing(raw)
        arguments(&message)
        if message.isWhole { _ = csd_send(raw) } else { csd_drop(raw) }
    }

    /// As long as a bus may take to start a service: 25 s, in microseconds.
    private static let callTimeout: UInt64 = 25_000_000

    private static var handlers: csd_handlers {
        csd_handlers(
            has: { user, path, interface in
                connection(user).handler.has(String(cString: path!), String(cString: interface!))
            },
            method: { user, call in connection(user).handler.method(Incoming(call!)) },
            get: { user, path, interface, property, reply in
                var value = Outgoing(reply!)
                connection(user).handler.get(
                    String(cString: path!), String(cString: interface!), String(cString: property!), &value)
                return value.status
            },
            set: { user, path, interface, property, value in
                connection(user).handler.set(
                    String(cString: path!), String(cString: interface!), String(cString: property!), Incoming(value!))
                return 0
            },
            answer: { user, token, answer in
                let message = Incoming(answer!)
                connection(user).handler.answer(token, message.isError ? nil : message)
            },
            signal: { user, signal in connection(user).handler.signal(Incoming(signal!)) })
    }
}

private func connection(_ user: UnsafeMutableRawPointer?) -> BusConnection {
    // `user` is what `init` gave; only its own C connection hands it out, and that is closed before the object goes.
    Unmanaged<BusConnection>.fromOpaque(user!).takeUnretainedValue()
}

/// A message that came, read from front to back; lent for the handler's call.
struct Incoming {
    private let raw: OpaquePointer

    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }

    var path: String { text(csd_message_path(raw)) }
    var interface: String { text(csd_message_interface(raw)) }
    var member: String { text(csd_message_member(raw)) }
    fileprivate var isError: Bool { csd_message_is_error(raw) }

    private func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }

    // Each nil when the next value is of another type, or there is none.

    func string() -> String? {
        var value: UnsafePointer<CChar>?
        return csd_read_string(raw, &value) > 0 ? text(value) : nil
    }

    func objectPath() -> String? {
        var value: UnsafePointer<CChar>?
        return csd_read_path(raw, &value) > 0 ? text(value) : nil
    }

    func int32() -> Int32? {
        var value: Int32 = 0
        return csd_read_int32(raw, &value) > 0 ? value : nil
    }

    func uint32() -> UInt32? {
        var value: UInt32 = 0
        return csd_read_uint32(raw, &value) > 0 ? value : nil
    }

    /// What `body` reads of the next struct.
    func structure<T>(_ contents: String, _ body: () -> T?) -> T? {
        guard csd_enter(raw, Outgoing.Container.structure.code, contents) > 0 else { return nil }
        let value = body()
        _ = csd_exit(raw)
        return value
    }

    /// Up to `limit` elements of the next array.
    func array<T>(of contents: String, limit: Int, _ element: () -> T?) -> [T]? {
        guard csd_enter(raw, Outgoing.Container.array.code, contents) >= 0 else { return nil }
        var values: [T] = []
        while values.count < limit, let value = element() { values.append(value) }
        return values
    }

    /// Answers this call. Returns what the handler has to return.
    func reply(_ arguments: (inout Outgoing) -> Void) -> Int32 {
        guard let reply = csd_reply_new(raw) else { return -ENOMEM }
        var message = Outgoing(reply)
        arguments(&message)
        guard message.isWhole else {
            csd_drop(reply)
            return message.status
        }
        return csd_send(reply)
    }

    /// Refuses this call with an error of D-Bus itself, such as "InvalidArgs".
    func refuse(_ error: String, _ text: String) -> Int32 {
        csd_reply_error(raw, "org.freedesktop.DBus.Error.\(error)", text)
    }
}

/// A message being written.
struct Outgoing {
    enum Container: Unicode.Scalar {
        case array = "a", structure = "r", entry = "e", variant = "v"
        fileprivate var code: CChar { CChar(rawValue.value) }
    }

    private let raw: OpaquePointer
    /// Negative after the first value that could not be written.
    fileprivate private(set) var status: Int32 = 0

    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }

    fileprivate var isWhole: Bool { status >= 0 }

    private mutating func note(_ result: Int32) {
        if status >= 0 { status = min(result, 0) }
    }

    mutating func string(_ value: String) { note(csd_append_string(raw, value)) }
    mutating func path(_ value: String) { note(csd_append_path(raw, value)) }
    mutating func int16(_ value: Int16) { note(csd_append_int16(raw, value)) }
    mutating func int32(_ value: Int32) { note(csd_append_int32(raw, value)) }
    mutating func uint32(_ value: UInt32) { note(csd_append_uint32(raw, value)) }
    mutating func bool(_ value: Bool) { note(csd_append_bool(raw, value)) }
    mutating func double(_ value: Double) { note(csd_append_double(raw, value)) }

    mutating func container(_ kind: Container, _ contents: String, _ body: (inout Outgoing) -> Void) {
        note(csd_open(raw, kind.code, contents))
        guard isWhole else { return }
        body(&self)
        if isWhole { note(csd_close(raw)) }
    }
}
