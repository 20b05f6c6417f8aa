import Geometry

/// Why a session is lost: who or what took its sound.
enum Cause: Hashable, Codable, Sendable {
    case session(SessionID)
    /// Its app went out of sight (S-05).
    case background
    /// The built-in microphone is covered.
    case cover
    /// The private output that it sounded on was unplugged.
    case routeLost
}

struct Loss: Hashable, Codable, Sendable {
    enum Kind: String, Hashable, Codable, Sendable {
        case resumable, nonresumable
        /// Nonresumable, unless who caused it leaves and notifies others.
        case unlessNotified
        /// A game's: it resumes in any case.
        case automatic
        /// A microphone's: never opened again by anybody but its app.
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

/// One interruption of a session, from its begin to its end, however many lost it the sound meanwhile.
struct Interruption: Hashable, Codable, Sendable {
    var reason: InterruptionReason
    var began: Moment
    /// It was heard when the interruption began.
    var wasPlaying: Bool
    /// The worst loss is kept until the end.
    var isNonresumable = false
    /// A person paused it meanwhile; that wins.
    var isPausedByPerson = false
    /// The private output that it would have gone on by was unplugged meanwhile.
    var lostRoute = false
    /// When its sound has faded and its players are paused.
    var fadeEnds: Moment?
    /// When players that were asked to pause are believed to be deaf.
    var deafAt: Moment?
    /// Players that were playing and were asked to pause.
    var players: [PlayerID] = []
    /// Its streams reach no output.
    var isDisconnected = false
}

/// An audio session: declared by an app, or standing for the streams of one that declares nothing.
struct Session: Hashable, Codable, Sendable {
    enum State: String, Hashable, Codable, Sendable {
        case inactive, active, interrupted
        /// Its streams run, but may not sound until they start anew or the session is activated.
        case barred
    }

    // What every decision looks at comes first: a hundred sessions are read from few lines of the processor's memory.
    let id: SessionID
    var app: AppRef
    /// Of its last activation; the higher, the newer.
    var order: UInt64 = 0
    var options: Options = []
    var kind: SoundKind
    var category = Category.soloAmbient
    var mode = Mode.standard
    var call: CallState?
    var state = State.inactive
    var status: PlaybackStatus?
    /// What was told last.
    var hint = false
    /// The others are not heard any more, which it is told if it stays so.
    var isHintFalling = false
    var countsAsPrimary = false
    var hasBeenHeard = false
    /// Held silent for a moment after a route was lost; it was told nothing.
    var isHushed = false
    /// It was barred and has not been activated since: its streams stay disconnected until it may sound.
    var isHeldBack = false
    var losses: [Loss] = []
    var ducks: [Duck] = []
    var streams: [StreamID] = []
    var interruption: Interruption?
    /// Interruptions told (law 4: both are equal while none is going on).
    var begun = 0
    var ended = 0
    /// Of the last time that it was heard; the higher, the later.
    var lastPlayed: UInt64 = 0
    /// Of the app itself, 0 to 1, cubic.
    var level = 1.0

    var commands: Set<RemoteCommand.Name> = []
    var skipForward: Double?
    var skipBackward: Double?
    var info: NowPlayingInfo?
    var infoSince = Moment.zero
    /// What it was asked for since it said last what it does.
    var asked: PlaybackStatus?
    var preferredInput: PortID?
    var stoppedRunning = Moment.zero
    /// It stands for streams that record and of which nothing is known.
    var capturesOnly = false
    /// Barred after its output was unplugged, without anybody who could play it again: it goes on when the person
    /// listens in private again.
    var waitsForRoute = false
    /// It was heard when its app was frozen.
    var wasHeardBeforeFreeze = false

    var isDeclared: Bool { !id.isImplied }
    var mixes: Bool { traits.mixes }

    /// All that decides who is heard, and how loud, small enough to be copied a thousand times.
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
        var isHeldBack: Bool
        /// Its interruption took its streams off the output.
        var isDisconnected: Bool
        var duckGain: Double
        /// Of the app itself, 0 to 1, cubic.
        var level: Double

        var isDeclared: Bool { !id.isImplied }
        var mixes: Bool {
            guard !id.isImplied else { return kind.mixes }
            return category == .ambient || !options.isDisjoint(with: .mixing)
        }

        var usesInput: Bool { isDeclared ? category.behaviour.hasInput : kind == .recording }
    }

    // What follows is asked of a hundred sessions in their places and so inlined: for a call, or for a closure (`&&` with
    // one of its parts behind it), the session would be copied first, with all that it refers to.

    var traits: Traits {
        @inline(__always) get {
            Traits(
                id: id, app: app, kind: kind, state: state, order: order, options: options, category: category, call: call,
                isHushed: isHushed, isHeldBack: isHeldBack, isDisconnected: interruption?.isDisconnected ?? false,
                duckGain: duckGain, level: level)
        }
    }

    /// It may lower others, by its kind or by its options.
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

    /// One more cause, or another kind of one that is known.
    mutating func add(_ loss: Loss) {
        if let known = losses.firstIndex(where: { $0.cause == loss.cause }) { losses[known] = loss } else { losses.append(loss) }
    }

    /// One cause is gone; nil if it was none.
    mutating func take(_ cause: Cause) -> Loss? {
        losses.firstIndex { $0.cause == cause }.map { losses.remove(at: $0) }
    }

    mutating func begin(_ new: consuming Interruption) {
        state = .interrupted
        begun += 1
        interruption = new
    }

    /// True if players were asked to pause and have time until `patience`; else its streams reach no output.
    mutating func fadeIsOver(deafAt patience: Moment) -> Bool {
        guard var now = interruption.take() else { return false }
        now.fadeEnds = nil
        if now.players.isEmpty { now.isDisconnected = true } else { now.deafAt = patience }
        interruption = now
        return !now.players.isEmpty
    }

    /// What the interruption was; nil if there was none.
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

/// One stream, and what was last told of it.
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

    /// Running and not held back by its own app.
    var isAudible: Bool { facts.isRunning && !facts.isMuted }
}

struct Player: Hashable, Codable, Sendable {
    let id: PlayerID
    var facts: PlayerFacts
    var app: AppRef
    var lastPlayed: UInt64 = 0
    /// When its position was said.
    var since = Moment.zero
    /// What it was asked for since it said last what it does.
    var asked: PlaybackStatus?
}

/// The five factors of a stream's loudness, each stored apart: what is heard is their product.
public struct AudioFactors: Hashable, Codable, Sendable {
    /// Of the output: the system volume.
    public var route: Double
    /// Of ringer, alarms and calls.
    public var volumeClass: Double
    /// Of the app: a person's choice and its own.
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

    /// What a stream's own gain is: all but the output's.
    public var belowRoute: Double { volumeClass * app * duck * fade }
}
