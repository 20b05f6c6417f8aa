import Geometry

/// Requests of apps that declare sessions, and their answers.
extension AudioSessions {
    /// The most open sessions per app.
    public static let sessionsPerApp = 32
    /// The range of a custom skip interval, in seconds.
    static let skipRange = 0.1...3600.0

    /// The range of an item's duration, in seconds.
    static let itemLasts = 0..<1e9
    /// The range of playback rates, negative for backwards. The same for players (MPRIS).
    static let rates = -100.0...100

    /// Whether the app may open another session.
    public func mayOpen(_ app: AudioApp) -> Bool {
        guard let ref = find(app), let entry = apps[ref] else { return true }
        return entry.sessions.count { !$0.isImplied } < Self.sessionsPerApp
    }

    mutating func open(_ id: SessionID, _ app: AudioApp, _ turn: inout Turn) {
        guard !id.isImplied, sessions[id] == nil, mayOpen(app) else { return }
        let ref = refer(to: app)
        sessions[id] = Session(id: id, app: ref, kind: SoundKind(.soloAmbient, .standard))
        apps[ref]?.sessions.append(id)
        reassign(relatedTo: app, &turn)
    }

    mutating func close(_ id: SessionID, _ turn: inout Turn) {
        guard let session = sessions[id], session.isDeclared, let app = apps[session.app]?.app else { return }
        // Its streams get implied sessions again, but a silent or stopped session must not start playing.
        deactivate(id, &turn)
        let left = session.streams
        apps[session.app]?.sessions.removeAll { $0 == id }
        for stream in left {
            let wasBarred = sessions[id]?.state == .barred
            if wasBarred { streams[stream]?.session = nil }
            assign(stream, &turn)
            if wasBarred, let owner = streams[stream]?.session, sessions[owner]?.state == .inactive, streams[stream]?.isAudible ?? false {
                bar(owner, &turn)
            }
        }
        sessions[id]?.streams.removeAll()
        apps[session.app]?.sessions.append(id)
        remove(id, &turn)
        reassign(relatedTo: app, &turn)
    }

    mutating func answer(_ id: SessionID, _ request: SessionRequest, _ turn: inout Turn) -> SessionAnswer {
        guard sessions.index(forKey: id) != nil, !id.isImplied else {
            return .failed(
                SessionError(
                    .expiredSession, "there is no \(id): it was closed, or the app has more than \(Self.sessionsPerApp)"))
        }
        do throws(SessionError) {
            switch request {
            case .setCategory(let category, let mode, let options): try set(category, mode, options, of: id, &turn)
            case .activate: if let error = activate(id, &turn) { throw error }
            case .deactivate(let notifyOthers): try deactivate(asked: id, notifyOthers, &turn)
            case .setLevel(let level):
                guard level.isFinite, (0...1).contains(level) else {
                    throw SessionError(.badParameter, "a level is a number from 0 to 1, not \(level)")
                }
                sessions[id]?.level = level
                turn.dirty.append(id)
            case .setCommands(let commands, let forward, let backward):
                for seconds in [forward, backward].compactMap({ $0 }) where !(seconds.isFinite && Self.skipRange.contains(seconds)) {
                    throw SessionError(.badParameter, "a skip interval is 0.1 to 3600 seconds, not \(seconds)")
                }
                sessions[id]?.commands = commands
                sessions[id]?.skipForward = forward
                sessions[id]?.skipBackward = backward
            case .setNowPlaying(let info, let status):
                if let error = info.flatMap(SessionError.check) { throw error }
                let changed = sessions[id]?.status != status
                sessions[id]?.info = info
                sessions[id]?.status = status
                sessions[id]?.asked = nil
                sessions[id]?.infoSince = turn.now
                if status != .playing, changed, let interruption = sessions[id]?.interruption, turn.now - interruption.began > 1 {
                    // It reports late that it was playing before the interruption. Any later report is the user's
                    // action.
                    if interruption.wasPlaying, status == .stopped { sessions[id]?.interruption?.isPausedByPerson = true }
                }
                touch(id, &turn)
            case .preferInput(let port):
                if let port, !routing.inputs.contains(where: { $0.id == port }) {
                    throw SessionError(.badParameter, "there is no input \(port)")
                }
                sessions[id]?.preferredInput = port
                route(.override, &turn)
            case .call(let state): try call(state, of: id, &turn)
            case .showVolume(let isShown):
                if isShown { volumeViewOf = id } else if volumeViewOf == id { volumeViewOf = nil }
            }
            return .done
        } catch {
            return .failed(error)
        }
    }

    private mutating func set(
        _ category: Category, _ mode: Mode, _ options: Options, of id: SessionID, _ turn: inout Turn
    ) throws(SessionError) {
        if let error = SessionError.check(category, mode, options) { throw error }
        guard let index = sessions.index(forKey: id) else { return }
        try grant(category, to: sessions.values[index].app)
        let before = sessions.values[index]
        sessions.values[index].category = category
        sessions.values[index].mode = mode
        sessions.values[index].options = options
        if category != .playAndRecord, category != .ringer { sessions.values[index].call = nil }
        sessions.values[index].kind = SoundKind(category, mode, call: sessions.values[index].call)
        turn.dirty.append(id)
        guard sessions.values[index] != before else { return }
        if before.mayDuck { turn.hasStaleDucks = true }
        guard before.state == .active else { return }
        guard let error = activate(id, &turn) else { return }
        // Other sound does not allow the new properties, so the session keeps the old ones.
        if let index = sessions.index(forKey: id) {
            sessions.values[index].category = before.category
            sessions.values[index].mode = before.mode
            sessions.values[index].options = before.options
            sessions.values[index].call = before.call
            sessions.values[index].kind = before.kind
        }
        throw error
    }

    private func grant(_ category: Category, to ref: AppRef) throws(SessionError) {
        guard category.behaviour.isGranted, let app = apps[ref]?.app, app.isSandboxed else { return }
        let granted = category == .alarm ? preferences.alarmApps : preferences.ringerApps
        guard !granted.contains(app.id) else { return }
        throw SessionError(.missingEntitlement, "the category \(category.rawValue) is not granted to \(app.id)")
    }

    private mutating func deactivate(asked id: SessionID, _ notifyOthers: Bool, _ turn: inout Turn) throws(SessionError) {
        guard let index = sessions.index(forKey: id) else { return }
        switch sessions.values[index].state {
        case .active, .interrupted: deactivate(id, notifyOthers: notifyOthers, &turn)
        case .barred, .inactive: return
        }
        // Its streams keep running silently.
        if let index = sessions.index(forKey: id), sessions.values[index].state == .barred {
            throw SessionError(.isBusy, "the session is inactive, but \(sessions.values[index].streams.count) of its streams still run")
        }
    }

    private mutating func call(_ state: CallState, of id: SessionID, _ turn: inout Turn) throws(SessionError) {
        guard let index = sessions.index(forKey: id) else { return }
        let before = sessions.values[index]
        guard before.category == .playAndRecord || before.category == .ringer else {
            throw SessionError(.badParameter, "calls belong to the categories playAndRecord and ringer, not to \(before.category.rawValue)")
        }
        // Another kind may have another volume, whether it is audible now or not.
        turn.dirty.append(id)
        switch state {
        case .ringing, .ringingFullScreen: try grant(.ringer, to: before.app)
        case .accepted: break
        case .ended:
            guard before.call != nil else { throw SessionError(.notActive, "there is no call that could end") }
            sessions.values[index].call = nil
            sessions.values[index].kind = SoundKind(before.category, before.mode)
            return deactivate(id, notifyOthers: true, &turn)
        }
        sessions.values[index].call = state
        sessions.values[index].kind = SoundKind(before.category, before.mode, call: state)
        guard let error = activate(id, &turn) else { return }
        if let index = sessions.index(forKey: id) {
            sessions.values[index].call = before.call
            sessions.values[index].kind = before.kind
        }
        throw error
    }
}

extension SessionError {
    /// Returns nil, or the error in the values.
    static func check(_ info: NowPlayingInfo) -> SessionError? {
        let item = AudioSessions.itemLasts
        if let duration = info.duration, !item.contains(duration) {
            return SessionError(.badParameter, "duration: a number of seconds from 0 to a billion is expected, not \(duration)")
        }
        if !item.contains(info.position) {
            return SessionError(.badParameter, "position: a number of seconds from 0 to a billion is expected, not \(info.position)")
        }
        guard AudioSessions.rates.contains(info.rate) else {
            return SessionError(.badParameter, "rate: a number from -100 to 100 is expected, not \(info.rate)")
        }
        return nil
    }
}
