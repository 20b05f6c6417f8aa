import CWlroots
import Logging
import WaylandServer

/// The Wayland protocols that are served in Swift. A new one is a class in a file of its own beside this one, and a line in
/// `init`.
final class Protocols {
    /// What a protocol's server works with.
    struct Context {
        let server: OpaquePointer
        let display: OpaquePointer
        let loop: OpaquePointer
        let log: Logger

        /// The session ends: what clients did no longer matters.
        var isEnding: Bool { mw_server_is_ending(server) }
    }

    private let context: Context
    let idle: Idle
    let fractionalScale: FractionalScale
    let lockedSession: LockedSession
    let screens: Screens
    let toplevelList: ToplevelList
    let dialogs: Dialogs
    private let others: [AnyObject]
    /// Those of the seat, while it is there.
    private(set) var gestures: Gestures?
    private(set) var pointerConstraints: PointerConstraints?

    /// nil: out of memory.
    init?(_ server: OpaquePointer, _ compositor: Compositor) {
        let context = Context(server: server, display: mw_server_display(server), loop: mw_server_loop(server), log: compositor.log)
        let clients = Clients(context, compositor)
        guard let cursorShapes = CursorShapes(context), let idle = Idle(context), let fractionalScale = FractionalScale(context),
            let singlePixel = SinglePixelBuffers(context),
            let securityContexts = SecurityContexts(context, clients), let lockedSession = LockedSession(context),
            let lock = LockProtocol(context, lockedSession), let sessions = SessionManagement(context),
            let screens = Screens(context, compositor),
            let toplevelList = ToplevelList(context), let dialogs = Dialogs(context)
        else { return nil }
        self.context = context
        self.idle = idle
        self.fractionalScale = fractionalScale
        self.lockedSession = lockedSession
        self.screens = screens
        others = [cursorShapes, singlePixel, clients, securityContexts, lock, sessions]
        self.toplevelList = toplevelList
        self.dialogs = dialogs
    }

    /// The seat is there. False: out of memory.
    func beginSeat() -> Bool {
        pointerConstraints = PointerConstraints(context)
        gestures = Gestures(context)
        return pointerConstraints != nil && gestures != nil
    }

    /// The seat is about to go.
    func endSeat() {
        gestures = nil
        pointerConstraints = nil
    }

    /// The pointer came to another surface, or left one.
    func pointerFocusChanged() {
        gestures?.focusChanged()
        pointerConstraints?.check()
    }
}
