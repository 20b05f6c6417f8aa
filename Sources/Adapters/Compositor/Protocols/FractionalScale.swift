import CWlroots
import WaylandServer

typealias Surface = UnsafeMutablePointer<wlr_surface>

/// fractional-scale-v1: tells apps which scale to draw at, in 1/120. One implementation for both versions of wlroots.
final class FractionalScale: ResourceOwner {
    private let context: Protocols.Context
    private var global: Global?
    fileprivate var objects: [Surface: Object] = [:]

    init?(_ context: Protocols.Context) {
        self.context = context
        global = Global(
            context.display, mw_interface_wp_fractional_scale_manager_v1(), version: 1, FractionalScale.requests, owner: self)
        guard global != nil else { return nil }
    }

    /// Tells a surface that it is shown at `scale` pixels per point.
    func tell(_ surface: Surface, _ scale: Double) { objects[surface]?.tell(scale) }

    private static let requests = Requests(
        wp_fractional_scale_manager_v1_requests(
            destroy: destroyResource,
            get_fractional_scale: { client, manager, id, surface in
                owner(of: manager, as: FractionalScale.self).make(client, manager, id, surface)
            }))

    private func make(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ resource: WaylandResource?) {
        guard let surface = wlr_surface_from_resource(resource) else { return }
        guard objects[surface] == nil else {
            return mw_post_error(
                manager, WP_FRACTIONAL_SCALE_MANAGER_V1_ERROR_FRACTIONAL_SCALE_EXISTS.rawValue,
                "wl_surface@\(wl_resource_get_id(resource)) has a wp_fractional_scale_v1 already")
        }
        let object = Object(self, surface)
        object.resource = makeResource(
            client, mw_interface_wp_fractional_scale_v1(), version: wl_resource_get_version(manager), id: id, Object.requests,
            owner: object)
        guard object.resource != nil else { return }
        objects[surface] = object
        let scale = mw_server_scale(context.server)
        if scale > 0 { object.tell(scale) }
    }

    /// A surface's wp_fractional_scale_v1. Inert once its surface is gone.
    fileprivate final class Object: ResourceOwner {
        static let requests = Requests(wp_fractional_scale_v1_requests(destroy: destroyResource))

        var resource: WaylandResource?
        private unowned let manager: FractionalScale
        private let surface: Surface
        private var surfaceGone: Listener?
        private var lastSent: UInt32 = 0

        init(_ manager: FractionalScale, _ surface: Surface) {
            self.manager = manager
            self.surface = surface
            surfaceGone = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in forget() }
        }

        func tell(_ scale: Double) {
            let parts = UInt32(clamping: (scale * 120).rounded())
            guard parts != lastSent else { return }
            lastSent = parts
            wp_fractional_scale_v1_send_preferred_scale(resource, parts)
        }

        func resourceDestroyed() { forget() }

        private func forget() {
            surfaceGone = nil
            if manager.objects[surface] === self { manager.objects[surface] = nil }
        }
    }
}
