import AudioSessions
import MessageBus

/// Sound on the session bus: media players (MPRIS) as events and commands, and `org.mullion.AudioSession1`, by which
/// apps declare sessions (docs/audio-api.md). It translates and keeps limits; who sounds is decided elsewhere.
///
/// Without a session bus it looks again now and then. Nothing waits; everything is called on one thread, and calls back
/// on it.
public final class AudioBus {
    /// What the event loop watches; -1 while there is no connection. A change is told by `onChange`, also when one
    /// connection follows on another: then it is -1 in between, before the old file is closed.
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    /// What the descriptor is watched for.
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }
    /// When `process` has to be called at the latest, in nanoseconds of CLOCK_MONOTONIC; nil: only for the descriptor.
    public var deadline: Int64? {
        // What was found out while something was told waits for the next turn.
        if !news.isEmpty { return 0 }
        return switch phase {
        case .closed: nil
        case .waiting(let moment): moment
        case .connecting: connection?.deadline
        case .ready: [connection?.deadline, players.deadline].compactMap(\.self).min()
        }
    }

    /// `descriptor`, `events` or `deadline` changed: watch anew. Do not call `process` from here.
    public var onChange: (() -> Void)?
    /// What came from the bus. Called from `process` alone.
    public var onEvent: (AudioEvent) -> Void = { _ in }
    /// Something that a person who looks for a fault should know.
    public var onNote: (String) -> Void = { _ in }

    /// The state as it is now, for who asks without having a session.
    public var summary: () -> AudioSummary = { AudioSummary() }

    /// What a session is now, and whether an app may open another.
    public var state: (SessionID) -> SessionState = { _ in .inactive }
    public var mayOpen: (AudioApp) -> Bool = { _ in true }

    /// The bus has taken the connection in.
    public var isConnected: Bool { phase == .ready }
    /// Somebody has a session: `show` has somebody to tell.
    public var hasSessions: Bool { !service.sessions.isEmpty }

    enum Phase: Equatable {
        case closed
        /// For the next attempt.
        case waiting(until: Int64)
        case connecting
        case ready
    }

    private(set) var phase = Phase.closed
    private(set) var connection: BusConnection?
    private(set) lazy var players = PlayerWatch(self)
    private(set) lazy var service = SessionService(self)
    /// Delivered after the messages that they came from.
    private var news: [AudioEvent] = []
    private var isLost = false
    private var pending: [UInt64: (Result<Incoming, BusError>) -> Void] = [:]
    private var lastToken: UInt64 = 0
    private var isProcessing = false
    private var told = LoopWish()
    private let environment: [String: String]

    private var pauses: Pauses
    /// CLOCK_MONOTONIC, in nanoseconds.
    var now: () -> Int64 = monotonicNow

    /// Begins to connect.
    /// - Parameters:
    ///   - environment: finds the bus: DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR.
    ///   - firstPause: the first of the pauses between attempts, in nanoseconds; each is twice as long as the one before.
    public init(environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        self.environment = environment
        pauses = Pauses(first: firstPause)
        begin()
        tell()
    }

    deinit { connection?.close() }

    /// To be called when the descriptor is ready as asked, or the deadline has come. Never waits.
    public func process() {
        guard !isProcessing else { return }
        isProcessing = true
        told.heed(at: now())
        if case .waiting(let moment) = phase, moment <= now() { begin() }
        if let connection, !connection.process(steps: 64) || isStuck { isLost = true }
        if phase == .connecting, connection?.isReady == true { join() }
        if phase == .ready { players.runDue() }
        if isLost { lose() }
        while !news.isEmpty { onEvent(news.removeFirst()) }
        isProcessing = false
        tell()
    }

    /// Carries out what concerns players and apps; the rest is not for it.
    public func perform(_ effect: AudioEffect) {
        switch effect {
        case .command(let player, let command): players.command(player, command)
        case .tell(let session, let notice): service.tell(session, notice)
        case .answer(let reply, let answer): service.answer(reply, answer)
        default: return
        }
        tell()
    }

    /// What apps can read of the state: route, volume, whether there is an input.
    public func show(_ summary: AudioSummary) {
        service.show(summary)
        tell()
    }

    /// Leaves the bus for good.
    public func close() {
        drop()
        phase = .closed
        news = []
        tell()
    }

    // MARK: For its parts

    func report(_ event: AudioEvent) { news.append(event) }

    /// Calls a method; the answer, or the error when none came in time, comes to `done`. It does not come any more when
    /// the connection is lost.
    /// - Parameter timeout: milliseconds.
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

    // MARK: The way to the bus

    /// A bus that takes nothing any more: rather begin anew than keep everything for it.
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

    /// The owner stops watching before the file is closed: its number may be given out again at once.
    private func drop() {
        guard let old = connection else { return }
        players.forgetAll()
        service.forgetAll()
        pending = [:]
        connection = nil
        tell()
        old.close()
    }

    private func tell() {
        guard !isProcessing || connection == nil else { return }
        if told.isNews(self) { onChange?() }
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
