import CWlroots
import WaylandServer

// Functions for X11 windows that C calls. Each only looks up its object.

private func xwayland(_ server: OpaquePointer?) -> Xwayland? { Xwayland.of(server) }

@_cdecl("mw_x11_configure") func x11Configure(_ window: OpaquePointer, _ configure: UnsafeRawPointer) {
    X11Window.of(window).configure(configure.load(as: mw_configure.self))
}

@_cdecl("mw_x11_place") func x11Place(_ window: OpaquePointer, _ x: Int32, _ y: Int32) { X11Window.of(window).place(x, y) }

@_cdecl("mw_x11_bounds_changed") func x11BoundsChanged(_ window: OpaquePointer) {
    X11Window.of(window).xwayland.boundsChanged(window)
}

@_cdecl("mw_x11_dismiss_menus") func x11DismissMenus(_ window: OpaquePointer) {
    X11Window.of(window).xwayland.dismissMenus(of: window)
}

@_cdecl("mw_x11_group_parent") func x11GroupParent(_ window: OpaquePointer) -> OpaquePointer? {
    let dialog = X11Window.of(window)
    return dialog.xwayland.groupParent(of: dialog)
}

@_cdecl("mw_x11_close") func x11Close(_ window: OpaquePointer) { X11Window.of(window).close() }

@_cdecl("mw_x11_window_gone") func x11WindowGone(_ window: OpaquePointer) {
    X11Window.of(window).xwayland.forgetOwner(window)
}

@_cdecl("mw_x11_each_menu_surface")
func x11EachMenuSurface(_ window: OpaquePointer, _ iterator: Xwayland.SurfaceIterator, _ data: UnsafeMutableRawPointer?) {
    X11Window.of(window).xwayland.eachMenu(of: window, iterator, data)
}

@_cdecl("mw_x11_locked") func x11Locked(_ server: OpaquePointer, _ locked: Bool) { xwayland(server)?.lock(locked) }

@_cdecl("mw_x11_text")
func x11Text(_ text: UnsafePointer<CChar>?, _ room: UnsafeMutablePointer<CChar>, _ size: Int) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    var length = 0
    while text[length] != 0 { length += 1 }
    return text.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
        guard let repaired = X11Text.repaired(UnsafeBufferPointer(start: bytes, count: length), most: size - 1) else { return text }
        for (index, byte) in repaired.enumerated() { room[index] = CChar(bitPattern: byte) }
        room[repaired.count] = 0
        return UnsafePointer(room)
    }
}
