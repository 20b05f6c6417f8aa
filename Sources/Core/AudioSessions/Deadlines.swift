import Geometry

/// Sessions with a deadline, at most one each.
struct Deadlines: Hashable, Codable, Sendable {
    private struct Waiting: Hashable, Codable, Sendable {
        var id: SessionID
        var until: Moment
    }

    private var waiting: [Waiting] = []

    var first: Moment? {
        var first: Moment?
        for entry in waiting where entry.until < first ?? entry.until + 1 { first = entry.until }
        return first
    }

    var ids: [SessionID] { waiting.map(\.id) }

    /// Removes and returns the sessions whose deadline has passed.
    mutating func takeDue(at now: Moment) -> [SessionID] {
        let due = waiting.filter { $0.until <= now }.map(\.id)
        waiting.removeAll { $0.until <= now }
        return due
    }

    mutating func add(_ id: SessionID, until: Moment) { waiting.append(Waiting(id: id, until: until)) }

    mutating func remove(_ id: SessionID) {
        if let place = waiting.firstIndex(where: { $0.id == id }) { waiting.remove(at: place) }
    }
}
