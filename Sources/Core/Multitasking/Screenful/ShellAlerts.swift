import Interface
import Modals
import Windows

extension Screenful {
    func requireNoAlert() throws(Refusal) {
        // Nothing of the shell stands over one (M-11).
        if interface.isAlertOpen { throw Refusal("an alert is open") }
    }
}
