import Geometry
import Interface
import Stage
import Status
import Watches
import Windows

/// The state of the device: its room, and the strip of the screen that it takes.
extension System {
    mutating func status(_ event: Status.Event, at now: Moment, _ turn: inout Turn) {
        if case .time(let time) = event { nightLight(.time(time), at: now, &turn) }
        for outcome in status.handle(event, in: (), at: now) {
            switch outcome {
            case .changed:
                screenful.sight.device.status = status
                screenful.drawsAnew()
                warnOfBattery(at: now, &turn)
            case .set(let setting): turn.send(.status(.set(setting)))
            case .end(let end, let isForced):
                turn.ask(.life(.logOut(isForced: false, then: isForced ? .endAnyway(end) : .end(end))))
            case .asks(let end): alert(.power(.heldUp(end)), at: now)
            case .tellsOfUpdates:
                if workspace.offers(.controlCentre) { alert(.power(.updatesReady), at: now) }
                turn.ask(.settle())
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            case .tells(let service, let reason):
                let title: Message =
                    switch service {
                    case .network: .wireless
                    case .bluetooth: .bluetooth
                    case .profiles, .login: .power
                    case .lamp: .flashLight
                    case .recorder: .recordScreen
                    default: .brightness
                    }
                alert(.alert(title: .message(title), message: .message(.serviceRefused, [reason])), at: now)
            case .clock(let isOn): turn.send(.status(.clock(isOn)))
            }
        }
    }

    mutating func lightLevel(_ event: LightLevel.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in lightLevel.handle(event, in: (), at: now) {
            switch outcome {
            case .show(let isShown):
                screenful.interface.showLight(isShown, at: now, spring: screenful.spring)
                screenful.drawsAnew()
            case .wake(let moment): turn.send(.startTimer(.screen(.lightLevel), at: moment))
            }
        }
    }

    /// The bar takes its strip once there is something to show, and the clock ticks only in sight of a person.
    mutating func followStatus(at now: Moment, _ turn: inout Turn) {
        let isShown = screenful.preferences.showsStatus && status.time != nil
        let height = isShown ? workspace.statusHeight(textScale: screenful.preferences.appearance.textScale) : 0
        if let screen = workspace.screen, screen.status != height {
            screenful.workspace.setStatus(height: height)
            screenful.fitViews(at: now)
        }
        let isLit = workspace.screen != nil && screenful.sight.isLit && screenful.sight.isAwake
        status(.clockSeen(showsTime || isLit && nightLight.needsTime(screenful.preferences.nightLight)), at: now, &turn)
        if screenful.interface.isSensorListOpen, !screenful.sight.isWatched {
            screenful.interface.close(.popover, at: now, spring: screenful.spring)
        }
    }

    private var showsTime: Bool {
        if lockScreen.isUp { return workspace.screen != nil && screenful.sight.isLit && screenful.sight.isAwake }
        guard screenful.preferences.showsStatus, workspace.screen != nil, screenful.sight.isLit, screenful.sight.isAwake,
            !screenful.isLocked, !screenful.isWristDown, !screenful.interface.isResting
        else { return false }
        switch workspace.idiom.status.place {
        case .none: return false
        case .bar: return !workspace.hidesStatus || screenful.interface.isOverviewOpen
        case .menuBar: return workspace.menuBar != nil
        case .controlCentre: return screenful.interface.isControlCentreOpen
        case .switcher: return screenful.interface.isOverviewOpen
        }
    }
}
