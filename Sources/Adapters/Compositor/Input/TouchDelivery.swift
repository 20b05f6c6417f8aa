import CWlroots
import Geometry
import Seat
import WaylandServer

/// Delivers touches to clients. A client without wl_touch gets the first finger as a pointer, so that it stays
/// usable.
final class TouchDelivery {
    private unowned let routing: InputRouting
    private var book = Fingers<Surface>()
    /// Fires when the surface under each finger is destroyed.
    private var ends: [Int32: Listener] = [:]

    init(_ routing: InputRouting) { self.routing = routing }

    private var server: OpaquePointer { routing.server }
    private var wlr: UnsafeMutablePointer<wlr_seat> { routing.wlr }
    private var serial: UInt32 { routing.serial }

    func owner(of id: Int32) -> Fingers<Surface>.Owner? { book[id]?.owner }
    func standsInForPointer(_ id: Int32) -> Bool { book[id].map { $0.delivery == .pointer && $0.surface != nil } ?? false }
    func delivers(_ button: UInt32, pressed: Bool) -> Bool { book.delivers(button, pressed: pressed) }
    func isHeldBack(_ button: UInt32) -> Bool { book.isHeldBack(button) }
    var hasLockers: Bool { book.all.contains { $0.owner == .locker } }

    // MARK: Down, motion, up

    /// Puts a finger down on a surface. Returns false if no client gets it.
    func begin(_ id: Int32, _ owner: Fingers<Surface>.Owner, on surface: Surface, at point: Point, place: Point, _ when: Int64) -> Bool {
        guard !mw_surface_stalled(server, surface) else { return false }
        if book[id] != nil {
            // The device did not report the previous touch-up.
            if routing.drag.isBy(finger: id) { routing.drag.end() }
            end(id, mw_now())
            forget(id)
        }
        let delivery = book.delivery(
            knowsTouch: wlr_surface_accepts_touch(wlr, surface), pointerIsHeld: routing.pointer.isHeld)
        book.begin(
            id, owner, on: surface, at: place, origin: Point(point.x - place.x, point.y - place.y), delivery)
        ends[id] = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in
            // Tell the client now that the touch ended. wlroots would wait until the finger lifts.
            end(id, mw_now())
            frame()
            ends[id] = nil
        }
        if delivery == .touch { routing.pointer.meets(surface, at: place) }
        routing.text?.presses(surface)
        let before = serial
        switch delivery {
        case .touch:
            routing.pointer.fingerDown()
            book.delivered(id, serial: wlr_seat_touch_notify_down(wlr, surface, milliseconds(when), id, place.x, place.y))
        case .pointer:
            routing.pointer.enter(surface, at: place, when)
            book.delivered(id, serial: routing.pointer.button(Button.left, pressed: true, when))
            routing.pointer.frame()
        case .nothing: break
        }
        routing.delivered(before, to: surface)
        return true
    }

    func move(_ id: Int32, to point: Point, _ when: Int64) {
        let server = server
        guard let (delivery, place) = book.move(id, to: point, isStalled: { mw_surface_stalled(server, $0) }) else { return }
        if delivery == .pointer {
            routing.pointer.moved(to: place, when)
            routing.pointer.frame()
        } else {
            wlr_seat_touch_notify_motion(wlr, milliseconds(when), id, place.x, place.y)
        }
    }

    /// Ends a touch, because the finger lifted or its surface went away. The finger stays known until `forget`.
    func end(_ id: Int32, _ when: Int64) {
        let surface = book[id]?.surface
        guard let delivery = book.end(id) else { return }
        let before = serial
        switch delivery {
        case .touch: wlr_seat_touch_notify_up(wlr, milliseconds(when), id)
        case .pointer:
            routing.pointer.button(Button.left, pressed: false, when)
            routing.pointer.frame()
            // No pointer hovers at the place that a finger leaves.
            if routing.cursor.isHidden { routing.pointer.leave() }
        case .nothing: break
        }
        routing.delivered(before, to: surface)
    }

    func forget(_ id: Int32) {
        ends[id] = nil
        book.forget(id)
    }

    // MARK: Clients

    func surfaceGone(_ surface: Surface) {
        for finger in book.all where finger.surface == surface { end(finger.id, mw_now()) }
    }

    /// A client that did not read its socket has caught up. Tells it where its fingers are now.
    func caughtUp(_ client: WaylandClient) {
        let owed = book.takeOwed { wl_resource_get_client($0.pointee.resource) == client }
        guard !owed.isEmpty else { return }
        for finger in owed {
            wlr_seat_touch_notify_motion(wlr, milliseconds(mw_now()), finger.id, finger.place.x, finger.place.y)
        }
        frame()
    }

    /// The finger that is down on a surface of a client with this serial (0: any).
    func holder(_ client: WaylandClient, serial: UInt32) -> Int32? {
        book.holder(serial: serial == 0 ? nil : serial) { wl_resource_get_client($0.pointee.resource) == client }
    }

    // MARK: Cancelling

    /// Sends wl_touch.cancel to every client with a touch, and forgets all fingers.
    func cancel() {
        if let drag = wlr.pointee.drag, drag.pointee.grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH { routing.drag.end() }
        for finger in book.all {
            if finger.delivery == .pointer, finger.surface != nil {
                // A cancelled press must not look like a click, so the pointer leaves before the button is released.
                wlr_seat_pointer_clear_focus(wlr)
                let released = TouchDelivery.released
                wlr_seat_pointer_notify_button(wlr, milliseconds(mw_now()), Button.left, released)
            }
            forget(finger.id)
        }
        cancelPoints()
    }

    /// Tells the client under a finger that its touch is over, because a drag has taken the finger. The client gets no further event of that
    /// finger (P-05). The drag continues, and keeps wlroots' point. No other finger is down, or wlroots would not drag.
    func cancelForDrag(_ id: Int32) {
        guard let point = wlr_seat_touch_get_point(wlr, id) else { return }
        #if WLR18
            if let client = point.pointee.client { wlr_seat_touch_send_cancel(wlr, client) }
        #else
            if let surface = point.pointee.surface { wlr_seat_touch_send_cancel(wlr, surface) }
        #endif
        _ = book.end(id)
        ends[id] = nil
    }

    /// Makes wlroots forget a finger whose touch is over for the client.
    func dropPoint(_ id: Int32) {
        let grab = wlr.pointee.touch_state.grab
        wlr.pointee.touch_state.grab = TouchDelivery.silence
        wlr_seat_touch_notify_up(wlr, milliseconds(mw_now()), id)
        wlr.pointee.touch_state.grab = grab
    }

    /// A grab that passes nothing on. wlroots keeps no pointer to it.
    private nonisolated(unsafe) static let silence: UnsafeMutablePointer<wlr_seat_touch_grab> = {
        let kind = UnsafeMutablePointer<wlr_touch_grab_interface>.allocate(capacity: 1)
        var table = wlr_touch_grab_interface()
        #if WLR18
            table.up = { _, _, _ in 0 }
        #else
            table.up = { _, _, _ in }
        #endif
        kind.initialize(to: table)
        let grab = UnsafeMutablePointer<wlr_seat_touch_grab>.allocate(capacity: 1)
        grab.initialize(to: wlr_seat_touch_grab())
        grab.pointee.interface = UnsafePointer(kind)
        return grab
    }()

    /// wl_touch.cancel applies to all points of a client at once.
    private func cancelPoints() {
        let points = wlr.pointer(to: \.touch_state.touch_points)!
        while let link = points.pointee.next, link != points {
            let offset = MemoryLayout<wlr_touch_point>.offset(of: \.link)!
            let point = (UnsafeMutableRawPointer(link) - offset).assumingMemoryBound(to: wlr_touch_point.self)
            // A popup grab cannot send it.
            let sends = wlr.pointee.touch_state.grab.pointee.interface.pointee.wl_cancel != nil
            #if WLR18
                if !sends { wlr_seat_touch_send_cancel(wlr, point.pointee.client) }
                wlr_seat_touch_notify_cancel(wlr, point.pointee.client)
            #else
                guard let surface = point.pointee.surface else {
                    wlr_seat_touch_notify_up(wlr, milliseconds(mw_now()), point.pointee.touch_id)
                    continue
                }
                if !sends { wlr_seat_touch_send_cancel(wlr, surface) }
                wlr_seat_touch_notify_cancel(wlr, surface)
            #endif
        }
    }

    #if WLR18
        private static let released = WL_POINTER_BUTTON_STATE_RELEASED
    #else
        private static let released = WLR_BUTTON_RELEASED
    #endif
}

// MARK: Decisions of the shell

extension TouchDelivery {
    func begin(_ id: Int32, onWindow window: OpaquePointer, at point: Point, _ when: Int64) -> Bool {
        var place = Point(0, 0)
        guard !mw_lock_is_locked(server), let surface = mw_window_surface_at(window, point.x, point.y, &place.x, &place.y) else {
            return false
        }
        return begin(id, .core, on: surface, at: point, place: place, when)
    }

    func begin(_ id: Int32, onBackgroundOf output: OpaquePointer, at point: Point, _ when: Int64) -> Bool {
        var place = Point(0, 0)
        guard !mw_lock_is_locked(server), let surface = mw_layers_surface_at(output, 0, 1, point.x, point.y, &place.x, &place.y)
        else { return false }
        return begin(id, .core, on: surface, at: point, place: place, when)
    }

    func begin(_ id: Int32, on overlay: Overlay, at point: Point, _ when: Int64) -> Bool {
        guard !mw_lock_is_locked(server), let found = Compositor.of(server).panels?.surface(of: overlay, at: point) else { return false }
        return begin(id, .core, on: found.surface, at: point, place: Point(found.x, found.y), when)
    }

    /// Moves a finger as the shell decided. Fingers on a locker and fingers that drag were already delivered.
    func moveDecided(_ id: Int32, to point: Point, _ when: Int64) {
        if wlr.pointee.drag == nil, owner(of: id) != .locker { move(id, to: point, when) }
    }

    func endDecided(_ id: Int32, _ when: Int64) {
        guard let owner = owner(of: id), owner != .locker else { return }
        end(id, when)
        forget(id)
    }

    /// Past the grab of a drag, which has no frames.
    func frame() { wlr_seat_touch_send_frame(wlr) }
}

extension Compositor {
    var touches: TouchDelivery? { routing?.touches }
}
