import CSystemd
import Glibc

/// A D-Bus error.
package struct BusError: Error, Hashable, Sendable {
    /// For example "org.freedesktop.DBus.Error.NoReply".
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Whether the other side did not answer in time.
    package var isSilence: Bool {
        switch name {
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut",
            "System.Error.ETIMEDOUT":
            true
        default: false
        }
    }
}

/// A received message, read from front to back. Valid only during the handler's call.
package struct Incoming {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    package var path: String { text(sd_bus_message_get_path(raw)) }
    package var interface: String { text(sd_bus_message_get_interface(raw)) }
    package var member: String { text(sd_bus_message_get_member(raw)) }
    /// The unique name of the sender, or "".
    package var sender: String { text(sd_bus_message_get_sender(raw)) }
    /// The name to which it is addressed, or "" for a broadcast signal.
    package var destination: String { text(sd_bus_message_get_destination(raw)) }

    var isSignal: Bool { sd_bus_message_is_signal(raw, nil, nil) > 0 }

    var error: BusError? {
        guard csd_message_is_error(raw) else { return nil }
        return BusError(name: text(csd_message_error_name(raw)), text: text(csd_message_error_text(raw)))
    }

    /// Keeps the call for a reply after the handler returns.
    package func keep() -> HeldCall { HeldCall(self) }

    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }

    // Each returns nil if the next value has another type, or there is none.

    package func string() -> String? {
        var value: UnsafePointer<CChar>?
        return sd_bus_message_read_basic(raw, 115, &value) > 0 ? text(value) : nil
    }

    package func objectPath() -> String? {
        var value: UnsafePointer<CChar>?
        return sd_bus_message_read_basic(raw, 111, &value) > 0 ? text(value) : nil
    }

    package enum File {
        /// A copy of a file descriptor, for the caller to close.
        case copy(Int32)
        /// The message names a descriptor that it does not bring.
        case absent
        /// This process has no descriptor left.
        case noRoom
    }

    /// A file descriptor. Only for connections that take files.
    package func file() -> File {
        var lent: Int32 = -1
        guard sd_bus_message_read_basic(raw, 104, &lent) > 0 else { return .absent }
        let own = fcntl(lent, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? .copy(own) : .noRoom
    }

    /// A type signature.
    package func signature() -> String? {
        var value: UnsafePointer<CChar>?
        return sd_bus_message_read_basic(raw, 103, &value) > 0 ? text(value) : nil
    }

    package func bool() -> Bool? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(raw, 98, &value) > 0 ? value != 0 : nil
    }

    package func int32() -> Int32? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(raw, 105, &value) > 0 ? value : nil
    }

    package func uint32() -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(raw, 117, &value) > 0 ? value : nil
    }

    package func double() -> Double? {
        var value = 0.0
        return sd_bus_message_read_basic(raw, 100, &value) > 0 ? value : nil
    }

    package func uint64() -> UInt64? {
        var value: UInt64 = 0
        return sd_bus_message_read_basic(raw, 116, &value) > 0 ? value : nil
    }

    /// The next array of bytes, valid as long as the message.
    package func bytes() -> UnsafeRawBufferPointer? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(raw, 121, &start, &count) >= 0 else { return nil }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Reads the next struct with `body`.
    package func structure<T>(_ contents: String, _ body: () -> T?) -> T? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.structure.code, contents) > 0 else { return nil }
        let value = body()
        _ = sd_bus_message_exit_container(raw)
        return value
    }

    /// Reads the next entry of a dictionary with `body`.
    package func entry<T>(_ contents: String, _ body: () -> T?) -> T? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.entry.code, contents) > 0 else { return nil }
        let value = body()
        _ = sd_bus_message_exit_container(raw)
        return value
    }

    /// Reads the next container with `body`, and continues behind it, also if `body` left a part unread.
    package func whole<T>(_ kind: Outgoing.Container, _ contents: String, _ body: () -> T?) -> T? {
        guard sd_bus_message_enter_container(raw, kind.code, contents) > 0 else { return nil }
        let value = body()
        return csd_leave(raw) >= 0 ? value : nil
    }

    /// Reads from the beginning again.
    package func rewind() { sd_bus_message_rewind(raw, 1) }

    /// Reads up to `limit` elements of the next array.
    package func array<T>(of contents: String, limit: Int, _ element: () -> T?) -> [T]? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.array.code, contents) >= 0 else { return nil }
        var values: [T] = []
        while values.count < limit, let value = element() { values.append(value) }
        return values
    }

    /// Reads up to `limit` elements of the next array, and continues after the array.
    package func wholeArray<T>(of contents: String, limit: Int, _ element: () -> T?) -> [T]? {
        guard let values = array(of: contents, limit: limit, element), csd_leave(raw) >= 0 else { return nil }
        return values
    }

    /// Replies to this call. Returns the value that the handler must return.
    package func reply(_ arguments: (inout Outgoing) -> Void) -> Int32 {
        guard let reply = csd_reply_new(raw) else { return -ENOMEM }
        var message = Outgoing(reply)
        arguments(&message)
        guard message.isWhole else {
            csd_drop(reply)
            return message.status
        }
        return csd_send(reply)
    }

    /// Refuses this call with a standard D-Bus error, such as "InvalidArgs".
    package func refuse(_ error: String, _ text: String) -> Int32 {
        refuse(BusError(name: "org.freedesktop.DBus.Error.\(error)", text: text))
    }

    @discardableResult
    package func refuse(_ error: BusError) -> Int32 {
        csd_reply_error(raw, error.name, error.text)
    }
}

/// A message being written.
package struct Outgoing {
    package enum Container: Unicode.Scalar {
        case array = "a", structure = "r", entry = "e", variant = "v"
        var code: CChar { CChar(rawValue.value) }
    }

    private let raw: OpaquePointer
    /// Negative after the first failed write.
    private(set) var status: Int32 = 0

    init(_ raw: OpaquePointer) { self.raw = raw }

    var isWhole: Bool { status >= 0 }

    private mutating func note(_ result: Int32) {
        if status >= 0 { status = min(result, 0) }
    }

    /// Prevents the bus from starting a service for this call.
    package func startNothing() { sd_bus_message_set_auto_start(raw, 0) }

    package mutating func string(_ value: String) { note(sd_bus_message_append_basic(raw, 115, value)) }
    package mutating func path(_ value: String) { note(sd_bus_message_append_basic(raw, 111, value)) }
    package mutating func signature(_ value: String) { note(sd_bus_message_append_basic(raw, 103, value)) }
    package mutating func byte(_ value: UInt8) { note(sd_bus_message_append_basic(raw, 121, [value])) }
    package mutating func uint16(_ value: UInt16) { note(sd_bus_message_append_basic(raw, 113, [value])) }
    package mutating func int16(_ value: Int16) { note(sd_bus_message_append_basic(raw, 110, [value])) }
    package mutating func int32(_ value: Int32) { note(sd_bus_message_append_basic(raw, 105, [value])) }
    package mutating func uint32(_ value: UInt32) { note(sd_bus_message_append_basic(raw, 117, [value])) }
    package mutating func int64(_ value: Int64) { note(sd_bus_message_append_basic(raw, 120, [value])) }
    package mutating func bool(_ value: Bool) { note(sd_bus_message_append_basic(raw, 98, [Int32(value ? 1 : 0)])) }
    package mutating func double(_ value: Double) { note(sd_bus_message_append_basic(raw, 100, [value])) }

    package mutating func uint64(_ value: UInt64) { note(sd_bus_message_append_basic(raw, 116, [value])) }
    package mutating func bytes(_ value: [UInt8]) { note(sd_bus_message_append_array(raw, 121, value, value.count)) }

    /// The message gets a copy. Only for connections that take files.
    package mutating func file(_ number: Int32) { note(sd_bus_message_append_basic(raw, 104, [number])) }

    package mutating func container(_ kind: Container, _ contents: String, _ body: (inout Outgoing) -> Void) {
        note(sd_bus_message_open_container(raw, kind.code, contents))
        guard isWhole else { return }
        body(&self)
        if isWhole { note(sd_bus_message_close_container(raw)) }
    }
}

/// A call to be answered later. If it is released without a reply, the caller waits for its own timeout.
package final class HeldCall {
    package let call: Incoming

    fileprivate init(_ call: Incoming) {
        self.call = Incoming(csd_keep(call.raw))
    }

    deinit { csd_drop(call.raw) }
}
