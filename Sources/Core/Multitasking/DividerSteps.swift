import Geometry
import Stage
import Windows

/// The steps of a divider drag: each waits for both windows (W-04).
extension System {
    mutating func stepDivider(wanted: Double? = nil, at now: Moment, _ turn: inout Turn) {
        while stepDividerOnce(wanted: wanted, at: now, &turn) { settle(at: now, &turn) }
    }

    /// Takes one step of the divider drag (W-04). Returns true if windows were sent another size, so that everything must
    /// settle before the next step.
    private mutating func stepDividerOnce(wanted: Double?, at now: Moment, _ turn: inout Turn) -> Bool {
        while screenful.workspace.dividerDrag != nil, let split = screenful.workspace.currentSpace?.split {
            switch screenful.workspace.stepDividerDrag(wanted: wanted, at: now) {
            case .wait: return false
            case .told(let deadline):
                screenful.workspace.hold([split.first, split.second])
                turn.send(.hold(split.first))
                turn.send(.hold(split.second))
                turn.send(.startTimer(.system(.dividerPatience), at: deadline))
                return true
            case .shown:
                // An answer may allow the next step at once.
                screenful.releaseHeld(&turn)
                turn.send(.stopTimer(.system(.dividerPatience)))
                screenful.stage.snap([split.first, split.second], screenful.workspace, at: now)
            case .followed:
                screenful.stage.snap([split.first, split.second], screenful.workspace, at: now)
                return false
            }
        }
        return false
    }
}
