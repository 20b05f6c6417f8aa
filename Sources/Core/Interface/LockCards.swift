import Geometry
import Notices
import Rooms

/// The notifications that stand over a locker, because they cannot wait for the unlocking (S-07), the one that is in sight, and until
/// when. `Notices.saysOnLock` decides about their words.
public struct LockCards: Room {
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
    private var awaited: Moment?

    /// As many as banners may wait (`Quota.banners`).
    static let most = 8
    /// How long a card that goes by itself stays, in seconds.
    public static let patience = 9.0

    public init() {}

    public var isEmpty: Bool { cards.isEmpty }
    public var ids: [NoticeID] { cards.map(\.id) }
    public func contains(_ id: NoticeID) -> Bool { cards.contains { $0.id == id } }

    /// Whether there is a card, or the timer of one runs.
    public var isBusy: Bool { !cards.isEmpty || awaited != nil }

    // MARK: Events

    public enum Event: Hashable, Sendable {
        /// A notification comes, or waits in a banner while the session is locked.
        case comes(NoticeID)
        /// A change settled.
        case settled
        case timeIsUp
        /// A person answered it.
        case answered(NoticeID)
    }

    public struct Context: Hashable, Sendable {
        public var isLocked: Bool
        /// The notifications that are there, those of them that have a card, those whose card stays until it is answered, and the
        /// unread ones.
        public var there: Set<NoticeID> = [], saying: Set<NoticeID> = [], staying: Set<NoticeID> = [], due: Set<NoticeID> = []

        public init(isLocked: Bool) { self.isLocked = isLocked }
    }

    public enum Outcome: Hashable, Sendable {
        /// It was shown.
        case over(NoticeID)
        /// The session is unlocked, and it still rings: its banner takes over.
        case rings(NoticeID)
        case timer(Moment?)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .comes(let id):
            guard context.saying.contains(id) else { return [.over(id)] }
            let lost = come(id, until: context.staying.contains(id) ? nil : now + Self.patience, at: now)
            return lost.map { [.over($0)] } ?? []
        case .settled: return settle(context, at: now)
        case .timeIsUp:
            awaited = nil
            return expire(at: now).map(Outcome.over)
        case .answered(let id):
            remove(id, at: now)
            return []
        }
    }

    /// Cards go with their notifications, and with the lock.
    private mutating func settle(_ context: Context, at now: Moment) -> [Outcome] {
        var out: [Outcome] = []
        for id in ids where !context.isLocked || !context.saying.contains(id) {
            remove(id, at: now)
            guard context.there.contains(id) else { continue }
            let rings = !context.isLocked && context.staying.contains(id) && context.due.contains(id)
            out.append(rings ? .rings(id) : .over(id))
        }
        // A card that stays no longer, such as that of a call that rang, gets a deadline.
        for index in cards.indices where cards[index].until == nil && !context.staying.contains(cards[index].id) {
            cards[index].until = now + Self.patience
        }
        choose(at: now)
        let next = cards.compactMap(\.until).min()
        guard next != awaited else { return out }
        awaited = next
        return out + [.timer(next)]
    }

    /// Returns the one that makes room for it, if there are too many.
    private mutating func come(_ id: NoticeID, until: Moment?, at now: Moment) -> NoticeID? {
        cards.removeAll { $0.id == id }
        cards.append(Card(id: id, until: until))
        let lost = cards.count > Self.most ? cards.remove(at: cards.firstIndex { $0.until != nil } ?? 0).id : nil
        choose(at: now)
        return lost
    }

    private mutating func remove(_ id: NoticeID, at now: Moment) {
        cards.removeAll { $0.id == id }
        choose(at: now)
    }

    /// Removes the cards whose time is over, and returns them.
    private mutating func expire(at now: Moment) -> [NoticeID] {
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

    public func violations(in context: Context) -> [String] {
        var found: [String] = []
        if !context.isLocked, !cards.isEmpty { found.append("a card of the lock on an unlocked screen") }
        if cards.count > Self.most { found.append("\(cards.count) cards over the locker") }
        if Set(ids).count != cards.count { found.append("a card stands twice over the locker") }
        if (front == nil) != cards.isEmpty || front.map({ !contains($0) }) ?? false { found.append("a card is in sight that is not there") }
        return found
    }
}
