/// Who holds the session locked, and what its locker may be told.
///
/// The session is locked from the moment that a locker asks for it. The locker is told so when nothing of the session is on the
/// screen any more: a locked picture has been shown, or the screen is dark. From then on somebody relies on it: if the locker
/// dies, the session stays locked until another one unlocks it.
public struct SessionLock: Hashable, Sendable {
    /// A locker, by a number of the caller's choice.
    public typealias Locker = UInt64

    public private(set) var isLocked = false
    /// nil: none, or it died.
    public private(set) var locker: Locker?
    /// The present locker was told that the session is locked.
    public private(set) var isTold = false
    /// A locked picture was given to the screen, which has yet to say that it is seen.
    public private(set) var awaitsPicture = false
    /// Some locker was told since the session is locked.
    private var isReliedOn = false

    public init() {}

    /// - Returns: false if another locker holds the session; the new one is finished before it began.
    public mutating func begin(_ new: Locker, isDark: Bool) -> Bool {
        guard locker == nil else { return false }
        locker = new
        isLocked = true
        // One that takes over finds the locked picture on the screen already.
        if isReliedOn || isDark { tell() }
        return true
    }

    public mutating func unlock(_ leaving: Locker) {
        if locker == leaving { setUnlocked() }
    }

    /// It died, gave up, or has unlocked.
    public mutating func lockerGone(_ gone: Locker) {
        guard locker == gone else { return }
        locker = nil
        isTold = false
        awaitsPicture = false
        // It never held the session for certain: nobody relies on it.
        if isLocked, !isReliedOn { setUnlocked() }
    }

    /// A locked picture was given to the screen.
    public mutating func pictureGiven() {
        if isLocked, locker != nil, !isTold { awaitsPicture = true }
    }

    /// The screen says that it is seen, or has said nothing for long.
    public mutating func pictureSeen() {
        if awaitsPicture { tell() }
    }

    /// The screen that was to show it is gone.
    public mutating func pictureLost() { awaitsPicture = false }

    /// Nothing is seen of a screen that is off, or of a session whose console is not in front; what comes there first is locked.
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
