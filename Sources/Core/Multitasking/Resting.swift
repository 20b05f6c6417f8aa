import Geometry
import Seat
import Stage

/// The screen dims while the device is unused, where the idiom says so.
extension System {
    /// A person uses a screen at rest: it wakes, and the input reaches nothing else. Returns whether that is all.
    mutating func wakes(by event: Event, at now: Moment, _ turn: inout Turn) -> Bool {
        guard screenful.interface.isResting, event.isUse else { return false }
        rest(.unused(false), at: now, &turn)
        switch event {
        case .key(let code, _, true, _, _, _):
            hands.keys.swallowed.append(code)
            turn.send(.swallowKey)
        case .touchDown(let id, let point, _):
            guard hands.isNew(id) else { break }
            hands.contacts.append(Contact(id: id, trace: Trace(point, at: now), hit: .background, owner: .nobody))
        // Keys, buttons and fingers that went down before end where they began (law 4).
        case .key, .pointerButton(_, pressed: false), .pointerMotion, .touchMotion, .touchUp, .touchCancel: return false
        // The button's release finds nothing that was pressed.
        default: break
        }
        turn.ask(.settle())
        return true
    }
}
