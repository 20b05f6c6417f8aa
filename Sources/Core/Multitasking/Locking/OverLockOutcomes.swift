import Geometry
import Interface
import Locking
import Seat
import Windows

/// Apps over the lock screen of the shell: their room, where their window stands, and the ways back.
extension System {
    var overLockContext: OverLock.Context { OverLock.Context(emergency: screenful.preferences.lock.emergency) }

    mutating func overLock(_ event: OverLock.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in overLock.handle(event, in: overLockContext, at: now) {
            switch outcome {
            case .start(let name): startOverLock(name, at: now, &turn)
            case .close(let window):
                // A frozen app could not.
                turn.ask(.life(.reaches(window)))
                turn.send(.close(window))
            case .keeps(let window): try? screenful.show(window, at: now)
            case .timer(let moment): turn.setTimer(.seat(.overLock), moment)
            case .changed:
                screenful.sight.lock.over = overLock
                screenful.interface.focus = nil
                screenful.drawsAnew()
                turn.ask(.settle())
            }
        }
    }

    /// A person presses the button of an app. Only those that the configuration names have one.
    mutating func opensOverLock(_ app: String, at now: Moment, _ turn: inout Turn) {
        let lock = screenful.preferences.lock
        guard lockScreen.isUp, !greeter.isOn, app == lock.emergency || lock.apps.contains(app) else { return }
        lockScreen(.act(.close), at: now, &turn)
        overLock(.asked(app), at: now, &turn)
    }

    private mutating func startOverLock(_ name: String, at now: Moment, _ turn: inout Turn) {
        guard let app = workspace.app(name) else { return overLock(.cannot(app: name), at: now, &turn) }
        let launch = screenful.workspace.beginLaunchOverLock(of: app, at: now)
        overLock(.begins(app: name, launch), at: now, &turn)
        turn.ask(.life(.launches(app: app.id)))
        turn.send(.launch(launch, command: app.command, directory: app.directory))
    }

    // MARK: Windows

    /// A window is new. Those of X11 programs are never shown over the lock: each of them sees all keys of the others.
    mutating func comesOverLock(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard lockScreen.isUp, let window = workspace[id] else { return }
        guard !window.facts.isX11 else { return overLock(.staysBehind(lineage: window.facts.lineage), at: now, &turn) }
        overLock(.comes(id, client: window.facts.client, launch: window.launch, lineage: window.facts.lineage), at: now, &turn)
    }

    /// A program shows the token of a launch for a window that is there.
    mutating func showsToken(of launch: LaunchID, _ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard let client = workspace[id]?.facts.client else { return }
        overLock(.token(id, client: client, launch), at: now, &turn)
    }

    /// Tells where the window stands. It has all of its area, and stands in the middle of it as long as it is smaller.
    mutating func followOverLock(at now: Moment, _ turn: inout Turn) {
        var over: WindowOverLock?
        if lockScreen.isUp, let id = overLock.window, let area = screenful.views(at: now)?.overLockArea {
            let size = workspace[id]?.contentSize ?? area.size
            // One that cannot be so small is shown smaller.
            let scale = size.isEmpty ? 1 : min(1, area.width / size.width, area.height / size.height)
            let shown = Size(size.width * scale, size.height * scale)
            let frame = size.isEmpty ? area : Rect(center: area.center, size: shown).rounded
            over = WindowOverLock(window: id, frame: frame, area: area, scale: scale)
        }
        screenful.workspace.keptOverLock = lockScreen.isUp ? overLock.kept(in: overLockContext) : []
        guard over != workspace.overLock else { return }
        screenful.workspace.setOverLock(over)
        screenful.drawsAnew()
        turn.send(.client(.lock(.over(over))))
    }

    var overLockViolations: [String] {
        guard let over = workspace.overLock else { return [] }
        var found: [String] = []
        if !seat.lock.isOwn { found.append("X-10: \(over.window) stands over a lock that is not there") }
        if overLock.window != over.window { found.append("X-10: \(over.window) stands over the lock, and no person asked for it") }
        return found
    }

    // MARK: Keys

    /// The keys that the app does not get, and all of them as long as it has no window.
    mutating func overLockKey(_ symbol: KeySymbol, at now: Moment, _ turn: inout Turn) {
        let hasNoWindow = overLock.window == nil
        if symbol.leadsHome || hasNoWindow && [.escape, .enter, .keypadEnter].contains(symbol) { overLock(.back, at: now, &turn) }
    }
}
