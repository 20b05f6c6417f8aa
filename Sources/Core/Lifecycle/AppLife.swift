import Geometry
import Windows

/// The state of one app's life.
public struct AppLife: Hashable, Codable, Sendable {
    enum State: Hashable, Codable, Sendable {
        case running
        /// The app was asked for its state; the shell waits for the answer until this moment.
        case saving(until: Moment)
        /// The app's sound has ended; the sound server has until this moment to release it.
        case quiet(until: Moment)
        /// The adapter was asked to freeze the app.
        case freezing
        case frozen(since: Moment)
        /// The app was killed for lack of memory; its windows are about to be unmapped.
        case ending
    }

    /// The app's id, as its window says it. Two apps may have the same one.
    public let name: String
    /// The id that trust follows, if it differs from `name`; "" for a sandbox without a vouched name.
    private let vouched: String?
    /// The id where trust follows from it.
    public var trustedName: String { vouched ?? name }
    public internal(set) var windows: [WindowID] = []
    public internal(set) var isInSight = false
    public internal(set) var isActive = false
    var state = State.running
    /// When the app went out of sight without a reason to run.
    var idleSince: Moment?
    /// Reasons from sound, recording, calls and Picture in Picture.
    var reasons: [AwakeReason] = []
    /// A person stopped it: those reasons count again when it has been in sight.
    var isStopped = false
    /// The app is needed until this moment.
    var awakeUntil: Moment?
    /// A menu of it is open that may hold the input of all X11 programs: frozen, it would never give it back.
    var hasMenu = false
    /// Why the app could not be frozen.
    var failure: String?
    var retryAt: Moment?
    /// The unanswered requests for state.
    var saves: [StateID: SaveToken] = [:]
    /// The state that it handed over since it was last in sight, unless newer state followed.
    var saved: Set<StateID> = []
    /// When it last was the active app; larger is later.
    public internal(set) var lastUse: UInt64 = 0
    /// How many seconds its tasks ran out of sight in this period, and when the period began.
    var taskSeconds = 0.0
    var periodBegan: Moment

    init(name: String, trusted: String, since: Moment) {
        self.name = name
        vouched = trusted == name ? nil : trusted
        periodBegan = since
    }

    var isFrozen: Bool { if case .frozen = state { true } else { false } }

    /// Whether the app can be asked for its state: its sound has not ended yet.
    var canHandOver: Bool {
        switch state {
        case .running, .saving: true
        case .quiet, .freezing, .frozen, .ending: false
        }
    }

    /// Whether the app's processes are stopped, or may be at any moment.
    public var isSuspended: Bool {
        switch state {
        case .freezing, .frozen, .ending: true
        case .running, .saving, .quiet: false
        }
    }
}
