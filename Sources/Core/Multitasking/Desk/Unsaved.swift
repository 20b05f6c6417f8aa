import Geometry
import Modality
import Stage
import Windows

/// Work that closing a window would lose: the shell asks first, whichever way a person closes it (M-10).
extension Desk {
    /// True if a person is asked. The window comes to the front, so that they see the question.
    mutating func confirms(closing id: WindowID, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let window = unsavedWindow(of: id), let unsaved = workspace[window]?.facts.hints?.unsaved else { return false }
        let view = Desk.question(of: window)
        if modality[view] == nil {
            var choices: [ModalView.Choice] = [.init(unsaved.discard, .destructive)]
            if let save = unsaved.save { choices.append(.init(save, .preferred)) }
            choices.append(.init(unsaved.cancel, .cancel))
            askedForView(
                ModalView(
                    view, .actionSheet, over: window, of: workspace[window]!.app, title: unsaved.title, message: unsaved.message,
                    choices: choices),
                at: now, &turn)
        }
        // It could not be asked: the app knows by itself what to do.
        guard modality.isAsked(view) else { return false }
        if !workspace.isShown(window) || interface.isOverviewOpen { try? show(window, at: now) }
        revision &+= 1
        turn.ask(.settle())
        return true
    }

    /// The window itself, or the last one of its sheets, whose work would be lost with it.
    private func unsavedWindow(of id: WindowID) -> WindowID? {
        for dialog in workspace.dialogs(of: id).reversed() {
            if let found = unsavedWindow(of: dialog) { return found }
        }
        guard let window = workspace[id], window.isMapped, window.placeholder == nil, window.facts.hints?.unsaved != nil else { return nil }
        return id
    }

    /// Questions of the shell's own have numbers that no program gets.
    private static func question(of window: WindowID) -> ModalID { ModalID(window.raw | 1 << 31) }

    static func questioned(_ id: ModalID) -> WindowID? { id.raw >> 31 == 1 ? WindowID(id.raw & ~(1 << 31)) : nil }

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
        if case .dialog = workspace.place(of: window), !workspace.idiom.hasFreeWindows { return dismissSheet(window, isConfirmed: true, at: now, &turn) }
        turn.ask(.life(.reaches(window)))
        turn.send(.close(window))
    }

    /// Nothing would be lost any more: the question goes.
    mutating func hintsChanged(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard !modality.isEmpty, workspace[id]?.facts.hints?.unsaved == nil else { return }
        let view = Desk.question(of: id)
        if modality.isAsked(view) { carryOut(modality.withdraw(view), at: now, &turn) }
    }
}
