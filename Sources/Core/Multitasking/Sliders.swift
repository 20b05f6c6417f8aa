import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The knobs of the shell's own sliders by wheel, keys and `mullion ctl`; by finger and pointer: `SlideGesture`.
extension System {
    // MARK: Keys and wheel

    /// Arrows along the slider that the keyboard is at, Home and End. True if the key was for it.
    mutating func slideFocus(_ code: UInt32, _ symbol: KeySymbol, at now: Moment, _ effects: inout [Effect]) -> Bool {
        guard let id = interface.focus, let slide = control(id, at: now)?.slide else { return false }
        let step: Int
        switch symbol {
        case .leftArrow: step = slide.isMirrored ? 1 : -1
        case .rightArrow: step = slide.isMirrored ? -1 : 1
        case .plus, .keypadPlus: step = 1
        case .minus, .keypadMinus: step = -1
        case .home, .end:
            attempt(slide.action(at: symbol == .home ? 0 : 1), at: now, &effects)
            return true
        default: return false
        }
        attempt(slide.action(steps: step), at: now, &effects)
        beginRepeat(code, RepeatingKey.Repeated.adjustStep(id, step), at: now, &effects)
        return true
    }

    /// Up is more. True if the pointer is over a slider.
    mutating func scrollSlider(_ axis: PointerAxis, at now: Moment, _ effects: inout [Effect]) -> Bool {
        guard interface.isPopoverOpen || interface.isPanelOpen, grab == nil, axis.value != 0,
            case .view(let id) = hit(pointer.point, precise: true, at: now), let slide = control(id, at: now)?.slide
        else { return false }
        let way = axis.isHorizontal && !slide.isMirrored ? axis.value : -axis.value
        attempt(slide.action(at: slide.value + way / measures.wheelNotch / measures.wheelNotches), at: now, &effects)
        reconcile(at: now, &effects)
        return true
    }

    mutating func adjust(_ id: ControlID, to share: Double, at now: Moment, _ effects: inout [Effect]) throws(Refusal) {
        guard let control = controls(at: now).last(where: { $0.id == id }) else { throw Refusal("no control \"\(id)\" is shown") }
        guard let slide = control.slide else { throw Refusal("\"\(id)\" is no slider") }
        guard (0...1).contains(share) else { throw Refusal("a slider's place is a number from 0 to 1, not \(share)") }
        try perform(slide.action(at: share), at: now, &effects)
    }

    // MARK: Held keys

    struct RepeatingKey: Hashable, Codable, Sendable {
        var code: UInt32
        var what: Repeated
        var count = 0

        enum Repeated: Hashable, Codable, Sendable {
            case action(Action)
            /// A slider that the keyboard is at.
            case adjustStep(ControlID, Int)
        }
    }

    /// Levels go on for as long as the key is held; nothing else does.
    mutating func beginRepeat(_ code: UInt32, _ action: Action, at now: Moment, _ effects: inout [Effect]) {
        guard case .audio(.volumeStep) = action else { return }
        beginRepeat(code, RepeatingKey.Repeated.action(action), at: now, &effects)
    }

    private mutating func beginRepeat(_ code: UInt32, _ what: RepeatingKey.Repeated, at now: Moment, _ effects: inout [Effect]) {
        repeating = RepeatingKey(code: code, what: what)
        effects.append(.startTimer(.keyRepeat, at: now + measures.keyRepeatDelay))
    }

    mutating func endRepeat(_ effects: inout [Effect]) {
        guard repeating != nil else { return }
        repeating = nil
        effects.append(.stopTimer(.keyRepeat))
    }

    mutating func repeatKey(at now: Moment, _ effects: inout [Effect]) {
        guard let held = repeating else { return }
        let action: Action?
        switch held.what {
        case .action(let same): action = same
        case .adjustStep(let id, let step): action = interface.focus == id ? control(id, at: now)?.slide?.action(steps: step) : nil
        }
        guard let action, held.count < measures.mostKeyRepeats else { return repeating = nil }
        repeating!.count += 1
        attempt(action, at: now, &effects)
        effects.append(.startTimer(.keyRepeat, at: now + measures.keyRepeatPace))
    }
}
