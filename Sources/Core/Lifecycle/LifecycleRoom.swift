import Geometry
import Rooms
import Windows

extension Lifecycle: Room {
    public enum Event {
        case outside(LifecycleEvent)
        case timeIsUp
        /// A program of this app was started.
        case launched(AppProcess, name: String)
        /// A window was mapped, unmapped, or closed while the session ends.
        case windowCame(WindowID, of: AppProcess, name: String, trusted: String?)
        case windowWent(WindowID)
        case windowClosed(WindowID)
        /// The windows in sight, and the active one.
        case seen([WindowID], active: WindowID?)
        /// Why hidden apps run, besides what they asked for themselves.
        case reasons([AppProcess: [AwakeReason]], nowPlaying: AppProcess?)
        /// Windows with open menus.
        case menus([WindowID])
        case configured(LifecycleRules, LifecyclePreferences)
        /// The apps that are games, by the names of programs and apps, in lower case.
        case games(Set<String>)
        /// A request is about to reach this process, or a process of this app.
        case needed(AppProcess)
        case neededApp(String)
        /// A person ends a task, an inhibitor, or what an app does out of sight.
        case taskEnded(TaskID)
        case inhibitorEnded(InhibitorID)
        case stopped(app: String)
        /// A person opens this app without its state.
        case stateWithheld(from: String)
        /// An app's program ended so many seconds after its start. `inOrder`: by itself, or because it was asked to.
        case appEnded(String, inOrder: Bool, after: Double)

        // The end of the session.
        case unsaved([LogOutObjection])
        case logOut(isForced: Bool, marked: [LogOutObjection])
        case logOutCancelled
        case shutsDown
        case staysOn
        /// The answer to `asksWindows`.
        case windowsAsked([(window: WindowID, app: SessionOwner)], programs: Set<AppProcess>)
        case programEnded(AppProcess)
    }

    public enum Outcome: Hashable, Sendable {
        case effect(LifecycleEffect)
        case timer(Moment?)
        /// The sound of an app ends before the app is frozen, or may resume.
        case silences(AppProcess)
        case unsilences(AppProcess)
        /// Apps are told to end: the arrangement is as a person left it for the last time.
        case keepsArrangement
        /// Windows have to be asked to close; `windowsAsked` follows.
        case asksWindows
        /// The session ends now.
        case leaves
        /// The machine need not wait any more before it is switched off.
        case isReady
        /// The app does nothing out of sight that could be stopped.
        case nothingToStop(app: String)
        /// The app ended on its own state several times (S-04).
        case crashes(app: String)
    }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        var turn = Turn(at: now)
        switch event {
        case .outside(let event): handle(event, &turn)
        case .timeIsUp: alarmRang(&turn)
        case .launched(let id, let name): launched(id, name: name, &turn)
        case .windowCame(let window, let id, let name, let trusted): windowCame(window, of: id, name: name, trusted: trusted, &turn)
        case .windowWent(let window): windowWent(window, &turn)
        case .windowClosed(let window): windowClosed(window, &turn)
        case .seen(let windows, let active): seen(windows, active: active, &turn)
        case .reasons(let reasons, let nowPlaying): setReasons(reasons, nowPlaying: nowPlaying, &turn)
        case .menus(let windows): setMenus(windows, &turn)
        case .configured(let rules, let preferences): configure(rules, preferences, &turn)
        case .games(let names): games = names
        case .needed(let id): needed(id, &turn)
        case .neededApp(let name): needed(app: name, &turn)
        case .taskEnded(let id): cancelTask(id, &turn)
        case .inhibitorEnded(let id): endInhibitor(id, &turn)
        case .stopped(let app): if !stop(app: app, &turn) { return outcomes(of: turn) + [.nothingToStop(app: app)] }
        case .stateWithheld(let app): withholdState(from: app)
        case .appEnded(let app, let inOrder, let seconds):
            return programEnded(of: app, inOrder: inOrder, after: seconds) ? [.crashes(app: app)] : []
        case .unsaved(let objections): setUnsaved(objections, &turn)
        case .logOut(let isForced, let marked): logOut(isForced: isForced, marked: marked, &turn)
        case .logOutCancelled: cancelLogOut(&turn)
        case .shutsDown: shutDown(&turn)
        case .staysOn: staysOn(&turn)
        case .windowsAsked(let windows, let programs): windowsAsked(windows, programs: programs, &turn)
        case .programEnded(let id): programEnded(id, &turn)
        }
        return outcomes(of: turn)
    }

    private func outcomes(of turn: Turn) -> [Outcome] {
        // The arrangement is kept before any window goes. Apps are thawed before their windows are asked to close.
        (turn.endsSession ? [.keepsArrangement] : []) + turn.effects.map(Outcome.effect) + turn.silenced.map(Outcome.silences)
            + turn.unsilenced.map(Outcome.unsilences) + (turn.alarm.map { [.timer($0)] } ?? []) + (turn.isReady ? [.isReady] : [])
            + (turn.leaves ? [.leaves] : []) + (turn.asksWindows ? [.asksWindows] : [])
    }

    public func violations(in context: Void) -> [String] { violations() }
}
