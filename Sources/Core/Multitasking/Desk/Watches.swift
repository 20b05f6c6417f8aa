import AudioSessions
import Geometry
import Interface
import Seat
import Stage
import Watches
import Windows

/// The context of each watch on the desk, and the effect of its outcomes there.
extension Desk {
    // MARK: The wrist

    mutating func setWrist(isRaised: Bool, at now: Moment) throws(Refusal) {
        for outcome in wrist.handle(.moved(isRaised: isRaised), in: workspace.idiom, at: now) {
            switch outcome {
            case .drawn: drawsAnew()
            case .closesViews: closeViews(at: now)
            case .refused: throw Refusal("in the idiom \(workspace.idiom.name) no wrist is known")
            }
        }
    }

    mutating func beginWrist(_ idiom: Idiom, at now: Moment) {
        if !wrist.begin(idiom, at: now).isEmpty { drawsAnew() }
    }

    /// A touch, a button or a key of a person who wakes the device. Returns whether it did that, and nothing else.
    mutating func wakesWrist(at now: Moment) -> Bool {
        guard !wrist.handle(.used, in: workspace.idiom, at: now).isEmpty else { return false }
        drawsAnew()
        return true
    }

    // MARK: The eyes and the surroundings (V-01, V-02)

    var gazeContext: Gaze.Context { Gaze.Context(idiom: workspace.idiom, screen: workspace.screen?.bounds, spring: spring) }

    mutating func gaze(_ event: Gaze.Event, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        for outcome in gaze.handle(event, in: gazeContext, at: now) {
            switch outcome {
            case .drawn: drawsAnew()
            case .looks(let point): look(at: point, at: now)
            case .keeps(let share): try choose(.surroundings(share), &turn)
            case .refused(let reason): throw Refusal(reason)
            }
        }
    }

    mutating func beginGaze(_ idiom: Idiom, at now: Moment) {
        if !gaze.begin(idiom, at: now).isEmpty { drawsAnew() }
    }

    // MARK: The picture of a call (S-10)

    private var callContext: CallPicture.Context {
        var context = CallPicture.Context()
        context.isKept = workspace.idiom.keepsInSight && workspace.admits(.pictureInPicture)
        guard context.isKept else { return context }
        if case .full(let id)? = workspace.currentSpace?.content { context.here = id }
        context.isHome = workspace.isHome
        context.isLocked = isLocked
        context.picture = workspace.pip?.window
        context.hasCall = heard.call.map { $0.state != .ended } ?? false
        for space in workspace.spaces {
            for id in space.windows {
                guard let window = workspace[id], window.isMapped else { continue }
                context.windows[id] = CallPicture.Candidate(
                    space: space.id, app: window.app, isInCall: isInCall(window), playsVideo: playsVideo(window))
            }
        }
        return context
    }

    /// Looks once at every settled change which window came in front of which.
    mutating func keepInSight(at now: Moment) {
        for outcome in callPicture.handle(.settled, in: callContext, at: now) {
            switch outcome {
            case .putBack: workspace.putPictureBack()
            case .picture(let window, let space): makePicture(of: window, in: space, at: now)
            }
        }
    }

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
        guard let pip = workspace.pip, pip.stashed == nil, pip.window == callPicture.ofCall else { return try togglePipControls(at: now) }
        try workspace.move(pip.window, to: .fullScreen)
        closeViews(at: now)
    }

    /// Moves a playing video to Picture in Picture when a person goes home, unless another window is there (W-06). Returns the window that
    /// moved, or nil.
    mutating func keepVideoInSight(at now: Moment) -> WindowID? {
        guard workspace.admits(.pictureInPicture), workspace.pip == nil, case .full(let id)? = workspace.currentSpace?.content,
            let window = workspace[id], playsVideo(window) || isInCall(window)
        else { return nil }
        return makePicture(of: id, in: workspace.currentSpace!.id, at: now) ? id : nil
    }

    /// Starts from where the window is drawn, which may be where a finger carried it.
    @discardableResult
    private mutating func makePicture(of id: WindowID, in space: SpaceID, at now: Moment) -> Bool {
        guard let window = workspace[id] else { return false }
        let start = stage.cardFrame(.space(space), at: now), shape = window.contentSize, isCall = isInCall(window)
        guard (try? workspace.move(id, to: .pictureInPicture)) != nil else { return false }
        // A call's window has no shape of its own, unlike a video, so it keeps the one that it had.
        if isCall, window.naturalSize == nil { workspace.shapePicture(like: shape) }
        _ = callPicture.handle(.pictured(id, isInCall: isCall), in: CallPicture.Context(), at: now)
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

    private func isPipControl(_ id: ControlID?) -> Bool { id?.area == .pipControls }

    mutating func pipControls(_ event: PictureControls.Event, at now: Moment, _ turn: inout Turn) {
        var context = PictureControls.Context()
        context.isOpen = interface.isPipControlsOpen
        context.shown = interface.pipControls?.content
        context.picture = workspace.pip.flatMap { $0.stashed == nil ? $0.window : nil }
        context.isLocked = isLocked
        context.hasFocus = isPipControl(interface.focus)
        context.isPressed = isPipControl(interface.pressed)
        context.patience = measures.pipControlsPatience
        for outcome in pictureControls.handle(event, in: context, at: now) {
            switch outcome {
            case .closes: closePipControls(at: now)
            case .timer(let moment): turn.setTimer(.desk(.pipControls), moment)
            }
        }
    }

    /// A button of the controls was pressed: their time begins anew.
    mutating func usePipControl(_ id: ControlID, at now: Moment, _ turn: inout Turn) {
        if isPipControl(id) { pipControls(.used, at: now, &turn) }
    }

    // MARK: The dots of windows (W-07)

    mutating func dots(_ event: Dots.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in dots.handle(event, in: measures.dotsPatience, at: now) {
            switch outcome {
            case .hides(let window): hideDots(of: window, at: now)
            case .hidesImmersed(let window): stage.grips.hide(window, at: now, spring: spring)
            case .showsAll: if !stage.grips.areAllSeen { stage.grips.revealAll(at: now, spring: spring) }
            case .touchTimer(let moment): turn.setTimer(.desk(.dotsTouch), moment)
            case .turnTimer(let moment): turn.setTimer(.desk(.dotsTurn), moment)
            }
        }
    }

    /// A person typed, with keys or an input method.
    mutating func typedIntoApp(at now: Moment) {
        guard let focus = workspace.focus else { return }
        hideDots(of: workspace.root(of: focus), at: now)
    }

    /// The app got a touch or a press.
    mutating func touchedApp(_ window: WindowID, at now: Moment, _ turn: inout Turn) {
        let root = workspace.root(of: window)
        guard !isLocked, !stage.isGripHidden(root), workspace.pip?.window != root, !workspace.slideOver.stack.contains(root) else { return }
        dots(.touched(root), at: now, &turn)
    }

    private mutating func hideDots(of root: WindowID, at now: Moment) {
        for id in stage.gripsHidden(byTypingIn: root, workspace) { stage.grips.hide(id, at: now, spring: spring) }
    }

    /// A finger or the pointer is at this point; most points are not near any dots.
    mutating func comesNearDots(_ point: Point, at now: Moment) {
        for id in stage.hiddenGrips(near: point, workspace, at: now) { stage.grips.reveal(id, at: now, spring: spring) }
        guard let id = dots.immersed, !stage.isGripHidden(id), !interface.isPopoverOpen,
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

    /// Shows all dots again when the arrangement changes or another window becomes active.
    mutating func followArrangement(at now: Moment, _ turn: inout Turn) {
        dots(
            .settled(
                Dots.Sight(
                    content: workspace.currentSpace?.content, card: workspace.slideOver.front, isCardHidden: workspace.slideOver.isHidden,
                    isHome: workspace.showsHome, isOverviewOpen: interface.isOverviewOpen,
                    active: workspace.focus.map { workspace.root(of: $0) }, screen: workspace.screen?.size, immersed: immersed)), at: now,
            &turn)
    }

    mutating func dotsGround(of id: WindowID, _ brightness: Double, at now: Moment, _ turn: inout Turn) {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return }
        stage.grips.note(brightness, under: id, at: now)
        turnDots(at: now, &turn)
    }

    /// The bar of a sheet is as light or dark as its app's picture below it (M-13).
    mutating func barGround(of id: WindowID, _ brightness: Double, at now: Moment, _ turn: inout Turn) {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return }
        stage.bars.note(brightness, under: id, at: now)
        turnDots(at: now, &turn)
    }

    mutating func turnDots(at now: Moment, _ turn: inout Turn) {
        dots(.turns([stage.grips.turn(at: now), stage.bars.turn(at: now)].compactMap(\.self).min()), at: now, &turn)
    }

    // MARK: The screen at rest

    var restContext: Rest.Context { Rest.Context(rules: workspace.family.rest, isLocked: isLocked, isResting: interface.isResting) }

    mutating func rest(_ event: Rest.Event, at now: Moment, _ turn: inout Turn) {
        let spring = self.spring
        for outcome in rest.handle(event, in: restContext, at: now) {
            switch outcome {
            case .rests: interface.rest.present(Interface.Rest(), at: now, spring: spring)
            case .wakes: interface.rest?.close(at: now, spring: spring)
            case .movesClock: interface.rest?.content.place += 1
            case .asksForTime: turn.send(.look(.tellTime))
            case .timer(let moment): turn.setTimer(.desk(.rest), moment)
            // The seat counts the time without use (`System.followRest`).
            case .watches: break
            }
        }
    }

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

    // MARK: The programs with which the shell starts

    private var startContext: StartUp.Context {
        var context = StartUp.Context()
        context.startsAgain = workspace.idiom.life.startsAgain
        context.hasOwn = workspace.hasOwnWindow
        // Without it nothing is watched.
        guard context.startsAgain else { return context }
        context.isLocked = isLocked
        context.isOwnAwaited = workspace.isOwnWindowAwaited
        context.isProgramThere = workspace.isOwnProgramThere
        context.hasOthers = !workspace.isConfined && workspace.mappedCount > 0
        context.unused = Set(workspace.launches.all.filter { !$0.isUsed }.map(\.id))
        context.helpers = Set(startUp.commands.filter(workspace.runsWithoutWindow))
        context.isEmpty = workspace.shownRoots.isEmpty && !workspace.showsHome
        return context
    }

    mutating func startUp(_ event: StartUp.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in startUp.handle(event, in: startContext, at: now) {
            switch outcome {
            case .starts(let command): startOwn(command, at: now, &turn)
            case .timer(let moment): turn.setTimer(.desk(.startUp), moment)
            case .says(let note):
                let said = note.map { Interface.StartNote(name: workspace.ownName, isAgain: $0 == .startsAgain) }
                if interface.startNote != said { interface.startNote = said }
            }
        }
    }

    private mutating func startOwn(_ command: [String], at now: Moment, _ turn: inout Turn) {
        if let placeholder = workspace.placeholder(startedBy: command) {
            _ = workspace.retryPlaceholder(placeholder, at: now)
            try? show(placeholder, at: now)
        } else {
            try? launchOwn(command, at: now, &turn)
        }
    }

    private mutating func launchOwn(_ command: [String], at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = try launch(command, to: nil, at: now, &turn)
        startUp(.launched(id), at: now, &turn)
    }

    /// A program of the configuration or the command line.
    mutating func beginWith(_ command: [String], isAgain: Bool, at now: Moment, _ turn: inout Turn) {
        startUp(.began(command), at: now, &turn)
        workspace.beginsWith(command)
        do throws(Refusal) {
            if let placeholder = workspace.placeholder(startedBy: command) {
                workspace.confine()
                // After a crash everything stands as it was left (W-20).
                if !isAgain || workspace.idiom.life.startsAgain { try show(placeholder, at: now) }
                return
            }
            try launchOwn(command, at: now, &turn)
        } catch { turn.send(.refuse(error)) }
    }
}
