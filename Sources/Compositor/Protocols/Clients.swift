import CWlroots
import Glibc
import Seat
import WaylandServer

/// Who the clients are, and which globals each gets to see. `Privileges` has the policy; this knows who asks.
///
/// A client is looked at when it connects, while the process that connected can be told from one that gets its number later.
final class Clients {
    private struct Client {
        /// Never used again, unlike the pointer.
        let identity: UInt64
        let gone: Listener
        var isSandboxed = false
    }

    /// What libwayland asks about a global again and again.
    private enum Audience {
        case everyone
        case privileged(Privilege)
        /// wlroots 0.18 offers this to everybody, and ends whoever takes it up.
        case xwayland
    }

    private unowned let compositor: Compositor
    private let context: Protocols.Context
    private var known: [WaylandClient: Client] = [:]
    private var created: Listener?
    /// By interface, which stay where they are for as long as the program runs.
    private var audiences: [UnsafePointer<wl_interface>: Audience] = [:]

    init(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        created = Listener(clientsOf: context.display) { [unowned self] in add($0) }
        wl_display_set_global_filter(context.display, { client, global, data in
            guard let client, let global else { return false }
            return Unmanaged<Clients>.fromOpaque(data!).takeUnretainedValue().maySee(client, global)
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { wl_display_set_global_filter(context.display, nil, nil) }

    /// A sandbox engine said who will connect, and this client did. To be called before it is heard.
    func setSandbox(_ client: WaylandClient, engine: String, app: String) {
        guard let identity = known[client]?.identity else { return }
        known[client]?.isSandboxed = true
        compositor.onSandbox(identity, engine, app)
    }

    func isSandboxed(_ client: WaylandClient?) -> Bool { client.flatMap { known[$0] }?.isSandboxed ?? false }

    private func add(_ client: WaylandClient) {
        // Nothing is known of the shell's own, and so nothing privileged is shown to it.
        guard !mw_server_makes_own_client(context.server) else { return }
        let identity = mw_client_identity(client)
        known[client] = Client(identity: identity, gone: Listener(destroying: client) { [unowned self] in remove(client) })
        let process = Clients.process(of: client)
        compositor.onClient(identity, process)
        if !Clients.stillLives(client) { compositor.onClient(identity, 0) }
    }

    private func remove(_ client: WaylandClient) {
        // wlroots hears of Xwayland's end after this.
        mw_xwayland_client_gone(context.server, client)
        guard let identity = known.removeValue(forKey: client)?.identity, !context.isEnding else { return }
        compositor.forgetClient(identity)
    }

    /// libwayland asks for each client and each global, and again when one is taken up.
    private func maySee(_ client: WaylandClient, _ global: OpaquePointer) -> Bool {
        guard let interface = wl_global_get_interface(global) else { return false }
        switch audience(of: interface) {
        case .everyone: return true
        case .privileged(let privilege):
            return context.isEnding || compositor.mayUse(known[client]?.identity ?? 0, privilege)
        case .xwayland: return context.isEnding || mw_xwayland_is_client(context.server, client)
        }
    }

    private func audience(of interface: UnsafePointer<wl_interface>) -> Audience {
        if let audience = audiences[interface] { return audience }
        let name = String(cString: interface.pointee.name)
        let audience: Audience = name == "xwayland_shell_v1" ? .xwayland : Privilege.of(global: name).map { .privileged($0) } ?? .everyone
        audiences[interface] = audience
        return audience
    }

    /// 0: not known.
    static func process(of client: WaylandClient?) -> Int32 {
        var process: pid_t = 0
        wl_client_get_credentials(client, &process, nil, nil)
        return process
    }

    /// The process that connected lives, so its number was not another's while it was looked at. Old kernels cannot say.
    private static func stillLives(_ client: WaylandClient) -> Bool {
        var handle: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        let optionOfLinux65: Int32 = 77  // SO_PEERPIDFD
        guard getsockopt(wl_client_get_fd(client), SOL_SOCKET, optionOfLinux65, &handle, &size) == 0, handle >= 0 else {
            return errno == ENOPROTOOPT
        }
        defer { close(handle) }
        var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) <= 0
    }
}
