import CWlroots
import Geometry
import Seat
import WaylandServer

/// The cursor: its position, its picture, and when it hides.
final class CursorPicture {
    private unowned let routing: InputRouting
    let raw: UnsafeMutablePointer<wlr_cursor>
    private let themes: UnsafeMutablePointer<wlr_xcursor_manager>
    /// The shape over the shell's own views.
    private var shellShape = CursorShape(name: "default", x11: "left_ptr")
    /// The cursor that the client under the pointer or pen set. nil: it has set none.
    private var client: Wish?
    private var clientGone: Listener?
    /// Delays the first picture until after the first frame.
    private var timer: Timer?
    private var listeners: [Listener] = []

    private enum Wish {
        case shape(CursorShape)
        /// nil: hidden.
        case surface(Surface?, x: Int32, y: Int32)
    }

    /// Hides the cursor, for example after a touch. It is hidden until a pointer first moves.
    var isHidden = true {
        didSet { if isHidden != oldValue { update() } }
    }

    /// Nanoseconds from the first frame until the theme is loaded.
    private static let afterStart: Int64 = 30_000_000

    /// Returns nil if out of memory.
    init?(_ routing: InputRouting) {
        guard let raw = wlr_cursor_create(), let themes = wlr_xcursor_manager_create(nil, 24) else { return nil }
        self.routing = routing
        self.raw = raw
        self.themes = themes
        wlr_cursor_attach_output_layout(raw, mw_server_layout(routing.server))
    }

    /// Starts listening to the seat.
    func begin() {
        listeners = [
            Listener(routing.wlr.pointer(to: \.events.request_set_cursor)!) { [unowned self] in
                let event = event($0, wlr_seat_pointer_request_set_cursor_event.self)
                guard event.seat_client == routing.wlr.pointee.pointer_state.focused_client else { return }
                setClient(event.surface, hotspot: (event.hotspot_x, event.hotspot_y))
            },
            Listener(routing.wlr.pointer(to: \.pointer_state.events.focus_change)!) { [unowned self] in
                let event = event($0, wlr_seat_pointer_focus_change_event.self)
                Compositor.of(routing.server).protocols?.pointerFocusChanged()
                // The focus stays with the same client, so its cursor stays until it sets another.
                if let old = event.old_surface?.pointee.resource, let new = event.new_surface,
                    wl_resource_get_client(old) == wl_resource_get_client(new.pointee.resource)
                {
                    return
                }
                forgetClient()
            },
        ]
    }

    /// Stops listening to the seat.
    func end() { listeners = [] }

    /// Called after the seat is destroyed.
    func finish() {
        clientGone = nil
        timer = nil
        wlr_cursor_destroy(raw)
        wlr_xcursor_manager_destroy(themes)
    }

    /// The position of the cursor, in points of the screen.
    var place: Point { Point(raw.pointee.x, raw.pointee.y) }

    // MARK: Picture

    func firstFrame() {
        guard timer == nil else { return }
        timer = Timer(mw_server_loop(routing.server)) { [unowned self] in update() }
        timer?.arm(in: Self.afterStart)
    }

    func update() {
        if isHidden { return show(nil) }
        let isOnClient = routing.wlr.pointee.pointer_state.focused_client != nil || routing.pens?.isOnSurface ?? false
        guard isOnClient else { return show(shellShape) }
        switch client {
        case .shape(let shape): show(shape)
        case .surface(let surface, let x, let y): wlr_cursor_set_surface(raw, surface, x, y)
        case nil: show(CursorShape(name: "default", x11: "left_ptr"))
        }
    }

    private func show(_ shape: CursorShape?) {
        // The pointer moved while the shell starts. Show a cursor once something can be seen under it.
        var statistics = mw_statistics()
        mw_server_statistics(routing.server, &statistics)
        guard let shape, statistics.frames_drawn > 0 else {
            #if WLR18
                wlr_cursor_unset_image(raw)
            #else
                wlr_cursor_set_image(raw, nil, 0, 0, 0, 0, 0, 0)
            #endif
            return
        }
        loadTheme()
        // Themes have CSS names or X11 names, and at least the arrow.
        let names: [String] = [shape.name, shape.x11]
        let name: String = names.first { wlr_xcursor_manager_get_xcursor(themes, $0, 1) != nil } ?? "left_ptr"
        #if WLR18
            wlr_cursor_set_xcursor(raw, themes, name)
        #else
            wlr_xcursor_manager_set_cursor_image(themes, name, raw)
        #endif
    }

    /// Loads the theme, which has a hundred files or more. A touch-only screen never needs it.
    private func loadTheme() {
        wlr_xcursor_manager_load(themes, 1)
        var output = mw_next_output(routing.server, nil)
        while let each = output {
            wlr_xcursor_manager_load(themes, mw_output_wlr(each).pointee.scale)
            output = mw_next_output(routing.server, each)
        }
    }

    // MARK: Ownership

    func forgetClient() {
        clientGone = nil
        client = nil
        update()
    }

    /// Sets the cursor of the client under the pointer or pen. The caller has checked that the client may set it. nil
    /// hides it.
    func setClient(_ surface: Surface?, hotspot: (x: Int32, y: Int32)) {
        client = .surface(surface, x: hotspot.x, y: hotspot.y)
        clientGone = surface.map { surface in
            Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in
                clientGone = nil
                // The protocol asks for a hidden cursor.
                client = .surface(nil, x: 0, y: 0)
            }
        }
        update()
    }

    func setClient(_ shape: CursorShape) {
        clientGone = nil
        client = .shape(shape)
        update()
    }

    /// Sets the shape for the shell's own views.
    func setShell(_ shape: CursorShape) {
        guard shape.name != shellShape.name else { return }
        shellShape = shape
        if routing.wlr.pointee.pointer_state.focused_client == nil { update() }
    }

    /// Sets the arrow as the cursor over X11's root window.
    func give(to xwayland: UnsafeMutablePointer<wlr_xwayland>) {
        wlr_xcursor_manager_load(themes, 1)
        guard let arrow = wlr_xcursor_manager_get_xcursor(themes, "left_ptr", 1), arrow.pointee.image_count > 0,
            let image = arrow.pointee.images[0]?.pointee
        else { return }
        wlr_xwayland_set_cursor(
            xwayland, image.buffer, image.width * 4, image.width, image.height, Int32(image.hotspot_x), Int32(image.hotspot_y))
    }

    #if WLR18
        static let tablet = WLR_INPUT_DEVICE_TABLET
    #else
        static let tablet = WLR_INPUT_DEVICE_TABLET_TOOL
    #endif

    /// Maps a touch screen or absolute pointer to one output. Otherwise its coordinates would span all outputs.
    func map(_ device: Device, toOutputCalled name: String?) {
        var match: UnsafeMutablePointer<wlr_output>?
        var output = mw_next_output(routing.server, nil)
        while let each = output {
            let wlr = mw_output_wlr(each)!
            if mw_output_is_announced(each), let name, String(cString: wlr.pointee.name) == name { match = wlr }
            output = mw_next_output(routing.server, each)
        }
        if match == nil, device.pointee.type == WLR_INPUT_DEVICE_TOUCH || device.pointee.type == Self.tablet {
            match = mw_server_first_output(routing.server)
        }
        if let match { wlr_cursor_map_input_to_output(raw, device, match) }
    }
}
