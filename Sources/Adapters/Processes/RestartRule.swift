/// When a shell that crashed is started again: at once at first, then after longer and longer pauses; without the windows
/// of the last session when it crashes again and again; and in the end not at all.
public struct RestartRule: Hashable, Sendable {
    public enum Answer: Hashable, Sendable {
        /// `isClean`: without the windows of the last session.
        case again(after: Double, isClean: Bool)
        case giveUp
    }

    /// Seconds of the crashes that count, by a clock that never jumps.
    private var crashes: [Double] = []

    /// A crash that is longer ago than this many seconds does not count.
    static let memory = 60.0
    /// The crash with which windows stay closed, and the one with which the shell is not started any more.
    static let clean = 3, last = 6

    public init() {}

    /// The shell crashed at this moment.
    public mutating func crashed(at now: Double) -> Answer {
        crashes.removeAll { now - $0 > RestartRule.memory }
        crashes.append(now)
        guard crashes.count < RestartRule.last else { return .giveUp }
        return .again(after: crashes.count == 1 ? 0 : Double(1 << (crashes.count - 2)), isClean: crashes.count >= RestartRule.clean)
    }
}
