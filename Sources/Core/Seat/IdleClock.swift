/// Whether the user has been idle for a requested time. Moments and durations are in nanoseconds.
public struct IdleClock: Hashable, Sendable {
    private let timeout: Int64
    /// The time from which it counts, unless there was activity later.
    private var from: Int64
    public private(set) var isIdle = false

    public enum Step: Hashable, Sendable {
        /// Notify the client that the user is idle or active again.
        case tell(isIdle: Bool)
        /// Check again after this time.
        case wait(Int64)
        case nothing
    }

    public init(timeout: Int64, at now: Int64) {
        self.timeout = timeout
        from = now
    }

    /// Checks whether the time has passed. Activity only stores its time, so the timer fires once, checks, and waits
    /// for the remainder.
    /// - Parameter isInhibited: something visible keeps the session awake, such as a film.
    public mutating func look(lastActivity: Int64, isInhibited: Bool, at now: Int64) -> Step {
        guard !isInhibited, !isIdle else { return .nothing }
        let left = max(lastActivity, from) + timeout - now
        guard left <= 0 else { return .wait(left) }
        isIdle = true
        return .tell(isIdle: true)
    }

    /// The user did something, or an inhibitor became active. `.nothing` means that the client need not be told, and
    /// the timer will check.
    public mutating func wake() -> Step {
        guard isIdle else { return .nothing }
        isIdle = false
        return .tell(isIdle: false)
    }

    /// The client itself reports activity.
    public mutating func restart(at now: Int64) { from = now }

    /// The timeout is zero, so it becomes idle again at once after each activity.
    public var isInstant: Bool { timeout == 0 }
}
