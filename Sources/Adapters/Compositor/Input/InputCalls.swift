import CWlroots
import Geometry
import Seat

// What C asks of input, as long as devices and keyboards are kept there.

private func routing(_ server: OpaquePointer?) -> InputRouting? { InputRouting.of(server: server) }

/// The seat is there, and its devices are not yet. False: out of memory.
@_cdecl("mw_input_begin") func inputBegin(_ seat: UnsafeMutablePointer<mw_seat>) -> Bool {
    guard let routing = InputRouting(seat) else { return false }
    seat.pointee.input = Unmanaged.passRetained(routing).toOpaque()
    return true
}

/// Its keyboards are there.
@_cdecl("mw_input_listen") func inputListen(_ seat: UnsafeMutablePointer<mw_seat>) -> Bool { InputRouting.of(seat).begin() }

@_cdecl("mw_input_quiet") func inputQuiet(_ seat: UnsafeMutablePointer<mw_seat>) { InputRouting.of(seat).end() }

@_cdecl("mw_drag_finish") func dragFinish(_ seat: UnsafeMutablePointer<mw_seat>) { InputRouting.of(seat).drag?.finish() }

/// After the seat is gone.
@_cdecl("mw_input_end") func inputEnd(_ seat: UnsafeMutablePointer<mw_seat>) {
    let routing = Unmanaged<InputRouting>.fromOpaque(seat.pointee.input)
    routing.takeUnretainedValue().finish()
    seat.pointee.input = nil
    routing.release()
}

// MARK: The pointer

@_cdecl("mw_input_pointer_button") func inputPointerButton(_ server: OpaquePointer, _ when: Int64, _ button: UInt32, _ pressed: Bool) {
    routing(server)?.pointerButton(button, pressed: pressed, when)
}

@_cdecl("mw_input_pointer_frame") func inputPointerFrame(_ server: OpaquePointer) { routing(server)?.pointerFrame() }

@_cdecl("mw_pointer_window_gone") func pointerWindowGone(_ seat: UnsafeMutablePointer<mw_seat>, _ window: OpaquePointer) {
    InputRouting.of(seat).pointer.windowGone(window)
}

@_cdecl("mw_seat_window_changed") func seatWindowChanged(_ server: OpaquePointer, _ window: OpaquePointer) {
    routing(server)?.pointer.windowChanged(window)
}

/// The session was locked or unlocked: whoever had fingers or the pointer has them no more.
@_cdecl("mw_input_forget") func inputForget(_ server: OpaquePointer) {
    guard let routing = routing(server) else { return }
    routing.pens?.leave()
    routing.touches.cancel()
    wlr_seat_pointer_end_grab(routing.wlr)
    wlr_seat_keyboard_end_grab(routing.wlr)
    // wlroots 0.15 leaves that of popups until the client destroys them, if it does.
    routing.wlr.pointee.touch_state.grab = routing.wlr.pointee.touch_state.default_grab
    routing.pointer.forget()
    wlr_seat_pointer_clear_focus(routing.wlr)
    routing.cursor.setShell(CursorShape(name: "left_ptr", x11: "left_ptr"))
}

// MARK: The cursor

@_cdecl("mw_cursor_map_device") func cursorMapDevice(
    _ seat: UnsafeMutablePointer<mw_seat>, _ device: UnsafeMutableRawPointer, _ output: UnsafePointer<CChar>?
) {
    InputRouting.of(seat).cursor.map(device.assumingMemoryBound(to: wlr_input_device.self), toOutputCalled: output.map { String(cString: $0) })
}

@_cdecl("mw_cursor_update") func cursorUpdate(_ seat: UnsafeMutablePointer<mw_seat>) { InputRouting.of(seat).cursor.update() }

@_cdecl("mw_seat_first_frame") func seatFirstFrame(_ server: OpaquePointer) { routing(server)?.cursor.firstFrame() }

@_cdecl("mw_server_cursor") func serverCursor(_ server: OpaquePointer) -> UnsafeMutableRawPointer? {
    routing(server).map { UnsafeMutableRawPointer($0.cursor.raw) }
}

// MARK: Drags, pens, switches

@_cdecl("mw_seat_is_dragging") func seatIsDragging(_ server: OpaquePointer) -> Bool { routing(server)?.drag?.raw != nil }

@_cdecl("mw_drag_surface_gone") func dragSurfaceGone(_ seat: UnsafeMutablePointer<mw_seat>, _ surface: UnsafeMutableRawPointer) {
    InputRouting.of(seat).drag?.surfaceGone(surface.assumingMemoryBound(to: wlr_surface.self))
}

#if !WLR18
@_cdecl("mw_drag_x11_window_gone") func dragX11WindowGone(_ seat: UnsafeMutablePointer<mw_seat>?) {
    if let seat, seat.pointee.input != nil { InputRouting.of(seat).drag?.x11WindowGone() }
}
#endif

@_cdecl("mw_seat_drag_icon") func seatDragIcon(
    _ server: OpaquePointer, _ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>
) -> UnsafeMutableRawPointer? {
    guard let icon = routing(server)?.drag?.icon else { return nil }
    (x.pointee, y.pointee) = (icon.place.x, icon.place.y)
    return UnsafeMutableRawPointer(icon.surface)
}

@_cdecl("mw_pen_add_tablet") func penAddTablet(_ seat: UnsafeMutablePointer<mw_seat>, _ device: UnsafeMutableRawPointer) {
    InputRouting.of(seat).pens?.addTablet(device.assumingMemoryBound(to: wlr_input_device.self))
}

@_cdecl("mw_pen_serial_held") func penSerialHeld(_ seat: UnsafeMutablePointer<mw_seat>, _ client: OpaquePointer?, _ serial: UInt32) -> Bool {
    InputRouting.of(seat).pens?.holds(client, serial: serial) ?? false
}

@_cdecl("mw_switches_device_added") func switchesDeviceAdded(_ seat: UnsafeMutablePointer<mw_seat>) { InputRouting.of(seat).deviceAdded() }

@_cdecl("mw_switches_look") func switchesLook(_ server: OpaquePointer) { routing(server)?.lookAtSwitches() }

// MARK: Fingers and clients that did not read

@_cdecl("mw_input_caught_up") func inputCaughtUp(_ seat: UnsafeMutablePointer<mw_seat>, _ client: OpaquePointer) {
    InputRouting.of(seat).pointer.caughtUp(client)
    InputRouting.of(seat).touches.caughtUp(client)
}

@_cdecl("mw_seat_time") func seatTime(_ milliseconds: UInt32) -> Int64 { moment(of: milliseconds) }
