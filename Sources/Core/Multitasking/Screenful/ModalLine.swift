import Interface
import Modality
import Windows

/// The view of the modal line (`ModalLine`) that has the keys.
extension Screenful {
    /// The view that a person answers first: over the screen, else over the active window. Nothing while the session is locked.
    var liveEntry: ModalLine.Entry? {
        guard !isLocked else { return nil }
        return interface.line(over: .screen, workspace, modality).live
            ?? workspace.focus.flatMap { interface.line(over: .window($0), workspace, modality).live }
    }

    /// Whether a view for a program has the keyboard. Every key asks, and almost always there is none.
    var hasActiveView: Bool { !modality.isEmpty && activeView != nil }

    /// The view for a program that has the keyboard.
    var activeView: ModalView? {
        guard !modality.isEmpty, case .view(let view)? = liveEntry else { return nil }
        return view
    }
}
