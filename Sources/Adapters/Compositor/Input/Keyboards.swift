import CWlroots
import Geometry
import Glibc
import Locking
import Multitasking
import Seat
import WaylandServer
import Windows

/// Keyboards and the keyboard focus.
final class Keyboards {
    fileprivate final class Keyboard {
        let raw: UnsafeMutablePointer<wlr_keyboard>
        let device: Device
        /// The client of a virtual keyboard, otherwise nil.
        let client: WaylandClient?
        /// Whether the process of that client can ask for feedback.
        private(set) lazy var asks = FeedbackLibrary.isLoaded(by: Clients.process(of: client))
        var route = KeyRoute()
        var listeners: [Listener] = []

        init(_ raw: UnsafeMutablePointer<wlr_keyboard>, _ device: Device, _ client: WaylandClient?) {
            self.raw = raw
            self.device = device
            self.client = client
        }
    }

    private unowned let routing: InputRouting
    private var keyboards: [Keyboard] = []
    /// The shell's own keyboard. It always exists and soon has a keymap, because clients fail on a seat without a
    /// keyboard.
    private let own = UnsafeMutablePointer<wlr_keyboard>.allocate(capacity: 1)
    #if !WLR18
        private let ownDevice = Device.allocate(capacity: 1)
    #endif
    private var manager: Listener?
    private var input = InputPreferences()
    /// The keyboard focus that the shell wants.
    private var target = KeyboardTarget.nobody
    private(set) var window: OpaquePointer?

    private var server: OpaquePointer { routing.server }
    private var wlr: UnsafeMutablePointer<wlr_seat> { routing.wlr }
    private var compositor: Compositor { Compositor.of(server) }
    private var isLocked: Bool { mw_lock_is_locked(server) }

    #if WLR18
        /// wlroots keeps pointers to these. They are written once and live as long as the process.
        private nonisolated(unsafe) static let name = UnsafePointer<CChar>(strdup("mullion")!)
        private nonisolated(unsafe) static let keyboardKind: UnsafePointer<wlr_keyboard_impl> = {
            let kind = UnsafeMutablePointer<wlr_keyboard_impl>.allocate(capacity: 1)
            var table = wlr_keyboard_impl()
            table.name = name
            kind.initialize(to: table)
            return UnsafePointer(kind)
        }()
    #else
        /// wlroots keeps pointers to these. They are written once and live as long as the process. Its `destroy`
        /// callbacks free nothing, because this object owns the structs.
        private nonisolated(unsafe) static let keyboardKind: UnsafePointer<wlr_keyboard_impl> = {
            let kind = UnsafeMutablePointer<wlr_keyboard_impl>.allocate(capacity: 1)
            var table = wlr_keyboard_impl()
            table.destroy = { _ in }
            kind.initialize(to: table)
            return UnsafePointer(kind)
        }()
        /// For every device that this process makes.
        nonisolated(unsafe) static let deviceKind: UnsafePointer<wlr_input_device_impl> = {
            let kind = UnsafeMutablePointer<wlr_input_device_impl>.allocate(capacity: 1)
            kind.initialize(to: wlr_input_device_impl(destroy: { _ in }))
            return UnsafePointer(kind)
        }()
    #endif

    init(_ routing: InputRouting) {
        self.routing = routing
        own.initialize(to: wlr_keyboard())
        #if WLR18
            wlr_keyboard_init(own, Self.keyboardKind, Self.name)
            let device = own.pointer(to: \.base)!
        #else
            ownDevice.initialize(to: wlr_input_device())
            wlr_keyboard_init(own, Self.keyboardKind)
            wlr_input_device_init(ownDevice, WLR_INPUT_DEVICE_KEYBOARD, Self.deviceKind, "mullion", 0, 0)
            ownDevice.pointee.keyboard = own
            let device = ownDevice
        #endif
        wlr_keyboard_set_repeat_info(own, 25, 600)
        listen(Keyboard(own, device, nil))
    }

    /// Lets clients create virtual keyboards.
    func begin() {
        guard let raw = wlr_virtual_keyboard_manager_v1_create(mw_server_display(server)) else { return }
        manager = Listener(raw.pointer(to: \.events.new_virtual_keyboard)!) { [unowned self] data in
            let virtual = data!.assumingMemoryBound(to: wlr_virtual_keyboard_v1.self)
            let client = wl_resource_get_client(virtual.pointee.resource)
            #if WLR18
                listen(Keyboard(virtual.pointer(to: \.keyboard)!, virtual.pointer(to: \.keyboard.base)!, client))
            #else
                listen(Keyboard(virtual.pointee.input_device.keyboard, virtual.pointer(to: \.input_device)!, client))
            #endif
        }
    }

    func end() { manager = nil }

    /// Called after the seat is destroyed.
    func finish() {
        keyboards = []
        #if WLR18
            wlr_keyboard_finish(own)
        #else
            // This destroys the keyboard, too.
            wlr_input_device_destroy(ownDevice)
            ownDevice.deallocate()
        #endif
        own.deallocate()
    }

    // MARK: Adding and removing

    private func listen(_ keyboard: Keyboard) {
        let raw = keyboard.raw
        keyboard.listeners = [
            Listener(raw.pointer(to: \.events.key)!) { [unowned self, unowned keyboard] in key(event($0), of: keyboard) },
            Listener(raw.pointer(to: \.events.modifiers)!) { [unowned self, unowned keyboard] _ in modifiers(of: keyboard) },
            Listener(keyboard.device.pointer(to: \.events.destroy)!) { [unowned self, unowned keyboard] _ in remove(keyboard) },
        ]
        keyboards.append(keyboard)
    }

    /// Adds a physical keyboard.
    func add(_ device: Device) {
        #if WLR18
            let raw = wlr_keyboard_from_input_device(device)!
        #else
            let raw = device.pointee.keyboard!
        #endif
        let keyboard = Keyboard(raw, device, nil)
        listen(keyboard)
        guard makeKeymap() else { return }
        wlr_keyboard_set_keymap(raw, own.pointee.keymap)
        setRepeat(raw)
        use(raw, device)
        compositor.onKeymap()
    }

    private func remove(_ keyboard: Keyboard) {
        // The seat must always have a keyboard. Without one, clients that get the focus fail.
        if wlr_seat_get_keyboard(wlr) == keyboard.raw { useOwn() }
        if keyboard.client == nil, !mw_server_is_ending(server) { routing.deviceRemoved(keyboard.device) }
        #if !WLR18
            // wlroots 0.15 never frees the keyboard of a virtual device. It no longer uses it after this turn of the
            // loop.
            if keyboard.client != nil, !mw_server_is_ending(server) {
                wl_event_loop_add_idle(mw_server_loop(server), { free($0) }, keyboard.raw)
            }
        #endif
        keyboard.listeners = []
        keyboards.removeAll { $0 === keyboard }
        if keyboard.client == nil, !mw_server_is_ending(server) { compositor.onKeymap() }
    }

    private func use(_ raw: UnsafeMutablePointer<wlr_keyboard>, _ device: Device) {
        // Clients fail on a keyboard without a keymap.
        guard raw.pointee.keymap != nil else { return }
        #if WLR18
            wlr_seat_set_keyboard(wlr, raw)
        #else
            wlr_seat_set_keyboard(wlr, device)
        #endif
    }

    private func useOwn() {
        #if WLR18
            use(own, own.pointer(to: \.base)!)
        #else
            use(own, ownDevice)
        #endif
    }

    // MARK: The keymap

    /// Compiles the keymap, which takes as long as creating all globals. Returns false if there is none.
    func makeKeymap() -> Bool {
        guard own.pointee.keymap == nil else { return true }
        guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return false }
        defer { xkb_context_unref(context) }
        // The XKB settings of the environment, or the defaults, unless a person chose layouts.
        var names = xkb_rule_names()
        var keymap = KeyboardLayout.list(input.layouts).flatMap(Self.keymap)
        if keymap == nil, !input.layouts.isEmpty {
            compositor.log.error("the keyboard layouts \"\(input.layouts)\" cannot be used; using those of the environment")
        }
        if keymap == nil { keymap = xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS) }
        if keymap == nil {
            compositor.log.error("the keyboard layout in the environment is invalid; using the default")
            keymap = "us".withCString { layout in
                names.layout = layout
                return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
            }
        }
        guard let keymap else { return false }
        wlr_keyboard_set_keymap(own, keymap)
        xkb_keymap_unref(keymap)
        // Clients that bound the keyboard earlier get the keymap now.
        if wlr_seat_get_keyboard(wlr) == nil { useOwn() }
        return own.pointee.keymap != nil
    }

    var ownKeymap: OpaquePointer? { own.pointee.keymap }

    /// Whether a keyboard is there that is no program's and not the shell's own.
    var hasReal: Bool { keyboards.contains { $0.client == nil && $0.raw != own } }

    /// A person set layouts or the repeating of keys. A keyboard of a client keeps its own.
    func use(_ input: InputPreferences) {
        let before = self.input
        self.input = input
        for keyboard in keyboards where keyboard.client == nil { setRepeat(keyboard.raw) }
        guard input.layouts != before.layouts, let old = own.pointee.keymap else { return }
        own.pointee.keymap = nil
        guard makeKeymap(), let keymap = own.pointee.keymap else {
            own.pointee.keymap = old
            return
        }
        xkb_keymap_unref(old)
        for keyboard in keyboards where keyboard.client == nil && keyboard.raw != own { wlr_keyboard_set_keymap(keyboard.raw, keymap) }
        compositor.onKeymap()
    }

    private func setRepeat(_ raw: UnsafeMutablePointer<wlr_keyboard>) {
        wlr_keyboard_set_repeat_info(raw, Int32(clamping: input.repeatRate.rounded()), Int32(clamping: input.repeatDelay.rounded()))
    }

    // MARK: Keys

    #if WLR18
        private typealias KeyEvent = wlr_keyboard_key_event
    #else
        private typealias KeyEvent = wlr_event_keyboard_key
    #endif

    /// The key's symbol without modifiers, in the layout in use, in lower case.
    ///
    /// A virtual keyboard may send any number: `&+`, as wlroots adds.
    private func symbol(_ keyboard: Keyboard, _ code: UInt32) -> KeySymbol {
        let layout = xkb_state_serialize_layout(keyboard.raw.pointee.xkb_state, XKB_STATE_LAYOUT_EFFECTIVE)
        if let line = RemoteKeys.line(of: code) { return line.symbol }
        let base = ShortcutKey.symbol(keyboard.raw.pointee.keymap, code, layout, level: 0)
        let name = keyboard.client == nil ? keyboard.device.pointee.name.map { String(cString: $0) } : nil
        return KeyMeaning.symbol(base, device: name)
    }

    /// The key's text with the current modifiers and layout.
    private func text(_ keyboard: Keyboard, _ code: UInt32) -> String? {
        var room = [CChar](repeating: 0, count: 64)
        let length = xkb_state_key_get_utf8(keyboard.raw.pointee.xkb_state, code &+ 8, &room, room.count)
        guard length > 0, Int(length) < room.count else { return nil }
        return KeyMeaning.text(String(decoding: room[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The console that a key switches to. Ignored for virtual keyboards and the control socket, because no person at
    /// this machine pressed the key, and locking this session does not lock the other consoles.
    private func switchesConsole(_ keyboard: Keyboard, _ code: UInt32) -> Bool {
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = xkb_state_key_get_syms(keyboard.raw.pointee.xkb_state, code &+ 8, &symbols)
        let first = UInt32(XKB_KEY_XF86Switch_VT_1), last = UInt32(XKB_KEY_XF86Switch_VT_12)
        guard let symbol = (0..<Int(max(count, 0))).map({ symbols![$0] }).first(where: { (first...last).contains($0) }) else {
            return false
        }
        let console = symbol - first + 1
        guard keyboard.client == nil, keyboard.raw != own else {
            compositor.log.info("a virtual keyboard asked for console \(console); refused")
            return false
        }
        return mw_server_session(server).map { wlr_session_change_vt($0, console) } ?? false
    }

    private func key(_ event: KeyEvent, of keyboard: Keyboard) {
        guard keyboard.raw.pointee.keymap != nil else { return }
        let code = event.keycode, isPressed = event.state == WL_KEYBOARD_KEY_STATE_PRESSED
        compositor.wire?.key(code, isDown: isPressed)
        compositor.activation?.noteTokens()
        if isPressed, compositor.switchesConsoles, switchesConsole(keyboard, code) { return }
        let symbol = symbol(keyboard, code), isLocked = isLocked
        // The kernel reports the button as a keyboard with one key.
        if symbol == KeySymbol(rawValue: UInt32(XKB_KEY_XF86PowerOff)), keyboard.client == nil {
            return _ = compositor.emit(.powerButton(isDown: isPressed), moment(of: event.time_msec))
        }
        // Volume keys belong to the person at the device, even while a locker has all other keys.
        let isTold = !isLocked || (keyboard.client == nil && symbol.isForSound)
        let isSuper = wlr_keyboard_get_modifiers(keyboard.raw) & WLR_MODIFIER_LOGO.rawValue != 0
        if isLocked, !isTold, compositor.protocols?.lockedSession.takesKey(symbol, withSuper: isSuper) ?? false {
            return keyOnLock(symbol, code, isPressed, of: keyboard, moment(of: event.time_msec))
        }
        if !isTold { compositor.protocols?.idle.activity() }
        let modifiers = Modifiers(rawValue: wlr_keyboard_get_modifiers(keyboard.raw.self) & Self.shownModifiers)
        let others =
            isPressed && !modifiers.isDisjoint(with: [.super, .control, .alt])
            ? ShortcutKey.others(keyboard.raw, code, isShifted: modifiers.contains(.shift)) : nil
        if isPressed { handled = code }
        defer { handled = nil }
        let isShells =
            isTold
            && compositor.emit(
                .key(
                    code: code, symbol: symbol, pressed: isPressed, modifiers: modifiers, text: isPressed ? text(keyboard, code) : nil,
                    others: others),
                moment(of: event.time_msec))
        if isPressed, let client = keyboard.client { compositor.typed(by: client, asks: keyboard.asks) }
        // Only the locker may see a password.
        let grab = isLocked ? nil : routing.text?.grab(of: keyboard.raw, client: keyboard.client)
        let destination =
            isPressed
            ? keyboard.route.press(code, isShells: isShells, hasInputMethod: grab != nil, isStalled: isStalled(grab))
            : keyboard.route.release(code)
        switch destination {
        case .nobody: break
        case .inputMethod:
            if let grab { wlr_input_method_keyboard_grab_v2_send_key(grab, event.time_msec, RemoteKeys.typed(code), event.state.rawValue) }
        case .client where isAtClient(code, besides: keyboard): break
        case .client:
            use(keyboard.raw, keyboard.device)
            let before = routing.serial
            sendKey(code, event.state, event.time_msec)
            routing.delivered(before, to: wlr.pointee.keyboard_state.focused_surface)
        }
    }

    /// A key for the lock screen of the shell. The client that had the key before the lock lost the focus, and with it the key.
    private func keyOnLock(_ symbol: KeySymbol, _ code: UInt32, _ isPressed: Bool, of keyboard: Keyboard, _ when: Int64) {
        guard isPressed else { return _ = keyboard.route.release(code) }
        _ = keyboard.route.press(code, isShells: true, hasInputMethod: false, isStalled: false)
        let held = wlr_keyboard_get_modifiers(keyboard.raw), shift = WLR_MODIFIER_SHIFT.rawValue
        let chord = held & (WLR_MODIFIER_CTRL.rawValue | WLR_MODIFIER_ALT.rawValue | WLR_MODIFIER_LOGO.rawValue)
        guard chord != 0 else { return routing.emitOnLock(.key(symbol, text: text(keyboard, code)), when) }
        let others = ShortcutKey.others(keyboard.raw, code, isShifted: held & shift != 0) ?? []
        routing.emitOnLock(.chord([symbol] + others.map(\.symbol), modifiers: chord | held & shift), when)
    }

    /// Real keyboards type in this one of their layouts.
    func use(layout: Int) {
        for keyboard in keyboards where keyboard.client == nil {
            let state = keyboard.raw.pointee.modifiers
            wlr_keyboard_notify_modifiers(keyboard.raw, state.depressed, state.latched, state.locked, UInt32(clamping: layout))
        }
    }

    /// Sends a key to the client with the focus, past every grab of wlroots: the focus and the routes of keys are decided here. A popup's grab
    /// only passes keys on, and a drag's swallows them: its app never heard that a key was released during the drag (P-05).
    private func sendKey(_ code: UInt32, _ state: wl_keyboard_key_state, _ time: UInt32) {
        wlr_seat_keyboard_send_key(wlr, time, RemoteKeys.typed(code), state.rawValue)
    }

    /// The key that goes down, while it is decided who gets it. A window that gets the focus by it hears of no key that is down (P-05).
    private var handled: UInt32?

    private static let shownModifiers =
        WLR_MODIFIER_SHIFT.rawValue | WLR_MODIFIER_CTRL.rawValue | WLR_MODIFIER_ALT.rawValue
        | WLR_MODIFIER_LOGO.rawValue

    /// Whether the client has this key pressed by another keyboard.
    private func isAtClient(_ code: UInt32, besides keyboard: Keyboard?) -> Bool {
        keyboards.contains { $0 !== keyboard && $0.route.isAtClient(code) }
    }

    /// Whether the client that would get keys now does not read its socket.
    private func isStalled(_ grab: UnsafeMutablePointer<wlr_input_method_keyboard_grab_v2>?) -> Bool {
        if let grab { return mw_client_stalled(server, wl_resource_get_client(grab.pointee.resource)) }
        return mw_surface_stalled(server, wlr.pointee.keyboard_state.focused_surface)
    }

    private func modifiers(of keyboard: Keyboard) {
        guard keyboard.raw.pointee.keymap != nil else { return }
        let grab = isLocked ? nil : routing.text?.grab(of: keyboard.raw, client: keyboard.client)
        guard !isStalled(grab) else { return }
        let state = keyboard.raw.pointer(to: \.modifiers)
        if let grab { return wlr_input_method_keyboard_grab_v2_send_modifiers(grab, state) }
        use(keyboard.raw, keyboard.device)
        wlr_seat_keyboard_send_modifiers(wlr, state)
    }

    /// A client that did not read its socket has caught up.
    func caughtUp(_ client: WaylandClient) {
        let state = wlr.pointee.keyboard_state
        guard let focused = state.focused_client, focused.pointee.client == client, let keyboard = state.keyboard else { return }
        wlr_seat_keyboard_send_modifiers(wlr, keyboard.pointer(to: \.modifiers))
    }

    /// Presses and releases a key at the client that has the keyboard, without asking the shell.
    func type(_ code: UInt32, _ when: Int64) {
        guard !isLocked, !isStalled(nil), wlr.pointee.keyboard_state.focused_surface != nil else { return }
        useOwn()
        let before = routing.serial
        // A key that the client has pressed by a keyboard is released first and pressed again.
        let states =
            isAtClient(code, besides: nil)
            ? [WL_KEYBOARD_KEY_STATE_RELEASED, WL_KEYBOARD_KEY_STATE_PRESSED]
            : [WL_KEYBOARD_KEY_STATE_PRESSED, WL_KEYBOARD_KEY_STATE_RELEASED]
        for state in states {
            sendKey(code, state, milliseconds(when))
        }
        routing.delivered(before, to: wlr.pointee.keyboard_state.focused_surface)
    }

    /// Injects a key as if a device had sent it.
    func inject(_ code: UInt32, pressed: Bool, _ when: Int64) {
        var event = KeyEvent()
        event.time_msec = milliseconds(when)
        event.keycode = code
        event.update_state = true
        event.state = pressed ? WL_KEYBOARD_KEY_STATE_PRESSED : WL_KEYBOARD_KEY_STATE_RELEASED
        wlr_keyboard_notify_key(own, &event)
    }

    // MARK: Focus

    /// Takes the keys that are down from the target that has them: their releases are not delivered.
    func dropHeld() {
        for keyboard in keyboards { keyboard.route.drop() }
    }

    /// Sets the focus that the shell decided. `window` is the window of the target, if it has one.
    func focus(_ target: KeyboardTarget, window: OpaquePointer?) {
        let previous = self.window
        if target != self.target || window != previous { compositor.popups?.dismissOnPanels() }
        self.target = target
        self.window = window
        // X11 has its own focus.
        if previous != window {
            if let previous, mw_window_fields(previous).pointee.xsurface != nil { X11Window.of(previous).activate(false) }
        }
        if let window, mw_window_fields(window).pointee.xsurface != nil { X11Window.of(window).activate(true) }
        applyFocus()
    }

    func windowGone(_ window: OpaquePointer) {
        guard self.window == window else { return }
        self.window = nil
        if !mw_server_is_ending(server) { applyFocus() }
    }

    private var focused: Surface? {
        switch target {
        case .window: window.flatMap { mw_window_fields($0).pointee.mapped ? mw_window_fields($0).pointee.surface : nil }
        case .panel(let id): compositor.panels?.surface(of: id)
        case .x11Menus: compositor.xwayland?.orphanWithKeys
        // The shell sees every key first. While one of its views has the focus, no client gets keys.
        case .nobody, .shell, .locker: nil
        }
    }

    /// Gives the focus to the target that the shell chose, or to a popup of it with a grab. While the session is
    /// locked, only the locker gets keys.
    func applyFocus() {
        guard !mw_server_is_ending(server), compositor.popups != nil else { return }
        var surface = isLocked ? mw_lock_keyboard_focus(server) : focused
        if !isLocked, let root = surface, let popup = compositor.popups?.grabbing(on: root) { surface = popup }
        guard surface != wlr.pointee.keyboard_state.focused_surface else { return }
        endForeignGrab(surface)
        routing.text?.typeComposed()
        if let surface { enter(surface) } else { wlr_seat_keyboard_clear_focus(wlr) }
        compositor.protocols?.pointerConstraints?.check()
    }

    private func enter(_ surface: Surface) {
        if wlr_seat_get_keyboard(wlr) == nil {
            _ = makeKeymap()
            useOwn()
        }
        let raw = wlr_seat_get_keyboard(wlr) ?? own
        let route = keyboards.first { $0.raw == raw }?.route
        let down = withUnsafeBytes(of: &raw.pointee.keycodes) { Array($0.bindMemory(to: UInt32.self).prefix(raw.pointee.num_keycodes)) }
        // The key that is being handled may be the shell's. If it is not, its press follows.
        var told = down.filter { $0 != handled && !(route?.isHidden($0) ?? false) }
        if target == .x11Menus || window.map({ mw_window_fields($0).pointee.xsurface != nil }) ?? false {
            // Xwayland presses every key that is down on entering, and repeats it. The key belongs to the window before.
            let layout = xkb_state_serialize_layout(raw.pointee.xkb_state, XKB_STATE_LAYOUT_EFFECTIVE)
            told = told.filter { ShortcutKey.symbol(raw.pointee.keymap, RemoteKeys.typed($0), layout, level: 0).isModifier }
        }
        for keyboard in keyboards { keyboard.route.entered(telling: keyboard.raw == raw ? told : []) }
        var codes = told.map(RemoteKeys.typed)
        // Bypass the grab of a popup or a drag, which would swallow the event. Only this function decides the focus.
        wlr_seat_keyboard_enter(wlr, surface, &codes, codes.count, raw.pointer(to: \.modifiers))
    }

    /// Ends a popup grab of a client that loses the focus.
    private func endForeignGrab(_ surface: Surface?) {
        let grabs = elements(of: mw_server_xdg_shell(server).pointer(to: \.popup_grabs)!, by: \wlr_xdg_popup_grab.link)
        guard let grab = grabs.first(where: { $0.pointer(to: \.keyboard_grab) == wlr.pointee.keyboard_state.grab }) else { return }
        if surface.map({ wl_resource_get_client($0.pointee.resource) != grab.pointee.client }) ?? true { wlr_seat_pointer_end_grab(wlr) }
    }
}
