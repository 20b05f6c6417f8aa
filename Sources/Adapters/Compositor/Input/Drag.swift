import CWlroots
import Geometry
import Glibc
import WaylandServer

/// Drag and drop. During a drag, a target is the surface on the screen that the shell lets a drop reach (`Compositor.dropPoint`).
final class Drag {
    private unowned let routing: InputRouting
    private(set) var raw: UnsafeMutablePointer<wlr_drag>?
    /// In points of the screen.
    private var place = Point.zero
    /// The same on the surface that is entered next.
    private var onSurface = Point.zero
    /// The finger that drags lifts now. wlroots forgets it by itself.
    private var isLifting = false
    /// The sum of the icon's attach offsets.
    private var iconOffset = Vector(0, 0)
    private var seatListeners: [Listener] = []
    private var listeners: [Listener] = []
    private var clientGone: Listener?
    private var iconListeners: [Listener] = []

    private var server: OpaquePointer { routing.server }
    private var wlr: UnsafeMutablePointer<wlr_seat> { routing.wlr }

    init(_ routing: InputRouting) {
        self.routing = routing
        seatListeners = [
            Listener(routing.wlr.pointer(to: \.events.request_start_drag)!) { [unowned self] in
                asked(event($0, wlr_seat_request_start_drag_event.self))
            },
            Listener(routing.wlr.pointer(to: \.events.start_drag)!) { [unowned self] data in
                begins(data!.assumingMemoryBound(to: wlr_drag.self))
            },
        ]
    }

    // MARK: Position

    private func find(_ point: Point) -> (surface: Surface, place: Point)? {
        let compositor = Compositor.of(server)
        guard let raw, let point = compositor.panels?.overlay(at: point) == nil ? compositor.dropPoint(point) : point else { return nil }
        var place = Point.zero
        let icon = raw.pointee.icon.flatMap { $0.pointee.surface }
        guard let surface = mw_drawn_surface_at(server, icon, point.x, point.y, &place.x, &place.y) else { return nil }
        return mw_surface_stalled(server, surface) ? nil : (surface, place)
    }

    private func moved(to point: Point) {
        guard let raw else { return }
        place = point
        if raw.pointee.icon != nil { scheduleFrame() }
    }

    private func scheduleFrame() { if let output = mw_next_output(server, nil) { mw_output_schedule(output) } }

    /// Returns false if there is no drag by pointer.
    func movePointer(to point: Point, _ when: Int64) -> Bool {
        guard let raw, raw.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER else { return false }
        if let (surface, place) = find(point) {
            onSurface = place
            wlr_seat_pointer_notify_enter(wlr, surface, place.x, place.y)
            wlr_seat_pointer_notify_motion(wlr, milliseconds(when), place.x, place.y)
        } else {
            wlr_seat_pointer_notify_clear_focus(wlr)
        }
        moved(to: point)
        return true
    }

    /// wlroots does not tell the drag when the touch point leaves all surfaces, so do it here.
    private func touchOverNothing(_ id: Int32, _ when: Int64) {
        wlr_seat_touch_point_clear_focus(wlr, milliseconds(when), id)
        let grab = wlr.pointee.touch_state.grab!
        grab.pointee.interface.pointee.enter(grab, milliseconds(when), wlr_seat_touch_get_point(wlr, id))
    }

    /// Returns false if this finger does not drag.
    func moveTouch(_ id: Int32, to point: Point, _ when: Int64) -> Bool {
        guard let raw, routing.touches.owner(of: id) != nil else { return false }
        if routing.touches.standsInForPointer(id) { return movePointer(to: point, when) }
        guard raw.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH, raw.pointee.grab_touch_id == id,
            wlr_seat_touch_get_point(wlr, id) != nil
        else { return false }
        if let (surface, place) = find(point) {
            onSurface = place
            wlr_seat_touch_point_focus(wlr, surface, milliseconds(when), id, place.x, place.y)
            wlr_seat_touch_notify_motion(wlr, milliseconds(when), id, place.x, place.y)
            // wlroots tells its X11 window manager of motions of the pointer only, and an X11 window accepts nothing without them.
            var motion = wlr_drag_motion_event(drag: raw, time: milliseconds(when), sx: place.x, sy: place.y)
            if raw.pointee.focus != nil { wl_signal_emit(raw.pointer(to: \.events.motion)!, &motion) }
        } else {
            touchOverNothing(id, when)
        }
        moved(to: point)
        return true
    }

    /// Whether this finger drags by touch.
    func isBy(finger id: Int32) -> Bool {
        guard let raw else { return false }
        return raw.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH && raw.pointee.grab_touch_id == id
    }

    /// A finger lifts: the drop, if it drags. If no client accepts the drop, the drag is cancelled, as it is for the pointer (P-05). wlroots
    /// itself drops on any surface below a finger, and tells the source nothing if there is no surface.
    ///
    /// - Returns: false if the finger does not drag.
    func fingerLifts(_ id: Int32, _ when: Int64) -> Bool {
        guard let raw, isBy(finger: id), wlr_seat_touch_get_point(wlr, id) != nil else { return false }
        isLifting = true
        defer { isLifting = false }
        func lift() { wlr_seat_touch_notify_up(wlr, milliseconds(when), id) }
        let isTaken =
            raw.pointee.focus_client != nil
            && raw.pointee.source.map { $0.pointee.accepted && $0.pointee.current_dnd_action.rawValue != 0 } ?? true
        guard let source = raw.pointee.source, !isTaken else {
            lift()
            return true
        }
        touchOverNothing(id, when)
        var isThere = true
        let gone = Listener(source.pointer(to: \.events.destroy)!) { _ in isThere = false }
        lift()
        if isThere { wlr_data_source_destroy(source) }
        withExtendedLifetime(gone) {}
        return true
    }

    /// A button was released. wlroots drops when it is the one that began the drag, but lets the drag go on while another is held: a second
    /// drop could follow. One drag has one drop (P-05).
    func released(_ button: UInt32, of drag: UnsafeMutablePointer<wlr_drag>) {
        guard let raw, raw == drag, wlr.pointee.pointer_state.grab_button == button else { return }
        finishGrab(of: raw)
    }

    /// The surface drawn under the finger or pointer, and its position. nil: none.
    var icon: (surface: Surface, place: Point)? {
        guard let icon = raw?.pointee.icon, let surface = icon.pointee.surface else { return nil }
        #if WLR18
            return surface.pointee.mapped ? (surface, Point(place.x + iconOffset.dx, place.y + iconOffset.dy)) : nil
        #else
            guard icon.pointee.mapped else { return nil }
            return (surface, Point(place.x + Double(surface.pointee.sx), place.y + Double(surface.pointee.sy)))
        #endif
    }

    // MARK: Life cycle

    /// Ends the drag without a drop, even if other grabs hold the pointer, fingers or keys. Its source is told (P-05).
    func end() {
        guard let raw else { return }
        // Sources of older versions hear of no end (wl_data_source.cancelled).
        if let source = raw.pointee.source, source.pointee.impl.pointee.dnd_finish != nil { return wlr_data_source_destroy(source) }
        finishGrab(of: raw)
    }

    /// Ends wlroots' drag, but not its source.
    private func finishGrab(of raw: UnsafeMutablePointer<wlr_drag>) {
        let grab = raw.pointer(to: \.keyboard_grab)!
        grab.pointee.interface.pointee.cancel(grab)
    }

    func finish() {
        end()
        seatListeners = []
        forget()
    }

    private func forget() {
        listeners = []
        clientGone = nil
        iconListeners = []
    }

    /// wlroots 0.15 keeps the drag's focus after its surface is destroyed.
    func surfaceGone(_ surface: Surface) {
        guard let raw, raw.pointee.focus == surface, raw.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER else { return }
        wlr_seat_pointer_notify_clear_focus(wlr)
    }

    #if !WLR18
        /// The X11 window manager of wlroots 0.15 remembers the window under a drag, and writes to it after it is
        /// destroyed.
        func x11WindowGone() {
            guard let raw else { return }
            if raw.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER {
                wlr_seat_pointer_notify_clear_focus(wlr)
            } else if wlr.pointee.touch_state.grab == raw.pointer(to: \.touch_grab),
                wlr_seat_touch_get_point(wlr, raw.pointee.grab_touch_id) != nil
            {
                touchOverNothing(raw.pointee.grab_touch_id, mw_now())
            }
        }
    #endif

    private func begins(_ drag: UnsafeMutablePointer<wlr_drag>) {
        raw = drag
        Compositor.of(server).protocols?.pointerConstraints?.check()
        place = drag.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH ? routing.lastTouch : routing.cursor.place
        iconOffset = Vector(0, 0)
        listeners = [
            Listener(drag.pointer(to: \.events.destroy)!) { [unowned self] _ in
                forget()
                raw = nil
                scheduleFrame()
                // The client under the finger was told at the start that its touch is over.
                if drag.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH, !isLifting {
                    routing.touches.dropPoint(drag.pointee.grab_touch_id)
                }
                Compositor.of(server).protocols?.pointerConstraints?.check()
            }
        ]
        if drag.pointee.source == nil {
            listeners.append(Listener(drag.pointer(to: \.events.focus)!) { [unowned self] _ in entersOwn(drag) })
        }
        if let xwayland = Compositor.of(server).xwayland {
            listeners.append(Listener(drag.pointer(to: \.events.drop)!) { _ in xwayland.dropped(drag) })
        }
        // The client gets no end of this touch from wlroots, because the drag takes the finger. Toolkits would wait for that end forever.
        if drag.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH { beginsByTouch(drag) }
        // Without the seat of its client, the drag would never end, because no finger-up event would arrive. wlroots
        // 0.15 keeps using that seat.
        clientGone = Listener(drag.pointee.seat_client.pointer(to: \.events.destroy)!) { [unowned self] _ in
            clientGone = nil
            end()
        }
        guard let icon = drag.pointee.icon else { return }
        iconListeners = [
            Listener(icon.pointee.surface.pointer(to: \.events.commit)!) { [unowned self] data in
                let current = data!.assumingMemoryBound(to: wlr_surface.self).pointee.current
                iconOffset = Vector(iconOffset.dx + Double(current.dx), iconOffset.dy + Double(current.dy))
            },
            Listener(icon.pointer(to: \.events.destroy)!) { [unowned self] _ in iconListeners = [] },
        ]
    }

    private func beginsByTouch(_ drag: UnsafeMutablePointer<wlr_drag>) {
        // wlroots takes the finger that went down alone, even if that one has lifted since.
        drag.pointee.grab_touch_id = drag.pointee.touch_id
        routing.touches.cancelForDrag(drag.pointee.touch_id)
        // wlroots set the focus before it told of the drag.
        guard drag.pointee.source == nil, let point = wlr_seat_touch_get_point(wlr, drag.pointee.touch_id) else { return }
        onSurface = Point(point.pointee.sx, point.pointee.sy)
        entersOwn(drag)
    }

    /// A drag without a source stays in its client, which gets enter without an offer. wlroots sends it motion, leave and drop, but no
    /// enter (P-05).
    private func entersOwn(_ drag: UnsafeMutablePointer<wlr_drag>) {
        guard let surface = drag.pointee.focus, let client = drag.pointee.focus_client else { return }
        let serial = wl_display_next_serial(mw_server_display(server)), devices = client.pointer(to: \.data_devices)!
        var link = devices.pointee.next!
        while link != devices {
            wl_data_device_send_enter(
                wl_resource_from_link(link), serial, surface.pointee.resource, wl_fixed_from_double(onSurface.x),
                wl_fixed_from_double(onSurface.y), nil)
            link = link.pointee.next
        }
    }

    // MARK: Start

    private func asked(_ event: wlr_seat_request_start_drag_event) {
        guard let xwayland = Compositor.of(server).xwayland else { return start(event) }
        xwayland.startDrag(event.drag) { [unowned self] in start(event) }
    }

    private func start(_ event: wlr_seat_request_start_drag_event) {
        let drag = event.drag!, source = drag.pointee.source
        if let source, source == wlr.pointee.drag_source || source == wlr.pointee.selection_source {
            refuseUsedSource(drag)
            return wlr_data_source_destroy(source)
        }
        var point: UnsafeMutablePointer<wlr_touch_point>?
        if wlr_seat_validate_pointer_grab_serial(wlr, event.origin, event.serial) {
            wlr_seat_start_pointer_drag(wlr, drag, event.serial)
        } else if wlr_seat_validate_touch_grab_serial(wlr, event.origin, event.serial, &point) {
            wlr_seat_start_touch_drag(wlr, drag, event.serial, point)
        } else if let point = finger(on: event.origin) {
            wlr_seat_start_touch_drag(wlr, drag, wlr.pointee.touch_state.grab_serial, point)
        } else if isPressed(event.origin) {
            wlr_seat_start_pointer_drag(wlr, drag, wlr.pointee.pointer_state.grab_serial)
        } else if let source {
            wlr_data_source_destroy(source)
        } else {
            freeUnstarted(drag)
        }
    }

    /// GTK 4 asks for touch drags with serial 0 or the pointer's last serial. Accept them if a finger is down on that
    /// surface.
    private func finger(on origin: Surface?) -> UnsafeMutablePointer<wlr_touch_point>? {
        guard wlr_seat_touch_num_points(wlr) == 1,
            let point = elements(of: wlr.pointer(to: \.touch_state.touch_points)!, by: \wlr_touch_point.link).first
        else { return nil }
        return point.pointee.surface == origin ? point : nil
    }

    /// A client may remember another serial than that of the button that is down on its surface.
    private func isPressed(_ origin: Surface?) -> Bool {
        let state = wlr.pointee.pointer_state
        return origin != nil && state.button_count == 1 && state.focused_surface == origin
    }

    /// A drag normally ends with its source. wlroots leaks a drag that never started and has no source, 300 bytes
    /// each.
    private func freeUnstarted(_ drag: UnsafeMutablePointer<wlr_drag>) {
        if let icon = drag.pointee.icon {
            wl_list_remove(drag.pointer(to: \.icon_destroy.link)!)
            wl_list_remove(icon.pointer(to: \.surface_destroy.link)!)
            #if !WLR18
                icon.pointee.surface.pointee.role_data = nil
            #endif
            free(icon)
        }
        free(drag)
    }

    /// A source outlives its drag until its client destroys it. If a client starts a second drag with the same
    /// source, wlroots destroys the source, and with it the drag, and then uses both. If the source is also the
    /// selection, the next selection destroys it. That ends the drag and returns the keyboard, and the newly focused
    /// client is offered the dying source.
    private func refuseUsedSource(_ drag: UnsafeMutablePointer<wlr_drag>) {
        let devices = drag.pointee.seat_client.pointer(to: \.data_devices)!
        guard wl_list_empty(devices) == 0 else { return }
        // Newer versions of the protocol name this error used_source. Debian 12's version has no error.
        mw_post_error(wl_resource_from_link(devices.pointee.next), 1, "the wl_data_source was used already")
    }
}
