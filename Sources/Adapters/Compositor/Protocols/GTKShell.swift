import CWlroots
import WaylandServer

/// gtk_shell1: whether a window of GTK is modal, where its menus are, and GTK's bell. GTK 3 has no other way to say any of these.
final class GTKShell: ResourceOwner {
    private var global: Global?
    private unowned let dialogs: Dialogs
    private unowned let bell: SystemBell
    private let menus: ExportedMenus

    init?(_ context: Protocols.Context, _ dialogs: Dialogs, _ bell: SystemBell, _ menus: ExportedMenus) {
        self.dialogs = dialogs
        self.menus = menus
        self.bell = bell
        global = Global(context.display, mw_interface_gtk_shell1(), version: 1, GTKShell.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        gtk_shell1_requests(
            get_gtk_surface: { client, shell, id, surface in
                let all = owner(of: shell, as: GTKShell.self)
                _ = makeResource(
                    client, mw_interface_gtk_surface1(), version: wl_resource_get_version(shell), id: id, GTKSurface.requests,
                    owner: GTKSurface(all.dialogs, all.menus, wlr_surface_from_resource(surface)))
            },
            set_startup_id: { _, _, _ in },
            system_bell: { client, shell, window in
                let surface = window.flatMap { owner(of: $0, as: GTKSurface.self).surface }
                owner(of: shell, as: GTKShell.self).bell.ring(client, surface)
            }))
}

/// GTK makes one of these for each toplevel, before the surface has its role. Inert once the surface is gone.
private final class GTKSurface: ResourceOwner {
    static let requests = Requests(
        gtk_surface1_requests(
            set_dbus_properties: { _, resource, _, _, menuBar, window, app, bus in
                func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
                owner(of: resource, as: GTKSurface.self).set(
                    menus: MenuSource(bus: text(bus), form: .gtk(menuBar: text(menuBar), app: text(app), window: text(window))))
            },
            set_modal: { _, resource in owner(of: resource, as: GTKSurface.self).set(modal: true) },
            unset_modal: { _, resource in owner(of: resource, as: GTKSurface.self).set(modal: false) },
            present: { _, _, _ in }))

    private unowned let dialogs: Dialogs
    private let menus: ExportedMenus
    private(set) var surface: UnsafeMutablePointer<wlr_surface>?
    private var surfaceGone: Listener?

    init(_ dialogs: Dialogs, _ menus: ExportedMenus, _ surface: UnsafeMutablePointer<wlr_surface>?) {
        self.dialogs = dialogs
        self.menus = menus
        self.surface = surface
        guard let surface else { return }
        surfaceGone = Listener(&surface.pointee.events.destroy) { [unowned self] _ in forget() }
        dialogs.gtkSays(surface, isModal: false)
    }

    func resourceDestroyed() { forget() }

    private func forget() {
        surfaceGone = nil
        guard let was = surface else { return }
        surface = nil
        dialogs.gtkSays(was, isModal: nil)
        menus.set(was, nil)
    }

    private func set(menus source: MenuSource?) {
        if let surface { menus.set(surface, source) }
    }

    private func set(modal: Bool) {
        if let surface { dialogs.gtkSays(surface, isModal: modal) }
    }
}
