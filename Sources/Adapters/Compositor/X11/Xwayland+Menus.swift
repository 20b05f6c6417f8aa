import CWlroots
import CX11Guards
import Geometry
import Seat

/// Menus, tooltips and other override-redirect X11 windows: their owners and positions. One without an owner, such as
/// dmenu over a Wayland window, lies above everything, like the overlay layer of layer-shell.
extension Xwayland {
    typealias SurfaceIterator = @convention(c) (Surface?, Double, Double, UnsafeMutableRawPointer?) -> Void

    // MARK: Adding and removing

    func menuMapped(_ menu: X11Window) {
        // The newest menu is on top.
        windows.removeAll { $0 === menu }
        windows.append(menu)
        menu.owner = owner(of: menu)
        if wantsKeys(menu) { wlr_xwayland_surface_activate(menu.raw, true) }
        menuMoved(menu)
    }

    func menuMoved(_ menu: X11Window) {
        menusChanged(of: menu.owner)
        if menu.owner == nil { orphansChanged() }
    }

    func menuUnmapped(_ menu: X11Window) {
        let owner = menu.owner
        menu.owner = nil
        guard !isEnding else { return }
        guard let owner else {
            if let surface = menu.raw.pointee.surface { InputRouting.of(server: server)?.surfaceGone(surface) }
            return orphansChanged()
        }
        menusChanged(of: owner)
        if owner == InputRouting.of(server: server)?.keyboards.window { X11Window.of(owner).activate(true) }
    }

    func menusChanged(of owner: OpaquePointer?) {
        guard let owner else { return }
        mw_window_report_popups(owner, windows.contains { $0.owner == owner && $0.mayGrab })
        InputRouting.of(server: server)?.pointer.windowChanged(owner)
    }

    /// Closes a window's menus that may hold the input. X11 has no request for that. But the server ends a grab when its window is
    /// unmapped, and toolkits take that for the end of their menu. A program that grabs with another window than the menu, as Tk's
    /// menu bar does, ends that itself when the menu gets Escape.
    func dismissMenus(of window: OpaquePointer) {
        guard raw.pointee.xwm != nil, let connection = x11_guards_newest_connection() else { return }
        for menu in windows where menu.owner == window && menu.mayGrab {
            sendEscape(to: menu.raw.pointee.window_id, connection)
            _ = xcb_unmap_window(connection, menu.raw.pointee.window_id)
        }
        xcb_flush(connection)
    }

    /// Sends Escape to the program of one window, past every grab.
    private func sendEscape(to window: UInt32, _ connection: OpaquePointer) {
        guard let root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data?.pointee.root else { return }
        for kind in [XCB_KEY_PRESS, XCB_KEY_RELEASE] {
            // X11 counts keys from 8 on: 9 is evdev's 1.
            var event = xcb_key_press_event_t(
                response_type: UInt8(kind), detail: 9, sequence: 0, time: 0, root: root, event: window, child: 0, root_x: 0, root_y: 0,
                event_x: 0,
                event_y: 0, state: 0, same_screen: 1, pad0: 0)
            withUnsafeBytes(of: &event) {
                _ = xcb_send_event(connection, 0, window, 0, $0.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
    }

    // MARK: Owners

    private func owner(of menu: X11Window) -> OpaquePointer? {
        var parent = menu.raw.pointee.parent, depth = 0
        while let each = parent, depth < 16 {
            if let window = windows.first(where: { $0.raw == each }), let owner = window.reported ?? window.owner { return owner }
            parent = each.pointee.parent
            depth += 1
        }
        let process = menu.raw.pointee.pid
        let focused = focusedWindow
        if let focused, focused.raw.pointee.pid == process { return focused.window }
        let relative = windows.reversed().first { $0.reported != nil && process != 0 && $0.raw.pointee.pid == process }
        return (relative ?? focused)?.window
    }

    /// The window with the keyboard focus, if it is a mapped X11 window.
    private var focusedWindow: X11Window? {
        guard let window = InputRouting.of(server: server)?.keyboards.window, mw_window_parts(window).xsurface != nil else { return nil }
        let focused = X11Window.of(window)
        return focused.isReported ? focused : nil
    }

    /// Looks for an owner for each menu without one.
    func adoptOrphans() {
        for menu in windows.reversed() where menu.isMenu && menu.isMapped && menu.owner == nil {
            menu.owner = owner(of: menu)
            menusChanged(of: menu.owner)
        }
        orphansChanged()
    }

    /// A window is gone. Its menus look for another owner.
    func forgetOwner(_ window: OpaquePointer) {
        for menu in windows where menu.owner == window { menu.owner = nil }
        for dialog in windows where dialog.groupParent == window { dialog.groupParent = nil }
        if !isEnding { adoptOrphans() }
    }

    // MARK: Menus without an owner

    private func isOrphan(_ menu: X11Window) -> Bool {
        menu.isMenu && menu.isMapped && menu.owner == nil && menu.raw.pointee.surface != nil
    }

    private func orphansChanged() {
        compositor.scheduleFirstFrame()
        if !isEnding { compositor.emit(.x11MenusWantKeys(orphanWithKeys != nil)) }
        InputRouting.of(server: server)?.keyboards.applyFocus() // another menu may be the topmost now
    }

    func eachOrphan(_ iterator: SurfaceIterator, _ data: UnsafeMutableRawPointer?) {
        // The newest is last and lies on top.
        for menu in windows where isOrphan(menu) {
            iterator(menu.raw.pointee.surface, Double(menu.raw.pointee.x), Double(menu.raw.pointee.y), data)
        }
    }

    func isOrphan(_ surface: Surface) -> Bool { windows.contains { $0.raw.pointee.surface == surface && isOrphan($0) } }

    /// The ownerless menu that takes input at a point, and the point in its coordinates.
    func orphan(at x: Double, _ y: Double) -> (surface: Surface, x: Double, y: Double)? {
        for menu in windows.reversed() where isOrphan(menu) {
            let (sx, sy) = (x - Double(menu.raw.pointee.x), y - Double(menu.raw.pointee.y))
            if wlr_surface_point_accepts_input(menu.raw.pointee.surface, sx, sy) { return (menu.raw.pointee.surface, sx, sy) }
        }
        return nil
    }

    /// The topmost ownerless menu that wants keys.
    var orphanWithKeys: Surface? { windows.reversed().first { isOrphan($0) && wantsKeys($0) }?.raw.pointee.surface }

    private func wantsKeys(_ menu: X11Window) -> Bool {
        wlr_xwayland_or_surface_wants_focus(menu.raw) && wlr_xwayland_icccm_input_model(menu.raw) != WLR_ICCCM_INPUT_MODEL_NONE
    }

    // MARK: Dialogs without a parent

    /// The window on which a dialog stands that names no parent: the last used window of its group, or of its process if it is in
    /// no group. It stays the same as long as it is there. nil for everything else.
    func groupParent(of dialog: X11Window) -> OpaquePointer? {
        guard dialog.isSecondary, dialog.raw.pointee.parent == nil else { return nil }
        if dialog.groupParent == nil {
            let others = windows.filter { $0 !== dialog && $0.isReported && isGroup($0, dialog) && !stands($0, on: dialog) }
            dialog.groupParent = others.max { $0.lastUse < $1.lastUse }?.window
        }
        return dialog.groupParent
    }

    private func isGroup(_ a: X11Window, _ b: X11Window) -> Bool {
        if let group = b.group { return a.group == group || a.raw.pointee.window_id == group }
        return b.raw.pointee.pid != 0 && a.raw.pointee.pid == b.raw.pointee.pid
    }

    /// Whether a window stands on another one, directly or not. No two dialogs may stand on each other.
    private func stands(_ window: X11Window, on other: X11Window) -> Bool {
        var each: X11Window? = window
        for _ in 0..<16 {
            guard let next = each else { return false }
            if next === other { return true }
            each = next.groupParent.map { X11Window.of($0) } ?? windows.first { $0.raw == next.raw.pointee.parent }
        }
        return true
    }

    // MARK: Menus of a window

    /// The shell moved a window. Each of its menus keeps its place in the window, as a popup of Wayland does.
    func ownerMoved(_ owner: OpaquePointer, by dx: Int32, _ dy: Int32) {
        guard dx != 0 || dy != 0 else { return }
        for menu in windows where menu.isMenu && menu.isMapped && menu.owner == owner {
            menu.moveMenu(to: Int32(menu.raw.pointee.x) + dx, Int32(menu.raw.pointee.y) + dy)
        }
        menusChanged(of: owner)
    }

    /// The room for a window's menus changed. Menus that are past it slide into it.
    func boundsChanged(_ window: OpaquePointer) {
        guard let owner = mw_window_parts(window).xsurface else { return }
        let bounds = mw_window_fields(window).pointee.popup_bounds
        guard bounds.width > 0, bounds.height > 0 else { return }
        let room = Rect(bounds.x, bounds.y, bounds.width, bounds.height)
        for menu in windows where menu.isMenu && menu.isMapped && menu.owner == window {
            let now = menu.raw.pointee, x = Int32(owner.pointee.x), y = Int32(owner.pointee.y)
            let place = PopupPlacement(
                anchorRect: Rect(Double(Int32(now.x) - x), Double(Int32(now.y) - y), 0, 0), anchor: 5, gravity: 8, offset: .zero,
                size: Size(Double(now.width), Double(now.height)), adjustments: 3
            ).placed(in: room)
            menu.moveMenu(to: Int32(clamping: place.x) + x, Int32(clamping: place.y) + y)
        }
        menusChanged(of: window)
    }

    func eachMenu(of window: OpaquePointer, _ iterator: SurfaceIterator, _ data: UnsafeMutableRawPointer?) {
        // The newest is last and lies on top.
        for menu in windows where menu.isMenu && menu.isMapped && menu.owner == window {
            guard let surface = menu.raw.pointee.surface, let owner = mw_window_parts(window).xsurface else { continue }
            iterator(
                surface, Double(Int32(menu.raw.pointee.x) - Int32(owner.pointee.x)),
                Double(Int32(menu.raw.pointee.y) - Int32(owner.pointee.y)), data)
        }
    }
}

extension X11Window {
    /// The leader of its group. nil if it names none.
    fileprivate var group: UInt32? {
        guard let hints = raw.pointee.hints?.pointee, hints.window_group != 0 else { return nil }
        return hints.window_group
    }

    fileprivate func moveMenu(to x: Int32, _ y: Int32) {
        let now = raw.pointee
        guard Int32(now.x) != x || Int32(now.y) != y else { return }
        wlr_xwayland_surface_configure(raw, Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y), now.width, now.height)
    }

    /// Its window, if that was reported as mapped.
    fileprivate var reported: OpaquePointer? { isReported ? window : nil }
}
