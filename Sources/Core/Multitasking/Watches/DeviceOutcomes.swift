import Geometry
import Interface
import Stage
import Status
import Windows

/// Wireless networks, Bluetooth, rotation and power: where a person's wishes go, and what follows from their rooms.
extension System {
    mutating func device(_ action: DeviceAction, at now: Moment, _ turn: inout Turn) {
        let form = screenful.interface.form
        switch action {
        case .network(let action):
            wireless(
                .wish(action, name: form.text(of: .networkName), password: form.text(of: .networkPassword)), at: now, &turn)
        case .pairing(let action): pairing(.wish(action, code: form.text(of: .pairingCode)), at: now, &turn)
        case .brightnessStep:
            status(.wish(action), at: now, &turn)
            if status.brightness != nil { lightLevel(.stepped, at: now, &turn) }
        case .nightLight(let wanted): nightLight(.wish(wanted), at: now, &turn)
        case .drive(let act): drives(.wish(act), at: now, &turn)
        case .location(let act): locating(.wish(act), at: now, &turn)
        case .kept(let act): keptStates(.wish(act), at: now, &turn)
        case .rotationLock(let wanted):
            choices(.chosen(.rotationLock(wanted ?? !screenful.preferences.locksRotation)), at: now, &turn)
            turning(.settled, at: now, &turn)
        case .powerButton(let isLong): powerButton(.wish(isLong: isLong), at: now, &turn)
        case .switchUser:
            if status.canSwitchUser { locksByItself(at: now, &turn) }
            status(.wish(action), at: now, &turn)
        case .end, .endAnyway, .powerProfile:
            alerts(.withdrawn([.power(.lowBattery), .power(.updatesReady)] + MachineEnd.allCases.map { .power(.heldUp($0)) }), at: now)
            status(.wish(action), at: now, &turn)
        default: status(.wish(action), at: now, &turn)
        }
        turn.ask(.settle())
    }

    mutating func wireless(_ event: Wireless.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in wireless.handle(event, in: !screenful.isLocked, at: now) {
            switch outcome {
            case .changed: screenful.sight.device.wireless = wireless
            case .watch(let isOn): turn.send(.status(.watchNetworks(isOn)))
            case .join(let number, let join): turn.send(.status(.join(number, join)))
            case .keep(let number): turn.send(.status(.keepNetwork(number)))
            case .forget(let profiles):
                turn.send(.status(.forgetNetworks(profiles)))
                leave(.network, for: .wireless)
            case .leave: turn.send(.status(.leaveNetwork))
            case .logsIn:
                refusable(&turn) { system, turn throws(Refusal) in
                    guard let network = system.status.network, network.needsLogin else { throw Refusal("no network asks for a login") }
                    try system.open(network.checkPage, as: .web, at: now, &turn)
                }
            case .answer(let request, let secret): turn.send(.status(.answerNetwork(request, secret)))
            case .showsDetails: show(.network, at: now)
            case .asks:
                show(.networkPassword, at: now)
                screenful.interface.beginForm(writing: wireless.question?.isHidden ?? false ? .networkName : .networkPassword)
            case .settled: leave(.networkPassword, for: .wireless)
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
        screenful.drawsAnew()
    }

    mutating func pairing(_ event: Pairing.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in pairing.handle(event, in: !screenful.isLocked, at: now) {
            switch outcome {
            case .changed: screenful.sight.device.pairing = pairing
            case .watch(let isOn): turn.send(.status(.watchDevices(isOn)))
            case .pair(let path): turn.send(.status(.device(path, .pair)))
            case .trust(let path): turn.send(.status(.device(path, .trust)))
            case .connect(let path): turn.send(.status(.device(path, .connect)))
            case .disconnect(let path): turn.send(.status(.device(path, .disconnect)))
            case .forget(let path):
                turn.send(.status(.device(path, .forget)))
                leave(.device, for: .bluetooth)
            case .cancel(let path): turn.send(.status(.device(path, .cancel)))
            case .answer(let request, let answer): turn.send(.status(.answerDevice(request, answer)))
            case .showsDetails: show(.device, at: now)
            case .asks:
                show(.pairing, at: now)
                if pairing.question?.asks.isWritten ?? false { screenful.interface.beginForm(writing: .pairingCode) }
            case .settled: leave(.pairing, for: .bluetooth)
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
        screenful.drawsAnew()
    }

    /// A question waits where the person looks (law 12).
    mutating func show(_ page: ControlPage, at now: Moment) {
        let interface = screenful.interface
        guard !interface.isControlCentreOpen || interface.controlPage != page else { return }
        screenful.interface.toggleControlPage(page, at: now, spring: screenful.spring)
    }

    mutating func leave(_ page: ControlPage, for next: ControlPage) {
        guard screenful.interface.isControlCentreOpen, screenful.interface.controlPage == page else { return }
        screenful.interface.controlPage = next
        screenful.interface.focus = nil
    }

    mutating func nightLight(_ event: NightLight.Event, at now: Moment, _ turn: inout Turn) {
        let preferences = screenful.preferences.nightLight
        for outcome in nightLight.handle(event, in: preferences, at: now) {
            switch outcome {
            case .changed:
                screenful.sight.device.isNightLight = nightLight.isPossible ? nightLight.isOn(preferences) : nil
                screenful.drawsAnew()
            case .show(let gains): turn.send(.client(.colours(gains)))
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
    }

    mutating func turning(_ event: Turning.Event, at now: Moment, _ turn: inout Turn) {
        let idiom = screenful.workspace.idiom
        let context = Turning.Context(
            turns: idiom.wrist == nil && idiom.offers.contains(.look) && screenful.workspace.screen != nil && screenful.sight.isLit
                && screenful.sight.isAwake, isLocked: screenful.preferences.locksRotation)
        for outcome in turning.handle(event, in: context, at: now) {
            switch outcome {
            case .changed:
                screenful.sight.device.hasTurnSensor = turning.hasSensor
                screenful.drawsAnew()
            case .sense(let isOn): turn.send(.status(.sense(isOn)))
            case .turn(let turns): turn.send(.configureScreen(size: nil, scale: nil, rotation: turns))
            }
        }
    }

    /// Lists are kept while their pages are in sight, and a question ends with its page.
    mutating func followDevicePages(at now: Moment, _ turn: inout Turn) {
        let page = screenful.interface.isControlCentreOpen ? screenful.interface.controlPage : nil
        if wireless.question != nil, page != .networkPassword {
            wireless(.wish(.cancel, name: Secret(), password: Secret()), at: now, &turn)
        }
        if pairing.question != nil, page != .pairing { pairing(.wish(.cancel, code: Secret()), at: now, &turn) }
        let isWireless = page == .wireless || page == .network || page == .networkPassword
        if wireless.isSeen != isWireless { wireless(.seen(isWireless), at: now, &turn) }
        let isBluetooth = page == .bluetooth || page == .device || page == .pairing
        if pairing.isSeen != isBluetooth { pairing(.seen(isBluetooth), at: now, &turn) }
        followTray(page, at: now, &turn)
        if keptStates.isSeen != (page == .storage) { keptStates(.seen(page == .storage), at: now, &turn) }
        if screenful.sight.device.locksRotation != screenful.preferences.locksRotation {
            screenful.sight.device.locksRotation = screenful.preferences.locksRotation
        }
        turning(.settled, at: now, &turn)
        nightLight(.settled, at: now, &turn)
    }
}
