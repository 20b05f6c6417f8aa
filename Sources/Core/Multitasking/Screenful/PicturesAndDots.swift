import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The part of the screen that the watches (module `Watches`) read and change.
extension Screenful {
    // MARK: The picture of a call (S-10)

    /// A tap on the picture of a call returns to it; one on another picture shows its controls (W-06).
    mutating func pictureTapped(at now: Moment) throws(Refusal) {
        guard let pip = workspace.pip, pip.stashed == nil, pip.window == sight.pictureOfCall else { return try togglePipControls(at: now) }
        try workspace.move(pip.window, to: .fullScreen)
        closeViews(at: now)
    }

    /// Moves a playing video to Picture in Picture when a person goes home, unless another window is there (W-06). Returns the window that
    /// moved, or nil.
    mutating func keepVideoInSight(at now: Moment, _ turn: inout Turn) -> WindowID? {
        guard workspace.admits(.pictureInPicture), workspace.pip == nil, case .full(let id)? = workspace.currentSpace?.content,
            let window = workspace[id], heard.playsVideo(window) || workspace.hasCall(window, heard)
        else { return nil }
        return makePicture(of: id, in: workspace.currentSpace!.id, at: now, &turn) ? id : nil
    }

    /// Starts from where the window is drawn, which may be where a finger carried it.
    @discardableResult
    mutating func makePicture(of id: WindowID, in space: SpaceID, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let window = workspace[id] else { return false }
        let start = stage.cardFrame(.space(space), at: now), shape = window.contentSize, isCall = workspace.hasCall(window, heard)
        guard (try? workspace.move(id, to: .pictureInPicture)) != nil else { return false }
        // A call's window has no shape of its own, unlike a video, so it keeps the one that it had.
        if isCall, window.naturalSize == nil { workspace.shapePicture(like: shape) }
        turn.ask(.pictured(id, isInCall: isCall))
        stage.removeCard(.space(space))
        if let start {
            stage.hold(id, at: start, now: now)
            stage.letGo(id, at: now)
        }
        return true
    }

    // MARK: The controls on Picture in Picture (W-06)

    mutating func togglePipControls(at now: Moment) throws(Refusal) {
        guard let pip = workspace.pip else { throw Refusal("no window is in Picture in Picture") }
        if interface.isPipControlsOpen { return closePipControls(at: now) }
        if pip.stashed != nil { try workspace.setPipStashed(nil) }
        interface.pipControls.present(pip.window, at: now, spring: spring)
    }

    mutating func closePipControls(at now: Moment) {
        let spring = self.spring
        interface.pipControls?.close(at: now, spring: spring)
        if interface.focus?.area == .pipControls { interface.focus = nil }
    }

    /// A button of the controls was pressed: their time begins anew.
    func usePipControl(_ id: ControlID, _ turn: inout Turn) { if id.area == .pipControls { turn.ask(.pictureControls(.used)) } }

    // MARK: The dots of windows (W-07)

    /// A person typed, with keys or an input method.
    mutating func typedIntoApp(at now: Moment) {
        guard let root = workspace.focus.map({ workspace.root(of: $0) }), !stage.gripsHidden(byTypingIn: root, workspace).isEmpty else {
            return
        }
        stage.hideDots(of: root, workspace, at: now, spring: spring)
    }

    /// A finger or the pointer is at this point; most points are not near any dots.
    mutating func comesNearDots(_ point: Point, at now: Moment) {
        let immersed = interface.isPopoverOpen ? nil : sight.immersed
        guard stage.hasDots(near: point, immersed: immersed, workspace, at: now) else { return }
        stage.comesNearDots(point, immersed: immersed, workspace, at: now, spring: spring)
    }

    /// One picture beside one window: they change places (W-26).
    mutating func swapPicture(at now: Moment) throws(Refusal) {
        guard let picture = workspace.pip?.window else { throw Refusal("no window is in Picture in Picture") }
        // Behind the home screen is the window that was in front.
        guard let space = workspace.current.flatMap(workspace.space), case .full(let front) = space.content else {
            throw Refusal("no window is in front of which the picture could change places")
        }
        try workspace.move(picture, to: .fullScreen)
        try workspace.move(front, to: .pictureInPicture)
        closeViews(at: now)
        closePipControls(at: now)
    }
}
