import CairoLibrary
import Geometry
import Glibc
import LinuxLibrary
import WaylandClientLibrary

/// The window: an xdg toplevel whose pixels are drawn with Cairo into shared memory.
final class Surface {
    private struct Buffer {
        var wl: OpaquePointer
        var pixels: UnsafeMutableRawPointer
        var isBusy = false
    }

    private let connection: Connection
    private let surface: OpaquePointer
    private let xdg: OpaquePointer
    private let toplevel: OpaquePointer
    private var buffers: [Buffer] = []
    /// The size of the buffers, in pixels.
    private var width: Int32 = 0
    private var height: Int32 = 0
    private var scale: Int32 = 1
    private var frame: OpaquePointer?
    private var isConfigured = false
    private var told = Size.zero

    /// In points, as the shell said.
    private(set) var size = Size(800, 600)
    private(set) var isClosed = false
    /// A size that is new.
    var resized: (Size) -> Void = { _ in }

    init(_ connection: Connection, title: String) {
        self.connection = connection
        surface = wl_compositor_create_surface(connection.compositor)
        xdg = xdg_wm_base_get_xdg_surface(connection.shell, surface)
        toplevel = xdg_surface_get_toplevel(xdg)
        xdg_surface_add_listener(xdg, Calls.xdg, myself)
        xdg_toplevel_add_listener(toplevel, Calls.toplevel, myself)
        xdg_toplevel_set_title(toplevel, title)
        xdg_toplevel_set_app_id(toplevel, "org.mullion.View")
        xdg_toplevel_set_min_size(toplevel, 240, 240)
        wl_surface_commit(surface)
    }

    private var myself: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    var title = "" {
        didSet { if title != oldValue { xdg_toplevel_set_title(toplevel, title) } }
    }

    fileprivate func configured(_ serial: UInt32) {
        xdg_surface_ack_configure(xdg, serial)
        let new = told.isEmpty ? size : Size(min(told.width, 8192), min(told.height, 8192))
        isConfigured = true
        size = new
        resized(new)
    }

    fileprivate func told(_ width: Int32, _ height: Int32) { told = Size(Double(width), Double(height)) }
    fileprivate func closed() { isClosed = true }

    fileprivate func released(_ buffer: OpaquePointer?) {
        for index in buffers.indices where buffers[index].wl == buffer { buffers[index].isBusy = false }
    }

    fileprivate func frameDone(_ callback: OpaquePointer?) {
        wl_callback_destroy(callback)
        frame = nil
    }

    // MARK: Drawing

    /// Whether the shell wants a picture now.
    var isReady: Bool { isConfigured && frame == nil && (buffers.count < 3 || buffers.contains { !$0.isBusy }) }

    /// Shows the picture that `body` draws, in points.
    func draw(_ body: (OpaquePointer) -> Void) {
        let wanted = (Int32(clamping: size.width) * connection.scale, Int32(clamping: size.height) * connection.scale)
        if wanted != (width, height) || scale != connection.scale {
            for buffer in buffers { destroy(buffer) }
            buffers = []
            (width, height) = wanted
            scale = connection.scale
        }
        var index = 0
        while index < buffers.count, buffers[index].isBusy { index += 1 }
        if index == buffers.count {
            guard let buffer = makeBuffer() else { return }
            buffers.append(buffer)
        }
        let picture = cairo_image_surface_create_for_data(
            buffers[index].pixels.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, width, height, width * 4)
        let context = cairo_create(picture)!
        cairo_scale(context, Double(scale), Double(scale))
        body(context)
        cairo_destroy(context)
        cairo_surface_finish(picture)
        cairo_surface_destroy(picture)
        buffers[index].isBusy = true
        frame = wl_surface_frame(surface)
        wl_callback_add_listener(frame, Calls.frame, myself)
        wl_surface_set_buffer_scale(surface, scale)
        wl_surface_attach(surface, buffers[index].wl, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, width, height)
        xdg_surface_set_window_geometry(xdg, 0, 0, Int32(clamping: size.width), Int32(clamping: size.height))
        wl_surface_commit(surface)
    }

    private func makeBuffer() -> Buffer? {
        let bytes = Int(width) * Int(height) * 4
        let file = memfd_create("quick look", UInt32(MFD_CLOEXEC))
        defer { if file >= 0 { close(file) } }
        guard file >= 0, ftruncate(file, off_t(bytes)) == 0,
            let pixels = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), pixels != MAP_FAILED
        else { return nil }
        let pool = wl_shm_create_pool(connection.memory, file, Int32(bytes))
        let buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888.rawValue)!
        wl_buffer_add_listener(buffer, Calls.buffer, myself)
        wl_shm_pool_destroy(pool)
        return Buffer(wl: buffer, pixels: pixels)
    }

    private func destroy(_ buffer: Buffer) {
        wl_buffer_destroy(buffer.wl)
        munmap(buffer.pixels, Int(width) * Int(height) * 4)
    }

    private enum Calls {
        nonisolated(unsafe) static let xdg = kept(
            xdg_surface_listener(
                configure: { data, _, serial in object(Surface.self, data).configured(serial) }))
        nonisolated(unsafe) static let toplevel = {
            // A client of version 1 of the protocol gets only these two.
            var calls = xdg_toplevel_listener()
            calls.configure = { data, _, width, height, _ in object(Surface.self, data).told(width, height) }
            calls.close = { data, _ in object(Surface.self, data).closed() }
            return kept(calls)
        }()
        nonisolated(unsafe) static let buffer = kept(
            wl_buffer_listener(
                release: { data, buffer in object(Surface.self, data).released(buffer) }))
        nonisolated(unsafe) static let frame = kept(
            wl_callback_listener(
                done: { data, callback, _ in object(Surface.self, data).frameDone(callback) }))
    }
}
