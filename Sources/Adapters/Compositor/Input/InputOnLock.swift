import Geometry
import Locking
import Seat

/// Input while the session is locked: for the shell's own lock screen, and for its part of another locker's.
extension InputRouting {
    /// Whether the lock screen of the shell gets input at this point.
    func isOwnLock(_ point: Point) -> Bool { isLocked && compositor.protocols?.lockedSession.takes(point) ?? false }

    /// The same for the pointer: a press of its button decides until the release.
    func isPointerOnOwnLock(_ point: Point) -> Bool {
        if onOwnLock.contains(-1) { return true }
        return !isHeldByLocker && isOwnLock(point)
    }

    /// Whether a button is down on a locker's surface, or on an app over the lock screen of the shell.
    var isHeldByLocker: Bool { pointer.isHeld && pointer.target == .locker }

    /// From the screen to the space of the locker's surfaces, or of the app over the lock screen, which may be drawn smaller.
    func onLocker(_ point: Point) -> Point {
        guard let over = compositor.protocols?.lockedSession.over else { return point }
        return Point((point.x - over.frame.x) / over.scale, (point.y - over.frame.y) / over.scale)
    }

    /// Input for the lock screen of the shell. No client gets any of it.
    func emitOnLock(_ input: LockInput, _ when: Int64) { compositor.emit(.lockScreen(.input(input)), when) }

    // MARK: The shell's own part of a locked screen

    func isOwnPart(_ point: Point) -> Bool { isLocked && compositor.protocols?.lockedSession.ownPart?.contains(point) ?? false }

    /// Whether the button is the shell's: it went down in its part of the locked screen. The locker hears neither end of it.
    func takesForShell(_ button: UInt32, pressed: Bool) -> Bool {
        guard pressed else {
            guard ownButtons.remove(button) != nil else { return false }
            if button == Button.left { compositor.protocols?.lockedSession.tapped(at: cursor.place) }
            return true
        }
        guard !pointer.isHeld, isOwnPart(cursor.place) else { return false }
        ownButtons.insert(button)
        return true
    }
}
