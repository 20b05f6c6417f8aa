import Geometry

/// The cause of an interruption.
enum Cause: Hashable, Codable, Sendable {
    case session(SessionID)
    /// Its app went out of sight (S-05).
    case background
    /// The built-in microphone is covered.
    case cover
    /// The machine sleeps.
    case sleep
    /// The private output that it sounded on was unplugged.
    case routeLost
    /// A person has not chosen yet where it is heard.
    case routeChoice
}

struct Loss: Hashable, Codable, Sendable {
    enum Kind: String, Hashable, Codable, Sendable {
        case resumable, nonresumable
        /// Does not resume, unless the cause deactivates and notifies others.
        case unlessNotified
        /// For games: resumes in any case.
        case automatic
        /// For microphones: only its app may open it again.
        case forGood

        var isWorst: Bool { self == .nonresumable || self == .forGood }
    }

    var cause: Cause
    var kind: Kind
}

struct Duck: Hashable, Codable, Sendable {
    enum Strength: String, CaseIterable, Hashable, Codable, Sendable {
        case light, strong, silent

        /// -14 dB, -35 dB.
        var gain: Double {
            switch self {
            case .light: 0.199_526_231_496_887_97
            case .strong: 0.017_782_794_100_389_23
            case .silent: 0
            }
        }
    }

    var by: SessionID
    var strength: Strength
}

/// One interruption of a session, from begin to end. It may have several causes in the meantime.
struct Interruption: Hashable, Codable, Sendable {
    var reason: InterruptionReason
    var began: Moment
    /// Whether it was playing when the interruption began.
    var wasPlaying: Bool
    /// The worst loss counts until the end.
    var isNonresumable = false
    /// The user paused it in the meantime, which takes precedence.
    var isPausedByPerson = false
    /// The private output on which it would resume was unplugged in the meantime.
    var lostRoute = false
    /// When the fade ends and its players are paused.
    var fadeEnds: Moment?
    /// When players that did not react to a pause count as deaf.
    var deafAt: Moment?
    /// Players that were playing and were asked to pause.
    var players: [PlayerID] = []
    /// Whether its streams are disconnected from the output.
    var isDisconnected = false
}

/// An audio session: declared by an app, or implied by the streams of an app that declares nothing.
struct Session: Hashable, Codable, Sendable {
    enum State: String, Hashable, Codable, Sendable {
        case inactive, active, interrupted
        /// Its streams run, but are silent until they restart or the session is activated.
        case barred
    }

    // Fields that every decision reads come first, so that reading a hundred sessions touches few cache lines.
    let id: SessionID
    var app: AppRef
    /// The order of its last activation; higher is newer.
    var order: UInt64 = 0
    var options: Options = []
    var kind: SoundKind
    var category = Category.soloAmbient
    var mode = Mode.standard
    var call: CallState?
    var state = State.inactive
    var status: PlaybackStatus?
    /// The hint that was sent last.
    var hint = false
    /// Other apps fell silent. If this lasts, the session is told.
    var isHintFalling = false
    var countsAsPrimary = false
    var hasBeenHeard = false
    /// Silenced for a moment after a route was lost, without being notified.
    var isHushed = false
    /// A person silenced it while it rang.
    var isQuieted = false
    /// Inaudible although active, as of the last check (`AudioSessions.isUnheard`). It lowers and pauses nothing.
    var isUnheard = false
    /// It was barred and not activated since. Its streams stay disconnected until it may play.
    var isHeldBack = false
    var losses: [Loss] = []
    var ducks: [Duck] = []
    var streams: [StreamID] = []
    var interruption: Interruption?
    /// The number of interruption events sent (law 4: both are equal unless one is in progress).
    var begun = 0
    var ended = 0
    /// When it was last audible; higher is later.
    var lastPlayed: UInt64 = 0
    /// The app's own level, 0 to 1, cubic.
    var level = 1.0

    var commands: Set<RemoteCommand.Name> = []
    var skipForward: Double?
    var skipBackward: Double?
    var info: NowPlayingInfo?
    var infoSince = Moment.zero
    /// The status that was requested since its last report.
    var asked: PlaybackStatus?
    var preferredInput: PortID?
    var stoppedRunning = Moment.zero
    /// An implied session whose streams record for an unknown purpose.
    var capturesOnly = false
    /// Barred after its output was unplugged, and without a player that the user could resume. It continues on the
    /// next private output.
    var waitsForRoute = false
    /// Whether it was audible when its app was frozen.
    var wasHeardBeforeFreeze = false

    var isDeclared: Bool { !id.isImplied }
    var mixes: Bool { traits.mixes }

    /// All properties that decide about audibility and level, small enough to be copied a thousand times.
    struct Traits {
        var id: SessionID
        var app: AppRef
        var kind: SoundKind
        var state: State
        var order: UInt64
        var options: Options
        var category: Category
        var call: CallState?
        var isHushed: Bool
        var isUnheard: Bool
        var isHeldBack: Bool
        /// The interruption disconnected its streams.
        var isDisconnected: Bool
        var duckGain: Double
        /// The app's own level, 0 to 1, cubic.
        var level: Double

        var isDeclared: Bool { !id.isImplied }
        var mixes: Bool {
            guard !id.isImplied else { return kind.mixes }
            return category == .ambient || !options.isDisjoint(with: .mixing)
        }

        var usesInput: Bool { isDeclared ? category.behaviour.hasInput : kind == .recording }
    }

    // The following run for a hundred sessions in place, so they are inlined. A call or a closure (such as the right
    // side of `&&`) would copy the session with everything it refers to.

    var traits: Traits {
        @inline(__always) get {
            Traits(
                id: id, app: app, kind: kind, state: state, order: order, options: options, category: category, call: call,
                isHushed: isHushed || (isQuieted && (kind == .callRinging || kind == .alarm)), isUnheard: isUnheard, isHeldBack: isHeldBack,
                isDisconnected: interruption?.isDisconnected ?? false,
                duckGain: duckGain, level: level)
        }
    }

    /// Whether it may duck others, by its kind or its options.
    var mayDuck: Bool {
        @inline(__always) get {
            if options.contains(.duckOthers) { return true }
            return switch kind {
            case .prompt, .alarm, .callRinging, .callActive, .recording, .notification, .screenReader: true
            default: false
            }
        }
    }

    var duckGain: Double {
        @inline(__always) get {
            var gain = 1.0
            for duck in ducks { gain = min(gain, duck.strength.gain) }
            return gain
        }
    }

    var usesInput: Bool { traits.usesInput }

    /// Adds a cause, or changes the kind of an existing one.
    mutating func add(_ loss: Loss) {
        if let known = losses.firstIndex(where: { $0.cause == loss.cause }) { losses[known] = loss } else { losses.append(loss) }
    }

    /// Removes a cause. Returns nil if it was not set.
    mutating func take(_ cause: Cause) -> Loss? {
        losses.firstIndex { $0.cause == cause }.map { losses.remove(at: $0) }
    }

    mutating func begin(_ new: consuming Interruption) {
        state = .interrupted
        begun += 1
        interruption = new
    }

    /// Returns true if players were asked to pause and have time until `patience`. Otherwise its streams are
    /// disconnected.
    mutating func fadeIsOver(deafAt patience: Moment) -> Bool {
        guard var now = interruption.take() else { return false }
        now.fadeEnds = nil
        if now.players.isEmpty { now.isDisconnected = true } else { now.deafAt = patience }
        interruption = now
        return !now.players.isEmpty
    }

    /// Ends and returns the interruption; nil if there was none.
    mutating func endInterruption() -> Interruption? {
        guard let old = interruption.take() else { return nil }
        ended += 1
        return old
    }

    mutating func duck(by other: SessionID, _ strength: Duck.Strength?) -> Bool {
        let place = ducks.firstIndex { $0.by == other }
        switch (place, strength) {
        case (nil, nil): return false
        case (nil, let strength?): ducks.append(Duck(by: other, strength: strength))
        case (let place?, nil): ducks.remove(at: place)
        case (let place?, let strength?):
            if ducks[place].strength == strength { return false }
            ducks[place].strength = strength
        }
        return true
    }
}

/// A stream, and the last state that was sent to it.
struct Stream: Hashable, Codable, Sendable {
    struct LastSent: Hashable, Codable, Sendable {
        var volume: Double
        var duck: Double
        var fade: Double
        var isConnected: Bool

        var gain: Double { volume * duck * fade }
    }

    let id: StreamID
    var facts: StreamFacts
    var app: AppRef
    var session: SessionID?
    var lastSent: LastSent?
    /// Whether the adapter measures it.
    var isMeasured = false

    /// Whether it ran when a new session manager came, which sets it up anew.
    var isHeld = false

    /// Whether it runs, its own app does not hold it back, and it is not known to be silent.
    var isAudible: Bool { (facts.isRunning || isHeld) && !facts.isMuted && !facts.isSilent }
}

struct Player: Hashable, Codable, Sendable {
    let id: PlayerID
    var facts: PlayerFacts
    var app: AppRef
    var lastPlayed: UInt64 = 0
    /// When its position was reported.
    var since = Moment.zero
    /// The status that was requested since its last report.
    var asked: PlaybackStatus?
}

/// The five factors of a stream's loudness, stored separately. The audible result is their product.
public struct AudioFactors: Hashable, Codable, Sendable {
    /// The output's: the system volume.
    public var route: Double
    /// The ringer's, alarm's or call's.
    public var volumeClass: Double
    /// The app's: the user's choice and its own.
    public var app: Double
    public var duck: Double
    public var fade: Double

    public init(route: Double = 1, volumeClass: Double = 1, app: Double = 1, duck: Double = 1, fade: Double = 1) {
        self.route = route
        self.volumeClass = volumeClass
        self.app = app
        self.duck = duck
        self.fade = fade
    }

    /// The stream's own gain: everything but the output's.
    public var belowRoute: Double { volumeClass * app * duck * fade }
}
