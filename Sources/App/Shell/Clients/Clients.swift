import Callers
import Compositor
import Glibc
import Processes
import Seat
import Windows

/// Collects facts about programs. `Identity` derives from them which program a client is, and `Privileges` what it may see.
final class Clients: Adapter {
    private struct Seen {
        let identity: Identity
        /// The start of the process, so that a later one of the same number is not taken for it.
        let start: UInt64
    }

    private unowned let shell: Shell
    /// The identity of each client of Wayland.
    private var identities: [UInt64: Identity] = [:]
    /// Processes in a sandbox with a vouched name. The programs that they start stay in it, wherever the shell moves their group.
    private var vouched: [Int32: Seen] = [:]
    /// Those on the session bus, by connection.
    private var onBus: [UInt64: Identity] = [:]
    private var lastConnection: UInt64 = 1 << 32
    /// Called when the last connection of a sandbox without a name has ended.
    var onContainerGone: (UInt64) -> Void = { _ in }

    init(_ shell: Shell) {
        self.shell = shell
        let compositor = shell.compositor
        compositor.mayConnect = { Privileges.mayConnect(user: $0, own: geteuid()) }
        compositor.onClient = { [unowned self] client, process in
            let lineage = process > 0 ? [process] + ProcessTree.ancestors(of: process) : []
            note(client, process, identity(of: process, lineage: lineage, connection: connection()))
        }
        compositor.onSandbox = { [unowned self] client, context in
            var evidence = Identity.Evidence()
            evidence.context = context
            // Connections have other numbers than contexts.
            note(client, 0, Identity(evidence))
        }
        compositor.clientOwner = { [unowned self] client, process in
            owner(identities[client] ?? .container(0), lineage: process > 0 ? [process] + ProcessTree.ancestors(of: process) : [])
        }
        compositor.onClientGone = { [unowned self] client in
            guard case .container(let number)? = identities.removeValue(forKey: client) else { return }
            if !identities.values.contains(.container(number)) { onContainerGone(number) }
        }
        compositor.mayUse = { [unowned self] client, privilege in
            shell.store.settings.privileges.allow(identities[client] ?? .container(0), privilege)
        }
        compositor.sandbox = { [unowned self] client, process, isX11 in
            let found =
                isX11
                ? (process > 0 ? identity(of: process, lineage: [process] + ProcessTree.ancestors(of: process), connection: 0) : nil)
                : identities[client]
            return found.flatMap { $0.isSandboxed ? $0 : nil }
        }
    }

    /// nil: it is not connected.
    func identity(of client: UInt64) -> Identity? { identities[client] }

    /// The identity of the first caller on this connection of the session bus. A connection keeps its identity until it ends.
    func identity(onBus connection: UInt64, process: Int32, lineage: [Int32]) -> Identity {
        if let known = onBus[connection] { return known }
        let found = identity(of: process, lineage: lineage, connection: connection)
        onBus[connection] = found
        note(nil, process, found)
        return found
    }

    func busConnectionEnded(_ connection: UInt64) {
        if case .container(let number)? = onBus.removeValue(forKey: connection) { onContainerGone(number) }
    }

    /// A number that no other connection gets, nor a security context.
    func connection() -> UInt64 {
        lastConnection += 1
        return lastConnection
    }

    /// The identity of a process.
    ///
    /// - Parameters:
    ///   - lineage: the process and its ancestors, nearest first.
    ///   - connection: the number of its connection.
    func identity(of process: Int32, lineage: [Int32], connection: UInt64) -> Identity {
        var evidence = Identity.Evidence.of(process: process, connection: connection)
        if !evidence.isOutside, evidence.context == nil {
            evidence.launched = shell.system.workspace.launchedApp(lineage)
            evidence.ancestor =
                lineage.lazy.compactMap { process in
                    self.vouched[process].flatMap { ProcessTree.record(of: process)?.start == $0.start ? $0.identity : nil }
                }.first
        }
        let found = Identity(evidence)
        if !evidence.isOutside, found.vouchedApp != nil, let start = ProcessTree.record(of: process)?.start {
            if vouched.count >= 256 { vouched = vouched.filter { ProcessTree.record(of: $0.key)?.start == $0.value.start } }
            vouched[process] = Seen(identity: found, start: start)
        }
        return found
    }

    // MARK: Owners (P-06)

    /// The owner whose quota a process uses that only its number identifies.
    func owner(of process: Int32) -> Owner {
        guard process > 0 else { return .nameless }
        let lineage = [process] + ProcessTree.ancestors(of: process)
        return owner(identity(of: process, lineage: lineage, connection: 0), lineage: lineage)
    }

    /// - Parameter lineage: the process and its ancestors, nearest first.
    func owner(_ identity: Identity, lineage: [Int32]) -> Owner {
        if identity.isSandboxed { return Owner(identity, launched: nil, unit: nil, head: "") }
        // A process that the shell, the service manager or the bus started is the head of a tree.
        let ends = Self.own, tree = lineage.prefix { $0 == lineage.first || !(ends.contains($0) || Self.isStarter($0)) }
        let workspace = shell.system.workspace
        let launched = tree.reversed().lazy.compactMap { process in workspace.launches.all.first { $0.process == process } }.first
        let head = tree.last ?? 0, path = AppIdentity.executable(of: head)
        let program = AppIdentity.program(of: head), isScript = !path.isEmpty && !program.isEmpty && !path.hasSuffix("/\(program)")
        return Owner(
            identity, launched: launched.flatMap(workspace.entry), unit: AppIdentity.unit(of: head),
            head: isScript ? "\(path) \(program)" : path)
    }

    /// The shell and its ancestors: other programs that they started are not the shell's.
    private static let own = Set([getpid()] + ProcessTree.ancestors(of: getpid()))

    /// Whether it starts programs for others. Each of those stands for itself.
    private static func isStarter(_ process: Int32) -> Bool {
        let program = AppIdentity.executable(of: process).split(separator: "/").last ?? ""
        return process <= 1 || ["systemd", "dbus-daemon", "dbus-broker-launch", "dbus-broker"].contains(program)
    }

    private func note(_ client: UInt64?, _ process: Int32, _ identity: Identity) {
        if let client { identities[client] = identity }
        switch identity {
        case .program: break
        case .app(let app, let engine): shell.log.debug("\(app) is in a sandbox\(engine.isEmpty ? "" : " of \(engine)")")
        case .container: shell.log.debug("\(process > 0 ? "process \(process)" : "a client") is in a sandbox that has no name")
        }
    }
}
