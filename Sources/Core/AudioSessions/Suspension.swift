import Geometry

/// How a session falls silent and comes back: the fade, the pause, the deaf; what is in sight, the silence switch, the
/// lock, the cover and frozen apps.
extension AudioSessions {
    /// Seconds that a player has to pause.
    static let playersPatience = 1.0
    /// Seconds that a barred sound has to have stopped before it counts as started anew: streams that are moved stop, too.
    static let restartTakes = 0.25

    // MARK: Silence

    /// Its streams are silent now, whatever their volumes.
    @inline(__always)
    func isSilent(_ session: Session.Traits, _ entry: AppEntry.Standing?) -> Bool {
        switch session.state {
        case .interrupted, .barred: return true
        case .inactive, .active: break
        }
        if session.isHushed { return true }
        let isAmbient = session.isDeclared ? !session.category.behaviour.playsInBackground : session.kind.isGame
        if isSilenced || isLocked {
            let obeys = session.kind == .callRinging || (session.isDeclared ? session.category.behaviour.obeysSilence : session.kind.obeysSilence)
            if isSilenced, obeys { return true }
            if isLocked, isAmbient { return true }
            // Nobody knows whether a person asked for it: what is in sight was, and a test of sound; what comes
            // from elsewhere was not.
            if isSilenced, session.kind == .unknown, let entry, !entry.isInSight, !entry.isActive, !entry.isAskedFor { return true }
        }
        guard let entry else { return false }
        let rules = idiom.rules
        if isAmbient, rules.silencesAmbientOutOfSight, entry.wasInSight, !entry.isInSight { return true }
        if rules.silencesAlerts, session.kind == .notification { return true }
        if rules.clipsNeedFocus, entry.wasInSight, !entry.isActive {
            switch session.kind {
            case .gameSolo, .gameAmbient, .click, .unknown: return true
            default: break
            }
        }
        return false
    }

    @inline(__always)
    func isConnected(_ session: Session.Traits, _ entry: AppEntry.Standing?) -> Bool {
        if entry?.isFrozen ?? false { return false }
        switch session.state {
        case .barred: return false
        case .interrupted: return !session.isDisconnected
        case .inactive: return !session.isHeldBack
        case .active: return true
        }
    }

    /// An input may reach it: while it is interrupted nobody listens.
    @inline(__always)
    func mayRecord(_ session: Session.Traits) -> Bool { session.state == .active || session.state == .inactive }

    /// How much it is lowered, by others and for being looked away from (V-07).
    @inline(__always)
    func duckGain(of session: Session.Traits, _ entry: AppEntry.Standing?) -> Double {
        guard idiom.rules.ducksOutOfFocus, let entry, entry.wasInSight, !entry.isActive, session.app != playingApp else { return session.duckGain }
        switch session.kind {
        case .music, .podcast, .video, .gameSolo, .gameAmbient, .unknown: return min(session.duckGain, Duck.Strength.light.gain)
        default: return session.duckGain
        }
    }

    /// Another app is Now Playing: the one that was may be lowered now (V-07).
    mutating func lookAtPlaying(_ turn: inout Turn) {
        let app = nowPlaying.flatMap { self.app(of: $0) }
        guard app != playingApp else { return }
        for ref in [app, playingApp].compactMap({ $0 }) { turn.dirty += apps[ref]?.sessions ?? [] }
        playingApp = app
    }

    // MARK: Fade, pause, deafness

    mutating func fadesEnded(_ turn: inout Turn) {
        for id in waitingForFade.takeDue(at: turn.now) {
            if let index = sessions.index(forKey: id) { quieten(index, &turn) }
        }
    }

    /// The fade is over: players are paused; what has none, or does not hear, is disconnected.
    mutating func quieten(_ index: Int, _ turn: inout Turn) {
        let id = sessions.values[index].id
        waitingForFade.remove(id)
        pausePlayers(of: index, &turn)
        let patience = turn.now + Self.playersPatience
        if sessions.values[index].fadeIsOver(deafAt: patience) {
            waitingForPlayers.add(id, until: patience)
        } else {
            turn.dirty.append(id)
        }
    }

    mutating func pausePlayers(of index: Int, _ turn: inout Turn) {
        let session = sessions.values[index].traits
        guard !session.isDeclared, session.kind.isMedia || session.kind.isGame, !isFrozen(session.app) else { return }
        for player in players(of: session.app) where players[player]?.facts.status == .playing {
            ask(player, .pause, &turn)
            sessions.values[index].interruption?.players.append(player)
        }
    }

    mutating func playersHadTime(_ turn: inout Turn) {
        for id in waitingForPlayers.takeDue(at: turn.now) {
            guard let index = sessions.index(forKey: id), let interruption = sessions.values[index].interruption else { continue }
            sessions.values[index].interruption?.deafAt = nil
            let isDeaf = interruption.players.contains { players[$0]?.facts.status == .playing } || runs(at: index)
            guard isDeaf else { continue }
            sessions.values[index].interruption?.isDisconnected = true
            turn.dirty.append(id)
        }
    }

    /// A session that may not sound: until it starts anew it is silent.
    mutating func bar(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id), sessions.values[index].state == .inactive || sessions.values[index].state == .barred
        else { return }
        sessions.values[index].state = .barred
        sessions.values[index].isHeldBack = true
        turn.dirty.append(id)
        pausePlayers(of: index, &turn)
    }

    // MARK: In sight

    mutating func sightChanged(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id) else { return }
        turn.dirty.append(id)
        if apps[sessions.values[index].app]?.isInSight ?? false {
            if take(.background, from: index) { endIfRegained([id], &turn) }
        } else {
            leaveSightIfNeeded(index, isAskedFor: false, &turn)
        }
    }

    /// Video and games pause when people switch away (S-05). A picture in picture is in sight.
    mutating func leaveSightIfNeeded(_ index: Int, isAskedFor: Bool, _ turn: inout Turn) {
        let session = sessions.values[index].traits
        guard idiom.rules.pausesAttentionMedia, session.kind.needsAttention, !isAskedFor,
            session.state == .active || session.state == .interrupted,
            let entry = apps.index(forKey: session.app), apps.values[entry].wasInSight, !apps.values[entry].isInSight
        else { return }
        lose(index, Loss(cause: .background, kind: session.kind.isGame ? .automatic : .resumable), &turn)
    }

    /// V-05: closing the window of what is Now Playing pauses it.
    mutating func windowClosed(_ presence: AudioPresence, _ turn: inout Turn) {
        guard idiom.rules.closingWindowPauses, let playing = nowPlaying, isPlaying(playing), let ref = app(of: playing),
            let app = apps[ref]?.app, presence.isOf(app)
        else { return }
        send(.pause, to: playing, &turn)
    }

    /// "Another app's sound is heard": told to sessions that are active and in front (rule 9).
    mutating func tellHints(_ turn: inout Turn) {
        turn.hasNewHints = false
        turn.makeRoom(for: sessions.count)
        for index in sessions.values.indices {
            if let place = apps.index(forKey: sessions.values[index].app) { tellHint(index, place, &turn) }
        }
    }

    /// `place` is its app's.
    private mutating func tellHint(_ index: Int, _ place: Int, _ turn: inout Turn) {
        let id = sessions.values[index].id
        guard !id.isImplied, sessions.values[index].state == .active, apps.values[place].isInSight || !apps.values[place].wasInSight
        else { return }
        let hint = primaryApps > (apps.values[place].primaries > 0 ? 1 : 0)
        if hint, sessions.values[index].isHintFalling {
            sessions.values[index].isHintFalling = false
            fallingHints.remove(id)
        }
        guard hint != sessions.values[index].hint else { return }
        if !hint {
            guard !sessions.values[index].isHintFalling else { return }
            sessions.values[index].isHintFalling = true
            return fallingHints.add(id, until: turn.now + Self.hintPatience)
        }
        sessions.values[index].hint = hint
        turn.effects.append(.tell(id, .secondaryAudioHint(hint)))
    }

    /// Seconds for which nobody else has to be heard until apps are told so. A player that starts says that it stands still
    /// while its stream runs, or stops its stream to fill its buffers.
    static let hintPatience = 1.0

    mutating func hintsFell(_ turn: inout Turn) {
        for id in fallingHints.takeDue(at: turn.now) {
            guard let index = sessions.index(forKey: id), sessions.values[index].isHintFalling else { continue }
            sessions.values[index].isHintFalling = false
            guard let place = apps.index(forKey: sessions.values[index].app), sessions.values[index].state == .active,
                apps.values[place].isInSight || !apps.values[place].wasInSight
            else { continue }
            sessions.values[index].hint = false
            turn.effects.append(.tell(id, .secondaryAudioHint(false)))
        }
    }

    /// Keeps the number of apps that are heard without mixing; `entry` is the place of its app.
    mutating func count(_ index: Int, _ entry: Int, _ turn: inout Turn) {
        let session = sessions.values[index].traits
        let counts = !session.mixes && isPlaying(at: index)
        if counts != sessions.values[index].countsAsPrimary {
            sessions.values[index].countsAsPrimary = counts
            apps.values[entry].primaries += counts ? 1 : -1
            if apps.values[entry].primaries == (counts ? 1 : 0) { countPrimaryApps(counts ? 1 : -1, &turn) }
        }
        if !turn.hasNewHints { tellHint(index, entry, &turn) }
    }

    /// One more or one fewer app is heard. Whether there are two or three others is the same to everybody.
    mutating func countPrimaryApps(_ change: Int, _ turn: inout Turn) {
        if min(primaryApps, primaryApps + change) < 2 { turn.hasNewHints = true }
        primaryApps += change
    }

    // MARK: Switches

    mutating func silence(_ wish: Bool, _ turn: inout Turn) {
        guard wish != isSilenced else { return }
        isSilenced = wish
        turn.dirty += sessions.keys
    }

    mutating func lock(_ isLocked: Bool, _ turn: inout Turn) {
        guard isLocked != self.isLocked else { return }
        self.isLocked = isLocked
        turn.dirty += sessions.keys
    }

    /// The built-in microphone hears nothing, and it is the one in use.
    var isMicrophoneCovered: Bool { isCoverClosed && routing.currentInput?.kind == .builtIn }

    /// the sessions that use the built-in microphone are interrupted, calls end; opening restarts nothing.
    mutating func cover(_ isClosed: Bool, _ turn: inout Turn) {
        guard isClosed != isCoverClosed else { return }
        isCoverClosed = isClosed
        tellMicrophone(&turn)
        if isClosed { return interruptCovered(&turn) }
        for id in sessions.keys {
            guard let index = sessions.index(forKey: id) else { continue }
            if take(.cover, from: index) { endIfRegained([id], &turn) }
        }
    }

    /// The cover was closed over the microphone in use, or that became the one in use under the closed cover.
    mutating func interruptCovered(_ turn: inout Turn) {
        guard isMicrophoneCovered else { return }
        for index in sessions.values.indices {
            let session = sessions.values[index]
            guard session.state == .active || session.state == .interrupted, listens(session),
                !session.options.contains(.overrideMutedMic), !session.losses.contains(where: { $0.cause == .cover })
            else { continue }
            lose(index, Loss(cause: .cover, kind: .forGood), fade: 0, &turn)
            if session.isDeclared, session.kind == .callActive { turn.effects.append(.tell(session.id, .call(.end))) }
        }
    }

    /// Its input runs, as far as anybody can tell.
    func listens(_ session: Session) -> Bool {
        var hasInput = false
        for id in session.streams {
            guard let stream = streams[id], stream.facts.direction == .input else { continue }
            hasInput = true
            if stream.isAudible { return true }
        }
        return !hasInput && session.isDeclared && session.category.behaviour.hasInput && session.kind != .callRinging
    }

    mutating func tellMicrophone(_ turn: inout Turn) {
        let isMuted = isMicrophoneMuted || isMicrophoneCovered
        guard isMuted != routing.isInputMuted else { return }
        routing.isInputMuted = isMuted
        turn.effects.append(.muteInput(isMuted))
    }

    // MARK: Frozen apps

    /// Before the app is stopped: what it did ends, and its streams hold up nobody.
    mutating func freeze(_ presence: AudioPresence, _ turn: inout Turn) {
        for ref in apps.keys {
            guard let index = apps.index(forKey: ref), !apps.values[index].isFrozen,
                presence.isOf(apps.values[index].app) || presence.encloses(apps.values[index].app)
            else { continue }
            apps.values[index].isFrozen = true
            for id in apps.values[index].sessions {
                guard let session = sessions[id] else { continue }
                let isHeard = isPlaying(session)
                sessions[id]?.wasHeardBeforeFreeze = isHeard
                if session.state == .active, session.isDeclared {
                    sessions[id]?.begun += 1
                    sessions[id]?.ended += 1
                    turn.effects.append(.tell(id, .interruptionBegan(.appSuspended)))
                    turn.effects.append(.tell(id, .interruptionEnded(shouldResume: false)))
                }
                deactivate(id, &turn)
                turn.dirty.append(id)
            }
        }
    }

    /// What was heard goes on, unless others are heard by now.
    mutating func thaw(_ presence: AudioPresence, _ turn: inout Turn) {
        for ref in apps.keys {
            guard let index = apps.index(forKey: ref), apps.values[index].isFrozen,
                presence.isOf(apps.values[index].app) || presence.encloses(apps.values[index].app)
            else { continue }
            apps.values[index].isFrozen = false
            let entry = apps.values[index]
            for id in entry.sessions {
                turn.dirty.append(id)
                guard let session = sessions[id], session.wasHeardBeforeFreeze else { continue }
                sessions[id]?.wasHeardBeforeFreeze = false
                // Its private output was unplugged meanwhile.
                if session.waitsForRoute, !(routing.currentOutput?.kind.isPrivate ?? false) { continue }
                sessions[id]?.waitsForRoute = false
                if runs(session), entry.isActive || primaryApps == 0 { _ = activate(id, &turn) }
            }
        }
    }
}
