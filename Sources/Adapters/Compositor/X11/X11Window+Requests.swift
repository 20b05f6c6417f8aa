import CWlroots
import WaylandServer

/// Names and requests of X11 windows.
extension X11Window {
    func requestListeners() -> [Listener] {
        let raw = raw
        var all = [
            Listener(raw.pointer(to: \.events.request_configure)!) { [unowned self] data in
                configureAsked(data!.assumingMemoryBound(to: wlr_xwayland_surface_configure_event.self).pointee)
            },
            Listener(raw.pointer(to: \.events.request_fullscreen)!) { [unowned self] _ in
                guard let window else { return }
                mw_window_parts(window).state.pointee.fullscreen_wanted = raw.pointee.fullscreen
                report(MW_REQUEST_FULLSCREEN, raw.pointee.fullscreen ? 1 : 0)
            },
            Listener(raw.pointer(to: \.events.request_maximize)!) { [unowned self] _ in
                guard let window else { return }
                report(MW_REQUEST_MAXIMIZE, raw.pointee.maximized_horz && raw.pointee.maximized_vert ? 1 : 0)
                // The request itself changes nothing. Set the state again that the shell decided.
                if isConfigured { wlr_xwayland_surface_set_maximized(raw, mw_window_parts(window).wanted.pointee.arranged) }
            },
            Listener(raw.pointer(to: \.events.request_minimize)!) { [unowned self] data in
                if data!.assumingMemoryBound(to: wlr_xwayland_minimize_event.self).pointee.minimize { report(MW_REQUEST_MINIMIZE, 1) }
            },
            Listener(raw.pointer(to: \.events.request_activate)!) { [unowned self] _ in report(MW_REQUEST_ACTIVATE, 0) },
            Listener(raw.pointer(to: \.events.request_move)!) { [unowned self] _ in reportWhileHeld(MW_REQUEST_MOVE) },
            Listener(raw.pointer(to: \.events.request_resize)!) { [unowned self] data in
                reportWhileHeld(MW_REQUEST_RESIZE, edges: data!.assumingMemoryBound(to: wlr_xwayland_resize_event.self).pointee.edges)
            },
        ]
        var names = [raw.pointer(to: \.events.set_title)!, raw.pointer(to: \.events.set_class)!, raw.pointer(to: \.events.set_parent)!]
        #if !WLR18
            names.append(raw.pointer(to: \.events.set_pid)!)
        #endif
        all += names.map { signal in
            Listener(signal) { [unowned self] _ in
                if let window { mw_window_report_renamed(window) }
            }
        }
        return all
    }

    private func configureAsked(_ wish: wlr_xwayland_surface_configure_event) {
        guard let window, isConfigured, !raw.pointee.override_redirect else {
            wlr_xwayland_surface_configure(raw, wish.x, wish.y, max(wish.width, 1), max(wish.height, 1))
            return
        }
        // The shell decides the position and, for an arranged window, the size.
        let wanted = mw_window_parts(window).wanted.pointee
        wlr_xwayland_surface_configure(
            raw, Int16(truncatingIfNeeded: wanted.x), Int16(truncatingIfNeeded: wanted.y),
            Self.clamped(wanted.width > 0 ? wanted.width : Int32(clamping: wish.width)),
            Self.clamped(wanted.height > 0 ? wanted.height : Int32(clamping: wish.height)))
    }

    private func report(_ kind: mw_request_kind, _ value: Int32) {
        if let window { mw_window_report_request(window, Int32(kind.rawValue), value) }
    }

    /// X11 provides no serial, so only a window that the user currently presses may ask.
    private func reportWhileHeld(_ kind: mw_request_kind, edges: UInt32 = 0) {
        guard let surface = raw.pointee.surface,
            InputRouting.of(server: xwayland.server)?.holder(wl_resource_get_client(surface.pointee.resource), serial: 0) != nil
        else { return }
        if let window { mw_window_report_request(window, Int32(kind.rawValue | (edges & 0xf) << 8), -2) }
    }
}
