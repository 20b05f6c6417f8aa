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
    let presentation: Presentation
    let taskbars: Taskbars
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
        guard let taskbars = Taskbars(context), let presentation = Presentation(context),
            let cursorShapes = CursorShapes(context), let idle = Idle(context), let fractionalScale = FractionalScale(context),
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
        self.presentation = presentation
        self.taskbars = taskbars
        self.toplevelList = toplevelList
        self.dialogs = dialogs
    }

    /// A window is in no list of windows any more.
    func unlist(_ window: OpaquePointer) {
        toplevelList.remove(window)
        taskbars.remove(window)
    }

    /// The session was locked or unlocked: lists of windows have none of them, or all again.
    func setLocked(_ locked: Bool, _ windows: [OpaquePointer]) {
        for window in windows {
            if locked {
                unlist(window)
            } else {
                var state = mw_window_sight()
                mw_window_get_sight(window, &state)
                guard state.mapped else { continue }
                toplevelList.add(window)
                mw_window_set_sight(window, state.activated, state.shown)
                taskbars.announce(window)
            }
        }
        for window in windows { taskbars.tellParent(window) }
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
