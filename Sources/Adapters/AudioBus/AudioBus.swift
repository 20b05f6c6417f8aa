import AudioSessions
import Callers
import Clocks
import Geometry
import MessageBus

/// Audio on the session bus: media players (MPRIS) as events and commands, and `org.mullion.AudioSession1`, through
/// which apps declare sessions (docs/audio-api.md). It translates and enforces limits. Which app plays is decided
/// elsewhere.
///
/// Without a session bus it retries from time to time. It never blocks, and runs on one thread, callbacks included.
public final class AudioBus {
    /// Receives events. Called only from `process`.
    public var onEvent: (AudioEvent) -> Void = { _ in }
    /// Receives notes for troubleshooting.
    public var onNote: (String) -> Void = { _ in }

    /// Returns the current state, for clients that ask without a session.
    public var summary: () -> AudioSummary = { AudioSummary() }

    /// Returns the current state of a session.
    public var state: (SessionID) -> SessionState = { _ in .inactive }
    public var mayOpen: (AudioApp) -> Bool = { _ in true }
    /// Returns the owner whose quotas a process uses (P-06). By default each process is its own owner.
    public var owner: (Int32) -> Owner = { .program("\($0)") }

    /// Whether the bus accepted the connection.
    public var isConnected: Bool { link.isReady }
    /// Whether any session exists that `show` can notify.
    public var hasSessions: Bool { !service.sessions.isEmpty }
    /// Whether the shell serves feedback for programs.
    public var servesFeedback: Bool { feedback.isServing }

    package private(set) lazy var link = BusLink(self, firstPause: firstPause) { [environment] in BusAddress.session(environment) }
    var connection: BusConnection? { link.connection }
    private(set) lazy var players = PlayerWatch(self)
    private(set) lazy var service = SessionService(self)
    private(set) lazy var feedback = FeedbackService(self)
    private(set) lazy var callers = AudioCallers(self)
    /// The things that each owner holds, counted against its quotas (P-06).
    var holdings = Holdings()
    private var rates = Rates()
    /// Delivered after the messages that caused them.
    private var news: [AudioEvent] = []
    private let environment: [String: String]

    private let firstPause: Int64
    /// CLOCK_MONOTONIC, in nanoseconds.
    var now: () -> Int64 = { Clocks.monotonicNanoseconds }

    /// Starts connecting.
    /// - Parameters:
    ///   - environment: locates the bus by DBUS_SESSION_BUS_ADDRESS or XDG_RUNTIME_DIR.
    ///   - firstPause: nanoseconds before the second attempt. Each further pause is twice as long.
    public init(environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        self.environment = environment
        self.firstPause = firstPause
        link.connect()
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
        feedback.show(summary)
        reportChange()
    }

    /// Leaves the bus permanently.
    public func close() {
        link.close()
        news = []
    }

    // MARK: Internal interface

    func report(_ event: AudioEvent) { news.append(event) }

    /// Whether an owner may do this once more now.
    func takes(_ rate: Rate, _ owner: Owner) -> Bool { rates.take(rate, for: owner, at: Moment(nanoseconds: now())) }

    /// Calls a method. `done` gets the reply, or an error on timeout. It is not called if the connection is lost.
    /// - Parameter timeout: in milliseconds.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, timeout: UInt64,
        _ arguments: (inout Outgoing) -> Void = { _ in }, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        link.call(destination, path, interface, member, timeout: timeout, arguments, done: done)
    }

    func callBus(
        _ member: String, _ argument: String, done: @escaping (Result<Incoming, BusError>) -> Void
    ) {
        link.callBus(member, { if !argument.isEmpty { $0.string(argument) } }, done: done)
    }

    enum Names { static let bus = BusLink.bus }

    private func reportChange() { link.changed() }
}

extension AudioBus: LinkedBus {
    package func begins(_ bus: BusConnection) {
        service.export(on: bus)
        feedback.export(on: bus)
    }

    package func joined() {
        players.start()
        service.start()
        feedback.start()
    }

    package func lost() {
        players.forgetAll()
        service.forgetAll()
        feedback.forgetAll()
        callers.forgetAll()
    }

    package func processed() {
        if link.isReady { players.runDue() }
        while !news.isEmpty { onEvent(news.removeFirst()) }
    }

    /// Events that are found during a callback are delivered in the next turn.
    package var due: Int64? { news.isEmpty ? link.isReady ? players.deadline : nil : 0 }

    package func has(_ path: String, _ interface: String) -> Bool {
        interface == FeedbackService.name ? path == FeedbackService.path : service.has(path, interface)
    }

    package func method(_ call: Incoming) -> Int32 {
        call.interface == FeedbackService.name ? feedback.method(call) : service.method(call)
    }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        if interface == FeedbackService.name { feedback.get(&value) } else { service.get(path, property, &value) }
    }

    package func signal(_ signal: Incoming) {
        switch signal.interface {
        case Names.bus where signal.member == "NameOwnerChanged" && signal.sender == Names.bus:
            guard let name = signal.string(), let old = signal.string(), let new = signal.string() else { return }
            if name.hasPrefix(PlayerWatch.prefix) {
                players.ownerChanged(name, old: old, new: new)
            } else if name == FeedbackService.name {
                feedback.ownerChanged(new)
            } else if new.isEmpty {
                service.clientGone(name)
                callers.gone(name)
            }
        case "org.freedesktop.DBus.Properties" where signal.member == "PropertiesChanged":
            players.propertiesChanged(signal)
        case PlayerWatch.player where signal.member == "Seeked":
            players.seeked(signal)
        default: break
        }
    }
}
