import AudioSessions
import MessageBus

/// Audio on the session bus: media players (MPRIS) as events and commands, and `org.mullion.AudioSession1`, through
/// which apps declare sessions (docs/audio-api.md). It translates and enforces limits. Which app plays is decided
/// elsewhere.
///
/// Without a session bus it retries from time to time. It never blocks, and runs on one thread, callbacks included.
public final class AudioBus {
    /// The descriptor for the event loop; -1 without a connection. `onChange` reports each change. When a new
    /// connection replaces an old one, the value is -1 in between, before the old descriptor is closed.
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    /// What to watch the descriptor for.
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    /// The latest time for the next call of `process`, in nanoseconds of CLOCK_MONOTONIC. nil: only when the
    /// descriptor is ready.
    public var deadline: Int64? {
        // Events found during a callback are delivered in the next turn.
        if !news.isEmpty { return 0 }
        return switch phase {
        case .closed: nil
        case .waiting(let moment): moment
        case .connecting: connection?.deadline
        case .ready: [connection?.deadline, players.deadline].compactMap(\.self).min()
        }
    }

    /// `descriptor`, `events` or `deadline` changed, so update the watch. Do not call `process` from here.
    public var onChange: (() -> Void)?
    /// Receives events. Called only from `process`.
    public var onEvent: (AudioEvent) -> Void = { _ in }
    /// Receives notes for troubleshooting.
    public var onNote: (String) -> Void = { _ in }

    /// Returns the current state, for clients that ask without a session.
    public var summary: () -> AudioSummary = { AudioSummary() }

    /// Returns the current state of a session.
    public var state: (SessionID) -> SessionState = { _ in .inactive }
    public var mayOpen: (AudioApp) -> Bool = { _ in true }

    /// Whether the bus accepted the connection.
    public var isConnected: Bool { phase == .ready }
    /// Whether any session exists that `show` can notify.
    public var hasSessions: Bool { !service.sessions.isEmpty }

    enum Phase: Equatable {
        case closed
        /// Waiting for the next attempt.
        case waiting(until: Int64)
        case connecting
        case ready
    }

    private(set) var phase = Phase.closed
    private(set) var connection: BusConnection?
    private(set) lazy var players = PlayerWatch(self)
    private(set) lazy var service = SessionService(self)
    /// Delivered after the messages that caused them.
    private var news: [AudioEvent] = []
    private var isLost = false
    private var pending: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var lastToken: UInt64 = 0
    private var isProcessing = false
    private var lastInterest = LoopInterest()
    private let environment: [String: String]

    private var pauses: Pauses
    /// CLOCK_MONOTONIC, in nanoseconds.
    var now: () -> Int64 = monotonicNow

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
        lastInterest.woke(at: now())
        if case .waiting(let moment) = phase, moment <= now() { begin() }
        if let connection, !connection.process(steps: 64) || isStuck { isLost = true }
        if phase == .connecting, connection?.isReady == true { join() }
        if phase == .ready { players.runDue() }
        if isLost { lose() }
        while !news.isEmpty { onEvent(news.removeFirst()) }
        isProcessing = false
        reportChange()
    }

    /// Carries out effects that concern players and apps. Ignores others.
    public func perform(_ effect: AudioEffect) {
        switch effect {
        case .command(let player, let command): players.command(player, command)
        case .tell(let session, let notice): service.tell(session, notice)
        case .answer(let reply, let answer): service.answer(reply, answer)
        default: return
        }
        reportChange()
    }

    /// Publishes the state that apps can read: route, volume, and whether there is an input.
    public func show(_ summary: AudioSummary) {
        service.show(summary)
        reportChange()
    }

    /// Leaves the bus permanently.
    public func close() {
        drop()
        phase = .closed
        news = []
        reportChange()
    }

    // MARK: Internal interface

    func report(_ event: AudioEvent) { news.append(event) }

    /// Calls a method. `done` gets the reply, or an error on timeout. It is not called if the connection is lost.
    /// - Parameter timeout: in milliseconds.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, timeout: UInt64,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        lastToken += 1
        pending[lastToken] = done
        let isSent = connection?.call(
            destination, path, interface, member, token: lastToken, timeout: timeout * 1000, arguments) ?? false
        if !isSent { pending[lastToken] = nil }
    }

    func callBus(
        _ member: String, _ argument: String, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        call(Names.bus, "/org/freedesktop/DBus", Names.bus, member, timeout: 10_000, {
            if !argument.isEmpty { $0.string(argument) }
        }, done: done)
    }

    enum Names { static let bus = "org.freedesktop.DBus" }

    // MARK: Connecting

    /// Whether the bus no longer reads. Reconnecting is better than queueing without limit.
    private var isStuck: Bool { (connection?.queued ?? 0) > 8192 }

    private func begin() {
        guard let address = BusAddress.session(environment),
              let bus = BusConnection(address: address, handler: self)
        else { return wait() }
        connection = bus
        phase = .connecting
        service.export(on: bus)
    }

    private func join() {
        phase = .ready
        pauses.reset()
        players.start()
        service.start()
    }

    private func lose() {
        isLost = false
        guard phase != .closed else { return }
        drop()
        wait()
    }

    private func wait() { phase = .waiting(until: now() + pauses.take()) }

    /// The owner stops watching before the descriptor is closed, because its number may be reused at once.
    private func drop() {
        guard let old = connection else { return }
        players.forgetAll()
        service.forgetAll()
        pending = [:]
        connection = nil
        reportChange()
        old.close()
    }

    private func reportChange() {
        guard !isProcessing || connection == nil else { return }
        if lastInterest.update(self) { onChange?() }
    }
}

extension AudioBus: FollowedBus, BusHandler {
    package func has(_ path: String, _ interface: String) -> Bool { service.has(path, interface) }

    package func method(_ call: Incoming) -> Int32 { service.method(call) }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        service.get(path, property, &value)
    }

    package func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming) {}

    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        pending.removeValue(forKey: token)?(answer)
    }

    package func signal(_ signal: Incoming) {
        switch signal.interface {
        case Names.bus where signal.member == "NameOwnerChanged" && signal.sender == Names.bus:
            guard let name = signal.string(), let old = signal.string(), let new = signal.string() else { return }
            if name.hasPrefix(PlayerWatch.prefix) {
                players.ownerChanged(name, old: old, new: new)
            } else if new.isEmpty {
                service.clientGone(name)
            }
        case "org.freedesktop.DBus.Properties" where signal.member == "PropertiesChanged":
            players.propertiesChanged(signal)
        case PlayerWatch.player where signal.member == "Seeked":
            players.seeked(signal)
        default: break
        }
    }
}
