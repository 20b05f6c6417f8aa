/// Changes that the disk did not take yet, for example because it is full. Nothing is given up: they are written when that passes.
///
/// Changes that concern the same entry belong to one group, in their order, and become one step: a part of a group is never on the
/// disk without the rest. Groups do not depend on each other, so that a large entry that finds no room does not hold up small ones.
struct Backlog {
    private struct Entry: Hashable {
        var place: Place
        var key: String
    }

    /// By number, which grows with the time.
    private var held: [Int: [Change]] = [:]
    private var groupOf: [Entry: Int] = [:]
    /// The group that clears a place, with all later changes of the place.
    private var clears: [Place: Int] = [:]
    private var last = 0

    var isEmpty: Bool { held.isEmpty }

    /// Takes out the changes of the same entries, and returns them followed by `changes`, as one step.
    mutating func take(with changes: [Change]) -> [Change] {
        var numbers: Set<Int> = []
        for change in changes {
            switch change {
            case .put(let place, let key, _), .remove(let place, let key):
                if let number = groupOf[Entry(place: place, key: key)] ?? clears[place] { numbers.insert(number) }
            case .removeAll(let place):
                if let number = clears[place] { numbers.insert(number) }
                for (entry, number) in groupOf where entry.place == place { numbers.insert(number) }
            }
        }
        guard !numbers.isEmpty else { return changes }
        var all: [Change] = []
        for number in numbers.sorted() { all += remove(number) }
        return Self.shortened(all + changes)
    }

    /// Holds back changes that `take(with:)` returned and that the disk did not take.
    mutating func hold(_ changes: [Change]) {
        let group = Self.shortened(changes)
        guard !group.isEmpty else { return }
        last += 1
        held[last] = group
        for change in group {
            switch change {
            case .put(let place, let key, _), .remove(let place, let key): groupOf[Entry(place: place, key: key)] = last
            case .removeAll(let place): clears[place] = last
            }
        }
    }

    /// Everything, oldest first.
    var all: [Change] { held.keys.sorted().flatMap { held[$0]! } }

    /// The numbers of the groups, those with the fewest bytes first: where the smallest has no room, none has.
    var smallestFirst: [Int] { held.map { ($0.key, $0.value.reduce(0) { $0 + $1.size }) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0) }

    subscript(group: Int) -> [Change] { held[group] ?? [] }

    @discardableResult
    mutating func remove(_ number: Int) -> [Change] {
        guard let group = held.removeValue(forKey: number) else { return [] }
        for change in group {
            switch change {
            case .put(let place, let key, _), .remove(let place, let key): groupOf[Entry(place: place, key: key)] = nil
            case .removeAll(let place): clears[place] = nil
            }
        }
        return group
    }

    mutating func removeAll() { (held, groupOf, clears) = ([:], [:], [:]) }

    /// Returns the changes without those that later ones make superfluous.
    private static func shortened(_ changes: [Change]) -> [Change] {
        var seen: Set<Entry> = [], cleared: Set<Place> = [], out: [Change] = []
        for change in changes.reversed() {
            switch change {
            case .put(let place, let key, _), .remove(let place, let key):
                if !cleared.contains(place), seen.insert(Entry(place: place, key: key)).inserted { out.append(change) }
            case .removeAll(let place): if cleared.insert(place).inserted { out.append(change) }
            }
        }
        return out.reversed()
    }
}

extension Change {
    fileprivate var size: Int { if case .put(_, let key, let bytes) = self { key.utf8.count + bytes.count } else { 0 } }
}

/// When to try again: soon at first, then more and more rarely. In seconds.
public struct BackOff: Sendable {
    private let first: Double
    private let most: Double
    private var next: Double

    public init(first: Double = 1, most: Double = 30) {
        (self.first, self.most, next) = (first, most, first)
    }

    /// How long to wait before the next try.
    public mutating func wait() -> Double {
        defer { next = min(most, next * 2) }
        return next
    }

    public mutating func reset() { next = first }
}

/// When the last good copy is renewed.
///
/// Rarely in a long session, because a copy writes everything. Often at the beginning of a session, and soon after a change that only a
/// person can make again: if the session is damaged then, the copy must not be empty.
struct CopyPlan {
    /// The number of commits between two copies.
    let interval: Int
    /// Commits since the last copy; nil if no copy was made since the start.
    private var commits: Int?
    private var step = 1
    /// Whether a person's choice is not in the copy.
    private(set) var isPrecious = false
    /// In seconds of a clock that only runs forward.
    private var lastCopy: Double?
    private var hasFailed = false

    /// How soon a person's choice is in the copy, and the least time between two copies for that.
    static let patience = 1.0, pause = 10.0
    /// The same after a copy that the disk had no room for.
    static let pauseAfterFailure = 60.0

    init(interval: Int) { self.interval = interval }

    mutating func committed(_ changes: [Change]) {
        commits? += 1
        if changes.contains(where: \.isPrecious) { isPrecious = true }
    }

    var isDue: Bool { (commits ?? .max) >= min(step, interval) }

    /// Whether something is not in the copy.
    var hasNews: Bool { commits != 0 }

    mutating func copied(at now: Double) {
        if commits != nil { step = min(step * 2, interval) }
        (commits, isPrecious, lastCopy, hasFailed) = (0, false, now, false)
    }

    /// The copy could not be made: the changes are still not in it.
    mutating func failed() { (isPrecious, hasFailed) = (true, true) }

    /// How long until a copy is due because of a person's choice.
    func wait(at now: Double) -> Double? {
        guard isPrecious else { return nil }
        guard let lastCopy else { return Self.patience }
        return max(Self.patience, lastCopy + (hasFailed ? Self.pauseAfterFailure : Self.pause) - now)
    }
}

extension Change {
    /// Whether a person made the change, so that no app or window can report it again.
    fileprivate var isPrecious: Bool {
        switch self {
        case .put(let place, _, _), .remove(let place, _), .removeAll(let place): place == .choice || place == .noticeSchedule
        }
    }
}
