import Geometry

/// The table of timers: the effect of each one that has run down, by the room that it belongs to.
extension System {
    mutating func timerFired(_ timer: TimerID, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .system(let timer): fired(timer, at: now, &turn)
        case .screen(let timer): fired(timer, at: now, &turn)
        case .hands(let timer): fired(timer, at: now, &turn)
        case .seat(let timer): fired(timer, at: now, &turn)
        case .life(let timer): fired(timer, at: now, &turn)
        case .sound(let timer): fired(timer, at: now, &turn)
        case .audio(let timer): sound.handle(.timer(timer), for: &screenful, at: now, &turn)
        }
    }

    private mutating func fired(_ timer: SystemTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .dividerPatience: stepDivider(at: now, &turn)
        case .layoutPatience:
            // A dragged divider has a timeout of its own.
            if screenful.workspace.dividerDrag?.sent == nil { screenful.workspace.giveUpWaiting() }
            lastSent.isWaiting = false
        case .hardware: hardwareLasted(at: now, &turn)
        }
    }

    private mutating func fired(_ timer: ScreenTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .closePatience: screenful.closePatienceEnded(isRowHeld: hands.held == .row, at: now)
        case .launchPatience: screenful.launchCards(.timeIsUp, at: now, &turn)
        case .pinchPatience: screenful.pinchPatienceEnded(at: now)
        case .banner: banners(.timeIsUp, at: now, &turn)
        case .lockCard: lockCards(.timeIsUp, at: now, &turn)
        case .pipControls: pictureControls(.timeIsUp, at: now, &turn)
        case .dotsTouch: dots(.touchIsOld, at: now, &turn)
        case .dotsTurn:
            dots(.turned, at: now, &turn)
            turnDots(at: now, &turn)
        case .switcher: screenful.showSwitcher()
        case .modality: modality(.timeIsUp, at: now, &turn)
        case .lightLevel: lightLevel(.timeIsUp, at: now, &turn)
        case .rest: rest(.moves, at: now, &turn)
        case .glass: renewGlass(at: now, &turn)
        case .startUp: startUp(.timeIsUp, at: now, &turn)
        case .restartPatience: screenful.waits.restart = nil
        case .reconnectPatience:
            for process in workspace.outlivedBrowsers { turn.send(.endOutlived(process)) }
            screenful.workspace.forgetRunningPrograms()
            startLost(&turn)
        }
    }

    private mutating func fired(_ timer: HandsTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .longPress: hands.longPressed(&screenful, at: now, &turn)
        case .swipeHold: hands.swipeHeld(&screenful, at: now, &turn)
        case .superHeld: hands.superHeld(&screenful, at: now)
        case .keyRepeat: hands.repeatKey(&screenful, at: now, &turn)
        case .hotCorner: hands.restedInCorner(&screenful, at: now, &turn)
        case .backHeld: hands.backHeld(&screenful, at: now, &turn)
        case .pageEdge:
            guard let step = hands.pageStep(on: screenful) else { return }
            screenful.showPage(screenful.interface.home.page + step, at: now)
            turn.send(.startTimer(.hands(.pageEdge), at: now + screenful.measures.longPress * 2))
        case .keyPointer: hands.stepPointer(for: lastSent.keyboard, &screenful, at: now, &turn)
        }
    }

    private mutating func fired(_ timer: SeatTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .lockedFrame: lock(.frameSeen, at: now, &turn)
        case .lockNote: lock(.noted, at: now, &turn)
        case .locker: followLocker(at: now, &turn)
        case .lockScreen: lockScreen(.timeIsUp, at: now, &turn)
        case .overLock: overLock(.timeIsUp, at: now, &turn)
        case .finger: finger(.timeIsUp, at: now, &turn)
        case .powerButton: powerButton(.timeIsUp, at: now, &turn)
        case .greeter: greeter(.timeIsUp, at: now, &turn)
        case .idle: turn.send(seat.idleTimeIsUp(at: now))
        case .copying: turn.send(seat.copyTimeIsUp(at: now))
        }
    }

    private mutating func fired(_ timer: LifeTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .alarm: life.alarmRang(for: &screenful, at: now, &turn)
        case .power: life.preparationRang(screenful, at: now, &turn)
        case .pictures: life.takePictures(screenful, at: now, &turn)
        }
    }

    private mutating func fired(_ timer: SoundTimer, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .playing: sound.secondPassed()
        }
    }
}
