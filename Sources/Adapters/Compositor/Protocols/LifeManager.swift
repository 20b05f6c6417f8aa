import CWlroots
import Descriptors
import LifeService
import Lifecycle
import WaylandServer

/// mullion-life: apps hand over the state of their windows, and follow their own life (S-04, S-06, S-13). `LifeHost`
/// decides; this file has the objects and the protocol's errors.
final class LifeManager: ResourceOwner {
    private let context: Protocols.Context
    private unowned let compositor: Compositor
    private var global: Global?

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        global = Global(context.display, mw_interface_mullion_life_manager_v1(), version: 1, Self.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        mullion_life_manager_v1_requests(
            destroy: destroyResource,
            get_window_state: { owner(of: $1, as: LifeManager.self).offerState($0, $1, $2, $3, $4!) },
            get_app: { owner(of: $1, as: LifeManager.self).follow($0, $1, $2) }))

    /// nil while the session ends, when nothing is kept any more.
    var host: (any LifeHost)? { context.isEnding ? nil : compositor.lifeHost }

    /// The client's identity, and its window's app id.
    func caller(_ client: WaylandClient?, appID: String = "") -> LifeCaller {
        let process = Clients.process(of: client), identity = client.map { mw_client_identity($0) } ?? 0
        return LifeCaller(process: process, lineage: compositor.lineage(of: identity, process), client: identity, appID: appID)
    }

    private func offerState(
        _ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ toplevel: WaylandResource?, _ name: UnsafePointer<CChar>
    ) {
        guard let name = validName(name, manager, MULLION_LIFE_MANAGER_V1_ERROR_INVALID_NAME.rawValue) else { return }
        let state = WindowState(self)
        let version = wl_resource_get_version(manager)
        guard
            let made = makeResource(
                client, mw_interface_mullion_window_state_v1(), version: version, id: id, WindowState.requests, owner: state)
        else { return }
        // The window may be gone already. Then there is nothing to ask for.
        guard let toplevel = mw_xdg_toplevel_of(toplevel) else { return }
        let app = toplevel.pointee.app_id.map { String(cString: $0) } ?? ""
        do throws(LifeError) {
            try state.begin(made, toplevel, name, caller(client, appID: app))
        } catch {
            switch error.kind {
            case .nameInUse: mw_post_error(manager, MULLION_LIFE_MANAGER_V1_ERROR_NAME_IN_USE.rawValue, error.text)
            default: mw_post_implementation_error(client, error.text)
            }
        }
    }

    private func follow(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32) {
        let app = AppLifeObject(self, caller(client))
        let made = makeResource(
            client, mw_interface_mullion_app_life_v1(), version: wl_resource_get_version(manager), id: id,
            AppLifeObject.requests, owner: app)
        if let made { app.begin(made) }
    }

    /// Posts an error and returns nil if the text is not valid.
    func validName(_ text: UnsafePointer<CChar>, _ resource: WaylandResource?, _ code: UInt32) -> String? {
        guard let name = String(validatingCString: text) else {
            mw_post_error(resource, code, "the name is not UTF-8")
            return nil
        }
        do throws(LifeError) {
            try LifeLimits.check(name: name)
        } catch {
            mw_post_error(resource, code, error.text)
            return nil
        }
        return name
    }
}

/// The state of one window, as its client offers it. Inert once the window is gone.
final class WindowState: ResourceOwner, LifeClient {
    private unowned let manager: LifeManager
    private var resource: WaylandResource?
    /// nil if the object is inert.
    private var id: StateID?
    private var toplevelGone: Listener?

    static let requests = Requests(
        mullion_window_state_v1_requests(
            destroy: destroyResource,
            submit: { _, resource, serial, file, size in
                owner(of: resource, as: WindowState.self).submit(serial, Descriptor(file, owner: "state from a client"), Int(size))
            },
            no_state: { _, resource, serial in owner(of: resource, as: WindowState.self).lacks(serial) },
            changed: { _, resource in owner(of: resource, as: WindowState.self).changed() }))

    init(_ manager: LifeManager) { self.manager = manager }

    func begin(
        _ resource: WaylandResource, _ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>, _ name: String, _ caller: LifeCaller
    ) throws(LifeError) {
        self.resource = resource
        // Without a host the session is ending, and nothing is kept.
        guard let host = manager.host else { return mullion_window_state_v1_send_fresh(resource) }
        id = try host.offerState(name, by: caller, to: self) { [weak self] _, kept in self?.tell(kept) }
        toplevelGone = Listener(mw_xdg_destroy_signal(toplevel)) { [unowned self] _ in end() }
    }

    private func tell(_ kept: [UInt8]?) {
        guard let resource else { return }
        guard let kept else { return mullion_window_state_v1_send_fresh(resource) }
        let file = StateFile.make(of: kept)
        guard file.isOpen else { return mullion_window_state_v1_send_fresh(resource) }
        // libwayland sends a duplicate.
        mullion_window_state_v1_send_restore(resource, file.number, UInt32(kept.count))
    }

    func saveState(_ id: StateID, _ token: SaveToken) {
        if let resource { mullion_window_state_v1_send_save(resource, token.raw) }
    }

    private func submit(_ serial: UInt32, _ file: consuming Descriptor, _ size: Int) {
        do throws(LifeError) {
            try LifeLimits.check(size: size)
            guard let id, let host = manager.host, host.wantsState(id, SaveToken(serial)) else { return }
            let bytes = try StateFile.read(file, size: size)
            host.takeState(id, SaveToken(serial), bytes)
        } catch {
            let code = error.kind == .tooLarge ? MULLION_WINDOW_STATE_V1_ERROR_TOO_LARGE : MULLION_WINDOW_STATE_V1_ERROR_INVALID_FILE
            mw_post_error(resource, code.rawValue, error.text)
        }
    }

    private func lacks(_ serial: UInt32) {
        if let id { manager.host?.takeNoState(id, SaveToken(serial)) }
    }

    private func changed() {
        if let id { manager.host?.stateChanged(id) }
    }

    private func end() {
        toplevelGone = nil
        if let id { manager.host?.withdrawState(id) }
        id = nil
    }

    func resourceDestroyed() {
        resource = nil
        end()
    }
}
