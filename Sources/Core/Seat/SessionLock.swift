import Geometry
import Rooms
import Windows

/// A locker: a program that locks the session, by a number of the adapter.
public struct LockerID: Hashable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    /// The lock screen of the shell.
    public static let shell = LockerID(.max)

    public var description: String { "locker \(raw)" }
}

/// An event that concerns the lock of the session.
public enum LockEvent: Hashable, Codable, Sendable {
    /// The last shell ended while its session was locked: this one begins locked.
    case found
    /// It is on the disk that the session is locked, or nothing can be written there.
    case noted
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
    /// The locker that the shell started has ended, or could not be started.
    case startedEnded
    /// A person tapped the part of the locked screen that is the shell's (`LockEffect.ownPart`).
    case tapped(at: Point)
}

/// An action of the adapter for the lock of the session.
public enum LockEffect: Hashable, Codable, Sendable {
    /// Hide the session from all but the locker, or show it again.
    case lock(Bool)
    /// Show the surfaces of this locker on the locked screen, and no others.
    case serve(LockerID?)
    /// Tell the locker that it does not get the session.
    case refuse(LockerID)
    /// Tell the locker that the session is locked.
    case confirm(LockerID)
    case watch(FrameWatch)
    /// Taps in this part of the locked screen are the shell's, and the locker gets none of them; nil: all are the locker's.
    case ownPart(Rect?)
    /// Show this window of a client over the shell's own lock screen, and no other. It gets all input within `area`. `frame`: where its
    /// content stands. nil: show none.
    case over(WindowOverLock?)
    /// Write down that the session is locked, so that the next shell finds it if this one is killed, or remove that note.
    case note(Bool)
    /// Start the configured locker.
    case start
    /// Look again at this moment whether to start it; nil: at none.
    case startAt(Moment?)

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
/// any more: a locked frame has been shown, or the screen is dark; and once the next shell would find that the session is
/// locked. From then on, the user relies on the lock: if the locker or the shell dies, the session stays locked until
/// another locker unlocks it.
public struct SessionLock: Room {
    /// The longest wait, in seconds, for a screen to report that it shows a locked frame.
    public static let patience = 0.5
    /// The longest wait, in seconds, for the disk: a locker must not wait for one that hangs.
    public static let diskPatience = 2.0

    public private(set) var isLocked = false
    /// nil if there is none, or it died.
    public private(set) var locker: LockerID?
    /// Whether the current locker was told that the session is locked.
    public private(set) var isConfirmed = false
    /// Whether a locked frame was submitted that the screen has not shown yet.
    private var awaitsFrame = false
    /// Whether nothing of the session is visible any more.
    private var isHidden = false
    /// Whether the next shell would find that the session is locked.
    private var isNoted = false
    /// Whether any locker was told since the session was locked.
    private var isReliedOn = false

    public init() {}

    /// Whether the session is locked and no locker holds it: the last one died, or the last shell did.
    public var isAbandoned: Bool { isLocked && locker == nil }
    /// Whether the shell itself is the locker.
    public var isOwn: Bool { isLocked && locker == .shell }
    /// Whether a locked frame, or the note of the lock, is waited for.
    public var isComing: Bool { isLocked && !isConfirmed && locker != nil }
    /// Whether only the disk is waited for.
    public var awaitsDisk: Bool { isWaiting && isHidden && !isNoted }

    public mutating func handle(_ event: LockEvent, in context: Void = (), at now: Moment = .zero) -> [LockEffect] {
        let before = self
        switch event {
        case .found:
            guard !isLocked else { return [] }
            (isLocked, isHidden, isNoted, isReliedOn) = (true, true, true, true)
        case .noted:
            isNoted = isLocked
            confirmIfReady()
        case .asked(let new, let isDark):
            guard locker == nil else { return [.refuse(new)] }
            locker = new
            isLocked = true
            // A locker that takes over finds a locked frame already on the screen.
            if isDark { isHidden = true }
            confirmIfReady()
        case .unlocked(let leaving):
            if locker == leaving { unlock() }
        case .gone(let gone):
            guard locker == gone else { return [] }
            locker = nil
            isConfirmed = false
            awaitsFrame = false
            // It was never told that the session is locked, so it does not rely on the lock.
            if isLocked, !isReliedOn { unlock() }
        case .frameSubmitted: awaitsFrame = isWaiting && !isHidden
        case .frameSeen: if awaitsFrame { hidden() }
        case .frameLost: awaitsFrame = false
        case .dark: if isWaiting { hidden() }
        case .startedEnded, .tapped: break
        }
        return changes(since: before)
    }

    private mutating func hidden() {
        isHidden = true
        awaitsFrame = false
        confirmIfReady()
    }

    /// Whether the locker waits to be told.
    private var isWaiting: Bool { isLocked && locker != nil && !isConfirmed }

    private var watch: LockEffect.FrameWatch { !isWaiting || isHidden ? .nothing : awaitsFrame ? .presentation : .submission }

    private mutating func confirmIfReady() {
        guard isWaiting, isHidden, isNoted else { return }
        isConfirmed = true
        isReliedOn = true
    }

    private mutating func unlock() {
        (isLocked, isHidden, isNoted, isReliedOn, awaitsFrame) = (false, false, false, false, false)
    }

    private func changes(since before: SessionLock) -> [LockEffect] {
        var effects: [LockEffect] = []
        if locker != before.locker { effects.append(.serve(locker)) }
        if isLocked != before.isLocked {
            effects.append(.lock(isLocked))
            // A session that was found locked is noted already.
            if !isLocked || !isNoted { effects.append(.note(isLocked)) }
        }
        if watch != before.watch { effects.append(.watch(watch)) }
        if isConfirmed, !before.isConfirmed, let locker { effects.append(.confirm(locker)) }
        return effects
    }

    /// Violated invariants; empty if all hold.
    public func violations(in context: Void = ()) -> [String] {
        var found: [String] = []
        if isReliedOn, !isLocked { found.append("the session is unlocked, and a locker relies on the lock") }
        if isConfirmed, locker == nil { found.append("nobody was told that the session is locked") }
        if awaitsFrame, !isWaiting || isHidden { found.append("a locked frame is waited for, for nobody") }
        if isLocked, locker == nil, !isReliedOn { found.append("the session is locked for nobody") }
        return found
    }
}
