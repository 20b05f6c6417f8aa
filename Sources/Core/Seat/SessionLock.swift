/// Which locker holds the session, and when it may be told so.
///
/// The session is locked as soon as a locker asks for it. The locker is told once nothing of the session is visible
/// any more: a locked frame has been shown, or the screen is dark. From then on, the user relies on the lock: if the
/// locker dies, the session stays locked until another locker unlocks it.
public struct SessionLock: Hashable, Sendable {
    /// A locker, by a number that the caller chooses.
    public typealias Locker = UInt64

    public private(set) var isLocked = false
    /// nil if there is none, or it died.
    public private(set) var locker: Locker?
    /// Whether the current locker was told that the session is locked.
    public private(set) var isTold = false
    /// Whether a locked frame was submitted that the screen has not shown yet.
    public private(set) var awaitsPicture = false
    /// Whether any locker was told since the session was locked.
    private var isReliedOn = false

    public init() {}

    /// - Returns: false if another locker holds the session. The new locker is finished at once.
    public mutating func begin(_ new: Locker, isDark: Bool) -> Bool {
        guard locker == nil else { return false }
        locker = new
        isLocked = true
        // A locker that takes over finds a locked frame already on the screen.
        if isReliedOn || isDark { tell() }
        return true
    }

    public mutating func unlock(_ leaving: Locker) {
        if locker == leaving { setUnlocked() }
    }

    /// The locker died, gave up, or unlocked.
    public mutating func lockerGone(_ gone: Locker) {
        guard locker == gone else { return }
        locker = nil
        isTold = false
        awaitsPicture = false
        // It was never told that the session is locked, so nobody relies on it.
        if isLocked, !isReliedOn { setUnlocked() }
    }

    /// A locked frame was submitted to the screen.
    public mutating func pictureGiven() {
        if isLocked, locker != nil, !isTold { awaitsPicture = true }
    }

    /// The screen reported that the frame is visible, or reported nothing for a long time.
    public mutating func pictureSeen() {
        if awaitsPicture { tell() }
    }

    /// The screen that was to show the frame is gone.
    public mutating func pictureLost() { awaitsPicture = false }

    /// Nothing is visible while the screen is off or another console is active, and the next frame will be a locked
    /// one.
    public mutating func screenDark() {
        if isLocked, locker != nil, !isTold { tell() }
    }

    private mutating func tell() {
        isTold = true
        isReliedOn = true
        awaitsPicture = false
    }

    private mutating func setUnlocked() {
        isLocked = false
        isReliedOn = false
        awaitsPicture = false
    }
}
