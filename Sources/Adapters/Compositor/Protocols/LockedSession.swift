import CWlroots
import Seat
import WaylandServer

/// A client's hold on the session, as the protocol knows it.
protocol SessionLocker: AnyObject {
    func sendLocked()
}

/// One of a locker's surfaces, as the protocol knows it.
protocol SessionLockSurface: AnyObject {
    var surface: Surface { get }
    var isMapped: Bool { get }
    func configure(width: UInt32, height: UInt32)
}

/// The locked session: carries out what `SessionLock` decides.
///
/// What input and drawing ask for at each event and frame, whether the session is locked and which surface a screen shows, C
/// keeps (lock.c). It hears of both from here, and shows nothing of a locked session that it was not told to.
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

    /// A screen that never says that a picture is shown is not waited for longer than this after the picture was given to it.
    private static let patience: Int64 = 500_000_000

    private let context: Protocols.Context
    private var lock = SessionLock()
    private var locker: (any SessionLocker)?
    /// Of the present locker.
    private var items: [Item] = []
    private var watched: UnsafeMutablePointer<wlr_output>?
    private var present: Listener?
    private var timer: Timer?

    init?(_ context: Protocols.Context) {
        self.context = context
        timer = Timer(context.loop) { [unowned self] in change { $0.pictureSeen() } }
        guard timer != nil else { return nil }
    }

    // MARK: What the protocol says

    /// - Returns: false if somebody else holds the session.
    func begin(_ new: any SessionLocker) -> Bool {
        guard lock.locker == nil else { return false }
        locker = new
        return change { $0.begin(Self.number(new), isDark: mw_server_is_dark(context.server)) }
    }

    func unlock(_ leaving: any SessionLocker) { change { $0.unlock(Self.number(leaving)) } }

    /// It died or gave up. Unless it unlocked, a session that was locked stays so.
    func gone(_ gone: any SessionLocker) {
        guard locker === gone else { return }
        locker = nil
        for item in items { hide(item) }
        items = []
        // The session's end unlocks nothing.
        if !context.isEnding { change { $0.lockerGone(Self.number(gone)) } }
    }

    /// A locker made a surface. That of one that was refused, or is over, is never shown.
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

    /// It has new content, or has lost what it had.
    func committed(_ object: any SessionLockSurface) {
        guard let item = items.first(where: { $0.object === object }) else { return }
        if object.isMapped {
            mw_lock_show(context.server, item.output, object.surface)
        } else {
            hide(item)
        }
    }

    // MARK: What the screen says

    /// A locked picture was given to the screen.
    func drawn(_ output: UnsafeMutablePointer<wlr_output>) {
        guard !lock.isTold, !lock.awaitsPicture else { return }
        watched = output
        change { $0.pictureGiven() }
    }

    /// It has another size, or may be dark now: power, another console, none there.
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

    // MARK: Carrying it out

    private static func number(_ locker: any SessionLocker) -> SessionLock.Locker {
        SessionLock.Locker(UInt(bitPattern: ObjectIdentifier(locker)))
    }

    /// What is called here may lead back to this object, which then is in its new state already.
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
