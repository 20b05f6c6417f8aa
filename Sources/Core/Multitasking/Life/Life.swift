import AudioSessions
import Geometry
import Lifecycle
import Windows

/// The life of apps beside windows and sound: what each means for the others (S-03, S-06, S-08).
///
/// `Lifecycle` decides who runs. This room tells it which windows are in sight and who is heard, silences an app before it
/// is frozen, and marks the windows of frozen apps, which get no configure.
struct Life: Hashable, Codable, Sendable {
    private(set) var lifecycle: Lifecycle
    /// nil: windows came or went since.
    private var sight: Sight?
    /// The windows of frozen apps, as the desk knows them.
    private var still: Set<WindowID> = []

    /// What apps run for, so that nothing is computed while it stays the same.
    private struct Sight: Hashable, Codable, Sendable {
        var shown: [WindowID] = []
        var active: WindowID?
        var sound: UInt64 = 0
        var stashed: WindowID?
    }

    init(idiom: Idiom, preferences: LifecyclePreferences) {
        lifecycle = Lifecycle(rules: idiom.life, preferences: preferences)
    }

    // MARK: What happens to apps

    mutating func handle(_ event: LifecycleEvent, for desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        change(&desk, at: now, &turn) { $0.handle(event, &$1) }
    }

    mutating func alarmRang(for desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        change(&desk, at: now, &turn) { $0.alarmRang(&$1) }
    }

    mutating func launched(_ process: Int32, app: String, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        change(&desk, at: now, &turn) { $0.launched(AppProcess(process), name: app, &$1) }
    }

    /// A window was mapped: its app has a life from now on.
    mutating func windowComes(_ id: WindowID, to desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let window = desk.workspace[id], window.isMapped else { return }
        let launches = Set(desk.workspace.admission.launches.compactMap(\.process))
        let clients = Set(desk.workspace.windows.values.lazy.filter { $0.isMapped && $0.id != id }.compactMap(\.facts.lineage.first))
        guard let app = AppProcess.of(lineage: window.facts.lineage, launches: launches, clients: clients) else { return }
        sight = nil
        change(&desk, at: now, &turn) { $0.windowCame(id, of: app, name: window.app, &$1) }
    }

    mutating func windowLeaves(_ id: WindowID, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard lifecycle.app(of: id) != nil else { return }
        sight = nil
        change(&desk, at: now, &turn) { $0.windowWent(id, &$1) }
    }

    mutating func grant(_ wish: LifeWish, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        switch wish {
        case .launches(let name): change(&desk, at: now, &turn) { $0.needed(app: name, &$1) }
        case .calls(let app):
            guard let id = lifecycle.process(of: app, desk.workspace) else { return }
            change(&desk, at: now, &turn) { $0.needed(id, &$1) }
        case .reaches(let window):
            guard let id = lifecycle.app(of: window) else { return }
            change(&desk, at: now, &turn) { $0.needed(id, &$1) }
        case .endTask(let id):
            guard lifecycle.hasTask(id) else { return turn.send(.refuse(Refusal("there is no \(id)"))) }
            change(&desk, at: now, &turn) { $0.cancelTask(id, &$1) }
        }
    }

    // MARK: What apps run for

    /// Passes on what is in sight, who is heard, and what a person chose, if any of that changed.
    mutating func follow(_ desk: inout Desk, _ sound: borrowing Sound, at now: Moment, _ turn: inout Turn) {
        if lifecycle.preferences != desk.preferences.life {
            let rules = desk.workspace.idiom.life, preferences = desk.preferences.life
            change(&desk, at: now, &turn) { $0.configure(rules, preferences, &$1) }
        }
        guard !lifecycle.apps.isEmpty else { return }
        var seen = Sight(sound: sound.revision)
        if !desk.isLocked {
            seen.shown = desk.workspace.shownWindows
            seen.active = desk.workspace.focus
            if let pip = desk.workspace.pip, pip.stashed != nil { seen.stashed = pip.window }
        }
        let before = sight
        guard seen != before else { return }
        sight = seen
        if seen.shown != before?.shown || seen.active != before?.active {
            change(&desk, at: now, &turn) { $0.seen(seen.shown, active: seen.active, &$1) }
        }
        if seen.sound != before?.sound || seen.stashed != before?.stashed {
            let (reasons, playing) = reasons(sound.sessions, desk.workspace, stashed: seen.stashed)
            change(&desk, at: now, &turn) { $0.setReasons(reasons, nowPlaying: playing, &$1) }
        }
    }

    /// Why hidden apps run: they are heard, they record, they have a call or a picture that was pushed to the side.
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

    // MARK: What follows

    private mutating func change(
        _ desk: inout Desk, at now: Moment, _ turn: inout Turn, _ body: (inout Lifecycle, inout Lifecycle.Turn) -> Void
    ) {
        var changes = Lifecycle.Turn(at: now)
        body(&lifecycle, &changes)
        for effect in changes.effects { turn.send(.life(effect)) }
        if let alarm = changes.alarm { turn.send(alarm.map { .startTimer(.life, at: $0) } ?? .stopTimer(.life)) }
        let frozen = Set(lifecycle.stillWindows)
        if still != frozen {
            still = frozen
            // Windows of an app that was thawed missed configures.
            if desk.workspace.setStill(frozen) { turn.ask(.settle()) }
        }
        for id in changes.silenced { turn.ask(.sound(.appFreezing(presence(of: id)))) }
        for id in changes.unsilenced { turn.ask(.sound(.appThawed(presence(of: id)))) }
    }

    private func presence(of app: AppProcess) -> AudioPresence {
        AudioPresence(app: lifecycle.apps[app]?.name ?? "", lineage: [app.head])
    }

    func violations(_ desk: Desk) -> [String] {
        var found = lifecycle.violations()
        let known = Set(lifecycle.stillWindows)
        for window in desk.workspace.windows.values where window.isStill != known.contains(window.id) {
            found.append("law 7: \(window.id) is \(window.isStill ? "told nothing and runs" : "frozen and told things")")
        }
        let shown = desk.isLocked ? [] : desk.workspace.shownWindows
        for id in shown where lifecycle.isFrozen(id) { found.append("S-03: \(id) is in sight and frozen") }
        return found
    }
}

/// What other rooms ask of the life of apps.
enum LifeWish {
    /// A program of this app is about to be started. One that runs already may have to answer it.
    case launches(app: String)
    /// A command is about to be sent to this app.
    case calls(AudioApp)
    /// A request is about to be sent to this window.
    case reaches(WindowID)
    case endTask(TaskID)
}

extension Lifecycle {
    /// The process of an app that sounds, among those with windows.
    func process(of app: AudioApp, _ workspace: Workspace) -> AppProcess? {
        for process in app.lineage where apps[AppProcess(process)] != nil { return AppProcess(process) }
        return apps.first { $0.value.windows.contains { workspace[$0]?.belongs(to: app) ?? false } }?.key
    }
}
