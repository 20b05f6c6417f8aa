import Geometry
import Windows

/// The shell follows the hardware from idiom to idiom (W-25). `IdiomChoice` has the rules.
extension System {
    private var ground: IdiomChoice.Ground {
        IdiomChoice.Ground(
            offered: screenful.sight.idioms.map(\.name), screen: workspace.screen?.size,
            isLit: screenful.sight.isLit && screenful.sight.isAwake && workspace.screen != nil)
    }

    mutating func hardware(_ event: HardwareEvent, at now: Moment, _ turn: inout Turn) {
        if case .held(let posture) = event {
            // A sensor may speak for a moment longer than the idiom wants it.
            guard workspace.idiom.wrist != nil else { return }
            try? wrist(.moved(isRaised: posture.isWristRaised), at: now)
            return settle(at: now, &turn)
        }
        if case .output(let output) = event {
            choices(.screen(OwnScreen(id: output.identity, title: output.title)), at: now, &turn)
        }
        choose(.hardware(event), at: now, &turn)
        if event == .known { idiomWasChosen(at: now, &turn) }
    }

    /// The screen or the offered idioms changed.
    mutating func followHardware(at now: Moment, _ turn: inout Turn) {
        choose(.followed, at: now, &turn)
    }

    mutating func hardwareLasted(at now: Moment, _ turn: inout Turn) {
        choose(.lasted, at: now, &turn)
    }

    mutating func idiomConfigured(at now: Moment, _ turn: inout Turn) {
        choose(.configured(screenful.preferences.idiom, screenful.preferences.idiomRules), at: now, &turn)
    }

    mutating func idiomChosen(_ idiom: Idiom, at now: Moment, _ turn: inout Turn) {
        choose(.chosen, at: now, &turn)
        choices(.chosen(.idiom(idiom.name, settled: choice.settled)), at: now, &turn)
        begin(idiom, at: now, &turn)
    }

    /// Everything that is connected is known: the idiom that the person chose comes back.
    private mutating func idiomWasChosen(at now: Moment, _ turn: inout Turn) {
        guard let (name, settled) = choices.idiom else { return }
        for case .begins(let name) in choice.handle(.restored(last: name, settled: settled), in: ground, at: now) {
            if let idiom = screenful.sight.idioms.first(where: { $0.name == name }) { begin(idiom, at: now, &turn) }
        }
    }

    /// The last session comes back, and with it the idiom that a person had chosen.
    mutating func idiomRestored(_ kept: KeptArrangement, at now: Moment, _ turn: inout Turn) {
        guard let last = kept.idiom, let settled = kept.settledIdiom else { return }
        choose(.restored(last: last, settled: settled), at: now, &turn)
    }

    private mutating func choose(_ event: IdiomChoice.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in choice.handle(event, in: ground, at: now) {
            switch outcome {
            case .timer(let moment): turn.setTimer(.system(.hardware), moment)
            case .begins(let name):
                // The hardware named another one: the person's choice holds no longer.
                if choices.idiom != nil { choices(.chosen(.idiom(name, settled: name)), at: now, &turn) }
                if let idiom = screenful.sight.idioms.first(where: { $0.name == name }) { begin(idiom, at: now, &turn) }
            }
        }
    }
}
