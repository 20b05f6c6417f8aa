import Geometry
import Notices

/// The notifications that stand over a locker, because they cannot wait for the unlocking (S-07), the one that is in sight, and until
/// when. `Notices.saysOnLock` decides about their words.
public struct LockCards: Hashable, Codable, Sendable {
    private struct Card: Hashable, Codable, Sendable {
        var id: NoticeID
        /// nil: it stays until it is answered or over.
        var until: Moment?
    }

    private var cards: [Card] = []
    /// The card in sight. Cards that stay come before cards that go by themselves, and the newest of them before the others.
    public private(set) var front: NoticeID?
    /// Since when that one is in sight.
    public private(set) var frontSince = Moment.zero
    /// The moment for which a timer runs.
    public var awaited: Moment?

    /// As many as banners may wait (`Quota.banners`).
    static let most = 8

    public init() {}

    public var isEmpty: Bool { cards.isEmpty }
    public var ids: [NoticeID] { cards.map(\.id) }
    public func contains(_ id: NoticeID) -> Bool { cards.contains { $0.id == id } }

    /// When the next one goes by itself; nil: none does.
    public var next: Moment? { cards.compactMap(\.until).min() }

    /// `until`: when it goes by itself; nil: it stays. Returns the one that makes room for it, if there are too many.
    public mutating func come(_ id: NoticeID, until: Moment?, at now: Moment) -> NoticeID? {
        cards.removeAll { $0.id == id }
        cards.append(Card(id: id, until: until))
        let lost = cards.count > Self.most ? cards.remove(at: cards.firstIndex { $0.until != nil } ?? 0).id : nil
        choose(at: now)
        return lost
    }

    /// Gives a deadline to cards that no longer stay, such as that of a call that rang.
    public mutating func follow(at now: Moment, until: Moment, stays: (NoticeID) -> Bool) {
        for index in cards.indices where cards[index].until == nil && !stays(cards[index].id) { cards[index].until = until }
        choose(at: now)
    }

    public mutating func remove(_ id: NoticeID, at now: Moment) {
        cards.removeAll { $0.id == id }
        choose(at: now)
    }

    /// Removes the cards whose time is over, and returns them.
    public mutating func expire(at now: Moment) -> [NoticeID] {
        let over = cards.filter { $0.until.map { $0 <= now } ?? false }.map(\.id)
        cards.removeAll { over.contains($0.id) }
        choose(at: now)
        return over
    }

    private mutating func choose(at now: Moment) {
        let new = cards.last { $0.until == nil }?.id ?? cards.last?.id
        guard new != front else { return }
        front = new
        frontSince = now
    }

    /// Violations of the invariants that hold after every event; empty if there is none.
    public func violations() -> [String] {
        var found: [String] = []
        if cards.count > Self.most { found.append("\(cards.count) cards over the locker") }
        if Set(ids).count != cards.count { found.append("a card stands twice over the locker") }
        if (front == nil) != cards.isEmpty || front.map({ !contains($0) }) ?? false { found.append("a card is in sight that is not there") }
        return found
    }
}
