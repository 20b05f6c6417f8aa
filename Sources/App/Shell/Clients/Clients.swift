import Compositor
import Glibc
import Processes
import Seat

/// Identifies clients, and asks `Privileges` what they may see.
final class Clients: Adapter {
    private unowned let shell: Shell
    /// The identity of each client.
    private var identities: [UInt64: ClientIdentity] = [:]

    init(_ shell: Shell) {
        self.shell = shell
        let compositor = shell.compositor
        compositor.mayConnect = { Privileges.mayConnect(user: $0, own: geteuid()) }
        compositor.onClient = { [unowned self] client, process in
            let identity = ClientIdentity.of(process: process)
            identities[client] = identity
            if let sandbox = identity.sandbox { tell(sandbox) }
        }
        compositor.onSandbox = { [unowned self] client, engine, app in
            let sandbox = ClientIdentity.Sandbox(engine: engine, app: app)
            identities[client] = ClientIdentity(executable: nil, sandbox: sandbox)
            tell(sandbox)
        }
        compositor.onClientGone = { [unowned self] client in identities[client] = nil }
        compositor.mayUse = { [unowned self] client, privilege in
            shell.store.settings.privileges.allow(Privileges.Client(identities[client] ?? .unknown), privilege)
        }
    }

    /// nil: it is not connected.
    func identity(of client: UInt64) -> ClientIdentity? { identities[client] }

    private func tell(_ sandbox: ClientIdentity.Sandbox) {
        let app = sandbox.app.isEmpty ? "an app that has no name" : sandbox.app
        shell.log.debug("\(app) is in a sandbox\(sandbox.engine.isEmpty ? "" : " of \(sandbox.engine)")")
    }
}

extension Privileges.Client {
    init(_ identity: ClientIdentity) {
        // Inside a sandbox, the sandbox determines the path, so do not use it.
        self.init(name: identity.sandbox?.app ?? identity.executable ?? "", isSandboxed: identity.sandbox != nil)
    }
}
