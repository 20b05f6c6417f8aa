import Geometry
import OrderedCollections
import Windows

/// A program that wants to hear of the end of the session, by the number that the adapter gave it.
public struct SessionClientID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: SessionClientID, b: SessionClientID) -> Bool { a.raw < b.raw }

    public var description: String { "session client \(raw)" }
}

/// A person logs out: apps save, those who want to are asked, and whoever objects is named to the person.
public struct LogOut: Hashable, Codable, Sendable {
    enum Phase: Hashable, Codable, Sendable {
        /// Everybody was asked, and nobody objects so far.
        case asking
        /// Somebody objects or does not answer: a person decides.
        case waiting
        /// Nobody is asked any more. Programs come to their ends until then.
        case ending(until: Moment)
    }

    var phase: Phase
    /// Everybody has answered by then, or does not answer.
    var patience: Moment
    var isLate = false
    /// Programs that have not answered the question, or the word that it ends.
    var awaited: OrderedSet<SessionClientID>
    /// Those who said no, and why.
    var refusals: OrderedDictionary<SessionClientID, String> = [:]

    var deadline: Moment? {
        switch phase {
        case .asking, .waiting: isLate ? nil : patience
        case .ending(let until): until
        }
    }
}

/// Who keeps the session from its end.
public struct LogOutObjection: Hashable, Codable, Sendable {
    public var owner: SessionOwner
    /// In the app's own words, perhaps empty; nil: it does not answer.
    public var reason: String?
}

extension Lifecycle {
    /// A person is asked whether the session ends all the same.
    public var isLogOutStopped: Bool { logOut?.phase == .waiting }

    /// The session is about to end: nobody is frozen.
    public var isLoggingOut: Bool { logOut != nil }

    /// Who objects, and after its time who has not answered. An app is named once.
    public var objections: [LogOutObjection] {
        guard let logOut else { return [] }
        var found: [LogOutObjection] = []
        func add(_ owner: SessionOwner, _ reason: String?) {
            let isKnown = found.contains { other in
                other.owner == owner || owner.process.map { apps[$0] != nil && other.owner.process == $0 } ?? false
            }
            if !isKnown { found.append(LogOutObjection(owner: owner, reason: reason)) }
        }
        for inhibitor in inhibitors.values where inhibitor.kinds.contains(.logOut) { add(inhibitor.owner, inhibitor.reason) }
        for (id, reason) in logOut.refusals { if let owner = sessionClients[id] { add(owner, reason) } }
        guard logOut.isLate else { return found }
        for id in logOut.awaited { if let owner = sessionClients[id] { add(owner, nil) } }
        for (id, app) in apps where !app.saves.isEmpty { add(SessionOwner(process: id, name: app.name), nil) }
        return found
    }

    /// A person wants the session to end. `isForced`: whatever apps say.
    public mutating func logOut(isForced: Bool, _ turn: inout Turn) {
        switch logOut?.phase {
        case .ending where isForced: return leave(&turn)
        case .asking, .waiting, .ending:
            guard isForced else { return }
            endSession(isForced: true, &turn)
        case nil:
            logOut = LogOut(phase: .asking, patience: turn.now + rules.endPatience, awaited: OrderedSet(sessionClients.keys))
            // First: a frozen app can answer nothing.
            for id in apps.keys { review(id, &turn) }
            guard !isForced else { return endSession(isForced: true, &turn) }
            saveAll(&turn)
            for id in sessionClients.keys { turn.effects.append(.queryEnd(id)) }
            finish(&turn)
        }
    }

    /// The person stays.
    public mutating func cancelLogOut(_ turn: inout Turn) {
        switch logOut?.phase {
        case .asking, .waiting: break
        case .ending, nil: return
        }
        for id in sessionClients.keys { turn.effects.append(.cancelEnd(id)) }
        logOut = nil
        for id in apps.keys { review(id, &turn) }
        setAlarm(&turn)
    }

    mutating func clientAnswered(_ id: SessionClientID, objection: String?, _ turn: inout Turn) {
        guard logOut?.awaited.contains(id) ?? false || logOut?.refusals[id] != nil else { return }
        logOut!.awaited.remove(id)
        logOut!.refusals[id] = objection
    }

    mutating func clientLeft(_ id: SessionClientID) {
        sessionClients[id] = nil
        logOut?.awaited.remove(id)
        logOut?.refusals[id] = nil
    }

    mutating func reviewLogOut(_ turn: inout Turn) {
        guard let now = logOut else { return }
        if case .ending(let until) = now.phase {
            if now.awaited.isEmpty || until <= turn.now { leave(&turn) }
            return
        }
        logOut!.isLate = now.isLate || now.patience <= turn.now
        if !objections.isEmpty {
            logOut!.phase = .waiting
        } else if now.awaited.isEmpty, !awaitsState {
            return endSession(isForced: false, &turn)
        } else {
            logOut!.phase = .asking
        }
        setAlarm(&turn)
    }

    private mutating func endSession(isForced: Bool, _ turn: inout Turn) {
        let until = turn.now + rules.leavePatience
        logOut = LogOut(phase: .ending(until: until), patience: until, awaited: OrderedSet(sessionClients.keys))
        turn.effects.append(.sessionEnds)
        for id in sessionClients.keys { turn.effects.append(.endClient(id, isForced: isForced)) }
        if sessionClients.isEmpty { leave(&turn) } else { setAlarm(&turn) }
    }

    private mutating func leave(_ turn: inout Turn) {
        logOut = nil
        turn.leaves = true
        for id in apps.keys { review(id, &turn) }
        setAlarm(&turn)
    }
}
