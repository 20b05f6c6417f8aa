import Geometry
import Interface
import Seat
import Stage
import Watches
import Windows

/// The context of each watch, and the effect of its outcomes.
extension System {
    // MARK: The wrist

    mutating func wrist(_ event: Wrist.Event, at now: Moment) throws(Refusal) {
        for outcome in wrist.handle(event, in: workspace.idiom, at: now) {
            switch outcome {
            case .drawn: screenful.drawsAnew()
            case .closesViews: screenful.closeViews(at: now)
            case .refused: throw Refusal("in the idiom \(workspace.idiom.name) no wrist is known")
            }
        }
        screenful.sight.isWristDown = wrist.isDown
    }

    mutating func beginWrist(_ idiom: Idiom, at now: Moment) {
        if !wrist.begin(idiom, at: now).isEmpty { screenful.drawsAnew() }
        screenful.sight.isWristDown = wrist.isDown
    }

    // MARK: The eyes and the surroundings (V-01, V-02)

    var gazeContext: Gaze.Context { Gaze.Context(idiom: workspace.idiom, screen: workspace.screen?.bounds, spring: screenful.spring) }

    mutating func gaze(_ event: Gaze.Event, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let outcomes = gaze.handle(event, in: gazeContext, at: now)
        screenful.sight.gaze = gaze
        for outcome in outcomes {
            switch outcome {
            case .drawn: screenful.drawsAnew()
            case .looks(let point): screenful.look(at: point, at: now)
            case .keeps(let share): try screenful.choose(.surroundings(share), &turn)
            case .refused(let reason): throw Refusal(reason)
            }
        }
    }

    mutating func beginGaze(_ idiom: Idiom, at now: Moment) {
        if !gaze.begin(idiom, at: now).isEmpty { screenful.drawsAnew() }
        screenful.sight.gaze = gaze
    }

    // MARK: The picture of a call (S-10)

    mutating func beginCallPicture(_ idiom: Idiom, at now: Moment) {
        _ = callPicture.begin(idiom, at: now)
        screenful.sight.pictureOfCall = callPicture.ofCall
    }

    private var callContext: CallPicture.Context {
        var context = CallPicture.Context()
        context.isKept = workspace.idiom.keepsInSight && workspace.admits(.pictureInPicture)
        guard context.isKept else { return context }
        if case .full(let id)? = workspace.currentSpace?.content { context.here = id }
        context.isHome = workspace.isHome
        context.isLocked = screenful.isLocked
        context.picture = workspace.pip?.window
        context.hasCall = screenful.heard.call.map { $0.state != .ended } ?? false
        for space in workspace.spaces {
            for id in space.windows {
                guard let window = workspace[id], window.isMapped else { continue }
                context.windows[id] = CallPicture.Candidate(
                    space: space.id, app: window.app, isInCall: workspace.hasCall(window, screenful.heard),
                    playsVideo: screenful.heard.playsVideo(window))
            }
        }
        return context
    }

    mutating func callPicture(_ event: CallPicture.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = callPicture.handle(event, in: callContext, at: now)
        screenful.sight.pictureOfCall = callPicture.ofCall
        for outcome in outcomes {
            switch outcome {
            case .putBack: screenful.workspace.putPictureBack()
            case .picture(let window, let space): screenful.makePicture(of: window, in: space, at: now, &turn)
            }
        }
    }

    // MARK: The controls on Picture in Picture (W-06)

    mutating func pictureControls(_ event: PictureControls.Event, at now: Moment, _ turn: inout Turn) {
        let interface = screenful.interface
        var context = PictureControls.Context()
        context.isOpen = interface.isPipControlsOpen
        context.shown = interface.pipControls?.content
        context.picture = workspace.pip.flatMap { $0.stashed == nil ? $0.window : nil }
        context.isLocked = screenful.isLocked
        context.hasFocus = interface.focus?.area == .pipControls
        context.isPressed = interface.pressed?.area == .pipControls
        context.patience = screenful.measures.pipControlsPatience
        for outcome in pictureControls.handle(event, in: context, at: now) {
            switch outcome {
            case .closes: screenful.closePipControls(at: now)
            case .timer(let moment): turn.setTimer(.screen(.pipControls), moment)
            }
        }
    }

    // MARK: The dots of windows (W-07)

    var dotsSight: Dots.Sight { Dots.Sight(workspace, isOverviewOpen: screenful.interface.isOverviewOpen) }

    mutating func dots(_ event: Dots.Event, at now: Moment, _ turn: inout Turn) {
        let outcomes = dots.handle(event, in: screenful.measures.dotsPatience, at: now)
        screenful.sight.immersed = dots.immersed
        for outcome in outcomes {
            switch outcome {
            case .hides(let window): screenful.stage.hideDots(of: window, workspace, at: now, spring: screenful.spring)
            case .hidesImmersed(let window): screenful.stage.grips.hide(window, at: now, spring: screenful.spring)
            case .showsAll: if !screenful.stage.grips.areAllSeen { screenful.stage.grips.revealAll(at: now, spring: screenful.spring) }
            case .touchTimer(let moment): turn.setTimer(.screen(.dotsTouch), moment)
            case .turnTimer(let moment): turn.setTimer(.screen(.dotsTurn), moment)
            }
        }
    }

    /// An app got a touch or a press.
    mutating func touchedApp(_ window: WindowID, at now: Moment, _ turn: inout Turn) {
        let root = workspace.root(of: window)
        guard !screenful.isLocked, !screenful.stage.isGripHidden(root), workspace.pip?.window != root,
            !workspace.slideOver.stack.contains(root)
        else { return }
        dots(.touched(root), at: now, &turn)
    }

    mutating func ground(of id: WindowID, _ brightness: Double, isBar: Bool, at now: Moment, _ turn: inout Turn) {
        if workspace[id] != nil && screenful.stage.noteGround(of: id, brightness, isBar: isBar, at: now) { turnDots(at: now, &turn) }
    }

    mutating func turnDots(at now: Moment, _ turn: inout Turn) {
        dots(.turns([screenful.stage.grips.turn(at: now), screenful.stage.bars.turn(at: now)].compactMap(\.self).min()), at: now, &turn)
    }

    // MARK: The screen at rest

    private var restContext: Rest.Context {
        Rest.Context(rules: workspace.family.rest, isLocked: screenful.isLocked, isResting: screenful.interface.isResting)
    }

    mutating func rest(_ event: Rest.Event, at now: Moment, _ turn: inout Turn) {
        let spring = screenful.spring
        for outcome in rest.handle(event, in: restContext, at: now) {
            switch outcome {
            case .rests: screenful.interface.rest.present(Interface.Rest(), at: now, spring: spring)
            case .wakes: screenful.interface.rest?.close(at: now, spring: spring)
            case .movesClock: screenful.interface.rest?.content.place += 1
            case .asksForTime: turn.send(.look(.tellTime))
            case .timer(let moment): turn.setTimer(.screen(.rest), moment)
            // The seat counts the time without use. Inhibitors of idleness count, and so does a film.
            case .watches(let milliseconds):
                turn.send(seat.handle(milliseconds.map { .watchAdded(.shell, milliseconds: $0) } ?? .watchGone(.shell), at: now))
            }
        }
    }

    // MARK: The programs with which the shell starts

    private var startContext: StartUp.Context {
        var context = StartUp.Context()
        context.startsAgain = workspace.idiom.life.startsAgain
        context.hasOwn = workspace.hasOwnWindow
        // Without it nothing is watched.
        guard context.startsAgain else { return context }
        context.isLocked = screenful.isLocked
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
            case .timer(let moment): turn.setTimer(.screen(.startUp), moment)
            case .says(let note):
                let said = note.map { Interface.StartNote(name: workspace.ownName, isAgain: $0 == .startsAgain) }
                if screenful.interface.startNote != said { screenful.interface.startNote = said }
            }
        }
    }

    private mutating func startOwn(_ command: [String], at now: Moment, _ turn: inout Turn) {
        if let placeholder = workspace.placeholder(startedBy: command) {
            _ = screenful.workspace.retryPlaceholder(placeholder, at: now)
            try? screenful.show(placeholder, at: now)
        } else {
            try? launchOwn(command, at: now, &turn)
        }
    }

    private mutating func launchOwn(_ command: [String], at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = try screenful.launch(command, to: nil, at: now, &turn)
        startUp(.launched(id), at: now, &turn)
    }

    /// A program of the configuration or the command line.
    mutating func beginWith(_ command: [String], isAgain: Bool, at now: Moment, _ turn: inout Turn) {
        startUp(.began(command), at: now, &turn)
        screenful.workspace.beginsWith(command)
        do throws(Refusal) {
            if let placeholder = workspace.placeholder(startedBy: command) {
                screenful.workspace.confine()
                // After a crash everything stands as it was left (W-20).
                if !isAgain || workspace.idiom.life.startsAgain { try screenful.show(placeholder, at: now) }
                return
            }
            try launchOwn(command, at: now, &turn)
        } catch { turn.send(.refuse(error)) }
    }
}
