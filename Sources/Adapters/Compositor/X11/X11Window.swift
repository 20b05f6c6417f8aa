import CWlroots
import Geometry
import WaylandServer
import Windows

/// A window of an X11 program. Either the shell manages it, or it is a menu (override-redirect), which may belong to
/// a managed window.
final class X11Window {
    unowned let xwayland: Xwayland
    let raw: UnsafeMutablePointer<wlr_xwayland_surface>
    /// The window of a managed one. Made when it first maps.
    private(set) var window: OpaquePointer?
    /// Whether the window was reported as mapped.
    private(set) var isReported = false
    /// For a menu: the window that it belongs to.
    var owner: OpaquePointer?
    private(set) var isMapped = false
    private(set) var isMenu = false
    private var kind = X11Kind()
    /// The number of the window in its WM_TRANSIENT_FOR. nil if it has none.
    var transient: UInt32?
    /// For a dialog that names no parent: the window on which it stands.
    var groupParent: OpaquePointer?
    /// The size that its program gave it, in points, before the shell placed it.
    private(set) var ownSize: Size?
    /// When it was last used; greater is later. 0 if never.
    private(set) var lastUse = 0
    /// Whether the shell has placed it.
    private(set) var isConfigured = false
    private var listeners: [Listener] = []
    /// Listeners of its surface, while it has one.
    private var surfaceListeners: [Listener] = []

    init(_ xwayland: Xwayland, _ raw: UnsafeMutablePointer<wlr_xwayland_surface>) {
        self.xwayland = xwayland
        self.raw = raw
        listeners = [
            Listener(raw.pointer(to: \.events.destroy)!) { [unowned self] _ in
                // A drag of wlroots 0.15 keeps sending to it.
                #if !WLR18
                    InputRouting.of(server: self.xwayland.server)?.drag?.x11WindowGone()
                #endif
                self.xwayland.remove(self)
            },
            Listener(raw.pointer(to: \.events.set_geometry)!) { [unowned self] _ in geometryChanged() },
            Listener(raw.pointer(to: \.events.set_override_redirect)!) { [unowned self] _ in kindChanged() },
        ]
        #if WLR18
            listeners += [
                Listener(raw.pointer(to: \.events.associate)!) { [unowned self] _ in
                    guard let surface = self.raw.pointee.surface else { return }
                    surfaceListeners = [
                        Listener(surface.pointer(to: \.events.map)!) { [unowned self] _ in map() },
                        Listener(surface.pointer(to: \.events.unmap)!) { [unowned self] _ in unmap() },
                        Listener(surface.pointer(to: \.events.commit)!) { [unowned self] _ in committed() },
                    ]
                },
                Listener(raw.pointer(to: \.events.dissociate)!) { [unowned self] _ in
                    unmap()
                    surfaceListeners = []
                },
                Listener(raw.pointer(to: \.events.map_request)!) { [unowned self] _ in beforeMap() },
            ]
        #else
            listeners += [
                Listener(raw.pointer(to: \.events.map)!) { [unowned self] _ in map() },
                Listener(raw.pointer(to: \.events.unmap)!) { [unowned self] _ in unmap() },
            ]
        #endif
        listeners += requestListeners()
    }

    /// The X11 window behind a window of the C side, which must be an X11 window.
    static func of(_ window: OpaquePointer) -> X11Window {
        Unmanaged<X11Window>.fromOpaque(mw_window_parts(window).role).takeUnretainedValue()
    }

    /// The number by which X11 programs know it.
    var number: UInt32 { raw.pointee.window_id }

    /// Stops listening. Called when the window is gone or about to go.
    func end() {
        listeners = []
        surfaceListeners = []
        unmap()
    }

    /// Reports that the window is gone. `xwayland` must not list it any more.
    func freeWindow() {
        guard let window else { return }
        self.window = nil
        if !xwayland.isEnding { xwayland.compositor.windowDestroyed(window) }
        mw_window_free(window)
    }

    // MARK: Mapping

    private func createWindow() {
        let isNew = window == nil
        if isNew { ownSize = Size(Double(raw.pointee.width), Double(raw.pointee.height)) }
        if isNew { window = mw_window_new_x11(xwayland.server, raw, Unmanaged.passUnretained(self).toOpaque()) }
        guard let window else { return }
        mw_window_parts(window).surface.pointee = raw.pointee.surface
        guard isNew else { return }
        readState(window)
        mw_window_report_created(window)
        if raw.pointee.fullscreen { mw_window_report_request(window, Int32(MW_REQUEST_FULLSCREEN.rawValue), 1) }
    }

    /// Creates the window before its first frame, so that the shell can choose its size. Possible only if wlroots has
    /// read its properties by now; it may read them only when the window maps.
    func beforeMap() {
        if !raw.pointee.override_redirect, raw.pointee.class != nil { createWindow() }
    }

    private func map() {
        guard !isMapped else { return }
        isMapped = true
        _ = noteFrame()
        isMenu = kind.isMenu(isOwn: raw.pointee.override_redirect)
        #if !WLR18
            surfaceListeners = [Listener(raw.pointee.surface.pointer(to: \.events.commit)!) { [unowned self] _ in committed() }]
        #endif
        if isMenu { return xwayland.menuMapped(self) }
        createWindow()
        guard let window else { return }
        mw_window_parts(window).surface.pointee = raw.pointee.surface
        readState(window)
        if isSplash { xwayland.compositor.reportFacts(of: window) }
        // Its type, and so its parent, may be known only now.
        if isSecondary { mw_window_report_renamed(window) }
        isReported = true
        mw_window_report_mapped(window)
        xwayland.adoptOrphans()
    }

    private func unmap(keepsKind: Bool = false) {
        guard isMapped else { return }
        isMapped = false
        if !keepsKind { kind.unmapped() }
        #if !WLR18
            surfaceListeners = []
        #endif
        if isMenu { return xwayland.menuUnmapped(self) }
        guard let window else { return }
        isReported = false
        mw_window_report_unmapped(window)
        mw_window_parts(window).surface.pointee = nil
        xwayland.forgetOwner(window)
    }

    private func committed() {
        if isMenu {
            // A menu without an owner is drawn like a layer surface, so there is nothing to report.
            xwayland.menusChanged(of: owner)
        } else if let window, isReported {
            readState(window)
            mw_window_report_commit(window, false)
            InputRouting.of(server: xwayland.server)?.pointer.windowChanged(window)
        }
    }

    private func geometryChanged() {
        guard isMenu, isMapped else { return }
        if noteFrame() { kindChanged() } else { xwayland.menuMoved(self) }
    }

    private func noteFrame() -> Bool {
        func rect(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) -> Rect {
            Rect(Double(x), Double(y), Double(width), Double(height))
        }
        let frame = rect(Int32(raw.pointee.x), Int32(raw.pointee.y), Int32(raw.pointee.width), Int32(raw.pointee.height))
        return kind.lies(at: frame, isOwn: raw.pointee.override_redirect, on: xwayland.screen.map { rect($0.x, $0.y, $0.width, $0.height) })
    }

    /// The window became a menu, or a menu became a window, while mapped.
    private func kindChanged() {
        guard isMapped, isMenu != kind.isMenu(isOwn: raw.pointee.override_redirect) else { return }
        unmap(keepsKind: true)
        if raw.pointee.surface != nil { map() }
    }

    // MARK: State

    /// Whether its program declares that it is shown only until another window comes.
    var isSplash: Bool { isOfType(xwayland.splashType) }

    /// Whether its program declares that it is a dialog or a tool window, or that it belongs to its group: by the root window, by none
    /// or by itself where a parent is named.
    var isSecondary: Bool {
        xwayland.secondaryTypes.contains(where: isOfType) || X11Kind.isOfGroup(parent: transient, root: xwayland.root, own: number)
    }

    /// For a menu: whether it may hold the pointer and the keyboard until it closes.
    var mayGrab: Bool {
        guard isMenu, isMapped else { return false }
        let isOfOwnersProcess = owner.map { X11Window.of($0).raw.pointee.pid == raw.pointee.pid } ?? false
        return X11Kind.mayGrab(
            isMenuType: raw.pointee.window_type_len > 0 ? xwayland.menuTypes.contains(where: isOfType) : nil,
            isOfOwnersProcess: isOfOwnersProcess)
    }

    private func isOfType(_ type: UInt32) -> Bool {
        guard type != 0, let types = raw.pointee.window_type else { return false }
        return UnsafeBufferPointer(start: types, count: raw.pointee.window_type_len).contains(type)
    }

    private func readState(_ window: OpaquePointer) {
        let parts = mw_window_parts(window)
        let state = parts.state!
        state.pointee.min_width = 0
        state.pointee.min_height = 0
        state.pointee.max_width = 0
        state.pointee.max_height = 0
        if let hints = raw.pointee.size_hints?.pointee {
            if hints.flags & Self.hintMinimum != 0 {
                state.pointee.min_width = Double(max(hints.min_width, 0))
                state.pointee.min_height = Double(max(hints.min_height, 0))
            }
            if hints.flags & Self.hintMaximum != 0 {
                state.pointee.max_width = Double(max(hints.max_width, 0))
                state.pointee.max_height = Double(max(hints.max_height, 0))
            }
        }
        state.pointee.fullscreen_wanted = raw.pointee.fullscreen
        // X11 has no ack. A configure counts as answered once there is a frame of that size.
        guard isConfigured, let surface = parts.surface.pointee else { return }
        let wanted = parts.wanted.pointee
        if wanted.width <= 0 || surface.pointee.current.width == wanted.width,
            wanted.height <= 0 || surface.pointee.current.height == wanted.height
        {
            state.pointee.answered = wanted.sequence
        }
    }

    /// Flags of WM_NORMAL_HINTS.
    private static let hintMinimum: UInt32 = 1 << 4, hintMaximum: UInt32 = 1 << 5

    /// Clamps a length to the range of X11.
    static func clamped(_ size: Int32) -> UInt16 { UInt16(clamping: max(size, 1)) }

    // MARK: Decisions of the shell

    func configure(_ new: mw_configure) {
        guard let window else { return }
        let wanted = mw_window_parts(window).wanted!
        let before = wanted.pointee
        let isFirst = !isConfigured
        isConfigured = true
        wanted.pointee = new
        let now = raw.pointee
        let width = new.width > 0 ? Self.clamped(new.width) : now.width
        let height = new.height > 0 ? Self.clamped(new.height) : now.height
        if isFirst || Int32(now.x) != new.x || Int32(now.y) != new.y || now.width != width || now.height != height {
            move(to: new.x, new.y, width, height)
        }
        // The state is the same wherever the window is, so that no window can tell the arrangement (W-10).
        if isFirst || before.arranged != new.arranged { wlr_xwayland_surface_set_maximized(raw, new.arranged) }
        if isFirst || before.fullscreen != new.fullscreen || raw.pointee.fullscreen != new.fullscreen {
            wlr_xwayland_surface_set_fullscreen(raw, new.fullscreen)
        }
        if isFirst || !Self.isSame(before, new) {
            let maximized = new.arranged ? (new.activated ? ",maximized" : "maximized") : ""
            let text = (new.activated ? "activated" : "") + maximized + (new.fullscreen ? ",fullscreen" : "")
            mw_window_log_line(window, "seq=\(new.sequence) size=\(width)x\(height) states=\(text) pos=\(new.x),\(new.y)")
        }
        readState(window)
        mw_window_report_later(window)
    }

    /// Compares two configures without their serial.
    private static func isSame(_ a: mw_configure, _ b: mw_configure) -> Bool {
        a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height && a.activated == b.activated
            && a.arranged == b.arranged && a.fullscreen == b.fullscreen && a.resizing == b.resizing
    }

    func place(_ x: Int32, _ y: Int32) {
        let now = raw.pointee
        guard Int32(now.x) != x || Int32(now.y) != y else { return }
        move(to: x, y, now.width, now.height)
    }

    /// Moves and resizes the window. Its menus move with it: X11 has them in coordinates of the screen.
    private func move(to x: Int32, _ y: Int32, _ width: UInt16, _ height: UInt16) {
        let old = (x: Int32(raw.pointee.x), y: Int32(raw.pointee.y))
        wlr_xwayland_surface_configure(raw, Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y), width, height)
        if let window, isReported { xwayland.ownerMoved(window, by: Int32(raw.pointee.x) - old.x, Int32(raw.pointee.y) - old.y) }
    }

    func activate(_ activated: Bool) {
        if activated {
            lastUse = xwayland.nextUse()
            // A program that hid itself by `_NET_WM_STATE` refuses the focus until it reads that it is in sight again.
            if raw.pointee.minimized { wlr_xwayland_surface_set_minimized(raw, false) }
        }
        wlr_xwayland_surface_activate(raw, activated)
        // wlroots' list has mapped windows only, and no menus.
        if activated, isReported, !raw.pointee.override_redirect {
            wlr_xwayland_surface_restack(raw, nil, XCB_STACK_MODE_ABOVE)
        }
    }

    func close() { wlr_xwayland_surface_close(raw) }

    // MARK: Late replies

    /// The depth or the process arrived after wlroots had continued without it.
    func complete(depth: Int32) {
        raw.pointee.has_alpha = depth == 32
        if let window { mw_window_report_renamed(window) }
    }

    func complete(process: Int32) {
        raw.pointee.pid = process
        if let window { mw_window_report_renamed(window) }
    }

    /// Maps a window that already has content. wlroots maps only at a surface commit, and may learn later which
    /// window it belongs to.
    func mapDrawn() {
        guard let surface = raw.pointee.surface, wlr_surface_has_buffer(surface) else { return }
        #if WLR18
            if !surface.pointee.mapped { wlr_surface_map(surface) }
        #else
            if !raw.pointee.mapped, let role = surface.pointee.role { role.pointee.commit(surface) }
        #endif
    }
}
