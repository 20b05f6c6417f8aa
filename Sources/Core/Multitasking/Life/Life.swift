import AudioSessions
import Geometry
import Lifecycle
import Status
import Windows

/// The life of apps in relation to windows and sound (S-03, S-06, S-08).
///
/// `Lifecycle` decides which apps run. This room tells it which windows are in sight and which apps are audible, silences
/// an app before it is frozen, and marks the windows of frozen apps, which get no configure.
struct Life: Hashable, Codable, Sendable {
    private(set) var lifecycle: Lifecycle
    /// The facts that `Lifecycle` got last; nil if windows were mapped or unmapped since.
    private var sight: Sight?
    /// The windows that the screen knows to belong to frozen apps.
    private var suspended: Set<WindowID> = []
    /// Set while the machine waits for the shell before it sleeps or is switched off.
    var preparation: Preparation?

    /// Whether a person sees which apps object to the end of the session, or saw it until they closed that view.
    var isLogOutShown = false
    /// The arrangement before the end of the session closed windows; nil while no end is near.
    var keptForNext: KeptArrangement?
    /// The next step of the machine once the session has ended.
    private(set) var afterwards: DeviceSetting?

    var pictureTimes = PictureTimes()
    /// Audio events that sound has not received yet.
    private var owedToSound: [AudioEvent] = []
    /// Windows whose client ended without closing them, until they are gone.
    private var abandoned: Set<WindowID> = []
    /// Placeholders of programs that ended out of sight, by the program. It may turn out that they ended in order.
    private var left: [AppProcess: [WindowID]] = [:]
    /// Programs that the shell started, until they and their windows are gone.
    private var started: Set<AppProcess> = []
    /// Programs that ended in order and whose windows are about to go.
    private var ended: Set<AppProcess> = []
    /// The command, directory and process with which apps were started, as far as an adapter could find them.
    private var programs: [AppProcess: Program] = [:]

    private struct Program: Hashable, Codable, Sendable {
        var command: [String]
        var directory: String?
        var process: KeptProcess?
    }

    /// The reasons for which apps run. Comparing them avoids work while they stay the same.
    private struct Sight: Hashable, Codable, Sendable {
        var shown: [WindowID] = []
        var active: WindowID?
        var sound: UInt64 = 0
        var stashed: WindowID?
        /// Prompts that stand where a person does not look.
        var prompts: [WindowID]?
        /// Windows with open X11 menus.
        var menus: [WindowID] = []
    }

    init(idiom: Idiom, preferences: LifecyclePreferences) {
        lifecycle = Lifecycle(rules: idiom.life, preferences: preferences)
    }

    // MARK: Events of apps

    mutating func handle(_ event: LifecycleEvent, for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if case .taskFinished(let id, let text) = event, let task = lifecycle.telling(id),
            let window = lifecycle.apps[task.app]?.windows.first(where: { screenful.workspace[$0] != nil })
        {
            turn.ask(.jobEnded(task.name, text, by: window))
        }
        change([.outside(event)], &screenful, at: now, &turn)
        if case .connected(let app, let callers) = event { comeForward(app, for: callers, &screenful, at: now) }
    }

    /// A program that a person just started called an app by a socket, as `geany FILE` does: the person wants to see that app (W-19).
    private func comeForward(_ app: AppProcess, for callers: [Int32], _ screenful: inout Screenful, at now: Moment) {
        let isAPersons = screenful.workspace.launches.fresh(at: now).contains { $0.process.map(callers.contains) ?? false }
        guard isAPersons, !screenful.isLocked else { return }
        let windows = lifecycle.apps[app]?.windows.compactMap { screenful.workspace[$0] } ?? []
        guard
            let last = windows.filter({ screenful.workspace.root(of: $0.id) == $0.id && !$0.facts.isSplash }).max(by: {
                $0.lastFocus < $1.lastFocus
            })
        else { return }
        try? screenful.show(last.id, at: now)
    }

    /// The desktop database changed. By the names of programs and apps, in lower case.
    mutating func categoriesChanged(_ categories: [String: [String]]) {
        _ = lifecycle.handle(.games(Set(categories.filter { $0.value.contains("Game") }.keys)), in: (), at: .zero)
    }

    mutating func alarmRang(for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        change([.timeIsUp], &screenful, at: now, &turn)
    }

    mutating func launched(_ process: Int32, app: String, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        started.insert(AppProcess(process))
        change([.launched(AppProcess(process), name: app)], &screenful, at: now, &turn)
    }

    /// A window was mapped: from now on `Lifecycle` tracks its app.
    mutating func windowComes(_ id: WindowID, to screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let window = screenful.workspace[id], window.isMapped else { return }
        let launches = Set(screenful.workspace.launches.all.compactMap(\.process))
        // By index and without key paths, because a hundred windows may come at once.
        let all = screenful.workspace.windows.values.elements
        var clients: Set<Int32> = []
        // The program that shows a splash starts the app itself: both are one app, or it would be frozen as soon as the splash is behind.
        for index in all.indices where all[index].isMapped && all[index].id != id && !all[index].facts.isSplash {
            if let client = all[index].facts.lineage.first, window.facts.lineage.contains(client) { clients.insert(client) }
        }
        guard let app = AppProcess.of(lineage: window.facts.lineage, launches: launches, clients: clients) else { return }
        sight = nil
        let trusted = screenful.workspace.trustedApp(of: id)
        change([.windowCame(id, of: app, name: window.app, trusted: trusted)], &screenful, at: now, &turn)
    }

    /// A busy X server says late whose a window is, perhaps after the app was frozen for its other windows, which are hidden (S-03).
    mutating func windowRenamed(_ id: WindowID, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard lifecycle.app(of: id) == nil, !(screenful.workspace[id]?.facts.lineage.isEmpty ?? true) else { return }
        windowComes(id, to: &screenful, at: now, &turn)
    }

    mutating func windowLeaves(_ id: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        abandoned.remove(id)
        // Last, because an app whose last window closes is not told to end.
        defer { if lifecycle.isLoggingOut { change([.windowClosed(id)], &screenful, at: now, &turn) } }
        guard lifecycle.app(of: id) != nil else { return }
        sight = nil
        change([.windowWent(id)], &screenful, at: now, &turn)
        if !ended.isEmpty { ended = ended.filter { lifecycle.apps[$0] != nil } }
        if !started.isEmpty {
            let running = screenful.workspace.launches.all.compactMap(\.process)
            started = started.filter { lifecycle.apps[$0] != nil || running.contains($0.head) }
        }
        if programs.count > lifecycle.apps.count {
            programs = programs.filter { lifecycle.apps[$0.key] != nil || started.contains($0.key) }
        }
    }

    mutating func grant(_ wish: LifeWish, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        var isAnyFreed = false
        switch wish {
        case .launches(let name): isAnyFreed = change([.neededApp(name)], &screenful, at: now, &turn)
        case .calls(let app):
            guard let id = lifecycle.process(of: app, screenful.workspace) else { return }
            isAnyFreed = change([.needed(id)], &screenful, at: now, &turn)
        case .reaches(let window):
            guard let id = lifecycle.app(of: window) else { return }
            isAnyFreed = change([.needed(id)], &screenful, at: now, &turn)
        case .endTask(let id):
            guard lifecycle.hasTask(id) else { return turn.send(.refuse(Refusal("there is no \(id)"))) }
            isAnyFreed = change([.taskEnded(id)], &screenful, at: now, &turn)
        case .endInhibitor(let id):
            guard lifecycle.hasInhibitor(id) else { return turn.send(.refuse(Refusal("there is no \(id)"))) }
            isAnyFreed = change([.inhibitorEnded(id)], &screenful, at: now, &turn)
        case .stop(let app):
            isAnyFreed = change([.stopped(app: app)], &screenful, at: now, &turn)
        case .endApp(let window):
            guard screenful.workspace[window] != nil else { return turn.send(.refuse(Refusal("there is no \(window)"))) }
            guard let id = lifecycle.app(of: window) else { return turn.send(.refuse(Refusal("the app of \(window) is not known"))) }
            for window in lifecycle.apps[id]?.windows ?? [] { screenful.workspace.askedToClose(window) }
            turn.send(.life(.endByForce(id)))
        case .withholdState(let app): change([.stateWithheld(from: app)], &screenful, at: now, &turn)
        case .logOut(let isForced, let then):
            if let then { afterwards = then }
            let unsaved = unsaved(screenful.workspace), marked = marked(screenful.workspace)
            isAnyFreed = change([.unsaved(unsaved), .logOut(isForced: isForced, marked: marked)], &screenful, at: now, &turn)
        }
        tellSound(&turn)
        if isAnyFreed { turn.ask(.settle()) }
    }

    // MARK: Reasons to run

    /// Passes on which windows are in sight, which apps are audible and what a person chose, if any of that changed.
    ///
    /// - Returns: whether windows of an app that was thawed missed configures.
    @discardableResult
    mutating func follow(_ screenful: inout Screenful, _ sound: borrowing Sound, at now: Moment, _ turn: inout Turn) -> Bool {
        var isAnyFreed = false
        if lifecycle.preferences != screenful.preferences.life || lifecycle.rules != screenful.workspace.idiom.life {
            let rules = screenful.workspace.idiom.life, preferences = screenful.preferences.life
            isAnyFreed = change([.configured(rules, preferences)], &screenful, at: now, &turn) || isAnyFreed
        }
        prepare(screenful, at: now, &turn)
        isAnyFreed = followLogOut(&screenful, at: now, &turn) || isAnyFreed
        if lifecycle.isLoggingOut {
            let unsaved = unsaved(screenful.workspace)
            isAnyFreed = change([.unsaved(unsaved)], &screenful, at: now, &turn) || isAnyFreed
        }
        guard !lifecycle.apps.isEmpty else { return isAnyFreed }
        var seen = Sight(sound: sound.revision)
        if !screenful.isLocked {
            // A prompt for a secret is never frozen, wherever it stands.
            seen.shown = screenful.workspace.shownWindows
            seen.prompts = screenful.workspace.promptsOutOfSight
            seen.active = screenful.workspace.focus
            if let pip = screenful.workspace.pip, pip.stashed != nil { seen.stashed = pip.window }
        } else {
            let over = screenful.workspace.overLock?.window
            (seen.shown, seen.active) = ([over].compactMap(\.self) + screenful.workspace.keptOverLock.filter { $0 != over }, over)
        }
        let menus = screenful.workspace.popupOwners.filter { screenful.workspace.read($0) { $0.popupGrab && $0.facts.isX11 } ?? false }
        seen.menus = menus
        let before = sight
        guard seen != before else { return isAnyFreed }
        sight = seen
        if seen.shown != before?.shown { screenful.workspace.keptOpen(seen.shown) }
        for id in before?.shown ?? [] where !seen.shown.contains(id) && screenful.workspace[id]?.isMapped ?? false {
            if screenful.workspace.root(of: id) == id, screenful.workspace[id]?.placeholder == nil { turn.send(.keepPicture(id)) }
        }
        if seen.menus != before?.menus ?? [] {
            isAnyFreed = change([.menus(menus)], &screenful, at: now, &turn) || isAnyFreed
        }
        if seen.shown != before?.shown || seen.prompts != before?.prompts || seen.active != before?.active {
            isAnyFreed =
                change([.seen(seen.shown + (seen.prompts ?? []), active: seen.active)], &screenful, at: now, &turn) || isAnyFreed
        }
        if seen.sound != before?.sound || seen.stashed != before?.stashed {
            let (reasons, playing) = reasons(sound.sessions, screenful.workspace, stashed: seen.stashed)
            isAnyFreed = change([.reasons(reasons, nowPlaying: playing)], &screenful, at: now, &turn) || isAnyFreed
        }
        return isAnyFreed
    }

    /// Why hidden apps run: sound, recording, calls, or a Picture in Picture window pushed to the side.
    private func reasons(_ sound: AudioSessions, _ workspace: Workspace, stashed: WindowID?) -> ([AppProcess: [AwakeReason]], AppProcess?) {
        var reasons: [AppProcess: [AwakeReason]] = [:]
        func add(_ reason: AwakeReason, to app: AudioApp) {
            guard let id = lifecycle.process(of: app, workspace), !(reasons[id]?.contains(reason) ?? false) else { return }
            reasons[id, default: []].append(reason)
        }
        let summary = sound.summary
        for app in summary.apps where app.isSounding { add(.sound, to: app.app) }
        for app in sound.recordingApps { add(.recording, to: app) }
        if let call = summary.call { add(.call, to: call.app) }
        if let stashed, let id = lifecycle.app(of: stashed) { reasons[id, default: []].append(.pictureInPicture) }
        return (reasons, summary.playing.flatMap { lifecycle.process(of: $0.app, workspace) })
    }

    // MARK: Windows that come back (W-20)

    mutating func programKnown(_ app: AppProcess, _ command: [String], _ directory: String?, _ began: UInt64?) {
        // A program that was just launched has no window yet.
        guard lifecycle.apps[app] != nil || started.contains(app) else { return }
        programs[app] = Program(command: command, directory: directory, process: began.map { KeptProcess(number: app.head, started: $0) })
    }

    func kept(_ workspace: Workspace) -> KeptArrangement { keptForNext ?? arrangement(workspace) }

    func arrangement(_ workspace: Workspace) -> KeptArrangement {
        workspace.kept(
            program: { window in
                program(of: window, workspace).map { ($0.command, $0.directory, window.placeholder?.process ?? $0.process) }
            }, running: { programs[AppProcess($0)]?.process })
    }

    /// Windows out of sight whose program was killed, or crashed, come back when they are shown (S-04). A window that was
    /// in sight does not come back, nor one that was asked to close.
    mutating func clientGone(_ client: UInt64, _ screenful: Screenful) {
        guard client != 0, !lifecycle.isLeaving, screenful.workspace.idiom.life.freezesHidden else { return }
        let shown = screenful.workspace.shownWindows
        for window in screenful.workspace.windows.values where window.facts.client == client && window.isMapped && !window.facts.isX11 {
            let id = window.id
            guard !shown.contains(id), window.closing == nil, let app = lifecycle.app(of: id), !ended.contains(app) else { continue }
            // A program that another program started, and that has no desktop entry, is not started again.
            guard started.contains(app) || screenful.workspace.app(window.app) != nil else { continue }
            abandoned.insert(id)
        }
    }

    /// A frozen app cannot close a window. One that goes was ended, and its window comes back when it is shown.
    mutating func leavePlaceholder(for id: WindowID, on screenful: inout Screenful) {
        guard let window = screenful.workspace[id], window.isSuspended || abandoned.contains(id), !window.facts.isSplash,
            let program = program(of: window, screenful.workspace), !program.command.isEmpty
        else { return }
        let head = lifecycle.app(of: id)
        let origin = head.map { programs[$0]?.process ?? KeptProcess(number: $0.head, started: 0) }
        let placeholder = screenful.workspace.leavePlaceholder(
            for: id, Placeholder(command: program.command, directory: program.directory, origin: origin))
        // Only while the end of its program is still to be reported: the kernel gives process numbers out again.
        guard let placeholder, !window.isSuspended, let app = head,
            screenful.workspace.launches.all.contains(where: { $0.process == app.head })
        else { return }
        left[app, default: []].append(placeholder)
    }

    /// A log-out waits for a program that closes its windows.
    mutating func programEnds(_ launch: LaunchID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard lifecycle.isLoggingOut, let process = screenful.workspace.launches[launch]?.process else { return }
        change([.programEnded(AppProcess(process))], &screenful, at: now, &turn)
    }

    /// Signals that ask a program to end: SIGHUP, SIGINT and SIGTERM.
    private static let requests: Set<Int32> = [1, 2, 15]

    /// A program that ended with status 0, or because it was asked to, does not come back. The kernel's report of its end may come before
    /// or after its windows go.
    ///
    /// - Returns: the app about whose state to ask the person, because the app ended on it several times (S-04).
    mutating func launchEnded(_ launch: LaunchID, status: Int32?, signal: Int32?, _ screenful: inout Screenful, at now: Moment) -> String? {
        let inOrder = status == 0 || signal.map(Life.requests.contains) ?? false
        guard let started = screenful.workspace.launches[launch] else { return nil }
        var crashing: String?
        if let app = started.app {
            let ended = Lifecycle.Event.appEnded(app, inOrder: inOrder, after: now - started.when)
            if !lifecycle.handle(ended, in: (), at: now).isEmpty { crashing = app }
        }
        guard let process = started.process else { return crashing }
        let app = AppProcess(process), placeholders = left.removeValue(forKey: app) ?? []
        guard inOrder else { return crashing }
        if lifecycle.apps[app] != nil { ended.insert(app) }
        for id in placeholders where screenful.workspace[id]?.placeholder?.launch == nil { screenful.workspace.destroyed(id) }
        return crashing
    }

    /// How to start the program of a window: by the command that the shell launched, by its desktop entry, or by the
    /// command of its process.
    private func program(of window: Window, _ workspace: Workspace) -> Program? {
        if let placeholder = window.placeholder { return Program(command: placeholder.command, directory: placeholder.directory) }
        let own = lifecycle.app(of: window.id).flatMap { programs[$0] }
        // "New window" is asked of a running app: a start by it would open one more than the app restores.
        let isAction = workspace.app(window.app)?.actions.contains { $0.command == window.command } ?? false
        if let command = window.command, !isAction { return Program(command: command, directory: own?.directory, process: own?.process) }
        if let app = workspace.app(window.app) {
            // Started by another program, perhaps with a file to open. A browser shows an address in its first window only.
            if let own, app.opens(with: own.command), !app.isBrowser || isFirst(window) { return own }
            return Program(command: app.command, directory: own?.directory ?? app.directory, process: own?.process)
        }
        // A service opened it, such as a question for a password. Whether a person wants it again is unknown.
        guard !window.isUnasked || lifecycle.app(of: window.id).map(started.contains) ?? false else { return nil }
        return own
    }

    /// Whether a window is the oldest of its program.
    private func isFirst(_ window: Window) -> Bool {
        lifecycle.app(of: window.id).flatMap { lifecycle.apps[$0]?.windows.min() }.map { $0 == window.id } ?? true
    }

    // MARK: Effects

    /// Returns whether windows of an app that was thawed missed configures.
    @discardableResult
    mutating func change(_ events: [Lifecycle.Event], _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        for event in events { carryOut(lifecycle.handle(event, in: (), at: now), screenful.workspace, at: now, &turn) }
        let frozen = Set(lifecycle.suspendedWindows)
        let isAnyFreed = suspended != frozen && screenful.workspace.setSuspended(frozen)
        suspended = frozen
        var awake: [WindowID: [AwakeReason]] = [:]
        for (index, id) in lifecycle.apps.keys.enumerated() where !lifecycle.apps.values.elements[index].isInSight {
            let reasons = lifecycle.reasons(id)
            if !reasons.isEmpty { for window in lifecycle.apps.values.elements[index].windows { awake[window] = reasons } }
        }
        if screenful.sight.awake != awake { screenful.sight.awake = awake }
        showLogOut(on: &screenful, at: now)
        if !lifecycle.isLoggingOut { afterwards = nil }
        return isAnyFreed
    }

    private mutating func carryOut(_ outcomes: [Lifecycle.Outcome], _ workspace: Workspace, at now: Moment, _ turn: inout Turn) {
        for outcome in outcomes {
            switch outcome {
            case .effect(let effect): turn.send(.life(effect))
            case .timer(let moment): turn.setTimer(.life(.alarm), moment)
            case .silences(let app): owedToSound.append(.appFreezing(presence(of: app)))
            case .unsilences(let app): owedToSound.append(.appThawed(presence(of: app)))
            case .keepsArrangement: keepForNext(workspace, &turn)
            case .asksWindows:
                let asked = askWindows(workspace, &turn)
                let programs = Set(workspace.launches.all.compactMap { $0.process.map(AppProcess.init) })
                carryOut(lifecycle.handle(.windowsAsked(asked, programs: programs), in: (), at: now), workspace, at: now, &turn)
            case .isReady: turn.send(.power(.ready))
            case .leaves: turn.send(afterwards.map { Effect.status(.set($0)) } ?? .quit)
            case .nothingToStop(let app):
                turn.send(.refuse(Refusal("\"\(app)\" neither plays, records, calls nor shows Picture in Picture out of sight")))
            case .crashes: break
            }
        }
    }

    /// Tells sound which apps stop and resume. Not while settling: effects for clients would come out of order.
    mutating func tellSound(_ turn: inout Turn) {
        for event in owedToSound { turn.ask(.sound(event)) }
        owedToSound.removeAll()
    }

    private func presence(of app: AppProcess) -> AudioPresence {
        AudioPresence(app: lifecycle.apps[app]?.name ?? "", lineage: [app.head])
    }

    func violations(_ screenful: Screenful) -> [String] {
        var found = lifecycle.violations() + logOutViolations(screenful)
        if !owedToSound.isEmpty { found.append("law 4: sound is not told \(owedToSound)") }
        let known = Set(lifecycle.suspendedWindows)
        for window in screenful.workspace.windows.values where window.isSuspended != known.contains(window.id) {
            found.append("law 7: \(window.id) is \(window.isSuspended ? "told nothing and runs" : "frozen and told things")")
        }
        for window in screenful.workspace.windows.values where window.isMapped && lifecycle.app(of: window.id) == nil {
            if window.facts.lineage.first ?? 0 > 0 { found.append("S-03: \(window.id) belongs to no app, although its process is known") }
        }
        let shown = screenful.isLocked ? [] : screenful.workspace.shownWindows
        for id in shown where lifecycle.isFrozen(id) { found.append("S-03: \(id) is in sight and frozen") }
        return found
    }
}

/// Requests of other rooms to the life of apps.
enum LifeWish {
    /// A program of this app is about to be started. If one runs already, it may have to answer.
    case launches(app: String)
    /// A command is about to be sent to this app.
    case calls(AudioApp)
    /// A request is about to be sent to this window.
    case reaches(WindowID)
    case endTask(TaskID)
    case endInhibitor(InhibitorID)
    /// The person stops an app's sound, recording or Picture in Picture out of sight.
    case stop(app: String)
    /// The person ends an app that does not answer.
    case endApp(of: WindowID)
    /// The person opens this app without its state.
    case withholdState(from: String)
    /// The person logs out.
    /// `then`: the machine is turned off or restarted after that.
    case logOut(isForced: Bool, then: DeviceSetting? = nil)
}

extension Lifecycle {
    /// The process of an app that sounds, among those with windows.
    func process(of app: AudioApp, _ workspace: Workspace) -> AppProcess? {
        for process in app.lineage where apps[AppProcess(process)] != nil { return AppProcess(process) }
        return apps.first { $0.value.windows.contains { workspace[$0]?.belongs(to: app) ?? false } }?.key
    }
}
