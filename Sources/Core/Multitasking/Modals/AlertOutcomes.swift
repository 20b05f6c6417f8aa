import Geometry
import Interface
import Modals
import Stage
import Windows

/// The events of the shell's own alerts, and the effect of their outcomes on the screen.
extension System {
    /// The shell has to tell or ask a person something (`Alerts.Event.told`).
    mutating func alert(_ content: Interface.Popover, stays: Bool = false, at now: Moment) { alerts(.told(content, stays: stays), at: now) }

    var alertContext: Alerts.Context {
        Alerts.Context(open: screenful.interface.isPopoverOpen ? screenful.interface.popover?.content : nil, isLocked: screenful.isLocked)
    }

    mutating func alerts(_ event: Alerts.Event, at now: Moment) {
        for outcome in alerts.handle(event, in: alertContext, at: now) {
            switch outcome {
            case .presents(let content):
                screenful.interface.present(content, at: now, spring: screenful.spring)
                if case .prompt = content { screenful.interface.promptBegan(at: now) }
            case .closes: screenful.interface.close(.popover, at: now, spring: screenful.spring)
            }
        }
    }

    /// The shell crashed several times. A person decides whether the windows are restored (W-20).
    mutating func windowsSetAside(_ count: Int, at now: Moment) {
        guard count > 0 else { return }
        windowsAside = count
        // Where a person may not open apps, they stay closed.
        if screenful.workspace.offers(.opening) { alerts(.windowsSetAside(count), at: now) }
    }

    mutating func bringWindowsBack(at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard windowsAside > 0 else { throw Refusal("no windows were set aside") }
        windowsAside = 0
        alerts(.windowsAsideAnswered, at: now)
        turn.send(.bringWindowsBack)
    }

    mutating func startClean(at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard alerts.asksWindowsAside else { throw Refusal("no question about the windows of the last session is open") }
        alerts(.windowsAsideAnswered, at: now)
        turn.send(.forgetWindowsAside)
    }

    /// The app of a window that a person closed does not answer: asks whether to end the app.
    mutating func windowSilent(_ id: WindowID, at now: Moment) {
        // It may answer before another alert is closed.
        guard workspace[id]?.isMapped ?? false, !screenful.isLocked, !screenful.interface.isAlertOpen else { return }
        alert(.unresponsive(id, name: workspace.appName(of: id)), at: now)
    }

    /// An app ended several times on its own state (S-04). Where a person may not open apps, the shell does not ask: the app comes back
    /// without the state, which stays where it is kept.
    mutating func askAboutState(of app: String, at now: Moment, _ turn: inout Turn) {
        guard screenful.workspace.offers(.opening) else { return turn.ask(.life(.withholdState(from: app))) }
        guard !screenful.isLocked else { return }
        let name = workspace.app(app)?.name ?? app
        // It says more than the alert that the app could not be opened.
        alerts(.superseded(title: .message(.couldNotOpen, [name])), at: now)
        alert(.crashing(app: app, name: name), at: now)
    }
}
