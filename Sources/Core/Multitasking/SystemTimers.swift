import Geometry

/// Timers, by the room that each belongs to.
extension System {
    mutating func timerFired(_ timer: TimerID, at now: Moment, _ turn: inout Turn) {
        switch timer {
        case .dividerPatience: stepDivider(at: now, &turn)
        case .layoutPatience:
            // A dragged divider has a timeout of its own.
            if desk.workspace.dividerDrag?.sent == nil { desk.workspace.giveUpWaiting() }
            lastSent.isWaiting = false
        case .longPress: hands.longPressed(&desk, at: now, &turn)
        case .swipeHold: hands.swipeHeld(&desk, at: now, &turn)
        case .superHeld: hands.superHeld(&desk, at: now)
        case .keyRepeat: hands.repeatKey(&desk, at: now, &turn)
        case .switcher: desk.showSwitcher()
        case .hotCorner: hands.restedInCorner(&desk, at: now, &turn)
        case .backHeld: hands.backHeld(&desk, at: now, &turn)
        case .keyPointer: hands.stepPointer(for: lastSent.keyboard, &desk, at: now, &turn)
        case .rest: desk.restMoves(at: now, &turn)
        case .startUp: desk.startUpAgain(at: now, &turn)
        case .closePatience: desk.closePatienceEnded(isRowHeld: hands.held == .row, at: now)
        case .launchPatience: desk.launchPatienceEnded(at: now)
        case .pinchPatience: desk.pinchPatienceEnded(at: now)
        case .dotsTouch: desk.dotsTouchEnded(at: now)
        case .dotsTurn: desk.dotsTurnTimeOut(at: now, &turn)
        case .banner: desk.bannerTimeOut(at: now)
        case .notice: desk.noticeTimeOut(at: now, &turn)
        case .pipControls: desk.pipControlsTimeOut(at: now)
        case .playing: sound.secondPassed()
        case .modality: desk.modalAlarmRang(at: now, &turn)
        case .life: life.alarmRang(for: &desk, at: now, &turn)
        case .power: life.preparationRang(at: now, &turn)
        case .restartPatience: desk.waits.restart = nil
        case .reconnectPatience: desk.workspace.forgetRunningPrograms()
        case .lockedFrame: lock(.frameSeen, at: now, &turn)
        case .lockNote: lock(.noted, at: now, &turn)
        case .locker: followLocker(at: now, &turn)
        case .idle: turn.send(seat.idleTimeIsUp(at: now))
        case .copying: turn.send(seat.copyTimeIsUp(at: now))
        case .pictures: life.takePictures(desk, at: now, &turn)
        case .hardware: hardwareLasted(at: now, &turn)
        case .audioFade, .audioDeafPlayer, .audioVolumeShown, .audioRouteSettled, .audioHintsFell:
            if let timer = timer.ofSound { sound.handle(.timer(timer), for: &desk, at: now, &turn) }
        }
    }
}
