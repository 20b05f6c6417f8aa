import Geometry
import Interface
import Modality
import Stage
import Windows

/// Views that the shell shows for programs (M-05), over the windows that they belong to.
extension Desk {
    /// A program asks for a view.
    mutating func askedForView(_ view: ModalView, at now: Moment, _ turn: inout Turn) {
        // Where a person may not open apps, a view offers none: a person can copy or save the shared content, and the shell does not show
        // a portal's list of apps.
        if !offers(.opening), let other = view.choices.lazy.compactMap(\.opens).first {
            return turn.send(.viewAnswered(view.id, .refused("the idiom \(workspace.family.name) does not offer opening \(other)")))
        }
        var view = view.findingTargets(among: offers(.opening) ? workspace.apps : []), below: ModalKind?
        if let window = view.window {
            guard workspace[window]?.isMapped ?? false else {
                return turn.send(.viewAnswered(view.id, .refused("\(window) is not there")))
            }
            // A window and its sheets share one queue of views (M-08).
            let root = workspace.root(of: window)
            view.window = root
            below = line(over: .window(root)).entries.last { if case .view = $0 { false } else { true } }?.kind
        }
        carryOut(modality.present(view, over: below, at: now), at: now, &turn)
    }

    mutating func viewWithdrawn(_ id: ModalID, at now: Moment, _ turn: inout Turn) {
        carryOut(modality.withdraw(id), at: now, &turn)
    }

    /// A person chose an answer.
    mutating func chooseView(_ number: UInt32, _ choice: Int, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = ModalID(number)
        guard let view = modality[id] else { throw Refusal("there is no \(id)") }
        guard (0..<view.choiceCount).contains(choice) else { throw Refusal("\(id) has no choice \(choice)") }
        guard modality.isLive(id) else { throw Refusal("another view stands on \(id)") }
        if view.choices.indices.contains(choice), let app = view.choices[choice].opens {
            _ = workspace.beginLaunch(of: workspace.appID(named: app), to: nil, at: now)
        }
        carryOut(modality.choose(choice, of: id), at: now, &turn)
        if let target = view.sharing?.targets[choice] { turn.send(.share(id, target)) }
    }

    /// Whether a person has had time to see a question of permission. A key that was on its way to an app or a locker grants nothing.
    func mayChooseByKey(_ id: ModalID, at now: Moment) -> Bool {
        guard let shown = interface.modals.last(where: { $0.content.id == id }), shown.content.isPermission else { return true }
        return shown.seenSince.map { now - $0 >= ModalRules.permissionGrace } ?? false
    }

    /// Notes since when a person sees each view. `isCovered`: a panel of another program has the keys, such as a launcher.
    mutating func noteSeenViews(isCovered: Bool, at now: Moment) {
        guard !interface.modals.isEmpty else { return }
        let isOpen =
            !isLocked && isLit && isAwake && workspace.screen != nil && !isCovered && !interface.isOverviewOpen && !interface.isModal
        for index in interface.modals.indices {
            let shown = interface.modals[index]
            interface.modals[index].see(shown.isOpen && isOpen && shown.content.window.map { workspace.isShown($0) } ?? true, at: now)
        }
    }

    mutating func dismissView(_ number: UInt32, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = ModalID(number)
        guard modality[id] != nil else { throw Refusal("there is no \(id)") }
        guard modality.isLive(id) else { throw Refusal("another view stands on \(id)") }
        var effects: [Modality.Effect] = []
        guard modality.dismiss(id, &effects) else { throw Refusal("\(id) has to be answered") }
        carryOut(effects, at: now, &turn)
    }

    /// Shows new views, and removes those that ended (M-14).
    mutating func showViews(at now: Moment) {
        // Those from which a person went home come back with the apps.
        if !workspace.showsHome { modality.comeBack() }
        let views = modality.views
        guard !views.isEmpty || !interface.modals.isEmpty else { return }
        for index in interface.modals.indices where interface.modals[index].isOpen {
            if !views.contains(where: { $0.id == interface.modals[index].content.id }) {
                interface.appPages[interface.modals[index].content.id] = nil
                interface.modals[index].close(at: now, spring: spring)
                if interface.focus?.area == .modal { interface.focus = nil }
            }
        }
        for view in views {
            guard let index = interface.modals.firstIndex(where: { $0.content.id == view.id }) else {
                interface.modals.append(Presented(view, at: now, spring: spring))
                continue
            }
            // The same question was asked again while the last view is still closing.
            if !interface.modals[index].isOpen { interface.modals[index].reopen(view, at: now, spring: spring) }
        }
    }
}
