import Geometry
import Modality
import Stage
import Windows

/// Sheets: dialogs of apps on their windows (M-01 to M-03, M-10).
extension Desk {
    /// A person swiped a sheet away, or closed it by a control of the shell. Its app is asked. `isConfirmed`: the person
    /// has accepted that work is lost.
    mutating func dismissSheet(_ id: WindowID, isConfirmed: Bool = false, at now: Moment, _ turn: inout Turn) {
        guard isConfirmed || !confirms(closing: id, at: now, &turn), workspace.hideSheet(id) else { return }
        carryOut(modality.dismiss(id, isInstant: preferences.reducedMotion, at: now), at: now, &turn)
        turn.ask(.settle())
    }

    /// A person acts on a window behind a modal view: the view shows that it has to be answered first (M-02).
    mutating func touchedInert(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        if let blocker = workspace.blocker(of: id), !workspace.isPopover(blocker) { nudge(blocker, at: now, &turn) }
    }

    mutating func nudge(_ sheet: WindowID, at now: Moment, _ turn: inout Turn) {
        personActs(in: sheet, at: now, &turn)
        stage.nudge(sheet, workspace, at: now, spring: spring)
    }

    /// The app of a window that a person closed does not answer: asks whether to end the app.
    mutating func windowSilent(_ id: WindowID, at now: Moment) {
        // It may answer before another alert is closed.
        guard workspace[id]?.isMapped ?? false, !isLocked, !isAlertOpen else { return }
        alert(.unresponsive(id, name: workspace.appName(of: id)), at: now)
    }

    /// A dialog appeared. If it stands on a sheet that is being dismissed, a person has to see it first (M-10). Popups
    /// below it close before it is shown (M-11).
    mutating func sheetComes(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard case .dialog(let parent) = workspace.place(of: id) else { return }
        if let sheet = workspace.hiddenBase(of: parent) { carryOut(modality.appKeeps(sheet), at: now, &turn) }
        let root = workspace.root(of: id)
        for owner in workspace.popupOwners where workspace.root(of: owner) == root && owner != id && workspace[owner]!.popupGrab {
            dismissPopups(of: owner, &turn)
        }
        // A window within a popover belongs to it.
        guard ModalRules.step(kind(of: id), over: .popover) == .closesBelow else { return }
        for popover in workspace.popovers(on: root) where popover != id {
            if workspace.presentation(of: id) == .currentContext, workspace.stands(id, on: popover) { continue }
            dismissSheet(popover, at: now, &turn)
        }
    }

    /// The kind of a dialog of an app among modal views.
    func kind(of dialog: WindowID) -> ModalKind {
        switch workspace.presentation(of: dialog) {
        case .fullScreen: .fullScreen
        case .popover: .popover
        case .sheet, .currentContext, nil: .sheet
        }
    }

    mutating func modalWindowGone(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        carryOut(modality.windowGone(id), at: now, &turn)
    }

    mutating func modalAlarmRang(at now: Moment, _ turn: inout Turn) {
        carryOut(modality.alarmRang(at: now), at: now, &turn)
    }

    mutating func carryOut(_ effects: [Modality.Effect], at now: Moment, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .askToClose(let id): askToClose(id, &turn)
            case .comesBack(let id): workspace.restoreSheet(id)
            case .closePopups(let id):
                dismissPopups(of: id, &turn)
                for popover in workspace.popovers(on: workspace.root(of: id)) { dismissSheet(popover, at: now, &turn) }
            case .alarm(let moment): turn.send(moment.map { .startTimer(.desk(.modality), at: $0) } ?? .stopTimer(.desk(.modality)))
            case .answer(let id, let answer): turn.send(.viewAnswered(id, answer))
            case .answerUnsaved(let window, let answer): unsavedAnswered(window, answer, at: now, &turn)
            }
        }
    }
}
