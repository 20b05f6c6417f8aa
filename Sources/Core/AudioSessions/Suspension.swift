import Geometry

/// How sessions fall silent and return: fades, pauses, deaf players, visibility, the silence switch, the lock, the
/// cover, and frozen apps.
extension AudioSessions {
    /// Seconds that a player has for pausing.
    static let playersPatience = 1.0
    /// Seconds that barred sound must have stopped before a start counts as new. Moving a stream stops it, too.
    static let restartTakes = 0.25

    // MARK: Silence

    /// Whether its streams are silent now, whatever their volumes.
    @inline(__always)
    func isSilent(_ session: Session.Traits, _ entry: AppEntry.Standing?) -> Bool {
        switch session.state {
        case .interrupted, .barred: return true
        case .inactive, .active: break
        }
        if session.isHushed { return true }
        let isAmbient = session.isDeclared ? !session.category.behaviour.playsInBackground : session.kind.isGame
        if isSilenced || isLocked {
            let obeys =
                session.kind == .callRinging || (session.isDeclared ? session.category.behaviour.obeysSilence : session.kind.obeysSilence)
            if isSilenced, obeys { return true }
            if isLocked, isAmbient { return true }
            // It is unknown whether the user asked for it. Assume so for visible apps and for sound tests only.
            if isSilenced, session.kind == .unknown, let entry, !entry.isInSight, !entry.isActive, !entry.isAskedFor { return true }
        }
        guard let entry else { return false }
        let rules = rules
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

    /// Whether an input may reach it. During an interruption, nothing records.
    @inline(__always)
    func mayRecord(_ session: Session.Traits) -> Bool { session.state == .active || session.state == .inactive }

    /// How much it is ducked, by other sessions and for being out of focus (V-07).
    @inline(__always)
    func duckGain(of session: Session.Traits, _ entry: AppEntry.Standing?) -> Double {
        guard rules.ducksOutOfFocus, let entry, entry.wasInSight, !entry.isActive, session.app != playingApp else {
            return session.duckGain
        }
        switch session.kind {
        case .music, .podcast, .video, .gameSolo, .gameAmbient, .unknown: return min(session.duckGain, Duck.Strength.light.gain)
        default: return session.duckGain
        }
    }

    /// Checks whether Now Playing changed. The previous app may have to be ducked (V-07).
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

    /// The fade has ended. Pauses players, and disconnects sessions without a player or with a deaf one.
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
        // A player that cannot pause is not asked to: its streams are disconnected.
        for player in players(of: session.app) {
            guard let facts = players[player]?.facts, facts.status == .playing, facts.commands.contains(.pause) else { continue }
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

    /// Keeps a session silent until it starts again.
    mutating func bar(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id), sessions.values[index].state == .inactive || sessions.values[index].state == .barred
        else { return }
        sessions.values[index].state = .barred
        sessions.values[index].isHeldBack = true
        turn.dirty.append(id)
        pausePlayers(of: index, &turn)
    }

    // MARK: Visibility

    mutating func sightChanged(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id) else { return }
        turn.dirty.append(id)
        if apps[sessions.values[index].app]?.isInSight ?? false {
            if take(.background, from: index) { endIfRegained([id], &turn) }
        } else {
            leaveSightIfNeeded(index, isAskedFor: false, &turn)
        }
    }

    /// Pauses video and games when the user switches away (S-05). Picture in Picture is visible.
    mutating func leaveSightIfNeeded(_ index: Int, isAskedFor: Bool, _ turn: inout Turn) {
        let session = sessions.values[index].traits
        guard rules.pausesAttentionMedia, session.kind.needsAttention, !isAskedFor,
            session.state == .active || session.state == .interrupted,
            let entry = apps.index(forKey: session.app), apps.values[entry].wasInSight, !apps.values[entry].isInSight
        else { return }
        lose(index, Loss(cause: .background, kind: session.kind.isGame ? .automatic : .resumable), &turn)
    }

    /// V-05: closing the window of the Now Playing app pauses it.
    mutating func windowClosed(_ presence: AudioPresence, _ turn: inout Turn) {
        guard rules.closingWindowPauses, let playing = nowPlaying, isPlaying(playing), let ref = app(of: playing),
            let app = apps[ref]?.app, presence.isOf(app)
        else { return }
        let commands = commands(of: playing)
        // A broadcast that cannot pause can be stopped.
        guard let command = [RemoteCommand.pause, .stop].first(where: { commands.contains($0.name) }) else { return }
        send(command, to: playing, &turn)
    }

    /// Sends the hint that another app is audible to active sessions in front (rule 9).
    mutating func tellHints(_ turn: inout Turn) {
        turn.hasNewHints = false
        turn.makeRoom(for: sessions.count)
        for index in sessions.values.indices {
            if let place = apps.index(forKey: sessions.values[index].app) { tellHint(index, place, &turn) }
        }
    }

    /// - Parameter place: the index of the session's app.
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

    /// Seconds of silence of other apps before the hint ends. A starting player reports a pause while its stream
    /// runs, or stops its stream to fill its buffers.
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

    /// Updates the number of apps that are audible without mixing. `entry` is the index of the session's app.
    mutating func count(_ index: Int, _ entry: Int, _ turn: inout Turn) {
        let session = sessions.values[index].traits
        let counts = !session.mixes && !session.isUnheard && isPlaying(at: index)
        if counts != sessions.values[index].countsAsPrimary {
            sessions.values[index].countsAsPrimary = counts
            apps.values[entry].primaries += counts ? 1 : -1
            if apps.values[entry].primaries == (counts ? 1 : 0) { countPrimaryApps(counts ? 1 : -1, &turn) }
        }
        if !turn.hasNewHints { tellHint(index, entry, &turn) }
    }

    /// The number of audible apps changed by one. Two or three others make no difference to any app.
    mutating func countPrimaryApps(_ change: Int, _ turn: inout Turn) {
        if min(primaryApps, primaryApps + change) < 2 { turn.hasNewHints = true }
        primaryApps += change
    }

    // MARK: Switches

    mutating func silence(_ wish: Bool, _ turn: inout Turn) {
        guard wish != isSilenced else { return }
        isSilenced = wish
        turn.dirty += sessions.keys
        // Where the ringer has a volume of its own, the person sees at once that it is silent now, or how loud it is.
        if rules.keysActOnRinger { show(.ringer, &turn) }
    }

    mutating func lock(_ isLocked: Bool, _ turn: inout Turn) {
        guard isLocked != self.isLocked else { return }
        self.isLocked = isLocked
        turn.dirty += sessions.keys
    }

    /// Whether the cover blocks the built-in microphone, and that is the one in use.
    var isMicrophoneCovered: Bool { isCoverClosed && routing.currentInput?.kind == .builtIn }

    /// interrupts the sessions that use the built-in microphone and ends calls. Opening the cover restarts
    /// nothing.
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

    /// The cover was closed over the microphone in use, or the covered microphone became the one in use.
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

    /// Whether its input runs, as far as known.
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

    /// Ends an app's sound before the app is frozen, so that its streams block no other app.
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

    /// Continues the sessions that were audible, unless other sound forbids it now.
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
                // Its private output was unplugged in the meantime.
                if session.waitsForRoute, !(routing.currentOutput?.kind.isPrivate ?? false) { continue }
                sessions[id]?.waitsForRoute = false
                if runs(session), entry.isActive || primaryApps == 0 { _ = activate(id, &turn) }
            }
        }
    }
}
