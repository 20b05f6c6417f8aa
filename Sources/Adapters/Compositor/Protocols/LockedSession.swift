import CWlroots
import Seat
import WaylandServer

/// A client's lock on the session, as the protocol implements it.
protocol SessionLocker: AnyObject {
    func sendLocked()
}

/// A lock surface, as the protocol implements it.
protocol SessionLockSurface: AnyObject {
    var surface: Surface { get }
    var isMapped: Bool { get }
    func configure(width: UInt32, height: UInt32)
}

/// The locked session. Carries out what `SessionLock` decides.
///
/// Input and drawing ask at every event and frame whether the session is locked and which lock surface a screen
/// shows. C keeps those answers (lock.c) and gets them from here. While the session is locked, C shows nothing else.
final class LockedSession {
    private final class Item {
        let object: any SessionLockSurface
        var output: UnsafeMutablePointer<wlr_output>?
        /// As last configured.
        var width: UInt32 = 0, height: UInt32 = 0

        init(_ object: any SessionLockSurface, _ output: UnsafeMutablePointer<wlr_output>?) {
            self.object = object
            self.output = output
        }
    }

    /// The longest wait, in nanoseconds, for a screen to report that a locked frame is shown.
    private static let patience: Int64 = 500_000_000

    private let context: Protocols.Context
    private var lock = SessionLock()
    private var locker: (any SessionLocker)?
    /// The lock surfaces of the current locker.
    private var items: [Item] = []
    private var watched: UnsafeMutablePointer<wlr_output>?
    private var present: Listener?
    private var timer: Timer?

    init?(_ context: Protocols.Context) {
        self.context = context
        timer = Timer(context.loop) { [unowned self] in change { $0.pictureSeen() } }
        guard timer != nil else { return nil }
    }

    // MARK: Calls from the protocol

    /// - Returns: false if another client has locked the session.
    func begin(_ new: any SessionLocker) -> Bool {
        guard lock.locker == nil else { return false }
        locker = new
        return change { $0.begin(Self.number(new), isDark: mw_server_is_dark(context.server)) }
    }

    func unlock(_ leaving: any SessionLocker) { change { $0.unlock(Self.number(leaving)) } }

    /// The locker's client died or gave up. A locked session stays locked unless the client unlocked it.
    func gone(_ gone: any SessionLocker) {
        guard locker === gone else { return }
        locker = nil
        for item in items { hide(item) }
        items = []
        // The end of the session does not unlock it.
        if !context.isEnding { change { $0.lockerGone(Self.number(gone)) } }
    }

    /// A locker made a surface. Surfaces of a locker that was refused or is finished are never shown.
    func add(_ object: any SessionLockSurface, of owner: any SessionLocker, on output: UnsafeMutablePointer<wlr_output>?) {
        guard locker === owner else { return }
        let item = Item(object, output)
        items.append(item)
        configure(item)
    }

    func remove(_ object: any SessionLockSurface) {
        guard let index = items.firstIndex(where: { $0.object === object }) else { return }
        hide(items.remove(at: index))
    }

    /// The surface has new content, or lost its content.
    func committed(_ object: any SessionLockSurface) {
        guard let item = items.first(where: { $0.object === object }) else { return }
        if object.isMapped {
            mw_lock_show(context.server, item.output, object.surface)
        } else {
            hide(item)
        }
    }

    // MARK: Calls from the screen

    /// A frame of the locked session was submitted to the screen.
    func drawn(_ output: UnsafeMutablePointer<wlr_output>) {
        guard !lock.isTold, !lock.awaitsPicture else { return }
        watched = output
        change { $0.pictureGiven() }
    }

    /// The screen was resized, or may be dark now: powered off, on another console, or removed.
    func screenChanged() {
        for item in items { configure(item) }
        if mw_server_is_dark(context.server) { change { $0.screenDark() } }
    }

    func outputGone(_ output: UnsafeMutablePointer<wlr_output>) {
        for item in items where item.output == output { item.output = nil }
        guard watched == output else { return }
        watched = nil
        change { $0.pictureLost() }
    }

    // MARK: Carrying out decisions

    private static func number(_ locker: any SessionLocker) -> SessionLock.Locker {
        SessionLock.Locker(UInt(bitPattern: ObjectIdentifier(locker)))
    }

    /// The calls made here may reenter this object, which is already in its new state then.
    @discardableResult
    private func change<Result>(_ body: (inout SessionLock) -> Result) -> Result {
        let before = lock
        var after = before
        let result = body(&after)
        lock = after
        if after.awaitsPicture != before.awaitsPicture { watch(after.awaitsPicture) }
        if after.isLocked != before.isLocked { mw_lock_set(context.server, after.isLocked) }
        if after.isTold, !before.isTold { locker?.sendLocked() }
        return result
    }

    private func watch(_ waits: Bool) {
        if waits, let watched {
            present = Listener(watched.pointer(to: \.events.present)!) { [unowned self] _ in change { $0.pictureSeen() } }
            timer?.arm(in: Self.patience)
        } else {
            watched = nil
            present = nil
            timer?.disarm()
        }
    }

    private func configure(_ item: Item) {
        var width = 0.0, height = 0.0
        guard let output = item.output, mw_output_points(context.server, output, &width, &height) else { return }
        let (w, h) = (UInt32(width.rounded()), UInt32(height.rounded()))
        guard w != item.width || h != item.height else { return }
        (item.width, item.height) = (w, h)
        item.object.configure(width: w, height: h)
    }

    private func hide(_ item: Item) { mw_lock_hide(context.server, item.object.surface) }
}
