import Geometry
import Interface
import Modality
import Stage
import Windows

/// Windows that a person closes, whichever way: the shell asks about work that would be lost (M-10), and then the app.
extension System {
    /// `isSheet`: a window that stands on another one closes as a sheet does (M-10, M-14).
    mutating func close(_ windows: [WindowID], isSheet: Bool, at now: Moment, _ turn: inout Turn) {
        for window in windows where workspace[window]?.isMapped ?? false {
            guard workspace[window]?.placeholder == nil else {
                screenful.workspace.destroyed(window)
                continue
            }
            if confirms(closing: window, at: now, &turn) { continue }
            if isSheet, case .dialog = workspace.place(of: window), workspace.isShown(window), workspace.modality == .sheets,
                workspace.blocker(of: window) == nil
            {
                dismissSheet(window, at: now, &turn)
                continue
            }
            askToClose(window, &turn)
            // One that is still there after a second reappears: its app may have a question.
            if screenful.interface.isOverviewOpen || screenful.interface.isShelfOpen { screenful.workspace.takeCardOut(window) }
        }
        if workspace.isAnyCardOut { turn.send(.startTimer(.screen(.closePatience), at: now + 1)) }
    }

    /// An app closes its window by its own title bar.
    mutating func closesItself(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        if confirms(closing: id, at: now, &turn) { turn.ask(.settle()) } else { askToClose(id, &turn) }
    }

    /// Asks a window to close, whatever the reason: its app runs, so that it can answer.
    mutating func askToClose(_ id: WindowID, _ turn: inout Turn) {
        screenful.workspace.askedToClose(id)
        turn.ask(.life(.reaches(id)))
        turn.send(.close(id))
    }

    // MARK: Unsaved work (M-10)

    /// Asks a person about unsaved work, and returns true if it did. The window comes to the front, so that the person sees
    /// the question.
    mutating func confirms(closing id: WindowID, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let window = unsavedWindow(of: id), let unsaved = workspace[window]?.facts.hints?.unsaved else { return false }
        if modality.question(about: window) == nil {
            var choices: [ModalView.Choice] = [.init(unsaved.discard, .destructive)]
            if let save = unsaved.save { choices.append(.init(save, .preferred)) }
            choices.append(.init(unsaved.cancel, .cancel))
            var view = ModalView(
                modality.nextID, .actionSheet, over: window, of: workspace[window]!.app, title: unsaved.title, message: unsaved.message,
                choices: choices, asker: workspace.trustedApp(of: window))
            view.unsavedWork = window
            askedForView(view, at: now, &turn)
        }
        // The question could not be asked, so leave the decision to the app.
        guard modality.question(about: window) != nil else { return false }
        if !workspace.isShown(window) || screenful.interface.isOverviewOpen { try? screenful.show(window, at: now) }
        turn.ask(.settle())
        return true
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
        case .chose, .marked, .picked, .dismissed: choice = .cancel
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
        if let view = modality.question(about: id) { modality(.withdrawn(view), at: now, &turn) }
    }
}
