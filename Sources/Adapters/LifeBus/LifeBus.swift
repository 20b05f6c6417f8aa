import LifeService
import Lifecycle
import MessageBus
import Modality

/// `org.mullion.Life1` on the session bus: what apps see of their life, for toolkits and scripts without Wayland
/// (docs/life-api.md). It translates, identifies programs and enforces limits; `LifeHost` decides.
///
/// Without a session bus it retries from time to time. It never blocks, and runs on one thread, callbacks included.
public final class LifeBus {
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    public var deadline: Int64? {
        switch phase {
        case .closed: nil
        case .waiting(let moment): moment
        case .connecting, .ready: connection?.deadline
        }
    }

    public var onChange: (() -> Void)?
    /// Receives notes for troubleshooting.
    public var onNote: (String) -> Void = { _ in }
    /// Answers for the shell. Without it every call is refused.
    public weak var host: (any LifeHost)?
    /// Answers for the session manager. Without it there is none.
    public weak var sessionHost: (any SessionHost)?

    /// Called when the shell owns its names on the bus, or cannot get them.
    public var onServing: () -> Void = {}
    public private(set) var isServing = false
    public var isConnecting: Bool { phase == .connecting || phase == .ready }

    /// Shows views. Without it every request for a view is refused.
    public weak var viewHost: (any ViewHost)?

    /// Who shows files. Without it every request for that is refused.
    public weak var fileHost: (any FileHost)?

    /// Shows activity views. Without it every request for one is refused.
    public weak var shareHost: (any ShareHost)?

    /// Whether the bus accepted the connection.
    public var isConnected: Bool { phase == .ready }

    private enum Phase: Equatable {
        case closed
        /// Waiting for the next attempt.
        case waiting(until: Int64)
        case connecting
        case ready
    }

    private var phase = Phase.closed
    private(set) var connection: BusConnection?
    private lazy var service = LifeBusService(self)
    private var pending: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var lastToken: UInt64 = 0
    private var isProcessing = false
    private var lastInterest = LoopInterest()
    private var pauses: Pauses
    private let environment: [String: String]

    /// Starts connecting.
    /// - Parameters:
    ///   - environment: locates the bus by DBUS_SESSION_BUS_ADDRESS or XDG_RUNTIME_DIR.
    ///   - firstPause: nanoseconds before the second attempt. Each further pause is twice as long.
    public init(environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        self.environment = environment
        pauses = Pauses(first: firstPause)
        begin()
        reportChange()
    }

    deinit { connection?.close() }

    /// Call when the descriptor is ready or the deadline has passed. Never blocks.
    public func process() {
        guard !isProcessing else { return }
        isProcessing = true
        lastInterest.woke(at: monotonicNow())
        if case .waiting(let moment) = phase, moment <= monotonicNow() { begin() }
        var isLost = false
        if let connection { isLost = !connection.process(steps: 64) || connection.queued > 8192 }
        if phase == .connecting, connection?.isReady == true {
            phase = .ready
            pauses.reset()
            service.start()
        }
        if isLost {
            drop()
            wait()
        }
        isProcessing = false
        reportChange()
    }

    // MARK: What the shell tells

    /// A person ended what a program asked for.
    public func inhibitorEnded(_ id: InhibitorID) { service.sessions.remove(id) }

    /// Asks a program whether the session may end. It answers through `SessionHost.clientAnswered`.
    public func queryEnd(_ id: SessionClientID) { service.sessions.emit(id, "QueryEndSession", flags: 0) }
    public func endSession(_ id: SessionClientID, isForced: Bool) { service.sessions.emit(id, "EndSession", flags: isForced ? 1 : 0) }
    public func cancelEnd(_ id: SessionClientID) { service.sessions.emit(id, "CancelEndSession", flags: nil) }
    /// Reports how a view ended.
    public func viewAnswered(_ id: ModalID, _ answer: ModalAnswer) {
        if !service.portals.answered(id, answer) { service.views.answered(id, answer) }
    }
    /// A person stopped an app that portals allow to run in the background.
    public func forbidBackground(_ app: String) { service.permissions.forbid(app) }
    public func sessionEnds() { service.sessions.sessionEnds() }

    func serves() {
        isServing = true
        onServing()
    }

    /// Leaves the bus permanently. Clients of the session manager are told to end; their inhibitors are not withdrawn.
    public func close() {
        service.sessions.stop()
        sessionHost = nil
        drop()
        phase = .closed
        reportChange()
    }

    private func begin() {
        guard let address = BusAddress.session(environment), let bus = BusConnection(address: address, kind: .takesFiles, handler: self) else { return wait() }
        connection = bus
        phase = .connecting
        service.export(on: bus)
    }

    private func wait() { phase = .waiting(until: monotonicNow() + pauses.take()) }

    /// The owner stops watching before the descriptor is closed, because its number may be reused at once.
    private func drop() {
        guard let old = connection else { return }
        isServing = false
        service.forgetAll()
        pending = [:]
        connection = nil
        reportChange()
        old.close()
    }

    /// Updates what the event loop has to wait for after something was sent or is awaited.
    func reportChange() {
        guard !isProcessing || connection == nil else { return }
        if lastInterest.update(self) { onChange?() }
    }

    /// - Parameter timeout: in milliseconds.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, timeout: UInt64 = 10_000,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        lastToken += 1
        pending[lastToken] = done
        let isSent = connection?.call(
            destination, path, interface, member, token: lastToken, timeout: timeout * 1000, arguments) ?? false
        if !isSent { pending[lastToken] = nil }
    }

    func callBus(
        _ member: String, _ arguments: (inout Outgoing) -> Void, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        call(Self.bus, "/org/freedesktop/DBus", Self.bus, member, arguments, done: done)
    }

    static let bus = "org.freedesktop.DBus"
}

extension LifeBus: FollowedBus, BusHandler {
    package func has(_ path: String, _ interface: String) -> Bool {
        switch interface {
        case LifeBusService.interface: path == LifeBusService.path
        case ViewService.name: path == ViewService.path
        case let interface where PortalService.serves(interface): service.portals.has(path, interface)
        default: service.sessions.has(path, interface)
        }
    }
    package func method(_ call: Incoming) -> Int32 { service.method(call) }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        if interface.hasPrefix("org.mullion.") { value.uint32(1) } else { service.sessions.get(property, &value) }
    }

    package func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming) {}

    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        pending.removeValue(forKey: token)?(answer)
    }

    package func signal(_ signal: Incoming) {
        guard !service.permissions.hears(signal) else { return }
        guard signal.sender == Self.bus, signal.member == "NameOwnerChanged", let name = signal.string(),
              signal.string() != nil, signal.string() == ""
        else { return }
        service.clientGone(name)
    }
}
