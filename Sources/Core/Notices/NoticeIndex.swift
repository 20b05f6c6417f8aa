import Callers
import OrderedCollections

/// Sums over all notifications, so that no question needs a look at each of ten thousand.
struct NoticeIndex: Hashable, Codable, Sendable {
    /// The groups of the list, the one with the newest notification last, each with its notifications in the order in which they came.
    private(set) var groups: OrderedDictionary<String, [NoticeID]> = [:]
    /// How many of each group there are, whether they are in the list or not.
    private(set) var counts: [String: Int] = [:]
    /// How many of each group are unread and in the list.
    private(set) var unread: [String: Int] = [:]
    /// How many have a name by which a newer one replaces them.
    private var names: [String: Int] = [:]
    private var senders: [String: Int] = [:]
    /// The notifications that a person put off, by their numbers, and until when.
    private(set) var snoozed: [Int: Int64] = [:]
    /// The notifications whose bars end, by their numbers, and when.
    private(set) var lapsing: [Int: Int64] = [:]
    /// The notifications whose senders hear of the end of their time, by their numbers, and when.
    private(set) var expiring: [Int: Int64] = [:]
    /// How many are known to their senders by each number that a sender chose.
    private var claims: [UInt32: Int] = [:]
    /// The size of their texts.
    private(set) var bytes = 0
    /// The share of nameless sandboxes; nil: nothing.
    private(set) var nameless: Held?

    struct Held: Hashable, Codable, Sendable {
        var count = 0
        var bytes = 0
    }

    func hasName(_ content: NoticeContent) -> Bool { Self.names(of: content).contains { names[$0] != nil } }
    func hasClaim(_ number: UInt32) -> Bool { claims[number] != nil }
    func hasSender(_ sender: String) -> Bool { senders[sender] != nil }

    private static func names(of content: NoticeContent) -> [String] {
        (content.origin.map { ["\($0.service.rawValue)\n\($0.app)\n\($0.id)"] } ?? []) + (content.key.isEmpty ? [] : [content.key])
    }

    mutating func add(_ notice: Notice) {
        count(notice, 1)
        guard notice.isListed else { return }
        var ids = groups.removeValue(forKey: notice.group) ?? []
        ids.append(notice.id)
        groups[notice.group] = ids
    }

    /// - Parameter isOlder: whether the first one came before the second one.
    mutating func remove(_ notice: Notice, isOlder: (NoticeID, NoticeID) -> Bool) {
        count(notice, -1)
        guard notice.isListed, var ids = groups[notice.group] else { return }
        let isNewest = ids.last == notice.id
        if isNewest {
            ids.removeLast()
        } else if let place = ids.first == notice.id ? 0 : ids.lastIndex(of: notice.id) {
            ids.remove(at: place)
        }
        guard isNewest || ids.isEmpty else { return groups[notice.group] = ids }
        groups.removeValue(forKey: notice.group)
        guard let newest = ids.last else { return }
        // Its newest one is older now: it stands behind others.
        var low = 0, high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if isOlder(groups.values[middle].last!, newest) { low = middle + 1 } else { high = middle }
        }
        groups.updateValue(ids, forKey: notice.group, insertingAt: low)
    }

    /// The same notification, otherwise than before. In the list, it stays in its place.
    mutating func change(_ before: Notice, to after: Notice, isOlder: (NoticeID, NoticeID) -> Bool) {
        if before.isListed == after.isListed, before.group == after.group {
            count(before, -1)
            count(after, 1)
        } else {
            remove(before, isOlder: isOlder)
            add(after)
        }
    }

    private mutating func count(_ notice: Notice, _ step: Int) {
        func add<Key>(_ key: Key, to table: inout [Key: Int]) {
            let count = (table[key] ?? 0) + step
            table[key] = count == 0 ? nil : count
        }
        add(notice.group, to: &counts)
        if notice.isListed, !notice.isRead { add(notice.group, to: &unread) }
        for name in Self.names(of: notice.content) { add(name, to: &names) }
        if let sender = notice.sender { add(sender, to: &senders) }
        bytes += step * notice.content.bytes
        if let claimed = notice.content.claimed { add(claimed, to: &claims) }
        if let until = notice.expires { expiring[Int(notice.id.raw)] = step > 0 ? until : nil }
        if let until = notice.lapses { lapsing[Int(notice.id.raw)] = step > 0 ? until : nil }
        if notice.content.isNameless {
            var held = nameless ?? Held()
            held.count += step
            held.bytes += step * notice.content.bytes
            nameless = held.count == 0 ? nil : held
        }
        if let until = notice.snoozed { snoozed[Int(notice.id.raw)] = step > 0 ? until : nil }
    }
}

extension Notice {
    /// Whether it is in the list: it is kept, and no person put it off.
    var isListed: Bool { snoozed == nil && !content.isTransient }
}

extension NoticeContent {
    /// The approximate size of its texts.
    var bytes: Int {
        var sum =
            title.utf8.count + body.utf8.count + name.utf8.count + app.utf8.count + key.utf8.count + thread.utf8.count
            + (unsent?.utf8.count ?? 0)
        for button in buttons { sum += button.key.utf8.count + button.label.utf8.count + (button.target?.parameter?.utf8.count ?? 0) }
        return sum + (origin?.id.utf8.count ?? 0) + (origin?.tap?.parameter?.utf8.count ?? 0)
    }
}

/// The maximum number of notifications, and of bytes of their texts together. `Quota` has the share of each owner.
struct NoticeBounds: Hashable, Codable, Sendable {
    var count = NoticeLimits.all
    var bytes = NoticeLimits.bytes

    /// Makes room for more than one, because each step costs as much as there are notifications.
    func slack(_ bound: Int) -> Int { bound - bound / 100 }

    /// The amount that an owner does not lose for another one's sake, in the proportion of `Quota`.
    var kept: Int { part(count, Quota.notices.share.kept, of: Quota.notices) }
    var keptBytes: Int { part(bytes, Quota.noticeBytes.share.kept, of: Quota.noticeBytes) }
    /// The amount that all nameless sandboxes may have besides.
    var nameless: Int { part(count, Quota.notices.share.nameless, of: Quota.notices) }
    var namelessBytes: Int { part(bytes, Quota.noticeBytes.share.nameless, of: Quota.noticeBytes) }

    private func part(_ bound: Int, _ part: Int, of quota: Quota) -> Int { max(1, bound * part / quota.share.all) }
}

extension Notices {
    // MARK: The table

    private func isOlder(_ a: NoticeID, _ b: NoticeID) -> Bool { (all.index(forKey: a) ?? -1) < (all.index(forKey: b) ?? -1) }

    mutating func put(_ notice: Notice) {
        let before = all[notice.id]
        all[notice.id] = notice
        var index = NoticeIndex()
        swap(&index, &self.index)
        if let before { index.change(before, to: notice, isOlder: isOlder) } else { index.add(notice) }
        swap(&index, &self.index)
    }

    mutating func remove(_ id: NoticeID) {
        guard let before = all.removeValue(forKey: id) else { return }
        var index = NoticeIndex()
        swap(&index, &self.index)
        index.remove(before, isOlder: isOlder)
        swap(&index, &self.index)
    }

    /// Ends many in one step.
    mutating func end(all ends: [NoticeID], _ reason: NoticeEnd, _ turn: inout Turn) {
        guard ends.count > 8 else {
            for id in ends { end(id, reason, &turn) }
            return
        }
        let chosen = Set(ends)
        for id in ends { tellEnd(of: all[id], reason, &turn) }
        all.removeAll { chosen.contains($0.key) }
        index = NoticeIndex()
        for notice in all.values { index.add(notice) }
    }

    mutating func end(_ id: NoticeID, _ reason: NoticeEnd, _ turn: inout Turn) {
        guard let notice = all[id] else { return }
        remove(id)
        tellEnd(of: notice, reason, &turn)
    }

    private func tellEnd(of notice: Notice?, _ reason: NoticeEnd, _ turn: inout Turn) {
        guard let notice else { return }
        if let sender = notice.sender, notice.content.origin == nil { turn.effects.append(.closed(notice.number, to: sender, reason)) }
        // A notification that is shown once has nothing on the disk but its picture.
        if !notice.content.isTransient || notice.content.image != nil { turn.effects.append(.forget(notice.id)) }
    }

    // MARK: Reading

    /// The groups of the list, the one with the newest notification first.
    public var groups: ReversedCollection<OrderedDictionary<String, [NoticeID]>.Elements.SubSequence> {
        index.groups.elements[...].reversed()
    }

    /// The notifications of a group in the list, in the order of arrival.
    public func ids(of group: String) -> [NoticeID] { index.groups[group] ?? [] }

    /// The newest one of a group in the list.
    public func newest(of group: String) -> Notice? { index.groups[group]?.last.flatMap { all[$0] } }

    public var isListEmpty: Bool { index.groups.isEmpty }

    /// How many of an app a person has not seen; its icon shows them.
    public func badge(of app: String) -> Int { choices.badge(of: app) ? index.unread[app] ?? 0 : 0 }

    public var unreadCount: Int { index.unread.values.reduce(0, +) }

    /// How many a locked screen tells of, and those of which it tells more.
    public func onLock() -> (count: Int, open: [Notice]) {
        var count = 0, open: [Notice] = []
        for notice in all.values.reversed() where notice.isListed && !notice.isRead && !notice.content.hidesOnLock {
            switch choices.onLock(of: notice.group) {
            case .nothing: continue
            case .count: count += 1
            case .content:
                count += 1
                if !(notice.content.hidesContentOnLock ?? false) { open.append(notice) }
            }
        }
        return (count, open)
    }

    // MARK: Invariants

    func indexViolations() -> [String] {
        var right = NoticeIndex()
        for notice in all.values { right.add(notice) }
        return right == index ? [] : ["the notifications are not counted: \(index), not \(right)"]
    }
}
