import AudioSessions
import Geometry
import Lifecycle

/// What the shell does before the machine sleeps or is switched off (S-04, S-13).
extension Life {
    mutating func handle(_ event: PowerEvent, for desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        switch event {
        case .sleeps, .shutsDown:
            change(&desk, at: now, &turn) { life, turn in
                if event == .shutsDown { life.setEnding(true, &turn) }
                life.handle(.saveAll, &turn)
            }
            if event == .sleeps { turn.ask(.sound(.goesToSleep)) }
            let new = Preparation(at: now)
            preparation = new
            turn.send(.startTimer(.power, at: new.next(after: now)))
        case .woke, .staysOn:
            if preparation != nil { turn.send(.stopTimer(.power)) }
            preparation = nil
            change(&desk, at: now, &turn) { $0.setEnding(false, &$1) }
            if event == .woke { turn.ask(.sound(.wokeUp)) }
        }
    }

    mutating func preparationRang(at now: Moment, _ turn: inout Turn) {
        guard let preparation else { return }
        prepare(at: now, &turn)
        if self.preparation != nil { turn.send(.startTimer(.power, at: preparation.next(after: now))) }
    }

    /// Lets the machine proceed once no app is awaited any more.
    mutating func prepare(at now: Moment, _ turn: inout Turn) {
        guard let preparation, preparation.isOver(at: now, awaits: lifecycle.awaitsState) else { return }
        self.preparation = nil
        turn.send(.stopTimer(.power))
        turn.send(.power(.ready))
    }
}
