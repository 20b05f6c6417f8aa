import CWlroots
import Geometry
import Seat
import WaylandServer

/// layer-shell: panels, backgrounds and overlays of other programs. Reports their requests, and places them as the shell decides.
final class Panels {
    unowned let compositor: Compositor
    let server: OpaquePointer
    /// Oldest first. Later ones lie above.
    fileprivate var panels: [Panel] = []
    private var lastNumber: UInt32 = 0
    private var arrivals: Listener?

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer, _ compositor: Compositor) {
        self.server = server
        self.compositor = compositor
        #if WLR18
            let shell = wlr_layer_shell_v1_create(mw_server_display(server), 4)
        #else
            let shell = wlr_layer_shell_v1_create(mw_server_display(server))
        #endif
        guard let shell else { return nil }
        arrivals = Listener(shell.pointer(to: \.events.new_surface)!) { [unowned self] data in
            add(data!.assumingMemoryBound(to: wlr_layer_surface_v1.self))
        }
    }

    /// The panels of a server. Also works while its compositor is being made or freed. nil if there are none.
    static func of(_ server: OpaquePointer?) -> Panels? {
        // The pointer was made from the compositor that owns the server, which it outlives.
        Compositor.of(server).panels
    }

    fileprivate static func of(output: OpaquePointer) -> Panels? { of(mw_output_server(output)) }

    var isEnding: Bool { mw_server_is_ending(server) }

    // MARK: Adding and removing

    private func add(_ raw: UnsafeMutablePointer<wlr_layer_surface_v1>) {
        let output = raw.pointee.output.map { mw_output_of(server, $0) } ?? mw_next_output(server, nil)
        // Without a screen, the protocol asks to close the surface.
        guard let output else { return wlr_layer_surface_v1_destroy(raw) }
        raw.pointee.output = mw_output_wlr(output)
        lastNumber += 1
        panels.append(Panel(self, raw, output, PanelID(lastNumber)))
    }

    /// Moves an unmapped panel to the end, so that it is the newest when it maps again.
    func putLast(_ panel: Panel) {
        panels.removeAll { $0 === panel }
        panels.append(panel)
    }

    func remove(_ panel: Panel) {
        panels.removeAll { $0 === panel }
        guard !isEnding else { return }
        compositor.emit(.panelGone(panel.id))
        mw_output_schedule(panel.output)
    }

    /// Closes the panels of a screen that is about to be freed.
    fileprivate func outputGone(_ output: OpaquePointer) {
        let closed = panels.filter { $0.output == output }
        panels.removeAll { $0.output == output }
        for panel in closed {
            panel.end()
            wlr_layer_surface_v1_destroy(panel.raw)
        }
    }

    // MARK: Decisions of the shell

    func place(_ id: PanelID, _ frame: Rect) {
        guard let panel = panels.first(where: { $0.id == id }) else { return }
        panel.place(
            wlr_box(
                x: Int32(clamping: frame.x), y: Int32(clamping: frame.y), width: Int32(clamping: frame.width),
                height: Int32(clamping: frame.height)))
    }

    /// A client that did not read its socket has caught up. Sends the configures that were held back.
    fileprivate func caughtUp(_ client: WaylandClient) {
        for panel in panels where panel.isHeld && wl_resource_get_client(panel.raw.pointee.resource) == client { panel.tell() }
    }

    // MARK: Position

    /// The position of a mapped panel's surface, in points of its screen.
    func place(of root: Surface) -> (output: OpaquePointer, x: Int32, y: Int32)? {
        panels.first { $0.surface == root && $0.isMapped }.map { ($0.output, $0.box.x, $0.box.y) }
    }

    private func isFirst(_ output: OpaquePointer) -> Bool { output == mw_next_output(server, nil) }

    /// Visits the surfaces of a layer, popups included, from back to front, in points of the screen.
    fileprivate func eachSurface(
        of output: OpaquePointer, layer: Int32, _ iterator: Xwayland.SurfaceIterator, _ data: UnsafeMutableRawPointer?
    ) {
        for panel in panels where panel.isSeen(on: output, layer) {
            var walk = Walk(iterator: iterator, data: data, x: Double(panel.box.x), y: Double(panel.box.y))
            wlr_layer_surface_v1_for_each_surface(
                panel.raw,
                { surface, x, y, data in
                    let walk = data!.assumingMemoryBound(to: Walk.self).pointee
                    walk.iterator(surface, walk.x + Double(x), walk.y + Double(y), walk.data)
                }, &walk)
        }
        if layer == Panels.topmost, isFirst(output) { Xwayland.of(server)?.eachOrphan(iterator, data) }
    }

    /// The surface that takes input at a point of the screen, searching these layers from the top.
    fileprivate func surface(
        of output: OpaquePointer, layers: ClosedRange<Int32>, at x: Double, _ y: Double
    ) -> (surface: Surface, x: Double, y: Double)? {
        if layers.upperBound == Panels.topmost, isFirst(output), let orphan = Xwayland.of(server)?.orphan(at: x, y) { return orphan }
        for layer in layers.reversed() {
            for panel in panels.reversed() where panel.isSeen(on: output, layer) {
                if let found = panel.surface(at: Point(x, y)) { return found }
            }
        }
        return nil
    }

    /// Returns the overlay that takes input at a point of the first screen, above everything that the shell arranges.
    func overlay(at point: Point) -> Overlay? {
        guard let output = mw_next_output(server, nil) else { return nil }
        if Xwayland.of(server)?.orphan(at: point.x, point.y) != nil { return .x11Menu }
        for layer in [Panels.topmost, Panels.top] {
            for panel in panels.reversed() where panel.isSeen(on: output, layer) && panel.surface(at: point) != nil {
                return .panel(panel.id)
            }
        }
        return nil
    }

    /// The surface of an overlay that takes input at a point; nil if it is gone.
    func surface(of overlay: Overlay, at point: Point) -> (surface: Surface, x: Double, y: Double)? {
        switch overlay {
        case .panel(let id): panels.first { $0.id == id && $0.isMapped }?.surface(at: point)
        case .x11Menu: Xwayland.of(server)?.orphan(at: point.x, point.y)
        }
    }

    /// Whether the surface belongs to a panel of that screen, mapped or not.
    fileprivate func isOn(_ output: OpaquePointer, _ surface: Surface) -> Bool {
        panels.contains { $0.output == output && $0.surface == surface }
            || isFirst(output) && Xwayland.of(server)?.isOrphan(surface) ?? false
    }

    /// nil unless the panel is mapped.
    func surface(of id: PanelID) -> Surface? {
        panels.first { $0.id == id }.flatMap { $0.isMapped ? $0.surface : nil }
    }

    /// The panel that a surface belongs to, directly or through its parents.
    fileprivate func panel(of surface: Surface) -> PanelID? {
        guard !panels.isEmpty, let root = mw_surface_root(surface) else { return nil }
        return panels.first { $0.surface == root }?.id
    }

    private static let top = Int32(ZWLR_LAYER_SHELL_V1_LAYER_TOP.rawValue)
    private static let topmost = Int32(ZWLR_LAYER_SHELL_V1_LAYER_OVERLAY.rawValue)

    private struct Walk {
        let iterator: Xwayland.SurfaceIterator
        let data: UnsafeMutableRawPointer?
        let x, y: Double
    }
}

// MARK: Functions for C

@_cdecl("mw_layers_init") func layersBegin(_ server: OpaquePointer) -> Bool {
    let compositor = Compositor.of(server)
    compositor.panels = Panels(server, compositor)
    return compositor.panels != nil
}

@_cdecl("mw_layers_finish") func layersEnd(_ server: OpaquePointer) {
    Compositor.of(server).panels = nil
}

@_cdecl("mw_layers_output_gone") func layersOutputGone(_ output: OpaquePointer) {
    Panels.of(output: output)?.outputGone(output)
}

@_cdecl("mw_layers_caught_up") func layersCaughtUp(_ server: OpaquePointer, _ client: OpaquePointer) {
    Panels.of(server)?.caughtUp(client)
}

@_cdecl("mw_layers_each_surface")
func layersEachSurface(
    _ output: OpaquePointer, _ layer: Int32, _ iterator: Xwayland.SurfaceIterator, _ data: UnsafeMutableRawPointer?
) {
    Panels.of(output: output)?.eachSurface(of: output, layer: layer, iterator, data)
}

@_cdecl("mw_layers_is_on") func layersIsOn(_ output: OpaquePointer, _ surface: UnsafeMutableRawPointer) -> Bool {
    Panels.of(output: output)?.isOn(output, surface.assumingMemoryBound(to: wlr_surface.self)) ?? false
}

@_cdecl("mw_layers_surface_at")
func layersSurfaceAt(
    _ output: OpaquePointer, _ first: Int32, _ last: Int32, _ x: Double, _ y: Double, _ sx: UnsafeMutablePointer<Double>,
    _ sy: UnsafeMutablePointer<Double>
) -> UnsafeMutableRawPointer? {
    guard let found = Panels.of(output: output)?.surface(of: output, layers: first...last, at: x, y) else { return nil }
    (sx.pointee, sy.pointee) = (found.x, found.y)
    return UnsafeMutableRawPointer(found.surface)
}

@_cdecl("mw_layers_panel_of") func layersPanelOf(_ server: OpaquePointer, _ surface: UnsafeMutableRawPointer?) -> UInt32 {
    guard let surface = surface?.assumingMemoryBound(to: wlr_surface.self) else { return 0 }
    return Panels.of(server)?.panel(of: surface)?.raw ?? 0
}
