import CWlroots
import Geometry
import Glibc
import Seat
import WaylandServer

/// Delivers the pointer to clients: focus, implicit grab, buttons and wheel.
final class PointerDelivery {
    enum Target: Equatable {
        case nothing
        case window(OpaquePointer)
        case background
        case overlay(Overlay)
        case locker
    }

    private unowned let routing: InputRouting
    /// The target under the pointer.
    private(set) var target = Target.nothing
    /// The last position, in the target's coordinates. nil over the shell's own views.
    private var place: Point?
    /// The origin of the focused surface, in the same coordinates.
    private var origin = Point.zero
    /// The last position on the focused surface, and whether a motion there was held back.
    private var onSurface = Point.zero, isOwed = false
    /// A finger went down since the last press of a button. Xwayland has one place for both, and the finger's is the newer one.
    private var isElsewhere = false
    /// The windows on which a finger was (`meets`).
    private var met: [Surface: Listener] = [:]
    /// Buttons whose press was held back.
    private var dropped: Set<UInt32> = []
    private var told = ToldButtons()
    private var focusListener: Listener?

    init(_ routing: InputRouting) {
        self.routing = routing
        focusListener = Listener(routing.wlr.pointer(to: \.pointer_state.events.focus_change)!) { [unowned self] _ in told.focusChanged() }
    }

    private var server: OpaquePointer { routing.server }
    private var wlr: UnsafeMutablePointer<wlr_seat> { routing.wlr }
    private var focused: Surface? { wlr.pointee.pointer_state.focused_surface }

    var isHeld: Bool { wlr.pointee.pointer_state.button_count > 0 }
    var isOnWindow: Bool { if case .window = target { true } else { false } }

    func fingerDown() { isElsewhere = true }

    /// Tells the focused surface where the pointer is. wlroots leaves out a motion to the same place.
    private func moveAgain(_ when: Int64) {
        isElsewhere = false
        guard focused != nil, !isHeld else { return }
        let place = Point(wlr.pointee.pointer_state.sx, wlr.pointee.pointer_state.sy)
        wlr.pointee.pointer_state.sx = place.x - 1
        wlr_seat_pointer_notify_motion(wlr, milliseconds(when), place.x, place.y)
        wlr_seat_pointer_notify_frame(wlr)
    }

    // MARK: To the focused surface, unless its client is stalled

    func moved(to place: Point, _ when: Int64) {
        isOwed = mw_surface_stalled(server, focused)
        onSurface = place
        if !isOwed { wlr_seat_pointer_notify_motion(wlr, milliseconds(when), place.x, place.y) }
    }

    func frame() {
        if !mw_surface_stalled(server, focused) { wlr_seat_pointer_notify_frame(wlr) }
    }

    /// A client that was stalled has caught up. Tells it where the pointer is now.
    func caughtUp(_ client: WaylandClient) {
        guard let focused, wl_resource_get_client(focused.pointee.resource) == client else { return refresh() }
        if isOwed { moved(to: onSurface, mw_now()) }
        frame()
    }

    /// Gives the pointer to a surface. Does nothing if the surface already has it.
    func enter(_ surface: Surface, at place: Point, _ when: Int64) {
        let before = focused
        if surface != before, mw_surface_stalled(server, surface) { return wlr_seat_pointer_notify_clear_focus(wlr) }
        wlr_seat_pointer_notify_enter(wlr, surface, place.x, place.y)
        if focused == before { moved(to: place, when) }
    }

    /// A finger comes down on a window. The first one there brings the pointer along for a moment.
    ///
    /// GTK 3 takes the pointer of an app that none ever entered for one at the upper left corner. A menu bar then opens its first menu,
    /// whichever a finger touches.
    func meets(_ surface: Surface, at place: Point) {
        guard met[surface] == nil, let role = surface.pointee.role, strcmp(role.pointee.name, "xdg_toplevel") == 0 else { return }
        met[surface] = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in met[surface] = nil }
        guard focused != surface, !isHeld, wlr.pointee.drag == nil, !(routing.pens?.isHeld ?? false) else { return }
        wlr_seat_pointer_notify_enter(wlr, surface, place.x, place.y)
        wlr_seat_pointer_notify_frame(wlr)
        leave()
    }

    // MARK: Windows and the background

    /// While a button is down, the surface that got the press keeps the pointer.
    private func moveGrabbed(to point: Point, _ when: Int64) -> Bool {
        guard isHeld, focused != nil else { return false }
        place = point
        moved(to: Point(point.x - origin.x, point.y - origin.y), when)
        return true
    }

    private func aim(_ target: Target, _ surface: Surface?, at point: Point, place: Point, _ when: Int64) -> Bool {
        self.target = target
        self.place = point
        if routing.pens?.to(surface, at: point, place: place) ?? false { return true }
        guard let surface else {
            wlr_seat_pointer_notify_clear_focus(wlr)
            return false
        }
        origin = Point(point.x - place.x, point.y - place.y)
        enter(surface, at: place, when)
        return true
    }

    /// The shell's decision: over a window. `point` is in the window's coordinates, and may lie outside of it for
    /// popups and shadows.
    func onWindow(_ window: OpaquePointer, at point: Point, _ when: Int64) {
        // A drag finds its targets itself.
        guard !mw_lock_is_locked(server), wlr.pointee.drag == nil else { return }
        if target == .window(window), routing.pens?.moveGrabbed(to: point) ?? false || moveGrabbed(to: point, when) { return }
        var place = Point.zero
        let surface = mw_window_surface_at(window, point.x, point.y, &place.x, &place.y)
        _ = aim(.window(window), surface, at: point, place: place, when)
    }

    /// The shell's decision: over no window. `point` is in points of the screen. Returns false if nothing there takes
    /// the pointer.
    func onBackground(of output: OpaquePointer, at point: Point, _ when: Int64) -> Bool {
        guard !mw_lock_is_locked(server) else { return false }
        guard wlr.pointee.drag == nil else { return true }
        if target == .background, routing.pens?.moveGrabbed(to: point) ?? false || moveGrabbed(to: point, when) { return true }
        var place = Point.zero
        let surface = mw_layers_surface_at(output, 0, 1, point.x, point.y, &place.x, &place.y)
        return aim(.background, surface, at: point, place: place, when)
    }

    /// The shell's decision: over its own views.
    func clear() {
        guard !mw_lock_is_locked(server) else { return }
        target = .nothing
        place = nil
        routing.pens?.off()
        if wlr.pointee.drag == nil { wlr_seat_pointer_notify_clear_focus(wlr) }
        routing.cursor.update()
    }

    // MARK: Panels above everything

    /// The shell's decision: over a panel above everything, or an X11 menu there.
    func onOverlay(_ overlay: Overlay, at point: Point, _ when: Int64) {
        guard !mw_lock_is_locked(server), wlr.pointee.drag == nil else { return }
        if target == .overlay(overlay), moveGrabbed(to: point, when) { return }
        // A finger stands in for the pointer elsewhere.
        guard !isHeld || target == .overlay(overlay) else { return }
        // Panels get no pens.
        routing.pens?.off()
        target = .overlay(overlay)
        place = point
        guard let found = Compositor.of(server).panels?.surface(of: overlay, at: point) else {
            return wlr_seat_pointer_notify_clear_focus(wlr)
        }
        origin = Point(point.x - found.x, point.y - found.y)
        enter(found.surface, at: Point(found.x, found.y), when)
    }

    /// The session is locked: the surfaces of the locker get the pointer, and the shell does not hear of it.
    func moveOnLocker(to seen: Point, _ when: Int64) {
        let point = routing.onLocker(seen)
        if isHeld {
            if target == .locker { moved(to: Point(point.x - origin.x, point.y - origin.y), when) }
            return
        }
        var place = Point.zero
        guard let output = mw_next_output(server, nil), let surface = mw_lock_surface_at(output, point.x, point.y, &place.x, &place.y)
        else {
            if target == .locker { leave() }
            return
        }
        routing.pens?.off()
        target = .locker
        origin = Point(point.x - place.x, point.y - place.y)
        enter(surface, at: place, when)
    }

    /// Takes the pointer away from every surface.
    func leave() {
        target = .nothing
        wlr_seat_pointer_notify_clear_focus(wlr)
    }

    /// The session was locked or unlocked. Clears the pointer's target.
    func forget() { target = .nothing }

    func windowGone(_ window: OpaquePointer) { if target == .window(window) { target = .nothing } }

    /// Finds the surface again, because it may have changed under a pointer that did not move.
    func refresh() {
        guard case .window(let window) = target, mw_window_fields(window).pointee.mapped, !isHeld, wlr.pointee.drag == nil,
            let point = place,
            !(routing.pens?.isHeld ?? false)
        else { return }
        var place = Point.zero
        let surface = mw_window_surface_at(window, point.x, point.y, &place.x, &place.y)
        if surface == focused, surface == nil || origin == Point(point.x - place.x, point.y - place.y) { return }
        _ = aim(.window(window), surface, at: point, place: place, mw_now())
        frame()
    }

    func windowChanged(_ window: OpaquePointer) { if target == .window(window) { refresh() } }

    // MARK: Buttons and wheel

    /// Holds back the press of a button from a stalled client, and then its release too.
    private func isDropped(_ button: UInt32, pressed: Bool) -> Bool {
        if pressed, mw_surface_stalled(server, focused) {
            dropped.insert(button)
            return true
        }
        return dropped.remove(button) != nil && !pressed
    }

    /// Returns the serial that the client got, or 0 if it got nothing.
    @discardableResult
    func button(_ button: UInt32, pressed: Bool, _ when: Int64) -> UInt32 {
        if isDropped(button, pressed: pressed) { return 0 }
        if pressed, isElsewhere { moveAgain(when) }
        // A press outside ends a popup grab, so look for the surface under the pointer after that.
        let before = routing.serial, surface = focused
        if pressed { routing.text?.presses(surface) }
        #if WLR18
            let state = pressed ? WL_POINTER_BUTTON_STATE_PRESSED : WL_POINTER_BUTTON_STATE_RELEASED
        #else
            let state = pressed ? WLR_BUTTON_PRESSED : WLR_BUTTON_RELEASED
        #endif
        // A drag takes the release of a press that the surface got where it began.
        let isTold =
            told.delivers(button, pressed: pressed, hasFocus: wlr.pointee.pointer_state.focused_client != nil) || wlr.pointee.drag != nil
        // No client gets the release, but wlroots counts it.
        let focus = wlr.pointee.pointer_state.focused_client, grab = wlr.pointee.pointer_state.grab
        if !isTold {
            wlr.pointee.pointer_state.focused_client = nil
            wlr.pointee.pointer_state.grab = wlr.pointee.pointer_state.default_grab
        }
        let serial = wlr_seat_pointer_notify_button(wlr, milliseconds(when), button, state)
        if !isTold {
            wlr.pointee.pointer_state.focused_client = focus
            wlr.pointee.pointer_state.grab = grab
        }
        routing.delivered(before, to: surface)
        if !pressed, !isHeld { refresh() }
        return serial
    }

    /// - Parameters:
    ///   - source: as in wl_pointer.axis_source.
    ///   - discrete: in 1/120 of a click.
    func axis(isHorizontal: Bool, source: Int32, _ value: Double, discrete: Int32, _ when: Int64) {
        guard !mw_surface_stalled(server, focused) else { return }
        let source = UInt32(bitPattern: source)
        // wlroots asserts that a frame has only one axis source.
        if wlr.pointee.pointer_state.sent_axis_source, wlr.pointee.pointer_state.cached_axis_source.rawValue != source { frame() }
        if wlr.pointee.pointer_state.sent_axis_source, wlr.pointee.pointer_state.focused_client == nil {
            wlr.pointee.pointer_state.sent_axis_source = false
        }
        let axis: UInt32 = isHorizontal ? 1 : 0
        #if WLR18
            wlr_seat_pointer_notify_axis(
                wlr, milliseconds(when), wl_pointer_axis(rawValue: axis), value, discrete, wl_pointer_axis_source(rawValue: source),
                WL_POINTER_AXIS_RELATIVE_DIRECTION_IDENTICAL)
        #else
            // wlroots 0.15 counts whole clicks.
            wlr_seat_pointer_notify_axis(
                wlr, milliseconds(when), wlr_axis_orientation(rawValue: axis), value, discrete / 120, wlr_axis_source(rawValue: source))
        #endif
    }
}
