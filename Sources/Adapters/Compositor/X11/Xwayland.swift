import CWlroots
import CX11Guards
import Glibc
import Logging
import WaylandServer

/// Xwayland: started when the first X11 client comes, rootless. Managed windows are windows like any other; override-redirect
/// ones (menus, tooltips) belong to one of them and are drawn and hit with it, or lie over everything.
final class Xwayland {
    unowned let compositor: Compositor
    let server: OpaquePointer
    let loop: OpaquePointer
    let raw: UnsafeMutablePointer<wlr_xwayland>
    /// Of all kinds, the newest last.
    var windows: [X11Window] = []
    private let access: X11Access
    private var listeners: [Listener] = []
    /// Of the Xwayland that runs, or ran last.
    private var guards: X11Guards?
    /// Of one that has lost its window manager.
    private var unmanaged: Timer?
    private var unmanagedProcess: pid_t = 0

    /// nil: X11 programs will not run, and the log says why.
    init?(_ compositor: Compositor) {
        self.compositor = compositor
        server = compositor.server
        loop = mw_server_loop(server)
        X11Access.prepareFolder()
        // Lazily: nothing runs until an X11 client connects.
        guard let raw = wlr_xwayland_create(mw_server_display(server), mw_server_compositor(server), true) else { return nil }
        self.raw = raw
        guard let access = X11Access(raw.pointee.server, loop) else {
            let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "(not set)"
            compositor.log.error("X11 programs will not run: in \(folder) no socket or no file for the cookie can be made")
            wlr_xwayland_destroy(raw)
            return nil
        }
        self.access = access
        listeners = [
            Listener(raw.pointer(to: \.events.new_surface)!) { [unowned self] data in
                windows.append(X11Window(self, data!.assumingMemoryBound(to: wlr_xwayland_surface.self)))
            },
            Listener(raw.pointer(to: \.events.ready)!) { [unowned self] _ in ready() },
            // After wlroots' own listener, which reads the descriptor.
            Listener(raw.pointee.server.pointer(to: \.events.ready)!) { data in
                // The window manager's connection is libxcb's by now, which closes it at its end. wlroots closes it as well, and
                // the second to do so closes what has got its number since: the descriptor by which X11's next client is waited
                // for. The loop would go on watching that, for somebody whose memory is freed.
                let server = data!.assumingMemoryBound(to: wlr_xwayland_server_ready_event.self).pointee.server!
                server.pointee.wm_fd.0 = -1
                // If Xwayland lived for less than five seconds wlroots would wait for no next client, ever.
                server.pointee.server_start = 0
            },
        ]
    }

    /// That of a server, also while its compositor is being freed; nil: there is none.
    static func of(_ server: OpaquePointer?) -> Xwayland? {
        // The pointer was made from the compositor that owns the server, which it outlives.
        Compositor.of(server).xwayland
    }

    /// ":0".
    var displayName: String { String(cString: raw.pointee.display_name) }
    /// The file with the cookie that lets programs in.
    var authority: String { access.authority }
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

    /// The loop begins a turn.
    func turnBegins() { guards?.turnBegins() }

    /// X11 programs see and do nothing in a locked session: while the window manager's connection holds the server, Xwayland
    /// answers nobody else, and who knocks waits.
    func lock(_ locked: Bool) {
        // Where nothing runs: what begins later is held when it is ready.
        guard raw.pointee.xwm != nil, let connection = x11_guards_newest_connection() else { return }
        _ = locked ? xcb_grab_server(connection) : xcb_ungrab_server(connection)
        xcb_flush(connection)
    }

    /// Its window manager takes it that every drag has a source.
    func startDrag(_ drag: UnsafeMutablePointer<wlr_drag>, _ start: () -> Void) {
        let isUnaware = drag.pointee.source == nil && raw.pointee.xwm != nil
        if isUnaware { wlr_xwayland_set_seat(raw, nil) }
        start()
        if isUnaware { wlr_xwayland_set_seat(raw, InputRouting.of(server: server)?.wlr) }
    }

    // MARK: The process

    func isClient(_ client: WaylandClient) -> Bool { raw.pointee.server?.pointee.client == client }

    /// Of an Xwayland that did not come up wlroots keeps the client, and ends it once more when it reads that it did not.
    func clientGone(_ client: WaylandClient) {
        if isClient(client), raw.pointee.server.pointee.pipe_source != nil { raw.pointee.server.pointee.client = nil }
    }

    /// wlroots' window manager ends. An X11 program may ask for its end (KillClient): Xwayland would go on without one, and no
    /// X11 window would be seen until its last program has ended.
    func windowManagerEnds() {
        // 0.18 has no server any more when the shell ends.
        guard !isEnding, let process = raw.pointee.server?.pointee.pid else { return }
        if unmanaged == nil { unmanaged = Timer(loop) { [unowned self] in endUnmanaged() } }
        unmanagedProcess = process
        // One that ends by itself has both its connections end, in any order.
        unmanaged?.arm(in: 1_000_000_000)
    }

    private func endUnmanaged() {
        guard raw.pointee.xwm == nil, let server = raw.pointee.server?.pointee, let client = server.client,
            server.pid == unmanagedProcess
        else { return }
        compositor.log.error("Xwayland has ended its window manager's connection, as an X11 program may ask: it is ended")
        wl_client_destroy(client)
    }

    #if !WLR18
    /// A child of ours waits until Xwayland is ready, and has the shell's end of Xwayland's connection open all the time: if the
    /// shell ended meanwhile, both would wait for each other for ever.
    private func endWaiting() {
        guard let server = raw.pointee.server?.pointee, server.pipe_source != nil, server.pid > 0 else { return }
        kill(server.pid, SIGKILL)
        while waitpid(server.pid, nil, 0) < 0, errno == EINTR {}
    }
    #endif

    /// The session ends: Xwayland goes before all other clients.
    func finish() {
        listeners = []
        #if !WLR18
        endWaiting()
        #endif
        unmanaged = nil
        while let window = windows.last { remove(window) }
        #if !WLR18
        // wlroots 0.15 leaves its window manager behind. It is known here, so that the sanitizer finds only what is not.
        mw_x11_leave_behind(raw.pointee.xwm)
        #endif
        wlr_xwayland_destroy(raw)
        access.finish()
        guards = nil
    }
}
