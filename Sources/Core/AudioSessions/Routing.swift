import Geometry
import OrderedCollections

/// Outputs and inputs: the available ones, the chosen ones, and the memory of unplugged ports.
struct Routing: Hashable, Codable, Sendable {
    struct Memory: Hashable, Codable, Sendable {
        /// When it was plugged in; higher is later. 0: it was always there.
        var arrival: UInt64 = 0
        /// When the user picked it; 0: never, or since returned to automatic.
        var picked: UInt64 = 0
        /// As it was last set.
        var level: Double?
        var isMuted = false
    }

    var outputs: [AudioOutput] = []
    var inputs: [AudioInput] = []
    var output: PortID?
    var input: PortID?
    var isInputMuted = false
    var memory: OrderedDictionary<PortID, Memory> = [:]
    var clock: UInt64 = 0
    /// Whether devices were reported since the server started.
    var isKnown = false
    /// The route that the person picked in the last session, until devices are reported.
    var last: AudioChoice?
    /// The last output in use, as described at the time.
    var used: AudioOutput?

    var currentOutput: AudioOutput? { output.flatMap { id in outputs.first { $0.id == id } } }
    var currentInput: AudioInput? { input.flatMap { id in inputs.first { $0.id == id } } }
    var route: AudioRoute { AudioRoute(output: output, input: input) }
    var isOutputPicked: Bool { output.flatMap { memory[$0] }.map { $0.picked > 0 } ?? false }

    var outputGain: Double { currentOutput.map { $0.isMuted ? 0 : Volumes.gain($0.level) } ?? 0 }

    mutating func setLevel(of port: PortID, _ level: Double, isMuted: Bool?) {
        guard let index = outputs.firstIndex(where: { $0.id == port }) else { return }
        outputs[index].level = level
        if let isMuted { outputs[index].isMuted = isMuted }
        memory[port, default: Memory()].level = level
        memory[port, default: Memory()].isMuted = outputs[index].isMuted
    }

    mutating func pick(_ port: PortID) {
        clock += 1
        memory[port, default: Memory()].picked = clock
    }

    /// Takes the available ports. Ports that return get their previous level.
    mutating func take(_ newOutputs: [AudioOutput], _ newInputs: [AudioInput]) {
        let old = outputs
        let oldInputs = inputs
        outputs = newOutputs.map { output in
            var output = output
            output.level = output.level.isFinite ? max(0, min(1, output.level)) : 1
            if let known = old.first(where: { $0.id == output.id }) {
                output.level = known.level
                output.isMuted = known.isMuted
                return output
            }
            arrive(output.id)
            if let level = memory[output.id]?.level {
                output.level = level
                output.isMuted = memory[output.id]?.isMuted ?? false
            }
            return output
        }
        inputs = newInputs
        for input in inputs where !oldInputs.contains(where: { $0.id == input.id }) { arrive(input.id) }
        isKnown = true
        last = nil
        forget()
    }

    private mutating func arrive(_ port: PortID) {
        guard isKnown || last?.isWithout(port) ?? false else { return }
        clock += 1
        memory[port, default: Memory()].arrival = clock
    }

    /// Forgets ports that have been away longest if there are too many.
    private mutating func forget() {
        while memory.count > 128 {
            guard
                let oldest = memory.keys.first(where: { id in
                    !outputs.contains { $0.id == id } && !inputs.contains { $0.id == id }
                })
            else { return }
            memory.removeValue(forKey: oldest)
        }
    }

    // MARK: Choice

    /// Wishes of sessions about the route.
    struct Wishes: Hashable {
        /// A call held to the ear: use the receiver if nothing is attached.
        var receiver = false
        /// A recording session allows a headset's own low-quality link.
        var handsFree = false
        var input: PortID?
    }

    /// Chooses the output: the last one picked or plugged in, else the best available.
    func chooseOutput(_ wishes: Wishes) -> PortID? {
        let hasHandsFree = outputs.contains { $0.kind == .bluetoothHFP }
        var best: (port: PortID, claim: UInt64, rank: Int, priority: Int)?
        for output in outputs {
            let memory = memory[output.id] ?? Memory()
            let claim = max(memory.picked, output.kind.attracts || memory.picked > 0 ? memory.arrival : 0)
            var rank = output.kind.rank
            switch output.kind {
            case .bluetoothHFP where !wishes.handsFree && memory.picked == 0: continue
            case .bluetoothA2DP where wishes.handsFree && hasHandsFree: continue
            case .receiver: if wishes.receiver { rank = AudioOutput.Kind.speaker.rank + 1 }
            default: break
            }
            let candidate = (output.id, claim, rank, output.priority)
            guard let known = best else {
                best = candidate
                continue
            }
            if (known.claim, known.rank, known.priority) < (candidate.1, candidate.2, candidate.3) { best = candidate }
        }
        return best?.port
    }

    func chooseInput(_ wishes: Wishes, output: PortID?) -> PortID? {
        if let wish = wishes.input, inputs.contains(where: { $0.id == wish }) { return wish }
        let outputKind = outputs.first { $0.id == output }?.kind
        var best: (port: PortID, claim: UInt64, rank: Int, priority: Int)?
        for input in inputs {
            let memory = memory[input.id] ?? Memory()
            if input.kind == .bluetooth, outputKind != .bluetoothHFP, memory.picked == 0 { continue }
            let candidate = (input.id, max(memory.picked, input.kind.attracts ? memory.arrival : 0), input.kind.rank, input.priority)
            guard let known = best else {
                best = candidate
                continue
            }
            if (known.claim, known.rank, known.priority) < (candidate.1, candidate.2, candidate.3) { best = candidate }
        }
        return best?.port
    }
}

extension AudioOutput.Kind {
    /// Whether plugging it in means that it should be used at once.
    var attracts: Bool {
        switch self {
        case .headphones, .headset, .usb, .bluetoothA2DP, .bluetoothHFP, .hdmi, .lineOut: true
        // A network speaker must be picked explicitly, because it may be in another room.
        case .speaker, .receiver, .network, .virtual: false
        }
    }

    /// The preference among outputs that a person neither plugged in nor picked. The highest rank wins.
    var rank: Int {
        switch self {
        case .headset, .headphones: 90
        case .bluetoothHFP: 80
        case .bluetoothA2DP: 70
        case .usb: 60
        case .lineOut: 50
        case .hdmi: 40
        case .speaker: 30
        case .receiver: 20
        case .virtual: 10
        case .network: 0
        }
    }
}

extension AudioInput.Kind {
    var attracts: Bool { self == .headset || self == .usb || self == .bluetooth || self == .lineIn }

    var rank: Int {
        switch self {
        case .headset: 50
        case .bluetooth: 45
        case .usb: 40
        case .builtIn: 30
        case .lineIn: 20
        case .virtual: 10
        }
    }
}

extension AudioSessions {
    /// Seconds for which sound is held back after a private output is gone (table 1c).
    static let routeSettles = 1.0

    mutating func devicesChanged(_ outputs: [AudioOutput], _ inputs: [AudioInput], _ turn: inout Turn) {
        let before = routing
        routing.take(outputs, inputs)
        if inputs.isEmpty != before.inputs.isEmpty {
            for session in sessions.values where session.isDeclared {
                turn.effects.append(.tell(session.id, .inputAvailable(!inputs.isEmpty)))
            }
        }
        let isOther =
            before.currentOutput.map { old in
                routing.outputs.contains { $0.id == old.id && ($0.kind != old.kind || $0.name != old.name) }
            } ?? false
        route(isOther ? .routeConfigurationChange : .newDeviceAvailable, isOther: isOther, &turn)
    }

    /// Chooses the route again and reports the change.
    mutating func route(_ reason: RouteChangeReason, isOther: Bool = false, _ turn: inout Turn) {
        guard isServerRunning || !routing.outputs.isEmpty || routing.output != nil else { return }
        let old = routing.route
        let wishes = wishes
        let output = routing.chooseOutput(wishes)
        let new = AudioRoute(output: output, input: routing.chooseInput(wishes, output: output))
        let lost = lostOutput
        guard new != old || lost != nil else {
            if isOther { tellRoute(.routeConfigurationChange, old, new, &turn) }
            if reason == .wakeFromSleep { tellRoute(reason, old, new, &turn) }
            return
        }
        if let lost, lost.kind.isPrivate { losePrivateOutput(&turn) }
        if new.input == nil, old.input != nil { loseLastInput(&turn) }
        routing.output = new.output
        routing.input = new.input
        routing.used = routing.currentOutput
        defer { routeMayBeChosen(&turn) }
        if new.output != old.output {
            turn.effects.append(.useOutput(new.output))
            tellLevel(&turn)
        }
        if new.input != old.input { turn.effects.append(.useInput(new.input)) }
        tellMicrophone(&turn)
        if new.input != old.input { interruptCovered(&turn) }
        let isInputGone = old.input.map { id in !routing.inputs.contains { $0.id == id } } ?? false
        let reason: RouteChangeReason =
            if new.output == nil, old.output != nil {
                .noSuitableRouteForCategory
            } else if lost != nil || new.output == old.output && isInputGone { .oldDeviceUnavailable } else { reason }
        tellRoute(reason, old, new, &turn)
        letWaitingSound(reason, &turn)
    }

    /// The last output in use, if it is gone.
    private var lostOutput: AudioOutput? {
        guard routing.isKnown, let used = routing.used, !routing.outputs.contains(where: { $0.id == used.id }) else { return nil }
        return used
    }

    private func tellRoute(_ reason: RouteChangeReason, _ old: AudioRoute, _ new: AudioRoute, _ turn: inout Turn) {
        for session in sessions.values where session.isDeclared {
            let hasNoInput = new.input == nil && old.input != nil && session.usesInput
            turn.effects.append(
                .tell(
                    session.id,
                    .routeChanged(
                        hasNoInput ? .noSuitableRouteForCategory : reason, previous: old, current: new)))
        }
    }

    /// The last microphone is gone. Interrupts sessions that cannot work without one (table 1c).
    private mutating func loseLastInput(_ turn: inout Turn) {
        for index in sessions.values.indices
        where sessions.values[index].state == .active && sessions.values[index].isDeclared && sessions.values[index].category == .record {
            lose(index, Loss(cause: .routeLost, kind: .nonresumable), fade: 0, &turn)
            settlesAt = turn.now + Self.routeSettles
        }
    }

    /// Updates the route when a session that may want another one started, ended or changed.
    mutating func routeMayChange(for id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id),
            sessions.values[index].kind.isCall || sessions.values[index].usesInput || sessions.values[index].preferredInput != nil
        else { return }
        route(.categoryChange, &turn)
    }

    private var wishes: Routing.Wishes {
        var wishes = Routing.Wishes()
        for index in sessions.values.indices where sessions.values[index].state == .active {
            let traits = sessions.values[index].traits
            guard traits.usesInput || traits.kind == .callActive else { continue }
            let session = sessions.values[index]
            let options = session.options.union(session.mode.impliedOptions)
            if session.kind == .callActive, !options.contains(.defaultToSpeaker) { wishes.receiver = true }
            if session.usesInput || session.kind == .callActive, !session.isDeclared || options.contains(.allowBluetooth) {
                wishes.handsFree = true
            }
            if session.usesInput, let wish = session.preferredInput { wishes.input = wish }
        }
        return wishes
    }

    // MARK: Unplugged

    /// Runs before anything plays on another output: disconnects and then pauses sessions that must not continue there.
    private mutating func losePrivateOutput(_ turn: inout Turn) {
        reconcileStreams(&turn)
        let mark = turn.effects.count
        var stopped: [Int] = []
        var hushes = false
        for index in sessions.values.indices where sessions.values[index].state == .active {
            let session = sessions.values[index]
            guard runs(session) || session.isDeclared && session.streams.isEmpty && isPlaying(session) else { continue }
            if session.kind.stopsOnRouteLoss || session.options.contains(.prefersInterruptionOnRouteDisconnect) {
                lose(index, Loss(cause: .routeLost, kind: .nonresumable), fade: 0, &turn)
                stopped.append(index)
            } else if session.kind == .gameAmbient {
                sessions.values[index].isHushed = true
                turn.dirty.append(session.id)
                hushes = true
            }
        }
        // Sound that other sessions held back must not continue in public either.
        for index in sessions.values.indices {
            let session = sessions.values[index]
            guard session.kind.stopsOnRouteLoss || session.options.contains(.prefersInterruptionOnRouteDisconnect) else { continue }
            if session.interruption != nil, !stopped.contains(index) {
                sessions.values[index].interruption?.lostRoute = true
                if !session.kind.isGame { sessions.values[index].interruption?.isNonresumable = true }
            }
            if session.wasHeardBeforeFreeze { sessions.values[index].waitsForRoute = true }
        }
        // Sound that was fading must not continue to fade in public.
        for index in sessions.values.indices {
            guard let interruption = sessions.values[index].interruption, interruption.fadeEnds != nil else { continue }
            sessions.values[index].interruption?.isNonresumable = true
            quieten(index, &turn)
            sessions.values[index].interruption?.isDisconnected = true
            turn.dirty.append(sessions.values[index].id)
        }
        reconcileStreams(&turn)
        let lastSent = turn.effects[mark...]
        turn.effects.removeSubrange(mark...)
        turn.effects += lastSent.filter { if case .connect = $0 { true } else if case .level = $0 { true } else { false } }
        turn.effects += lastSent.filter { if case .command = $0 { true } else { false } }
        turn.effects += lastSent.filter {
            switch $0 {
            case .connect, .level, .command: false
            default: true
            }
        }
        if !stopped.isEmpty || hushes { settlesAt = turn.now + Self.routeSettles }
    }

    mutating func routeSettled(_ turn: inout Turn) {
        settlesAt = nil
        for id in sessions.keys {
            guard let index = sessions.index(forKey: id) else { continue }
            if sessions.values[index].isHushed {
                sessions.values[index].isHushed = false
                turn.dirty.append(id)
            }
            guard take(.routeLost, from: index) else { continue }
            endIfRegained([id], &turn)
        }
        if routing.currentOutput?.kind.isPrivate ?? false { letWaitingSound(.newDeviceAvailable, &turn) }
    }

    /// Makes a session without a player wait, because the user could not resume it. It waits for a private output.
    mutating func waitForRoute(_ id: SessionID, after interruption: Interruption, _ turn: inout Turn) {
        guard id.isImplied, interruption.lostRoute, interruption.players.isEmpty, sessions[id]?.state == .barred else { return }
        sessions[id]?.waitsForRoute = true
        if settlesAt == nil, routing.currentOutput?.kind.isPrivate ?? false { letWaitingSound(.newDeviceAvailable, &turn) }
    }

    /// Resumes waiting sessions when the user connects a private output, or picks one.
    private mutating func letWaitingSound(_ reason: RouteChangeReason, _ turn: inout Turn) {
        guard reason == .override || routing.currentOutput?.kind.isPrivate ?? false else { return }
        for id in sessions.keys where sessions[id]?.waitsForRoute ?? false {
            if let app = sessions[id]?.app, isFrozen(app) { continue }
            sessions[id]?.waitsForRoute = false
            if sessions[id]?.state == .barred { _ = activate(id, &turn) }
        }
    }

    // MARK: The server

    mutating func serverChanged(_ isRunning: Bool, _ turn: inout Turn) {
        guard isRunning != isServerRunning else { return }
        isServerRunning = isRunning
        guard !isRunning else { return }
        for id in Array(streams.keys) { streamGone(id, &turn) }
        let old = routing.route
        routing.outputs = []
        routing.inputs = []
        routing.output = nil
        routing.input = nil
        routing.isKnown = false
        routing.isInputMuted = false
        if old != AudioRoute() { tellRoute(.unknown, old, AudioRoute(), &turn) }
    }
}
