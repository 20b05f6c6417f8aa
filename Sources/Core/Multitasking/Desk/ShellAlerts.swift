import Geometry
import Interface
import Modals
import Windows

/// The shell's own alerts.
extension Desk {
    /// Whether one of the shell's own alerts is open. Nothing of the shell stands over it (M-11).
    var isAlertOpen: Bool { interface.isPopoverOpen && interface.popover?.content.isAlert ?? false }

    func requireNoAlert() throws(Refusal) {
        if isAlertOpen { throw Refusal("an alert is open") }
    }

    /// The shell has to tell or ask a person something (`Alerts.Event.told`).
    mutating func alert(_ content: Interface.Popover, stays: Bool = false, at now: Moment) { alerts(.told(content, stays: stays), at: now) }

    var alertContext: Alerts.Context {
        Alerts.Context(open: interface.isPopoverOpen ? interface.popover?.content : nil, isLocked: isLocked)
    }

    mutating func alerts(_ event: Alerts.Event, at now: Moment) {
        for outcome in alerts.handle(event, in: alertContext, at: now) {
            switch outcome {
            case .presents(let content): present(content, at: now)
            case .closes: interface.close(.popover, at: now, spring: spring)
            }
        }
    }

    /// The shell crashed several times. A person decides whether the windows are restored (W-20).
    mutating func windowsSetAside(_ count: Int, at now: Moment) {
        guard count > 0 else { return }
        windowsAside = count
        // Where a person may not open apps, they stay closed.
        if offers(.opening) { alerts(.windowsSetAside(count), at: now) }
    }
}
