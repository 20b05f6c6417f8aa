import CWlroots
import Descriptors
import Glibc
import Logging
import Seat
import WaylandServer
import Windows

/// security-context-v1: a sandbox engine tells which app the clients of a socket belong to.
///
/// wlroots 0.15 has no implementation. 0.18 leaks both descriptors if the first is not a listening socket, as often
/// as a client likes. So this implementation serves both.
final class SecurityContexts: ResourceOwner {
    fileprivate let context: Protocols.Context
    fileprivate let clients: Clients
    private var global: Global?
    /// Oldest first.
    fileprivate var all: [SecurityContext] = []
    /// The number of the last one.
    fileprivate var last: UInt64 = 0

    init?(_ context: Protocols.Context, _ clients: Clients) {
        self.context = context
        self.clients = clients
        global = Global(
            context.display, mw_interface_wp_security_context_manager_v1(), version: 1, SecurityContexts.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(
        wp_security_context_manager_v1_requests(
            destroy: destroyResource,
            create_listener: { client, manager, id, listening, closing in
                // From here on, the descriptors are closed whatever happens to the request.
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
        // Another process that shares the socket may accept the connection first.
        _ = fcntl(socket.number, F_SETFL, fcntl(socket.number, F_GETFL) | O_NONBLOCK)
        let made = SecurityContext(self, process: process, isVouched: !clients.isInSandbox(client, process), socket, end)
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

    /// Ends the oldest context whose process is gone when there are too many. A context outlives its engine's
    /// connection, and its close descriptor tells when it ends. Some descriptors never hang up, such as an eventfd or
    /// a FIFO open at both ends. An engine that exits silently would leave those with the shell forever.
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

/// A sandbox engine's socket and the engine's statements about it.
private final class SecurityContext: ResourceOwner {
    static let requests = Requests(
        wp_security_context_v1_requests(
            destroy: destroyResource,
            set_sandbox_engine: { _, resource, name in set(resource, \.engine, name) },
            set_app_id: { _, resource, app in set(resource, \.app, app) },
            set_instance_id: { _, resource, instance in set(resource, \.instance, instance) },
            commit: { _, resource in owner(of: resource, as: SecurityContext.self).commit() }))

    /// No other context gets it.
    private let number: UInt64
    /// Whether its engine is outside any sandbox, and so vouches for the app's name.
    private let isVouched: Bool
    /// The engine's process id; 0: unknown.
    let process: Int32
    private unowned let contexts: SecurityContexts
    private var resource: WaylandResource?
    private var engine, app, instance: String?
    /// The engine's listening socket, and the descriptor whose hang-up ends it.
    private var socket, closing: Descriptor
    private var listeningWatch, closingWatch: DescriptorWatch?
    private enum Stage { case described, serving, over }
    private var stage = Stage.described

    init(_ contexts: SecurityContexts, process: Int32, isVouched: Bool, _ socket: consuming Descriptor, _ closing: consuming Descriptor) {
        self.contexts = contexts
        contexts.last += 1
        number = contexts.last
        self.process = process
        self.isVouched = isVouched
        self.socket = socket
        self.closing = closing
    }

    func serve(_ client: WaylandClient?, version: Int32, id: UInt32) -> Bool {
        resource = makeResource(
            client, mw_interface_wp_security_context_v1(), version: version, id: id, SecurityContext.requests, owner: self)
        return resource != nil
    }

    /// Stops accepting clients. Existing clients stay connected.
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

    /// Whether the context can still be described. Otherwise posts an error to the client.
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
        // Any event on it means: no more clients.
        closingWatch = DescriptorWatch(loop, closing.number, []) { [unowned self] _ in end() }
        if listeningWatch == nil || closingWatch == nil {
            // A close descriptor that the loop cannot watch would never end the context.
            wl_resource_post_no_memory(resource)
            end()
        }
    }

    private func takeClient() {
        let number = mw_accept_at_once(socket.number, ClientLimits.acceptPatience)
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
        contexts.clients.setSandbox(client, .init(engine: engine ?? "", app: isVouched ? app ?? "" : "", number: self.number))
    }
}
