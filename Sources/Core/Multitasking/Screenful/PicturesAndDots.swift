import AudioSessions
import Geometry
import Interface
import Seat
import Stage
import Watches
import Windows

/// The part of the screen that the watches (module `Watches`) read and change.
extension Screenful {
    // MARK: The picture of a call (S-10)

    /// Whether the window's app has the accepted call.
    func isInCall(_ window: Window) -> Bool {
        guard workspace.idiom.keepsInSight, let call = heard.call, call.state == .accepted else { return false }
        return window.belongs(to: call.app)
    }

    /// Whether the app's audible sound is a video's, or the app says that it plays and asked for the window to be full-screen.
    func playsVideo(_ window: Window) -> Bool {
        let summary = heard
        if summary.apps.contains(where: { $0.kind == .video && $0.isSounding && window.belongs(to: $0.app) }) { return true }
        guard let playing = summary.playing, playing.status == .playing, window.belongs(to: playing.app) else { return false }
        return window.commit.wantsFullscreen
    }

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
            let window = workspace[id], playsVideo(window) || isInCall(window)
        else { return nil }
        return makePicture(of: id, in: workspace.currentSpace!.id, at: now, &turn) ? id : nil
    }

    /// Starts from where the window is drawn, which may be where a finger carried it.
    @discardableResult
    mutating func makePicture(of id: WindowID, in space: SpaceID, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let window = workspace[id] else { return false }
        let start = stage.cardFrame(.space(space), at: now), shape = window.contentSize, isCall = isInCall(window)
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
        if isPipControl(interface.focus) { interface.focus = nil }
    }

    func isPipControl(_ id: ControlID?) -> Bool { id?.area == .pipControls }

    /// A button of the controls was pressed: their time begins anew.
    func usePipControl(_ id: ControlID, _ turn: inout Turn) {
        if isPipControl(id) { turn.ask(.pictureControls(.used)) }
    }

    // MARK: The dots of windows (W-07)

    /// A person typed, with keys or an input method.
    mutating func typedIntoApp(at now: Moment) {
        guard let focus = workspace.focus else { return }
        hideDots(of: workspace.root(of: focus), at: now)
    }

    mutating func hideDots(of root: WindowID, at now: Moment) {
        for id in stage.gripsHidden(byTypingIn: root, workspace) { stage.grips.hide(id, at: now, spring: spring) }
    }

    /// A finger or the pointer is at this point; most points are not near any dots.
    mutating func comesNearDots(_ point: Point, at now: Moment) {
        for id in stage.hiddenGrips(near: point, workspace, at: now) { stage.grips.reveal(id, at: now, spring: spring) }
        guard let id = sight.immersed, !stage.isGripHidden(id), !interface.isPopoverOpen,
            !stage.isNearGrip(of: id, point, workspace, at: now)
        else { return }
        stage.grips.hide(id, at: now, spring: spring)
    }

    /// A window that fills the screen by its own request, such as a film or a game. Nothing covers it, so that its buffer can be
    /// scanned out, until a person looks for the way out of it: a raw client may draw none.
    private var immersed: WindowID? {
        guard workspace.idiom.dressing == .dots, let windows = workspace.currentSpace?.windows, windows.count == 1 else { return nil }
        return workspace.read(windows[0]) { $0.commit.wantsFullscreen } == true ? windows[0] : nil
    }

    /// The dots of all windows reappear when any of this changes.
    var dotsSight: Dots.Sight {
        Dots.Sight(
            content: workspace.currentSpace?.content, card: workspace.slideOver.front, isCardHidden: workspace.slideOver.isHidden,
            isHome: workspace.showsHome, isOverviewOpen: interface.isOverviewOpen, active: workspace.focus.map { workspace.root(of: $0) },
            screen: workspace.screen?.size, immersed: immersed)
    }

    /// How light or dark it is below the dots of a window, or below the bar of a sheet (M-13). Returns whether anything is drawn there.
    mutating func noteGround(of id: WindowID, _ brightness: Double, isBar: Bool, at now: Moment) -> Bool {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return false }
        if isBar { stage.bars.note(brightness, under: id, at: now) } else { stage.grips.note(brightness, under: id, at: now) }
        return true
    }

    // MARK: The screen at rest

    mutating func timeIs(_ time: TimeOfDay) {
        guard interface.isResting, interface.rest?.content.time != time else { return }
        interface.rest?.content.time = time
    }

    /// Whether a person watches a film, even one whose app inhibits nothing.
    var showsFilm: Bool {
        guard workspace.family.rest.dimsAfter > 0 else { return false }
        return heard.apps.contains { app in
            app.kind == .video && app.isSounding && workspace.shownWindows.contains { workspace[$0]?.belongs(to: app.app) ?? false }
        }
    }
}
