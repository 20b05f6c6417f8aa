import Geometry
import Modality
import Stage
import Windows

/// Work that closing a window would lose: the shell asks first, whichever way a person closes it (M-10).
extension Desk {
    /// Asks a person about unsaved work, and returns true if it did. The window comes to the front, so that the person sees
    /// the question.
    mutating func confirms(closing id: WindowID, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let window = unsavedWindow(of: id), let unsaved = workspace[window]?.facts.hints?.unsaved else { return false }
        if modality.question(about: window) == nil {
            var choices: [ModalView.Choice] = [.init(unsaved.discard, .destructive)]
            if let save = unsaved.save { choices.append(.init(save, .preferred)) }
            choices.append(.init(unsaved.cancel, .cancel))
            var view = ModalView(
                modality.nextID(), .actionSheet, over: window, of: workspace[window]!.app, title: unsaved.title, message: unsaved.message,
                choices: choices, asker: workspace.trustedApp(of: window))
            view.unsavedWork = window
            askedForView(view, at: now, &turn)
        }
        // The question could not be asked, so leave the decision to the app.
        guard modality.question(about: window) != nil else { return false }
        if !workspace.isShown(window) || interface.isOverviewOpen { try? show(window, at: now) }
        turn.ask(.settle())
        return true
    }

    /// Asks a window to close, whatever the reason: its app runs, so that it can answer.
    mutating func askToClose(_ id: WindowID, _ turn: inout Turn) {
        workspace.askedToClose(id)
        turn.ask(.life(.reaches(id)))
        turn.send(.close(id))
    }

    /// The window itself, or the topmost of its sheets, whose unsaved work closing would lose.
    private func unsavedWindow(of id: WindowID) -> WindowID? {
        for dialog in workspace.dialogs(of: id).reversed() {
            if let found = unsavedWindow(of: dialog) { return found }
        }
        guard let window = workspace[id], window.isMapped, window.placeholder == nil, window.facts.hints?.unsaved != nil else { return nil }
        return id
    }

    mutating func unsavedAnswered(_ window: WindowID, _ answer: ModalAnswer, at now: Moment, _ turn: inout Turn) {
        guard let unsaved = workspace[window]?.facts.hints?.unsaved else { return }
        let choice: WindowHints.UnsavedChoice
        switch answer {
        case .chose(0): choice = .discard
        case .chose(1) where unsaved.save != nil: choice = .save
        case .chose, .dismissed: choice = .cancel
        case .closed, .refused: return
        }
        turn.send(.client(.unsavedAnswered(window, choice)))
        guard choice == .discard else { return }
        if case .dialog = workspace.place(of: window), workspace.modality == .sheets {
            return dismissSheet(window, isConfirmed: true, at: now, &turn)
        }
        askToClose(window, &turn)
    }

    /// If no work would be lost any more, the question closes.
    mutating func hintsChanged(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard !modality.isEmpty, workspace[id]?.facts.hints?.unsaved == nil else { return }
        if let view = modality.question(about: id) { carryOut(modality.withdraw(view), at: now, &turn) }
    }
}
