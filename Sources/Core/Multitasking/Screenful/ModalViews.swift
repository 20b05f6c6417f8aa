import Geometry
import Interface
import Modality
import Stage
import Windows

/// Views that the shell shows for programs (M-05), as far as a person sees them.
extension Screenful {
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

    /// Shows more of the apps of an activity view, and in the end the first ones again.
    mutating func moreApps(_ number: UInt32) throws(Refusal) {
        let id = ModalID(number)
        guard modality[id]?.sharing != nil else { throw Refusal("\(id) shares nothing") }
        interface.appPages[id, default: 0] += 1
    }
}
