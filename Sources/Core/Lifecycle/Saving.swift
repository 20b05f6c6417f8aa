import Geometry
import Windows

/// What an app hands over when it is asked: of one window, or of anything else that has a name. The adapter gives the
/// number out.
public struct StateID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static func < (a: StateID, b: StateID) -> Bool { a.raw < b.raw }

    public var description: String { "state \(raw)" }
}

/// One request for state: an answer to an older one changes nothing.
public struct SaveToken: Hashable, Codable, Sendable {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }
}

/// Whom to ask for state, and when: as an app goes out of sight, before it is frozen, a moment after it said that
/// something changed, and when everything is saved (S-04, S-13).
extension Lifecycle {
    /// The answer to this request is waited for.
    public func awaits(_ id: StateID, _ token: SaveToken) -> Bool {
        savers[id].flatMap { apps[$0] }?.saves[id] == token
    }

    /// The process may have no window yet. It is asked once it has one.
    mutating func offer(_ id: StateID, of app: AppProcess, _ turn: inout Turn) {
        guard savers[id] != app else { return }
        withdraw(id, &turn)
        savers[id] = app
    }

    mutating func withdraw(_ id: StateID, _ turn: inout Turn) {
        guard let app = savers.removeValue(forKey: id) else { return }
        changed[id] = nil
        if apps[app]?.saves.removeValue(forKey: id) != nil { review(app, &turn) }
        setAlarm(&turn)
    }

    /// There is something to save. It is asked for a moment later, so that who types is not asked for each letter.
    mutating func noteChange(_ id: StateID, _ turn: inout Turn) {
        guard savers[id] != nil, changed[id] == nil else { return }
        changed[id] = turn.now + rules.changePatience
        setAlarm(&turn)
    }

    mutating func askForState(_ id: AppProcess, _ turn: inout Turn) {
        guard apps[id]?.canHandOver ?? false else { return }
        for (state, saver) in savers where saver == id { ask(state, of: id, &turn) }
    }

    private mutating func ask(_ state: StateID, of app: AppProcess, _ turn: inout Turn) {
        let token = SaveToken(nextToken)
        nextToken &+= 1
        changed[state] = nil
        apps[app]!.saves[state] = token
        turn.effects.append(.saveState(state, token))
    }

    /// Asks for what changed, where the time has come. What is frozen was asked before.
    mutating func askForChanges(_ turn: inout Turn) {
        for (state, app) in savers {
            guard let due = changed[state], due <= turn.now else { continue }
            changed[state] = nil
            if apps[app]?.canHandOver ?? false { ask(state, of: app, &turn) }
        }
    }

    mutating func answered(_ state: StateID, _ token: SaveToken, _ turn: inout Turn) {
        guard awaits(state, token), let id = savers[state] else { return }
        apps[id]!.saves[state] = nil
        review(id, &turn)
    }

    // MARK: Everything

    /// Before sleep and at the end of the session.
    mutating func saveAll(_ turn: inout Turn) {
        for id in apps.keys { askForState(id, &turn) }
        savingAll = turn.now + rules.savePatience
        setAlarm(&turn)
    }

    mutating func reviewSaveAll(_ turn: inout Turn) {
        guard let until = savingAll, until <= turn.now || apps.values.allSatisfy(\.saves.isEmpty) else { return }
        savingAll = nil
        turn.effects.append(.allSaved)
        setAlarm(&turn)
    }
}
