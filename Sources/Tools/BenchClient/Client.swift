import CBenchClient
import Clocks
import Glibc

/// Writes a line of JSON, unbuffered.
func answer(_ line: String) { put(line + "\n", to: STDOUT_FILENO) }

private func put(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(
                descriptor, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[rest.indices]).baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

/// A number with this many decimal places.
func digits(_ number: Double, _ count: Int) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { room in
        _ = withVaList([Int32(count), number]) { vsnprintf(room.baseAddress!, room.count, "%.*f", $0) }
        return String(cString: room.baseAddress!)
    }
}

func fail(_ what: String) -> Never {
    put("bench client: \(what)\n", to: STDERR_FILENO)
    answer("{\"error\": \"\(what)\"}")
    exit(1)
}

/// The connection to the compositor, its globals, and the windows.
final class Client {
    let display: OpaquePointer
    private(set) var compositor: OpaquePointer?
    private(set) var memory: OpaquePointer?
    private(set) var seat: OpaquePointer?
    private(set) var shell: OpaquePointer?
    private(set) var presentation: OpaquePointer?
    private(set) var presentationClock: clockid_t = 0
    private(set) var pointers: OpaquePointer?
    private(set) var globals: UInt32 = 0
    var isAnimating = false
    var shade: UInt8 = 0
    var windows: [Window] = []
    let listeners = Listeners()
    private let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: 2)

    init() {
        display = Self.connectToFirst()
        polled.initialize(repeating: pollfd(), count: 2)
        let registry = wl_display_get_registry(display)
        wl_registry_add_listener(registry, listeners.registry, Unmanaged.passUnretained(self).toOpaque())
        wl_display_roundtrip(display)
    }

    deinit {
        wl_display_disconnect(display)
        polled.deallocate()
    }

    /// Tries the names that a compositor would choose, every 0.2 ms, so that it may be started after this program.
    private static func connectToFirst() -> OpaquePointer {
        let end = Clocks.monotonicNanoseconds + 20_000_000_000
        while Clocks.monotonicNanoseconds < end {
            if let display = wl_display_connect("wayland-0") ?? wl_display_connect("wayland-1") { return display }
            usleep(200)
        }
        fail("no compositor")
    }

    // MARK: Waiting

    /// Sleeps until events arrive, `also` becomes readable, or `timeout` ms have passed, and handles the events.
    /// Returns whether `also` is readable.
    @discardableResult
    func turn(also: Int32 = -1, timeout: Int32) -> Bool {
        while wl_display_prepare_read(display) != 0 { wl_display_dispatch_pending(display) }
        wl_display_flush(display)
        polled[0] = pollfd(fd: wl_display_get_fd(display), events: Int16(POLLIN), revents: 0)
        polled[1] = pollfd(fd: also, events: Int16(POLLIN), revents: 0)
        if poll(polled, also < 0 ? 1 : 2, timeout) > 0 && polled[0].revents != 0 {
            wl_display_read_events(display)
        } else {
            wl_display_cancel_read(display)
        }
        // The handler of an event may wait, too.
        let isReadable = also >= 0 && polled[1].revents != 0
        if wl_display_dispatch_pending(display) < 0 { fail("the compositor ended the connection") }
        return isReadable
    }

    /// Waits for events until `isDone` returns true or `seconds` have passed. Returns the last result.
    @discardableResult
    func wait(_ seconds: Double, until isDone: () -> Bool = { false }) -> Bool {
        let end = Clocks.monotonicNanoseconds + Int64(seconds * 1e9)
        while !isDone() {
            let left = end - Clocks.monotonicNanoseconds
            guard left > 0 else { break }
            turn(timeout: Int32((left + 999_999) / 1_000_000))
        }
        return isDone()
    }

    /// Waits until the window has had more than this many frame callbacks. Returns false on timeout.
    func waitFrames(_ window: Window, moreThan count: UInt32, _ seconds: Double) -> Bool {
        wait(seconds) { window.frames > count }
    }

    // MARK: Globals

    fileprivate func bind(_ registry: OpaquePointer?, _ name: UInt32, _ interface: String) {
        globals += 1
        func take(_ interface: UnsafePointer<wl_interface>?, _ version: UInt32 = 1) -> OpaquePointer? {
            wl_registry_bind(registry, name, interface, version).map { OpaquePointer($0) }
        }
        switch interface {
        case "wl_compositor": compositor = take(bench_wl_compositor(), 4)
        case "wl_shm": memory = take(bench_wl_shm())
        case "wl_seat": seat = take(bench_wl_seat())
        case "xdg_wm_base":
            shell = take(bench_xdg_wm_base())
            xdg_wm_base_add_listener(shell, listeners.shell, nil)
        case "wp_presentation":
            presentation = take(bench_wp_presentation())
            wp_presentation_add_listener(presentation, listeners.presentation, Unmanaged.passUnretained(self).toOpaque())
        case "zwlr_virtual_pointer_manager_v1": pointers = take(bench_zwlr_virtual_pointer_manager_v1())
        default: break
        }
    }

    fileprivate func usePresentationClock(_ clock: UInt32) { presentationClock = clockid_t(bitPattern: clock) }

    /// A pointer prevents compositors from scanning out a full-screen buffer, so all of them have to draw.
    func makePointer() {
        guard let pointers else { return }
        let pointer = zwlr_virtual_pointer_manager_v1_create_virtual_pointer(pointers, seat)
        zwlr_virtual_pointer_v1_motion_absolute(pointer, 0, 1, 1, 2, 2)
        zwlr_virtual_pointer_v1_frame(pointer)
    }
}

/// Tables of event handlers. libwayland keeps pointers to them, so they live as long as the process.
struct Listeners {
    let registry = kept(
        wl_registry_listener(
            global: { data, registry, name, interface, _ in object(Client.self, data).bind(registry, name, String(cString: interface!)) },
            global_remove: { _, _, _ in }))
    let shell = kept(xdg_wm_base_listener(ping: { _, shell, serial in xdg_wm_base_pong(shell, serial) }))
    let presentation = kept(
        wp_presentation_listener(
            clock_id: { data, _, clock in object(Client.self, data).usePresentationClock(clock) }))
    let buffer = kept(wl_buffer_listener(release: { data, buffer in object(Window.self, data).released(buffer) }))
    let frame = kept(wl_callback_listener(done: { data, callback, _ in object(Window.self, data).frameDone(callback) }))
    let surface = kept(xdg_surface_listener(configure: { data, _, serial in object(Window.self, data).configured(serial) }))
    let toplevel: UnsafeMutablePointer<xdg_toplevel_listener>
    let feedback = kept(
        wp_presentation_feedback_listener(
            sync_output: { _, _, _ in },
            presented: { data, object, high, low, nanoseconds, _, _, _, _ in
                Feedback.take(data).presented(at: Int64(high) << 32 | Int64(low), nanoseconds)
                wp_presentation_feedback_destroy(object)
            },
            discarded: { data, object in
                Feedback.take(data).discarded()
                wp_presentation_feedback_destroy(object)
            }))

    init() {
        // A client of version 1 of the protocol gets only these two.
        var calls = xdg_toplevel_listener()
        calls.configure = { data, _, width, height, _ in object(Window.self, data).told(width, height) }
        calls.close = { _, _ in }
        toplevel = kept(calls)
    }
}

private func kept<T>(_ value: T) -> UnsafeMutablePointer<T> {
    let room = UnsafeMutablePointer<T>.allocate(capacity: 1)
    room.initialize(to: value)
    return room
}

private func object<T: AnyObject>(_ type: T.Type, _ data: UnsafeMutableRawPointer?) -> T {
    Unmanaged<T>.fromOpaque(data!).takeUnretainedValue()
}
