import Geometry
import Stage
import Windows

/// The Shared Space: where a person looks, and the meaning of closing there (V-02, V-03).
extension Screenful {
    /// The window at a point is looked at. Nothing is sent to its client (V-02).
    mutating func look(at point: Point?, at now: Moment) {
        guard workspace.idiom.depth != nil else { return }
        let window = point.flatMap { stage.windowLookedAt($0, workspace, at: now) }
        guard workspace.look(at: window) else { return }
        drawsAnew()
        for id in [window].compactMap({ $0 }) + Array(stage.shown.keys) { stage.showPresence(of: id, workspace, at: now, spring: spring) }
    }

    /// Puts a window away that a person closes, where closing does that (V-03). Its app runs on.
    ///
    /// - Returns: whether it was put away; else its app is asked to close it.
    mutating func putsAway(_ id: WindowID, _ turn: inout Turn) -> Bool {
        guard workspace.idiom.closing == .putsAway, workspace.isFree(id), let window = workspace[id], window.isMapped,
            window.placeholder == nil
        else { return false }
        workspace.putAway(id)
        turn.ask(.sound(Sound.closed(window)))
        return true
    }
}
