import Geometry
import Windows

/// A piece of state that an app hands over when asked: that of one window, or of anything else with a name. The adapter
/// assigns the number.
public struct StateID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static func < (a: StateID, b: StateID) -> Bool { a.raw < b.raw }

    public var description: String { "state \(raw)" }
}

/// One request for state. An answer to an older request changes nothing.
public struct SaveToken: Hashable, Codable, Sendable {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }
}

/// Which apps to ask for state, and when: as an app goes out of sight, before it is frozen, a moment after it said that
/// its state changed, and when everything is saved (S-04, S-13).
extension Lifecycle {
    /// Whether the shell still waits for the answer to this request.
    public func awaits(_ id: StateID, _ token: SaveToken) -> Bool {
        savers[id].flatMap { apps[$0] }?.saves[id] == token
    }

    /// The app offers state. Its process need not have a window yet; it is asked once it has one.
    mutating func offer(_ id: StateID, of app: AppProcess, _ turn: inout Turn) {
        guard savers[id] != app else { return }
        withdraw(id, &turn)
        savers[id] = app
    }

    mutating func withdraw(_ id: StateID, _ turn: inout Turn) {
        guard let app = savers.removeValue(forKey: id) else { return }
        changed[id] = nil
        apps[app]?.saved.remove(id)
        if apps[app]?.saves.removeValue(forKey: id) != nil { review(app, &turn) }
        setAlarm(&turn)
    }

    /// Notes that there is new state. The app is asked a moment later, so that typing does not cause a request per key.
    mutating func noteChange(_ id: StateID, _ turn: inout Turn) {
        guard let app = savers[id] else { return }
        apps[app]?.saved.remove(id)
        guard changed[id] == nil else { return }
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
        // A state that the app handed over before may be older than its present one.
        apps[app]!.saved.remove(state)
        turn.effects.append(.saveState(state, token))
    }

    /// Asks for changed state whose time has come. Frozen apps were asked before they were frozen.
    mutating func askForChanges(_ turn: inout Turn) {
        for (state, app) in savers {
            guard let due = changed[state], due <= turn.now else { continue }
            changed[state] = nil
            if apps[app]?.canHandOver ?? false { ask(state, of: app, &turn) }
        }
    }

    enum Answer { case saved, nothing, lost }

    mutating func answered(_ state: StateID, _ token: SaveToken, _ answer: Answer, _ turn: inout Turn) {
        guard awaits(state, token), let id = savers[state] else { return }
        apps[id]!.saves[state] = nil
        // With nothing to keep, nothing can be lost.
        if answer != .lost, changed[state] == nil { apps[id]!.saved.insert(state) }
        if answer == .saved { crashes.saved(apps[id]!.trustedName) }
        review(id, &turn)
    }

    // MARK: Everything

    /// Asks every app, before sleep and at the end of the session.
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
