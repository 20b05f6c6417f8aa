import CWlroots
import Geometry
import Seat
import WaylandServer

/// Popups of xdg-shell: their position, their grabs, and the reports about them to the shell.
final class Popups {
    let server: OpaquePointer
    /// Oldest first.
    private var popups: [Popup] = []

    init(_ server: OpaquePointer) { self.server = server }

    /// The popups of a server. Also works while its compositor is being made or freed. nil if there are none.
    static func of(_ server: OpaquePointer?) -> Popups? {
        Compositor.of(server).popups
    }

    fileprivate var seat: UnsafeMutablePointer<wlr_seat> { InputRouting.of(server: server)!.wlr }
    fileprivate var isEnding: Bool { mw_server_is_ending(server) }

    // MARK: Adding and removing

    fileprivate func add(_ raw: UnsafeMutablePointer<wlr_xdg_popup>) {
        guard !refusesLoop(raw) else { return }
        let popup = Popup(self, raw)
        popups.append(popup)
        #if !WLR18
            // This is the first commit. The configure goes out at the end of this turn of the loop.
            popup.unconstrain()
        #endif
    }

    fileprivate func remove(_ popup: Popup) {
        popups.removeAll { $0 === popup }
        endStaleTouchGrab()
        if !isEnding { InputRouting.of(server: server)?.keyboards.applyFocus() }
    }

    /// wlroots 0.15 ends the pointer and keyboard grabs with the last grabbing popup, but forgets the touch grab.
    /// That grab then swallows the next touch on any other client.
    private func endStaleTouchGrab() {
        let grabs = elements(of: mw_server_xdg_shell(server).pointer(to: \.popup_grabs)!, by: \wlr_xdg_popup_grab.link)
        for grab in grabs where wl_list_empty(grab.pointer(to: \.popups)) != 0 {
            if seat.pointee.touch_state.grab == grab.pointer(to: \.touch_grab) { return wlr_seat_touch_end_grab(seat) }
        }
    }

    /// Refuses a popup that is its own ancestor: wlroots 0.15 recurses without end, and 0.18 does not report it.
    /// Returns true if the popup must not be used.
    private func refusesLoop(_ raw: UnsafeMutablePointer<wlr_xdg_popup>) -> Bool {
        guard raw.pointee.parent != nil else {
            #if WLR18
                return false // a popup of a layer surface is created before its parent is set
            #else
                return true
            #endif
        }
        guard Popup.root(of: raw) == nil else { return false }
        let name = "xdg_popup@\(wl_resource_get_id(raw.pointee.resource))"
        mw_post_error(
            raw.pointee.base.pointee.client.pointee.resource, XDG_WM_BASE_ERROR_INVALID_POPUP_PARENT.rawValue,
            Popup.isItsOwnAncestor(raw)
                ? "\(name) is its own ancestor" : "\(name) stands in more than \(ClientLimits.depth) others, or in one that is gone")
        let link = raw.pointer(to: \.link)!
        wl_list_remove(link)
        wl_list_init(link)
        raw.pointee.parent = nil
        return true
    }

    // MARK: Queries

    fileprivate func report(_ window: OpaquePointer?) {
        guard let window else { return }
        mw_window_report_popups(window, grabbing(on: mw_window_fields(window).pointee.surface) != nil)
        InputRouting.of(server: server)?.pointer.windowChanged(window)
    }

    /// The topmost grabbing popup of a window or panel.
    func grabbing(on root: Surface?) -> Surface? {
        guard let root else { return nil }
        return popups.last { $0.isMapped && $0.grabs && !$0.isDismissed && $0.root == root }?.surface
    }

    // MARK: Decisions of the shell

    /// A window moved, or its screen changed. Places its reactive popups again. wlroots 0.15 does not support those. Any other popup stays
    /// where its client put it, and is dismissed if a person cannot reach it there: it would keep the keys out of sight (P-02, P-04).
    fileprivate func boundsChanged(_ window: OpaquePointer) { roomChanged { $0.window == window } }

    /// The same for the popups of a panel that moved.
    func panelMoved(_ root: Surface) { roomChanged { $0.root == root } }

    private func roomChanged(_ isConcerned: (Popup) -> Bool) {
        let concerned = popups.filter { $0.isMapped && !$0.isDismissed && isConcerned($0) }
        for popup in concerned.reversed() where popup.isReactive { popup.move() }
        var lost = concerned.filter { !$0.isReactive && !$0.isInReach }
        guard !lost.isEmpty else { return }
        // A popup goes before its parent does.
        lost = concerned.filter { popup in lost.contains { $0 === popup || popup.stands(in: $0) } }
        let roots = lost.map(\.window)
        if lost.contains(where: \.grabs) { endGrab() }
        for popup in lost.reversed() { popup.dismiss() }
        roots.forEach(report)
        InputRouting.of(server: server)?.keyboards.applyFocus()
    }

    fileprivate func caughtUp(_ client: WaylandClient) {
        for popup in popups.reversed() where popup.isHeld && wl_resource_get_client(popup.raw.pointee.resource) == client {
            popup.move()
        }
    }

    /// Sends popup_done and lets the client destroy the popups. If the shell destroyed them, a commit already in
    /// flight would be a protocol error.
    fileprivate func dismiss(_ window: OpaquePointer) {
        let isGrabbed = grabbing(on: mw_window_fields(window).pointee.surface) != nil
        for popup in popups.reversed() where popup.isMapped && !popup.grabs && popup.window == window { popup.dismiss() }
        if isGrabbed { endGrab() }
    }

    /// Dismisses the grabbing popups of panels.
    func dismissOnPanels() {
        if popups.contains(where: { $0.isMapped && $0.grabs && $0.window == nil }) { endGrab() }
    }

    /// Sends popup_done to the popups that grab.
    private func endGrab() {
        guard wlr_seat_pointer_has_grab(seat), seat.pointee.drag == nil else { return }
        wlr_seat_pointer_end_grab(seat)
        // wlroots has told all of them.
        for popup in popups where popup.isMapped && popup.grabs { popup.wasDismissed() }
    }
}

/// An xdg_popup.
private final class Popup {
    private unowned let popups: Popups
    let raw: UnsafeMutablePointer<wlr_xdg_popup>
    private(set) var isMapped = false
    /// The popup moved, but the client was not told, because it is stalled or does not answer configures.
    private(set) var isHeld = false
    private(set) var isDismissed = false
    private var listeners: [Listener] = []

    init(_ popups: Popups, _ raw: UnsafeMutablePointer<wlr_xdg_popup>) {
        self.popups = popups
        self.raw = raw
        let base = raw.pointee.base!
        #if WLR18
            let (map, unmap) = (surface.pointer(to: \.events.map)!, surface.pointer(to: \.events.unmap)!)
            let destroy = raw.pointer(to: \.events.destroy)!
        #else
            let (map, unmap) = (base.pointer(to: \.events.map)!, base.pointer(to: \.events.unmap)!)
            let destroy = base.pointer(to: \.events.destroy)!
        #endif
        listeners = [
            Listener(surface.pointer(to: \.events.commit)!) { [unowned self] _ in committed() },
            Listener(base.pointer(to: \.events.configure)!) { data in
                let surface = data!.assumingMemoryBound(to: wlr_xdg_surface_configure.self).pointee.surface!
                mw_limits_configures(surface.pointee.client.pointee.client, surface.pointer(to: \.configure_list))
            },
            Listener(map) { [unowned self] _ in
                isMapped = true
                self.popups.report(window)
                InputRouting.of(server: self.popups.server)?.keyboards.applyFocus()
            },
            Listener(unmap) { [unowned self] _ in unmapped() },
            Listener(destroy) { [unowned self] _ in
                unmapped()
                listeners = []
                self.popups.remove(self)
            },
        ]
        #if WLR18
            listeners.append(Listener(raw.pointer(to: \.events.reposition)!) { [unowned self] _ in unconstrain() })
        #endif
    }

    /// Sends popup_done, once.
    func dismiss() {
        guard !isDismissed else { return }
        isDismissed = true
        xdg_popup_send_popup_done(raw.pointee.resource)
    }

    /// wlroots sent popup_done.
    func wasDismissed() { isDismissed = true }

    var surface: Surface { raw.pointee.base.pointee.surface }
    var grabs: Bool { raw.pointee.seat != nil }
    var root: Surface? { Popup.root(of: raw) }
    var window: OpaquePointer? { root.flatMap { mw_xdg_window(mw_xdg_surface_of($0)) } }

    // MARK: Parents

    /// The surface at the root of a chain of popups: a toplevel or a panel. nil if the chain is broken.
    static func root(of popup: UnsafeMutablePointer<wlr_xdg_popup>) -> Surface? {
        var surface = popup.pointee.parent
        for _ in 0..<ClientLimits.depth {
            guard let each = surface, let parent = mw_xdg_surface_of(each), parent.pointee.role == WLR_XDG_SURFACE_ROLE_POPUP
            else { return surface }
            guard let next = parent.pointee.popup else { return nil }
            surface = next.pointee.parent
        }
        return nil
    }

    static func isItsOwnAncestor(_ popup: UnsafeMutablePointer<wlr_xdg_popup>) -> Bool {
        var ancestor: UnsafeMutablePointer<wlr_xdg_popup>? = popup
        for _ in 0..<ClientLimits.Counted.popups.most {
            guard let surface = ancestor?.pointee.parent else { return false }
            let parent = mw_xdg_surface_of(surface)
            ancestor = parent?.pointee.role == WLR_XDG_SURFACE_ROLE_POPUP ? parent?.pointee.popup : nil
            if ancestor == popup { return true }
        }
        return false
    }

    /// Whether the popup opened in another one, or in one that opened there.
    func stands(in other: Popup) -> Bool {
        var parent = raw.pointee.parent
        for _ in 0..<ClientLimits.depth {
            guard let each = parent, each != other.surface else { return parent != nil }
            guard let popup = mw_xdg_surface_of(each), popup.pointee.role == WLR_XDG_SURFACE_ROLE_POPUP else { return false }
            parent = popup.pointee.popup?.pointee.parent
        }
        return false
    }

    // MARK: Position

    /// Whether the client wants to be told a new place when its window moves.
    var isReactive: Bool {
        #if WLR18
            return raw.pointee.current.reactive
        #else
            return false
        #endif
    }

    /// Whether a person can reach the popup at its place.
    var isInReach: Bool {
        guard let root, let room = room(on: root) else { return true }
        #if WLR18
            let box = raw.pointee.current.geometry
        #else
            let box = raw.pointee.geometry
        #endif
        return PopupPlacement.isInReach(Rect(Double(box.x), Double(box.y), Double(box.width), Double(box.height)), in: room)
    }

    /// Moves the popup into its allowed area. The rules are the core's: wlroots 0.15 makes a popup larger that must become smaller.
    /// - Parameter onlyChanges: whether an unchanged place sends the client nothing.
    func unconstrain(onlyChanges: Bool = false) {
        guard let root else { return }
        #if WLR18
            let last = raw.pointee.scheduled.geometry
            defer {
                let new = raw.pointee.scheduled.geometry
                let isSame = (new.x, new.y, new.width, new.height) == (last.x, last.y, last.width, last.height)
                if !onlyChanges || !isSame { wlr_xdg_surface_schedule_configure(raw.pointee.base) }
            }
        #endif
        guard let room = room(on: root) else { return }
        let place = rules.placed(in: room)
        let box = wlr_box(
            x: Int32(clamping: place.x), y: Int32(clamping: place.y), width: Int32(clamping: place.width),
            height: Int32(clamping: place.height))
        #if WLR18
            raw.pointee.scheduled.geometry = box
        #else
            // Until version 3 of xdg-shell, which wlroots 0.15 lacks, the first configure is the only one. wlroots has scheduled it.
            raw.pointee.geometry = box
        #endif
    }

    /// The allowed area, in the coordinates of the parent's window geometry. nil if the root is not shown.
    private func room(on root: Surface) -> Rect? {
        var box = wlr_box()
        var room: Rect
        if let window {
            mw_window_geometry(window, &box)
            let bounds = mw_window_fields(window).pointee.popup_bounds
            room = Rect(Double(box.x), Double(box.y), Double(box.width), Double(box.height))
            if bounds.width > 0, bounds.height > 0 { room = Rect(room.x + bounds.x, room.y + bounds.y, bounds.width, bounds.height) }
        } else if let place = Panels.of(popups.server)?.place(of: root) {
            // Popups of a panel may use its whole screen.
            wlr_output_effective_resolution(mw_output_wlr(place.output), &box.width, &box.height)
            room = Rect(-Double(place.x), -Double(place.y), Double(box.width), Double(box.height))
        } else {
            return nil
        }
        // The parent's place in the root's surface.
        var x: Int32 = 0, y: Int32 = 0
        wlr_xdg_popup_get_toplevel_coords(raw, 0, 0, &x, &y)
        return room.offset(by: Vector(-Double(x), -Double(y)))
    }

    private var rules: PopupPlacement {
        #if WLR18
            let rules = raw.pointee.scheduled.rules
        #else
            let rules = raw.pointee.positioner
        #endif
        let anchor = rules.anchor_rect
        return PopupPlacement(
            anchorRect: Rect(Double(anchor.x), Double(anchor.y), Double(anchor.width), Double(anchor.height)),
            anchor: rules.anchor.rawValue,
            gravity: rules.gravity.rawValue, offset: Vector(Double(rules.offset.x), Double(rules.offset.y)),
            size: Size(Double(rules.size.width), Double(rules.size.height)), adjustments: rules.constraint_adjustment.rawValue)
    }

    /// The parent moved.
    func move() {
        isHeld = !mw_may_tell(popups.server, surface, raw.pointee.base.pointer(to: \.configure_list))
        if !isHeld { unconstrain(onlyChanges: true) }
    }

    // MARK: Events

    private func committed() {
        #if WLR18
            if raw.pointee.base.pointee.initial_commit { return unconstrain() }
        #endif
        if isHeld { move() }
        if isMapped { popups.report(window) }
    }

    private func unmapped() {
        guard isMapped else { return }
        isMapped = false
        guard !popups.isEnding else { return }
        #if !WLR18
            // wlroots 0.15 clears this only after the signal, but hit tests and reports made from here must not see the
            // popup.
            raw.pointee.base.pointee.mapped = false
        #endif
        popups.report(window)
        InputRouting.of(server: popups.server)?.keyboards.applyFocus()
    }
}

// MARK: Functions for C

@_cdecl("mw_popups_begin") func popupsBegin(_ server: OpaquePointer) {
    Compositor.of(server).popups = Popups(server)
}

@_cdecl("mw_popups_end") func popupsEnd(_ server: OpaquePointer) {
    Compositor.of(server).popups = nil
}

@_cdecl("mw_popups_new") func popupsNew(_ server: OpaquePointer, _ popup: UnsafeMutableRawPointer) {
    Popups.of(server)?.add(popup.assumingMemoryBound(to: wlr_xdg_popup.self))
}

@_cdecl("mw_popups_grabbing")
func popupsGrabbing(_ server: OpaquePointer, _ root: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let root = root?.assumingMemoryBound(to: wlr_surface.self)
    return Popups.of(server)?.grabbing(on: root).map { UnsafeMutableRawPointer($0) }
}

@_cdecl("mw_popups_bounds_changed") func popupsBoundsChanged(_ server: OpaquePointer, _ window: OpaquePointer) {
    Popups.of(server)?.boundsChanged(window)
}

@_cdecl("mw_popups_caught_up") func popupsCaughtUp(_ server: OpaquePointer, _ client: OpaquePointer) {
    Popups.of(server)?.caughtUp(client)
}

@_cdecl("mw_popups_dismiss") func popupsDismiss(_ server: OpaquePointer, _ window: OpaquePointer) {
    Popups.of(server)?.dismiss(window)
}
