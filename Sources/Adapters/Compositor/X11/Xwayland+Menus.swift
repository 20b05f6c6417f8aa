import CWlroots

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
        mw_window_report_popups(owner, false)
        InputRouting.of(server: server)?.pointer.windowChanged(owner)
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
        if !isEnding { adoptOrphans() }
    }

    // MARK: Menus without an owner

    private func isOrphan(_ menu: X11Window) -> Bool {
        menu.isMenu && menu.isMapped && menu.owner == nil && menu.raw.pointee.surface != nil
    }

    private func orphansChanged() {
        compositor.scheduleFirstFrame()
        if !isEnding { compositor.emit(.x11MenusWantKeys(orphanWithKeys != nil)) }
        InputRouting.of(server: server)?.keyboards.applyFocus()  // another menu may be the topmost now
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

    // MARK: Menus of a window

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
    /// Its window, if that was reported as mapped.
    fileprivate var reported: OpaquePointer? { isReported ? window : nil }
}
