import CWlroots
import Geometry
import Locking
import Multitasking
import Seat
import WaylandServer

/// The seat: input on its way from devices, virtual devices and injection to clients.
///
/// The shell decides which target gets input. This class reports which panel (an on-screen keyboard, a launcher) lies above everything
/// that the shell arranges. While the session is locked, lock surfaces get input here, and the shell learns only that there was some.
final class InputRouting {
    let server: OpaquePointer
    let wlr: UnsafeMutablePointer<wlr_seat>
    private(set) var devices: Devices!
    private(set) var keyboards: Keyboards!
    private(set) var cursor: CursorPicture!
    private(set) var pointer: PointerDelivery!
    private(set) var touches: TouchDelivery!
    private(set) var drag: Drag!
    private(set) var pens: Pens?
    /// Text fields and input methods. Set from when the seat is complete until it ends.
    private(set) var text: TextInput?
    private var switches: Switches?
    private var attached: Attached?
    private(set) var copied: CopiedSelection?
    private(set) var held: HeldPastes?
    private var primary: PrimarySelection?
    private var injectedPen: InjectedPen?
    /// The position of the last finger, in points of the screen.
    private(set) var lastTouch = Point.zero
    /// The button whose release went to a drag instead of a client.
    private var droppedButton: UInt32?
    private var serials = InputSerials()
    private var lastUsed = LastUsed<UInt64>()
    private var listeners: [Listener] = []

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer) {
        guard let wlr = wlr_seat_create(mw_server_display(server), "seat0") else { return nil }
        self.server = server
        self.wlr = wlr
        guard let cursor = CursorPicture(self) else { return nil }
        self.cursor = cursor
        devices = Devices(self)
        keyboards = Keyboards(self)
        pointer = PointerDelivery(self)
        touches = TouchDelivery(self)
        // Announce all three at all times, because input also comes from injection and virtual devices.
        wlr_seat_set_capabilities(
            wlr, WL_SEAT_CAPABILITY_POINTER.rawValue | WL_SEAT_CAPABILITY_KEYBOARD.rawValue | WL_SEAT_CAPABILITY_TOUCH.rawValue)
    }

    /// nil while there is no seat.
    static func of(server: OpaquePointer?) -> InputRouting? { Compositor.of(server).routing }

    /// The last serial that was issued.
    var serial: UInt32 { wl_display_get_serial(mw_server_display(server)) }
    /// Fingers and buttons that went down in the shell's own part of a locked screen, and where the fingers are.
    private var ownTaps: [Int32: Point] = [:]
    var ownButtons: Set<UInt32> = []
    var isLocked: Bool { mw_lock_is_locked(server) }
    /// Fingers, and -1 for the pointer's button, that are down on the lock screen of the shell. It hears the end of each.
    var onOwnLock: Set<Int32> = []
    var compositor: Compositor { Compositor.of(server) }

    /// Announces the seat to clients. Returns false if out of memory.
    func begin() -> Bool {
        cursor.begin()
        drag = Drag(self)
        text = TextInput(self)
        guard text != nil, compositor.protocols?.beginSeat() ?? false else { return false }
        pens = Pens(self)
        guard pens != nil else { return false }
        switches = Switches(server)
        attached = Attached(server)
        // These come first, because copied content is read at once.
        held = HeldPastes(compositor, server, wlr)
        primary = PrimarySelection(server, wlr, held!)
        copied = CopiedSelection(compositor, server, wlr)
        listen()
        devices.begin()
        keyboards.begin()
        return true
    }

    /// Called after all clients are gone.
    func finish() {
        listeners = []
        devices.end()
        keyboards.end()
        cursor.end()
        text = nil
        injectedPen = nil
        pens?.finish()
        pens = nil
        switches = nil
        attached = nil
        copied?.end()
        copied = nil
        primary?.end()
        primary = nil
        held?.end()
        held = nil
        compositor.protocols?.endSeat()
        drag?.finish()
        devices.finish()
        wlr_seat_set_keyboard(wlr, nil)
        wlr_seat_destroy(wlr)
        keyboards.finish()
        cursor.finish()
    }

    // MARK: Serials

    /// Records that real input was delivered to the client of a surface with the serials after `before`.
    func delivered(_ before: UInt32, to surface: Surface?) {
        let now = serial, when = mw_now()
        guard now != before else { return }
        serials.remember(before &+ 1, through: now, at: when)
        if let client = surface.flatMap({ wl_resource_get_client($0.pointee.resource) }) {
            lastUsed.used(mw_client_identity(client), at: when)
        }
    }

    /// Whether a request of this client counts as the person's, whatever serial it has (W-19).
    func mayAsk(_ client: WaylandClient) -> Bool {
        let focused = wlr.pointee.keyboard_state.focused_surface.flatMap { wl_resource_get_client($0.pointee.resource) }
        return lastUsed.mayAsk(mw_client_identity(client), focused: focused.map { mw_client_identity($0) }, at: mw_now())
    }

    /// A new serial for a request of this client, if the request counts as the person's.
    func serial(for client: WaylandClient) -> UInt32? {
        guard mayAsk(client), let seat = wlr_seat_client_for_wl_client(wlr, client) else { return nil }
        return wlr_seat_client_next_serial(seat)
    }

    /// Whether the serial came with real input after the given time.
    func isRecent(_ serial: UInt32, notBefore: Int64) -> Bool { serials.isRecent(serial, notBefore: notBefore) }

    /// Returns the id of a finger that presses a surface of this client, -1 for the pointer, -2 for a pen, nil without a press. `serial` 0
    /// matches any press.
    func holder(_ client: WaylandClient, serial: UInt32) -> Int32? {
        // Check fingers first: a finger that stands in for the pointer also presses a button.
        if let finger = touches.holder(client, serial: serial) { return finger }
        if pens?.holds(client, serial: serial) ?? false { return -2 }
        let state = wlr.pointee.pointer_state
        guard state.button_count > 0, serial == 0 || state.grab_serial == serial, let focused = state.focused_client else { return nil }
        return focused.pointee.client == client ? -1 : nil
    }

    // MARK: Windows, surfaces and clients

    func windowGone(_ window: OpaquePointer) {
        pointer.windowGone(window)
        keyboards.windowGone(window)
    }

    func surfaceGone(_ surface: Surface) {
        drag?.surfaceGone(surface)
        // Tell the client of a finger on the surface that the touch ended.
        touches.surfaceGone(surface)
    }

    func caughtUp(_ client: WaylandClient) {
        pointer.caughtUp(client)
        touches.caughtUp(client)
        keyboards.caughtUp(client)
        text?.caughtUp(client)
    }

    /// A new device may have switches.
    func deviceAdded() {
        switches?.lookSoon()
        attached?.lookSoon()
    }

    func deviceRemoved(_ device: Device) { attached?.removed(device) }

    /// This console is active again.
    func lookAtSwitches() {
        switches?.look()
        attached?.lookSoon()
    }

    private func overlay(at point: Point) -> Overlay? { compositor.panels?.overlay(at: point) }

    // MARK: The pointer

    /// Moves the cursor to a point of the screen and notifies the surfaces. `device` is nil if no particular device
    /// moved it.
    func moveCursor(to point: Point, by device: Device?, _ when: Int64) {
        var point = point
        if let constraints = compositor.protocols?.pointerConstraints {
            // A pointer constraint holds the pointer in place.
            guard let goal = constraints.goal(point.x, point.y) else {
                compositor.activation?.noteTokens()
                return used()
            }
            point = Point(goal.x, goal.y)
        }
        wlr_cursor_warp_closest(cursor.raw, device, point.x, point.y)
        pointerMotion(when)
    }

    /// Moves the cursor by a relative motion. `device` is nil if wlroots does not know the device.
    func moveCursor(by way: Vector, raw: Vector, device: Device?, _ when: Int64) {
        // Only relative devices send relative motion. With absolute ones, games that lock the pointer would spin.
        if let manager = mw_protocols_relative_pointer(server), !mw_surface_stalled(server, wlr.pointee.pointer_state.focused_surface) {
            wlr_relative_pointer_manager_v1_send_relative_motion(manager, wlr, UInt64(when) / 1000, way.dx, way.dy, raw.dx, raw.dy)
        }
        moveCursor(to: Point(cursor.place.x + way.dx, cursor.place.y + way.dy), by: device, when)
    }

    /// Warps the pointer to a point of the screen.
    func warp(to point: Point) {
        wlr_cursor_warp_closest(cursor.raw, nil, point.x, point.y)
        compositor.emit(.pointerMotion(at: cursor.place, over: overlay(at: cursor.place)), mw_now())
        compositor.emit(.pointerFrame)
    }

    /// A person used the device, and no event of the core says so.
    private func used() { compositor.protocols?.idle.activity() }

    private func pointerMotion(_ when: Int64) {
        compositor.activation?.noteTokens()
        let point = cursor.place
        cursor.isHidden = false
        let isDragging = drag.movePointer(to: point, when)
        guard !isPointerOnOwnLock(point) else {
            if !isHeldByLocker, pointer.target == .locker { pointer.leave() }
            return emitOnLock(.moved(-1, to: point), when)
        }
        guard !isLocked else {
            if !isDragging { pointer.moveOnLocker(to: point, when) }
            return used()
        }
        compositor.emit(.pointerMotion(at: point, over: overlay(at: point)), when)
        // The pointer may have entered a constraint's region.
        compositor.protocols?.pointerConstraints?.check()
    }

    func pointerButton(_ button: UInt32, pressed: Bool, _ when: Int64) {
        compositor.wire?.button(button, isDown: pressed)
        compositor.activation?.noteTokens()
        guard !isPointerOnOwnLock(cursor.place) else {
            if !pressed { pointer.button(button, pressed: false, when) }
            guard button == Button.left else { return }
            if pressed { onOwnLock.insert(-1) } else { onOwnLock.remove(-1) }
            return emitOnLock(pressed ? .down(-1, at: cursor.place) : .up(-1), when)
        }
        guard !isLocked else {
            if takesForShell(button, pressed: pressed) { return used() }
            // Release a button that was pressed before the lock.
            if pointer.target == .locker || !pressed { pointer.button(button, pressed: pressed, when) }
            return used()
        }
        if !pressed, ownButtons.remove(button) != nil { return }
        if let drag = drag.raw, !pressed, drag.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER, !touches.isHeldBack(button) {
            pointer.button(button, pressed: false, when)
            self.drag.released(button, of: drag)
            droppedButton = button
        } else if pressed {
            droppedButton = nil
        }
        compositor.emit(.pointerButton(button, pressed: pressed), when)
    }

    /// - Parameters:
    ///   - source: as in wl_pointer.axis_source.
    ///   - value: in points.
    ///   - discrete: in 1/120 of a click.
    private func pointerAxis(isHorizontal: Bool, source: Int32, _ value: Double, discrete: Int32, _ when: Int64) {
        compositor.activation?.noteTokens()
        guard !isOwnLock(cursor.place) else { return isHorizontal ? () : emitOnLock(.scrolled(value), when) }
        guard !isLocked else {
            if pointer.target == .locker { pointer.axis(isHorizontal: isHorizontal, source: source, value, discrete: discrete, when) }
            return used()
        }
        compositor.emit(.pointerAxis(PointerAxis(isHorizontal: isHorizontal, source: source, value: value, discrete: discrete)), when)
    }

    func pointerFrame() {
        if !isLocked { compositor.emit(.pointerFrame) } else if pointer.target == .locker { pointer.frame() }
    }

    /// Delivers a button to a client, as the shell decided.
    func deliver(_ button: UInt32, pressed: Bool, _ when: Int64) {
        if !pressed, droppedButton == button {
            // The drag already took this release on its way in.
            droppedButton = nil
            return
        }
        guard touches.delivers(button, pressed: pressed) else { return }
        if !(pens?.deliver(button, pressed: pressed) ?? false) { pointer.button(button, pressed: pressed, when) }
    }

    // MARK: Fingers

    private func touchDown(_ id: Int32, at point: Point, _ when: Int64) {
        compositor.wire?.finger(id, isDown: true)
        compositor.activation?.noteTokens()
        lastTouch = point
        cursor.isHidden = true
        guard isLocked else { return _ = compositor.emit(.touchDown(id, at: point, over: overlay(at: point)), when) }
        if isOwnLock(point) {
            onOwnLock.insert(id)
            return emitOnLock(.down(id, at: point), when)
        }
        if isOwnPart(point) {
            ownTaps[id] = point
            return used()
        }
        var place = Point.zero
        let there = onLocker(point)
        if let output = mw_next_output(server, nil), let surface = mw_lock_surface_at(output, there.x, there.y, &place.x, &place.y) {
            _ = touches.begin(id, .locker, on: surface, at: there, place: place, when)
        }
        used()
    }

    private func touchMotion(_ id: Int32, to point: Point, _ when: Int64) {
        lastTouch = point
        let isDragging = drag.moveTouch(id, to: point, when)
        if ownTaps[id] != nil {
            ownTaps[id] = point
            return used()
        }
        guard isLocked else { return _ = compositor.emit(.touchMotion(id, at: point), when) }
        if onOwnLock.contains(id) { return emitOnLock(.moved(id, to: point), when) }
        if !isDragging, touches.owner(of: id) == .locker { touches.move(id, to: onLocker(point), when) }
        used()
    }

    private func touchUp(_ id: Int32, _ when: Int64) {
        compositor.wire?.finger(id, isDown: false)
        compositor.activation?.noteTokens()
        if let point = ownTaps.removeValue(forKey: id) {
            if isLocked { compositor.protocols?.lockedSession.tapped(at: point) }
            return used()
        }
        if touches.owner(of: id) == .locker {
            touches.end(id, when)
            touches.forget(id)
            return used()
        }
        if onOwnLock.remove(id) != nil { emitOnLock(.up(id), when) }
        // This may be the drop.
        if drag.raw != nil, !drag.fingerLifts(id, when) { touches.end(id, when) }
        if isLocked { used() } else { compositor.emit(.touchUp(id), when) }
    }

    private func touchCancel(_ id: Int32, _ when: Int64) {
        compositor.wire?.finger(id, isDown: false)
        if ownTaps.removeValue(forKey: id) != nil { return }
        if onOwnLock.remove(id) != nil { return emitOnLock(.cancelled(id), mw_now()) }
        if touches.owner(of: id) == .locker {
            touches.cancel()
        } else if !isLocked {
            compositor.emit(.touchCancel(id), when)
        }
    }

    private func touchFrame() {
        if touches.hasLockers { touches.frame() }
        if !isLocked { compositor.emit(.touchFrame) }
    }

    // MARK: Devices (all of them go through wlr_cursor)

    private func onScreen(_ device: Device, _ x: Double, _ y: Double) -> Point {
        var point = Point.zero
        wlr_cursor_absolute_to_layout_coords(cursor.raw, device, x, y, &point.x, &point.y)
        return point
    }

    private func listen() {
        let raw = cursor.raw
        listeners = [
            Listener(raw.pointer(to: \.events.motion)!) { [unowned self] in
                let event = event($0, PointerMotionEvent.self)
                pens?.leave()
                if let attached, devices.isReal(event.of) { attached.moved(event.of) }
                moveCursor(
                    by: Vector(event.delta_x, event.delta_y), raw: Vector(event.unaccel_dx, event.unaccel_dy), device: event.of,
                    moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.motion_absolute)!) { [unowned self] in
                let event = event($0, PointerMotionAbsoluteEvent.self)
                pens?.leave()
                moveCursor(to: onScreen(event.of, event.x, event.y), by: event.of, moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.button)!) { [unowned self] in
                let event = event($0, PointerButtonEvent.self), isPressed = event.state.rawValue != 0
                guard devices.change(event.of, event.button, pressed: isPressed) else { return }
                pens?.leave()
                pointerButton(event.button, pressed: isPressed, moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.axis)!) { [unowned self] in
                let event = event($0, PointerAxisEvent.self)
                pointerAxis(
                    isHorizontal: event.orientation.rawValue == 1, source: Int32(bitPattern: event.source.rawValue), event.delta,
                    discrete: discreteSteps(event), moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.frame)!) { [unowned self] _ in pointerFrame() },
            Listener(raw.pointer(to: \.events.touch_down)!) { [unowned self] in
                let event = event($0, TouchDownEvent.self)
                touchDown(event.touch_id, at: onScreen(event.of, event.x, event.y), moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.touch_motion)!) { [unowned self] in
                let event = event($0, TouchMotionEvent.self)
                touchMotion(event.touch_id, to: onScreen(event.of, event.x, event.y), moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.touch_up)!) { [unowned self] in
                let event = event($0, TouchUpEvent.self)
                touchUp(event.touch_id, moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.touch_cancel)!) { [unowned self] in
                let event = event($0, TouchCancelEvent.self)
                touchCancel(event.touch_id, moment(of: event.time_msec))
            },
            Listener(raw.pointer(to: \.events.touch_frame)!) { [unowned self] _ in touchFrame() },
            Listener(wlr.pointer(to: \.events.request_set_selection)!) { [unowned self] in
                let event = event($0, wlr_seat_request_set_selection_event.self)
                // See `Drag.refuseUsedSource`.
                if let source = event.source, source == wlr.pointee.drag_source { return wlr_data_source_destroy(source) }
                guard copied?.asked(toClear: event.source == nil) ?? true else { return }
                wlr_seat_set_selection(wlr, event.source, event.serial)
            },
            Listener(wlr.pointer(to: \.events.request_set_primary_selection)!) { [unowned self] in
                let event = event($0, wlr_seat_request_set_primary_selection_event.self)
                primary?.set(event.source, serial: event.serial)
            },
        ]
    }

    // MARK: Injection

    func injectPointer(to point: Point, _ when: Int64) {
        pens?.leave()
        moveCursor(to: point, by: nil, when)
        pointerFrame()
    }

    func injectPointer(by way: Vector, _ when: Int64) {
        moveCursor(by: way, raw: way, device: nil, when)
        pointerFrame()
    }

    func injectButton(_ button: UInt32, pressed: Bool, _ when: Int64) {
        pens?.leave()
        pointerButton(button, pressed: pressed, when)
        pointerFrame()
    }

    /// Injects a wheel event. One click is 15 points.
    func injectAxis(isHorizontal: Bool, _ value: Double, _ when: Int64) {
        pointerAxis(isHorizontal: isHorizontal, source: 0, value, discrete: Int32(clamping: value / 15 * 120), when)
        pointerFrame()
    }

    func injectTouchDown(_ id: Int32, at point: Point, _ when: Int64) {
        touchDown(id, at: point, when)
        touchFrame()
    }

    func injectTouchMotion(_ id: Int32, to point: Point, _ when: Int64) {
        touchMotion(id, to: point, when)
        touchFrame()
    }

    func injectTouchUp(_ id: Int32, _ when: Int64) {
        touchUp(id, when)
        touchFrame()
    }

    func injectTouchCancel(_ id: Int32, _ when: Int64) {
        touchCancel(id, when)
        touchFrame()
    }

    /// The pen that scripts move. Created at its first use.
    var penOfScripts: InjectedPen {
        if let injectedPen { return injectedPen }
        let made = InjectedPen(self)
        injectedPen = made
        return made
    }
}
