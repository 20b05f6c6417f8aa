import Geometry

/// Audio actions of the user, and the short sounds that respond to them.
extension AudioSessions {
    mutating func perform(_ action: AudioAction, _ turn: inout Turn) {
        switch action {
        case .volumeStep(let steps, let volume): step(steps, volume, &turn)
        case .setVolume(let level, let volume):
            guard level.isFinite, (0...1).contains(level) else { return refuse("a volume is a number from 0 to 1", &turn) }
            set(level, volume ?? keysActOn, &turn)
        case .setAppVolume(let level, let app): setApp(level, app, &turn)
        case .mute(let wish): mute(wish, &turn)
        case .silence(let wish): silence(wish ?? !isSilenced, &turn)
        case .pickOutput(let port): pickOutput(port, &turn)
        case .pickInput(let port): pickInput(port, &turn)
        case .muteMicrophone(let wish):
            isMicrophoneMuted = wish ?? !isMicrophoneMuted
            tellMicrophone(&turn)
        case .remote(let command, let source): remote(command, source, &turn)
        case .headsetButton(let port): headsetButton(port, &turn)
        case .answerCall: command(.answer, &turn)
        case .declineCall: command(.decline, &turn)
        case .endCall: command(.end, &turn)
        case .silenceRinging: silenceRinging(&turn)
        }
    }

    /// The choice is remembered for the device. It holds until another one is plugged in or picked.
    private mutating func pickOutput(_ port: PortID?, _ turn: inout Turn) {
        if let port {
            guard routing.outputs.contains(where: { $0.id == port }) else { return refuse("there is no output “\(port)”", &turn) }
            routing.pick(port)
        } else {
            for output in routing.outputs { routing.memory[output.id]?.picked = 0 }
        }
        route(.override, &turn)
        // Also the automatic choice is one.
        routeMayBeChosen(byPerson: true, &turn)
    }

    private mutating func pickInput(_ port: PortID?, _ turn: inout Turn) {
        if let port {
            guard routing.inputs.contains(where: { $0.id == port }) else { return refuse("there is no input “\(port)”", &turn) }
            routing.pick(port)
        } else {
            for input in routing.inputs { routing.memory[input.id]?.picked = 0 }
        }
        route(.override, &turn)
    }

    mutating func configure(_ new: AudioPreferences, _ turn: inout Turn) {
        guard new != preferences else { return }
        preferences = new
        for id in streams.keys { assign(id, &turn) }
    }

    // MARK: Short sounds

    mutating func systemSound(_ name: String, _ kind: SystemSoundKind, _ turn: inout Turn) {
        let recording = sessions.values.filter { $0.state == .active && listens($0) && ($0.isDeclared || $0.kind == .recording) }
        // The recording would contain the sound, and the noise of haptics too.
        guard recording.allSatisfy({ $0.options.contains(.allowHapticsAndSystemSoundsDuringRecording) }) else { return }
        let isSilent =
            switch kind {
            case .asked: false
            case .feedback: isSilenced
            case .alert: isSilenced || rules.silencesAlerts
            }
        if !isSilent { turn.effects.append(.playSound(name, kind)) }
        if rules.hasHaptics { turn.effects.append(.haptic(name)) }
    }

    /// Whether a bell may ring now. All bells together ring ten times a second at most: an app may ask for one with every key.
    public func mayRing(at now: Moment) -> Bool { rangAt.map { now - $0 >= Self.bellPause } ?? true }

    mutating func ring(_ turn: inout Turn) {
        guard mayRing(at: turn.now) else { return }
        rangAt = turn.now
        systemSound(Self.bell, .feedback, &turn)
    }

    /// Seconds from one bell to the next.
    static let bellPause = 0.1
    /// By the sound naming specification. A theme without it has a sound called bell.
    static let bell = "bell-window-system"
}
