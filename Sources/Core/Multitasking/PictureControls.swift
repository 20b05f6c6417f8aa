import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The controls on Picture in Picture, and windows that become a picture when their person goes home (W-06).
extension System {
    /// Seconds that the controls stay after they were last used.
    static let pictureControlsPatience = 4.0

    mutating func togglePictureControls(at now: Moment) throws(Refusal) {
        guard let pip = workspace.pip else { throw Refusal("no window is in Picture in Picture") }
        if interface.isPictureControlsOpen { return closePictureControls(at: now) }
        if pip.stashed != nil { try workspace.setPictureStashed(nil) }
        interface.pictureControls.present(pip.window, at: now, spring: spring)
    }

    mutating func closePictureControls(at now: Moment) {
        let spring = self.spring
        interface.pictureControls?.close(at: now, spring: spring)
        if hasPictureFocus { interface.focus = nil }
    }

    func isPictureControl(_ id: String?) -> Bool { id?.hasPrefix("picture-controls/") ?? false }

    private var hasPictureFocus: Bool { isPictureControl(interface.focus) }

    /// They go with their picture, and by themselves unless the keyboard or a finger is at them.
    mutating func syncPictureControls(at now: Moment, _ effects: inout [Effect]) {
        if interface.isPictureControlsOpen {
            let pip = workspace.pip
            if pip == nil || pip!.window != interface.pictureControls!.content || pip!.stashed != nil || isLocked { closePictureControls(at: now) }
        }
        let isTimed = interface.isPictureControlsOpen && !hasPictureFocus && !isPictureControl(interface.pressed)
        guard isTimed != (told.isPictureTimed ?? false) else { return }
        told.isPictureTimed = isTimed ? true : nil
        effects.append(isTimed ? .startTimer(.pictureControls, at: now + System.pictureControlsPatience) : .stopTimer(.pictureControls))
    }

    mutating func pictureControlsTimeOut(at now: Moment) {
        told.isPictureTimed = nil
        // A finger that rests on a button is lifted sooner or later.
        if !isPictureControl(interface.pressed) { closePictureControls(at: now) }
    }

    /// A button of theirs was pressed: their time begins again.
    mutating func usePictureControl(_ id: String) {
        if isPictureControl(id) { told.isPictureTimed = nil }
    }

    // MARK: Going home

    /// A video goes on in a corner when its person goes home, if no other picture is there. The window that does so; nil: none.
    mutating func keepVideoInSight(at now: Moment) -> WindowID? {
        guard workspace.idiom.hasPictureInPicture, workspace.pip == nil, case .full(let id)? = workspace.currentSpace?.content,
            let window = workspace[id], playsVideo(window)
        else { return nil }
        let space = workspace.currentSpace!.id
        // From where it is drawn, which a finger may have carried up.
        let start = stage.cardFrame(.space(space), at: now)
        guard (try? workspace.move(id, to: .pictureInPicture)) != nil else { return nil }
        stage.removeCard(.space(space))
        if let start {
            stage.hold(id, at: start, now: now)
            stage.letGo(id, at: now)
        }
        return id
    }

    /// Its app's sound is a video's and is heard; or it says that it plays, and the window is without its bars by its own wish.
    private func playsVideo(_ window: Window) -> Bool {
        let summary = audio.summary
        if summary.apps.contains(where: { $0.kind == .video && $0.isSounding && window.belongs(to: $0.app) }) { return true }
        guard let playing = summary.playing, playing.status == .playing, window.belongs(to: playing.app) else { return false }
        return window.commit.wantsFullscreen
    }
}
