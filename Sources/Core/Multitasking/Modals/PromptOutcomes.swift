import Geometry
import Interface
import Status
import Windows

/// The questions of services and programs: an alert for the one whose turn it is, and an effect for each answer.
extension System {
    mutating func prompts(_ act: PromptAct, at now: Moment, _ turn: inout Turn) {
        screenful.interface.promptMeant()
        let form = screenful.interface.prompt.form
        let words = form.text(of: prompts.live?.kind == .words ? .promptWords : .promptSecret)
        prompts(.wish(act, words: words, repeated: form.text(of: .promptRepeated)), at: now, &turn)
        turn.ask(.settle())
    }

    mutating func prompts(_ event: AgentPrompts.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = prompts.handle(event, in: !screenful.isLocked, at: now)
        // Another alert may have been in its way.
        if let id = prompts.liveID, !alerts.waiting.contains(.prompt(id)) { alerts(.asked(.prompt(id)), at: now) }
        guard !outcomes.isEmpty else { return }
        for outcome in outcomes {
            switch outcome {
            case .changed: screenful.sight.device.prompts = prompts
            case .shows(let id): alerts(.asked(.prompt(id)), at: now)
            case .hides(let id): alerts(.withdrawn([.prompt(id)]), at: now)
            case .empties: screenful.interface.emptyPrompt(writing: prompts.live?.field, takesText: !prompts.isWorking)
            case .effect(let effect): turn.send(.prompt(effect))
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
        screenful.drawsAnew()
    }
}

extension AgentPrompt {
    /// The field in which a person writes first; nil: there is none.
    var field: FormField? {
        switch kind {
        case .secret: .promptSecret
        case .words: .promptWords
        case .confirm, .waiting: nil
        }
    }
}
