import Geometry
import OrderedCollections
import Windows

/// A program that takes part in the end of the session, by the number that the adapter gave it.
public struct SessionClientID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: SessionClientID, b: SessionClientID) -> Bool { a.raw < b.raw }

    public var description: String { "session client \(raw)" }
}

/// A log-out: apps save their state, programs that registered are asked, and a person sees who objects.
public struct LogOut: Hashable, Codable, Sendable {
    enum Phase: Hashable, Codable, Sendable {
        /// Every program has been asked, and none objects so far.
        case asking
        /// A program objects or does not answer: the person decides.
        case waiting
        /// Nobody is asked any more. Programs have until this moment to end.
        case ending(until: Moment)
    }

    var phase: Phase
    /// A program that has not answered by then counts as not answering.
    var patience: Moment
    var isLate = false
    /// The programs that have not answered the question or the announcement that the session ends.
    var awaited: OrderedSet<SessionClientID>
    /// The programs that refused, and why.
    var refusals: OrderedDictionary<SessionClientID, String> = [:]

    var deadline: Moment? {
        switch phase {
        case .asking, .waiting: isLate ? nil : patience
        case .ending(let until): until
        }
    }
}

/// An app that objects to the end of the session.
public struct LogOutObjection: Hashable, Codable, Sendable {
    public var owner: SessionOwner
    /// The reason in the app's own words, perhaps empty; nil if the app does not answer.
    public var reason: String?

    public init(owner: SessionOwner, reason: String?) {
        self.owner = owner
        self.reason = reason
    }
}

extension Lifecycle {
    /// Whether a person is being asked to end the session despite objections.
    public var isLogOutStopped: Bool { logOut?.phase == .waiting }

    /// Whether the session is about to end, during which no app is frozen.
    public var isLoggingOut: Bool { logOut != nil }

    /// The apps that object and, once the time is up, those that have not answered. Each app appears once.
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
        for objection in unsaved { add(objection.owner, objection.reason) }
        for (id, reason) in logOut.refusals { if let owner = sessionClients[id] { add(owner, reason) } }
        guard logOut.isLate else { return found }
        for id in logOut.awaited { if let owner = sessionClients[id] { add(owner, nil) } }
        for (id, app) in apps where !app.saves.isEmpty { add(SessionOwner(process: id, name: app.name), nil) }
        return found
    }

    /// A person ends the session. `isForced`: objections are ignored.
    public mutating func logOut(isForced: Bool, _ turn: inout Turn) {
        switch logOut?.phase {
        case .ending where isForced: return leave(&turn)
        case .asking, .waiting, .ending:
            guard isForced else { return }
            endSession(isForced: true, &turn)
        case nil:
            logOut = LogOut(phase: .asking, patience: turn.now + rules.endPatience, awaited: OrderedSet(sessionClients.keys))
            // Thaw first: a frozen app cannot answer.
            for id in apps.keys { review(id, &turn) }
            guard !isForced else { return endSession(isForced: true, &turn) }
            saveAll(&turn)
            for id in sessionClients.keys { turn.effects.append(.queryEnd(id)) }
            finish(&turn)
        }
    }

    /// The apps that would lose work if the session ended now.
    public mutating func setUnsaved(_ objections: [LogOutObjection], _ turn: inout Turn) {
        guard unsaved != objections else { return }
        unsaved = objections
        if logOut != nil { finish(&turn) }
    }

    /// The person cancels the log-out.
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
