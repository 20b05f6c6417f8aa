import CWlroots
import WaylandServer

/// org_kde_kwin_appmenu_manager: where the menus of a window are, as KDE's platform theme for Qt says (`com.canonical.dbusmenu`).
final class KDEMenus: ResourceOwner {
    private var global: Global?
    private let menus: ExportedMenus

    init?(_ context: Protocols.Context, _ menus: ExportedMenus) {
        self.menus = menus
        global = Global(context.display, mw_interface_org_kde_kwin_appmenu_manager(), version: 2, KDEMenus.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        org_kde_kwin_appmenu_manager_requests(
            create: { client, manager, id, surface in
                _ = makeResource(
                    client, mw_interface_org_kde_kwin_appmenu(), version: wl_resource_get_version(manager), id: id, KDEMenu.requests,
                    owner: KDEMenu(owner(of: manager, as: KDEMenus.self).menus, wlr_surface_from_resource(surface)))
            },
            release: destroyResource))
}

/// The menus of one surface, which may have no role yet. Inert once the surface is gone.
private final class KDEMenu: ResourceOwner {
    static let requests = Requests(
        org_kde_kwin_appmenu_requests(
            set_address: { _, resource, bus, path in
                func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
                owner(of: resource, as: KDEMenu.self).set(MenuSource(bus: text(bus), form: .dbusMenu(path: text(path))))
            },
            release: destroyResource))

    private let menus: ExportedMenus
    private var surface: UnsafeMutablePointer<wlr_surface>?
    private var surfaceGone: Listener?
    private var hasSource = false

    init(_ menus: ExportedMenus, _ surface: UnsafeMutablePointer<wlr_surface>?) {
        self.menus = menus
        self.surface = surface
        guard let surface else { return }
        surfaceGone = Listener(&surface.pointee.events.destroy) { [unowned self] _ in forget() }
    }

    func resourceDestroyed() { forget() }

    private func forget() {
        surfaceGone = nil
        if hasSource { set(nil) }
        surface = nil
    }

    private func set(_ source: MenuSource?) {
        hasSource = source != nil
        if let surface { menus.set(surface, source) }
    }
}
