import CWlroots
import WaylandServer

/// xdg-foreign, both versions: an app exports a window by an unguessable handle, and another client makes it the parent of a
/// window of its own. A portal's file chooser stands on the app that asked for it in this way.
///
/// A window with a foreign parent counts as modal to that parent.
final class ForeignWindows {
    fileprivate typealias Toplevel = UnsafeMutablePointer<wlr_xdg_toplevel>

    private var globals: [Global] = []
    private var owners: [AnyObject] = []
    fileprivate let dialogs: Dialogs
    fileprivate var exported: [String: Exported] = [:]
    fileprivate var imports: [ObjectIdentifier: Imported] = [:]

    init?(_ context: Protocols.Context, _ dialogs: Dialogs) {
        self.dialogs = dialogs
        let exporter = Exporter(self), importer = Importer(self)
        owners = [exporter, importer]
        let made = [
            Global(context.display, mw_interface_zxdg_exporter_v1(), version: 1, Exporter.requests1, owner: exporter),
            Global(context.display, mw_interface_zxdg_exporter_v2(), version: 1, Exporter.requests2, owner: exporter),
            Global(context.display, mw_interface_zxdg_importer_v1(), version: 1, Importer.requests1, owner: importer),
            Global(context.display, mw_interface_zxdg_importer_v2(), version: 1, Importer.requests2, owner: importer),
        ]
        globals = made.compactMap(\.self)
        guard globals.count == made.count else { return nil }
    }

    /// The window that its client exported under this handle.
    func toplevel(_ handle: String) -> UnsafeMutablePointer<wlr_xdg_toplevel>? { exported[handle]?.toplevel }

    fileprivate func newHandle() -> String {
        (0..<2).map { _ in
            let half = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }.joined()
    }

    /// The exporting object or its window is gone.
    fileprivate func end(_ handle: String) {
        guard exported.removeValue(forKey: handle) != nil else { return }
        for imported in imports.values where imported.handle == handle { imported.end() }
    }

    /// v1 has no number for this error, so both versions use that of v2.
    fileprivate static let invalidSurface = UInt32(ZXDG_EXPORTER_V2_ERROR_INVALID_SURFACE.rawValue)
}

private final class Exporter: ResourceOwner {
    private unowned let all: ForeignWindows

    init(_ all: ForeignWindows) { self.all = all }

    static let requests1 = Requests(
        zxdg_exporter_v1_requests(
            destroy: destroyResource,
            export: { client, exporter, id, surface in
                owner(of: exporter, as: Exporter.self).make(
                    client, exporter, id, surface, mw_interface_zxdg_exported_v1(), Exported.requests1
                ) {
                    zxdg_exported_v1_send_handle($0, $1)
                }
            }))
    static let requests2 = Requests(
        zxdg_exporter_v2_requests(
            destroy: destroyResource,
            export_toplevel: { client, exporter, id, surface in
                owner(of: exporter, as: Exporter.self).make(
                    client, exporter, id, surface, mw_interface_zxdg_exported_v2(), Exported.requests2
                ) {
                    zxdg_exported_v2_send_handle($0, $1)
                }
            }))

    private func make<Table>(
        _ client: WaylandClient?, _ exporter: WaylandResource?, _ id: UInt32, _ surface: WaylandResource?,
        _ interface: UnsafePointer<wl_interface>?, _ requests: Requests<Table>, tell: (WaylandResource, String) -> Void
    ) {
        guard let toplevel = mw_xdg_toplevel_on(wlr_surface_from_resource(surface)) else {
            return mw_post_error(exporter, ForeignWindows.invalidSurface, "only an xdg_toplevel can be exported")
        }
        let handle = all.newHandle(), exported = Exported(all, toplevel, handle)
        guard let resource = makeResource(client, interface, version: 1, id: id, requests, owner: exported) else { return }
        all.exported[handle] = exported
        tell(resource, handle)
    }
}

/// One exported window.
fileprivate final class Exported: ResourceOwner {
    static let requests1 = Requests(zxdg_exported_v1_requests(destroy: destroyResource))
    static let requests2 = Requests(zxdg_exported_v2_requests(destroy: destroyResource))

    private unowned let all: ForeignWindows
    let toplevel: ForeignWindows.Toplevel
    private let handle: String
    private var gone: Listener?

    init(_ all: ForeignWindows, _ toplevel: ForeignWindows.Toplevel, _ handle: String) {
        self.all = all
        self.toplevel = toplevel
        self.handle = handle
        gone = Listener(mw_xdg_destroy_signal(toplevel)) { [unowned self] _ in resourceDestroyed() }
    }

    func resourceDestroyed() {
        gone = nil
        all.end(handle)
    }
}

private final class Importer: ResourceOwner {
    private unowned let all: ForeignWindows

    init(_ all: ForeignWindows) { self.all = all }

    static let requests1 = Requests(
        zxdg_importer_v1_requests(
            destroy: destroyResource,
            import: { client, importer, id, handle in
                owner(of: importer, as: Importer.self).make(client, id, handle, mw_interface_zxdg_imported_v1(), Imported.requests1) {
                    zxdg_imported_v1_send_destroyed($0)
                }
            }))
    static let requests2 = Requests(
        zxdg_importer_v2_requests(
            destroy: destroyResource,
            import_toplevel: { client, importer, id, handle in
                owner(of: importer, as: Importer.self).make(client, id, handle, mw_interface_zxdg_imported_v2(), Imported.requests2) {
                    zxdg_imported_v2_send_destroyed($0)
                }
            }))

    private func make<Table>(
        _ client: WaylandClient?, _ id: UInt32, _ handle: UnsafePointer<CChar>?, _ interface: UnsafePointer<wl_interface>?,
        _ requests: Requests<Table>, tellEnd: @escaping (WaylandResource) -> Void
    ) {
        let handle = handle.map { String(cString: $0) } ?? ""
        let imported = Imported(all, handle)
        guard let resource = makeResource(client, interface, version: 1, id: id, requests, owner: imported) else { return }
        imported.tellEnd = { tellEnd(resource) }
        all.imports[ObjectIdentifier(imported)] = imported
        // No client exported it, or the export has ended.
        if all.exported[handle] == nil { imported.end() }
    }
}

/// One use of a handle.
fileprivate final class Imported: ResourceOwner {
    static let requests1 = Requests(
        zxdg_imported_v1_requests(
            destroy: destroyResource,
            set_parent_of: { _, resource, surface in owner(of: resource, as: Imported.self).setParent(of: surface, resource) }))
    static let requests2 = Requests(
        zxdg_imported_v2_requests(
            destroy: destroyResource,
            set_parent_of: { _, resource, surface in owner(of: resource, as: Imported.self).setParent(of: surface, resource) }))

    private unowned let all: ForeignWindows
    let handle: String
    var tellEnd: (() -> Void)?
    /// The windows that have it as their parent.
    private var children: [ForeignWindows.Toplevel: Listener] = [:]

    init(_ all: ForeignWindows, _ handle: String) {
        self.all = all
        self.handle = handle
    }

    private func setParent(of surface: WaylandResource?, _ resource: WaylandResource?) {
        guard let child = mw_xdg_toplevel_on(wlr_surface_from_resource(surface)) else {
            return mw_post_error(resource, ForeignWindows.invalidSurface, "only an xdg_toplevel has a parent")
        }
        guard let exported = all.exported[handle], exported.toplevel != child else { return }
        children[child] = Listener(mw_xdg_destroy_signal(child)) { [unowned self] _ in
            all.dialogs.setForeign(child, false)
            children[child] = nil
        }
        all.dialogs.setForeign(child, true)
        mw_xdg_set_parent(child, exported.toplevel)
    }

    /// The handle is not valid any more.
    func end() {
        release()
        tellEnd?()
        tellEnd = nil
    }

    private func release() {
        let all = self.all, children = children.keys
        self.children = [:]
        for child in children {
            all.dialogs.setForeign(child, false)
            mw_xdg_set_parent(child, nil)
        }
    }

    func resourceDestroyed() {
        tellEnd = nil
        release()
        all.imports[ObjectIdentifier(self)] = nil
    }
}
