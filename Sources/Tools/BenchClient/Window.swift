import CBenchClient
import Clocks
import Glibc

/// A window of the client. Each frame fills it with another shade.
final class Window {
    private struct Buffer {
        var wl: OpaquePointer
        var pixels: UnsafeMutableRawPointer
        var isBusy = false
    }

    private unowned let client: Client
    let surface: OpaquePointer
    private let xdgSurface: OpaquePointer
    private let toplevel: OpaquePointer
    private let isFullscreen: Bool
    private(set) var width: Int32
    private(set) var height: Int32
    private(set) var isConfigured = false
    /// Frame callbacks so far.
    private(set) var frames: UInt32 = 0
    /// When the last one arrived, in nanoseconds.
    private(set) var lastFrame: Int64 = 0
    private var frame: OpaquePointer?
    private var buffers: [Buffer] = []
    private var bytes = 0
    private static let mostBuffers = 2

    init(_ client: Client, isFullscreen: Bool, width: Int32, height: Int32) {
        self.client = client
        self.isFullscreen = isFullscreen
        (self.width, self.height) = (width, height)
        surface = wl_compositor_create_surface(client.compositor)
        xdgSurface = xdg_wm_base_get_xdg_surface(client.shell, surface)
        toplevel = xdg_surface_get_toplevel(xdgSurface)
        xdg_surface_add_listener(xdgSurface, client.listeners.surface, myself)
        xdg_toplevel_add_listener(toplevel, client.listeners.toplevel, myself)
        xdg_toplevel_set_title(toplevel, "bench")
        xdg_toplevel_set_app_id(toplevel, "bench")
        if isFullscreen { xdg_toplevel_set_fullscreen(toplevel, nil) }
        wl_surface_commit(surface)
    }

    private var myself: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func close() {
        if let frame { wl_callback_destroy(frame) }
        xdg_toplevel_destroy(toplevel)
        xdg_surface_destroy(xdgSurface)
        wl_surface_destroy(surface)
        for buffer in buffers {
            wl_buffer_destroy(buffer.wl)
            munmap(buffer.pixels, bytes)
        }
    }

    /// The first buffer. Exists from the first configure on.
    var firstBuffer: OpaquePointer? { buffers.first?.wl }

    private func makeBuffer() -> Buffer {
        let file = memfd_create("bench", 1) // MFD_CLOEXEC
        guard file >= 0, ftruncate(file, off_t(bytes)) == 0,
            let pixels = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), pixels != MAP_FAILED
        else { fail("no memory for a buffer") }
        let pool = wl_shm_create_pool(client.memory, file, Int32(bytes))
        let buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888.rawValue)!
        wl_buffer_add_listener(buffer, client.listeners.buffer, myself)
        wl_shm_pool_destroy(pool)
        Glibc.close(file)
        return Buffer(wl: buffer, pixels: pixels)
    }

    func released(_ buffer: OpaquePointer?) {
        for index in buffers.indices where buffers[index].wl == buffer { buffers[index].isBusy = false }
    }

    /// Paints and attaches a buffer that the compositor does not hold. Returns false if it holds all.
    @discardableResult
    func paint() -> Bool {
        var index = 0
        while index < buffers.count && buffers[index].isBusy { index += 1 }
        guard index < Self.mostBuffers else { return false }
        // The second buffer is made when it is needed, so that an idle window has only one.
        if index == buffers.count { buffers.append(makeBuffer()) }
        memset(buffers[index].pixels, Int32(client.shade), bytes)
        client.shade &+= 1
        buffers[index].isBusy = true
        wl_surface_attach(surface, buffers[index].wl, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, width, height)
        return true
    }

    func askFrame() {
        guard frame == nil else { return }
        frame = wl_surface_frame(surface)
        wl_callback_add_listener(frame, client.listeners.frame, myself)
    }

    func frameDone(_ callback: OpaquePointer?) {
        wl_callback_destroy(callback)
        frame = nil
        frames += 1
        lastFrame = Clocks.monotonicNanoseconds
        if client.isAnimating { animate() }
    }

    /// Commits another shade and requests a frame callback.
    func animate() {
        askFrame()
        paint()
        wl_surface_commit(surface)
    }

    /// Keeps the first size, because a later one would allocate another buffer during a measurement. A window that is
    /// not full-screen keeps its own size; otherwise, under a compositor that enlarges windows, painting would
    /// dominate the figures.
    func told(_ width: Int32, _ height: Int32) {
        guard isFullscreen, !isConfigured, width > 0, height > 0 else { return }
        (self.width, self.height) = (width, height)
    }

    func configured(_ serial: UInt32) {
        xdg_surface_ack_configure(xdgSurface, serial)
        if !isConfigured {
            isConfigured = true
            bytes = Int(width) * Int(height) * 4
            xdg_surface_set_window_geometry(xdgSurface, 0, 0, width, height)
            askFrame()
            paint()
        }
        wl_surface_commit(surface)
    }
}

extension Client {
    private static let mostWindows = 128

    /// Maps `count` windows, full-screen or in their own size, and returns when each has been configured and a sync
    /// has answered its first commit.
    func open(_ count: Int, isFullscreen: Bool, width: Int32, height: Int32) {
        let first = windows.count
        for _ in 0..<max(0, min(count, Self.mostWindows - first)) {
            windows.append(Window(self, isFullscreen: isFullscreen, width: width, height: height))
        }
        for window in windows[first...] where !wait(10, until: { window.isConfigured }) {
            fail("a window was not configured")
        }
        wl_display_roundtrip(display)
    }

    func closeWindows() {
        // They stay until their last events have been handled.
        let closing = windows
        windows = []
        for window in closing { window.close() }
        wl_display_roundtrip(display)
    }

    /// The window with the latest frame callback, which is the visible one.
    var windowInSight: Window? {
        windows.reduce(nil) { newest, window in newest.map { window.lastFrame > $0.lastFrame ? window : $0 } ?? window }
    }
}
