import CWlroots
import WaylandServer

/// wlr-foreign-toplevel-management: tells taskbars about the windows, and receives their requests.
final class Taskbars {
    private typealias Raw = UnsafeMutablePointer<wlr_foreign_toplevel_handle_v1>

    private let context: Protocols.Context
    private let manager: UnsafeMutablePointer<wlr_foreign_toplevel_manager_v1>
    private var handles: [OpaquePointer: Handle] = [:]

    init?(_ context: Protocols.Context) {
        guard let manager = wlr_foreign_toplevel_manager_v1_create(context.display) else { return nil }
        self.context = context
        self.manager = manager
    }

    /// Updates a window that was shown, hidden, activated or deactivated. Taskbars see no windows of a locked
    /// session.
    func announce(_ window: OpaquePointer) {
        var state = mw_window_sight()
        mw_window_get_sight(window, &state)
        guard state.mapped, !mw_lock_is_locked(context.server), let raw = (handles[window] ?? make(window, state))?.raw else {
            return
        }
        // A hidden window is minimized, not on another output: taskbars list only windows on their own output.
        if let output = mw_server_first_output(context.server) { wlr_foreign_toplevel_handle_v1_output_enter(raw, output) }
        wlr_foreign_toplevel_handle_v1_set_activated(raw, state.activated)
        wlr_foreign_toplevel_handle_v1_set_minimized(raw, !state.shown)
        tell(raw, state)
    }

    /// The client got a configure.
    func configured(_ window: OpaquePointer) {
        guard let raw = handles[window]?.raw else { return }
        var state = mw_window_sight()
        mw_window_get_sight(window, &state)
        tell(raw, state)
    }

    /// The window's title or app id changed.
    func update(_ window: OpaquePointer) {
        if let raw = handles[window]?.raw { tellNames(raw, window) }
    }

    /// Tells taskbars the parent of a dialog, once both windows are listed.
    func tellParent(_ window: OpaquePointer) {
        guard let raw = handles[window]?.raw else { return }
        var state = mw_window_sight()
        mw_window_get_sight(window, &state)
        if let parent = state.parent.flatMap({ handles[$0] }) { wlr_foreign_toplevel_handle_v1_set_parent(raw, parent.raw) }
    }

    func remove(_ window: OpaquePointer) {
        guard let handle = handles.removeValue(forKey: window) else { return }
        handle.listeners = []
        wlr_foreign_toplevel_handle_v1_destroy(handle.raw)
    }

    private func make(_ window: OpaquePointer, _ state: mw_window_sight) -> Handle? {
        guard let raw = wlr_foreign_toplevel_handle_v1_create(manager) else { return nil }
        let handle = Handle(raw, window)
        handles[window] = handle
        tellNames(raw, window)
        wlr_foreign_toplevel_handle_v1_set_parent(raw, state.parent.flatMap { handles[$0] }?.raw)
        return handle
    }

    private func tell(_ raw: Raw, _ state: mw_window_sight) {
        wlr_foreign_toplevel_handle_v1_set_maximized(raw, state.arranged)
        wlr_foreign_toplevel_handle_v1_set_fullscreen(raw, state.fullscreen)
    }

    private func tellNames(_ raw: Raw, _ window: OpaquePointer) {
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        wlr_foreign_toplevel_handle_v1_set_title(raw, info.title)
        wlr_foreign_toplevel_handle_v1_set_app_id(raw, info.app_id)
    }

    /// A window's handle for taskbars, and their requests for it.
    private final class Handle {
        let raw: Raw
        var listeners: [Listener]

        init(_ raw: Raw, _ window: OpaquePointer) {
            self.raw = raw
            func ask(_ request: mw_request_kind, _ value: Int32) {
                mw_window_report_request(window, Int32(bitPattern: request.rawValue), value)
            }
            listeners = [
                Listener(raw.pointer(to: \.events.request_maximize)!) { data in
                    let event = data!.assumingMemoryBound(to: wlr_foreign_toplevel_handle_v1_maximized_event.self)
                    ask(MW_REQUEST_MAXIMIZE, event.pointee.maximized ? 1 : 0)
                },
                Listener(raw.pointer(to: \.events.request_minimize)!) { data in
                    let event = data!.assumingMemoryBound(to: wlr_foreign_toplevel_handle_v1_minimized_event.self)
                    ask(event.pointee.minimized ? MW_REQUEST_MINIMIZE : MW_REQUEST_ACTIVATE, 1)
                },
                Listener(raw.pointer(to: \.events.request_activate)!) { _ in ask(MW_REQUEST_ACTIVATE, 1) },
                Listener(raw.pointer(to: \.events.request_fullscreen)!) { data in
                    let event = data!.assumingMemoryBound(to: wlr_foreign_toplevel_handle_v1_fullscreen_event.self)
                    mw_window_wants_fullscreen(window, event.pointee.fullscreen)
                    ask(MW_REQUEST_FULLSCREEN, event.pointee.fullscreen ? 1 : 0)
                },
                Listener(raw.pointer(to: \.events.request_close)!) { _ in ask(MW_REQUEST_CLOSE, 0) },
            ]
        }
    }
}
