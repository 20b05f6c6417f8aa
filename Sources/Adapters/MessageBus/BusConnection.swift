import CSystemd
import Glibc

/// Receives reports of a connection during processing. Do not close the connection from here.
package protocol BusHandler: AnyObject {
    /// Whether an object at `path` has the interface.
    func has(_ path: String, _ interface: String) -> Bool
    /// Handles an exported method of an existing object: replies, or returns a negative errno.
    func method(_ call: Incoming) -> Int32
    func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing)
    func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming)
    /// The reply to a call sent with `token`, or an error, including a timeout.
    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>)
    func signal(_ signal: Incoming)
    /// A message between other connections, on a connection that monitors the bus.
    func seen(_ message: Incoming)
}

/// A connection that only asks exports nothing, and may hear no signals.
extension BusHandler {
    package func has(_ path: String, _ interface: String) -> Bool { false }
    package func method(_ call: Incoming) -> Int32 { -ENOSYS }
    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {}
    package func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming) {}
    package func signal(_ signal: Incoming) {}
    package func seen(_ message: Incoming) {}
}

/// A connection to a message bus. Never blocks. Confined to one thread.
package final class BusConnection {
    /// A member of an exported interface, with D-Bus signatures. A property takes no call.
    package enum Member {
        case method(String, takes: String = "", gives: String = "")
        /// A method that programs of other users may call, too. Its owner looks at the sender.
        case openMethod(String, takes: String, gives: String = "")
        case property(String, String)
        case writable(String, String)
        /// A property whose changes are signalled (PropertiesChanged).
        case told(String, String)
        /// A signal, for introspection.
        case signal(String, String)
    }

    package enum Kind {
        case plain
        /// Messages may bring file descriptors.
        case takesFiles
        /// The connection sees the messages of others after `BecomeMonitor`, and must not send any more from then on.
        case monitor
    }

    private var bus: OpaquePointer?
    fileprivate unowned let handler: any BusHandler

    /// Starts connecting. Returns nil if that is not possible. `handler` must outlive the connection.
    package init?(address: String, kind: Kind = .plain, handler: any BusHandler) {
        self.handler = handler
        var handlers = Self.handlers
        // Unretained: the connection is closed in `close()` or `deinit`, before this object goes away.
        let user = Unmanaged.passUnretained(self).toOpaque()
        guard csd_bus_open(&bus, address, kind.raw, &handlers, user) >= 0 else { return nil }
    }

    deinit { close() }

    /// Do not call from a handler.
    package func close() {
        csd_bus_close(bus)
        bus = nil
    }

    package var descriptor: Int32 { bus.map(csd_bus_fd) ?? -1 }
    package var isReady: Bool { bus.map(csd_bus_is_ready) ?? false }
    package var queued: UInt64 { bus.map(csd_bus_queued) ?? 0 }
    /// The unique name of this connection; empty while not ready.
    package var name: String { bus.flatMap(csd_bus_name).map { String(cString: $0) } ?? "" }

    package var events: (read: Bool, write: Bool) {
        guard let bus else { return (false, false) }
        var read = false, write = false
        csd_bus_events(bus, &read, &write)
        return (read, write)
    }

    /// CLOCK_MONOTONIC nanoseconds; nil if only the descriptor matters.
    package var deadline: Int64? {
        guard let bus else { return nil }
        return Int64(exactly: csd_bus_timeout(bus)).flatMap { $0 > .max / 1000 ? nil : $0 * 1000 }
    }

    /// Processes at most `steps` messages without blocking. Returns false if the connection is lost.
    package func process(steps: Int) -> Bool {
        for _ in 0..<steps {
            guard let bus else { return false }
            let status = csd_bus_process(bus)
            if status <= 0 { return status == 0 }
        }
        return true
    }

    /// Exports the interface on every object below `prefix` for which `has` returns true.
    package func export(_ interface: String, below prefix: String, _ members: [Member]) {
        guard let bus else { return }
        var status = csd_interface_begin(bus)
        for member in members where status >= 0 {
            status =
                switch member {
                case .method(let name, let takes, let gives): csd_interface_member(bus, CSD_METHOD, name, takes, gives)
                case .openMethod(let name, let takes, let gives): csd_interface_member(bus, CSD_OPEN_METHOD, name, takes, gives)
                case .property(let name, let type): csd_interface_member(bus, CSD_PROPERTY, name, "", type)
                case .writable(let name, let type): csd_interface_member(bus, CSD_WRITABLE_PROPERTY, name, "", type)
                case .told(let name, let type): csd_interface_member(bus, CSD_TOLD_PROPERTY, name, "", type)
                case .signal(let name, let type): csd_interface_member(bus, CSD_SIGNAL, name, type, "")
                }
        }
        if status >= 0 { status = csd_interface_end(bus, prefix, interface) }
        assert(status >= 0, "\(interface): \(status)")
    }

    package func match(_ rule: String) {
        guard let bus else { return }
        _ = csd_bus_match(bus, rule)
    }

    /// Watches signals until the result is released, which must happen before the connection is closed.
    package func watch(_ rule: String) -> BusWatch? {
        bus.flatMap { csd_watch_new($0, rule) }.map(BusWatch.init)
    }

    /// Calls a method. The reply arrives with `token`. Returns false if the call could not be sent.
    /// - Parameter timeout: microseconds.
    @discardableResult
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, token: UInt64,
        timeout: UInt64 = callTimeout, _ arguments: (inout Outgoing) -> Void = { _ in }
    ) -> Bool {
        guard let bus, let raw = csd_call_new(bus, destination, path, interface, member) else { return false }
        var message = Outgoing(raw)
        arguments(&message)
        guard message.isWhole else {
            csd_drop(raw)
            return false
        }
        return csd_call_send(bus, raw, timeout, token) >= 0
    }

    /// Sends a signal to all subscribers, or to a single connection.
    package func emit(
        _ path: String, _ interface: String, _ member: String, to destination: String? = nil,
        _ arguments: (inout Outgoing) -> Void = { _ in }
    ) {
        guard let bus,
            let raw = destination.map({ csd_signal_new_to(bus, $0, path, interface, member) })
                ?? csd_signal_new(bus, path, interface, member)
        else { return }
        var message = Outgoing(raw)
        arguments(&message)
        if message.isWhole { _ = csd_send(raw) } else { csd_drop(raw) }
    }

    /// The time that a bus may take to start a service: 25 s, in microseconds.
    package static let callTimeout: UInt64 = 25_000_000

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
                connection(user).handler.answer(token, message.error.map { .failure($0) } ?? .success(message))
            },
            signal: { user, signal in connection(user).handler.signal(Incoming(signal!)) },
            seen: { user, message in connection(user).handler.seen(Incoming(message!)) })
    }
}

extension BusConnection.Kind {
    fileprivate var raw: csd_bus_kind {
        switch self {
        case .plain: CSD_PLAIN
        case .takesFiles: CSD_TAKES_FILES
        case .monitor: CSD_MONITOR
        }
    }
}

private func connection(_ user: UnsafeMutableRawPointer?) -> BusConnection {
    // `user` is what `init` passed. Only this object's C connection returns it, and that is closed before the object
    // goes away.
    Unmanaged<BusConnection>.fromOpaque(user!).takeUnretainedValue()
}

/// A signal subscription that ends with this object.
package final class BusWatch {
    private let raw: OpaquePointer

    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { csd_watch_end(raw) }
}
