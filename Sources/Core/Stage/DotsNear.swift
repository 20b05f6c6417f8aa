import Geometry
import Windows

/// The dots of windows, where a person types or looks for them (W-07).
extension Stage {
    public mutating func hideDots(of root: WindowID, _ workspace: Workspace, at now: Moment, spring: Spring) {
        for id in gripsHidden(byTypingIn: root, workspace) { grips.hide(id, at: now, spring: spring) }
    }

    /// Whether dots change because a person is near. Most points are not near any.
    public func hasDots(near point: Point, immersed: WindowID?, _ workspace: Workspace, at now: Moment) -> Bool {
        (immersed.map { !isGripHidden($0) } ?? false) || !hiddenGrips(near: point, workspace, at: now).isEmpty
    }

    /// - Parameter immersed: the window that fills the screen by its own request, and shows its dots only where a person looks for them.
    public mutating func comesNearDots(_ point: Point, immersed: WindowID?, _ workspace: Workspace, at now: Moment, spring: Spring) {
        for id in hiddenGrips(near: point, workspace, at: now) { grips.reveal(id, at: now, spring: spring) }
        guard let immersed, !isGripHidden(immersed), !isNearGrip(of: immersed, point, workspace, at: now) else { return }
        grips.hide(immersed, at: now, spring: spring)
    }

    /// How light or dark it is below the dots of a window, or below the bar of a sheet (M-13). Returns whether anything is drawn there.
    public mutating func noteGround(of id: WindowID, _ brightness: Double, isBar: Bool, at now: Moment) -> Bool {
        guard shown[id] != nil, brightness.isFinite else { return false }
        if isBar { bars.note(brightness, under: id, at: now) } else { grips.note(brightness, under: id, at: now) }
        return true
    }
}
