import Compositor
import Glibc
import Processes
import Seat

/// Who the clients are, and what they may see. The policy is `Privileges`; here it is only asked.
final class Clients: Adapter {
    private unowned let shell: Shell
    /// Who is at the other end of each connection.
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

    private func tell(_ sandbox: ClientIdentity.Sandbox) {
        let app = sandbox.app.isEmpty ? "an app that has no name" : sandbox.app
        shell.log.debug("\(app) is in a sandbox\(sandbox.engine.isEmpty ? "" : " of \(sandbox.engine)")")
    }
}

extension Privileges.Client {
    init(_ identity: ClientIdentity) {
        // A path in a sandbox is the sandbox's to choose.
        self.init(name: identity.sandbox?.app ?? identity.executable ?? "", isSandboxed: identity.sandbox != nil)
    }
}
