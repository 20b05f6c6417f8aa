import AudioSessions
import Geometry
import Lifecycle

/// The preparation of the shell before the machine sleeps or is switched off (S-04, S-13).
extension Life {
    mutating func handle(_ event: PowerEvent, for screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        switch event {
        case .sleeps:
            change([.outside(.saveAll)], &screenful, at: now, &turn)
            turn.ask(.sound(.goesToSleep))
            let new = Preparation(at: now)
            preparation = new
            turn.send(.startTimer(.life(.power), at: new.next(after: now)))
        case .woke:
            if preparation != nil { turn.send(.stopTimer(.life(.power))) }
            preparation = nil
            turn.ask(.sound(.wokeUp))
        // The same way as a log-out, in the time that the login manager gives.
        case .shutsDown:
            let unsaved = unsaved(screenful.workspace)
            change([.unsaved(unsaved), .shutsDown], &screenful, at: now, &turn)
        case .staysOn:
            change([.staysOn], &screenful, at: now, &turn)
            if !lifecycle.isLoggingOut { keptForNext = nil }
        }
    }

    mutating func preparationRang(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard let preparation else { return }
        prepare(screenful, at: now, &turn)
        if self.preparation != nil { turn.send(.startTimer(.life(.power), at: preparation.next(after: now))) }
    }

    /// Lets the machine proceed once no app is awaited any more, and nothing of a session that is being locked is in sight.
    mutating func prepare(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard let preparation, preparation.isOver(at: now, awaits: lifecycle.awaitsState || screenful.sight.isLockComing) else { return }
        self.preparation = nil
        turn.send(.stopTimer(.life(.power)))
        turn.send(.power(.ready))
    }
}
