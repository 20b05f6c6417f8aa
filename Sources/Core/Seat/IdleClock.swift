/// Whether a person has been idle for as long as somebody asked. Moments and lengths are in nanoseconds.
public struct IdleClock: Hashable, Sendable {
    private let timeout: Int64
    /// It counts from here, or from the last activity after it.
    private var from: Int64
    public private(set) var isIdle = false

    public enum Step: Hashable, Sendable {
        /// Somebody waits for it: tell that the person is idle now, or active again.
        case tell(isIdle: Bool)
        /// Ask again after so long.
        case wait(Int64)
        case nothing
    }

    public init(timeout: Int64, at now: Int64) {
        self.timeout = timeout
        from = now
    }

    /// Looks whether the time is over. Activity only notes its time, so a timer runs out once, looks, and waits for what is left.
    /// - Parameter isInhibited: something that is seen keeps the session awake, such as a film.
    public mutating func look(lastActivity: Int64, isInhibited: Bool, at now: Int64) -> Step {
        guard !isInhibited, !isIdle else { return .nothing }
        let left = max(lastActivity, from) + timeout - now
        guard left <= 0 else { return .wait(left) }
        isIdle = true
        return .tell(isIdle: true)
    }

    /// A person did something, or something keeps the session awake now. `.nothing`: whoever waits needs no word; the timer will look.
    public mutating func wake() -> Step {
        guard isIdle else { return .nothing }
        isIdle = false
        return .tell(isIdle: false)
    }

    /// Who waits says that a person did something.
    public mutating func restart(at now: Int64) { from = now }

    /// It waits for no time at all: it is idle again at once after each activity.
    public var isInstant: Bool { timeout == 0 }
}
