import Callers
import Glibc
import LifeService
import Lifecycle
import Multitasking
import Processes
import Windows

/// Finds the app of a program that calls the life services.
struct LifeCallers {
    private unowned let shell: Shell

    init(_ shell: Shell) { self.shell = shell }

    /// The app as a unit of freezing. On the bus, it is the app of the nearest ancestor with windows, so that a command
    /// belongs to the terminal in which it runs. A program without such an ancestor is the app that it will be when its
    /// window appears.
    func process(_ caller: LifeCaller) -> AppProcess? {
        let lifecycle = shell.system.lifecycle, workspace = shell.system.workspace
        let mapped = workspace.windows.values.filter(\.isMapped)
        let own = mapped.first { $0.facts.lineage.first == caller.process }.flatMap { lifecycle.app(of: $0.id) }
        if let own { return own }
        if caller.client == nil, let near = caller.lineage.lazy.map(AppProcess.init).first(where: { lifecycle.apps[$0] != nil }) {
            return near
        }
        return ownApp(caller)
    }

    /// The app that the program is, or will be, by its own windows. A command in a terminal is not the terminal's app.
    private func ownApp(_ caller: LifeCaller) -> AppProcess? {
        let workspace = shell.system.workspace
        return AppProcess.of(
            lineage: caller.lineage, launches: Set(workspace.launches.all.compactMap(\.process)),
            clients: Set(workspace.windows.values.lazy.filter(\.isMapped).compactMap(\.facts.lineage.first)))
    }

    /// The launch that started the program.
    func launch(_ caller: LifeCaller) -> Launches.Launch? {
        ownApp(caller).flatMap { app in shell.system.workspace.launches.all.first { $0.process == app.head } }
    }

    /// The identity of the caller.
    func identity(_ caller: LifeCaller) -> Identity {
        let clients = shell.adapter(Clients.self)
        if let client = caller.client { return clients.identity(of: client) ?? .container(0) }
        return clients.identity(onBus: caller.connection, process: caller.process, lineage: caller.lineage)
    }

    /// The owner whose quota the caller uses (P-06).
    ///
    /// - Parameter app: the app that it names, if it may speak for others.
    func owner(_ caller: LifeCaller, naming app: String? = nil) -> Owner {
        .behind(shell.adapter(Clients.self).owner(identity(caller), lineage: caller.lineage), naming: app)
    }

    /// The number of a new connection on the bus.
    func connection() -> UInt64 { shell.adapter(Clients.self).connection() }

    /// Its connection on the bus has ended.
    func forget(_ caller: LifeCaller) { shell.adapter(Clients.self).busConnectionEnded(caller.connection) }

    /// The app under which its state is kept, the same after a restart; nil: a sandbox without a vouched name.
    func stateOwner(_ caller: LifeCaller) -> String? { identity(caller).owner(claiming: claimedApp(caller)) }

    /// The id of its app that trust follows; "" for a sandbox without a vouched name.
    func trustedApp(_ caller: LifeCaller) -> String {
        switch identity(caller) {
        case .program: claimedApp(caller)
        case .app(let app, _): shell.system.workspace.appID(named: app)
        case .container: ""
        }
    }

    /// The program's name. The shell's own command speaks for the program that runs it.
    func program(_ caller: LifeCaller) -> String {
        let own = AppIdentity.program(of: getpid())
        let names = caller.lineage.lazy.map { AppIdentity.program(of: $0) }
        return names.first { $0 != own && !$0.isEmpty } ?? own
    }

    /// The app of a program outside any sandbox: its window's app id, the app that was launched, or its program's name.
    private func claimedApp(_ caller: LifeCaller) -> String {
        let workspace = shell.system.workspace
        if !caller.appID.isEmpty { return workspace.appID(named: caller.appID) }
        if let app = launch(caller)?.app, !app.isEmpty { return app }
        // Do not use its control group: that of a command is the terminal's.
        let program = program(caller)
        return workspace.app(startedBy: [program]) ?? program
    }
}
