import Geometry

/// The numbers by which senders know their notifications (`replaces_id` of the specification, X-03).
///
/// A call that replaces a number gets this very number as its answer, also where the shell never gave it out: scripts choose one and use it
/// again and again. Two senders may choose the same one, so the number of a sender is not that of the list.
extension Notices {
    /// The notification that this sender, or one that speaks for it, replaces by this number.
    func numbered(_ number: UInt32, _ content: NoticeContent, _ sender: String?) -> NoticeID? {
        if index.hasClaim(number) {
            let own = all.values.last { notice in
                guard notice.content.claimed == number, notice.content.origin == nil else { return false }
                return notice.sender != nil && notice.sender == sender
                    || content.payer.speaks(for: notice.payer) && notice.group == content.group
            }
            if let own { return own.id }
        }
        guard let notice = all[NoticeID(number)], notice.content.claimed == nil, owns(notice, sender, content) else { return nil }
        return notice.id
    }

    /// The notification that a connection knows by this number; nil: it is gone.
    public func notice(numbered number: UInt32, by sender: String) -> Notice? {
        let own = index.hasClaim(number) ? all.values.last { $0.content.claimed == number && $0.sender == sender } : nil
        return own ?? all[NoticeID(number)].flatMap { $0.content.claimed == nil ? $0 : nil }
    }

    /// Whether a sender uses this number already. The shell gives it to no other notification then.
    public func isTaken(_ number: UInt32) -> Bool { all[NoticeID(number)] != nil || index.hasClaim(number) }

    // MARK: Bars that a person swept away

    /// Remembers bars that a person swept away: the next step of such a job shows no banner.
    mutating func noteSwept(_ ids: [NoticeID]) {
        for notice in ids.suffix(NoticeLimits.swept).compactMap({ all[$0] }) where notice.content.progress != nil {
            swept.append(SweptBar(number: notice.number, group: notice.group))
        }
        swept.removeFirst(max(0, swept.count - NoticeLimits.swept))
    }

    func wasSwept(_ notice: Notice) -> Bool {
        notice.content.progress != nil && swept.contains(SweptBar(number: notice.number, group: notice.group))
    }

    // MARK: The end of a time

    /// Its sender hears that the time is over that it named. The entry stays, as one of a sender that is gone.
    mutating func endTimes(at now: Moment, _ turn: inout Turn) {
        for number in index.expiring.filter({ $0.value <= clock(at: now) }).keys.sorted() {
            guard var notice = all[NoticeID(UInt32(number))] else { continue }
            if let sender = notice.sender { turn.effects.append(.closed(notice.number, to: sender, .expired)) }
            (notice.sender, notice.expires) = (nil, nil)
            lapse(notice, at: now, &turn)
        }
    }
}

/// A job's bar that a person swept away, by the number that its sender uses.
struct SweptBar: Hashable, Codable, Sendable {
    var number: NoticeID
    var group: String
}

extension Notice {
    /// When the time is over that its sender named; nil: it has none, or a person may still use what only the sender can do: a tap on what
    /// an app sent hours ago shows what it tells of. A script waits for the end.
    var expiry: Int64? {
        guard sender != nil, content.origin == nil, let timeout = content.timeout else { return nil }
        guard content.app.isEmpty || content.buttons.isEmpty && !content.hasDefault else { return nil }
        // The clock has whole seconds, and may be about to tick.
        return arrived + Int64(timeout) + 1
    }
}
