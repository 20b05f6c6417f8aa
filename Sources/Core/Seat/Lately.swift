/// How much there was in the present stretch of time. A stretch begins with what comes after the one before is over.
public struct Lately: Hashable, Sendable {
    private var count: UInt32 = 0
    private var since: Int64 = 0

    public init() {}

    /// Adds to it; returns how much there is now.
    /// - Parameters:
    ///   - now: in nanoseconds.
    ///   - stretch: in nanoseconds.
    public mutating func add(_ more: UInt32 = 1, at now: Int64, stretch: Int64) -> UInt32 {
        if now - since > stretch {
            count = 0
            since = now
        }
        count = count.addingReportingOverflow(more).overflow ? .max : count + more
        return count
    }
}
