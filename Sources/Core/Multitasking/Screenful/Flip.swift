import Geometry
import Stage
import Windows

/// Flips through the Slide Over stack, by a drag along the card's lower strip or by an action (W-03).
extension Screenful {
    /// The card follows the finger, and the next one appears from behind it; the only card of a stack resists.
    mutating func flip(_ window: WindowID, from start: Rect, by dx: Double, at now: Moment) {
        let stack = workspace.slideOver.stack
        guard stack.count > 1, stack.first == window else {
            stage.endComing(at: now)
            return stage.hold(window, at: start.offset(by: Vector(rubberBand(dx, low: 0, high: 0, give: 0.15), 0)), now: now)
        }
        stage.hold(window, at: start.offset(by: Vector(dx, 0)), now: now)
        guard dx != 0, let place = workspace.frame(of: window, workspace.partFrames()) else { return }
        stage.come(dx < 0 ? stack[1] : stack[stack.count - 1], to: place, share: min(1, abs(dx) / max(1, place.width)), at: now)
    }

    /// The same motion without a finger.
    mutating func flipStack(forward: Bool, at now: Moment) throws(Refusal) {
        let slideOver = workspace.slideOver
        if slideOver.stack.count > 1, !slideOver.isHidden, !workspace.isHome,
            let place = workspace.frame(of: slideOver.stack[0], workspace.partFrames())
        {
            stage.come(forward ? slideOver.stack[1] : slideOver.stack[slideOver.stack.count - 1], to: place, share: 0, at: now)
            stage.flipped(slideOver.stack[0], by: forward ? -1 : 1, at: now)
        }
        try workspace.flipSlideOver(forward: forward)
    }
}
