import Geometry

extension AudioSessions {
    /// Violated invariants; empty if all is well. For tests and `mullion replay`.
    public func violations(in context: Void = ()) -> [String] {
        var found: [String] = []
        for session in sessions.values { check(session, &found) }
        for stream in streams.values { check(stream, &found) }
        for (ref, entry) in zip(apps.keys, apps.values) {
            if entry.isUnused { found.append("\(entry.app.id) is kept for nothing") }
            if entry.primaries != entry.sessions.count(where: { sessions[$0]?.countsAsPrimary ?? false }) {
                found.append("\(entry.app.id) is counted as \(entry.primaries) primary sessions")
            }
            for id in entry.sessions where sessions[id]?.app != ref { found.append("\(id) is not of \(entry.app.id)") }
            for id in entry.streams where streams[id]?.app != ref { found.append("\(id) is not of \(entry.app.id)") }
            for id in entry.players where players[id]?.app != ref { found.append("\(id) is not of \(entry.app.id)") }
        }
        for player in players.values where !(apps[player.app]?.players.contains(player.id) ?? false) {
            found.append("\(player.id) has no app")
        }
        if primaryApps != apps.values.count(where: { $0.primaries > 0 }) { found.append("\(primaryApps) apps are counted as heard") }
        checkRoute(&found)
        checkTimers(&found)
        return found
    }

    private func check(_ session: Session, _ found: inout [String]) {
        let id = session.id
        guard let entry = apps[session.app] else { return found.append("\(id) has no app") }
        if entry.sessions.count(where: { $0 == id }) != 1 { found.append("\(id) is not among its app's") }
        if session.begun - session.ended != (session.interruption == nil ? 0 : 1) {
            found.append("\(id) began \(session.begun) interruptions and ended \(session.ended)")
        }
        if (session.state == .interrupted) != (session.interruption != nil) {
            found.append("\(id) is \(session.state) with\(session.interruption == nil ? "out" : "") an interruption")
        }
        if (session.state == .interrupted) != !session.losses.isEmpty {
            found.append("\(id) is \(session.state) with \(session.losses.count) losses")
        }
        let sounds = session.state == .active || session.state == .interrupted
        if !sounds, !session.ducks.isEmpty { found.append("\(id) is \(session.state) and ducked") }
        for duck in session.ducks {
            guard let other = sessions[duck.by], other.state == .active, other.app != session.app else {
                found.append("\(id) is ducked by \(duck.by), which does not sound")
                continue
            }
            if !other.mayDuck { found.append("\(id) is ducked by \(other.kind)") }
            if other.isUnheard { found.append("\(id) is ducked by \(duck.by), which nobody hears") }
        }
        if Set(session.ducks.map(\.by)).count != session.ducks.count { found.append("\(id) is ducked twice by one") }
        for loss in session.losses {
            guard case .session(let by) = loss.cause else { continue }
            guard let other = sessions[by], other.state == .active || other.state == .interrupted, other.app != session.app else {
                found.append("\(id) is interrupted by \(by), which is over")
                continue
            }
            if other.losses.contains(where: { $0.cause == .session(id) }) { found.append("\(id) and \(by) interrupt each other") }
        }
        if Set(session.losses.map(\.cause)).count != session.losses.count { found.append("\(id) is lost twice for one reason") }
        if session.state == .barred, !runs(session) { found.append("\(id) is barred and does not run") }
        if session.state == .active, !session.isDeclared, !runs(session) { found.append("\(id) is active and does not run") }
        if session.state == .inactive, session.isDeclared == false, runs(session) { found.append("\(id) runs and is inactive") }
        if !session.isDeclared, session.streams.isEmpty, session.interruption?.players.isEmpty ?? true {
            found.append("\(id) stands for nothing")
        }
        if entry.isFrozen, sounds { found.append("\(id) of a frozen app is \(session.state)") }
        if session.state == .active, session.isDeclared, entry.isInSight || !entry.wasInSight,
            !session.isHintFalling, session.hint != (primaryApps > (entry.primaries > 0 ? 1 : 0))
        {
            found.append("\(id) was told the hint \(session.hint)")
        }
        if isAsleep, session.state == .active { found.append("\(id) is active while the machine sleeps") }
        if !isAsleep, session.losses.contains(where: { $0.cause == .sleep }) { found.append("\(id) sleeps on while the machine is awake") }
        if session.state == .active, let index = sessions.index(forKey: id), session.isUnheard != isUnheard(at: index) {
            found.append("\(id) is taken for \(session.isUnheard ? "un" : "")heard")
        }
        if session.countsAsPrimary != (!session.mixes && !session.isUnheard && isPlaying(session)) {
            found.append("\(id) is counted wrongly")
        }
        for stream in session.streams where streams[stream]?.session != id { found.append("\(stream) is not of \(id)") }
    }

    private func check(_ stream: Stream, _ found: inout [String]) {
        if !(apps[stream.app]?.streams.contains(stream.id) ?? false) { found.append("\(stream.id) has no app") }
        guard stream.facts.direction != .monitor else { return }
        guard let owner = stream.session, let session = sessions[owner] else { return found.append("\(stream.id) has no session") }
        if session.streams.count(where: { $0 == stream.id }) != 1 { found.append("\(stream.id) is not among its session's") }
        let entry = apps[session.app]
        guard let lastSent = stream.lastSent else { return found.append("\(stream.id) was told nothing") }
        let isInput = stream.facts.direction == .input
        if lastSent.isConnected != (isConnected(session.traits, entry?.standing) && (!isInput || mayRecord(session.traits))) {
            found.append("\(stream.id) of a session that is \(session.state) is\(lastSent.isConnected ? "" : " not") connected")
        }
        if !(0...1).contains(lastSent.gain) { found.append("\(stream.id) has the gain \(lastSent.gain)") }
        guard !isInput, let factors = factors(of: stream.id) else { return }
        if lastSent.gain != factors.volumeClass * factors.app * factors.duck * factors.fade {
            found.append("\(stream.id) has the gain \(lastSent.gain), its factors say \(factors.belowRoute)")
        }
        if session.state == .active, session.interruption == nil, lastSent.fade == 0, !isSilent(session.traits, entry?.standing) {
            found.append("\(stream.id) was left silent")
        }
    }

    private func checkRoute(_ found: inout [String]) {
        if let output = routing.output, routing.currentOutput == nil { found.append("\(output) is used and is not there") }
        if let input = routing.input, routing.currentInput == nil { found.append("\(input) is used and is not there") }
        if routing.output == nil, isServerRunning, routing.outputs.contains(where: { $0.kind != .bluetoothHFP }) {
            found.append("there are outputs and none is used")
        }
        if routing.isInputMuted != (isMicrophoneMuted || isMicrophoneCovered) { found.append("the microphone was told wrongly") }
        for output in routing.outputs where !(0...1).contains(output.level) { found.append("\(output.id) has the level \(output.level)") }
    }

    private func checkTimers(_ found: inout [String]) {
        for id in waitingForFade.ids where sessions[id]?.interruption?.fadeEnds == nil { found.append("\(id) waits for no fade") }
        for id in waitingForPlayers.ids where sessions[id]?.interruption?.deafAt == nil { found.append("\(id) waits for no player") }
        for session in sessions.values {
            if session.interruption?.fadeEnds != nil, !waitingForFade.ids.contains(session.id) {
                found.append("\(session.id) fades for ever")
            }
            if session.interruption?.deafAt != nil, !waitingForPlayers.ids.contains(session.id) {
                found.append("\(session.id) waits for ever")
            }
            if session.losses.contains(where: { $0.cause == .routeLost }), settlesAt == nil {
                found.append("\(session.id) is held for ever")
            }
            if session.isHushed, settlesAt == nil { found.append("\(session.id) is hushed for ever") }
        }
        if (volumes.shown == nil) != (shownUntil == nil) { found.append("the volume is shown for ever") }
    }
}
