import CWlroots
import Geometry
import Seat
import WaylandServer

/// One layer surface.
final class Panel {
    private unowned let panels: Panels
    let raw: UnsafeMutablePointer<wlr_layer_surface_v1>
    let output: OpaquePointer
    let id: PanelID
    /// The identity of its client, which one that is going away no longer has.
    private let client: UInt64
    /// In points of the screen. Its width is 0 until the shell places the panel.
    private(set) var box = wlr_box()
    private var sentSize: (width: UInt32, height: UInt32) = (0, 0)
    /// The size changed, but the client was not told, because it is stalled or does not answer configures.
    private(set) var isHeld = false
    private var listeners: [Listener] = []

    init(_ panels: Panels, _ raw: UnsafeMutablePointer<wlr_layer_surface_v1>, _ output: OpaquePointer, _ id: PanelID) {
        self.panels = panels
        self.raw = raw
        self.output = output
        self.id = id
        client = mw_client_identity(wl_resource_get_client(raw.pointee.resource))
        #if WLR18
            let map = raw.pointee.surface.pointer(to: \.events.map)!, unmap = raw.pointee.surface.pointer(to: \.events.unmap)!
        #else
            let map = raw.pointer(to: \.events.map)!, unmap = raw.pointer(to: \.events.unmap)!
        #endif
        listeners = [
            Listener(map) { [unowned self] _ in
                // Send it before the first frame: a taskbar lists the windows of the screen that it was told it is
                // on.
                wlr_surface_send_enter(surface, mw_output_wlr(self.output))
                report(isMapped: true)
                self.panels.compositor.protocols?.idle.look()
            },
            Listener(unmap) { [unowned self] _ in
                InputRouting.of(server: self.panels.server)?.surfaceGone(surface)
                self.panels.putLast(self)
                report(isMapped: false)
            },
            Listener(raw.pointer(to: \.events.destroy)!) { [unowned self] _ in
                end()
                self.panels.remove(self)
            },
            Listener(raw.pointee.surface.pointer(to: \.events.commit)!) { [unowned self] _ in committed() },
        ]
    }

    /// Stops listening. Called when the panel is gone or about to go.
    func end() { listeners = [] }

    var surface: Surface { raw.pointee.surface }

    var isMapped: Bool {
        #if WLR18
            surface.pointee.mapped
        #else
            raw.pointee.mapped
        #endif
    }

    func isSeen(on output: OpaquePointer, _ layer: Int32) -> Bool {
        self.output == output && Int32(bitPattern: raw.pointee.current.layer.rawValue) == layer && isMapped
    }

    /// The surface of its tree that takes input at a point of the screen, and the point there.
    func surface(at point: Point) -> (surface: Surface, x: Double, y: Double)? {
        var (x, y) = (0.0, 0.0)
        let found = wlr_layer_surface_v1_surface_at(raw, point.x - Double(box.x), point.y - Double(box.y), &x, &y)
        return found.map { ($0, x, y) }
    }

    /// Whether it waits for a configure: before it maps, and after an unmap even if the size did not change.
    private var waits: Bool { !raw.pointee.configured && wl_list_empty(raw.pointer(to: \.configure_list)) != 0 }

    // MARK: Size

    func place(_ box: wlr_box) {
        self.box = box
        tell()
        if isMapped { panels.compositor.popups?.panelMoved(surface) }
        mw_output_schedule(output)
    }

    /// Sends a configure if the size changed or the client waits for one.
    func tell() {
        #if WLR18
            guard raw.pointee.initialized else { return }
        #endif
        let size = (width: UInt32(bitPattern: box.width), height: UInt32(bitPattern: box.height))
        isHeld = false
        guard size.width != 0, waits || size != sentSize else { return }
        // Another panel may change its request without a pause.
        guard mw_may_tell(panels.server, surface, raw.pointer(to: \.configure_list)) else { return isHeld = true }
        sentSize = size
        wlr_layer_surface_v1_configure(raw, size.width, size.height)
    }

    // MARK: Requests

    private func committed() {
        // wlroots does not check this.
        guard saysItsSize else {
            return mw_post_error(
                raw.pointee.resource, ZWLR_LAYER_SURFACE_V1_ERROR_INVALID_SIZE.rawValue,
                "size 0 in a direction without anchors to both its edges")
        }
        var hasChanged = raw.pointee.current.committed != 0
        #if WLR18
            hasChanged = hasChanged || raw.pointee.initial_commit
        #endif
        guard hasChanged || waits || isHeld else { return }
        report(isMapped: isMapped)
        tell() // its place may be unchanged, but it waits for a configure
    }

    private var saysItsSize: Bool {
        let state = raw.pointee.current
        let across = ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT.rawValue | ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT.rawValue
        let upright = ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP.rawValue | ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM.rawValue
        return (state.desired_width != 0 || state.anchor & across == across)
            && (state.desired_height != 0 || state.anchor & upright == upright)
    }

    private func report(isMapped: Bool) {
        if !panels.isEnding { panels.compositor.emit(.panelChanged(id, facts(isMapped: isMapped))) }
        mw_output_schedule(output)
    }

    private func facts(isMapped: Bool) -> PanelFacts {
        let state = raw.pointee.current, margin = state.margin
        func length(_ value: some BinaryInteger) -> Double { Double(Int32(truncatingIfNeeded: value)) }
        return PanelFacts(
            layer: PanelFacts.Layer(rawValue: Int(state.layer.rawValue)) ?? .top,
            anchors: PanelFacts.Anchors(rawValue: state.anchor),
            size: Size(Double(state.desired_width), Double(state.desired_height)),
            margins: Insets(length(margin.top), length(margin.right), length(margin.bottom), length(margin.left)),
            zone: Double(state.exclusive_zone),
            keyboard: PanelFacts.Keyboard(rawValue: Int(state.keyboard_interactive.rawValue)) ?? .never,
            isMapped: isMapped, isOffScreen: output != mw_next_output(panels.server, nil),
            client: client)
    }
}
