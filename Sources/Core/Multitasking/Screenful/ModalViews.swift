import Geometry
import Interface
import Modality
import Stage
import Windows

/// Views that the shell shows for programs (M-05), as far as a person sees them.
extension Screenful {
    /// Whether a person has had time to see a question of permission. A key that was on its way to an app or a locker grants nothing.
    func mayChooseByKey(_ id: ModalID, at now: Moment) -> Bool {
        guard let shown = interface.modals.last(where: { $0.content.id == id }), shown.content.isPermission else { return true }
        return shown.seenSince.map { now - $0 >= ModalRules.permissionGrace } ?? false
    }

    /// Notes since when a person sees each view. `isCovered`: a panel of another program has the keys, such as a launcher.
    mutating func noteSeenViews(isCovered: Bool, at now: Moment) {
        guard !interface.modals.isEmpty else { return }
        let isOpen =
            !isLocked && sight.isLit && sight.isAwake && workspace.screen != nil && !isCovered && !interface.isOverviewOpen
            && !interface.isModal
        for index in interface.modals.indices {
            let shown = interface.modals[index]
            interface.modals[index].see(shown.isOpen && isOpen && shown.content.window.map { workspace.isShown($0) } ?? true, at: now)
        }
    }

    /// Shows new views, and removes those that ended (M-14).
    mutating func showViews(at now: Moment) {
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

    /// Shows more of the apps of an activity view, and in the end the first ones again.
    mutating func moreApps(_ number: UInt32) throws(Refusal) {
        let id = ModalID(number)
        guard modality[id]?.sharing != nil else { throw Refusal("\(id) shares nothing") }
        interface.appPages[id, default: 0] += 1
    }
}
