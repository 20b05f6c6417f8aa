import OrderedCollections

/// A choice of a person about sound. It survives restarts (decision 0137).
public enum AudioChoice: Hashable, Codable, Sendable {
    case silence(Bool)
    case muteMicrophone(Bool)
    /// The level of a class, from 0 to 1. That of `media` belongs to each output.
    case volume(VolumeClass, Double)
    /// The level of an app, by its id.
    case app(String, Double)
    /// The level of an output.
    case level(PortID, Double, isMuted: Bool)
    /// The picked ports and those in use because of the pick; nil: automatic. `among`: the ports that were there.
    case route(output: PortID?, input: PortID?, among: [PortID])

    /// The key of the choice. Another choice of the same key replaces this one.
    public var key: String {
        switch self {
        case .silence: "silence"
        case .muteMicrophone: "microphone"
        case .volume(let volume, _): "volume/\(volume.rawValue)"
        case .app(let app, _): "app-volume/\(app)"
        case .level(let port, _, _): "level/\(port.raw)"
        case .route: "route"
        }
    }

    /// Whether a person can have chosen it. Data from the disk may be anything.
    public var isPossible: Bool {
        switch self {
        case .silence, .muteMicrophone: true
        case .volume(let volume, let level): volume != .media && (0...1).contains(level)
        case .app(_, let level), .level(_, let level, _): (0...1).contains(level)
        case .route(_, _, let among): among.count <= 256
        }
    }
}

extension AudioChoice {
    /// Whether a port was not there when the person picked the route: it was plugged in since.
    func isWithout(_ port: PortID) -> Bool { if case .route(_, _, let among) = self { !among.contains(port) } else { false } }
}

extension AudioSessions {
    /// The differences from the state without any choice.
    public var choices: [AudioChoice] {
        var out: [AudioChoice] = []
        if isSilenced { out.append(.silence(true)) }
        if isMicrophoneMuted { out.append(.muteMicrophone(true)) }
        for volume in VolumeClass.allCases where volume != .media && volumes[volume] != 1 { out.append(.volume(volume, volumes[volume])) }
        for (app, level) in volumes.apps.sorted(by: { $0.key < $1.key }) { out.append(.app(app, level)) }
        for (port, memory) in routing.memory {
            if let level = memory.level { out.append(.level(port, level, isMuted: memory.isMuted)) }
        }
        // Nothing is known of devices yet: the picked route stays picked.
        if let last = routing.last { return out + [last] }
        func picked(_ port: PortID?) -> PortID? { port.flatMap { routing.memory[$0]?.picked ?? 0 > 0 ? $0 : nil } }
        let output = picked(routing.output), input = picked(routing.input)
        if output != nil || input != nil {
            out.append(.route(output: output, input: input, among: routing.outputs.map(\.id) + routing.inputs.map(\.id)))
        }
        return out
    }

    /// The choices of the last session. Devices are not known yet.
    mutating func restore(_ choices: [AudioChoice], _ turn: inout Turn) {
        for choice in choices where choice.isPossible {
            switch choice {
            // The switch of the device says how it stands.
            case .silence(let wish): if !hasSilenceSwitch { isSilenced = wish }
            case .muteMicrophone(let wish): isMicrophoneMuted = wish
            case .volume(let volume, let level): volumes[volume] = level
            case .app(let app, let level): volumes.apps[app] = level == 1 ? nil : level
            case .level(let port, let level, let isMuted): routing.remember(port, level, isMuted: isMuted)
            case .route(let output, let input, _):
                let picked = [output, input].compactMap { $0 }
                for port in picked { routing.pick(port) }
                if !picked.isEmpty { routing.last = choice }
            }
        }
        turn.dirty += sessions.keys
        tellMicrophone(&turn)
    }
}

extension Routing {
    mutating func remember(_ port: PortID, _ level: Double, isMuted: Bool) {
        memory[port, default: Memory()].level = level
        memory[port, default: Memory()].isMuted = isMuted
    }
}
