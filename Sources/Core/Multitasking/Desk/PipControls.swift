import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The controls on Picture in Picture, and videos that move to Picture in Picture when a person goes home (W-06).
extension Desk {
    mutating func togglePipControls(at now: Moment) throws(Refusal) {
        guard let pip = workspace.pip else { throw Refusal("no window is in Picture in Picture") }
        if interface.isPipControlsOpen { return closePipControls(at: now) }
        if pip.stashed != nil { try workspace.setPipStashed(nil) }
        interface.pipControls.present(pip.window, at: now, spring: spring)
    }

    mutating func closePipControls(at now: Moment) {
        let spring = self.spring
        interface.pipControls?.close(at: now, spring: spring)
        if hasPipFocus { interface.focus = nil }
    }

    func isPipControl(_ id: ControlID?) -> Bool { id?.area == .pipControls }

    private var hasPipFocus: Bool { isPipControl(interface.focus) }

    /// Closes the controls with their window, and after a while unless the keyboard or a finger is on them.
    mutating func syncPipControls(at now: Moment, _ turn: inout Turn) {
        if interface.isPipControlsOpen {
            let pip = workspace.pip
            if pip == nil || pip!.window != interface.pipControls!.content || pip!.stashed != nil || isLocked { closePipControls(at: now) }
        }
        let isTimed = interface.isPipControlsOpen && !hasPipFocus && !isPipControl(interface.pressed)
        guard isTimed != waits.isPipTimed else { return }
        waits.isPipTimed = isTimed
        turn.send(isTimed ? .startTimer(.desk(.pipControls), at: now + measures.pipControlsPatience) : .stopTimer(.desk(.pipControls)))
    }

    mutating func pipControlsTimeOut(at now: Moment) {
        waits.isPipTimed = false
        // A finger resting on a button will be lifted sooner or later.
        if !isPipControl(interface.pressed) { closePipControls(at: now) }
    }

    /// A button of the controls was pressed: restarts their timer.
    mutating func usePipControl(_ id: ControlID) {
        if isPipControl(id) { waits.isPipTimed = false }
    }

    // MARK: Going home

    /// Moves a playing video to Picture in Picture when a person goes home, unless another window is there. Returns the
    /// window that moved, or nil.
    mutating func keepVideoInSight(at now: Moment) -> WindowID? {
        guard workspace.admits(.pictureInPicture), workspace.pip == nil, case .full(let id)? = workspace.currentSpace?.content,
            let window = workspace[id], playsVideo(window) || isInCall(window)
        else { return nil }
        return makePicture(of: id, in: workspace.currentSpace!.id, at: now) ? id : nil
    }

    /// Whether the app's audible sound is a video's, or the app says that it plays and asked for the window to be full-screen.
    func playsVideo(_ window: Window) -> Bool {
        let summary = heard
        if summary.apps.contains(where: { $0.kind == .video && $0.isSounding && window.belongs(to: $0.app) }) { return true }
        guard let playing = summary.playing, playing.status == .playing, window.belongs(to: playing.app) else { return false }
        return window.commit.wantsFullscreen
    }
}
