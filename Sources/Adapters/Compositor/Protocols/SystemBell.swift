import CWlroots
import Multitasking
import WaylandServer

/// The bell of apps: `xdg_system_bell_v1`, and bells through `gtk_shell1`. The core decides whether it sounds.
final class SystemBell: ResourceOwner {
    private let context: Protocols.Context
    private unowned let compositor: Compositor
    private var global: Global?

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        global = Global(context.display, mw_interface_xdg_system_bell_v1(), version: 1, SystemBell.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        xdg_system_bell_v1_requests(
            destroy: destroyResource,
            ring: { client, bell, surface in
                owner(of: bell, as: SystemBell.self).ring(client, surface.flatMap { wlr_surface_from_resource($0) })
            }))

    /// `surface`: the one that the bell is for, or a part of it; nil: the client names none.
    func ring(_ client: WaylandClient?, _ surface: UnsafeMutablePointer<wlr_surface>?) {
        guard let client, !context.isEnding else { return }
        let window = surface.flatMap { mw_window_of_surface(context.server, $0) }.flatMap { compositor.ids[$0] }
        compositor.emit(.bellRung(window, client: mw_client_identity(client)))
    }
}
