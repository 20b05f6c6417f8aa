import Geometry
import OrderedCollections
import Windows

/// The life of apps: which run, finish a task, are frozen, or are ended for lack of memory (S-03 to S-06, S-08, S-13).
///
/// The state changes at once. A freeze takes the adapter some time; its report arrives as an event. `System` says which
/// windows exist and are in sight. This module knows a process only by its number.
public struct Lifecycle: Hashable, Codable, Sendable {
    public internal(set) var apps: OrderedDictionary<AppProcess, AppLife> = [:]
    public internal(set) var tasks: OrderedDictionary<TaskID, BackgroundTask> = [:]
    public internal(set) var rules: LifecycleRules
    public internal(set) var preferences: LifecyclePreferences
    /// The names, in lower case, by which the desktop database knows games. A game is paused as soon as a person leaves it (S-05).
    public internal(set) var games: Set<String> = []
    var appOfWindow: [WindowID: AppProcess] = [:]
    /// The processes that offered state, in the order in which they are asked. A process need not have a window yet.
    var savers: OrderedDictionary<StateID, AppProcess> = [:]
    /// When to ask for state that has changed since the last request.
    var changed: [StateID: Moment] = [:]
    /// Every app was asked for its state; the shell waits for answers until this moment.
    var savingAll: Moment?
    var nextToken: UInt32 = 1
    /// The Now Playing app, which is not ended for lack of memory.
    var nowPlaying: AppProcess?
    /// The adapter looks how much memory is wanted.
    var watchesMemory = false
    var lastWait: MemoryWait?
    /// Grows with each window that comes to the front, so that apps can be put in the order of their last use.
    var clock: UInt64 = 0
    /// The moment that the timer is set to; nil if it is off.
    var alarm: Moment?
    /// Apps that end again and again on their own state.
    public internal(set) var crashes = StateCrashes()
    /// The machine is about to be switched off: no app is frozen.
    var isEnding = false
    /// In the order of their arrival.
    var inhibitors: OrderedDictionary<InhibitorID, Inhibitor> = [:]
    /// The apps that a person allowed, by a portal, to run in the background.
    var allowed: Set<String> = []
    /// The programs that take part in the end of the session.
    var sessionClients: OrderedDictionary<SessionClientID, SessionOwner> = [:]
    /// The log-out in progress.
    var logOut: LogOut?
    /// While there is a log-out: apps whose windows say that they have unsaved work (M-10).
    var unsaved: [LogOutObjection] = []

    public init(rules: LifecycleRules = LifecycleRules(), preferences: LifecyclePreferences = LifecyclePreferences()) {
        self.rules = rules
        self.preferences = preferences
    }

    /// The consequences of a change. Effects are in the order in which the adapter must carry them out.
    struct Turn {
        var effects: [LifecycleEffect] = []
        /// Apps whose sound ends before the shell freezes them.
        var silenced: [AppProcess] = []
        /// Apps whose sound may resume.
        var unsilenced: [AppProcess] = []
        /// The new setting of the timer: a moment, or off.
        var alarm: Moment??
        /// Whether the session ends now.
        var leaves = false
        /// Whether the machine need not wait any more before it is switched off.
        var isReady = false
        /// Whether windows have to be asked to close; `windowsAsked` follows.
        var asksWindows = false
        /// Whether apps are told to end: the arrangement is as a person left it for the last time.
        var endsSession = false
        let now: Moment

        init(at now: Moment) { self.now = now }
    }

    var grace: Double { preferences.grace ?? rules.grace }
    var freezes: Bool { rules.freezesHidden && preferences.freezes && !isEnding && logOut == nil }

    // MARK: Reading

    /// The session or the machine is about to end: programs end because they are asked to.
    public var isLeaving: Bool { isEnding || logOut != nil }

    public func app(of window: WindowID) -> AppProcess? { appOfWindow[window] }

    /// Whether the window's app is frozen or about to be.
    public func isFrozen(_ window: WindowID) -> Bool {
        guard let id = appOfWindow[window], let app = apps[id] else { return false }
        return app.isSuspended && app.state != .ending
    }

    /// Windows of apps that are frozen or about to end. The shell sends their clients nothing: they read nothing, and the
    /// connection would break once its buffer is full.
    public var suspendedWindows: [WindowID] { apps.values.lazy.filter(\.isSuspended).flatMap(\.windows) }

    /// Why the app runs out of sight; empty if the app is in sight or only its grace period keeps it running.
    public func reasons(_ id: AppProcess) -> [AwakeReason] {
        guard let index = apps.index(forKey: id) else { return [] }
        // By index, because to copy an app costs more than to find that it has no reason.
        let all = apps.values.elements
        var reasons = all[index].isStopped ? [] : all[index].reasons
        for task in tasks.values where task.app == id && !task.isExpired {
            reasons.append(.task(task.id, name: task.name, progress: task.progress))
        }
        for inhibitor in inhibitors.values where inhibitor.isWork && isOwner(id, inhibitor.owner) {
            reasons.append(.inhibits(inhibitor.id, reason: inhibitor.reason))
        }
        if all[index].awakeUntil != nil { reasons.append(.called) }
        if allowed.contains(all[index].trustedName) { reasons.append(.allowed) }
        if preferences.kept.contains(all[index].name) { reasons.append(.kept) }
        if let failure = all[index].failure { reasons.append(.failed(failure)) }
        return reasons
    }

    public func phase(_ id: AppProcess) -> AppPhase? {
        guard let app = apps[id] else { return nil }
        switch app.state {
        case .running: return app.isActive ? .active : app.isInSight ? .inactive : .background
        case .saving: return .saving
        case .quiet, .freezing: return .freezing
        case .frozen, .ending: return .frozen
        }
    }

    // MARK: Windows

    /// A window of the app was mapped.
    ///
    /// - Parameter trusted: the app's id where trust follows from it, as for the name of its scope, by which portals know it.
    ///   nil: `name`.
    mutating func windowCame(_ window: WindowID, of id: AppProcess, name: String, trusted: String? = nil, _ turn: inout Turn) {
        if let before = appOfWindow[window], before != id { windowWent(window, &turn) }
        appOfWindow[window] = id
        if apps[id] == nil {
            apps[id] = AppLife(name: name, trusted: trusted ?? name, since: turn.now)
            turn.effects.append(.adopt(id, app: trusted ?? name))
        }
        if !apps[id]!.windows.contains(window) { apps[id]!.windows.append(window) }
        review(id, &turn)
        if apps[id]!.windows.count == 1 { reviewOwners(&turn) }
        if logOut != nil { noteQuestion(window, of: id, &turn) }
    }

    /// A program was launched. It gets a scope at once, before it has a window.
    func launched(_ id: AppProcess, name: String, _ turn: inout Turn) { turn.effects.append(.adopt(id, app: name)) }

    mutating func windowWent(_ window: WindowID, _ turn: inout Turn) {
        guard let id = appOfWindow.removeValue(forKey: window), apps[id] != nil else { return }
        apps[id]!.windows.removeAll { $0 == window }
        if apps[id]!.windows.isEmpty {
            // The purpose of a program without windows is unknown, so it runs.
            wake(id, &turn)
            for task in tasks.values where task.app == id { tasks[task.id] = nil }
            apps[id] = nil
            reviewOwners(&turn)
            finish(&turn)
            setAlarm(&turn)
        } else {
            review(id, &turn)
        }
    }

    /// Sets the windows that people see, and the active one.
    mutating func seen(_ windows: [WindowID], active: WindowID?, _ turn: inout Turn) {
        var seen: Set<AppProcess> = []
        for window in windows { if let id = appOfWindow[window] { seen.insert(id) } }
        let front = active.flatMap { appOfWindow[$0] }
        for (index, id) in apps.keys.enumerated() {
            let isInSight = seen.contains(id), isActive = front == id
            // By index, because `apps[id]` copies all that is known of the app, and to change it there costs even more.
            let wasInSight = apps.values.elements[index].isInSight
            guard wasInSight != isInSight || apps.values.elements[index].isActive != isActive else { continue }
            if isInSight {
                apps.values[index].saved = []
                apps.values[index].isStopped = false
            }
            apps.values[index].isInSight = isInSight
            apps.values[index].isActive = isActive
            // A frozen app learns its new state when it is thawed.
            if wasInSight != isInSight, !apps.values[index].isFrozen {
                turn.effects.append(.standing(id, isInSight ? .inSight : .background))
            }
            if isActive {
                clock += 1
                apps.values[index].lastUse = clock
            }
            if wasInSight, !isInSight {
                // The app may never run again (S-13).
                askForState(id, &turn)
                beginTaskTime(of: id, &turn)
            }
            review(id, &turn)
        }
    }

    /// Sets the reasons that follow from sound and from Picture in Picture; apps that are not named have none.
    /// `nowPlaying`: the app whose sound a person can resume, audible or not.
    mutating func setReasons(_ reasons: [AppProcess: [AwakeReason]], nowPlaying: AppProcess? = nil, _ turn: inout Turn) {
        self.nowPlaying = nowPlaying
        for id in apps.keys where apps[id]!.reasons != reasons[id] ?? [] {
            apps[id]!.reasons = reasons[id] ?? []
            review(id, &turn)
        }
    }

    /// Sets the windows with open X11 menus. Their apps are not frozen before these are gone: a menu grabs the pointer and the keyboard
    /// from every X11 program.
    mutating func setMenus(_ windows: [WindowID], _ turn: inout Turn) {
        let open = Set(windows.compactMap { appOfWindow[$0] })
        for (index, id) in apps.keys.enumerated() where apps.values.elements[index].hasMenu != open.contains(id) {
            apps.values[index].hasMenu.toggle()
            review(id, &turn)
        }
    }

    /// The person stops the app's sound, recording, call or Picture in Picture out of sight, or takes back what they allowed: it is
    /// frozen without the grace period, unless it has another reason to run. Returns false if no app of this name runs for such
    /// a reason.
    mutating func stop(app name: String, _ turn: inout Turn) -> Bool {
        let wasAllowed = allowed.remove(name) != nil
        if wasAllowed { turn.effects.append(.forbidBackground(name)) }
        var isAny = wasAllowed
        for (id, app) in apps where app.name == name && !app.isInSight && (wasAllowed || !app.isStopped && !app.reasons.isEmpty) {
            isAny = true
            apps[id]!.isStopped = true
            if reasons(id).isEmpty { apps[id]!.idleSince = turn.now + -grace }
            review(id, &turn)
        }
        return isAny
    }

    mutating func configure(_ rules: LifecycleRules, _ preferences: LifecyclePreferences, _ turn: inout Turn) {
        guard rules != self.rules || preferences != self.preferences else { return }
        self.rules = rules
        self.preferences = preferences
        for id in apps.keys { review(id, &turn) }
    }

    /// Keeps the app awake for a while because it is needed: by a call on a bus, a media key, or a second start of it.
    mutating func needed(_ id: AppProcess, for seconds: Double? = nil, _ turn: inout Turn) {
        guard apps[id] != nil else { return }
        let until = turn.now + (seconds ?? rules.callPatience)
        apps[id]!.awakeUntil = max(apps[id]!.awakeUntil ?? until, until)
        review(id, &turn)
    }

    /// The same for every app with this id.
    mutating func needed(app name: String, _ turn: inout Turn) {
        for id in apps.keys where apps[id]!.name == name { needed(id, &turn) }
    }

    // MARK: Apps that crash on their own state

    /// A program of this app ended. Returns whether to ask the person about its state.
    mutating func programEnded(of app: String, inOrder: Bool, after seconds: Double) -> Bool {
        crashes.ended(app, inOrder: inOrder, after: seconds, rules)
    }

    mutating func withholdState(from app: String) { crashes.withhold(from: app) }

    // MARK: Events

    mutating func handle(_ event: LifecycleEvent, _ turn: inout Turn) {
        switch event {
        case .frozen(let id):
            guard apps[id]?.state == .freezing else { return }
            apps[id]!.state = .frozen(since: turn.now)
            turn.effects.append(.standing(id, .frozen))
        case .freezeFailed(let id, let reason):
            guard let app = apps[id], app.isSuspended, app.state != .ending else { return }
            apps[id]!.failure = reason
            apps[id]!.state = .running
            apps[id]!.idleSince = nil
            // Thaw whatever part of it was frozen.
            turn.effects.append(.thaw(id))
            turn.unsilenced.append(id)
            apps[id]!.retryAt = turn.now + rules.retry
            setAlarm(&turn)
        case .connectionFills(let id): needed(id, for: rules.drain, &turn)
        case .called(let id), .connected(let id, _): needed(id, &turn)
        // A person causes it, and rarely, so every frozen app may be woken.
        case .notificationUsed: for id in apps.keys where apps[id]!.isSuspended { needed(id, &turn) }
        case .memoryPressure(let pressure): relieve(pressure, &turn)
        case .memoryWaited(let some, let full): noteWait(some: some, full: full, &turn)
        case .stateOffered(let state, let app): offer(state, of: app, &turn)
        case .stateWithdrawn(let state): withdraw(state, &turn)
        case .stateChanged(let state): noteChange(state, &turn)
        case .stateGiven(let app): crashes.restored(app)
        case .instanceBegan(let app, let hasState): crashes.began(app, hasState: hasState)
        case .stateSaved(let state, let token): answered(state, token, .saved, &turn)
        case .stateMissing(let state, let token): answered(state, token, .nothing, &turn)
        case .stateLost(let state, let token): answered(state, token, .lost, &turn)
        case .saveAll: saveAll(&turn)
        case .taskBegan(let id, let app, let name): beginTask(id, of: app, name, &turn)
        case .taskAdvanced(let id, let progress): advanceTask(id, to: progress, &turn)
        case .taskEnded(let id), .taskFinished(let id, _): endTask(id, &turn)
        case .backgroundAllowed(let apps):
            allowed = Set(apps)
            for id in self.apps.keys { review(id, &turn) }
        case .inhibited(let inhibitor): inhibit(inhibitor, &turn)
        case .uninhibited(let id): uninhibit(id, &turn)
        case .clientRegistered(let id, let owner): sessionClients[id] = owner
        case .clientLeft(let id): clientLeft(id)
        case .clientAnswered(let id, let objection): clientAnswered(id, objection: objection, &turn)
        }
        finish(&turn)
    }

    /// Updates the state that follows from any change.
    mutating func finish(_ turn: inout Turn) {
        reviewSaveAll(&turn)
        reviewLogOut(&turn)
        tellWatch(&turn)
    }

    /// The timer has run out.
    mutating func alarmRang(_ turn: inout Turn) {
        alarm = nil
        for id in tasks.keys { reviewTask(id, &turn) }
        for id in apps.keys { review(id, &turn) }
        askForChanges(&turn)
        finish(&turn)
        setAlarm(&turn)
    }
}
