import Geometry
import Windows

/// What is known of one app's life.
public struct AppLife: Hashable, Codable, Sendable {
    enum State: Hashable, Codable, Sendable {
        case running
        /// It was asked for its state, which is waited for until then.
        case saving(until: Moment)
        /// Its sound has ended; the sound server lets go of it until then.
        case quiet(until: Moment)
        /// The adapter was asked to freeze it.
        case freezing
        case frozen(since: Moment)
        /// It was killed for want of memory, and its windows are about to go.
        case ending
    }

    /// The app's id; two apps may have the same.
    public let name: String
    public internal(set) var windows: [WindowID] = []
    public internal(set) var isInSight = false
    public internal(set) var isActive = false
    var state = State.running
    /// Since when it is out of sight without a reason to run.
    var idleSince: Moment?
    /// Sound, recording, calls and Picture in Picture.
    var reasons: [AwakeReason] = []
    /// Somebody needs it until then.
    var awakeUntil: Moment?
    /// Why it could not be frozen.
    var failure: String?
    var retryAt: Moment?
    /// The requests for state that are not answered yet.
    var saves: [StateID: SaveToken] = [:]
    /// It was asked for its state before it was frozen, and did not answer in time.
    var hasUnsavedState = false
    /// When it last was the active app; larger is later.
    public internal(set) var lastUse: UInt64 = 0
    /// Seconds that its tasks took out of sight in this period, and when the period began.
    var taskSeconds = 0.0
    var periodBegan: Moment

    init(name: String, since: Moment) {
        self.name = name
        periodBegan = since
    }

    var isFrozen: Bool { if case .frozen = state { true } else { false } }

    /// It can be asked for its state: it is not silent already.
    var canHandOver: Bool {
        switch state {
        case .running, .saving: true
        case .quiet, .freezing, .frozen, .ending: false
        }
    }

    /// Its processes stand still, or may do so at any moment.
    public var isStill: Bool {
        switch state {
        case .freezing, .frozen, .ending: true
        case .running, .saving, .quiet: false
        }
    }
}
