/// Counts within a time window. A new window begins with the first addition after the previous one ends.
public struct Lately: Hashable, Sendable {
    private var count: UInt32 = 0
    private var since: Int64 = 0

    public init() {}

    /// Adds to the count, and returns the new count of the current window.
    /// - Parameters:
    ///   - now: in nanoseconds.
    ///   - stretch: the length of the window, in nanoseconds.
    public mutating func add(_ more: UInt32 = 1, at now: Int64, stretch: Int64) -> UInt32 {
        if now - since > stretch {
            count = 0
            since = now
        }
        count = count.addingReportingOverflow(more).overflow ? .max : count + more
        return count
    }
}
