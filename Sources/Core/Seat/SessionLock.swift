/// A locker: a program that locks the session, by a number of the adapter.
public struct LockerID: Hashable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public var description: String { "locker \(raw)" }
}

/// What happens to the lock of the session.
public enum LockEvent: Hashable, Codable, Sendable {
    /// A locker asks for the session. `isDark`: nothing is visible, because the screen is off or another console is in front.
    case asked(LockerID, isDark: Bool)
    case unlocked(LockerID)
    /// The locker died, gave up, or has unlocked.
    case gone(LockerID)
    /// A locked frame was submitted to the screen.
    case frameSubmitted
    /// The screen reported that it shows that frame.
    case frameSeen
    /// The screen that was to show that frame is gone.
    case frameLost
    /// Nothing is visible any more, and the next frame will be a locked one.
    case dark
}

/// What an adapter does for the lock of the session.
public enum LockEffect: Hashable, Codable, Sendable {
    /// Hide the session from everybody but the locker, or show it again.
    case lock(Bool)
    /// Show the surfaces of this locker on the locked screen, and no others.
    case serve(LockerID?)
    /// Tell the locker that it does not get the session.
    case refuse(LockerID)
    /// Tell the locker that the session is locked.
    case confirm(LockerID)
    case watch(FrameWatch)

    /// Which frame the adapter reports.
    public enum FrameWatch: String, Hashable, Codable, Sendable {
        case nothing
        /// The next locked frame that is submitted to the screen.
        case submission
        /// That the screen shows the submitted frame.
        case presentation
    }
}

/// Which locker holds the session, and when it may be told so.
///
/// The session is locked as soon as a locker asks for it. The locker is told once nothing of the session is visible
/// any more: a locked frame has been shown, or the screen is dark. From then on, the user relies on the lock: if the
/// locker dies, the session stays locked until another locker unlocks it.
public struct SessionLock: Hashable, Codable, Sendable {
    /// The longest wait, in seconds, for a screen to report that it shows a locked frame.
    public static let patience = 0.5

    public private(set) var isLocked = false
    /// nil if there is none, or it died.
    public private(set) var locker: LockerID?
    /// Whether the current locker was told that the session is locked.
    public private(set) var isConfirmed = false
    /// Whether a locked frame was submitted that the screen has not shown yet.
    private var awaitsFrame = false
    /// Whether any locker was told since the session was locked.
    private var isReliedOn = false

    public init() {}

    public mutating func handle(_ event: LockEvent) -> [LockEffect] {
        let before = self
        switch event {
        case .asked(let new, let isDark):
            guard locker == nil else { return [.refuse(new)] }
            locker = new
            isLocked = true
            // A locker that takes over finds a locked frame already on the screen.
            if isReliedOn || isDark { confirm() }
        case .unlocked(let leaving):
            if locker == leaving { unlock() }
        case .gone(let gone):
            guard locker == gone else { return [] }
            locker = nil
            isConfirmed = false
            awaitsFrame = false
            // It was never told that the session is locked, so nobody relies on it.
            if isLocked, !isReliedOn { unlock() }
        case .frameSubmitted: awaitsFrame = isWaiting
        case .frameSeen: if awaitsFrame { confirm() }
        case .frameLost: awaitsFrame = false
        case .dark: if isWaiting { confirm() }
        }
        return changes(since: before)
    }

    /// Whether the locker waits to be told.
    private var isWaiting: Bool { isLocked && locker != nil && !isConfirmed }

    private var watch: LockEffect.FrameWatch { !isWaiting ? .nothing : awaitsFrame ? .presentation : .submission }

    private mutating func confirm() {
        isConfirmed = true
        isReliedOn = true
        awaitsFrame = false
    }

    private mutating func unlock() {
        isLocked = false
        isReliedOn = false
        awaitsFrame = false
    }

    private func changes(since before: SessionLock) -> [LockEffect] {
        var effects: [LockEffect] = []
        if locker != before.locker { effects.append(.serve(locker)) }
        if isLocked != before.isLocked { effects.append(.lock(isLocked)) }
        if watch != before.watch { effects.append(.watch(watch)) }
        if isConfirmed, !before.isConfirmed, let locker { effects.append(.confirm(locker)) }
        return effects
    }

    /// Violated invariants; empty if all hold.
    func violations() -> [String] {
        var found: [String] = []
        if isReliedOn, !isLocked { found.append("the session is unlocked, and a locker relies on the lock") }
        if isConfirmed, locker == nil { found.append("nobody was told that the session is locked") }
        if awaitsFrame, !isWaiting { found.append("a locked frame is waited for, for nobody") }
        return found
    }
}
