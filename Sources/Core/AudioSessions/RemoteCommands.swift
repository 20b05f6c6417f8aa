import Geometry

/// A target of playback controls: a session that declares commands, or a player on the session bus.
enum RemoteTarget: Hashable, Codable, Sendable {
    case session(SessionID)
    case player(PlayerID)
}

/// The player that a person paused by a key, a headset or the control centre.
struct PressedPause: Hashable, Codable, Sendable {
    var target: RemoteTarget
    /// The clock of playback at that moment. Players with a higher number have played since.
    var clock: UInt64
}

/// Chooses the target of a command from a key, a headset or the control centre. The first match wins. No rule
/// starts a second app while one plays.
public enum RemoteRule: String, CaseIterable, Hashable, Codable, Sendable {
    /// A player that is heard and does not mix.
    case heard
    /// The player that the last press paused, unless other sound started since. It comes before an app that says that it plays and
    /// has no sound on this machine, such as a phone's player.
    case pausedByPress
    /// A player that says that it plays: one that does not mix, or else the one that started last.
    case playing
    /// Nothing plays, and the system interrupted it.
    case interrupted
    /// Nothing plays, and the app in front has controllable audio.
    case inFront
    /// Nothing plays, and it last played on the accessory.
    case accessory
    /// Nothing plays: the most recent one.
    case mostRecent
}

extension RemoteCommand {
    /// The status after the command; nil if the command has an effect each time.
    var result: PlaybackStatus? {
        switch self {
        case .play: .playing
        case .pause: .paused
        case .stop: .stopped
        default: nil
        }
    }
}

extension RemoteCommand {
    var isPause: Bool { self == .pause || self == .stop }

    /// Whether to send it to a frozen or stopped player without thawing the player first. The player handles it when it runs again,
    /// perhaps an hour later. Only a pause still makes sense then.
    public var isForFrozenPlayers: Bool { isPause }
}

extension PlaybackStatus {
    /// Whether the status is already reached. `asked` is the status of a request in flight. A stopped player counts
    /// as paused.
    func isThere(_ status: PlaybackStatus?, asked: PlaybackStatus?) -> Bool {
        func isLike(_ other: PlaybackStatus) -> Bool { other == self || self == .paused && other == .stopped }
        return status.map(isLike) ?? false && asked.map(isLike) ?? true
    }
}

extension AudioSessions {
    struct Candidate {
        var target: RemoteTarget
        var app: AppRef
        var isPlaying: Bool
        var isAudible: Bool
        var mixes: Bool
        var isInterrupted: Bool
        var commands: Set<RemoteCommand.Name>
        var hasInfo: Bool
        var lastPlayed: UInt64
    }

    /// Everything controllable: it has at least one command, and was audible or says that it plays.
    var candidates: [Candidate] {
        var found: [Candidate] = []
        for session in sessions.values where session.isDeclared && !session.commands.isEmpty && !session.kind.isCall {
            guard session.hasBeenHeard || session.info != nil else { continue }
            found.append(
                Candidate(
                    target: .session(session.id), app: session.app, isPlaying: isPlaying(session), isAudible: isPlaying(session),
                    mixes: session.mixes, isInterrupted: session.state == .interrupted, commands: session.commands,
                    hasInfo: session.info != nil, lastPlayed: session.lastPlayed))
        }
        let declaring = Set(found.map(\.app))
        for player in players.values where !player.facts.commands.isEmpty {
            // An app that declares sessions with commands is controlled through these.
            if declaring.contains(player.app) { continue }
            var isAudible = false
            var isInterrupted = false
            for session in related(to: player) where !session.isDeclared && (session.kind.isMedia || session.kind.isGame) {
                if session.state == .active, runs(session) { isAudible = true }
                if let interruption = session.interruption, interruption.wasPlaying { isInterrupted = true }
            }
            found.append(
                Candidate(
                    target: .player(player.id), app: player.app, isPlaying: player.facts.status == .playing, isAudible: isAudible,
                    mixes: false, isInterrupted: isInterrupted, commands: player.facts.commands,
                    hasInfo: !player.facts.info.title.isEmpty || player.facts.status != .stopped, lastPlayed: player.lastPlayed))
        }
        return found
    }

    private func related(to player: Player) -> [Session] {
        if let own = apps[player.app], !own.sessions.isEmpty { return own.sessions.compactMap { sessions[$0] } }
        return sessions.values.filter { !$0.isDeclared && players(of: $0.app).contains(player.id) }
    }

    /// The target of a command. `source` may name the accessory that sent it.
    func target(of command: RemoteCommand, from source: RemoteSource) -> Candidate? {
        let candidates = candidates
        for rule in RemoteRule.allCases {
            // A pause is for a session that still plays.
            if rule == .pausedByPress, command.isPause { continue }
            guard let found = match(rule, candidates, source) else { continue }
            // The playing app may have no controls. Then only its own card or the app in front starts something else
            //
            let isChosen = rule == .heard || rule == .playing || rule == .inFront || source == .controlCentre
            return isChosen || !isPlayingElsewhere(besides: found.app) ? found : nil
        }
        return nil
    }

    /// Whether another app plays music, speech, video or a game, which would be stopped.
    private func isPlayingElsewhere(besides app: AppRef) -> Bool {
        sessions.values.contains { session in
            session.app != app && session.state == .active && (session.kind.isMedia || session.kind == .gameSolo) && !session.mixes
                && isPlaying(session) && (runs(session) || session.status == .playing)
        }
    }

    private func match(_ rule: RemoteRule, _ candidates: [Candidate], _ source: RemoteSource) -> Candidate? {
        func latest(_ isMeant: (Candidate) -> Bool) -> Candidate? {
            candidates.filter(isMeant).max { $0.lastPlayed < $1.lastPlayed }
        }
        switch rule {
        case .heard: return latest { $0.isPlaying && $0.isAudible && !$0.mixes }
        case .pausedByPress:
            guard let pause = pausedByPress,
                let paused = candidates.first(where: { $0.target == pause.target && !$0.isPlaying && $0.lastPlayed <= pause.clock }),
                !candidates.contains(where: { $0.isPlaying && $0.isAudible && $0.lastPlayed > pause.clock })
            else { return nil }
            return paused
        case .playing: return latest { $0.isPlaying && !$0.mixes } ?? latest { $0.isPlaying }
        case .interrupted: return latest { $0.isInterrupted }
        case .inFront: return latest { apps[$0.app]?.isActive ?? false && $0.hasInfo }
        case .accessory:
            guard case .accessory(let port?) = source, port == routing.output else { return nil }
            return latest { $0.lastPlayed > 0 }
        case .mostRecent: return latest { $0.lastPlayed > 0 }
        }
    }

    /// The current or most recent source of any app.
    var nowPlaying: RemoteTarget? {
        let candidates = candidates
        return [RemoteRule.heard, .pausedByPress, .playing, .interrupted, .mostRecent].lazy
            .compactMap { self.match($0, candidates, .controlCentre) }.first?.target
    }

    func app(of target: RemoteTarget) -> AppRef? {
        switch target {
        case .session(let id): sessions[id]?.app
        case .player(let id): players[id]?.app
        }
    }

    /// The commands that the target takes now.
    func commands(of target: RemoteTarget) -> Set<RemoteCommand.Name> {
        switch target {
        case .session(let id): sessions[id]?.commands ?? []
        case .player(let id): players[id]?.facts.commands ?? []
        }
    }

    func isPlaying(_ target: RemoteTarget) -> Bool {
        switch target {
        case .session(let id): sessions[id].map { isPlaying($0) } ?? false
        case .player(let id): players[id]?.facts.status == .playing
        }
    }

    // MARK: Sending

    mutating func remote(_ command: RemoteCommand, _ source: RemoteSource, _ turn: inout Turn) {
        if let complaint = command.complaint { return refuse(complaint, &turn) }
        guard let candidate = target(of: command, from: source) else {
            if source == .command || source == .controlCentre { refuse("nothing plays that could be controlled", &turn) }
            return
        }
        var command = command
        let isPlaying = candidate.isPlaying
        if command == .togglePlayPause {
            // Send the intended command, because a toggle could cross with a change of status (1e).
            let meant: RemoteCommand = isPlaying ? .pause : .play
            if candidate.commands.contains(meant.name) { command = meant }
        }
        guard candidate.commands.contains(command.name) else {
            if source == .command || source == .controlCentre { refuse("the app has no \(command.name.rawValue) at the moment", &turn) }
            return
        }
        if command == .play || command == .togglePlayPause && !isPlaying { startedByPerson[candidate.app] = turn.now }
        if command.isPause || command == .togglePlayPause && isPlaying {
            pausedByPress = PressedPause(target: candidate.target, clock: clock)
        }
        send(command, to: candidate.target, &turn)
    }

    /// Sends the command unless its result is already reached, because some players treat a second pause as play.
    /// Records a pause by the user in any case.
    mutating func send(_ command: RemoteCommand, to target: RemoteTarget, _ turn: inout Turn) {
        let isPause = command.isPause
        switch target {
        case .session(let id):
            let session = sessions[id]
            if isPause { sessions[id]?.interruption?.isPausedByPerson = true }
            let command: RemoteCommand =
                switch command {
                // The app's own intervals.
                case .skipForward(nil): .skipForward(session?.skipForward)
                case .skipBackward(nil): .skipBackward(session?.skipBackward)
                default: command
                }
            if let result = command.result {
                guard let session else { return }
                let isThere = result.isThere(session.status, asked: session.asked)
                if isThere, result != .playing || isPlaying(session) { return }
                sessions[id]?.asked = result
            }
            turn.effects.append(.tell(id, .command(command)))
        case .player(let id):
            if isPause, let player = players[id] {
                // The user's pause takes precedence over the system's plan to resume.
                for session in related(to: player) where session.interruption != nil {
                    sessions[session.id]?.interruption?.isPausedByPerson = true
                }
            }
            ask(id, command, &turn)
        }
    }

    /// Asks a player for a change, unless the player is already in that state.
    mutating func ask(_ id: PlayerID, _ command: RemoteCommand, _ turn: inout Turn) {
        guard let index = players.index(forKey: id) else { return }
        var command = command
        // Never send a toggle: two that cross would do the opposite.
        if command == .togglePlayPause { command = players.values[index].facts.status == .playing ? .pause : .play }
        if let result = command.result {
            guard !result.isThere(players.values[index].facts.status, asked: players.values[index].asked) else { return }
            players.values[index].asked = result
        }
        turn.effects.append(.command(id, command))
    }

    // MARK: Calls

    /// The ringing call, or else the active one.
    private func call(_ kinds: [SoundKind]) -> Session? {
        for kind in kinds {
            let calls = sessions.values.filter { $0.isDeclared && $0.kind == kind && ($0.state == .active || $0.state == .interrupted) }
            if let latest = calls.max(by: { $0.order < $1.order }) { return latest }
        }
        return nil
    }

    var currentCall: Session? { call([.callRinging, .callActive]) }

    mutating func command(_ command: CallCommand, _ turn: inout Turn) {
        guard let call = call(command == .end ? [.callActive] : [.callRinging]) else {
            return refuse(command == .end ? "there is no call" : "nobody calls", &turn)
        }
        turn.effects.append(.tell(call.id, .call(command)))
    }

    /// Handles calls first. Otherwise toggles playback.
    mutating func headsetButton(_ port: PortID?, _ turn: inout Turn) {
        switch currentCall?.kind {
        case .callRinging: command(.answer, &turn)
        case .callActive: command(.end, &turn)
        default: remote(.togglePlayPause, .accessory(port), &turn)
        }
    }
}
