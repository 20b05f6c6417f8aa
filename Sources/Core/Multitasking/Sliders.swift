import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The knobs of the shell's own sliders, by finger, pointer, wheel, keys and `mullion ctl`.
extension System {
    // MARK: Finger and pointer

    /// A finger moves the knob from where it is, so that a touch by mistake changes nothing. The pointer, which is exact,
    /// takes it to where it presses.
    mutating func beginSlide(_ id: String, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let slide = control(id, at: now)?.slide else { return }
        interface.focus = nil
        grab = .slide(contact: contact, id: id, start: slide.value)
        interface.sliding = .init(id: id, value: slide.value)
        guard contact == Contact.pointer, let trace = contacts.first(where: { $0.id == contact })?.trace else { return }
        moveSlide(slide, to: slide.share(at: trace.point), at: now, &effects)
    }

    mutating func followSlide(_ id: String, from start: Double, _ trace: Trace, isPointer: Bool, at now: Moment, _ effects: inout [Effect]) {
        guard let slide = control(id, at: now)?.slide else { return }
        if isPointer { return moveSlide(slide, to: slide.share(at: trace.point), at: now, &effects) }
        guard trace.farthest > 4 else { return }
        let way = trace.translation.dx / max(1, slide.track.width)
        moveSlide(slide, to: max(0, min(1, start + (slide.isMirrored ? -way : way))), at: now, &effects)
    }

    /// What is heard follows at once; a finger's every pixel need not be told.
    private mutating func moveSlide(_ slide: ViewControl.Slide, to value: Double, at now: Moment, _ effects: inout [Effect]) {
        guard let old = interface.sliding?.value, old != value else { return }
        guard !slide.isLive || abs(value - old) >= 1 / 512 || value == 0 || value == 1 else { return }
        interface.sliding?.value = value
        revision &+= 1
        guard slide.isLive else { return }
        do { try perform(slide.action(at: value), at: now, &effects) } catch { effects.append(.refuse(error)) }
    }

    mutating func endSlide(at now: Moment, _ effects: inout [Effect]) {
        guard let sliding = interface.sliding else { return }
        let slide = control(sliding.id, at: now)?.slide
        interface.sliding = nil
        guard let slide, !slide.isLive, let rested = control(sliding.id, at: now)?.slide, rested.value != sliding.value else { return }
        do { try perform(slide.action(at: sliding.value), at: now, &effects) } catch { effects.append(.refuse(error)) }
    }

    // MARK: Keys and wheel

    /// Arrows along the slider that the keyboard is at, Home and End. True if the key was for it.
    mutating func slideFocus(_ code: UInt32, _ symbol: UInt32, at now: Moment, _ effects: inout [Effect]) -> Bool {
        guard let id = interface.focus, let slide = control(id, at: now)?.slide else { return false }
        let step: Int
        switch symbol {
        case 0xff51: step = slide.isMirrored ? 1 : -1
        case 0xff53: step = slide.isMirrored ? -1 : 1
        case 0x2b, 0xffab: step = 1
        case 0x2d, 0xffad: step = -1
        case 0xff50, 0xff57:
            do { try perform(slide.action(at: symbol == 0xff50 ? 0 : 1), at: now, &effects) } catch { effects.append(.refuse(error)) }
            return true
        default: return false
        }
        do { try perform(slide.action(steps: step), at: now, &effects) } catch { effects.append(.refuse(error)) }
        beginRepeat(code, RepeatingKey.Repeated.adjustStep(id, step), at: now, &effects)
        return true
    }

    /// Points of a wheel's notch.
    private static let notch = 15.0

    /// Up is more. True if the pointer is over a slider.
    mutating func scrollSlider(_ axis: PointerAxis, at now: Moment, _ effects: inout [Effect]) -> Bool {
        guard interface.isPopoverOpen || interface.isPanelOpen, grab == nil, axis.value != 0,
            case .view(let id) = hit(pointer.point, precise: true, at: now), let slide = control(id, at: now)?.slide
        else { return false }
        let way = axis.isHorizontal && !slide.isMirrored ? axis.value : -axis.value
        do { try perform(slide.action(at: slide.value + way / System.notch / 16), at: now, &effects) } catch { effects.append(.refuse(error)) }
        settle(at: now, &effects)
        return true
    }

    mutating func adjust(_ id: String, to share: Double, at now: Moment, _ effects: inout [Effect]) throws(Refusal) {
        guard let control = controls(at: now).last(where: { $0.id == id }) else { throw Refusal("no control \"\(id)\" is shown") }
        guard let slide = control.slide else { throw Refusal("\"\(id)\" is no slider") }
        guard (0...1).contains(share) else { throw Refusal("a slider's place is a number from 0 to 1, not \(share)") }
        try perform(slide.action(at: share), at: now, &effects)
    }

    // MARK: Held keys

    /// Seconds that a key is held before it repeats, and from one time to the next: the whole range in two seconds.
    static let repeatPatience = 0.4, repeatPace = 0.1
    /// So often it repeats at most: a release that never comes must not be heard for ever.
    static let mostRepeats = 40

    struct RepeatingKey: Hashable, Codable, Sendable {
        var code: UInt32
        var what: Repeated
        var count = 0

        enum Repeated: Hashable, Codable, Sendable {
            case action(Action)
            /// A slider that the keyboard is at.
            case adjustStep(String, Int)
        }
    }

    /// Levels go on for as long as the key is held; nothing else does.
    mutating func beginRepeat(_ code: UInt32, _ action: Action, at now: Moment, _ effects: inout [Effect]) {
        guard case .audio(.volumeStep) = action else { return }
        beginRepeat(code, RepeatingKey.Repeated.action(action), at: now, &effects)
    }

    private mutating func beginRepeat(_ code: UInt32, _ what: RepeatingKey.Repeated, at now: Moment, _ effects: inout [Effect]) {
        repeating = RepeatingKey(code: code, what: what)
        effects.append(.startTimer(.keyRepeat, at: now + System.repeatPatience))
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
        guard let action, held.count < System.mostRepeats else { return repeating = nil }
        repeating!.count += 1
        do { try perform(action, at: now, &effects) } catch { effects.append(.refuse(error)) }
        effects.append(.startTimer(.keyRepeat, at: now + System.repeatPace))
    }
}
