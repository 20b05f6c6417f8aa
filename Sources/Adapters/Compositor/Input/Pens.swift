import CWlroots
import Geometry
import Seat
import WaylandServer

/// Pens (tablet-v2). To the shell, a pen is a pointer: it hovers, and its tip is the left button. Over a surface
/// whose app supports tablets, the app gets the pen itself, with pressure and tilt, and no pointer.
final class Pens {
    private final class Tablet {
        let device: Device
        let v2: UnsafeMutablePointer<wlr_tablet_v2_tablet>
        var destroy: Listener?

        init(_ device: Device, _ v2: UnsafeMutablePointer<wlr_tablet_v2_tablet>) {
            self.device = device
            self.v2 = v2
        }
    }

    private final class Pen {
        let tool: UnsafeMutablePointer<wlr_tablet_tool>
        var v2: UnsafeMutablePointer<wlr_tablet_v2_tablet_tool>!
        /// Position on its tablet, 0 to 1.
        var x = 0.0, y = 0.0
        var tiltX = 0.0, tiltY = 0.0
        var isDown = false
        var buttons = PenButtons()
        var listeners: [Listener] = []
        /// Fires when the surface that the pen last entered is destroyed.
        var surfaceGone: Listener?

        init(_ tool: UnsafeMutablePointer<wlr_tablet_tool>) { self.tool = tool }

        var hasTip: Bool { tool.pointee.type != WLR_TABLET_TOOL_TYPE_MOUSE && tool.pointee.type != WLR_TABLET_TOOL_TYPE_LENS }

        /// If an app destroys its tool object while the pen is on its surface, wlroots forgets the client but keeps
        /// listening to the surface, even after it is freed.
        func forgetSurface() {
            guard v2.pointee.current_client == nil, v2.pointee.focused_surface != nil else { return }
            let link = v2.pointer(to: \.surface_destroy.link)!
            wl_list_remove(link)
            wl_list_init(link)
            v2.pointee.focused_surface = nil
        }
    }

    private unowned let routing: InputRouting
    private let manager: UnsafeMutablePointer<wlr_tablet_manager_v2>
    private var tablets: [Tablet] = []
    private var pens: [Pen] = []
    /// The pen that moved last. nil as soon as another device moves the pointer.
    private var current: (pen: Pen, tablet: Tablet)?
    /// The origin of the surface under the pen, in the same coordinates as the pointer's.
    private var origin = Point.zero
    /// Buttons whose press the pen delivered to an app.
    private var given: [UInt32] = []
    private var listeners: [Listener] = []

    private static let mostGiven = 16

    /// Returns nil if out of memory.
    init?(_ routing: InputRouting) {
        guard let manager = wlr_tablet_v2_create(mw_server_display(routing.server)) else { return nil }
        self.routing = routing
        self.manager = manager
        let cursor = routing.cursor.raw
        listeners = [
            Listener(cursor.pointer(to: \.events.tablet_tool_proximity)!) { [unowned self] in proximity(event($0)) },
            Listener(cursor.pointer(to: \.events.tablet_tool_axis)!) { [unowned self] in axis(event($0)) },
            Listener(cursor.pointer(to: \.events.tablet_tool_tip)!) { [unowned self] in tip(event($0)) },
            Listener(cursor.pointer(to: \.events.tablet_tool_button)!) { [unowned self] in button(event($0)) },
        ]
    }

    /// Devices outlive the seat. wlroots frees the seat's lists with it, so remove the devices from those lists
    /// first.
    func finish() {
        listeners = []
        for pen in pens { detach(pen.v2.pointer(to: \.link)!) }
        for tablet in tablets { detach(tablet.v2.pointer(to: \.link)!) }
        pens = []
        tablets = []
        current = nil
    }

    private func detach(_ link: UnsafeMutablePointer<wl_list>) {
        wl_list_remove(link)
        wl_list_init(link)
    }

    // MARK: Over an app that supports tablets

    private var onSurface: UnsafeMutablePointer<wlr_tablet_v2_tablet_tool>? {
        guard let v2 = current?.pen.v2, v2.pointee.current_client != nil, v2.pointee.focused_surface != nil else { return nil }
        return v2
    }

    var isOnSurface: Bool { onSurface != nil }

    /// Whether the tip or a button is down on an app's surface.
    var isHeld: Bool { !given.isEmpty && isOnSurface }

    /// While a button or the tip is down, the surface that got the press keeps the pen. Returns false if nothing is
    /// down.
    func moveGrabbed(to point: Point) -> Bool {
        guard isHeld, let v2 = current?.pen.v2 else { return false }
        wlr_tablet_v2_tablet_tool_notify_motion(v2, point.x - origin.x, point.y - origin.y)
        return true
    }

    /// The pen is not over an app that supports tablets.
    func off() {
        guard let v2 = onSurface else { return }
        wlr_tablet_v2_tablet_tool_notify_proximity_out(v2)
        routing.cursor.forgetClient()
    }

    /// Returns true if the pen moved and the surface's app takes it. There is no pointer in that case.
    func to(_ surface: Surface?, at point: Point, place: Point) -> Bool {
        guard let (pen, tablet) = current, let surface, wlr_surface_accepts_tablet_v2(tablet.v2, surface) else {
            off()
            return false
        }
        pen.forgetSurface()
        if pen.v2.pointee.focused_surface != surface {
            off()
            wlr_seat_pointer_notify_clear_focus(routing.wlr)
        }
        wlr_tablet_v2_tablet_tool_notify_proximity_in(pen.v2, tablet.v2, surface)
        // The app may have bound tablets and destroyed its object for this tool.
        guard isOnSurface else { return false }
        pen.surfaceGone = Listener(surface.pointer(to: \.events.destroy)!) { [unowned pen] _ in
            pen.surfaceGone = nil
            pen.forgetSurface()
        }
        origin = Point(point.x - place.x, point.y - place.y)
        wlr_tablet_v2_tablet_tool_notify_motion(pen.v2, place.x, place.y)
        routing.cursor.update()
        return true
    }

    /// Returns false if the button belongs to the pointer.
    func deliver(_ button: UInt32, pressed: Bool) -> Bool {
        if pressed {
            guard given.count < Self.mostGiven, isOnSurface else { return false }
            given.append(button)
        } else {
            guard let index = given.firstIndex(of: button) else { return false }
            given.remove(at: index)
        }
        // The pen may be gone; the app was told.
        guard let pen = current?.pen else { return true }
        let before = routing.serial, surface = onSurface?.pointee.focused_surface
        if button != Button.left || !pen.hasTip {
            wlr_tablet_v2_tablet_tool_notify_button(
                pen.v2, button, pressed ? ZWP_TABLET_PAD_V2_BUTTON_STATE_PRESSED : ZWP_TABLET_PAD_V2_BUTTON_STATE_RELEASED)
        } else if pressed {
            wlr_tablet_v2_tablet_tool_notify_down(pen.v2)
        } else {
            wlr_tablet_v2_tablet_tool_notify_up(pen.v2)
        }
        routing.delivered(before, to: surface)
        return true
    }

    /// Whether the pen's tip is down on a surface of this client. `serial` 0 matches any press.
    func holds(_ client: WaylandClient?, serial: UInt32) -> Bool {
        guard let v2 = onSurface else { return false }
        return v2.pointee.is_down && (serial == 0 || v2.pointee.down_serial == serial)
            && wl_resource_get_client(v2.pointee.focused_surface.pointee.resource) == client
    }

    /// Whether a pen is on a surface of the tool's client, and the client was told so with this serial.
    func isHere(_ tool: WaylandResource?, serial: UInt32) -> Bool {
        // The resource's user data is wlroots' own object. Only its identity is compared.
        guard let v2 = onSurface else { return false }
        return wl_resource_get_user_data(tool) == UnsafeMutableRawPointer(v2.pointee.current_client)
            && serial == v2.pointee.proximity_serial
    }

    // MARK: Entering and leaving proximity

    /// Another device moves the pointer, or the pen left proximity.
    func leave(_ when: Int64 = mw_now()) {
        guard let pen = current?.pen else { return }
        if pen.isDown { routing.pointerButton(Button.left, pressed: false, when) }
        pen.isDown = false
        for button in pen.buttons.releaseAll() { routing.pointerButton(button, pressed: false, when) }
        off()
        current = nil
    }

    private func goAway(_ when: Int64) {
        leave(when)
        routing.cursor.isHidden = true
        // No pointer hovers at the place that a pen leaves.
        if !routing.pointer.isHeld, routing.drag.raw == nil { routing.pointer.leave() }
        routing.pointerFrame()
    }

    /// Makes this pen the current one. Returns nil if that is not possible.
    private func use(_ tool: UnsafeMutablePointer<wlr_tablet_tool>, _ device: Device, _ when: Int64) -> Pen? {
        guard let tablet = tablets.last(where: { $0.device == device }), let pen = pen(of: tool) else { return nil }
        if current?.pen !== pen || current?.tablet !== tablet {
            leave(when)
            current = (pen, tablet)
        }
        return pen
    }

    private func pen(of tool: UnsafeMutablePointer<wlr_tablet_tool>) -> Pen? {
        if let known = pens.first(where: { $0.tool == tool }) { return known }
        let pen = Pen(tool)
        // Connect before wlroots does, so that wlroots' object still exists when the tool is destroyed.
        let destroy = Listener(tool.pointer(to: \.events.destroy)!) { [unowned self, unowned pen] _ in
            if current?.pen === pen { goAway(mw_now()) }
            pen.listeners = []
            pen.surfaceGone = nil
            pens.removeAll { $0 === pen }
        }
        // nil: the protocol does not have this kind of tool.
        guard let v2 = wlr_tablet_tool_create(manager, routing.wlr, tool) else { return nil }
        pen.v2 = v2
        pen.listeners = [
            destroy,
            Listener(v2.pointer(to: \.events.set_cursor)!) { [unowned self, unowned pen] in
                let event = event($0, wlr_tablet_v2_event_cursor.self)
                guard let v2 = onSurface, v2 == pen.v2, event.serial == v2.pointee.proximity_serial, let client = event.seat_client,
                    client.pointee.client == wl_resource_get_client(v2.pointee.focused_surface.pointee.resource)
                else { return }
                routing.cursor.setClient(event.surface, hotspot: (event.hotspot_x, event.hotspot_y))
            },
        ]
        pens.append(pen)
        return pen
    }

    func addTablet(_ device: Device) {
        guard let v2 = wlr_tablet_create(manager, routing.wlr, device) else { return }
        let tablet = Tablet(device, v2)
        tablet.destroy = Listener(device.pointer(to: \.events.destroy)!) { [unowned self, unowned tablet] _ in
            if current?.tablet === tablet { goAway(mw_now()) }
            tablet.destroy = nil
            tablets.removeAll { $0 === tablet }
        }
        tablets.append(tablet)
    }

    // MARK: Events

    private func move(_ pen: Pen, _ device: Device, _ when: Int64) {
        var x = 0.0, y = 0.0
        wlr_cursor_absolute_to_layout_coords(routing.cursor.raw, device, pen.x, pen.y, &x, &y)
        routing.moveCursor(to: Point(x, y), by: device, when)
    }

    private func proximity(_ event: PenProximityEvent) {
        let when = moment(of: event.time_msec)
        guard let pen = use(event.tool, event.of, when) else { return }
        guard event.state != WLR_TABLET_TOOL_PROXIMITY_OUT else { return goAway(when) }
        (pen.x, pen.y) = (event.x, event.y)
        move(pen, event.of, when)
        routing.pointerFrame()
    }

    private func axis(_ event: PenAxisEvent) {
        let when = moment(of: event.time_msec)
        guard let pen = use(event.tool, event.of, when) else { return }
        func has(_ axis: wlr_tablet_tool_axes) -> Bool { event.updated_axes & axis.rawValue != 0 }
        if has(WLR_TABLET_TOOL_AXIS_X) { pen.x = event.x }
        if has(WLR_TABLET_TOOL_AXIS_Y) { pen.y = event.y }
        if has(WLR_TABLET_TOOL_AXIS_X) || has(WLR_TABLET_TOOL_AXIS_Y) {
            if pen.hasTip {
                move(pen, event.of, when)
            } else {
                let cursor = routing.cursor.place
                routing.moveCursor(to: Point(cursor.x + event.dx, cursor.y + event.dy), by: event.of, when)
            }
        }
        if has(WLR_TABLET_TOOL_AXIS_TILT_X) { pen.tiltX = event.tilt_x }
        if has(WLR_TABLET_TOOL_AXIS_TILT_Y) { pen.tiltY = event.tilt_y }
        if let v2 = onSurface {
            if has(WLR_TABLET_TOOL_AXIS_PRESSURE) { wlr_tablet_v2_tablet_tool_notify_pressure(v2, event.pressure) }
            if has(WLR_TABLET_TOOL_AXIS_DISTANCE) { wlr_tablet_v2_tablet_tool_notify_distance(v2, event.distance) }
            if has(WLR_TABLET_TOOL_AXIS_TILT_X) || has(WLR_TABLET_TOOL_AXIS_TILT_Y) {
                wlr_tablet_v2_tablet_tool_notify_tilt(v2, pen.tiltX, pen.tiltY)
            }
            if has(WLR_TABLET_TOOL_AXIS_ROTATION) { wlr_tablet_v2_tablet_tool_notify_rotation(v2, event.rotation) }
            if has(WLR_TABLET_TOOL_AXIS_SLIDER) { wlr_tablet_v2_tablet_tool_notify_slider(v2, event.slider) }
            if has(WLR_TABLET_TOOL_AXIS_WHEEL) { wlr_tablet_v2_tablet_tool_notify_wheel(v2, event.wheel_delta, 0) }
        }
        routing.pointerFrame()
    }

    private func tip(_ event: PenTipEvent) {
        let when = moment(of: event.time_msec)
        guard let pen = use(event.tool, event.of, when) else { return }
        (pen.x, pen.y) = (event.x, event.y)
        move(pen, event.of, when)
        let isDown = event.state == WLR_TABLET_TOOL_TIP_DOWN
        if pen.isDown != isDown {
            pen.isDown = isDown
            routing.pointerButton(Button.left, pressed: isDown, when)
        }
        routing.pointerFrame()
    }

    private func button(_ event: PenButtonEvent) {
        let when = moment(of: event.time_msec)
        guard let pen = use(event.tool, event.of, when) else { return }
        if event.state == WLR_BUTTON_PRESSED {
            if let button = pen.buttons.press(event.button, isOnPenApp: isOnSurface) { routing.pointerButton(button, pressed: true, when) }
        } else if let button = pen.buttons.release(event.button) {
            routing.pointerButton(button, pressed: false, when)
        }
        routing.pointerFrame()
    }
}
