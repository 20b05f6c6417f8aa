import Geometry
import RealModule

/// Volumes besides the system volume. Levels are as the user sets them, 0 to 1. Gains are their cubes.
struct Volumes: Hashable, Codable, Sendable {
    var ringer = 1.0
    var alarm = 1.0
    var call = 1.0
    /// Volumes of apps by id. A missing one is 1.
    var apps: [String: Double] = [:]
    var shown: VolumeClass?

    static func gain(_ level: Double) -> Double { level * level * level }

    subscript(volume: VolumeClass) -> Double {
        get {
            switch volume {
            case .media: 1
            case .ringer: ringer
            case .alarm: alarm
            case .call: call
            }
        }
        set {
            switch volume {
            case .media: break
            case .ringer: ringer = newValue
            case .alarm: alarm = newValue
            case .call: call = newValue
            }
        }
    }

    func gain(of volume: VolumeClass) -> Double { Self.gain(self[volume]) }
}

extension AudioSessions {
    static let volumeSteps = 16.0
    /// Seconds for which a changed level is shown.
    static let volumeIsShown = 1.5

    /// The class that the volume keys control: a call, a ring, an alarm, media that play, else the idiom's default.
    var keysActOn: VolumeClass {
        var hasMedia = false
        var announced: VolumeClass?
        for session in sessions.values where session.state == .active {
            switch session.kind {
            case .callActive: return .call
            case .callRinging: announced = .ringer
            case .alarm: announced = announced ?? .alarm
            default: if !hasMedia, isPlaying(session), session.kind != .notification { hasMedia = true }
            }
        }
        return announced ?? (!hasMedia && rules.keysActOnRinger ? .ringer : .media)
    }

    mutating func step(_ steps: Int, _ volume: VolumeClass?, _ turn: inout Turn) {
        let volume = volume ?? keysActOn
        guard let level = level(of: volume) else { return refuse("there is no output whose volume could change", &turn) }
        let bounded = Double(max(-16, min(16, steps))) / Self.volumeSteps
        let place = (level * Self.volumeSteps).rounded() / Self.volumeSteps
        // When a call is at its maximum, raise the system volume with it.
        if volume == .call, level >= 1, steps > 0, routing.output != nil { step(steps, .media, &turn) }
        set(place + bounded, volume, &turn)
    }

    mutating func set(_ level: Double, _ volume: VolumeClass, _ turn: inout Turn) {
        guard level.isFinite else { return refuse("a volume is a number from 0 to 1", &turn) }
        let level = max(0, min(1, level))
        if volume == .media {
            guard let output = routing.output else { return refuse("there is no output whose volume could change", &turn) }
            routing.setLevel(of: output, level, isMuted: level > 0 ? false : nil)
            tellLevel(&turn)
        } else {
            volumes[volume] = level
            dirty(volume, &turn)
        }
        show(volume, &turn)
    }

    func level(of volume: VolumeClass) -> Double? {
        volume == .media ? routing.currentOutput?.level : volumes[volume]
    }

    mutating func setApp(_ level: Double, _ app: String, _ turn: inout Turn) {
        guard level.isFinite, (0...1).contains(level) else { return refuse("the volume of an app is a number from 0 to 1", &turn) }
        guard let refs = appsByName[app] else { return refuse("no app “\(app)” makes sound", &turn) }
        volumes.apps[app] = level == 1 ? nil : level
        for ref in refs { turn.dirty += apps[ref]?.sessions ?? [] }
    }

    mutating func mute(_ wish: Bool?, _ turn: inout Turn) {
        guard let output = routing.currentOutput else { return refuse("there is no output to mute", &turn) }
        routing.setLevel(of: output.id, output.level, isMuted: wish ?? !output.isMuted)
        tellLevel(&turn)
        show(.media, &turn)
    }

    mutating func show(_ volume: VolumeClass, _ turn: inout Turn) {
        volumes.shown = volume
        shownUntil = turn.now + Self.volumeIsShown
    }

    /// The volume view was closed, or could not be shown. The next request counts as new.
    public mutating func volumeViewClosed() { volumeViewOf = nil }

    mutating func hideVolume() {
        volumes.shown = nil
        shownUntil = nil
    }

    private func dirty(_ volume: VolumeClass, _ turn: inout Turn) {
        for session in sessions.values where session.kind.volumeClass == volume { turn.dirty.append(session.id) }
    }

    /// Sends the system volume to the sound server.
    mutating func tellLevel(_ turn: inout Turn) {
        guard let output = routing.currentOutput else { return }
        turn.effects.append(.outputLevel(output.id, level: output.level, isMuted: output.isMuted))
    }

    mutating func levelWasChanged(_ port: PortID, _ level: Double, _ isMuted: Bool, _ turn: inout Turn) {
        guard let known = routing.outputs.first(where: { $0.id == port }), level.isFinite else { return }
        let level = max(0, min(1, level))
        guard abs(known.level - level) > 0.001 || known.isMuted != isMuted else { return }
        routing.setLevel(of: port, level, isMuted: isMuted)
        if port == routing.output { show(.media, &turn) }
    }

    func refuse(_ reason: String, _ turn: inout Turn) { turn.effects.append(.refuse(reason)) }
}
