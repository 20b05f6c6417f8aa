import CWlroots
import Callers
import Glibc
import Seat
import WaylandServer
import Windows

/// Identifies clients, and decides which globals each one sees. `Privileges` holds the policy.
///
/// A client is identified when it connects, before its process can exit and the kernel can reuse the process id.
final class Clients {
    private struct Client {
        /// Never reused, unlike the pointer.
        let identity: UInt64
        let gone: Listener
        /// The process that connected; 0: unknown.
        let process: Int32
        /// The owner whose quota it uses.
        var owner = Owner.user
        var isSandboxed = false
    }

    /// The clients that may see a global. Cached, because libwayland asks again and again.
    private enum Audience {
        case everyone
        case privileged(Privilege)
        /// wlroots 0.18 offers this global to every client, and disconnects any client but Xwayland that binds it.
        case xwayland
    }

    private unowned let compositor: Compositor
    private let context: Protocols.Context
    private var known: [WaylandClient: Client] = [:]
    private var created: Listener?
    /// Clients that were turned away. They are destroyed at the end of the turn, because libwayland is still creating
    /// them.
    private var unwanted: [WaylandClient] = []
    private var dismissal: AfterTurn?
    /// When the last refusal was logged.
    private var loggedAt: Int64?
    /// Keyed by interface. The pointers are stable for the life of the process.
    private var audiences: [UnsafePointer<wl_interface>: Audience] = [:]

    init(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        created = Listener(clientsOf: context.display) { [unowned self] in add($0) }
        dismissal = AfterTurn(context.loop) { [unowned self] in
            // Each client removes itself from the list when it is destroyed.
            while let client = unwanted.last {
                wl_client_flush(client)
                wl_client_destroy(client)
            }
        }
        wl_display_set_global_filter(
            context.display,
            { client, global, data in
                guard let client, let global else { return false }
                return Unmanaged<Clients>.fromOpaque(data!).takeUnretainedValue().maySee(client, global)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { wl_display_set_global_filter(context.display, nil, nil) }

    /// Records a sandbox engine's declarations about this client. Call it before the client's first request is handled.
    func setSandbox(_ client: WaylandClient, _ context: Identity.Evidence.Context) {
        guard let identity = known[client]?.identity else { return }
        known[client]?.isSandboxed = true
        compositor.onSandbox(identity, context)
        known[client]?.owner = compositor.clientOwner(identity, 0)
        checkNumber(client, process: 0)
    }

    /// Whether the client is in any sandbox, with or without a context.
    func isInSandbox(_ client: WaylandClient?, _ process: Int32) -> Bool {
        compositor.sandbox(client.map { mw_client_identity($0) } ?? 0, process, false) != nil
    }

    func isSandboxed(_ client: WaylandClient?) -> Bool { client.flatMap { known[$0] }?.isSandboxed ?? false }

    private func add(_ client: WaylandClient) {
        // The shell's own client stays unknown, so it sees no privileged globals.
        guard !compositor.isMakingOwnClient else { return }
        let identity = mw_client_identity(client)
        var process: pid_t = 0, user: uid_t = 0
        wl_client_get_credentials(client, &process, &user, nil)
        known[client] = Client(
            identity: identity, gone: Listener(destroying: client) { [unowned self] in remove(client) }, process: process)
        compositor.onClient(identity, process)
        if !Clients.stillLives(client) { compositor.onClient(identity, 0) }
        known[client]?.owner = compositor.clientOwner(identity, process)
        check(client, process: process, user: user)
    }

    /// Turns away programs of other users. The runtime directory normally keeps them out, but someone may open it.
    private func check(_ client: WaylandClient, process: Int32, user: UInt32) {
        guard compositor.mayConnect(user) else { return turnAway(client, process, ClientLimits.turnedAway(user: user)) }
        checkNumber(client, process: process)
    }

    private func checkNumber(_ client: WaylandClient, process: Int32) {
        let own = process > 0 ? known.values.count { $0.process == process } : 0, owner = known[client]?.owner ?? .user
        let ofOwner = known.values.count { $0.owner == owner }
        if let reason = ClientLimits.turnedAway(ofProcess: own, owner: owner, ofOwner: ofOwner, all: known.count, most: Clients.most()) {
            turnAway(client, process, reason)
        }
    }

    /// Disconnects a client. None of its requests are read.
    private func turnAway(_ client: WaylandClient, _ process: Int32, _ why: ClientLimits.TurnedAway) {
        exemptFromLimits(client)
        mw_post_implementation_error(client, why.error)
        unwanted.append(client)
        dismissal?.ask()
        // A client that keeps trying must not fill the log.
        let now = mw_now()
        if let loggedAt, now - loggedAt < 1_000_000_000 { return }
        loggedAt = now
        context.log.error("a client (process \(process)) is turned away: \(why.reason)")
    }

    /// The maximum number of clients.
    private static func most() -> Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(7) /* RLIMIT_NOFILE */, &files) == 0, files.rlim_cur != rlim_t.max else {
            return ClientLimits.clients(openFiles: nil)
        }
        return ClientLimits.clients(openFiles: Int(clamping: files.rlim_cur))
    }

    private func remove(_ client: WaylandClient) {
        unwanted.removeAll { $0 == client }
        // wlroots handles the end of Xwayland after this.
        Xwayland.of(context.server)?.clientGone(client)
        guard let identity = known.removeValue(forKey: client)?.identity, !context.isEnding else { return }
        compositor.forgetClient(identity)
    }

    /// Whether the client has not closed its end of the connection.
    func isConnected(_ identity: UInt64) -> Bool {
        guard let client = known.first(where: { $0.value.identity == identity })?.key else { return false }
        var entry = pollfd(fd: wl_client_get_fd(client), events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) <= 0 || Int32(entry.revents) & POLLHUP == 0
    }

    /// The number of bytes in the fullest connection of these processes: sent, but not yet read.
    func mostUnread(by processes: Set<Int32>) -> Int {
        var most = 0
        for (client, each) in known where processes.contains(each.process) {
            var unread: Int32 = 0
            if ioctl(wl_client_get_fd(client), UInt(TIOCOUTQ), &unread) == 0 { most = max(most, Int(unread)) }
        }
        return most
    }

    /// libwayland calls this for each client and each global, and again for each bind.
    private func maySee(_ client: WaylandClient, _ global: OpaquePointer) -> Bool {
        guard let interface = wl_global_get_interface(global) else { return false }
        switch audience(of: interface) {
        case .everyone: return true
        case .privileged(let privilege):
            return context.isEnding || compositor.mayUse(known[client]?.identity ?? 0, privilege)
        case .xwayland: return context.isEnding || compositor.xwayland?.isClient(client) ?? false
        }
    }

    private func audience(of interface: UnsafePointer<wl_interface>) -> Audience {
        if let audience = audiences[interface] { return audience }
        let name = String(cString: interface.pointee.name)
        let audience: Audience = name == "xwayland_shell_v1" ? .xwayland : Privilege.of(global: name).map { .privileged($0) } ?? .everyone
        audiences[interface] = audience
        return audience
    }

    /// The name of a process, as the kernel has it; "" if it is gone.
    static func name(of process: Int32) -> String {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0x0a }, as: UTF8.self)
    }

    /// The client's process id, or 0 if unknown.
    static func process(of client: WaylandClient?) -> Int32 {
        var process: pid_t = 0
        wl_client_get_credentials(client, &process, nil, nil)
        return process
    }

    /// Whether the process that connected is still alive, so that its id cannot have been reused. Old kernels cannot
    /// tell.
    private static func stillLives(_ client: WaylandClient) -> Bool {
        var handle: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        let optionOfLinux65: Int32 = 77 // SO_PEERPIDFD
        guard getsockopt(wl_client_get_fd(client), SOL_SOCKET, optionOfLinux65, &handle, &size) == 0, handle >= 0 else {
            return errno == ENOPROTOOPT
        }
        defer { close(handle) }
        var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) <= 0
    }
}
