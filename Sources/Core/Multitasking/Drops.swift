import Geometry
import Windows

/// Drag and drop between apps.
extension System {
    /// The point at which clients are offered what an app drags over `point` of the screen, in the same coordinates; nil: no client is.
    ///
    /// Only the surface that a press would reach there gets a drop (P-01): nothing falls through a view of the shell, or into a window
    /// whose modal dialog is open. The strips of a card are the card's.
    public func dropPoint(_ point: Point, at now: Moment) -> Point? {
        guard !screenful.isLocked else { return nil }
        switch screenful.hit(point, precise: true, at: now) {
        case .window, .picture, .border, .home, .background: return point
        case .cardTop(let card), .cardBottom(let card):
            return contentRect(of: card, at: now).map { Rect(origin: point, size: .zero).clamped(to: $0.inset(by: 1)).origin }
        case .divider, .slideOverHandle, .pipTab, .view, .overview, .panel, .outside, .edge, .inert: return nil
        }
    }
}
