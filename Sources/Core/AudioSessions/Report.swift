import Geometry

extension AudioSessions {
    /// Whether an app's session plays video now.
    public func playsVideo(_ process: Int32) -> Bool {
        guard let app = appsByProcess[process], let entry = apps[app] else { return false }
        return entry.sessions.contains { sessions[$0].map { $0.kind == .video && $0.state == .active } ?? false }
    }
}

/// Every session, for users who want to know why something is audible or not (`mullion ctl audio`).
public struct SessionsReport: Hashable, Codable, Sendable {
    public struct Session: Hashable, Codable, Sendable {
        public var id: SessionID
        public var app: AudioApp
        public var isDeclared: Bool
        public var category: Category
        public var mode: Mode
        public var options: [String]
        public var kind: SoundKind
        /// inactive, active, interrupted, or barred: its streams run but are kept silent.
        public var state: String
        public var isPlaying: Bool
        public var mixes: Bool
        /// Why it is interrupted: other sessions, or other causes.
        public var interruptedBy: [String]
        public var duckedBy: [SessionID]
        /// The number sent so far. Both are equal unless an interruption is in progress (law 4).
        public var interruptionsBegun: Int
        public var interruptionsEnded: Int
        public var streams: [Stream]
    }

    public struct Stream: Hashable, Codable, Sendable {
        public var id: StreamID
        public var name: String
        public var role: String
        public var isInput: Bool
        public var isRunning: Bool
        public var isConnected: Bool
        public var factors: AudioFactors
    }

    public var sessions: [Session]
}

extension AudioSessions {
    public var report: SessionsReport {
        SessionsReport(
            sessions: sessions.values.map { session in
                SessionsReport.Session(
                    id: session.id, app: apps[session.app]?.app ?? AudioApp(id: ""), isDeclared: session.isDeclared,
                    category: session.category, mode: session.mode, options: session.options.listed, kind: session.kind,
                    state: session.state.rawValue, isPlaying: isPlaying(session), mixes: session.mixes,
                    interruptedBy: session.losses.map { loss in
                        switch loss.cause {
                        case .session(let id): id.description
                        case .background: "out of sight"
                        case .cover: "the cover over the microphone"
                        case .sleep: "the machine sleeps"
                        case .routeLost: "the output was unplugged"
                        case .routeChoice: "no output was chosen"
                        }
                    },
                    duckedBy: session.ducks.map(\.by), interruptionsBegun: session.begun, interruptionsEnded: session.ended,
                    streams: session.streams.compactMap { id in
                        guard let stream = streams[id], let factors = factors(of: id) else { return nil }
                        return SessionsReport.Stream(
                            id: id, name: stream.facts.name, role: stream.facts.role, isInput: stream.facts.direction == .input,
                            isRunning: stream.facts.isRunning, isConnected: stream.lastSent?.isConnected ?? false, factors: factors)
                    })
            })
    }

    /// The state of sound as people see it.
    public var summary: AudioSummary {
        var summary = AudioSummary()
        summary.isServerRunning = isServerRunning
        summary.outputs = routing.outputs
        summary.inputs = routing.inputs
        summary.route = routing.route
        summary.isOutputPicked = routing.isOutputPicked
        for volume in VolumeClass.allCases {
            guard let level = level(of: volume) else { continue }
            summary.volumes[volume] = AudioSummary.Volume(
                level: level, isMuted: volume == .media && routing.currentOutput?.isMuted ?? false)
        }
        summary.keysActOn = keysActOn
        summary.isSilenced = isSilenced
        summary.isMicrophoneMuted = isMicrophoneMuted
        summary.hasKeyClicks = preferences.keyClicks
        summary.isKeyboardKnown = keyClicks.clickedAt != nil
        summary.playing = nowPlaying.flatMap { playing($0) }
        if let call = currentCall, let app = apps[call.app]?.app {
            summary.call = AudioSummary.Call(app: app, state: call.call ?? .accepted)
        }
        summary.isRinging = isRinging
        for stream in streams.values where stream.facts.direction == .input && stream.isAudible && stream.lastSent?.isConnected ?? false {
            if !summary.recorders.contains(stream.facts.app) { summary.recorders.append(stream.facts.app) }
        }
        summary.isRecording = !summary.recorders.isEmpty
        for entry in apps.values {
            var kind: SoundKind?
            var isSounding = false
            for id in entry.sessions {
                guard let session = sessions[id], !session.capturesOnly else { continue }
                let sounds = isPlaying(session) && !isSilent(session.traits, entry.standing)
                if kind == nil || sounds && !isSounding { kind = session.kind }
                isSounding = isSounding || sounds
            }
            guard let kind else { continue }
            summary.apps.append(
                AudioSummary.AppVolume(
                    app: entry.app, kind: kind, level: volumes.apps[entry.app.id] ?? 1, isSounding: isSounding))
        }
        summary.shownVolume = shownVolume
        summary.volumeViewOf = appOfVolumeView
        summary.waitsForRoute = appThatWaitsForRoute
        return summary
    }

    /// Apps whose streams record from a microphone.
    public var recordingApps: [AudioApp] {
        streams.values.filter { $0.facts.direction == .input && $0.isAudible && $0.lastSent?.isConnected ?? false }.map(\.facts.app)
    }

    public func app(of player: PlayerID) -> AudioApp? { players[player]?.facts.app }

    /// `AudioSummary.shownVolume` and `.volumeViewOf`, computed alone because they are read at every event.
    public var shownVolume: VolumeClass? { volumes.shown }
    public var appOfVolumeView: AudioApp? { volumeViewOf.flatMap { sessions[$0] }.flatMap { apps[$0.app]?.app } }

    private func playing(_ target: RemoteTarget) -> AudioSummary.Playing? {
        switch target {
        case .session(let id):
            guard let session = sessions[id], let app = apps[session.app]?.app else { return nil }
            return AudioSummary.Playing(
                app: app, name: app.id, info: session.info ?? NowPlayingInfo(),
                status: isPlaying(session) ? .playing : session.status == .stopped ? .stopped : .paused, commands: session.commands,
                skipForward: session.skipForward, skipBackward: session.skipBackward, since: session.infoSince)
        case .player(let id):
            guard let player = players[id] else { return nil }
            return AudioSummary.Playing(
                app: player.facts.app, name: player.facts.name.isEmpty ? player.facts.app.id : player.facts.name,
                info: player.facts.info, status: player.facts.status, commands: player.facts.commands, since: player.since)
        }
    }
}
