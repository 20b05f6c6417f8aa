import CWlroots
import CX11Guards
import Glibc
import Logging
import WaylandServer

/// Xwayland, rootless, started when the first X11 client connects. Managed windows are windows like any other.
/// Override-redirect ones (menus, tooltips) belong to a managed window and are drawn and hit together with it, or lie
/// above everything.
final class Xwayland {
    unowned let compositor: Compositor
    let server: OpaquePointer
    let loop: OpaquePointer
    let raw: UnsafeMutablePointer<wlr_xwayland>
    /// X11 windows of all kinds, newest last.
    var windows: [X11Window] = []
    private let access: X11Access
    private var listeners: [Listener] = []
    /// The guards of the Xwayland that runs or ran last.
    private var guards: X11Guards?
    /// Fires if Xwayland continues without a window manager.
    private var unmanaged: Timer?
    private var unmanagedProcess: pid_t = 0
    private var uses = 0

    /// Returns nil, after logging the reason, if X11 programs cannot run.
    init?(_ compositor: Compositor) {
        self.compositor = compositor
        server = compositor.server
        loop = mw_server_loop(server)
        X11Access.prepareFolder()
        // Lazy: nothing runs until an X11 client connects.
        guard let raw = wlr_xwayland_create(mw_server_display(server), mw_server_compositor(server), true) else { return nil }
        self.raw = raw
        guard let access = X11Access(raw.pointee.server, loop) else {
            let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "(not set)"
            compositor.log.error("X11 programs will not run: the socket or the cookie file cannot be created in \(folder)")
            wlr_xwayland_destroy(raw)
            return nil
        }
        self.access = access
        listeners = [
            Listener(raw.pointer(to: \.events.new_surface)!) { [unowned self] data in
                windows.append(X11Window(self, data!.assumingMemoryBound(to: wlr_xwayland_surface.self)))
            },
            Listener(raw.pointer(to: \.events.ready)!) { [unowned self] _ in ready() },
            // Connect after wlroots' own listener, which reads the descriptor.
            Listener(raw.pointee.server.pointer(to: \.events.ready)!) { data in
                // libxcb owns the window manager's connection by now, and closes it. wlroots closes the same number
                // again, and by then it may belong to the descriptor that waits for X11's next client. The loop would
                // keep watching that one for freed memory.
                let server = data!.assumingMemoryBound(to: wlr_xwayland_server_ready_event.self).pointee.server!
                server.pointee.wm_fd.0 = -1
                // If Xwayland lived for less than five seconds, wlroots would never start it again.
                server.pointee.server_start = 0
            },
        ]
    }

    /// The area of all screens, in X11's coordinates.
    var screen: wlr_box? {
        #if WLR18
            var box = wlr_box()
            wlr_output_layout_get_box(mw_server_layout(server), nil, &box)
            return box
        #else
            return wlr_output_layout_get_box(mw_server_layout(server), nil)?.pointee
        #endif
    }

    /// The Xwayland of a server. Also works while its compositor is being freed. nil if there is none.
    static func of(_ server: OpaquePointer?) -> Xwayland? {
        // The pointer was made from the compositor that owns the server, which it outlives.
        Compositor.of(server).xwayland
    }

    /// For example ":0".
    var displayName: String { String(cString: raw.pointee.display_name) }
    /// The Xauthority file with the cookie that admits programs.
    var authority: String { access.authority }
    /// The atom `_NET_WM_WINDOW_TYPE_SPLASH`; 0 if unknown.
    var splashType: UInt32 { guards?.splashType ?? 0 }
    /// The atoms of the types of dialogs and tool windows.
    var secondaryTypes: [UInt32] { guards?.secondaryTypes ?? [] }
    /// The atoms of the types of menus.
    var menuTypes: [UInt32] { guards?.menuTypes ?? [] }
    /// The root window's number; 0 if Xwayland does not run.
    var root: UInt32 {
        guard raw.pointee.xwm != nil, let connection = x11_guards_newest_connection() else { return 0 }
        return xcb_setup_roots_iterator(xcb_get_setup(connection)).data?.pointee.root ?? 0
    }
    var isEnding: Bool { mw_server_is_ending(server) }

    private func ready() {
        guards = nil
        guards = X11Guards(self)
        exemptFromLimits(raw.pointee.server.pointee.client)
        wlr_xwayland_set_seat(raw, InputRouting.of(server: server)?.wlr)
        InputRouting.of(server: server)?.cursor.give(to: raw)
        if mw_lock_is_locked(server) { lock(true) }
        compositor.onX11Display(displayName)
    }

    func remove(_ window: X11Window) {
        window.end()
        windows.removeAll { $0 === window }
        window.freeWindow()
    }

    /// A number greater than that of each earlier use of a window.
    func nextUse() -> Int {
        uses += 1
        return uses
    }

    /// The event loop begins a turn.
    func turnBegins() { guards?.turnBegins() }

    /// Keeps X11 programs from seeing or doing anything in a locked session. While the window manager's connection
    /// grabs the server, Xwayland answers no other client, and new clients wait.
    func lock(_ locked: Bool) {
        // If Xwayland does not run, it is grabbed later, when it is ready.
        guard raw.pointee.xwm != nil, let connection = x11_guards_newest_connection() else { return }
        _ = locked ? xcb_grab_server(connection) : xcb_ungrab_server(connection)
        xcb_flush(connection)
    }

    /// Starts a drag. wlroots' X11 window manager assumes that every drag has a source, so hide a drag without one
    /// from it.
    func startDrag(_ drag: UnsafeMutablePointer<wlr_drag>, _ start: () -> Void) {
        let isUnaware = drag.pointee.source == nil && raw.pointee.xwm != nil
        if isUnaware { wlr_xwayland_set_seat(raw, nil) }
        start()
        if isUnaware { wlr_xwayland_set_seat(raw, InputRouting.of(server: server)?.wlr) }
    }

    /// A drag is dropped on a surface. Where that is an X11 window, the window manager still hands it the data after the drag has ended.
    func dropped(_ drag: UnsafeMutablePointer<wlr_drag>) { guards?.keepDrop(drag) }

    // MARK: Process

    func isClient(_ client: WaylandClient) -> Bool { raw.pointee.server?.pointee.client == client }

    /// Forgets the client of an Xwayland that failed to start. wlroots keeps it, and would destroy it again when it
    /// reads the failure.
    func clientGone(_ client: WaylandClient) {
        if isClient(client), raw.pointee.server.pointee.pipe_source != nil { raw.pointee.server.pointee.client = nil }
    }

    /// wlroots' window manager ends. An X11 program may cause this (KillClient). Without a window manager, Xwayland
    /// would show no X11 window until its last program exits. So end it.
    func windowManagerEnds() {
        // wlroots 0.18 has no server any more when the shell ends.
        guard !isEnding, let process = raw.pointee.server?.pointee.pid else { return }
        if unmanaged == nil { unmanaged = Timer(loop) { [unowned self] in endUnmanaged() } }
        unmanagedProcess = process
        // If Xwayland ends by itself, both of its connections end, in any order. So wait a moment.
        unmanaged?.arm(in: 1_000_000_000)
    }

    private func endUnmanaged() {
        guard raw.pointee.xwm == nil, let server = raw.pointee.server?.pointee, let client = server.client,
            server.pid == unmanagedProcess
        else { return }
        compositor.log.error(
            "Xwayland has ended its window manager's connection, probably because an X11 program asked for it: it is ended")
        wl_client_destroy(client)
    }

    #if !WLR18
        /// A child process waits until Xwayland is ready, and holds the shell's end of Xwayland's connection open. If the
        /// shell exited at that moment, both would wait for each other forever.
        private func endWaiting() {
            guard let server = raw.pointee.server?.pointee, server.pipe_source != nil, server.pid > 0 else { return }
            kill(server.pid, SIGKILL)
            while waitpid(server.pid, nil, 0) < 0, errno == EINTR {}
        }
    #endif

    /// The session ends. Xwayland goes before all other clients.
    func finish() {
        listeners = []
        #if !WLR18
            endWaiting()
        #endif
        unmanaged = nil
        while let window = windows.last { remove(window) }
        #if !WLR18
            // wlroots 0.15 leaks its window manager. Keep a reference, so that the sanitizer reports only unknown leaks.
            mw_x11_leave_behind(raw.pointee.xwm)
        #endif
        wlr_xwayland_destroy(raw)
        access.finish()
        guards = nil
    }
}
