import CWlroots
import Descriptors
import Geometry
import Glibc
import WaylandServer
import Windows

/// xx-pip, a draft: a window with the Picture in Picture role (W-06).
///
/// The role belongs to an xdg_surface, but xdg_surface is implemented by wlroots, which knows only toplevels and
/// popups. So wlroots makes a toplevel for a placeholder client called "nobody". An object of that client receives
/// what wlroots sends to the toplevel, and no request ever comes from it. The app has its xdg_surface and its
/// xx_pip_v1. wlroots and the rest of the shell treat the window as an ordinary toplevel, in whatever order its
/// objects and its client go away.
final class PipWindows: ResourceOwner {
    private let server: OpaquePointer
    private var global: Global?
    private var all: [PipWindow] = []
    /// The placeholder client that owns the toplevels. Created with the first one.
    private(set) var nobody: WaylandClient?
    /// The other end of its connection. Kept open and never read.
    private var otherEnd = Descriptor.none
    private var nobodyGone: Listener?
    private var making: PipWindow?
    /// Surfaces that have the role. A surface keeps its role permanently.
    private var marked: [Surface: Listener] = [:]

    private static let requests: Requests<xx_pip_shell_v1_requests> = {
        var table = xx_pip_shell_v1_requests()
        table.destroy = destroyResource
        table.get_pip = { client, shell, id, surface in owner(of: shell, as: PipWindows.self).make(client, shell!, id, surface) }
        return Requests(table)
    }()

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer) {
        self.server = server
        global = Global(mw_server_display(server), mw_interface_xx_pip_shell_v1(), version: 1, Self.requests, owner: self)
        if global == nil { return nil }
    }

    // MARK: The placeholder client

    private func makeNobody() -> WaylandClient? {
        if let nobody { return nobody }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0
        else {
            return nil
        }
        let compositor = Compositor.of(server)
        compositor.isMakingOwnClient = true
        let made = wl_client_create(mw_server_display(server), ends[0])
        compositor.isMakingOwnClient = false
        guard let made else {
            close(ends[0])
            close(ends[1])
            return nil
        }
        otherEnd = Descriptor(ends[1], owner: "connection of the client that is nobody")
        nobodyGone = Listener(destroying: made) { [unowned self] in
            nobody = nil
            otherEnd.close()
        }
        nobody = made
        // libwayland sends nothing to a client in error, and destroys it only when something arrives from it.
        mw_post_implementation_error(made, "nobody")
        return made
    }

    // MARK: Windows

    /// nil for an ordinary window.
    fileprivate func pip(of toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) -> PipWindow? {
        guard let nobody, wl_resource_get_client(toplevel.pointee.resource) == nobody else { return nil }
        return all.first { $0.toplevel == toplevel.pointee.resource } ?? making
    }

    fileprivate func remove(_ pip: PipWindow) { all.removeAll { $0 === pip } }

    fileprivate func screenChanged() {
        for pip in all where !pip.isClosed {
            guard let window = pip.window, mw_window_fields(window).pointee.mapped else { continue }
            wlr_xdg_surface_schedule_configure(mw_window_fields(window).pointee.toplevel.pointee.base)
        }
    }

    // MARK: Roles

    private func mark(_ surface: Surface) {
        guard marked[surface] == nil else { return }
        marked[surface] = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in marked[surface] = nil }
    }

    /// Refuses to make a toplevel of a surface that had the Picture in Picture role.
    fileprivate func refuseToplevel(_ resource: WaylandResource) {
        guard let xdg = wlr_xdg_surface_from_resource(resource), let surface = xdg.pointee.surface, marked[surface] != nil else { return }
        mw_post_error(
            xdg.pointee.client.pointee.resource, XDG_WM_BASE_ERROR_ROLE.rawValue,
            "wl_surface@\(wl_resource_get_id(surface.pointee.resource)) has the role xx_pip_v1")
    }

    private static func hasContent(_ surface: Surface) -> Bool {
        #if WLR18
            if surface.pointee.pending_buffer_resource != nil { return true }
        #endif
        return surface.pointee.buffer != nil
            || (surface.pointee.pending.committed & WLR_SURFACE_STATE_BUFFER.rawValue != 0 && surface.pointee.pending.buffer != nil)
    }

    private func hasRole(_ xdg: UnsafeMutablePointer<wlr_xdg_surface>) -> Bool {
        #if WLR18
            if xdg.pointee.toplevel != nil || xdg.pointee.popup != nil { return true }
            return (xdg.pointee.role != WLR_XDG_SURFACE_ROLE_NONE && marked[xdg.pointee.surface] == nil) || xdg.pointee.role_resource != nil
        #else
            if mw_xdg_has_object(xdg) { return true }
            return xdg.pointee.surface.pointee.role != nil && marked[xdg.pointee.surface] == nil
        #endif
    }

    private func make(_ client: WaylandClient?, _ shell: WaylandResource, _ id: UInt32, _ resource: WaylandResource?) {
        let xdg = wlr_xdg_surface_from_resource(resource)
        if let xdg, hasRole(xdg) {
            return mw_post_error(
                shell, XX_PIP_SHELL_V1_ERROR_ROLE.rawValue, "xdg_surface@\(wl_resource_get_id(resource)) has a role already")
        }
        if let surface = xdg?.pointee.surface, Self.hasContent(surface) {
            return mw_post_error(
                shell, XX_PIP_SHELL_V1_ERROR_ALREADY_CONSTRUCTED.rawValue,
                "wl_surface@\(wl_resource_get_id(surface.pointee.resource)) has content already")
        }
        let pip = PipWindow(self, server)
        guard
            let object = makeResource(
                client, mw_interface_xx_pip_v1(), version: wl_resource_get_version(shell), id: id, PipWindow.requests, owner: pip)
        else { return }
        // Inert, because the surface is gone.
        guard let xdg else { return }
        pip.resource = object
        all.append(pip)
        if !makeToplevel(pip, xdg) { wl_client_post_no_memory(client) }
    }

    /// Makes wlroots create its toplevel in the name of the placeholder client.
    private func makeToplevel(_ pip: PipWindow, _ xdg: UnsafeMutablePointer<wlr_xdg_surface>) -> Bool {
        guard let nobody = makeNobody() else { return false }
        mark(xdg.pointee.surface)
        let client = xdg.pointee.client.pointee.client
        making = pip
        xdg.pointee.client.pointee.client = nobody
        implementation(of: xdg.pointee.resource, as: xdg_surface_interface.self).get_toplevel(nobody, xdg.pointee.resource, 0)
        xdg.pointee.client.pointee.client = client
        making = nil
        guard let toplevel = mw_xdg_toplevel_in(xdg) else { return false }
        pip.adopt(toplevel.pointee.resource)
        return true
    }
}

/// The request table that wlroots installed for an object.
private func implementation<Table>(of resource: WaylandResource, as type: Table.Type) -> Table {
    resource.pointee.object.implementation.assumingMemoryBound(to: Table.self).pointee
}

/// One window with the Picture in Picture role.
final class PipWindow: ResourceOwner {
    private unowned let owners: PipWindows
    private let server: OpaquePointer
    /// The app's xx_pip_v1. nil if the surface was already gone.
    fileprivate var resource: WaylandResource?
    /// The placeholder client's xdg_toplevel; nil once it is gone. wlroots' own toplevel may be destroyed earlier.
    fileprivate private(set) var toplevel: WaylandResource?
    private var toplevelGone: Listener?
    /// Whether it was sent `closed`. It is not shown any more.
    fileprivate private(set) var isClosed = false
    private lazy var closing = AfterTurn(mw_server_loop(server)) { [unowned self] in
        if let window { mw_window_report_unmapped(window) }
    }
    /// The bounds sent last, and the serial of that configure.
    private var bounds: (width: Int32, height: Int32) = (0, 0), boundsSerial: UInt32 = 0
    /// The bounds in force until the client acks those; 0: none.
    private var boundsBefore: (width: Int32, height: Int32) = (0, 0)

    fileprivate init(_ owners: PipWindows, _ server: OpaquePointer) {
        self.owners = owners
        self.server = server
    }

    fileprivate func adopt(_ resource: WaylandResource) {
        toplevel = resource
        toplevelGone = Listener(destroying: resource) { [unowned self] in
            toplevelGone = nil
            toplevel = nil
        }
    }

    /// The app destroyed its object, or is gone. wlroots' side goes first, because its window refers to this object.
    func resourceDestroyed() {
        guard resource != nil else { return }
        if let toplevel { wl_resource_destroy(toplevel) }
        owners.remove(self)
        resource = nil
    }

    private var raw: UnsafeMutablePointer<wlr_xdg_toplevel>? { toplevel.flatMap { mw_xdg_toplevel_of($0) } }

    fileprivate var window: OpaquePointer? { raw.flatMap { mw_xdg_window($0.pointee.base) } }

    // MARK: Events to the app

    fileprivate func configured(_ serial: UInt32, width: Int32, height: Int32) {
        var right = 0.0, bottom = 0.0
        if let output = mw_server_first_output(server), mw_output_points(server, output, &right, &bottom) {
            // The shell's size wins over the bounds: the user may have enlarged the window before the screen became
            // smaller.
            let now = (width: max(Int32(clamping: right), width), height: max(Int32(clamping: bottom), height))
            if now != bounds {
                bounds = now
                boundsSerial = serial
            }
            xx_pip_v1_send_configure_bounds(resource, now.width, now.height)
        }
        xx_pip_v1_send_configure_size(resource, width, height)
    }

    /// Returns false if the commit is to be ignored.
    fileprivate func committed(_ window: OpaquePointer) -> Bool {
        guard !isClosed else { return false }
        let fields = mw_window_fields(window).pointee
        let xdg = fields.toplevel.pointee.base!, size = fields.surface.pointee.current
        if xdg.pointee.configured, Int32(bitPattern: xdg.pointee.current.configure_serial &- boundsSerial) >= 0 { boundsBefore = bounds }
        if boundsBefore.width > 0, size.width > boundsBefore.width || size.height > boundsBefore.height {
            mw_post_error(
                resource, XX_PIP_V1_ERROR_INVALID_SIZE.rawValue,
                "\(size.width)x\(size.height) is more than \(boundsBefore.width)x\(boundsBefore.height)")
        }
        return true
    }

    fileprivate func close() {
        guard !isClosed else { return }
        isClosed = true
        xx_pip_v1_send_closed(resource)
        // Wait for the end of the turn: the caller that closes the window may still be using it.
        closing.ask()
    }

    // MARK: Requests

    static let requests: Requests<xx_pip_v1_requests> = {
        var table = xx_pip_v1_requests()
        table.destroy = destroyResource
        table.set_app_id = { _, resource, name in owner(of: resource, as: PipWindow.self).setAppID(name) }
        table.set_origin = { _, resource, origin in owner(of: resource, as: PipWindow.self).setOrigin(origin) }
        // The shell grows the window from its corner, so it needs no origin.
        table.set_origin_rect = { _, _, _, _, _, _ in }
        table.move = { _, resource, _, serial in owner(of: resource, as: PipWindow.self).ask(MW_REQUEST_MOVE, serial) }
        table.resize = { _, resource, _, serial, edges in owner(of: resource, as: PipWindow.self).resize(serial, edges) }
        return Requests(table)
    }()

    private func setAppID(_ name: UnsafePointer<CChar>?) {
        guard raw != nil, let toplevel else { return }
        implementation(of: toplevel, as: xdg_toplevel_interface.self).set_app_id(owners.nobody, toplevel, name)
    }

    private func setOrigin(_ origin: WaylandResource?) {
        guard let raw, raw.pointee.base.pointee.surface == wlr_surface_from_resource(origin) else { return }
        mw_post_error(resource, XX_PIP_V1_ERROR_INVALID_ORIGIN.rawValue, "wl_surface@\(wl_resource_get_id(origin)) is the window itself")
    }

    private func resize(_ serial: UInt32, _ edges: UInt32) {
        // Refuse unknown values, and two opposite edges at once.
        guard edges <= XX_PIP_V1_RESIZE_EDGE_BOTTOM_RIGHT.rawValue, edges & 3 != 3 else {
            return mw_post_error(resource, XX_PIP_V1_ERROR_INVALID_RESIZE_EDGE.rawValue, "\(edges) is no edge")
        }
        if edges != XX_PIP_V1_RESIZE_EDGE_NONE.rawValue { ask(MW_REQUEST_RESIZE, serial) }
    }

    private func ask(_ request: mw_request_kind, _ serial: UInt32) {
        guard let raw, !isClosed else { return }
        let base = raw.pointee.base!
        guard base.pointee.configured else {
            return mw_post_error(
                base.pointee.resource, XDG_SURFACE_ERROR_NOT_CONSTRUCTED.rawValue,
                "xdg_surface@\(wl_resource_get_id(base.pointee.resource)) was not configured yet")
        }
        if let window { mw_xdg_request_with_serial(window, Int32(bitPattern: request.rawValue), serial) }
    }
}

// MARK: Functions for C

private func pip(_ window: OpaquePointer) -> PipWindow? {
    // The window goes before its object, and both on the thread of the event loop.
    mw_window_fields(window).pointee.pip.map { Unmanaged<PipWindow>.fromOpaque($0).takeUnretainedValue() }
}

@_cdecl("mw_pips_init") func pipsInit(_ server: OpaquePointer) -> Bool {
    Compositor.of(server).pips = PipWindows(server)
    return Compositor.of(server).pips != nil
}

/// Called after all clients are gone, including the placeholder client.
@_cdecl("mw_pips_finish") func pipsFinish(_ server: OpaquePointer) { Compositor.of(server).pips = nil }

@_cdecl("mw_pips_screen_changed") func pipsScreenChanged(_ server: OpaquePointer) { Compositor.of(server).pips?.screenChanged() }

@_cdecl("mw_pips_refuse_toplevel") func pipsRefuseToplevel(_ server: OpaquePointer, _ surface: UnsafeMutableRawPointer) {
    Compositor.of(server).pips?.refuseToplevel(surface.assumingMemoryBound(to: wl_resource.self))
}

@_cdecl("mw_pips_have_nobody") func pipsHaveNobody(_ server: OpaquePointer) -> Bool { Compositor.of(server).pips?.nobody != nil }

@_cdecl("mw_pip_of") func pipOf(_ server: OpaquePointer, _ toplevel: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let pip = Compositor.of(server).pips?.pip(of: toplevel.assumingMemoryBound(to: wlr_xdg_toplevel.self))
    return pip.map { Unmanaged.passUnretained($0).toOpaque() }
}

@_cdecl("mw_pip_is_closed") func pipIsClosed(_ window: OpaquePointer) -> Bool { pip(window)?.isClosed ?? false }

@_cdecl("mw_pip_configured") func pipConfigured(_ window: OpaquePointer, _ serial: UInt32, _ width: Int32, _ height: Int32) {
    pip(window)?.configured(serial, width: width, height: height)
}

@_cdecl("mw_pip_committed") func pipCommitted(_ window: OpaquePointer) -> Bool { pip(window)?.committed(window) ?? true }

@_cdecl("mw_pip_close") func pipClose(_ window: OpaquePointer) { pip(window)?.close() }
