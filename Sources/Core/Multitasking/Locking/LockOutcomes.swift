import Geometry
import Interface
import Locking
import Notices
import Seat
import Stage
import Windows

/// The lock screen of the shell: its room, its fingers and keys, and when the session is locked.
extension System {
    var lockScreenContext: LockScreen.Context {
        LockScreen.Context(
            layouts: max(1, screenful.sight.facts.keyboards.count), asksName: greeter.asksName, account: greeter.account,
            parksTalk: greeter.isOn)
    }

    mutating func lockScreen(_ event: LockScreen.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in lockScreen.handle(event, in: lockScreenContext, at: now) {
            switch outcome {
            case .start(let number, let byFinger):
                turn.send(.unlocking(greeter.account.map { .greet(number, $0) } ?? .start(number, byFinger: byFinger)))
            case .named(let name): greeter(.named(name), at: now, &turn)
            case .unlock where greeter.isOn:
                greeter(.allowed(lockScreen.lastNumber, isAnswered: lockScreen.wasAnswered), at: now, &turn)
            case .answer(let number, let secret): turn.send(.unlocking(.answer(number, secret)))
            case .stop(let number): turn.send(.unlocking(.stop(number)))
            case .log(let text): turn.send(.unlocking(.log(text)))
            case .keep(let failures): turn.send(.noteTries(failures))
            case .layout(let number): turn.send(.client(.keyboardLayout(number)))
            case .timer(let moment): turn.setTimer(.seat(.lockScreen), moment)
            case .unlock(let isExpired): unlocks(isExpired: isExpired, at: now, &turn)
            case .changed:
                showLockScreen()
                if greeter.person != nil, !lockScreen.isOpen { greeter(.closed, at: now, &turn) }
            }
        }
    }

    mutating func showLockScreen() {
        (screenful.sight.lock.screen, screenful.sight.lock.greeter) = (lockScreen, greeter)
        screenful.drawsAnew()
    }

    // MARK: When

    /// Locks the session: a person wants it, or the device is unused, or about to sleep.
    mutating func locks(at now: Moment, _ turn: inout Turn) {
        guard !seat.lock.isLocked else { return endTry(at: now, &turn) }
        let command = screenful.preferences.lock.command
        guard command.isEmpty else {
            (isLockerStarting, screenful.sight.isLockComing) = (true, true)
            return turn.send(.startLocker(command))
        }
        lock(.asked(.shell, isDark: false), at: now, &turn)
    }

    /// The locked session is locked again, or its screen gets dark: no answer from before opens it.
    mutating func endTry(at now: Moment, _ turn: inout Turn) { lockScreen(LockScreen.Event.act(.close), at: now, &turn) }

    /// Locks it without a person's wish, where the idiom offers the lock.
    mutating func locksByItself(at now: Moment, _ turn: inout Turn) {
        if workspace.offers(.lock) { locks(at: now, &turn) }
    }

    /// The machine is about to sleep, or its lid is closed.
    mutating func locksForSleep(at now: Moment, _ turn: inout Turn) {
        endTry(at: now, &turn)
        if screenful.preferences.lock.onSleep { locksByItself(at: now, &turn) }
    }

    /// The shell waits for so many seconds without use.
    mutating func followLockDelay(at now: Moment, _ turn: inout Turn) {
        let wanted = workspace.offers(.lock) ? screenful.preferences.lock.after : 0
        guard wanted != lockDelay else { return }
        if lockDelay > 0 { turn.send(seat.handle(.watchGone(.lock), at: now)) }
        lockDelay = wanted
        guard wanted > 0 else { return }
        turn.send(seat.handle(.watchAdded(.lock, milliseconds: UInt32(clamping: Int(clamping: (wanted * 1000).rounded()))), at: now))
    }

    /// No locker holds the locked session, and none is configured: the shell takes it. Nothing of the session is in sight.
    mutating func takeOver(at now: Moment, _ turn: inout Turn) {
        guard seat.lock.isAbandoned, screenful.preferences.lock.command.isEmpty else { return }
        carryOut(seat.handle(.asked(.shell, isDark: true), canStart: false, at: now), at: now, &turn)
    }

    /// The lock screen comes and goes with the lock.
    mutating func followOwnLock(at now: Moment, _ turn: inout Turn) {
        guard seat.lock.isOwn != lockScreen.isUp else { return }
        screenful.interface.focus = nil
        lockHands(.dropped, at: now, &turn)
        lockScreen(seat.lock.isOwn ? .begins : .ends, at: now, &turn)
        if !seat.lock.isOwn {
            overLock(.ends, at: now, &turn)
            finger(.ends, at: now, &turn)
            powerButton(.lit(screenful.sight.isLit), at: now, &turn)
        }
        followStatus(at: now, &turn)
    }

    /// A program objects to the end of the session, and no view can ask a person about it here. The log-out is cancelled at once.
    mutating func followHeldUp(at now: Moment, _ turn: inout Turn) {
        if screenful.isLocked, life.lifecycle.isLogOutStopped { lockScreen(LockScreen.Event.heldUp, at: now, &turn) }
    }

    // MARK: The fingerprint reader

    mutating func finger(_ event: FingerLock.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in fingerLock.handle(event, in: (), at: now) {
            switch outcome {
            case .changed:
                screenful.sight.lock.finger = fingerLock
                screenful.drawsAnew()
            case .read: turn.send(.finger(.read))
            case .stop: turn.send(.finger(.stop))
            case .matches: lockScreen(.fingerMatches, at: now, &turn)
            case .log(let reason): turn.send(.finger(.log(reason)))
            case .timer(let moment): turn.setTimer(.seat(.finger), moment)
            }
        }
    }

    /// A reader is read while a person can see the lock screen.
    mutating func followFinger(at now: Moment, _ turn: inout Turn) {
        finger(.wanted(lockScreen.isUp && !greeter.isOn && screenful.sight.isLit && screenful.sight.isAwake), at: now, &turn)
    }

    private mutating func unlocks(isExpired: Bool, at now: Moment, _ turn: inout Turn) {
        let notice = lockScreen.notice
        lock(.unlocked(.shell), at: now, &turn)
        lock(.gone(.shell), at: now, &turn)
        if let notice { hands.attempt(.notice(.open(NoticeID(notice))), &screenful, at: now, &turn) }
        if isExpired { alert(.alert(title: .message(.passwordExpired), message: .message(.passwordExpiredNow)), at: now) }
    }

    // MARK: Events

    mutating func lockScreen(_ event: LockScreenEvent, at now: Moment, _ turn: inout Turn) {
        switch event {
        case .input(let input): lockInput(input, at: now, &turn)
        case .talk(let number, let talk): lockScreen(LockScreen.Event.talk(number, talk), at: now, &turn)
        case .triedBefore(let count): lockScreen(LockScreen.Event.triedBefore(count), at: now, &turn)
        case .lockAsked: locks(at: now, &turn)
        case .unlockAsked:
            // Every program of the person may ask for it.
            guard screenful.preferences.lock.obeysUnlock, seat.lock.isOwn, !greeter.isOn else { return }
            unlocks(isExpired: false, at: now, &turn)
        case .greeter(let event): greeter(.outside(event), at: now, &turn)
        }
    }

    mutating func lockScreen(_ act: LockAct, at now: Moment, _ turn: inout Turn) {
        guard !greeter.isOn else { return greet(act, at: now, &turn) }
        switch act {
        // While the session is locked, it goes back from an app.
        case .lock:
            if lockScreen.isUp { overLock(.back, at: now, &turn) }
            locks(at: now, &turn)
        case .over(let app): opensOverLock(app, at: now, &turn)
        case .back: overLock(.back, at: now, &turn)
        case .end(let end):
            guard status.ends.contains(end) else { return }
            lockScreen(.act(act), at: now, &turn)
            device(.end(end), at: now, &turn)
        default: lockScreen(.act(act), at: now, &turn)
        }
    }

    // MARK: Fingers and keys

    private mutating func lockInput(_ input: LockInput, at now: Moment, _ turn: inout Turn) {
        guard lockScreen.isUp else { return }
        lockScreen(.used, at: now, &turn)
        func control(at point: Point) -> ControlID? {
            screenful.views(at: now)?.lockControl(at: point).flatMap { $0.isOperable ? $0.id : nil }
        }
        switch input {
        case .down(let id, let point): lockHands(.down(id, at: point, control: control(at: point)), at: now, &turn)
        case .moved(let id, let point): lockHands(.moved(id, to: point), at: now, &turn)
        case .up(let id):
            let over = lockHands.place(of: id).flatMap { control(at: $0) }
            lockHands(.up(id, control: over), at: now, &turn)
        case .cancelled(let id): lockHands(.cancelled(id), at: now, &turn)
        case .scrolled(let way): lockHands(.scrolled(way), at: now, &turn)
        case .key(let symbol, let text):
            // A key that wakes a dark screen writes nothing.
            if screenful.sight.isLit { lockKey(symbol, text, at: now, &turn) }
        case .chord(let symbols, let modifiers):
            guard screenful.sight.isLit, let symbol = symbols.first else { return }
            let locks = symbols.contains { symbol in
                let chord = Key(code: 0, symbol: symbol, isPressed: true, modifiers: Modifiers(rawValue: modifiers), text: "")
                return screenful.binding(of: chord)?.action == .lockScreen(.lock)
            }
            if locks { lockScreen(LockAct.lock, at: now, &turn) } else { lockKey(symbol, nil, at: now, &turn) }
        }
    }

    mutating func lockHands(_ event: LockHands.Event, at now: Moment, _ turn: inout Turn) {
        let growth = workspace.idiom.views.growth, views = screenful.views(at: now), list = views?.lockList
        let context = LockHands.Context(list: list.flatMap { views?.onScreen($0.window) }, length: (list?.length ?? 0) * growth)
        for outcome in lockHands.handle(event, in: context, at: now) {
            switch outcome {
            case .marks(let id): if screenful.interface.pressed != id { screenful.interface.pressed = id }
            case .presses(let id): pressOnLock(id, at: now, &turn)
            case .swipes(let isUp):
                lockScreen(overLock.app != nil ? LockAct.back : isUp ? .open : .close, at: now, &turn)
            case .scrolls: screenful.drawsAnew()
            }
        }
        screenful.sight.lock.scroll = lockHands.scroll / growth
    }

    private mutating func pressOnLock(_ id: ControlID, at now: Moment, _ turn: inout Turn) {
        guard let press = screenful.views(at: now)?.lockedControls().last(where: { $0.id == id })?.press else { return }
        if case .lockScreen(let act) = press { lockScreen(act, at: now, &turn) } else { hands.attempt(press, &screenful, at: now, &turn) }
    }

    private mutating func lockKey(_ symbol: KeySymbol, _ text: String?, at now: Moment, _ turn: inout Turn) {
        guard overLock.app == nil else { return overLockKey(symbol, at: now, &turn) }
        let moves: [KeySymbol] = [.leftArrow, .rightArrow, .upArrow, .downArrow, .tab, .backTab]
        guard !moves.contains(symbol) || !beginGreeterFocus(at: now, &turn) else { return }
        switch symbol {
        case .escape, .back: lockScreen(LockAct.close, at: now, &turn)
        case .backspace: lockScreen(LockAct.erase, at: now, &turn)
        case .enter, .keypadEnter:
            if let focus = screenful.interface.focus { return pressOnLock(focus, at: now, &turn) }
            lockScreen(lockScreen.isOpen && !(greeter.isOn && greeter.page != .people) ? LockAct.submit : .open, at: now, &turn)
        case .leftArrow: moveLockFocus(.left, at: now)
        case .rightArrow: moveLockFocus(.right, at: now)
        case .upArrow: if !stepGreeterRow(-1, at: now, &turn) { moveLockFocus(.top, at: now) }
        case .downArrow: if !stepGreeterRow(1, at: now, &turn) { moveLockFocus(.bottom, at: now) }
        case .tab, .backTab:
            let step = symbol == .tab ? 1 : -1
            if !stepGreeterRow(step, at: now, &turn) { stepLockFocus(step, at: now) }
        default:
            guard let text, !text.isEmpty else { return }
            if screenful.interface.focus != nil { screenful.interface.focus = nil }
            if greeter.isOn { greets(typed: text, at: now, &turn) } else { lockScreen(.typed(text), at: now, &turn) }
        }
    }

    private func lockFocusable(at now: Moment) -> [ViewControl] {
        screenful.views(at: now)?.lockedControls().filter { $0.isFocusable && $0.isOperable } ?? []
    }

    private mutating func moveLockFocus(_ way: Side, at now: Moment) {
        let all = lockFocusable(at: now)
        guard let here = all.firstIndex(where: { $0.id == screenful.interface.focus }) else { return stepLockFocus(1, at: now) }
        if let next = FocusMap(all.map(\.frame)).next(from: here, way) { screenful.interface.focus = all[next].id }
    }

    private mutating func stepLockFocus(_ step: Int, at now: Moment) {
        let all = lockFocusable(at: now)
        guard !all.isEmpty else { return }
        // Keys begin at the keys on the screen, or at the way in.
        let first = all.firstIndex { $0.id.rawValue.hasPrefix("lock/key/") || $0.id == "lock/open" } ?? 0
        let here = all.firstIndex { $0.id == screenful.interface.focus }
        screenful.interface.focus = all[here.map { ($0 + step + all.count) % all.count } ?? first].id
    }
}
