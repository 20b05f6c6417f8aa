import CWlroots
import WaylandServer
import Windows

/// Pings clients (xdg_wm_base.ping) when they are asked to close a window, and reports those that do not answer. X11
/// clients are not asked.
final class Silence {
    private unowned let compositor: Compositor
    private var asked: [WindowID: (silent: Listener, gone: Listener)] = [:]

    init(_ compositor: Compositor) { self.compositor = compositor }

    /// Milliseconds until a client counts as silent.
    private static let patience: UInt32 = 5000

    func ask(_ id: WindowID, _ window: OpaquePointer) {
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        guard let toplevel = info.toplevel, let base = toplevel.pointee.base, let shell = base.pointee.client.pointee.shell else { return }
        shell.pointee.ping_timeout = Self.patience
        if asked[id] == nil {
            asked[id] = (
                Listener(&base.pointee.events.ping_timeout) { [unowned self] _ in
                    asked[id] = nil
                    compositor.emit(.windowSilent(id))
                },
                Listener(mw_xdg_destroy_signal(toplevel)) { [unowned self] _ in asked[id] = nil }
            )
        }
        wlr_xdg_surface_ping(base)
    }

    /// Makes the client's main loop turn, so that timers that are due run: by a ping, or for X11 by its present place. xterm closes its
    /// window at any message of WM_PROTOCOLS, and so at a ping.
    func nudge(_ window: OpaquePointer) {
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        if info.x11, let x11 = compositor.xwayland?.windows.first(where: { $0.window == window }) {
            let place = x11.raw.pointee
            return wlr_xwayland_surface_configure(x11.raw, place.x, place.y, place.width, place.height)
        }
        if let base = info.toplevel?.pointee.base { wlr_xdg_surface_ping(base) }
    }
}

extension Compositor {
    /// Makes the main loop of the window's client turn, and tells the client nothing new.
    public func nudge(_ id: WindowID) {
        if let window = windows[id] { silence.nudge(window) }
    }
}
