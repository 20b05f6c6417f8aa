import Geometry
import Interface
import Modality
import Stage
import Windows

/// Views that the shell shows for programs (M-05), and sheets of apps that a person dismisses: the events of the room `Modality`, and the
/// effect of its outcomes.
extension System {
    mutating func modality(_ event: Modality.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = modality.handle(event, in: (), at: now)
        screenful.sight.modality = modality
        screenful.drawsAnew()
        if event.changesView { screenful.interface.showViews(modality.views, at: now, spring: screenful.spring) }
        for outcome in outcomes {
            switch outcome {
            case .askToClose(let id): askToClose(id, &turn)
            case .comesBack(let id): screenful.workspace.restoreSheet(id)
            case .closePopups(let id):
                screenful.dismissPopups(of: id, &turn)
                for popover in workspace.popovers(on: workspace.root(of: id)) { dismissSheet(popover, at: now, &turn) }
            case .alarm(let moment): turn.setTimer(.screen(.modality), moment)
            case .answer(let id, let answer): turn.send(.viewAnswered(id, answer))
            case .answerUnsaved(let window, let answer): unsavedAnswered(window, answer, at: now, &turn)
            }
        }
    }

    /// A program asks for a view.
    mutating func askedForView(_ view: ModalView, at now: Moment, _ turn: inout Turn) {
        // Where a person may not open apps, a view offers none: a person can copy or save the shared content, and the shell does not show
        // a portal's list of apps.
        let opens = screenful.workspace.offers(.opening)
        if !opens, let other = view.choices.lazy.compactMap(\.opens).first {
            return turn.send(.viewAnswered(view.id, .refused("the idiom \(workspace.family.name) does not offer opening \(other)")))
        }
        var view = view.findingTargets(among: opens ? workspace.apps : []), below: ModalKind?
        if let window = view.window {
            guard workspace[window]?.isMapped ?? false else {
                return turn.send(.viewAnswered(view.id, .refused("\(window) is not there")))
            }
            // A window and its sheets share one queue of views (M-08).
            let root = workspace.root(of: window)
            view.window = root
            below =
                screenful.interface.line(over: .window(root), screenful.workspace, modality).entries.last {
                    if case .view = $0 { false } else { true }
                }?.kind
        }
        modality(.presented(view, over: below), at: now, &turn)
    }

    /// A person chose an answer.
    mutating func chooseView(_ number: UInt32, _ choice: Int, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = ModalID(number)
        guard let view = modality[id] else { throw Refusal("there is no \(id)") }
        guard (0..<view.choiceCount).contains(choice) else { throw Refusal("\(id) has no choice \(choice)") }
        guard modality.isLive(id) else { throw Refusal("another view stands on \(id)") }
        if view.choices.indices.contains(choice), let app = view.choices[choice].opens {
            _ = screenful.workspace.beginLaunch(of: workspace.appID(named: app), to: nil, at: now)
        }
        modality(.chosen(choice, of: id), at: now, &turn)
        if let target = view.sharing?.targets[choice] { turn.send(.share(id, target)) }
    }

    /// A person marks a part of the screen for a view.
    mutating func markView(_ number: UInt32, _ frame: Rect, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = ModalID(number)
        guard modality[id]?.mark != nil else { throw Refusal("no \(id) asks for a part of the screen") }
        guard modality.isLive(id) else { throw Refusal("another view stands on \(id)") }
        guard let screen = workspace.screen?.bounds else { throw Refusal("there is no screen") }
        let before = modality[id]?.mark
        modality(.marked(frame, of: id, on: screen), at: now, &turn)
        guard modality[id]?.mark != before || before?.frame == frame else { throw Refusal("no part of that is on the screen") }
    }

    /// Shows new views, and removes those that ended (M-14).
    mutating func showViews(at now: Moment, _ turn: inout Turn) {
        // Those from which a person went home come back with the apps.
        if !workspace.showsHome, !modality.aside.isEmpty { modality(.comesBack, at: now, &turn) }
        screenful.interface.showViews(modality.views, at: now, spring: screenful.spring)
    }

    // MARK: Sheets (M-01 to M-03, M-10)

    /// A person swiped a sheet away, or closed it by a control of the shell. Its app is asked. `isConfirmed`: the person
    /// has accepted that work is lost.
    mutating func dismissSheet(_ id: WindowID, isConfirmed: Bool = false, at now: Moment, _ turn: inout Turn) {
        guard isConfirmed || !confirms(closing: id, at: now, &turn), screenful.workspace.hideSheet(id) else { return }
        modality(.sheetDismissed(id, isInstant: screenful.preferences.reducedMotion), at: now, &turn)
        turn.ask(.settle())
    }

    /// A dialog appeared. If it stands on a sheet that is being dismissed, a person has to see it first (M-10). Popups
    /// below it close before it is shown (M-11).
    mutating func sheetComes(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard case .dialog(let parent) = workspace.place(of: id) else { return }
        if let sheet = workspace.hiddenBase(of: parent) { modality(.appKeeps(sheet), at: now, &turn) }
        let root = workspace.root(of: id)
        for owner in workspace.popupOwners where workspace.root(of: owner) == root && owner != id && workspace[owner]!.popupGrab {
            screenful.dismissPopups(of: owner, &turn)
        }
        // A window within a popover belongs to it.
        guard ModalRules.step(workspace.kind(of: id), over: .popover) == .closesBelow else { return }
        for popover in workspace.popovers(on: root) where popover != id {
            if workspace.presentation(of: id) == .currentContext, workspace.stands(id, on: popover) { continue }
            dismissSheet(popover, at: now, &turn)
        }
    }

    mutating func dismissView(_ number: UInt32, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = ModalID(number)
        guard let view = modality[id] else { throw Refusal("there is no \(id)") }
        guard modality.isLive(id) else { throw Refusal("another view stands on \(id)") }
        guard view.dismissal != .refused else { throw Refusal("\(id) has to be answered") }
        modality(.dismissed(id), at: now, &turn)
    }

    func modalViolations() -> [String] {
        modality.violations(in: ())
            + workspace.sinking.filter { !modality.isGoing($0) }.map { "law 4: the sheet \($0) is out of sight forever" }
            + (screenful.modality == modality ? [] : ["the screen shows other views than there are"])
    }
}
