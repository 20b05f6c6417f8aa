import CWlroots
import WaylandServer

#if WLR18
    private typealias SwipeBegin = wlr_pointer_swipe_begin_event
    private typealias SwipeUpdate = wlr_pointer_swipe_update_event
    private typealias SwipeEnd = wlr_pointer_swipe_end_event
    private typealias PinchBegin = wlr_pointer_pinch_begin_event
    private typealias PinchUpdate = wlr_pointer_pinch_update_event
    private typealias PinchEnd = wlr_pointer_pinch_end_event
    private typealias HoldBegin = wlr_pointer_hold_begin_event
    private typealias HoldEnd = wlr_pointer_hold_end_event
#else
    private typealias SwipeBegin = wlr_event_pointer_swipe_begin
    private typealias SwipeUpdate = wlr_event_pointer_swipe_update
    private typealias SwipeEnd = wlr_event_pointer_swipe_end
    private typealias PinchBegin = wlr_event_pointer_pinch_begin
    private typealias PinchUpdate = wlr_event_pointer_pinch_update
    private typealias PinchEnd = wlr_event_pointer_pinch_end
    private typealias HoldBegin = wlr_event_pointer_hold_begin
    private typealias HoldEnd = wlr_event_pointer_hold_end
#endif

/// Touchpad gestures other than moving the pointer.
public enum TouchpadGesture: Hashable, Sendable {
    case swipe, pinch, hold
}

/// The phase of a touchpad gesture.
public enum TouchpadPhase: Hashable, Sendable {
    case begin, end, cancel
    /// `x` and `y` in points since the last update; `rotation` in degrees.
    case update(x: Double, y: Double, scale: Double, rotation: Double)
}

/// pointer-gestures-v1: sends touchpad gestures to the app under the pointer. A gesture belongs to one surface. If
/// that surface loses the pointer, it gets the end at once, and no client gets the rest.
final class Gestures {
    private let context: Protocols.Context
    private let seat: UnsafeMutablePointer<wlr_seat>
    private let cursor: UnsafeMutablePointer<wlr_cursor>
    private let manager: UnsafeMutablePointer<wlr_pointer_gestures_v1>
    private var listeners: [Listener] = []
    private var running: Running?

    private struct Running {
        let kind: TouchpadGesture
        /// The client and surface that got the beginning. Only compared, never dereferenced, because they may be
        /// gone.
        let client: WaylandClient?
        let surface: Surface
    }

    init?(_ context: Protocols.Context) {
        guard let seat = InputRouting.of(server: context.server)?.wlr, let cursor = InputRouting.of(server: context.server)?.cursor.raw,
            let manager = wlr_pointer_gestures_v1_create(context.display)
        else { return nil }
        self.context = context
        self.seat = seat
        self.cursor = cursor
        self.manager = manager
        listen()
    }

    /// The pointer focus changed.
    func focusChanged() {
        guard let gesture = running, seat.pointee.pointer_state.focused_surface != gesture.surface else { return }
        running = nil
        let serial = wl_display_next_serial(context.display), time = milliseconds(mw_now())
        for resource in resources(of: gesture.kind) where wl_resource_get_client(resource) == gesture.client {
            switch gesture.kind {
            case .swipe: zwp_pointer_gesture_swipe_v1_send_end(resource, serial, time, 1)
            case .pinch: zwp_pointer_gesture_pinch_v1_send_end(resource, serial, time, 1)
            case .hold: zwp_pointer_gesture_hold_v1_send_end(resource, serial, time, 1)
            }
        }
    }

    private func resources(of kind: TouchpadGesture) -> [WaylandResource] {
        let list: UnsafeMutablePointer<wl_list>
        switch kind {
        case .swipe: list = manager.pointer(to: \.swipes)!
        case .pinch: list = manager.pointer(to: \.pinches)!
        case .hold: list = manager.pointer(to: \.holds)!
        }
        return sequence(first: list.pointee.next!) { $0.pointee.next }.prefix { $0 != list }.map { wl_resource_from_link($0) }
    }

    // MARK: Delivery

    private func used() {
        let compositor = Compositor.of(context.server)
        compositor.activation?.noteTokens()
        compositor.protocols?.idle.activity()
    }

    /// Returns true if a client gets the gesture.
    private func begin(_ kind: TouchpadGesture) -> Bool {
        used()
        let pointer = seat.pointee.pointer_state
        guard let surface = pointer.focused_surface, let client = pointer.focused_client else {
            running = nil
            return false
        }
        running = Running(kind: kind, client: client.pointee.client, surface: surface)
        return true
    }

    private func goesOn(_ kind: TouchpadGesture) -> Bool {
        guard let running else { return false }
        used()
        return running.kind == kind && hasSeat
    }

    private func end(_ kind: TouchpadGesture) -> Bool {
        let was = running?.kind
        running = nil
        return was == kind && hasSeat
    }

    /// A client that releases its seat keeps its window under the pointer. wlroots 0.15 looks up the seat without
    /// checking.
    private var hasSeat: Bool { seat.pointee.pointer_state.focused_client != nil }

    // MARK: Touchpads

    private func observe<Event>(
        _ signal: UnsafeMutablePointer<wl_signal>, of event: Event.Type, _ body: @escaping (Event) -> Void
    ) {
        listeners.append(Listener(signal) { body($0!.assumingMemoryBound(to: Event.self).pointee) })
    }

    private func listen() {
        observe(cursor.pointer(to: \.events.swipe_begin)!, of: SwipeBegin.self) { [unowned self] event in
            if begin(.swipe) { wlr_pointer_gestures_v1_send_swipe_begin(manager, seat, event.time_msec, event.fingers) }
        }
        observe(cursor.pointer(to: \.events.swipe_update)!, of: SwipeUpdate.self) { [unowned self] event in
            if goesOn(.swipe) { wlr_pointer_gestures_v1_send_swipe_update(manager, seat, event.time_msec, event.dx, event.dy) }
        }
        observe(cursor.pointer(to: \.events.swipe_end)!, of: SwipeEnd.self) { [unowned self] event in
            if end(.swipe) { wlr_pointer_gestures_v1_send_swipe_end(manager, seat, event.time_msec, event.cancelled) }
        }
        observe(cursor.pointer(to: \.events.pinch_begin)!, of: PinchBegin.self) { [unowned self] event in
            if begin(.pinch) { wlr_pointer_gestures_v1_send_pinch_begin(manager, seat, event.time_msec, event.fingers) }
        }
        observe(cursor.pointer(to: \.events.pinch_update)!, of: PinchUpdate.self) { [unowned self] event in
            guard goesOn(.pinch) else { return }
            wlr_pointer_gestures_v1_send_pinch_update(
                manager, seat, event.time_msec, event.dx, event.dy, event.scale, event.rotation)
        }
        observe(cursor.pointer(to: \.events.pinch_end)!, of: PinchEnd.self) { [unowned self] event in
            if end(.pinch) { wlr_pointer_gestures_v1_send_pinch_end(manager, seat, event.time_msec, event.cancelled) }
        }
        observe(cursor.pointer(to: \.events.hold_begin)!, of: HoldBegin.self) { [unowned self] event in
            if begin(.hold) { wlr_pointer_gestures_v1_send_hold_begin(manager, seat, event.time_msec, event.fingers) }
        }
        observe(cursor.pointer(to: \.events.hold_end)!, of: HoldEnd.self) { [unowned self] event in
            if end(.hold) { wlr_pointer_gestures_v1_send_hold_end(manager, seat, event.time_msec, event.cancelled) }
        }
    }

    // MARK: Injection

    /// Injects a gesture as if a touchpad had sent it.
    func inject(_ gesture: TouchpadGesture, _ phase: TouchpadPhase, fingers: UInt32, _ when: Int64) {
        let time = milliseconds(when)
        switch (gesture, phase) {
        case (.swipe, .begin):
            var event = SwipeBegin()
            (event.time_msec, event.fingers) = (time, fingers)
            wl_signal_emit(cursor.pointer(to: \.events.swipe_begin)!, &event)
        case (.swipe, .update(let x, let y, _, _)):
            var event = SwipeUpdate()
            (event.time_msec, event.fingers, event.dx, event.dy) = (time, fingers, x, y)
            wl_signal_emit(cursor.pointer(to: \.events.swipe_update)!, &event)
        case (.swipe, .end), (.swipe, .cancel):
            var event = SwipeEnd()
            (event.time_msec, event.cancelled) = (time, phase == .cancel)
            wl_signal_emit(cursor.pointer(to: \.events.swipe_end)!, &event)
        case (.pinch, .begin):
            var event = PinchBegin()
            (event.time_msec, event.fingers) = (time, fingers)
            wl_signal_emit(cursor.pointer(to: \.events.pinch_begin)!, &event)
        case (.pinch, .update(let x, let y, let scale, let rotation)):
            var event = PinchUpdate()
            (event.time_msec, event.fingers, event.dx, event.dy) = (time, fingers, x, y)
            (event.scale, event.rotation) = (scale, rotation)
            wl_signal_emit(cursor.pointer(to: \.events.pinch_update)!, &event)
        case (.pinch, .end), (.pinch, .cancel):
            var event = PinchEnd()
            (event.time_msec, event.cancelled) = (time, phase == .cancel)
            wl_signal_emit(cursor.pointer(to: \.events.pinch_end)!, &event)
        case (.hold, .begin):
            var event = HoldBegin()
            (event.time_msec, event.fingers) = (time, fingers)
            wl_signal_emit(cursor.pointer(to: \.events.hold_begin)!, &event)
        case (.hold, .update): break // fingers that hold still do not move
        case (.hold, .end), (.hold, .cancel):
            var event = HoldEnd()
            (event.time_msec, event.cancelled) = (time, phase == .cancel)
            wl_signal_emit(cursor.pointer(to: \.events.hold_end)!, &event)
        }
    }
}

/// An event's time as Wayland counts it: milliseconds that wrap around.
func milliseconds(_ nanoseconds: Int64) -> UInt32 { UInt32(truncatingIfNeeded: nanoseconds / 1_000_000) }
