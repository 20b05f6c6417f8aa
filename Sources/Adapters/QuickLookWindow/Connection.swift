import Clocks
import Geometry
import Glibc
import WaylandClientLibrary

/// An event of the window's input.
enum Input {
    case down(Int, Point)
    case move(Int, Point)
    case up(Int)
    /// The shell took the fingers.
    case cancel
    /// Points to scroll by; with Control it zooms.
    case wheel(Vector, at: Point)
    /// A key by its symbol.
    case key(UInt32, control: Bool)
}

/// The connection to the shell, its globals, and the devices.
final class Connection {
    let display: OpaquePointer
    fileprivate(set) var compositor: OpaquePointer?
    fileprivate(set) var memory: OpaquePointer?
    fileprivate(set) var shell: OpaquePointer?
    fileprivate var seat: OpaquePointer?
    fileprivate var clipboard: OpaquePointer?
    private(set) lazy var clipboardDevice: OpaquePointer? = clipboard.flatMap { manager in
        seat.flatMap { wl_data_device_manager_get_data_device(manager, $0) }
    }
    var clipboardManager: OpaquePointer? { clipboard }
    /// Pixels per point of the densest screen, as far as screens say.
    var scale: Int32 { max(1, min(4, scales.values.max() ?? 1)) }
    private var scales: [OpaquePointer: Int32] = [:]
    /// The serial of the last press, for requests that need an act of a person.
    private(set) var serial: UInt32 = 0

    var handler: (Input) -> Void = { _ in }
    /// The window has to be drawn anew.
    var changed: () -> Void = {}

    private var touch: OpaquePointer?
    private var pointer: OpaquePointer?
    private var keyboard: OpaquePointer?
    private var pointerAt = Point.zero
    private let keyContext = xkb_context_new(XKB_CONTEXT_NO_FLAGS)
    private var keymap: OpaquePointer?
    private var keyState: OpaquePointer?
    /// A key that is held, when it counts again, and how often.
    private var held: (code: UInt32, next: Int64)?
    private var delay: Int64 = 500_000_000
    private var interval: Int64 = 40_000_000

    /// The number of the finger that a pointer's button is.
    static let button = -1

    /// nil if there is no shell, or one that lacks a protocol that the window needs.
    init?() {
        guard let display = wl_display_connect(nil) else { return nil }
        self.display = display
        let registry = wl_display_get_registry(display)
        wl_registry_add_listener(registry, Listeners.registry, myself)
        wl_display_roundtrip(display)
        wl_display_roundtrip(display)
        guard compositor != nil, memory != nil, shell != nil else { return nil }
    }

    private var myself: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func bind(_ registry: OpaquePointer?, _ name: UInt32, _ interface: String, _ version: UInt32) {
        func take(_ interface: UnsafePointer<wl_interface>?, _ most: UInt32) -> OpaquePointer? {
            wl_registry_bind(registry, name, interface, min(version, most)).map { OpaquePointer($0) }
        }
        switch interface {
        case "wl_compositor": compositor = take(client_interface_wl_compositor(), 4)
        case "wl_shm": memory = take(client_interface_wl_shm(), 1)
        case "wl_data_device_manager": clipboard = take(client_interface_wl_data_device_manager(), 1)
        case "wl_output" where version >= 2:
            guard let output = take(client_interface_wl_output(), 2) else { return }
            scales[output] = 1
            wl_output_add_listener(output, Listeners.output, myself)
        case "wl_seat" where seat == nil:
            seat = take(client_interface_wl_seat(), 5)
            wl_seat_add_listener(seat, Listeners.seat, myself)
        case "xdg_wm_base":
            shell = take(client_interface_xdg_wm_base(), 1)
            xdg_wm_base_add_listener(shell, Listeners.shell, nil)
        default: break
        }
    }

    fileprivate func scaled(_ output: OpaquePointer?, _ scale: Int32) {
        guard let output else { return }
        scales[output] = scale
        changed()
    }

    // MARK: Devices

    fileprivate func has(_ capabilities: UInt32) {
        if capabilities & WL_SEAT_CAPABILITY_TOUCH.rawValue != 0, touch == nil {
            touch = wl_seat_get_touch(seat)
            wl_touch_add_listener(touch, Listeners.touch, myself)
        }
        if capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue != 0, pointer == nil {
            pointer = wl_seat_get_pointer(seat)
            wl_pointer_add_listener(pointer, Listeners.pointer, myself)
        }
        if capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue != 0, keyboard == nil {
            keyboard = wl_seat_get_keyboard(seat)
            wl_keyboard_add_listener(keyboard, Listeners.keyboard, myself)
        }
    }

    fileprivate func touched(_ finger: Int32, _ at: Point, _ serial: UInt32) {
        self.serial = serial
        handler(.down(Int(finger), at))
    }

    fileprivate func pointed(at place: Point) {
        pointerAt = place
        handler(.move(Self.button, place))
    }

    fileprivate func pressed(_ button: UInt32, _ isDown: Bool, _ serial: UInt32) {
        guard button == 0x110 else { return } // BTN_LEFT
        if isDown { self.serial = serial }
        handler(isDown ? .down(Self.button, pointerAt) : .up(Self.button))
    }

    fileprivate func turned(_ axis: UInt32, _ value: Double) {
        handler(.wheel(axis == 0 ? Vector(0, value) : Vector(value, 0), at: pointerAt))
    }

    /// Control is held.
    var isControlHeld: Bool {
        keyState.map { xkb_state_mod_name_is_active($0, XKB_MOD_NAME_CTRL, XKB_STATE_MODS_EFFECTIVE) == 1 } ?? false
    }

    fileprivate func mapped(_ file: Int32, _ size: UInt32) {
        defer { close(file) }
        guard size > 0, let text = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file, 0), text != MAP_FAILED else { return }
        defer { munmap(text, Int(size)) }
        guard
            let map = xkb_keymap_new_from_buffer(
                keyContext, text.assumingMemoryBound(to: CChar.self), Int(size) - 1, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
        else { return }
        if let keyState { xkb_state_unref(keyState) }
        if let keymap { xkb_keymap_unref(keymap) }
        keymap = map
        keyState = xkb_state_new(map)
    }

    fileprivate func key(_ code: UInt32, _ isDown: Bool, _ serial: UInt32) {
        if held?.code == code { held = nil }
        guard isDown else { return }
        self.serial = serial
        if interval > 0, let keymap, xkb_keymap_key_repeats(keymap, code &+ 8) != 0 { held = (code, Clocks.monotonicNanoseconds + delay) }
        strike(code)
    }

    private func strike(_ code: UInt32) {
        guard let keyState else { return }
        handler(.key(xkb_state_key_get_one_sym(keyState, code &+ 8), control: isControlHeld))
    }

    fileprivate func left() { held = nil }

    fileprivate func modifiers(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ group: UInt32) {
        if let keyState { xkb_state_update_mask(keyState, a, b, c, 0, 0, group) }
    }

    fileprivate func repeats(_ rate: Int32, _ delay: Int32) {
        interval = rate > 0 ? 1_000_000_000 / Int64(rate) : 0
        self.delay = Int64(max(0, delay)) * 1_000_000
    }

    /// Nanoseconds until a held key counts again.
    var repeatLeft: Int64? { held.map { max(0, $0.next - Clocks.monotonicNanoseconds) } }

    func repeatIfDue() {
        guard let key = held, key.next <= Clocks.monotonicNanoseconds else { return }
        held = (key.code, Clocks.monotonicNanoseconds + interval)
        strike(key.code)
    }
}

func object<T: AnyObject>(_ type: T.Type, _ data: UnsafeMutableRawPointer?) -> T {
    Unmanaged<T>.fromOpaque(data!).takeUnretainedValue()
}

/// Memory that lives as long as the process: libwayland keeps pointers to tables of handlers.
func kept<T>(_ value: T) -> UnsafeMutablePointer<T> {
    let room = UnsafeMutablePointer<T>.allocate(capacity: 1)
    room.initialize(to: value)
    return room
}

private func place(_ x: wl_fixed_t, _ y: wl_fixed_t) -> Point { Point(Double(x) / 256, Double(y) / 256) }

/// The tables are written once and only read.
enum Listeners {
    nonisolated(unsafe) fileprivate static let registry = kept(
        wl_registry_listener(
            global: { data, registry, name, interface, version in
                object(Connection.self, data).bind(registry, name, String(cString: interface!), version)
            },
            global_remove: { _, _, _ in }))
    nonisolated(unsafe) fileprivate static let shell = kept(
        xdg_wm_base_listener(
            ping: { _, shell, serial in xdg_wm_base_pong(shell, serial) }))
    nonisolated(unsafe) fileprivate static let output = {
        var calls = wl_output_listener()
        calls.geometry = { _, _, _, _, _, _, _, _, _, _ in }
        calls.mode = { _, _, _, _, _, _ in }
        calls.done = { _, _ in }
        calls.scale = { data, output, scale in object(Connection.self, data).scaled(output, scale) }
        return kept(calls)
    }()
    nonisolated(unsafe) fileprivate static let seat = kept(
        wl_seat_listener(
            capabilities: { data, _, what in object(Connection.self, data).has(what) },
            name: { _, _, _ in }))
    nonisolated(unsafe) fileprivate static let touch = {
        var calls = wl_touch_listener()
        calls.down = { data, _, serial, _, _, id, x, y in object(Connection.self, data).touched(id, place(x, y), serial) }
        calls.up = { data, _, _, _, id in object(Connection.self, data).handler(.up(Int(id))) }
        calls.motion = { data, _, _, id, x, y in object(Connection.self, data).handler(.move(Int(id), place(x, y))) }
        calls.frame = { _, _ in }
        calls.cancel = { data, _ in object(Connection.self, data).handler(.cancel) }
        calls.shape = { _, _, _, _, _ in }
        calls.orientation = { _, _, _, _ in }
        return kept(calls)
    }()
    nonisolated(unsafe) fileprivate static let pointer = {
        var calls = wl_pointer_listener()
        calls.enter = { data, _, _, _, x, y in object(Connection.self, data).pointed(at: place(x, y)) }
        calls.leave = { _, _, _, _ in }
        calls.motion = { data, _, _, x, y in object(Connection.self, data).pointed(at: place(x, y)) }
        calls.button = { data, _, serial, _, button, state in object(Connection.self, data).pressed(button, state != 0, serial) }
        calls.axis = { data, _, _, axis, value in object(Connection.self, data).turned(axis, Double(value) / 256) }
        calls.frame = { _, _ in }
        calls.axis_source = { _, _, _ in }
        calls.axis_stop = { _, _, _, _ in }
        calls.axis_discrete = { _, _, _, _ in }
        return kept(calls)
    }()
    nonisolated(unsafe) fileprivate static let keyboard = kept(
        wl_keyboard_listener(
            keymap: { data, _, _, file, size in object(Connection.self, data).mapped(file, size) },
            enter: { _, _, _, _, _ in },
            leave: { data, _, _, _ in object(Connection.self, data).left() },
            key: { data, _, serial, _, key, state in object(Connection.self, data).key(key, state != 0, serial) },
            modifiers: { data, _, _, a, b, c, group in object(Connection.self, data).modifiers(a, b, c, group) },
            repeat_info: { data, _, rate, delay in object(Connection.self, data).repeats(rate, delay) }))
}
