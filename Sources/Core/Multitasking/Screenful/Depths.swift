import Geometry
import Interface
import Stage
import Windows

/// The Shared Space: depths, where a person looks, and the meaning of closing there (V-01 to V-03).
extension Screenful {
    mutating func setDepth(_ window: WindowID, _ depth: Double) throws(Refusal) {
        let root = workspace.root(of: window)
        try workspace.setDepth(root, depth)
        try workspace.activate(root)
    }

    mutating func stepDepth(_ window: WindowID, _ step: Int) throws(Refusal) {
        guard (-16...16).contains(step) else { throw Refusal("a step is a small number, not \(step)") }
        let root = workspace.root(of: window)
        guard let measures = workspace.idiom.depth, let depth = workspace.depth(of: root) else {
            throw Refusal("in the idiom \(workspace.idiom.name) windows have no depth")
        }
        try setDepth(root, depth + Double(step) * measures.step)
    }

    /// The window at a point is looked at. Nothing is sent to its client (V-02).
    mutating func look(at point: Point?, at now: Moment) {
        guard workspace.idiom.depth != nil else { return }
        var window: WindowID?
        if let point {
            switch stage.hit(point, workspace, precise: true, at: now) {
            case .window(let id, _), .border(let id, _), .inert(let id): window = id
            case .view: window = stage.windowOfBar(at: point, workspace, at: now)
            default: break
            }
        }
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
