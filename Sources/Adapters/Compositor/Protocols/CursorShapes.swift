import CWlroots
import Seat
import WaylandServer

/// cursor-shape-v1: cursors by name. One implementation for both versions of wlroots, because neither supports
/// version 2.
final class CursorShapes: ResourceOwner {
    fileprivate let context: Protocols.Context
    private var global: Global?

    init?(_ context: Protocols.Context) {
        self.context = context
        global = Global(
            context.display, mw_interface_wp_cursor_shape_manager_v1(), version: 2, CursorShapes.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        wp_cursor_shape_manager_v1_requests(
            destroy: destroyResource,
            get_pointer: { client, manager, id, pointer in
                owner(of: manager, as: CursorShapes.self).add(client, manager, id, .pointer, pointer)
            },
            get_tablet_tool_v2: { client, manager, id, tool in
                owner(of: manager, as: CursorShapes.self).add(client, manager, id, .tool, tool)
            }))

    private func add(
        _ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ kind: ShapeDevice.Kind, _ device: WaylandResource?
    ) {
        guard let device else { return }
        makeResource(
            client, mw_interface_wp_cursor_shape_device_v1(), version: wl_resource_get_version(manager), id: id,
            ShapeDevice.requests, owner: ShapeDevice(context, kind, device))
    }
}

/// The object through which a client names the cursor of one of its pointers or pens.
private final class ShapeDevice: ResourceOwner {
    enum Kind { case pointer, tool }

    static let requests = Requests(
        wp_cursor_shape_device_v1_requests(
            destroy: destroyResource,
            set_shape: { _, resource, serial, shape in owner(of: resource, as: ShapeDevice.self).set(resource, serial, shape) }))

    private let context: Protocols.Context
    private let kind: Kind
    /// nil once the pointer or pen is gone.
    private var device: WaylandResource?
    private var gone: Listener?

    init(_ context: Protocols.Context, _ kind: Kind, _ device: WaylandResource) {
        self.context = context
        self.kind = kind
        self.device = device
        gone = Listener(destroying: device) { [unowned self] in forget() }
    }

    func resourceDestroyed() { forget() }

    private func forget() {
        gone = nil
        device = nil
    }

    private func set(_ resource: WaylandResource?, _ serial: UInt32, _ number: UInt32) {
        guard let shape = CursorShape.of(number: number, version: Int(wl_resource_get_version(resource))) else {
            return mw_post_error(resource, WP_CURSOR_SHAPE_DEVICE_V1_ERROR_INVALID_SHAPE.rawValue, "\(number) is no shape")
        }
        if isHere(serial) { InputRouting.of(server: context.server)?.cursor.setClient(shape) }
    }

    /// Whether the client has the pointer or pen and got this serial. wlroots checks `set_cursor` less strictly, and
    /// old programs rely on that.
    private func isHere(_ serial: UInt32) -> Bool {
        guard let device, let seat = InputRouting.of(server: context.server)?.wlr else { return false }
        switch kind {
        case .pointer:
            guard let client = wlr_seat_client_from_pointer_resource(device) else { return false }
            return client == seat.pointee.pointer_state.focused_client && wlr_seat_client_validate_event_serial(client, serial)
        case .tool: return InputRouting.of(server: context.server)?.pens?.isHere(device, serial: serial) ?? false
        }
    }
}
