import Clocks

/// The user of a bus through a `BusLink`. A connection serves and hears the same as in `BusHandler`.
package protocol BusUser: AnyObject {
    func has(_ path: String, _ interface: String) -> Bool
    func method(_ call: Incoming) -> Int32
    func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing)
    func signal(_ signal: Incoming)
    /// A connection begins: export the objects that it serves.
    func begins(_ bus: BusConnection)
    /// The bus accepted the connection.
    func joined()
    /// The connection is gone: forget everything that came through it. Subscriptions end here, before it is closed.
    func lost()
    /// There is no bus, and there will be none.
    func gaveUp()
    /// Pending messages are processed: report their results. The link may be closed from here.
    func processed()
    /// When to be processed again, besides for the bus, in nanoseconds of CLOCK_MONOTONIC.
    var due: Int64? { get }
}

extension BusUser {
    package func has(_ path: String, _ interface: String) -> Bool { false }
    package func method(_ call: Incoming) -> Int32 { -38 }
    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {}
    package func signal(_ signal: Incoming) {}
    package func begins(_ bus: BusConnection) {}
    package func gaveUp() {}
    package func processed() {}
    package var due: Int64? { nil }
}

/// A connection to a bus that comes back: the only machine that connects, joins, calls with a deadline, loses, waits and
/// connects again (decision 0138). Never blocks. Confined to one thread.
package final class BusLink: FollowedBus, BusHandler {
    /// After which losses it connects again.
    package enum Return: Sendable {
        /// Always: the bus may start later.
        case always
        /// A bus that was there returns. A machine without one does not get one.
        case ifItWasThere
    }

    package static let bus = "org.freedesktop.DBus"

    package private(set) var connection: BusConnection?
    /// Whether the bus accepted the connection.
    package private(set) var isReady = false
    package var onChange: (() -> Void)?

    private unowned let user: any BusUser
    private let address: () -> String?
    private let kind: BusConnection.Kind
    private let comesBack: Return
    private var wasReady = false
    private var retryAt: Int64?
    private var pending: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var lastToken: UInt64 = 0
    private var isProcessing = false
    private var interest = LoopInterest()
    private var pauses: Pauses

    /// A bus that no longer reads: to connect again is better than to queue without limit.
    private static let mostQueued: UInt64 = 8192

    /// Connects when it is first processed, or by `connect`. `user` owns the link.
    ///
    /// - Parameters:
    ///   - firstPause: nanoseconds before the second attempt. Each further pause is twice as long.
    ///   - address: of the bus; asked before each attempt. nil: there is none now.
    package init(
        _ user: any BusUser, kind: BusConnection.Kind = .plain, comesBack: Return = .always, firstPause: Int64 = 3_000_000_000,
        address: @escaping () -> String?
    ) {
        self.user = user
        self.kind = kind
        self.comesBack = comesBack
        self.address = address
        pauses = Pauses(first: firstPause)
        retryAt = 0
    }

    deinit { connection?.close() }

    // MARK: For the event loop

    package var descriptor: Int32 { connection?.descriptor ?? -1 }
    package var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    package var deadline: Int64? {
        guard let connection else { return retryAt }
        return [connection.deadline, user.due].compactMap(\.self).min()
    }

    package func process() {
        guard !isProcessing else { return }
        isProcessing = true
        interest.woke(at: Clocks.monotonicNanoseconds)
        if connection == nil, let moment = retryAt, moment <= Clocks.monotonicNanoseconds { connect() }
        if let connection {
            let isThere = connection.process(steps: 64) && connection.queued <= Self.mostQueued
            if !isReady, connection.isReady {
                (isReady, wasReady) = (true, true)
                pauses.reset()
                user.joined()
            }
            if !isThere {
                drop()
                wait()
            }
        }
        user.processed()
        isProcessing = false
        changed()
    }

    /// The loop has to wait for something else: something was sent, or is awaited.
    package func changed() {
        guard !isProcessing || connection == nil else { return }
        if interest.update(self) { onChange?() }
    }

    // MARK: Connecting

    /// Connects now, without waiting for the loop.
    package func connect() {
        retryAt = nil
        guard connection == nil else { return }
        guard let address = address(), let bus = BusConnection(address: address, kind: kind, handler: self) else { return wait() }
        connection = bus
        user.begins(bus)
    }

    /// Whether it is connected, or about to be.
    package var isConnecting: Bool { connection != nil }

    private func wait() {
        guard comesBack == .always || wasReady else { return user.gaveUp() }
        retryAt = Clocks.monotonicNanoseconds + pauses.take()
    }

    /// The loop stops watching before the descriptor is closed, because its number may be reused at once.
    private func drop() {
        guard let old = connection else { return }
        isReady = false
        pending = [:]
        user.lost()
        connection = nil
        changed()
        old.close()
    }

    /// Leaves the bus permanently. `onChange` is called once more.
    package func close() {
        drop()
        retryAt = nil
        wasReady = false
        changed()
    }

    // MARK: Calling

    /// Calls a method. `done` gets the reply, or an error when the time is over. It is not called if the connection is lost.
    ///
    /// - Parameters:
    ///   - timeout: in milliseconds.
    ///   - starts: whether the bus may start the program that owns the name.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, timeout: UInt64 = 10_000, starts: Bool = true,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        lastToken += 1
        pending[lastToken] = done
        let isSent =
            connection?.call(
                destination, path, interface, member, token: lastToken, timeout: timeout * 1000,
                {
                    if !starts { $0.startNothing() }
                    arguments(&$0)
                }) ?? false
        if !isSent { pending[lastToken] = nil }
    }

    /// Calls the bus itself.
    package func callBus(
        _ member: String, _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        call(Self.bus, "/org/freedesktop/DBus", Self.bus, member, arguments, done: done)
    }

    /// A wish for a name that another program may own. The numbers are the flags of the bus.
    package enum Claim: UInt32 {
        /// When the program that owns it ends, this one takes over.
        case inTurn = 0
        case ifFree = 4
        /// The same, and a program that asks later may take it.
        case lent = 5
    }

    /// Owns a name. `note` gets the reason why the bus refuses; `done` gets whether this program has the name, nil if the bus refuses.
    package func own(
        _ name: String, _ claim: Claim = .ifFree, note: @escaping (String) -> Void, done: @escaping (Bool?) -> Void = { _ in }
    ) {
        callBus(
            "RequestName",
            {
                $0.string(name)
                $0.uint32(claim.rawValue)
            }
        ) { answer in
            switch answer {
            case .success(let message):
                // It owns the name now, or did already. The others: it is in the queue, or the name is another's.
                let code = message.uint32()
                done(code == 1 || code == 4)
            case .failure(let error):
                note("cannot own the name \(name): \(error.text)")
                done(nil)
            }
        }
    }

    /// Hears when a name gets or loses its owner, in `BusUser.signal`; `ownerChange` reads it.
    package func watchOwner(of name: String) { connection?.match(Self.ownerRule(name)) }

    package static func ownerRule(_ name: String) -> String {
        "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(name)'"
    }

    /// The name whose owner changed and the new owner, "" for none; nil: another signal.
    package static func ownerChange(_ signal: Incoming) -> (name: String, owner: String)? {
        guard signal.sender == bus, signal.member == "NameOwnerChanged", let name = signal.string(), signal.string() != nil,
            let owner = signal.string()
        else { return nil }
        return (name, owner)
    }

    // MARK: BusHandler

    package func has(_ path: String, _ interface: String) -> Bool { user.has(path, interface) }
    package func method(_ call: Incoming) -> Int32 { user.method(call) }
    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        user.get(path, interface, property, &value)
    }
    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) { pending.removeValue(forKey: token)?(answer) }
    package func signal(_ signal: Incoming) { user.signal(signal) }
}

/// A bus user as the event loop sees it.
package protocol LinkedBus: FollowedBus, BusUser {
    var link: BusLink { get }
}

extension LinkedBus {
    package var descriptor: Int32 { link.descriptor }
    package var events: (read: Bool, write: Bool) { link.events }
    package var deadline: Int64? { link.deadline }
    package var onChange: (() -> Void)? {
        get { link.onChange }
        set { link.onChange = newValue }
    }
    package func process() { link.process() }
}
