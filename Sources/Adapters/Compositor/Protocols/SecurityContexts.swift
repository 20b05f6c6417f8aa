import CWlroots
import Descriptors
import Glibc
import Logging
import Seat
import WaylandServer

/// security-context-v1: a sandbox engine says of a socket who will connect to it.
///
/// wlroots 0.15 has none, and 0.18 keeps both descriptors of whoever asks for one with a descriptor that is no listening
/// socket: as many as a client likes. So one implementation serves both.
final class SecurityContexts: ResourceOwner {
    fileprivate let context: Protocols.Context
    fileprivate let clients: Clients
    private var global: Global?
    /// Oldest first.
    fileprivate var all: [SecurityContext] = []

    init?(_ context: Protocols.Context, _ clients: Clients) {
        self.context = context
        self.clients = clients
        global = Global(
            context.display, mw_interface_wp_security_context_manager_v1(), version: 1, SecurityContexts.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(wp_security_context_manager_v1_requests(
        destroy: destroyResource,
        create_listener: { client, manager, id, listening, closing in
            // From here on they are closed whatever comes of the request.
            let socket = Descriptor(listening, owner: "socket of a sandbox"), end = Descriptor(closing, owner: "end of a sandbox")
            owner(of: manager, as: SecurityContexts.self).create(client, manager, id, socket, end)
        }))

    private func create(
        _ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ socket: consuming Descriptor, _ end: consuming Descriptor
    ) {
        guard !clients.isSandboxed(client) else {
            return mw_post_error(
                manager, WP_SECURITY_CONTEXT_MANAGER_V1_ERROR_NESTED.rawValue, "asked from within a context")
        }
        guard SecurityContexts.isListening(socket.number) else {
            return mw_post_error(
                manager, WP_SECURITY_CONTEXT_MANAGER_V1_ERROR_INVALID_LISTEN_FD.rawValue, "not a listening stream socket")
        }
        let process = Clients.process(of: client)
        guard makeRoom(client, process) else { return }
        // Somebody else may have taken the connection when the loop comes to it.
        _ = fcntl(socket.number, F_SETFL, fcntl(socket.number, F_GETFL) | O_NONBLOCK)
        let made = SecurityContext(self, process: process, socket, end)
        guard made.serve(client, version: wl_resource_get_version(manager), id: id) else { return }
        all.append(made)
    }

    private static func isListening(_ number: Int32) -> Bool {
        func option(_ name: Int32) -> Int32 {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(number, SOL_SOCKET, name, &value, &size) == 0 ? value : -1
        }
        return option(SO_ACCEPTCONN) > 0 && option(SO_DOMAIN) == AF_UNIX
    }

    /// A context stays when its engine's connection goes: its close descriptor says when it ends. But some never say it, an
    /// eventfd or a FIFO that is open both ways, and an engine that ends without a word would leave its descriptors with the
    /// shell for ever. So before there are too many, the oldest ends whose process is gone.
    private func makeRoom(_ client: WaylandClient?, _ process: Int32) -> Bool {
        let most = ClientLimits.securityContextsOfOneProcess
        guard all.count(where: { $0.process == process }) < most else {
            refuse(client, "security contexts of one process", most: most)
            return false
        }
        guard all.count >= ClientLimits.securityContexts else { return true }
        guard let oldest = all.first(where: { $0.process != 0 && kill($0.process, 0) != 0 && errno == ESRCH }) else {
            mw_post_implementation_error(client, "there are \(all.count) security contexts already")
            return false
        }
        oldest.end()
        return true
    }
}

/// What an engine said of one socket, and the socket.
private final class SecurityContext: ResourceOwner {
    static let requests = Requests(wp_security_context_v1_requests(
        destroy: destroyResource,
        set_sandbox_engine: { _, resource, name in set(resource, \.engine, name) },
        set_app_id: { _, resource, app in set(resource, \.app, app) },
        set_instance_id: { _, resource, instance in set(resource, \.instance, instance) },
        commit: { _, resource in owner(of: resource, as: SecurityContext.self).commit() }))

    /// Of the engine; 0: not known.
    let process: Int32
    private unowned let contexts: SecurityContexts
    private var resource: WaylandResource?
    private var engine, app, instance: String?
    /// The engine's socket, and what hangs up when no more clients may come.
    private var socket, closing: Descriptor
    private var listeningWatch, closingWatch: DescriptorWatch?
    private enum Stage { case described, serving, over }
    private var stage = Stage.described

    init(_ contexts: SecurityContexts, process: Int32, _ socket: consuming Descriptor, _ closing: consuming Descriptor) {
        self.contexts = contexts
        self.process = process
        self.socket = socket
        self.closing = closing
    }

    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) -> Bool {
        resource = makeResource(
            client, mw_interface_wp_security_context_v1(), version: version, id: id, SecurityContext.requests, owner: self)
        return resource != nil
    }

    /// No more clients come by it. Those that are there stay.
    func end() {
        stage = .over
        listeningWatch = nil
        closingWatch = nil
        socket.close()
        closing.close()
        contexts.all.removeAll { $0 === self }
    }

    func resourceDestroyed() {
        resource = nil
        if stage == .described { end() }
    }

    private static func set(
        _ resource: WaylandResource?, _ field: ReferenceWritableKeyPath<SecurityContext, String?>, _ text: UnsafePointer<CChar>?
    ) {
        let context = owner(of: resource, as: SecurityContext.self)
        guard context.isOpen() else { return }
        guard context[keyPath: field] == nil else {
            return mw_post_error(resource, WP_SECURITY_CONTEXT_V1_ERROR_ALREADY_SET.rawValue, "this has been said before")
        }
        context[keyPath: field] = String(cString: text!)
    }

    /// It is still to be described; otherwise the client gets an error.
    private func isOpen() -> Bool {
        if stage == .described { return true }
        mw_post_error(resource, WP_SECURITY_CONTEXT_V1_ERROR_ALREADY_USED.rawValue, "the context has been committed")
        return false
    }

    private func commit() {
        guard isOpen() else { return }
        stage = .serving
        let loop = contexts.context.loop
        listeningWatch = DescriptorWatch(loop, socket.number, .readable) { [unowned self] events in
            if events.contains(.hangup) || events.contains(.error) {
                end()
            } else if events.contains(.readable) {
                takeClient()
            }
        }
        // Whatever happens there: no more clients.
        closingWatch = DescriptorWatch(loop, closing.number, []) { [unowned self] _ in end() }
        if listeningWatch == nil || closingWatch == nil {
            // A close descriptor that no loop can watch would never end.
            wl_resource_post_no_memory(resource)
            end()
        }
    }

    private func takeClient() {
        let number = mw_accept_at_once(socket.number)
        guard number >= 0 else {
            if number == -EINTR {
                contexts.context.log.error(
                    "security-context: a sandbox's engine takes connections from its socket itself; no more are taken there")
                end()
            }
            return
        }
        guard let client = wl_client_create(contexts.context.display, number) else {
            close(number)
            return
        }
        contexts.clients.setSandbox(client, engine: engine ?? "", app: app ?? "")
    }
}
