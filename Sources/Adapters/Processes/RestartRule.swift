/// When to restart a shell that crashed: at once at first, then after longer and longer pauses. If it crashes repeatedly,
/// it starts without the windows of the last session, and finally not at all.
public struct RestartRule: Hashable, Sendable {
    public enum Answer: Hashable, Sendable {
        /// `isClean`: without the windows of the last session.
        case again(after: Double, isClean: Bool)
        case giveUp
    }

    /// The times of the crashes that count, in seconds of a clock that never jumps.
    private var crashes: [Double] = []

    /// A crash counts for this many seconds.
    static let memory = 60.0
    /// From which crash on windows stay closed, and from which on the shell is not started any more.
    static let clean = 3, last = 6

    public init() {}

    /// The shell crashed at this time.
    public mutating func crashed(at now: Double) -> Answer {
        crashes.removeAll { now - $0 > RestartRule.memory }
        crashes.append(now)
        guard crashes.count < RestartRule.last else { return .giveUp }
        return .again(after: crashes.count == 1 ? 0 : Double(1 << (crashes.count - 2)), isClean: crashes.count >= RestartRule.clean)
    }
}
