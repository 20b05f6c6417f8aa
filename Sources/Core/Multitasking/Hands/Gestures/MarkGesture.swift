import Geometry
import Interface
import Modality
import Stage
import Windows

/// A finger or the pointer marks a part of the screen for a view: it spans a frame, or carries a point.
struct MarkGesture: Gesture {
    var contact: Int32
    var view: ModalID
    var isPoint: Bool

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .mark(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        if isPoint { return turn.ask(.modality(.marked(Rect(trace.point.x, trace.point.y, 0, 0), of: view, on: screen.bounds))) }
        guard trace.farthest > screenful.workspace.idiom.slop else { return }
        let a = trace.start, b = trace.point
        let frame = Rect(min(a.x, b.x), min(a.y, b.y), abs(a.x - b.x), abs(a.y - b.y))
        turn.ask(.modality(.marked(frame, of: view, on: screen.bounds)))
    }
}

extension Hands {
    /// Returns whether the control is the ground on which a view wants something marked.
    mutating func beginMark(_ drag: ViewControl.Drag?, contact: Int32, _ screenful: Screenful, _ turn: inout Turn) -> Bool {
        guard case .mark(let id)? = drag, let mark = screenful.modality[id]?.mark, let screen = screenful.workspace.screen,
            let point = self.contact(contact)?.trace.point
        else { return false }
        grab = .mark(MarkGesture(contact: contact, view: id, isPoint: mark.isPoint))
        if mark.isPoint { turn.ask(.modality(.marked(Rect(point.x, point.y, 0, 0), of: id, on: screen.bounds))) }
        return true
    }

    /// An arrow key moves the mark of the view in front, 16 points at a time; with Shift it makes a frame larger or smaller, or carries a
    /// point farther. Returns whether it did.
    func markByKey(_ key: Key, _ screenful: Screenful, _ turn: inout Turn) -> Bool {
        guard screenful.interface.focus == nil, let view = screenful.activeView, let mark = view.mark,
            let bounds = screenful.workspace.screen?.bounds
        else { return false }
        let isShifted = key.modifiers.contains(.shift), length = isShifted && mark.isPoint ? 64.0 : 16
        let way: Vector
        switch key.symbol {
        case .leftArrow: way = Vector(-length, 0)
        case .rightArrow: way = Vector(length, 0)
        case .upArrow: way = Vector(0, -length)
        case .downArrow: way = Vector(0, length)
        default: return false
        }
        turn.ask(.modality(.marked(mark.stepped(way, resizes: isShifted, on: bounds), of: view.id, on: bounds)))
        return true
    }
}
