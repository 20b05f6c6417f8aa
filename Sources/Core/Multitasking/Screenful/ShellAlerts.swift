import Interface
import Modals
import Windows

extension Screenful {
    /// Whether one of the shell's own alerts is open. Nothing of the shell stands over it (M-11).
    var isAlertOpen: Bool { interface.isPopoverOpen && interface.popover?.content.isAlert ?? false }

    func requireNoAlert() throws(Refusal) {
        if isAlertOpen { throw Refusal("an alert is open") }
    }
}
