import CWlroots
import CX11Guards
import Glibc
import Logging
import Seat
import WaylandServer

/// Handles reports of the guards between wlroots' window manager and Xwayland.
final class X11Guards {
    private unowned let xwayland: Xwayland
    private let xwm: OpaquePointer?
    private var raw: OpaquePointer!
    private var lists: X11Lists?
    private var ending: AfterTurn?
    private var refocus: Timer?
    /// The type of windows that are shown only until another one comes; 0 if unknown.
    private(set) var splashType: UInt32 = 0
    /// The types of dialogs and of tool windows, which belong to their group's window if they name no parent.
    private(set) var secondaryTypes: [UInt32] = []
    /// The types of menus.
    private(set) var menuTypes: [UInt32] = []

    /// Returns nil if out of memory. wlroots then blocks as usual.
    init?(_ xwayland: Xwayland) {
        self.xwayland = xwayland
        xwm = xwayland.raw.pointee.xwm
        var hooks = X11Guards.hooks
        hooks.user = Unmanaged.passUnretained(self).toOpaque()
        var limits = X11Guards.limits
        raw = x11_guards_begin(xwayland.raw, xwayland.loop, &hooks, &limits)
        guard raw != nil else { return nil }
        lists = X11Lists(xwayland.loop, guards: raw)
        refocus = Timer(xwayland.loop) { [unowned self] in giveFocusBack() }
        splashType = atom("_NET_WM_WINDOW_TYPE_SPLASH")
        secondaryTypes = types(["DIALOG", "UTILITY", "TOOLBAR"])
        menuTypes = types(["MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO"])
        #if WLR18
            x11_guards_set_messages(raw, atom("WL_SURFACE_ID"), atom("WL_SURFACE_SERIAL"))
        #endif
    }

    deinit {
        (lists, refocus) = (nil, nil)
        if let raw { x11_guards_end(raw) }
    }

    /// A drag is dropped on an X11 window, which reads it afterwards.
    func keepDrop(_ drag: UnsafeMutablePointer<wlr_drag>) { x11_guards_keep_drop(raw, drag) }

    func turnBegins() { x11_guards_turn_begins(raw) }

    private func types(_ names: [String]) -> [UInt32] { names.map { atom("_NET_WM_WINDOW_TYPE_\($0)") }.filter { $0 != 0 } }

    private func atom(_ name: String) -> UInt32 {
        guard let connection = x11_guards_newest_connection(),
            let reply = xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name), nil)
        else { return 0 }
        defer { free(reply) }
        return reply.pointee.atom
    }

    private static var limits: x11_guards_limits {
        x11_guards_limits(
            slice: X11Limits.slice, patience: X11Limits.patience, attention: X11Limits.attention, long_silence: X11Limits.longSilence,
            questions_forgotten: X11Limits.questionsForgotten, share: X11Limits.share, most_events: X11Limits.events,
            most_messages: X11Limits.messages, most_maps: X11Limits.maps, most_questions: X11Limits.questions,
            most_questions_of_all: X11Limits.questionsOfAll, most_late: X11Limits.lateReplies,
            most_unheard_bytes: X11Limits.unheardBytes, paste_bytes: X11Limits.pasteBytes,
            window_words: X11Limits.windowWords, type_words: X11Limits.typeWords, longest_type: X11Limits.longestType,
            unread_doubtful: X11Limits.Unread.doubtful, unread_held: X11Limits.Unread.held, unread_silent: X11Limits.Unread.silent,
            unread_stuck: X11Limits.Unread.stuck, unread_full: X11Limits.Unread.full)
    }

    private static var hooks: x11_guards_hooks {
        func me(_ user: UnsafeMutableRawPointer?) -> X11Guards { Unmanaged<X11Guards>.fromOpaque(user!).takeUnretainedValue() }
        var on = x11_guards_hooks()
        on.map_requested = { user, window in
            #if !WLR18
                // wlroots 0.18 has a signal for this.
                for each in me(user).windows(window) { each.beforeMap() }
            #endif
        }
        on.focus_came = { user, connection, window in me(user).focusCame(connection!, window) }
        on.transient_read = { user, window, isNamed, other in
            for each in me(user).windows(window) { each.transient = isNamed ? other : nil }
        }
        on.surface_named = { user in
            for each in me(user).xwayland.windows.reversed() { each.mapDrawn() }
        }
        on.reparented = { user, connection, event in me(user).reparented(connection!, event!) }
        on.reparented_on = { user, connection, event in me(user).reparentedOn(connection!, event!) }
        on.selection_asked = { user, connection, window in me(user).selectionAsked(connection!, window) }
        on.selection_wanted = { user in mw_requests_asked_x11(me(user).xwayland.server) }
        on.type_named = { user, name, length in
            // Without a slash it is no MIME type, and wlroots leaves it out.
            let text = name.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
            InputRouting.of(server: me(user).xwayland.server)?.copied?.x11Type(text)
        }
        on.selection_refused = { user in
            me(user).log.error(
                "an X11 program sends more than \(X11Limits.pasteBytes >> 20) MiB of a selection in one piece; the paste is refused")
        }
        on.depth_came = { user, window, depth in
            for each in me(user).windows(window) { each.complete(depth: depth) }
        }
        on.process_came = { user, window, process in
            for each in me(user).windows(window) { each.complete(process: process) }
        }
        on.windows_listed = { user, connection, window, property, windows, count in
            let list = UnsafeBufferPointer(start: windows, count: Int(count))
            return me(user).lists?.told(connection!, X11Lists.Place(window: window, property: property), list) ?? false
        }
        on.flooded = { user, window, own, most in me(user).flooded(window, own, most) }
        on.stuck = { user, silence in me(user).stuck(silence) }
        on.answers_again = { user, silence in
            me(user).log.info("Xwayland answers again after \(tenths(silence)) s without a reply; X11 windows were frozen meanwhile")
        }
        on.disconnecting = { user in
            let me = me(user)
            me.lists = nil // it must not write to the connection any more
            if let seat = InputRouting.of(server: me.xwayland.server)?.wlr { x11_guards_leave_drag(me.raw, seat) }
            me.xwayland.windowManagerEnds()
        }
        return on
    }

    private var log: Logger { xwayland.compositor.log }

    private func windows(_ id: UInt32) -> [X11Window] { xwayland.windows.filter { $0.raw.pointee.window_id == id } }
    private func isKnown(_ id: UInt32) -> Bool { xwayland.windows.contains { $0.raw.pointee.window_id == id } }

    // MARK: Xwayland

    /// Xwayland is stuck. wlroots is in the middle of a call, so its window manager and the X11 windows go in the
    /// next turn.
    private func stuck(_ silence: Int64) {
        log.error("Xwayland has answered nothing for \(tenths(silence)) s and does not read its socket: it is ended")
        ending = AfterTurn(xwayland.loop) { [unowned self] in
            if let client = xwayland.raw.pointee.server?.pointee.client, xwayland.raw.pointee.xwm == xwm { wl_client_destroy(client) }
        }
        ending?.ask()
    }

    /// - Returns: a window of the program.
    private func flooded(_ window: UInt32, _ own: UInt32, _ most: Int32) -> UInt32 {
        var name = "", process: pid_t = 0, there = window
        for each in xwayland.windows.reversed() where each.raw.pointee.window_id & ~own == window & ~own {
            let known = each.raw.pointee
            if let text = known.class, text.pointee != 0 { name = String(String(cString: text).prefix(60)) }
            if known.pid != 0 { process = known.pid }
            there = known.window_id
        }
        log.error("an X11 program (\(name), process \(process)) is disconnected: more than \(most) changes at once")
        return there
    }

    // MARK: Focus

    /// wlroots lets windows of one process give each other the focus. It learns the process of a window only when it
    /// draws it, and a program may give the focus to its menu right after mapping it. Windows that one connection made
    /// are of one process.
    private func focusCame(_ connection: OpaquePointer, _ window: UInt32) {
        guard let focused = windows(window).first else { return }
        // A window that is out of sight keeps the focus from the one in front, whose keys X11 would send there (P-02).
        if let hidden = focused.window, !mw_window_fields(hidden).pointee.shown { refocus?.arm(in: 20_000_000) }
        let own = xcb_get_setup(connection).pointee.resource_id_mask
        guard focused.raw.pointee.pid == 0,
            let relative = xwayland.windows.first(where: { $0.raw.pointee.pid != 0 && $0.number & ~own == window & ~own })
        else { return }
        focused.raw.pointee.pid = relative.raw.pointee.pid
    }

    /// Gives the X11 focus back to the window that has the keys. Not at once: wlroots looks at the event after `focusCame`.
    private func giveFocusBack() {
        guard let active = InputRouting.of(server: xwayland.server)?.keyboards.window, mw_window_parts(active).xsurface != nil else {
            return
        }
        X11Window.of(active).activate(true)
    }

    // MARK: Reparenting

    // Trays, and terminals that embed a program's window, reparent windows. wlroots watches only children of the root
    // window and ignores this event. It would keep a window that left the root forever, and never show one that came
    // to the root. So report the former as destroyed and the latter as created.

    private func isRoot(_ connection: OpaquePointer, _ window: UInt32) -> Bool {
        xcb_setup_roots_iterator(xcb_get_setup(connection)).data.pointee.root == window
    }

    private func reparented(_ connection: OpaquePointer, _ event: UnsafeMutableRawPointer) {
        let moved = event.load(as: xcb_reparent_notify_event_t.self)
        // Both events start with the same fields.
        if !isRoot(connection, moved.parent), isKnown(moved.window) {
            event.storeBytes(of: UInt8(XCB_DESTROY_NOTIFY), as: UInt8.self)
        }
    }

    private func reparentedOn(_ connection: OpaquePointer, _ event: UnsafeMutableRawPointer) {
        let moved = event.load(as: xcb_reparent_notify_event_t.self)
        let setup = xcb_get_setup(connection)!.pointee
        guard isRoot(connection, moved.parent), !isKnown(moved.window),
            moved.window & ~setup.resource_id_mask != setup.resource_id_base
        else { return }
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let place = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, moved.window), &error)
        defer {
            free(error)
            free(place)
        }
        guard error == nil else { return }
        var created = xcb_create_notify_event_t()
        created.response_type = UInt8(XCB_CREATE_NOTIFY)
        created.sequence = moved.sequence
        created.parent = moved.parent
        created.window = moved.window
        created.x = moved.x
        created.y = moved.y
        created.override_redirect = moved.override_redirect
        // Without a reply yet, the first configure event brings the size.
        created.width = place?.pointee.width ?? 1
        created.height = place?.pointee.height ?? 1
        event.storeBytes(of: created, as: xcb_create_notify_event_t.self)
    }

    // MARK: Selections

    /// Selections over 64 KiB are pasted in pieces: the owner writes the next one when the requestor deletes the
    /// property. wlroots watches only its own windows, but xterm asks in the name of a child window.
    private func selectionAsked(_ connection: OpaquePointer, _ window: UInt32) {
        // wlroots already selects more events on its own windows.
        guard !isKnown(window) else { return }
        withUnsafePointer(to: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue) { mask in
            _ = xcb_change_window_attributes(connection, window, XCB_CW_EVENT_MASK.rawValue, mask)
        }
    }
}

/// Seconds with one decimal place.
private func tenths(_ nanoseconds: Int64) -> String {
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
}
