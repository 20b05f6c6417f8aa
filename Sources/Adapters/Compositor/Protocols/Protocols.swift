import CWlroots
import Logging
import WaylandServer

/// The Wayland protocols implemented in Swift. To add one, write a class in a file beside this one and create it in
/// `init`.
final class Protocols {
    /// The objects that the implementation of a protocol needs.
    struct Context {
        let server: OpaquePointer
        let display: OpaquePointer
        let loop: OpaquePointer
        let log: Logger

        /// Whether the session is ending. Clients' state no longer matters then.
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
    let windowHints: WindowHintsProtocol
    let foreignWindows: ForeignWindows
    let clients: Clients
    let sessions: SessionManagement
    let selectionOwners: SelectionOwners
    let menus: ExportedMenus
    let gamma: GammaControl
    private let others: [AnyObject]
    /// Protocols of the seat. Set while the seat exists.
    private(set) var gestures: Gestures?
    private(set) var pointerConstraints: PointerConstraints?

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer, _ compositor: Compositor) {
        let context = Context(server: server, display: mw_server_display(server), loop: mw_server_loop(server), log: compositor.log)
        let menus = ExportedMenus(compositor)
        let clients = Clients(context, compositor), lockedSession = LockedSession(context, compositor)
        guard let taskbars = Taskbars(context), let presentation = Presentation(context),
            let cursorShapes = CursorShapes(context), let idle = Idle(context, compositor), let fractionalScale = FractionalScale(context),
            let singlePixel = SinglePixelBuffers(context),
            let securityContexts = SecurityContexts(context, clients), let lock = LockProtocol(context, lockedSession),
            let sessions = SessionManagement(context, compositor),
            let screens = Screens(context, compositor),
            let toplevelList = ToplevelList(context), let dialogs = Dialogs(context),
            let bell = SystemBell(context, compositor), let gtkShell = GTKShell(context, dialogs, bell, menus),
            let kdeMenus = KDEMenus(context, menus), let gamma = GammaControl(context),
            let foreignWindows = ForeignWindows(context, dialogs),
            let life = LifeManager(context, compositor), let windowHints = WindowHintsProtocol(context, compositor)
        else { return nil }
        self.context = context
        self.clients = clients
        self.menus = menus
        self.gamma = gamma
        selectionOwners = SelectionOwners(context, compositor)
        self.idle = idle
        self.fractionalScale = fractionalScale
        self.lockedSession = lockedSession
        self.screens = screens
        self.sessions = sessions
        others = [cursorShapes, singlePixel, securityContexts, lock, life, bell, gtkShell, kdeMenus]
        self.presentation = presentation
        self.taskbars = taskbars
        self.toplevelList = toplevelList
        self.dialogs = dialogs
        self.windowHints = windowHints
        self.foreignWindows = foreignWindows
    }

    /// Removes a window from all window lists.
    func unlist(_ window: OpaquePointer) {
        toplevelList.remove(window)
        taskbars.remove(window)
    }

    /// The session was locked or unlocked. A locked session has empty window lists.
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

    /// The seat was created. Returns false if out of memory.
    func beginSeat() -> Bool {
        pointerConstraints = PointerConstraints(context)
        gestures = Gestures(context)
        return pointerConstraints != nil && gestures != nil
    }

    /// The seat is about to be destroyed.
    func endSeat() {
        gestures = nil
        pointerConstraints = nil
    }

    /// The pointer focus changed.
    func pointerFocusChanged() {
        gestures?.focusChanged()
        pointerConstraints?.check()
    }
}
