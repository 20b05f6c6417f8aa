import AudioSessions
import Geometry
import Stage
import Windows

/// Which window a person looked at last, and the picture that a call left in sight (S-10).
struct CallPicture: Hashable, Codable, Sendable {
    /// The window that fills the screen; nil: none does.
    var front: WindowID?
    /// The window of a call that is a picture only as long as the call lasts.
    var ofCall: WindowID?
}

/// S-10: where an idiom keeps calls and videos in sight (`Idiom.keepsInSight`), the window of a call or of a playing video becomes the
/// picture when a person leaves it for another app. The picture of a call returns by a tap, and ends with the call.
extension Desk {
    /// Looks once at every settled change which window came in front of which, by any cause: a swipe, the switcher, an icon, a key.
    mutating func keepInSight(at now: Moment) {
        guard workspace.idiom.keepsInSight, workspace.admits(.pictureInPicture) else { return callPicture = CallPicture() }
        endCallPicture()
        let here: WindowID? = if case .full(let id)? = workspace.currentSpace?.content { id } else { nil }
        let left = callPicture.front
        callPicture.front = here ?? (workspace.isHome ? nil : left)
        guard !isLocked, let left, left != here, let window = workspace[left], window.isMapped,
            let space = workspace.spaces.first(where: { $0.contains(left) }),
            here.map({ workspace[$0]?.app != window.app || window.app.isEmpty }) ?? true
        else { return }
        if isInCall(window) || (workspace.pip == nil && playsVideo(window)) { makePicture(of: left, in: space.id, at: now) }
    }

    /// Whether the window's app has the accepted call.
    func isInCall(_ window: Window) -> Bool {
        guard workspace.idiom.keepsInSight, let call = heard.call, call.state == .accepted else { return false }
        return window.belongs(to: call.app)
    }

    /// A tap on the picture of a call returns to it; one on another picture shows its controls (W-06).
    mutating func pictureTapped(at now: Moment) throws(Refusal) {
        guard let pip = workspace.pip, pip.stashed == nil, pip.window == callPicture.ofCall else { return try togglePipControls(at: now) }
        try workspace.move(pip.window, to: .fullScreen)
        closeViews(at: now)
    }

    /// Starts from where the window is drawn, which may be where a finger carried it.
    @discardableResult
    mutating func makePicture(of id: WindowID, in space: SpaceID, at now: Moment) -> Bool {
        guard let window = workspace[id] else { return false }
        let start = stage.cardFrame(.space(space), at: now), shape = window.contentSize, isCall = isInCall(window)
        guard (try? workspace.move(id, to: .pictureInPicture)) != nil else { return false }
        // A call's window has no shape of its own, unlike a video, so it keeps the one that it had.
        if isCall, window.naturalSize == nil { workspace.shapePicture(like: shape) }
        if isCall { callPicture.ofCall = id }
        stage.removeCard(.space(space))
        if let start {
            stage.hold(id, at: start, now: now)
            stage.letGo(id, at: now)
        }
        return true
    }

    /// The picture goes with its call: the window is one swipe away again.
    private mutating func endCallPicture() {
        guard let id = callPicture.ofCall else { return }
        guard workspace.pip?.window == id else { return callPicture.ofCall = nil }
        if let call = heard.call, call.state != .ended { return }
        callPicture.ofCall = nil
        workspace.putPictureBack()
    }
}
