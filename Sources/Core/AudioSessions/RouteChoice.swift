/// The output of long-form audio is chosen before it begins.
extension AudioSessions {
    /// Whether an output still has to be chosen: the current one is not private, and the person did not pick it.
    private var isRouteOpen: Bool {
        guard rules.longFormNeedsRoute, isServerRunning, let output = routing.currentOutput else { return false }
        return !output.kind.isPrivate && !routing.isOutputPicked
    }

    /// Music and spoken audio wait, before anything is heard.
    mutating func waitForRouteChoice(_ id: SessionID, _ turn: inout Turn) {
        guard isRouteOpen, let index = sessions.index(forKey: id), sessions.values[index].state == .active,
            sessions.values[index].kind == .music || sessions.values[index].kind == .podcast
        else { return }
        lose(index, Loss(cause: .routeChoice, kind: .resumable), fade: 0, &turn)
    }

    /// Resumes the waiting sessions once an output is chosen, or once no rule demands a choice any more.
    mutating func routeMayBeChosen(byPerson: Bool = false, _ turn: inout Turn) {
        guard byPerson || !isRouteOpen else { return }
        let regained = sessions.values.indices.filter { take(.routeChoice, from: $0) }.map { sessions.values[$0].id }
        if !regained.isEmpty { endIfRegained(regained, &turn) }
    }

    /// The app whose audio waits.
    var appThatWaitsForRoute: AudioApp? {
        guard rules.longFormNeedsRoute else { return nil }
        return sessions.values.first { $0.losses.contains { $0.cause == .routeChoice } }.flatMap { apps[$0.app]?.app }
    }
}
