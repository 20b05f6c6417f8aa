import Geometry
import Interface
import Windows

/// The glass of bars that stand (W-25).
extension System {
    /// The glass of bars that stand follows the windows below them, once these have come to rest (W-25).
    mutating func followBars(at now: Moment, _ turn: inout Turn) {
        let hasGlass = screenful.workspace.hasStandingDock && screenful.preferences.appearance.hasGlass
        let below = hasGlass ? screenful.views(at: now)?.windowsUnderBars() ?? [:] : nil
        if screenful.interface.lieUnderBars(below) { turn.send(.startTimer(.screen(.glass), at: now + System.glassRest)) }
    }

    mutating func renewGlass(at now: Moment, _ turn: inout Turn) {
        // A window that still moves, for example into the dock, would stay in the picture, and so would the card of an app that starts.
        let isStarting = screenful.interface.launches.values.contains { !($0.isLeaving && $0.opacity.isSettled(at: now)) }
        if isStarting || screenful.stage.isMoving(at: now) { return turn.send(.startTimer(.screen(.glass), at: now + System.glassRest)) }
        screenful.interface.renewGlass()
    }

    /// Seconds in which windows come to rest.
    private static let glassRest = 0.6
}
