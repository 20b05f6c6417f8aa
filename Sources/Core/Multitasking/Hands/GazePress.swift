import Geometry
import Windows

/// A press of a person whose eyes rest on something (V-02).
extension Hands {
    /// The eyes rest on something and a person presses, as two fingers that meet do: a tap there.
    mutating func pressAtGaze(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard screenful.workspace.idiom.depth != nil, let point = screenful.gaze.point else {
            throw Refusal("it is not known where the person looks")
        }
        guard isNew(Contact.gaze) else { return }
        touchDown(Contact.gaze, at: point, over: nil, &screenful, now, &turn)
        turn.send(.touchFrame)
        touchUp(Contact.gaze, &screenful, at: now, &turn)
        turn.send(.touchFrame)
    }
}
