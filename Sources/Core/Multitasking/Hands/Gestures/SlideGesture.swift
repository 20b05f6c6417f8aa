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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let slide = desk.control(id, at: now)?.slide else { return }
        if contact == Contact.pointer { return hands.moveSlide(slide, to: slide.share(at: trace.point), &desk, at: now, &turn) }
        guard trace.farthest > desk.measures.knobSlop else { return }
        let way = trace.translation.dx / max(1, slide.track.width)
        hands.moveSlide(slide, to: max(0, min(1, start + (slide.isMirrored ? -way : way))), &desk, at: now, &turn)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let sliding = desk.interface.sliding else { return }
        let slide = desk.control(sliding.id, at: now)?.slide
        desk.interface.sliding = nil
        guard let slide, !slide.isLive, let rested = desk.control(sliding.id, at: now)?.slide, rested.value != sliding.value else { return }
        hands.attempt(slide.action(at: sliding.value), &desk, at: now, &turn)
    }
}

extension Hands {
    mutating func beginSlide(_ id: ControlID, contact: Int32, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let slide = desk.control(id, at: now)?.slide else { return }
        desk.interface.focus = nil
        grab = .slide(SlideGesture(contact: contact, id: id, start: slide.value))
        desk.interface.sliding = .init(id: id, value: slide.value)
        guard contact == Contact.pointer, let trace = self.contact(contact)?.trace else { return }
        moveSlide(slide, to: slide.share(at: trace.point), &desk, at: now, &turn)
    }

    /// The sound follows at once, but not every pixel of a finger's motion is reported.
    mutating func moveSlide(_ slide: ViewControl.Slide, to value: Double, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let old = desk.interface.sliding?.value, old != value else { return }
        guard !slide.isLive || abs(value - old) >= desk.measures.knobStep || value == 0 || value == 1 else { return }
        desk.interface.sliding?.value = value
        guard slide.isLive else { return }
        attempt(slide.action(at: value), &desk, at: now, &turn)
    }
}
