import Geometry
import Interface
import Status
import Windows

/// The power button, a low battery, and programs that hold up the end of the machine's work: where a person meets them.
extension System {
    var powerButtonContext: PowerButton.Context {
        PowerButton.Context(isLit: workspace.screen == nil || screenful.sight.isLit, isLocked: seat.lock.isLocked)
    }

    mutating func powerButton(_ event: PowerButton.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = powerButton.handle(event, in: powerButtonContext, at: now)
        for outcome in outcomes {
            switch outcome {
            case .darkens:
                locksByItself(at: now, &turn)
                turn.send(.client(.lightScreen(false)))
            case .lights: turn.send(.client(.lightScreen(true)))
            case .opensMenu:
                guard workspace.offers(.controlCentre) else { continue }
                guard !screenful.isLocked else {
                    overLock(.back, at: now, &turn)
                    if !status.ends.isEmpty, !greeter.isOn { lockScreen(.act(.ends), at: now, &turn) }
                    continue
                }
                screenful.toggleControlPage(.power, at: now)
            case .timer(let moment): turn.setTimer(.seat(.powerButton), moment)
            }
        }
        if !outcomes.isEmpty { turn.ask(.settle()) }
    }

    /// Whether an event of input does no more than light a screen that the button made dark, or not even that.
    mutating func isTakenByDark(_ event: Event, at now: Moment, _ turn: inout Turn) -> Bool {
        guard powerButton.isDark, !screenful.sight.isLit else {
            if case .lockScreen(.input) = event { powerButton(.used(isFinger: true), at: now, &turn) }
            return false
        }
        switch event {
        case .lockScreen(.input(let input)):
            switch input {
            case .down(let id, _): powerButton(.used(isFinger: id >= 0), at: now, &turn)
            case .key, .chord: powerButton(.used(isFinger: false), at: now, &turn)
            case .moved, .up, .cancelled, .scrolled: break
            }
            return true
        case .touchDown:
            powerButton(.used(isFinger: true), at: now, &turn)
            return true
        case .key(_, _, pressed: true, _, _, _), .pointerButton(_, pressed: true): powerButton(.used(isFinger: false), at: now, &turn)
        default: break
        }
        return false
    }

    /// The login manager leaves the button to the shell.
    mutating func followPowerButton(_ turn: inout Turn) {
        let wanted = screenful.preferences.lock.powerButton
        guard wanted != holdsPowerButton else { return }
        holdsPowerButton = wanted
        turn.send(.power(.holdButton(wanted)))
    }

    /// Warns of a low battery in an idiom that lets a person do something about it.
    mutating func warnOfBattery(at now: Moment, _ turn: inout Turn) {
        for outcome in batteryWarnings.handle(status.battery, in: (), at: now) {
            switch outcome {
            case .tells: if workspace.offers(.controlCentre) { alert(.power(.lowBattery), at: now) }
            case .withdraws: alerts(.withdrawn([.power(.lowBattery)]), at: now)
            }
            turn.ask(.settle())
        }
    }
}
