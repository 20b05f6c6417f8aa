import Geometry
import Interface
import Stage
import Windows

/// The knob of a slider. A finger moves it from where it is, so that a touch by mistake changes nothing. The pointer,
/// which is exact, takes it to where it presses.
struct SlideGesture: Gesture {
    var contact: Int32
    /// The slider.
    var id: ControlID
    /// Its share when it was taken.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .slide(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let slide = system.control(id, at: now)?.slide else { return }
        if contact == Contact.pointer { return system.moveSlide(slide, to: slide.share(at: trace.point), at: now, &effects) }
        guard trace.farthest > system.measures.knobSlop else { return }
        let way = trace.translation.dx / max(1, slide.track.width)
        system.moveSlide(slide, to: max(0, min(1, start + (slide.isMirrored ? -way : way))), at: now, &effects)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let sliding = system.interface.sliding else { return }
        let slide = system.control(sliding.id, at: now)?.slide
        system.interface.sliding = nil
        guard let slide, !slide.isLive, let rested = system.control(sliding.id, at: now)?.slide, rested.value != sliding.value else { return }
        system.attempt(slide.action(at: sliding.value), at: now, &effects)
    }
}

extension System {
    mutating func beginSlide(_ id: ControlID, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let slide = control(id, at: now)?.slide else { return }
        interface.focus = nil
        grab = .slide(SlideGesture(contact: contact, id: id, start: slide.value))
        interface.sliding = .init(id: id, value: slide.value)
        guard contact == Contact.pointer, let trace = self.contact(contact)?.trace else { return }
        moveSlide(slide, to: slide.share(at: trace.point), at: now, &effects)
    }

    /// What is heard follows at once; a finger's every pixel need not be told.
    mutating func moveSlide(_ slide: ViewControl.Slide, to value: Double, at now: Moment, _ effects: inout [Effect]) {
        guard let old = interface.sliding?.value, old != value else { return }
        guard !slide.isLive || abs(value - old) >= measures.knobStep || value == 0 || value == 1 else { return }
        interface.sliding?.value = value
        revision &+= 1
        guard slide.isLive else { return }
        attempt(slide.action(at: value), at: now, &effects)
    }
}
