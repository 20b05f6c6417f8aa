import CWlroots
import Geometry
import Seat
import WaylandServer
import Windows

/// Popups of the input method, such as candidate lists, shown beside the caret of the active text field.
final class InputPopups {
    private final class Popup {
        let raw: UnsafeMutablePointer<wlr_input_popup_surface_v2>
        var isMapped = false
        /// The caret that was sent last.
        var lastCaret: wlr_box?
        var listeners: [Listener] = []

        init(_ raw: UnsafeMutablePointer<wlr_input_popup_surface_v2>) { self.raw = raw }

        var surface: Surface { raw.pointee.surface }
    }

    private unowned let text: TextInput
    private let server: OpaquePointer
    private var popups: [Popup] = []
    /// The window whose popups were last reported to include these.
    private var toldWindow: OpaquePointer?
    private lazy var afterTurn = AfterTurn(mw_server_loop(server)) { [unowned self] in tell() }

    init(_ text: TextInput, _ server: OpaquePointer) {
        self.text = text
        self.server = server
    }

    // MARK: Position

    /// The window of the active field, and its caret in the window's coordinates. nil if no popup can be shown.
    private var caret: (window: OpaquePointer, box: wlr_box)? {
        guard let field = text.active?.raw, let surface = field.pointee.focused_surface,
            field.pointee.active_features & WLR_TEXT_INPUT_V3_FEATURE_CURSOR_RECTANGLE.rawValue != 0,
            let window = mw_window_of_surface(server, surface), mw_window_fields(window).pointee.mapped
        else { return nil }
        var find = Find(surface: surface)
        withUnsafeMutablePointer(to: &find) { find in
            mw_window_each_surface(window, Find.visit, find)
            if find.pointee.place == nil { mw_window_each_own_popup_surface(window, Find.visit, find) }
        }
        let r = field.pointee.current.cursor_rectangle
        guard let place = find.place, InputPopup.isPlausible(place),
            InputPopup.isPlausible(x: r.x, y: r.y, width: r.width, height: r.height)
        else { return nil }
        return (window, wlr_box(x: Int32(clamping: place.x) + r.x, y: Int32(clamping: place.y) + r.y, width: r.width, height: r.height))
    }

    private struct Find {
        var surface: Surface
        var place: Point?

        static let visit: mw_surface_iterator = { surface, x, y, data in
            let find = data!.assumingMemoryBound(to: Find.self)
            if surface == find.pointee.surface { find.pointee.place = Point(x, y) }
        }
    }

    private func place(_ popup: Popup, in window: OpaquePointer, _ caret: wlr_box) -> (x: Int32, y: Int32) {
        let fields = mw_window_fields(window).pointee, bounds = fields.popup_bounds
        let size = popup.surface.pointee.current
        let room =
            bounds.width > 0 && bounds.height > 0
            ? Rect(bounds.x, bounds.y, bounds.width, bounds.height) : Rect(0, 0, fields.state.width, fields.state.height)
        let origin = InputPopup.origin(
            of: Size(Double(size.width), Double(size.height)), in: room,
            caret: Rect(Double(caret.x), Double(caret.y), Double(caret.width), Double(caret.height)))
        return (Int32(clamping: origin.x), Int32(clamping: origin.y))
    }

    /// Visits every surface of the popups of a window, in the window's coordinates.
    fileprivate func each(_ window: OpaquePointer, _ iterator: mw_surface_iterator, _ data: UnsafeMutableRawPointer?) {
        guard !popups.isEmpty, let caret, caret.window == window else { return }
        for popup in popups where popup.isMapped {
            let origin = place(popup, in: window, caret.box)
            var walk = Walk(iterator: iterator, data: data, x: origin.x, y: origin.y)
            wlr_surface_for_each_surface(
                popup.surface,
                { surface, x, y, data in
                    let walk = data!.assumingMemoryBound(to: Walk.self).pointee
                    walk.iterator(surface, Double(walk.x + x), Double(walk.y + y), walk.data)
                }, &walk)
        }
    }

    private struct Walk {
        var iterator: mw_surface_iterator
        var data: UnsafeMutableRawPointer?
        var x: Int32, y: Int32
    }

    /// The window that shows this popup.
    fileprivate func window(of root: Surface?) -> OpaquePointer? {
        guard let popup = popups.first(where: { $0.surface == root }) else { return nil }
        return popup.isMapped ? caret?.window : nil
    }

    fileprivate func knows(_ resource: WaylandResource?) -> Bool { popups.contains { $0.raw.pointee.resource == resource } }

    // MARK: Reporting

    /// The active field or its caret changed.
    func changed() {
        // Wait for the end of the turn: this is called while wlroots iterates over its own lists.
        if !popups.isEmpty || toldWindow != nil { afterTurn.ask() }
    }

    private func sendCaret(_ popup: Popup, _ window: OpaquePointer, _ caret: wlr_box) {
        let origin = place(popup, in: window, caret)
        var area = wlr_box(x: caret.x - origin.x, y: caret.y - origin.y, width: caret.width, height: caret.height)
        if let last = popup.lastCaret, last.x == area.x, last.y == area.y, last.width == area.width, last.height == area.height { return }
        popup.lastCaret = area
        wlr_input_popup_surface_v2_send_text_input_rectangle(popup.raw, &area)
    }

    private func tell() {
        let compositor = Compositor.of(server)
        // The window may be gone.
        let before = toldWindow.flatMap { compositor.ids[$0] == nil ? nil : $0 }
        let caret = caret
        let isAny = popups.contains { $0.isMapped }
        if let caret { for popup in popups where popup.isMapped { sendCaret(popup, caret.window, caret.box) } }
        toldWindow = isAny ? caret?.window : nil
        if isAny || before != nil {
            var output = mw_next_output(server, nil)
            while let each = output {
                mw_output_schedule(each)
                output = mw_next_output(server, each)
            }
        }
        // Report last, and only one window at a time, because the receiver may change anything.
        if let before, before != caret?.window { report(before) }
        if let now = toldWindow, compositor.ids[now] != nil { report(now) }
    }

    private func report(_ window: OpaquePointer) {
        mw_window_report_popups(window, mw_popups_grabbing(server, mw_window_fields(window).pointee.surface) != nil)
        InputRouting.of(server: server)?.pointer.windowChanged(window)
    }

    // MARK: Adding and removing

    func add(_ raw: UnsafeMutablePointer<wlr_input_popup_surface_v2>) {
        let popup = Popup(raw)
        #if WLR18
            let surface = raw.pointee.surface!
            let (map, unmap) = (surface.pointer(to: \.events.map)!, surface.pointer(to: \.events.unmap)!)
            let isMapped = surface.pointee.mapped
        #else
            let (map, unmap) = (raw.pointer(to: \.events.map)!, raw.pointer(to: \.events.unmap)!)
            let isMapped = raw.pointee.mapped
        #endif
        popup.listeners = [
            Listener(map) { [unowned self, unowned popup] _ in set(popup, isMapped: true) },
            Listener(unmap) { [unowned self, unowned popup] _ in set(popup, isMapped: false) },
            Listener(raw.pointer(to: \.events.destroy)!) { [unowned self, unowned popup] _ in
                set(popup, isMapped: false)
                #if !WLR18
                    // wlroots 0.15 leaves it in the surface and reads it at the surface's next commit.
                    raw.pointee.surface.pointee.role_data = nil
                #endif
                popup.listeners = []
                popups.removeAll { $0 === popup }
            },
        ]
        popups.append(popup)
        set(popup, isMapped: isMapped)
    }

    private func set(_ popup: Popup, isMapped: Bool) {
        guard popup.isMapped != isMapped else { return }
        popup.isMapped = isMapped
        popup.lastCaret = nil
        changed()
    }
}

// MARK: Functions for C

private func popups(_ server: OpaquePointer?) -> InputPopups? { InputRouting.of(server: server)?.text?.popups }

@_cdecl("mw_text_each_popup_surface") func textEachPopupSurface(
    _ window: OpaquePointer, _ iterator: @escaping mw_surface_iterator, _ data: UnsafeMutableRawPointer?
) {
    popups(mw_window_fields(window).pointee.server)?.each(window, iterator, data)
}

@_cdecl("mw_text_popup_window") func textPopupWindow(_ server: OpaquePointer, _ root: UnsafeMutableRawPointer?) -> OpaquePointer? {
    popups(server)?.window(of: root?.assumingMemoryBound(to: wlr_surface.self))
}

@_cdecl("mw_text_knows_popup") func textKnowsPopup(_ server: OpaquePointer, _ resource: UnsafeMutableRawPointer?) -> Bool {
    popups(server)?.knows(resource?.assumingMemoryBound(to: wl_resource.self)) ?? false
}
