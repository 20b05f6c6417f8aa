import Geometry
import Windows

/// The shell follows the hardware from idiom to idiom (W-25). `IdiomChoice` has the rules.
extension System {
    private var ground: IdiomChoice.Ground {
        IdiomChoice.Ground(
            offered: desk.idioms.map(\.name), screen: workspace.screen?.size, isLit: desk.isLit && desk.isAwake && workspace.screen != nil)
    }

    mutating func hardware(_ event: HardwareEvent, at now: Moment, _ turn: inout Turn) {
        if case .held(let posture) = event {
            // A sensor may speak for a moment longer than the idiom wants it.
            guard workspace.idiom.wrist != nil else { return }
            try? desk.setWrist(isRaised: posture.isWristRaised, at: now)
            return settle(at: now, &turn)
        }
        let ground = ground
        take(choice.note(event, ground), at: now, &turn)
        if event == .known { idiomWasChosen(at: now, &turn) }
    }

    /// The screen or the offered idioms changed.
    mutating func followHardware(at now: Moment, _ turn: inout Turn) {
        let ground = ground
        take(choice.follow(ground), at: now, &turn)
    }

    mutating func hardwareLasted(at now: Moment, _ turn: inout Turn) {
        let ground = ground
        take(choice.lasted(ground), at: now, &turn)
    }

    mutating func idiomConfigured(at now: Moment, _ turn: inout Turn) {
        let ground = ground
        take(choice.configured(desk.preferences.idiom, desk.preferences.idiomRules, ground), at: now, &turn)
    }

    mutating func idiomChosen(_ idiom: Idiom, at now: Moment, _ turn: inout Turn) {
        let ground = ground
        take(choice.chosen(ground), at: now, &turn)
        choices(.chosen(.idiom(idiom.name, settled: choice.settled)), at: now, &turn)
        begin(idiom, at: now, &turn)
    }

    /// Everything that is connected is known: the idiom that the person chose comes back.
    private mutating func idiomWasChosen(at now: Moment, _ turn: inout Turn) {
        guard let (name, settled) = choices.idiom else { return }
        let ground = ground
        guard let step = choice.restored(name, settled: settled, ground), case .begin(let name) = step else { return }
        if let idiom = desk.idioms.first(where: { $0.name == name }) { begin(idiom, at: now, &turn) }
    }

    /// The last session comes back, and with it the idiom that a person had chosen.
    mutating func idiomRestored(_ kept: KeptArrangement, at now: Moment, _ turn: inout Turn) {
        guard let last = kept.idiom, let settled = kept.settledIdiom else { return }
        let ground = ground
        take(choice.restored(last, settled: settled, ground), at: now, &turn)
    }

    private mutating func take(_ step: IdiomChoice.Step?, at now: Moment, _ turn: inout Turn) {
        switch step {
        case .wait: turn.send(.startTimer(.system(.hardware), at: now + IdiomChoice.patience))
        case .rest: turn.send(.stopTimer(.system(.hardware)))
        case .begin(let name):
            // The hardware named another one: the person's choice holds no longer.
            if choices.idiom != nil { choices(.chosen(.idiom(name, settled: name)), at: now, &turn) }
            if let idiom = desk.idioms.first(where: { $0.name == name }) { begin(idiom, at: now, &turn) }
        case nil: break
        }
    }
}
