import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// Sliders of the shell operated by keys, and keys that repeat. For fingers and the pointer, see `SlideGesture`.
extension Hands {
    /// Handles arrows, Home and End on the focused slider. Returns whether the key was for it.
    mutating func slideFocus(_ key: Key, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let id = screenful.interface.focus, let slide = screenful.control(id, at: now)?.slide else { return false }
        let step: Int
        switch key.symbol {
        case .leftArrow: step = slide.isMirrored ? 1 : -1
        case .rightArrow: step = slide.isMirrored ? -1 : 1
        case .plus, .keypadPlus: step = 1
        case .minus, .keypadMinus: step = -1
        case .home, .end:
            attempt(slide.action(at: key.symbol == .home ? 0 : 1), &screenful, at: now, &turn)
            return true
        default: return false
        }
        attempt(slide.action(steps: step), &screenful, at: now, &turn)
        startRepeating(key.code, .adjustStep(id, step), screenful, at: now, &turn)
        return true
    }

    // MARK: Held keys

    /// Keys for levels repeat while they are held; no other key does.
    mutating func beginRepeat(_ code: UInt32, _ action: Action, _ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard case .audio(.volumeStep) = action else { return }
        startRepeating(code, .action(action), screenful, at: now, &turn)
    }

    mutating func startRepeating(
        _ code: UInt32, _ what: KeyState.Repeated, _ screenful: Screenful, at now: Moment, _ turn: inout Turn
    ) {
        keys.repeating = KeyState.Repeating(code: code, what: what)
        turn.send(.startTimer(.hands(.keyRepeat), at: now + screenful.measures.keyRepeatDelay))
    }

    mutating func endRepeat(_ turn: inout Turn) {
        guard keys.repeating != nil else { return }
        keys.repeating = nil
        turn.send(.stopTimer(.hands(.keyRepeat)))
    }

    mutating func repeatKey(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let held = keys.repeating else { return }
        let action: Action?
        switch held.what {
        case .moveFocus(let way):
            guard screenful.takesKeys, held.count < screenful.measures.mostKeyRepeats else { return keys.repeating = nil }
            keys.repeating!.count += 1
            screenful.keyFocus(.moved(way), at: now)
            turn.ask(.settle())
            return turn.send(.startTimer(.hands(.keyRepeat), at: now + screenful.measures.keyRepeatPace))
        case .action(let same): action = same
        case .adjustStep(let id, let step):
            action = screenful.interface.focus == id ? screenful.control(id, at: now)?.slide?.action(steps: step) : nil
        }
        guard let action, held.count < screenful.measures.mostKeyRepeats else { return keys.repeating = nil }
        keys.repeating!.count += 1
        attempt(action, &screenful, at: now, &turn)
        turn.send(.startTimer(.hands(.keyRepeat), at: now + screenful.measures.keyRepeatPace))
    }
}
