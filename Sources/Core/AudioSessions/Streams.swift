import Geometry

/// Streams of the sound server and players of the session bus: their owners, and when they start and stop.
extension AudioSessions {
    /// Apps were installed or removed. Classifies existing streams again.
    mutating func setCategories(_ new: [String: [String]], _ turn: inout Turn) {
        let old = categories
        categories = new
        for stream in streams.values {
            let app = stream.facts.app.id.lowercased()
            guard old[app] ?? [] == stream.facts.appCategories, old[app] != new[app] else { continue }
            var facts = stream.facts
            facts.appCategories = []
            streamIs(stream.id, facts, &turn)
        }
    }

    mutating func streamIs(_ id: StreamID, _ facts: StreamFacts, _ turn: inout Turn) {
        var facts = facts
        if facts.appCategories.isEmpty { facts.appCategories = categories[facts.app.id.lowercased()] ?? [] }
        guard let index = streams.index(forKey: id) else { return streamAppeared(id, facts, &turn) }
        let before = streams.values[index]
        guard before.facts != facts else { return }
        if before.facts.app != facts.app, find(facts.app) != before.app || before.facts.direction != facts.direction {
            streamGone(id, isReplaced: true, &turn)
            streams[id]?.lastSent = before.lastSent
            streamAppeared(id, facts, lastSent: before.lastSent, &turn)
            return
        }
        streams.values[index].facts = facts
        assign(id, &turn)
        guard let stream = streams[id], before.isAudible != stream.isAudible else { return }
        if facts.direction == .input { reassignOutputs(of: stream.app, &turn) }
        if stream.isAudible { started(id, &turn) } else { stopped(id, &turn) }
    }

    /// Seconds in which a session manager sets up all streams.
    static let setUpTakes = 3.0

    /// Streams that run now count as running until the new session manager has set them up. So no stream counts as a newcomer when it runs
    /// again, and no interruption or lowering ends meanwhile.
    mutating func holdStreams(_ turn: inout Turn) {
        for index in streams.values.indices where streams.values[index].isAudible { streams.values[index].isHeld = true }
        heldUntil = turn.now + Self.setUpTakes
    }

    mutating func letStreamsGo(_ turn: inout Turn) {
        heldUntil = nil
        for id in streams.keys where streams[id]?.isHeld ?? false {
            let wasAudible = streams[id]?.isAudible ?? false
            streams[id]?.isHeld = false
            guard wasAudible, let stream = streams[id], !stream.isAudible else { continue }
            if stream.facts.direction == .input { reassignOutputs(of: stream.app, &turn) }
            stopped(id, &turn)
        }
    }

    private mutating func streamAppeared(_ id: StreamID, _ facts: StreamFacts, lastSent: Stream.LastSent? = nil, _ turn: inout Turn) {
        let ref = refer(to: facts.app)
        streams[id] = Stream(id: id, facts: facts, app: ref, lastSent: lastSent)
        apps[ref]?.streams.append(id)
        if facts.role.lowercased() == Classification.testRole { apps[ref]?.isAskedFor = true }
        guard facts.direction != .monitor else {
            // It records an output, so it has neither a level nor a session.
            turn.effects += [.level(id, gain: 1, ramp: 0), .connect(id, true)]
            streams[id]?.lastSent = Stream.LastSent(volume: 1, duck: 1, fade: 1, isConnected: true)
            return
        }
        assign(id, &turn)
        if facts.direction == .input { reassignOutputs(of: ref, &turn) }
        if streams[id]?.isAudible ?? false { started(id, &turn) }
    }

    /// Assigns the stream to a session, by the facts known now.
    mutating func assign(_ id: StreamID, _ turn: inout Turn) {
        guard let index = streams.index(forKey: id), streams.values[index].facts.direction != .monitor else { return }
        let stream = streams.values[index]
        let isInput = stream.facts.direction == .input
        let kind = kind(of: stream)
        let owner =
            declaredSession(for: stream.app, kind: kind, input: isInput)
            ?? impliedSession(of: stream.app, kind, capturesOnly: isInput && kind == .unknown)
        guard owner != stream.session else { return }
        let old = stream.session
        streams.values[index].session = owner
        sessions[owner]?.streams.append(id)
        turn.dirty.append(owner)
        if let old {
            sessions[old]?.streams.removeAll { $0 == id }
            streamLeft(old, &turn)
            // It was audible before, so its new session starts with it.
            if streams[id]?.isAudible ?? false { started(id, &turn) }
        }
    }

    func kind(of stream: Stream) -> SoundKind {
        if let ruled = stream.facts.ruled ?? preferences.kind(of: stream.facts.app) { return ruled }
        let usesMicrophone =
            apps[stream.app]?.streams.contains {
                streams[$0].map { $0.facts.direction == .input && $0.isAudible } ?? false
            } ?? false
        return Classification.kind(of: stream.facts, hasPlayer: !players(of: stream.app).isEmpty, usesMicrophone: usesMicrophone)
    }

    private mutating func impliedSession(of ref: AppRef, _ kind: SoundKind, capturesOnly: Bool) -> SessionID {
        if let entry = apps[ref] {
            for id in entry.sessions where id.isImplied {
                if let session = sessions[id], session.kind == kind, session.capturesOnly == capturesOnly { return id }
            }
        }
        nextImplied += 1
        let id = SessionID(nextImplied)
        var session = Session(id: id, app: ref, kind: kind)
        session.capturesOnly = capturesOnly
        // Implied sessions behave by their kind. The category is only for reports.
        session.category = kind == .recording ? .record : kind == .callActive ? .playAndRecord : kind.isGame ? .ambient : .playback
        sessions[id] = session
        apps[ref]?.sessions.append(id)
        return id
    }

    /// Classifies an app's other streams again, because that depends on whether the app uses a microphone.
    private mutating func reassignOutputs(of ref: AppRef, _ turn: inout Turn) {
        for id in apps[ref]?.streams ?? [] where streams[id]?.facts.direction == .output { assign(id, &turn) }
    }

    private mutating func started(_ id: StreamID, _ turn: inout Turn) {
        guard let owner = streams[id]?.session, let session = sessions[owner] else { return }
        turn.started.append(id)
        turn.dirty.append(owner)
        switch session.state {
        case .active: touch(owner, &turn)
        case .inactive, .barred:
            if !session.isDeclared, session.kind.isMedia { noteUnreportedPlayback(session.app) }
            if session.isHeldBack, turn.now - session.stoppedRunning < Self.restartTakes { return bar(owner, &turn) }
            sessions[owner]?.waitsForRoute = false
            if activate(owner, &turn) != nil { bar(owner, &turn) }
        case .interrupted:
            // A new track of a deaf player stays silent. But if the app in front restarts the stream, the user wants
            // to hear it.
            guard apps[session.app]?.isActive ?? false, turn.now - session.stoppedRunning >= 1,
                session.interruption.map({ turn.now - $0.began >= 1 }) ?? false,
                session.streams.allSatisfy({ $0 == id || !(streams[$0]?.isAudible ?? false) })
            else { return }
            _ = activate(owner, &turn)
        }
    }

    /// A stream starts although no player of its app reports playing. The stream is the more recent evidence.
    private mutating func noteUnreportedPlayback(_ app: AppRef) {
        let players = players(of: app)
        guard !players.contains(where: { self.players[$0]?.facts.status == .playing }) else { return }
        for player in players {
            clock += 1
            self.players[player]?.lastPlayed = clock
        }
    }

    private mutating func stopped(_ id: StreamID, _ turn: inout Turn) {
        guard let owner = streams[id]?.session, let session = sessions[owner] else { return }
        turn.dirty.append(owner)
        if !runs(session) { fellSilent(owner, &turn) }
    }

    /// The last running stream of the session stopped.
    private mutating func fellSilent(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id) else { return }
        sessions.values[index].stoppedRunning = turn.now
        turn.dirty.append(id)
        switch sessions.values[index].state {
        case .barred: sessions.values[index].state = .inactive
        case .active where id.isImplied: leave(id, &turn)
        case .active, .inactive, .interrupted: break
        }
    }

    mutating func streamGone(_ id: StreamID, isReplaced: Bool = false, _ turn: inout Turn) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        apps[stream.app]?.streams.removeAll { $0 == id }
        if let owner = stream.session {
            sessions[owner]?.streams.removeAll { $0 == id }
            streamLeft(owner, &turn)
        }
        if stream.facts.direction == .input { reassignOutputs(of: stream.app, &turn) }
        forgetIfUnused(stream.app)
    }

    /// The session lost a stream.
    private mutating func streamLeft(_ id: SessionID, _ turn: inout Turn) {
        guard let session = sessions[id] else { return }
        turn.dirty.append(id)
        if !runs(session) { fellSilent(id, &turn) }
        guard !session.isDeclared, let session = sessions[id], session.streams.isEmpty else { return }
        // Some players close their streams when paused. They are asked to play when the interruption ends.
        if let interruption = session.interruption, !interruption.players.isEmpty { return }
        remove(id, &turn)
    }

    /// Removes a session, and undoes its effects and those on it.
    mutating func remove(_ id: SessionID, _ turn: inout Turn) {
        guard sessions[id] != nil else { return }
        deactivate(id, &turn)
        guard let session = sessions.removeValue(forKey: id) else { return }
        if session.isHintFalling { fallingHints.remove(id) }
        if session.countsAsPrimary, let entry = apps.index(forKey: session.app) {
            apps.values[entry].primaries -= 1
            if apps.values[entry].primaries == 0 { countPrimaryApps(-1, &turn) }
        }
        apps[session.app]?.sessions.removeAll { $0 == id }
        if volumeViewOf == id { volumeViewOf = nil }
        forgetIfUnused(session.app)
    }

    // MARK: Players

    mutating func playerIs(_ id: PlayerID, _ facts: PlayerFacts, _ turn: inout Turn) {
        let before = players[id]
        if let before, before.facts.app != facts.app { playerGone(id, &turn) }
        if players[id] == nil {
            let ref = refer(to: facts.app)
            players[id] = Player(id: id, facts: facts, app: ref)
            apps[ref]?.players.append(id)
            reassign(relatedTo: facts.app, &turn)
        }
        guard let index = players.index(forKey: id) else { return }
        players.values[index].facts = facts
        if before?.facts.info != facts.info || before?.facts.status != facts.status { players.values[index].since = turn.now }
        guard before?.facts.status != facts.status else { return }
        players.values[index].asked = nil
        if facts.status == .playing {
            clock += 1
            players.values[index].lastPlayed = clock
        }
        statusChanged(id, from: before?.facts.status, to: facts.status, &turn)
    }

    private mutating func statusChanged(_ id: PlayerID, from old: PlaybackStatus?, to new: PlaybackStatus, _ turn: inout Turn) {
        for session in sessions.values where !session.isDeclared && (session.kind.isMedia || session.kind.isGame) {
            guard players(of: session.app).contains(id) else { continue }
            turn.dirty.append(session.id)
            switch (session.state, new) {
            case (.interrupted, .playing):
                // It was paused and plays again, so the user wants that. Before the fade ends, it has not been asked
                // to pause.
                guard let old, old != .playing, let interruption = session.interruption, interruption.fadeEnds == nil else { continue }
                // The stream may follow later.
                if !runs(session) { deactivate(session.id, &turn) } else if activate(session.id, &turn) != nil { bar(session.id, &turn) }
            case (.barred, .playing):
                guard let old, old != .playing else { continue }
                _ = activate(session.id, &turn)
            case (.interrupted, .paused):
                // During the fade, the shell has not paused it yet, so the user did.
                if session.interruption?.fadeEnds != nil { sessions[session.id]?.interruption?.isPausedByPerson = true }
            case (.interrupted, .stopped): sessions[session.id]?.interruption?.isPausedByPerson = true
            case (.active, .playing): touch(session.id, &turn)
            default: break
            }
        }
    }

    mutating func playerGone(_ id: PlayerID, _ turn: inout Turn) {
        guard let player = players.removeValue(forKey: id) else { return }
        apps[player.app]?.players.removeAll { $0 == id }
        let waiting = sessions.values.filter { $0.interruption?.players.contains(id) ?? false }.map(\.id)
        for session in waiting {
            guard let index = sessions.index(forKey: session) else { continue }
            sessions.values[index].interruption?.players.removeAll { $0 == id }
            if sessions.values[index].streams.isEmpty, session.isImplied, sessions.values[index].interruption?.players.isEmpty ?? true {
                remove(session, &turn)
            }
        }
        reassign(relatedTo: player.facts.app, &turn)
        forgetIfUnused(player.app)
    }

    /// A player or session of an app came or went. Classifies its streams, and those of related processes, again.
    mutating func reassign(relatedTo app: AudioApp, _ turn: inout Turn) {
        for stream in streams.values {
            let other = stream.facts.app
            guard other.isSame(as: app) || app.isAncestor(of: other) || other.isAncestor(of: app) else { continue }
            assign(stream.id, &turn)
        }
        // Whether a player's app is playing depends on the player's report.
        for session in sessions.values where !session.isDeclared && session.kind.isMedia { turn.dirty.append(session.id) }
    }
}
