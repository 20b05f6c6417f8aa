import Geometry
import Windows

/// Programs that start by themselves: those that a person asked the last shell for, and those of placeholders.
extension System {
    /// Starts the apps that a person asked the last shell for a moment before it ended (W-19).
    mutating func startLost(_ turn: inout Turn) {
        for lost in screenful.workspace.takeLost() {
            if let app = lost.app { turn.ask(.life(.launches(app: app))) }
            turn.send(.launch(lost.launch, command: lost.command))
        }
    }

    /// Starts the programs of placeholders in sight (W-20).
    mutating func startPlaceholders(at now: Moment, _ turn: inout Turn) {
        // A session that begins locked starts no program of its windows.
        guard !screenful.isLocked else { return }
        screenful.workspace.sortLate(at: now)
        screenful.workspace.takeDoublesOut(at: now)
        screenful.workspace.leavePagesOver(at: now)
        if screenful.workspace.endAwaitedPlaces(at: now) { turn.ask(.settle()) }
        for id in screenful.workspace.placeholdersToStart(at: now) {
            guard let window = workspace[id], let placeholder = window.placeholder,
                let restart = screenful.workspace.restartPlaceholder(id, at: now)
            else { continue }
            turn.ask(.life(.launches(app: window.app)))
            turn.send(.relaunch(restart.launch, command: restart.command, directory: placeholder.directory))
        }
        let deadline = screenful.workspace.restartDeadline(at: now)
        guard deadline != screenful.waits.restart else { return }
        screenful.waits.restart = deadline
        turn.send(deadline.map { .startTimer(.screen(.restartPatience), at: $0) } ?? .stopTimer(.screen(.restartPatience)))
    }
}
