import CWlroots
import Geometry
import Seat
import WaylandServer
import Windows

/// A client's lock on the session, as the protocol implements it.
protocol SessionLocker: AnyObject {
    func sendLocked()
    /// Another locker holds the session.
    func refuse()
}

/// A lock surface, as the protocol implements it.
protocol SessionLockSurface: AnyObject {
    var surface: Surface { get }
    var isMapped: Bool { get }
    func configure(width: UInt32, height: UInt32)
}

/// The locked session. Reports lockers and locked frames, and carries out the core's decisions (`SessionLock`).
///
/// Input and drawing ask at every event and frame whether the session is locked and which lock surface a screen
/// shows. C keeps those answers (lock.c) and gets them from here. While the session is locked, C shows nothing else.
final class LockedSession {
    private final class Item {
        let object: any SessionLockSurface
        var output: UnsafeMutablePointer<wlr_output>?
        /// The size of the last configure.
        var width: UInt32 = 0, height: UInt32 = 0

        init(_ object: any SessionLockSurface, _ output: UnsafeMutablePointer<wlr_output>?) {
            self.object = object
            self.output = output
        }
    }

    private let context: Protocols.Context
    private unowned let compositor: Compositor
    /// The programs that asked for the session and still have their lock object.
    private var lockers: [LockerID: any SessionLocker] = [:]
    private var lastNumber: UInt32 = 0
    /// The locker whose surfaces are shown.
    private var served: LockerID?
    /// The lock surfaces of that locker.
    private var items: [Item] = []
    private var watch = LockEffect.FrameWatch.nothing
    /// The screen that was last given a locked frame.
    private var drawnOn: UnsafeMutablePointer<wlr_output>?
    private var present: Listener?
    /// The area where taps go to the shell. Only while the session is locked.
    private(set) var ownPart: Rect?
    /// The window over the shell's own lock screen.
    private(set) var over: WindowOverLock?

    init(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
    }

    private func report(_ event: LockEvent) { compositor.emit(.lock(event)) }

    // MARK: Calls from the protocol

    /// A program asks for the session. The core may refuse it before this returns.
    func asked(_ locker: any SessionLocker) {
        lastNumber += 1
        let id = LockerID(lastNumber)
        lockers[id] = locker
        report(.asked(id, isDark: mw_server_is_dark(context.server)))
    }

    func unlock(_ leaving: any SessionLocker) {
        if let id = id(of: leaving) { report(.unlocked(id)) }
    }

    /// The locker's client died or gave up. A locked session stays locked unless the client unlocked it.
    func gone(_ gone: any SessionLocker) {
        guard let id = id(of: gone) else { return }
        lockers[id] = nil
        // The end of the session does not unlock it.
        if context.isEnding { serve(nil) } else { report(.gone(id)) }
    }

    private func id(of locker: any SessionLocker) -> LockerID? { lockers.first { $0.value === locker }?.key }

    /// A locker made a surface. Surfaces of a locker that was refused or is finished are never shown.
    func add(_ object: any SessionLockSurface, of owner: any SessionLocker, on output: UnsafeMutablePointer<wlr_output>?) {
        guard let served, id(of: owner) == served else { return }
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

    /// Whether the shell itself is the locker: all input is for its lock screen.
    var isOwn: Bool { served == .shell }

    /// Whether input at this point is for the shell's own lock screen, and not for an app over it.
    func takes(_ point: Point) -> Bool { isOwn && !(over?.area.contains(point) ?? false) }

    /// Whether a key is for the shell's own lock screen, and not for an app over it.
    func takesKey(_ symbol: KeySymbol, withSuper isSuper: Bool) -> Bool {
        isOwn && (over == nil || symbol.staysOnLock(withSuper: isSuper))
    }

    /// A finger or a button went down and up in the shell's own part of the locked screen.
    func tapped(at point: Point) {
        if let ownPart, ownPart.contains(point) { report(.tapped(at: point)) }
    }

    // MARK: Calls from the screen

    /// A frame of the locked session was submitted to the screen.
    func drawn(_ output: UnsafeMutablePointer<wlr_output>) {
        guard watch == .submission else { return }
        drawnOn = output
        report(.frameSubmitted)
    }

    /// The screen is about to have this size in points, perhaps at another scale.
    ///
    /// The locker hears of the size before it hears of the scale (wl_output.scale comes with the change itself). swaylock decides by the
    /// pixels of its last picture whether it draws a new one. At twice the scale, half the size has as many pixels: if the scale came
    /// first, it would answer with its old picture, which has the wrong size.
    func screenWill(be size: Size, _ output: UnsafeMutablePointer<wlr_output>) {
        for item in items where item.output == output { configure(item, size) }
    }

    /// The screen was resized, or may be dark now: powered off, on another console, or removed.
    func screenChanged() {
        for item in items { configure(item) }
        if watch != .nothing, mw_server_is_dark(context.server) { report(.dark) }
    }

    func outputGone(_ output: UnsafeMutablePointer<wlr_output>) {
        for item in items where item.output == output { item.output = nil }
        guard drawnOn == output else { return }
        drawnOn = nil
        present = nil
        if watch == .presentation, !context.isEnding { report(.frameLost) }
    }

    // MARK: Carrying out decisions

    func carryOut(_ effect: LockEffect) {
        switch effect {
        case .lock(let isLocked):
            over = nil
            mw_lock_set(context.server, isLocked)
        case .serve(let id): serve(id)
        case .refuse(let id): lockers[id]?.refuse()
        case .confirm(let id): lockers[id]?.sendLocked()
        case .ownPart(let part): ownPart = part
        case .over(let over):
            self.over = over
            let origin = over?.frame.origin ?? .zero
            mw_lock_let_in(context.server, over.flatMap { compositor.windows[$0.window] }, origin.x, origin.y, over?.scale ?? 1)
        // Other adapters carry these out.
        case .note, .start, .startAt: break
        case .watch(let wanted):
            watch = wanted
            present = nil
            // A dark screen submits no frame.
            if wanted == .submission, mw_server_is_dark(context.server) { report(.dark) }
            guard wanted == .presentation, let drawnOn else { return }
            present = Listener(drawnOn.pointer(to: \.events.present)!) { [unowned self] _ in report(.frameSeen) }
        }
    }

    private func serve(_ id: LockerID?) {
        served = id
        for item in items { hide(item) }
        items = []
    }

    private func configure(_ item: Item) {
        var width = 0.0, height = 0.0
        guard let output = item.output, mw_output_points(context.server, output, &width, &height) else { return }
        configure(item, Size(width, height))
    }

    private func configure(_ item: Item, _ size: Size) {
        let (w, h) = (UInt32(clamping: size.width.rounded()), UInt32(clamping: size.height.rounded()))
        guard w != item.width || h != item.height else { return }
        (item.width, item.height) = (w, h)
        item.object.configure(width: w, height: h)
    }

    private func hide(_ item: Item) { mw_lock_hide(context.server, item.object.surface) }
}
