import Callers
import OrderedCollections

/// Updates that senders made faster than their pace allows (`Rate.noticeCalls`): of each notification the last update waits.
///
/// A bar that is renewed a thousand times in a second comes to rest at its last value, not at one that the pace happened to let through.
/// A value: it knows no clock and no bus.
public struct HeldUpdates: Sendable {
    /// One update of a notification that is there.
    public struct Update: Hashable, Sendable {
        public var content: NoticeContent
        /// The number that its sender replaces; nil: it named the notification otherwise.
        public var replaces: NoticeID?
        public var sender: String
        /// The sender has left the bus since. The code that delivers the update reports this afterwards.
        public var isSenderGone = false

        public init(_ content: NoticeContent, replaces: NoticeID?, sender: String) {
            self.content = content
            self.replaces = replaces
            self.sender = sender
        }
    }

    /// In the order in which they began to wait.
    private var all: OrderedDictionary<NoticeID, Update> = [:]
    private var holdings = Holdings()

    public init() {}

    public var isEmpty: Bool { all.isEmpty }

    /// Keeps the update in place of an earlier one. False: its owner has too many that wait.
    public mutating func hold(_ id: NoticeID, _ update: Update) -> Bool {
        // The replaced update may be another owner's, for whom this one speaks.
        let before = all[id]
        if let before { holdings.giveBack(.noticeUpdates, for: before.content.payer) }
        guard holdings.take(.noticeUpdates, for: update.content.payer) else {
            if let before { _ = holdings.take(.noticeUpdates, for: before.content.payer) }
            return false
        }
        all[id] = update
        return true
    }

    /// A newer call was served, or its sender withdrew the notification.
    public mutating func drop(_ id: NoticeID) {
        guard let update = all.removeValue(forKey: id) else { return }
        holdings.giveBack(.noticeUpdates, for: update.content.payer)
    }

    /// A connection has left the bus. Its last updates still count.
    public mutating func senderGone(_ sender: String) {
        for (id, update) in all where update.sender == sender { all[id]!.isSenderGone = true }
    }

    /// Takes those that may be delivered now.
    ///
    /// - Parameter isAllowed: takes one from an owner's pace; false: the owner has to wait.
    public mutating func take(_ isAllowed: (Owner) -> Bool) -> [Update] {
        var late: Set<Owner> = [], out: [Update] = []
        for (id, update) in all where !late.contains(update.content.payer) {
            guard isAllowed(update.content.payer) else {
                late.insert(update.content.payer)
                continue
            }
            out.append(update)
            drop(id)
        }
        return out
    }
}
