import Geometry

/// When the shell starts the configured locker by itself: while the session is locked and no locker holds it.
///
/// The first start is at once. A locker that ends, or that does not take the session in time, is started again after
/// longer and longer pauses. One that another program started counts as well: if it dies, the shell starts the configured one.
public struct LockerStarts: Hashable, Codable, Sendable {
    /// The longest wait, in seconds, for a locker that was started to take the session.
    public static let patience = 30.0
    /// The longest pause, in seconds.
    public static let longestPause = 60.0
    /// A locker that held the session for so many seconds works: the pauses begin anew.
    public static let steady = 60.0

    /// When to start the next one.
    public private(set) var next: Moment?
    /// How many were started since one worked.
    public private(set) var count = 0
    /// Since when the current locker holds the session.
    private var heldSince: Moment?

    /// Seconds before the next start: 0, 1, 2, 4 up to a minute.
    private var pause: Double {
        guard count > 0 else { return 0 }
        return count > 6 ? Self.longestPause : Double(1 << (count - 1))
    }

    /// - Parameters:
    ///   - hasEnded: the locker that was started has ended, or could not be started.
    ///   - canStart: whether a locker is configured.
    mutating func follow(_ lock: SessionLock, hasEnded: Bool, canStart: Bool, at now: Moment) -> [LockEffect] {
        let before = next
        var effects: [LockEffect] = []
        if hasEnded, next != nil { next = now + pause }
        if !lock.isLocked {
            (next, count, heldSince) = (nil, 0, nil)
        } else if lock.locker != nil {
            next = nil
            heldSince = heldSince ?? now
        } else {
            if let since = heldSince, now - since >= Self.steady { count = 0 }
            heldSince = nil
            next = canStart ? next ?? now + pause : nil
            if let due = next, due <= now {
                count += 1
                next = now + Self.patience
                effects.append(.start)
            }
        }
        if next != before { effects.append(.startAt(next)) }
        return effects
    }
}
