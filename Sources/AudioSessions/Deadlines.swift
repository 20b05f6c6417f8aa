import Geometry

/// Sessions that wait for a moment, each at most once.
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

    func due(at now: Moment) -> [SessionID] { waiting.filter { $0.until <= now }.map(\.id) }

    mutating func add(_ id: SessionID, until: Moment) { waiting.append(Waiting(id: id, until: until)) }

    mutating func remove(_ id: SessionID) {
        if let place = waiting.firstIndex(where: { $0.id == id }) { waiting.remove(at: place) }
    }
}
