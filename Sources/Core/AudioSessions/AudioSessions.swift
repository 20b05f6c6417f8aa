import Geometry
import Rooms

/// Decides which sound is audible, how loud, and on which device: all audio rules as one value. An event changes the state
/// and returns effects. It never touches a sound server or reads a clock.
public struct AudioSessions: Room {
    /// The idiom's rules for sound.
    public internal(set) var rules: SoundRules
    public internal(set) var preferences: AudioPreferences

    var sessions = Table<SessionID, Session>()
    var streams = Table<StreamID, Stream>()
    var players = Table<PlayerID, Player>()
    var apps = Table<AppRef, AppEntry>()
    var appsByProcess: [Int32: AppRef] = [:]
    var appsByName: [String: [AppRef]] = [:]
    var presences: [AudioPresence] = []
    /// Keyed in lower case by the ids and programs of apps.
    var categories: [String: [String]] = [:]
    /// The number of apps with an audible session that does not mix.
    var primaryApps = 0

    var nextApp: AppRef = 0
    var nextImplied = SessionID.firstImplied
    /// Incremented with every activation and all audible playback, so that "newer" and "most recent" need no clock.
    var clock: UInt64 = 0

    var routing = Routing()
    var volumes = Volumes()
    var isServerRunning = false
    var isSilenced = false
    /// The device has a switch for that.
    var hasSilenceSwitch = false
    var isCoverClosed = false
    var isLocked = false
    /// The machine sleeps, or is about to.
    var isAsleep = false
    var isMicrophoneMuted = false
    /// The app that was Now Playing at the last check (V-07).
    var playingApp: AppRef?
    var volumeViewOf: SessionID?
    /// The time of the user's last wish to play, per app. Sound that starts soon afterwards counts as started by the user.
    var startedByPerson: [AppRef: Moment] = [:]
    /// The last pause by a press.
    var pausedByPress: PressedPause?

    /// The apps whose ringing a person silenced, and until when the next sound counts as the same one.
    var quieted: [String: Moment] = [:]

    /// When the bell last rang.
    var rangAt: Moment?
    /// Keys of on-screen keyboards.
    var keyClicks = KeyClicks()

    /// Pending deadlines, and the last report about them.
    var shownUntil: Moment?
    var settlesAt: Moment?
    var toldTimers: [AudioTimer: Moment] = [:]
    /// Until when streams that stop count as running, because a new session manager sets them up.
    var heldUntil: Moment?
    var waitingForFade = Deadlines()
    var waitingForPlayers = Deadlines()
    var fallingHints = Deadlines()

    public init(rules: SoundRules = SoundRules(), preferences: AudioPreferences = AudioPreferences()) {
        self.rules = rules
        self.preferences = preferences
    }

    /// The handling of one event.
    struct Turn {
        let now: Moment
        var effects: [AudioEffect] = []
        /// Sessions whose streams may need another level or route.
        var dirty: [SessionID] = []
        /// Streams that just started. Their level applies at once.
        var started: [StreamID] = []
        /// Whether ducks by sessions that no longer sound have to be removed.
        var hasStaleDucks = false
        /// Whether another app started or stopped being audible without mixing.
        var hasNewHints = false

        /// Reserves space for notifications to this many sessions at once.
        mutating func makeRoom(for count: Int) {
            effects.reserveCapacity(effects.count + count + 1)
            dirty.reserveCapacity(dirty.count + count)
        }
    }

    public mutating func handle(_ event: AudioEvent, in context: Void = (), at now: Moment) -> [AudioEffect] {
        var turn = Turn(now: now)
        switch event {
        case .serverChanged(let isRunning): serverChanged(isRunning, &turn)
        case .devicesChanged(let outputs, let inputs): devicesChanged(outputs, inputs, &turn)
        case .outputLevelChanged(let port, let level, let isMuted): levelWasChanged(port, level, isMuted, &turn)
        case .streamAppeared(let id, let facts), .streamChanged(let id, let facts): streamIs(id, facts, &turn)
        case .streamGone(let id): streamGone(id, &turn)
        case .streamsSetUpAnew: holdStreams(&turn)
        case .categoriesChanged(let categories): setCategories(categories, &turn)
        case .playerAppeared(let id, let facts), .playerChanged(let id, let facts): playerIs(id, facts, &turn)
        case .playerGone(let id): playerGone(id, &turn)
        case .sessionOpened(let id, let app): open(id, app, &turn)
        case .sessionAsked(let id, let request, let reply):
            turn.effects.append(.answer(reply, answer(id, request, &turn)))
        case .sessionClosed(let id): close(id, &turn)
        case .appsInSight(let presences): see(presences, &turn)
        case .appFreezing(let app): freeze(app, &turn)
        case .appThawed(let app): thaw(app, &turn)
        case .windowClosed(let app): windowClosed(app, &turn)
        case .silenced(let isSilenced):
            hasSilenceSwitch = true
            silence(isSilenced, &turn)
        case .restored(let choices): restore(choices, &turn)
        case .coverClosed(let isClosed): cover(isClosed, &turn)
        case .screenLocked(let isLocked): lock(isLocked, &turn)
        case .goesToSleep: goToSleep(&turn)
        case .wokeUp: wakeUp(&turn)
        case .configured(let preferences): configure(preferences, &turn)
        case .rulesChanged(let new): follow(new, &turn)
        case .action(let action): perform(action, &turn)
        case .systemSound(let name, let kind): systemSound(name, kind, &turn)
        case .bellRung: ring(&turn)
        case .keyTyped(let program, let asks): keyTyped(program, asks: asks, &turn)
        case .feedbackAsked(let event, let program): feedbackAsked(event, program, &turn)
        case .feedbackServedElsewhere(let isElsewhere): keyClicks.isServedElsewhere = isElsewhere
        case .timer(let timer): fired(timer, &turn)
        }
        reconcileStreams(&turn)
        tellTimers(&turn)
        return turn.effects
    }

    /// Another idiom begins: every session may be louder, quieter or silent by its rules.
    private mutating func follow(_ new: SoundRules, _ turn: inout Turn) {
        guard new != rules else { return }
        rules = new
        routeMayBeChosen(&turn)
        turn.dirty += sessions.keys
    }

    // MARK: Effects for streams

    /// Sends the new state of every changed session to its streams. Sends only differences.
    mutating func reconcileStreams(_ turn: inout Turn) {
        if turn.hasStaleDucks { sweepDucks(&turn) }
        defer { if turn.hasNewHints { tellHints(&turn) } }
        if rules.ducksOutOfFocus { lookAtPlaying(&turn) }
        listen(&turn)
        guard !turn.dirty.isEmpty else { return }
        var dirty: [SessionID] = []
        swap(&dirty, &turn.dirty)
        for id in dirty {
            guard let index = sessions.index(forKey: id), let entry = apps.index(forKey: sessions.values[index].app) else { continue }
            count(index, entry, &turn)
            let streams = sessions.values[index].streams
            guard !streams.isEmpty else { continue }
            let session = sessions.values[index].traits
            let standing = apps.values[entry].standing
            let isConnected = isConnected(session, standing)
            let output = Stream.LastSent(
                volume: volume(of: session, entry), duck: duckGain(of: session, standing), fade: isSilent(session, standing) ? 0 : 1,
                isConnected: isConnected)
            let input = Stream.LastSent(volume: 1, duck: 1, fade: 1, isConnected: isConnected && mayRecord(session))
            // An app that declares its session says itself when it ends.
            let endsInSilence = session.id.isImplied && session.kind.endsInSilence
            for stream in streams { measure(stream, endsInSilence, &turn) }
            for stream in streams { tell(stream, output, input, isHushed: session.isHushed, &turn) }
        }
    }

    private mutating func measure(_ id: StreamID, _ endsInSilence: Bool, _ turn: inout Turn) {
        guard let index = streams.index(forKey: id) else { return }
        let facts = streams.values[index].facts, isWanted = endsInSilence && facts.direction == .output && facts.isRunning
        guard streams.values[index].isMeasured != isWanted else { return }
        streams.values[index].isMeasured = isWanted
        turn.effects.append(.measure(id, isWanted))
    }

    /// The volume from apps and the user's choices. `entry` is the index of the session's app.
    @inline(__always)
    func volume(of session: Session.Traits, _ entry: Int?) -> Double {
        volumes.gain(of: session.kind.volumeClass) * appGain(of: session, entry)
    }

    @inline(__always)
    private func appGain(of session: Session.Traits, _ entry: Int?) -> Double {
        let own = Volumes.gain(session.level)
        guard !volumes.apps.isEmpty, let entry, let chosen = volumes.apps[apps.values[entry].app.id] else { return own }
        return own * Volumes.gain(chosen)
    }

    private mutating func tell(_ id: StreamID, _ output: Stream.LastSent, _ input: Stream.LastSent, isHushed: Bool, _ turn: inout Turn) {
        guard let index = streams.index(forKey: id) else { return }
        let before = streams.values[index].lastSent
        let now = streams.values[index].facts.direction == .output ? output : input
        guard now != before else { return }
        streams.values[index].lastSent = now
        if before?.isConnected ?? false, !now.isConnected { turn.effects.append(.connect(id, false)) }
        if before?.gain != now.gain {
            let ramp = before.map { Self.ramp(from: $0, to: now) } ?? 0
            let isNew = turn.started.contains(id) || !(before?.isConnected ?? false)
            turn.effects.append(.level(id, gain: now.gain, ramp: isNew && now.fade <= (before?.fade ?? 1) || isHushed ? 0 : ramp))
        }
        if now.isConnected, !(before?.isConnected ?? false) { turn.effects.append(.connect(id, true)) }
        if before == nil, !now.isConnected { turn.effects.append(.connect(id, false)) }
    }

    /// Seconds from one level to the next: the slowest of all changes.
    private static func ramp(from: Stream.LastSent, to: Stream.LastSent) -> Double {
        if to.fade < from.fade { return Ramp.fadeOut }
        if to.fade > from.fade { return Ramp.fadeIn }
        if to.duck < from.duck { return Ramp.duckDown }
        if to.duck > from.duck { return Ramp.duckUp }
        return Ramp.volume
    }

    /// The five factors of a stream. nil if there is no such stream, or it belongs to no session.
    public func factors(of stream: StreamID) -> AudioFactors? {
        guard let stream = streams[stream], let id = stream.session, let session = sessions[id]?.traits else { return nil }
        let entry = apps.index(forKey: session.app)
        let standing = entry.map { apps.values[$0].standing }
        return AudioFactors(
            route: routing.outputGain, volumeClass: volumes.gain(of: session.kind.volumeClass), app: appGain(of: session, entry),
            duck: duckGain(of: session, standing), fade: isSilent(session, standing) ? 0 : 1)
    }

    // MARK: Timers

    private mutating func fired(_ timer: AudioTimer, _ turn: inout Turn) {
        toldTimers[timer] = nil
        switch timer {
        case .fade: fadesEnded(&turn)
        case .deafPlayer: playersHadTime(&turn)
        case .volumeShown: if let until = shownUntil, until <= turn.now { hideVolume() }
        case .hintsFell: hintsFell(&turn)
        case .streamsSetUp: if let until = heldUntil, until <= turn.now { letStreamsGo(&turn) }
        case .routeSettled: if let at = settlesAt, at <= turn.now { routeSettled(&turn) }
        }
    }

    private mutating func tellTimers(_ turn: inout Turn) {
        tell(.fade, waitingForFade.first, &turn)
        tell(.deafPlayer, waitingForPlayers.first, &turn)
        tell(.volumeShown, shownUntil, &turn)
        tell(.routeSettled, settlesAt, &turn)
        tell(.hintsFell, fallingHints.first, &turn)
        tell(.streamsSetUp, heldUntil, &turn)
    }

    private mutating func tell(_ timer: AudioTimer, _ moment: Moment?, _ turn: inout Turn) {
        guard toldTimers[timer] != moment else { return }
        toldTimers[timer] = moment
        turn.effects.append(moment.map { .startTimer(timer, at: $0) } ?? .stopTimer(timer))
    }
}

/// Durations of level changes in seconds (table 1b, figures).
public enum Ramp {
    public static let duckDown = 0.25
    public static let duckUp = 0.5
    public static let fadeOut = 0.15
    public static let fadeIn = 0.5
    /// The user moves a slider.
    public static let volume = 0.03
}

/// Choices of the user or the device's maker in the configuration.
public struct AudioPreferences: Hashable, Codable, Sendable {
    /// The kinds of apps' sound, which override the apps' own declarations. The first rule that names an app counts,
    /// ignoring case.
    public var rules: [Rule] = []
    /// Sandboxed apps that may sound alarms (category `alarm`). Other apps always may, because nothing can prevent
    /// them.
    public var alarmApps: [String] = ["org.gnome.clocks", "org.kde.kclock"]
    /// Sandboxed apps that may ring (category `ringer`, incoming calls).
    public var ringerApps: [String] = ["org.gnome.Calls"]
    /// Whether the keys of on-screen keyboards click.
    public var keyClicks = true

    public struct Rule: Hashable, Codable, Sendable {
        /// The app's name in `mullion ctl audio`.
        public var app: String
        public var kind: SoundKind

        public init(app: String, kind: SoundKind) {
            self.app = app
            self.kind = kind
        }
    }

    public init() {}

    func kind(of app: AudioApp) -> SoundKind? {
        guard !rules.isEmpty, !app.id.isEmpty else { return nil }
        let name = app.id.lowercased()
        return rules.first { $0.app.lowercased() == name }?.kind
    }
}
