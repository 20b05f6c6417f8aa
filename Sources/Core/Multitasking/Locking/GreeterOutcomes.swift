import Geometry
import Interface
import Locking
import Seat
import Stage
import Windows

/// The greeter: its room, and its part of the lock screen (decision 0200).
extension System {
    mutating func greeter(_ event: Greeter.Event, at now: Moment, _ turn: inout Turn) {
        let page = greeter.page, person = greeter.person
        for outcome in greeter.handle(event, at: now) {
            switch outcome {
            // Nothing was drawn yet.
            case .lock: lock(.asked(.shell, isDark: true), at: now, &turn)
            case .ask: lockScreen(LockScreen.Event.act(.open), at: now, &turn)
            case .drop: lockScreen(LockScreen.Event.act(.close), at: now, &turn)
            case .start(let number, let session): turn.send(.unlocking(.startSession(number, session)))
            case .stop(let number): turn.send(.unlocking(.stop(number)))
            case .keep(let memory): turn.send(.unlocking(.keepMemory(memory)))
            case .prefer(let choice):
                turn.ask(.prefer(choice))
                turn.ask(.settle())
            case .read(let isOn): turn.send(.unlocking(.reader(isOn)))
            case .end(let end): if status.ends.contains(end) { turn.send(.status(.set(.end(end)))) }
            case .ends: turn.send(.quit)
            case .timer(let moment): turn.setTimer(.seat(.greeter), moment)
            case .changed:
                showLockScreen()
                // Each list begins at its top.
                if greeter.page != page || greeter.person != person { lockHands(.dropped, at: now, &turn) }
                followGreeterFocus(at: now, &turn)
            }
        }
    }

    /// An act of a person on the greeter, as on the lock screen.
    mutating func greet(_ act: LockAct, at now: Moment, _ turn: inout Turn) {
        switch act {
        case .greet(let act): greeter(.act(act), at: now, &turn)
        case .lock, .over, .back, .ends, .end, .openNotice: break
        case .open where greeter.person == nil || greeter.page != .people: greeter(.opens, at: now, &turn)
        case .close: greeter(.back, at: now, &turn)
        case .nextLayout, .keys: lockScreen(.act(act), at: now, &turn)
        case .open, .type, .erase, .submit, .reveal, .shift: if greeter.takesText { lockScreen(.act(act), at: now, &turn) }
        }
    }

    /// Keys that write. With one person there is no doubt for whom.
    mutating func greets(typed text: String, at now: Moment, _ turn: inout Turn) {
        if greeter.person == nil, greeter.people.count == 1 { greeter(.opens, at: now, &turn) }
        if greeter.takesText { lockScreen(.typed(text), at: now, &turn) }
    }

    // MARK: Keys

    /// A focus on what is no longer there begins anew on the new page, if it is a list.
    private mutating func followGreeterFocus(at now: Moment, _ turn: inout Turn) {
        guard let focus = screenful.interface.focus, let views = screenful.views(at: now) else { return }
        guard !views.lockedControls().contains(where: { $0.id == focus }) else { return }
        screenful.interface.focus = nil
        _ = beginGreeterFocus(at: now, &turn)
    }

    /// Gives the focus to the first row of a list, or the one that holds now, and scrolls there. False: there is a focus, or no list.
    mutating func beginGreeterFocus(at now: Moment, _ turn: inout Turn) -> Bool {
        guard greeter.isOn, let views = screenful.views(at: now), let first = views.greeterFirst else { return false }
        guard !views.lockedControls().contains(where: { $0.id == screenful.interface.focus }) else { return false }
        return focusGreeterRow(first, step: 0, views, at: now, &turn)
    }

    /// Moves the focus along the list, which scrolls. False: there is no row on that side.
    mutating func stepGreeterRow(_ step: Int, at now: Moment, _ turn: inout Turn) -> Bool {
        guard greeter.isOn, let views = screenful.views(at: now), let focus = screenful.interface.focus else { return false }
        return focusGreeterRow(focus, step: step, views, at: now, &turn)
    }

    private mutating func focusGreeterRow(_ id: ControlID, step: Int, _ views: Views, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let next = views.greeterRow(after: id, step: step) else { return false }
        screenful.interface.focus = next.id
        if next.way != 0 { lockHands(.scrolled(next.way * workspace.idiom.views.growth), at: now, &turn) }
        return true
    }
}
