/// The number of an app. An app that comes back gets a new one.
typealias AppRef = Int

/// One app: one process tree, or one name if the process is unknown.
struct AppEntry: Hashable, Codable, Sendable {
    var app: AudioApp
    var sessions: [SessionID] = []
    var streams: [StreamID] = []
    var players: [PlayerID] = []
    var isInSight = false
    /// Whether its window is the active one, or the app runs inside that (a program in a terminal).
    var isActive = false
    /// Whether it ever had a visible window. Only then can it go out of sight.
    var wasInSight = false
    var isFrozen = false
    /// Whether the user asked for its sound: it has a stream with the role "test".
    var isAskedFor = false
    /// The number of its audible sessions that do not mix, for the hint to others.
    var primaries = 0

    /// The state of its windows, small enough to be copied a thousand times.
    struct Standing {
        var isInSight: Bool
        var isActive: Bool
        var wasInSight: Bool
        var isFrozen: Bool
        var isAskedFor: Bool
    }

    var standing: Standing {
        Standing(isInSight: isInSight, isActive: isActive, wasInSight: wasInSight, isFrozen: isFrozen, isAskedFor: isAskedFor)
    }

    var isUnused: Bool { sessions.isEmpty && streams.isEmpty && players.isEmpty }
}

extension AudioApp {
    /// Whether two apps are the same: one process, or one name if a process is unknown. Two processes that run the
    /// same program are different apps, unless one started the other.
    func isSame(as other: AudioApp) -> Bool {
        if let mine = lineage.first, let theirs = other.lineage.first {
            if mine == theirs { return true }
            guard id == other.id, !id.isEmpty else { return false }
            return isSandboxed && other.isSandboxed || lineage.contains(theirs) || other.lineage.contains(mine)
        }
        return id == other.id && !id.isEmpty
    }

    /// Whether this app's process is the other's, or one of its ancestors.
    func isAncestor(of other: AudioApp) -> Bool {
        guard let mine = lineage.first else { return false }
        return other.lineage.contains(mine)
    }
}

extension AudioPresence {
    func isOf(_ app: AudioApp) -> Bool {
        app.isSame(as: AudioApp(id: self.app, lineage: lineage, isSandboxed: app.isSandboxed))
    }

    /// Whether its process is the app's, or one of its ancestors.
    func encloses(_ app: AudioApp) -> Bool {
        guard let head = lineage.first else { return false }
        return app.lineage.contains(head)
    }
}

extension AudioSessions {
    /// The app's number. Assigns a new one to an unknown app.
    mutating func refer(to app: AudioApp) -> AppRef {
        if let known = find(app) { return known }
        nextApp += 1
        var entry = AppEntry(app: app)
        look(at: &entry)
        apps[nextApp] = entry
        if let head = app.lineage.first { appsByProcess[head] = nextApp }
        appsByName[app.id, default: []].append(nextApp)
        return nextApp
    }

    func find(_ app: AudioApp) -> AppRef? {
        if let head = app.lineage.first, let known = appsByProcess[head] { return known }
        return appsByName[app.id]?.first { apps[$0]?.app.isSame(as: app) ?? false }
    }

    mutating func forgetIfUnused(_ ref: AppRef) {
        guard let entry = apps[ref], entry.isUnused else { return }
        apps.removeValue(forKey: ref)
        if let head = entry.app.lineage.first, appsByProcess[head] == ref { appsByProcess.removeValue(forKey: head) }
        appsByName[entry.app.id]?.removeAll { $0 == ref }
        if appsByName[entry.app.id]?.isEmpty ?? false { appsByName.removeValue(forKey: entry.app.id) }
    }

    private func look(at entry: inout AppEntry) {
        entry.isInSight = false
        entry.isActive = false
        for presence in presences {
            let isOf = presence.isOf(entry.app)
            if isOf { entry.isInSight = true }
            if presence.isActive, isOf || presence.encloses(entry.app) { entry.isActive = true }
        }
        if entry.isInSight { entry.wasInSight = true }
    }

    /// The visible apps changed (A-01, A-02, S-05, V-07).
    mutating func see(_ new: [AudioPresence], _ turn: inout Turn) {
        guard new != presences else { return }
        presences = new
        for index in apps.values.indices {
            let before = apps.values[index]
            look(at: &apps.values[index])
            let after = apps.values[index]
            guard before.isInSight != after.isInSight || before.isActive != after.isActive else { continue }
            for session in after.sessions { sightChanged(session, &turn) }
        }
        tellHints(&turn)
    }

    @inline(__always)
    func isFrozen(_ ref: AppRef) -> Bool { apps.index(forKey: ref).map { apps.values[$0].isFrozen } ?? false }

    /// The players of a session's app, or else those of a process that it started or that started it.
    @inline(__always)
    func players(of ref: AppRef) -> [PlayerID] {
        players.isEmpty ? [] : Self.players(of: ref, players, apps, appsByProcess)
    }

    private static func players(
        of ref: AppRef, _ players: Table<PlayerID, Player>, _ apps: Table<AppRef, AppEntry>, _ appsByProcess: [Int32: AppRef]
    ) -> [PlayerID] {
        guard let entry = apps[ref] else { return [] }
        if !entry.players.isEmpty { return entry.players }
        for process in entry.app.lineage.dropFirst() {
            if let parent = appsByProcess[process], let players = apps[parent]?.players, !players.isEmpty { return players }
        }
        guard let head = entry.app.lineage.first else { return [] }
        return players.values.filter { $0.facts.app.lineage.contains(head) }.map(\.id)
    }

    /// The declared session for a stream: one of the same app, else of its nearest ancestor. Among several, the one
    /// meant for this kind of sound wins, then an active one.
    func declaredSession(for ref: AppRef, kind: SoundKind, input: Bool) -> SessionID? {
        guard let entry = apps[ref] else { return nil }
        var candidates = entry.sessions.filter { !$0.isImplied }
        if candidates.isEmpty {
            for process in entry.app.lineage.dropFirst() {
                guard let parent = appsByProcess[process], let sessions = apps[parent]?.sessions else { continue }
                candidates = sessions.filter { !$0.isImplied }
                if !candidates.isEmpty { break }
            }
        }
        guard candidates.count > 1 else { return candidates.first }
        return candidates.first { sessions[$0]?.kind == kind }
            ?? candidates.first { input && sessions[$0]?.usesInput ?? false }
            ?? candidates.first { sessions[$0]?.state == .active } ?? candidates.first
    }
}
