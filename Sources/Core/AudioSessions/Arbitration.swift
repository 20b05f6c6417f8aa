import Geometry

/// Which sessions may sound together: decides when a session starts, and undoes the effects when it ends (tables 1b).
extension AudioSessions {
    /// The table's cell after applying the idiom and the options of both sessions. Conditional cells are resolved.
    func cell(of incumbent: Session.Traits, under newcomer: Session.Traits, isAskedFor: Bool) -> InterruptionTable.Cell {
        let cell = heardCell(of: incumbent, under: newcomer, isAskedFor: isAskedFor)
        guard newcomer.isUnheard || incumbent.isUnheard else { return cell }
        return cell.isMoot(newcomer: newcomer, incumbent: incumbent) ? .mix : cell
    }

    /// The same, if a person hears both.
    private func heardCell(of incumbent: Session.Traits, under newcomer: Session.Traits, isAskedFor: Bool) -> InterruptionTable.Cell {
        let cell = rules.overlay(InterruptionTable.cell(incumbent.kind, under: newcomer.kind), newcomer: newcomer.kind)
        switch cell {
        case .stopOrRefuse: return newcomer.mixes ? .mix : isAskedFor ? .stop : .refuse
        case .silentOrPause: return incumbent.options.contains(.prefersNoInterruptionsFromSystemAlerts) ? .startSilent : .pause
        default: break
        }
        // A banner respects the preference for no interruptions; a call over the whole screen does not.
        if newcomer.kind == .callRinging, newcomer.call != .ringingFullScreen, cell.loss != nil,
            incumbent.options.contains(.prefersNoInterruptionsFromSystemAlerts)
        {
            return .mix
        }
        if !newcomer.id.isImplied, newcomer.mixes {
            if newcomer.options.contains(.interruptSpokenAudioAndMix) {
                if incumbent.kind == .podcast { return .pause }
                // It ducks others only if it asks for that as well.
                if cell == .duck, !newcomer.options.contains(.duckOthers) { return .mix }
            }
            let speaks = newcomer.kind == .prompt || newcomer.kind == .alarm || newcomer.kind == .screenReader
            if cell.loss != nil, !speaks, newcomer.kind != .callRinging { return duckedByOption(incumbent, newcomer) ? .duck : .mix }
            if cell == .mix, duckedByOption(incumbent, newcomer) { return .duck }
        }
        // A mixing session is not stopped by other media, only by calls, alarms and recordings.
        if !incumbent.id.isImplied, incumbent.mixes, cell.loss != nil, newcomer.kind.isMedia || newcomer.kind.isGame { return .mix }
        if cell == .mix, duckedByOption(newcomer, incumbent) { return .startDucked }
        return cell
    }

    /// Whether `duckOthers` ducks the victim while its session is active. Speech is never ducked, because a person could not follow it
    /// (rule 7).
    private func duckedByOption(_ victim: Session.Traits, _ ducker: Session.Traits) -> Bool {
        guard ducker.options.contains(.duckOthers) else { return false }
        switch victim.kind {
        case .music, .video, .gameSolo, .gameAmbient, .unknown: return true
        default: return false
        }
    }

    /// How strongly `victim` is ducked while both sound.
    func duck(of victim: Session.Traits, by other: Session.Traits) -> Duck.Strength? {
        other.order > victim.order
            ? cell(of: victim, under: other, isAskedFor: true).incumbentDuck
            : cell(of: other, under: victim, isAskedFor: true).newcomerDuck
    }

    /// Whether the user asked for the app: its window is the active one, or its play button was just pressed.
    func isAskedFor(_ app: AppRef, at now: Moment) -> Bool {
        if let place = apps.index(forKey: app), apps.values[place].isActive { return true }
        guard let moment = startedByPerson[app] else { return false }
        return now - moment < 5
    }

    // MARK: Starting

    /// Starts the session, or restarts it with new properties. Returns nil if it may start, even if it is ducked or
    /// delayed.
    mutating func activate(_ id: SessionID, _ turn: inout Turn) -> SessionError? {
        guard let index = sessions.index(forKey: id) else { return SessionError(.expiredSession, "there is no such session") }
        let wasActive = sessions.values[index].state == .active
        let hadEffects = wasActive || sessions.values[index].state == .interrupted
        if let error = obstacle(toSessionAt: index) { return error }
        let traits = sessions.values[index].traits
        let isAskedFor = isAskedFor(traits.app, at: turn.now)
        for index in sessions.values.indices
        where sessions.values[index].state == .active && InterruptionTable.mayRefuse(sessions.values[index].kind) {
            let other = sessions.values[index].traits
            guard other.app != traits.app, cell(of: other, under: traits, isAskedFor: isAskedFor) == .refuse
            else { continue }
            return SessionError(
                .insufficientPriority,
                other.kind == .callActive
                    ? "another app has a call; the microphone is its alone until that ends"
                    : "another app records, and no person asked for this sound")
        }
        endInterruption(id, &turn)
        guard let index = sessions.index(forKey: id) else { return SessionError(.expiredSession, "there is no such session") }
        clock += 1
        sessions.values[index].order = clock
        sessions.values[index].state = .active
        sessions.values[index].isHeldBack = false
        if !wasActive {
            sessions.values[index].isHushed = false
            ringsAgain(index, at: turn.now)
        }
        sessions.values[index].ducks.removeAll()
        sessions.values[index].isUnheard = isUnheard(at: index)
        touch(index, &turn)
        turn.makeRoom(for: sessions.count)
        var cuts: [SessionID] = []
        var waitsFor: [SessionID] = []
        var ends: [SessionID] = []
        let own = sessions.values[index].traits
        for other in sessions.values.indices {
            let theirs = sessions.values[other].traits
            guard theirs.state == .active || theirs.state == .interrupted, theirs.app != own.app else { continue }
            let cell = cell(of: theirs, under: own, isAskedFor: isAskedFor)
            if cell == .cut {
                if theirs.state == .active { cuts.append(theirs.id) }
                continue
            }
            if theirs.state == .active {
                if let strength = cell.newcomerDuck { sessions.values[index].ducks.append(Duck(by: theirs.id, strength: strength)) }
                if cell == .wait { waitsFor.append(theirs.id) }
            }
            if cell.incumbentDuck != nil || !sessions.values[other].ducks.isEmpty, sessions.values[other].duck(by: id, cell.incumbentDuck) {
                turn.dirty.append(theirs.id)
            }
            if let kind = cell.loss {
                lose(other, Loss(cause: .session(id), kind: kind), &turn)
            } else if hadEffects, take(.session(id), from: other) {
                ends.append(theirs.id)
            }
        }
        endIfRegained(ends, &turn)
        for other in cuts { cut(other, &turn) }
        if let index = sessions.index(forKey: id) { leaveSightIfNeeded(index, isAskedFor: isAskedFor, &turn) }
        for other in waitsFor where sessions[other]?.state == .active {
            if let index = sessions.index(forKey: id) { lose(index, Loss(cause: .session(other), kind: .resumable), fade: 0, &turn) }
        }
        if isAsleep, let index = sessions.index(forKey: id) { loseToSleep(index, fade: 0, &turn) }
        waitForRouteChoice(id, &turn)
        routeMayChange(for: id, &turn)
        return nil
    }

    /// The reason why a session cannot start, independent of other sound; nil if there is none.
    private func obstacle(toSessionAt index: Int) -> SessionError? {
        let session = sessions.values[index].traits
        if isFrozen(session.app) { return SessionError(.cannotStartPlaying, "the app is frozen") }
        guard session.isDeclared, session.category.behaviour.hasInput else { return nil }
        // A mode alone does not show that the user accepted a call.
        if session.call == nil,
            sessions.values.contains(where: { $0.kind == .callActive && $0.state == .active && $0.app != session.app })
        {
            return SessionError(.insufficientPriority, "another app has a call; the microphone is its alone until that ends")
        }
        if isMicrophoneCovered, !session.options.contains(.overrideMutedMic) {
            return SessionError(.cannotStartRecording, "the cover is closed over the microphone")
        }
        if isServerRunning, routing.input == nil, session.category == .record {
            return SessionError(.cannotStartRecording, "there is no microphone")
        }
        return nil
    }

    // MARK: Ending

    /// Ends the session, by request or by force, and undoes its effects on others.
    mutating func deactivate(_ id: SessionID, notifyOthers: Bool = false, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id),
            sessions.values[index].state == .active || sessions.values[index].state == .interrupted
        else { return }
        let standsForNothing = id.isImplied && sessions.values[index].streams.isEmpty
        endInterruption(id, &turn)
        leave(id, notifyOthers: notifyOthers, &turn)
        if standsForNothing { remove(id, &turn) }
    }

    /// Stops the session's sound, and notifies the sessions that it interrupted and ducked.
    mutating func leave(_ id: SessionID, notifyOthers: Bool = false, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id) else { return }
        let isBarred = runs(at: index)
        sessions.values[index].state = isBarred ? .barred : .inactive
        sessions.values[index].isHeldBack = isBarred
        sessions.values[index].losses.removeAll()
        sessions.values[index].ducks.removeAll()
        ringingEnds(index, at: turn.now)
        sessions.values[index].isHushed = false
        let hears = sessions.values[index].mayDuck
        turn.dirty.append(id)
        var ends: [SessionID] = []
        for other in sessions.values.indices where other != index {
            if !sessions.values[other].ducks.isEmpty, sessions.values[other].duck(by: id, nil) {
                turn.dirty.append(sessions.values[other].id)
            }
            if take(.session(id), from: other, notifying: notifyOthers) { ends.append(sessions.values[other].id) }
        }
        endIfRegained(ends, &turn)
        if hears { turn.hasStaleDucks = true }
        routeMayChange(for: id, &turn)
    }

    /// Cuts the session off for a newcomer. It neither resumes nor waits.
    private mutating func cut(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id), sessions.values[index].state == .active else { return }
        sessions.values[index].begun += 1
        sessions.values[index].ended += 1
        if !id.isImplied {
            turn.effects.append(.tell(id, .interruptionBegan(.standard)))
            turn.effects.append(.tell(id, .interruptionEnded(shouldResume: false)))
        }
        leave(id, &turn)
    }

    // MARK: Losing and regaining

    /// Adds a cause for losing the sound. The first one begins the interruption.
    mutating func lose(_ index: Int, _ loss: Loss, fade: Double = Ramp.fadeOut, _ turn: inout Turn) {
        sessions.values[index].add(loss)
        if sessions.values[index].state != .interrupted { begin(index, loss.cause, fade, &turn) }
        if loss.kind.isWorst { sessions.values[index].interruption?.isNonresumable = true }
        if loss.cause == .cover { sessions.values[index].interruption?.reason = .builtInMicMuted }
    }

    private mutating func begin(_ index: Int, _ cause: Cause, _ fade: Double, _ turn: inout Turn) {
        let reason: InterruptionReason =
            switch cause {
            case .session: .standard
            case .background, .sleep: .appSuspended
            case .routeChoice: .standard
            case .cover: .builtInMicMuted
            case .routeLost: .routeDisconnected
            }
        let id = sessions.values[index].id
        var interruption = Interruption(reason: reason, began: turn.now, wasPlaying: isPlaying(at: index))
        if sessions.values[index].losses.first?.cause == .routeLost {
            interruption.isNonresumable = true
            interruption.lostRoute = true
        }
        if fade > 0 {
            interruption.fadeEnds = turn.now + fade
            waitingForFade.add(id, until: turn.now + fade)
        }
        sessions.values[index].begin(interruption)
        if !id.isImplied { turn.effects.append(.tell(id, .interruptionBegan(reason))) }
        if fade <= 0 {
            quieten(index, &turn)
            if cause == .routeLost { sessions.values[index].interruption?.isDisconnected = true }
        }
        if sessions.values[index].mayDuck { turn.hasStaleDucks = true }
        turn.dirty.append(id)
    }

    /// Removes a cause. Returns true if none is left.
    mutating func take(_ cause: Cause, from index: Int, notifying: Bool = false) -> Bool {
        guard !sessions.values[index].losses.isEmpty, let loss = sessions.values[index].take(cause) else { return false }
        if loss.kind == .unlessNotified, !notifying { sessions.values[index].interruption?.isNonresumable = true }
        return sessions.values[index].losses.isEmpty
    }

    /// Ends the interruptions of those sessions that have no cause left.
    mutating func endIfRegained(_ ids: [SessionID], _ turn: inout Turn) {
        guard !ids.isEmpty else { return }
        // Compute once for all sessions. Until then, no session is added, changes its properties, or becomes active.
        var duckers: [SessionID] = []
        for index in sessions.values.indices where sessions.values[index].state != .inactive && sessions.values[index].mayDuck {
            duckers.append(sessions.values[index].id)
        }
        turn.makeRoom(for: ids.count)
        for id in ids { endIfRegained(id, duckers, &turn) }
    }

    /// Ends the interruption if no cause is left, with or without a hint to resume.
    private mutating func endIfRegained(_ id: SessionID, _ duckers: [SessionID], _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id), sessions.values[index].losses.isEmpty,
            let interruption = sessions.values[index].endInterruption()
        else { return }
        let session = sessions.values[index].traits
        let isFree = !interruption.isPausedByPerson && !isFrozen(session.app)
        let shouldResume = interruption.wasPlaying && !interruption.isNonresumable && isFree
        // Games resume without asking.
        let resumes = shouldResume || session.kind.isGame && interruption.wasPlaying && isFree && interruption.reason != .routeDisconnected
        let isIdle = session.isDeclared && !interruption.wasPlaying && !interruption.isNonresumable && isFree
        // A paused player has stopped its stream. Its session continues when the stream runs again.
        let stays = isIdle || resumes && (session.isDeclared || runs(at: index))
        tellEnd(of: interruption, id, shouldResume: shouldResume, &turn)
        if stays {
            sessions.values[index].state = .active
            touch(index, &turn)
            reapplyDucks(of: index, duckers, &turn)
        } else {
            leave(id, &turn)
            waitForRoute(id, after: interruption, &turn)
        }
        if resumes {
            for player in interruption.players {
                guard let facts = players[player]?.facts, facts.status != .stopped, facts.commands.contains(.play) else { continue }
                ask(player, .play, &turn)
            }
        }
        // The player closed its stream when it was paused, and will open a new one.
        if !session.isDeclared, let index = sessions.index(forKey: id), sessions.values[index].streams.isEmpty { remove(id, &turn) }
    }

    /// Ends the interruption by force: the session was deactivated, or restarted by itself.
    mutating func endInterruption(_ id: SessionID, _ turn: inout Turn) {
        guard let index = sessions.index(forKey: id), let interruption = sessions.values[index].endInterruption() else { return }
        sessions.values[index].losses.removeAll()
        tellEnd(of: interruption, id, shouldResume: false, &turn)
        turn.dirty.append(id)
    }

    private mutating func tellEnd(of interruption: Interruption, _ id: SessionID, shouldResume: Bool, _ turn: inout Turn) {
        if interruption.fadeEnds != nil { waitingForFade.remove(id) }
        if interruption.deafAt != nil { waitingForPlayers.remove(id) }
        if !id.isImplied { turn.effects.append(.tell(id, .interruptionEnded(shouldResume: shouldResume))) }
    }

    private func isActive(_ id: SessionID) -> Bool { sessions.index(forKey: id).map { sessions.values[$0].state == .active } ?? false }

    /// Removes ducks by sessions that were interrupted or ended, because ducks last only while both sound.
    mutating func sweepDucks(_ turn: inout Turn) {
        turn.hasStaleDucks = false
        for index in sessions.values.indices where !sessions.values[index].ducks.isEmpty {
            guard !sessions.values[index].ducks.allSatisfy({ isActive($0.by) }) else { continue }
            sessions.values[index].ducks = sessions.values[index].ducks.filter { isActive($0.by) }
            turn.dirty.append(sessions.values[index].id)
        }
    }

    /// The session sounds again. Applies ducks in both directions, as if it had never stopped. `duckers` may duck
    /// others.
    private mutating func reapplyDucks(of index: Int, _ duckers: [SessionID], _ turn: inout Turn) {
        sessions.values[index].ducks.removeAll()
        guard !duckers.isEmpty else { return }
        let session = sessions.values[index].traits
        if sessions.values[index].mayDuck {
            for other in sessions.values.indices {
                let theirs = sessions.values[other].traits
                guard theirs.app != session.app, theirs.state == .active || theirs.state == .interrupted else { continue }
                if sessions.values[other].duck(by: session.id, duck(of: theirs, by: session)) { turn.dirty.append(theirs.id) }
            }
        }
        for id in duckers {
            guard let other = sessions.index(forKey: id), sessions.values[other].state == .active else { continue }
            let theirs = sessions.values[other].traits
            guard theirs.app != session.app, let strength = duck(of: session, by: theirs) else { continue }
            sessions.values[index].ducks.append(Duck(by: id, strength: strength))
        }
    }

    // MARK: Activity of a session

    /// Whether any of its streams runs.
    func runs(_ session: Session) -> Bool { streams.areAudible(session.streams) }

    /// Whether it plays or records, as far as known: by its app's report, by its streams, or else because it is
    /// active.
    func isPlaying(_ session: Session) -> Bool { sessions.index(forKey: session.id).map { isPlaying(at: $0) } ?? false }

    // The same by index. Inlined, like everything that a decision asks of every session: a call would copy the whole
    // state, which takes longer than the answer.
    @inline(__always)
    func runs(at index: Int) -> Bool { streams.areAudible(sessions.values[index].streams) }

    @inline(__always)
    func isPlaying(at index: Int) -> Bool {
        guard sessions.values[index].state == .active else { return false }
        let isDeclared = !sessions.values[index].id.isImplied
        if isDeclared, let status = sessions.values[index].status, status != .playing { return false }
        if sessions.values[index].streams.isEmpty { return isDeclared }
        guard runs(at: index) else { return false }
        guard !isDeclared, sessions.values[index].kind.isMedia else { return true }
        let players = players(of: sessions.values[index].app)
        return players.isEmpty || players.contains { self.players[$0]?.facts.status == .playing }
    }

    /// The session was just heard, so it becomes the most recent one.
    mutating func touch(_ id: SessionID, _ turn: inout Turn) {
        if let index = sessions.index(forKey: id) { touch(index, &turn) }
    }

    private mutating func touch(_ index: Int, _ turn: inout Turn) {
        turn.dirty.append(sessions.values[index].id)
        guard isPlaying(at: index) else { return }
        clock += 1
        sessions.values[index].lastPlayed = clock
        sessions.values[index].hasBeenHeard = true
    }
}

extension Table<StreamID, Stream> {
    /// Whether any of them is audible.
    func areAudible(_ ids: [StreamID]) -> Bool {
        for id in ids {
            if let place = index(forKey: id), values[place].isAudible { return true }
        }
        return false
    }
}
