import Geometry

/// Calls and alarms that ring, and a person who wants to hear no more of this one (S-07).
extension AudioSessions {
    /// Seconds after which a sound that rings again is a new call or alarm. Apps ring by playing a short sound again and again.
    public static let ringingPause = 10.0

    /// Whether a call or an alarm is heard that a person can silence.
    var isRinging: Bool { sessions.values.contains { rings($0) && !$0.isQuieted } }

    private func rings(_ session: Session) -> Bool {
        guard session.kind == .callRinging || session.kind == .alarm, session.state == .active else { return false }
        return session.isDeclared || runs(session)
    }

    /// Silences the sessions that ring. The call or alarm continues unheard.
    mutating func silenceRinging(_ turn: inout Turn) {
        let ringing = sessions.values.filter { rings($0) && !$0.isQuieted }
        guard !ringing.isEmpty else { return refuse("nothing rings", &turn) }
        for session in ringing {
            sessions[session.id]?.isQuieted = true
            if let name = ringer(session.app) { quieted[name] = turn.now + Self.ringingPause }
            turn.dirty.append(session.id)
        }
    }

    /// A session begins: it may be the next sound of a call or alarm that a person silenced.
    mutating func ringsAgain(_ index: Int, at now: Moment) {
        guard !quieted.isEmpty, let name = ringer(sessions.values[index].app) else { return }
        sessions.values[index].isQuieted = quieted[name].map { now < $0 } ?? false
    }

    /// A session ends.
    mutating func ringingEnds(_ index: Int, at now: Moment) {
        guard sessions.values[index].isQuieted else { return }
        sessions.values[index].isQuieted = false
        if let name = ringer(sessions.values[index].app) { quieted[name] = now + Self.ringingPause }
        quieted = quieted.filter { now < $0.value }
    }

    /// The app by its name: its number is another one after its last sound is gone.
    private func ringer(_ app: AppRef) -> String? { apps[app]?.app.id }
}
