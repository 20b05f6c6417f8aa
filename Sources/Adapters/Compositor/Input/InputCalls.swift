import CWlroots
import Geometry
import Seat

// Functions of the seat that C calls.

private func routing(_ server: OpaquePointer?) -> InputRouting? { InputRouting.of(server: server) }

private func surface(_ raw: UnsafeMutableRawPointer) -> Surface { raw.assumingMemoryBound(to: wlr_surface.self) }

@_cdecl("mw_seat_init") func seatInit(_ server: OpaquePointer) -> Bool {
    Compositor.of(server).routing = InputRouting(server)
    return routing(server)?.begin() ?? false
}

/// Called after all clients are gone.
@_cdecl("mw_seat_finish") func seatFinish(_ server: OpaquePointer) {
    routing(server)?.finish()
    Compositor.of(server).routing = nil
}

@_cdecl("mw_seat_wlr") func seatRaw(_ server: OpaquePointer) -> UnsafeMutableRawPointer? {
    routing(server).map { UnsafeMutableRawPointer($0.wlr) }
}

@_cdecl("mw_seat_first_frame") func seatFirstFrame(_ server: OpaquePointer) { routing(server)?.cursor.firstFrame() }

@_cdecl("mw_seat_new_output") func seatNewOutput(_ server: OpaquePointer) {
    routing(server)?.devices.outputsChanged()
    routing(server)?.cursor.update()
}

@_cdecl("mw_seat_refresh_focus") func seatRefreshFocus(_ server: OpaquePointer) { routing(server)?.keyboards.applyFocus() }

@_cdecl("mw_seat_window_gone") func seatWindowGone(_ server: OpaquePointer, _ window: OpaquePointer) { routing(server)?.windowGone(window) }

@_cdecl("mw_seat_window_changed") func seatWindowChanged(_ server: OpaquePointer, _ window: OpaquePointer) {
    routing(server)?.pointer.windowChanged(window)
}

@_cdecl("mw_seat_surface_gone") func seatSurfaceGone(_ server: OpaquePointer, _ raw: UnsafeMutableRawPointer) {
    routing(server)?.surfaceGone(surface(raw))
}

@_cdecl("mw_seat_caught_up") func seatCaughtUp(_ server: OpaquePointer, _ client: OpaquePointer) { routing(server)?.caughtUp(client) }

/// - Parameter by: the finger, -1 for the pointer, -2 for a pen.
@_cdecl("mw_seat_serial_held") func seatSerialHeld(
    _ server: OpaquePointer, _ client: OpaquePointer, _ serial: UInt32, _ by: UnsafeMutablePointer<Int32>
) -> Bool {
    guard let holder = routing(server)?.holder(client, serial: serial) else { return false }
    by.pointee = holder
    return true
}

@_cdecl("mw_seat_drag_icon") func seatDragIcon(
    _ server: OpaquePointer, _ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>
) -> UnsafeMutableRawPointer? {
    guard let icon = routing(server)?.drag?.icon else { return nil }
    (x.pointee, y.pointee) = (icon.place.x, icon.place.y)
    return UnsafeMutableRawPointer(icon.surface)
}

/// The session was locked or unlocked. Clears the focus of fingers, pointer and keys.
@_cdecl("mw_seat_forget") func seatForget(_ server: OpaquePointer) {
    guard let routing = routing(server) else { return }
    routing.pens?.leave()
    // First, and by itself: the end of wlroots' grab alone ends the drag too, but tells its source nothing (P-05).
    routing.drag?.end()
    routing.touches.cancel()
    wlr_seat_pointer_end_grab(routing.wlr)
    wlr_seat_keyboard_end_grab(routing.wlr)
    // wlroots 0.15 keeps a popup's touch grab until the client destroys the popup.
    routing.wlr.pointee.touch_state.grab = routing.wlr.pointee.touch_state.default_grab
    routing.pointer.forget()
    wlr_seat_pointer_clear_focus(routing.wlr)
    routing.cursor.setShell(CursorShape(name: "left_ptr", x11: "left_ptr"))
    routing.keyboards.applyFocus()
}

/// This console is active again.
@_cdecl("mw_switches_look") func switchesLook(_ server: OpaquePointer) { routing(server)?.lookAtSwitches() }
