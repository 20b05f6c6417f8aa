import Geometry
import Interface
import Stage
import Windows

/// The knob of a slider. A finger moves it relative to where it is, so that an accidental touch changes nothing.
/// The pointer is exact, so a press moves the knob to it.
struct SlideGesture: Gesture {
    var contact: Int32
    /// The slider.
    var id: ControlID
    /// Its value, as a share of the range, when the gesture began.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .slide(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let slide = screenful.control(id, at: now)?.slide else { return }
        if contact == Contact.pointer { return hands.moveSlide(slide, to: slide.share(at: trace.point), &screenful, at: now, &turn) }
        guard trace.farthest > screenful.measures.knobSlop else { return }
        let way = trace.translation.dx / max(1, slide.track.width)
        hands.moveSlide(slide, to: max(0, min(1, start + (slide.isMirrored ? -way : way))), &screenful, at: now, &turn)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let sliding = screenful.interface.sliding else { return }
        let slide = screenful.control(sliding.id, at: now)?.slide
        screenful.interface.sliding = nil
        guard let slide, !slide.isLive, let rested = screenful.control(sliding.id, at: now)?.slide, rested.value != sliding.value else {
            return
        }
        hands.attempt(slide.action(at: sliding.value), &screenful, at: now, &turn)
    }
}

extension Hands {
    mutating func beginSlide(_ id: ControlID, contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let slide = screenful.control(id, at: now)?.slide else { return }
        screenful.interface.focus = nil
        grab = .slide(SlideGesture(contact: contact, id: id, start: slide.value))
        screenful.interface.sliding = .init(id: id, value: slide.value)
        guard contact == Contact.pointer, let trace = self.contact(contact)?.trace else { return }
        moveSlide(slide, to: slide.share(at: trace.point), &screenful, at: now, &turn)
    }

    /// The sound follows at once, but not every pixel of a finger's motion is reported.
    mutating func moveSlide(_ slide: ViewControl.Slide, to value: Double, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let old = screenful.interface.sliding?.value, old != value else { return }
        guard !slide.isLive || abs(value - old) >= screenful.measures.knobStep || value == 0 || value == 1 else { return }
        screenful.interface.sliding?.value = value
        guard slide.isLive else { return }
        attempt(slide.action(at: value), &screenful, at: now, &turn)
    }
}
