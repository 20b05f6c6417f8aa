/// How long to wait before a program that ended is started again: not at all at first, then longer and longer. There is always
/// another try, because the cause of an end may pass: a missing device, a full disk, a server that is being installed.
public struct RestartPauses: Hashable, Sendable {
    private struct Past: Hashable {
        /// Ends in quick succession.
        var ends = 0
        /// When it was started last.
        var started = 0.0
    }

    private var programs: [String: Past] = [:]

    /// Seconds. A program that ran as long begins anew.
    public static let goodRun = 30.0
    /// Seconds: the first pause, and the longest one.
    public static let first = 0.25, longest = 30.0

    public init() {}

    /// - Parameter now: seconds of a clock that never jumps.
    public mutating func started(_ program: String, at now: Double) { programs[program, default: Past()].started = now }

    /// The program ended, or could not be started. Returns the seconds to wait.
    public mutating func ended(_ program: String, at now: Double) -> Double {
        var past = programs[program, default: Past(started: now)]
        if now - past.started >= Self.goodRun { past.ends = 0 }
        past.ends += 1
        programs[program] = past
        guard past.ends > 1 else { return 0 }
        return min(Self.first * Double(1 << min(past.ends - 2, 20)), Self.longest)
    }
}
