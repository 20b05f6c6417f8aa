import Compositor
import Geometry
import MessageBus
import Multitasking
import Windows

/// The menus that apps export for the menu bar (W-25): which windows have some, and where they are on the session bus.
final class AppMenus: EventObserver {
    private unowned let shell: Shell
    private var bus: MenuBus?
    private var follower: BusFollower?
    /// Menus that clients named before there was a bus, or for windows that the core does not know yet.
    private var named: [WindowID: MenuSource] = [:]
    /// Menus of windows that their processes registered.
    private var registered: [WindowID: MenuSource] = [:]

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.menus]

    func start() {
        shell.compositor.onMenuSource = { [unowned self] in sourceChanged($0, $1) }
        guard let address = BusAddress.session(shell.environment) else { return }
        let bus = MenuBus(address: address)
        bus.owner = { [unowned shell] in shell.adapter(Clients.self).owner(of: $0) }
        bus.onMenus = { [unowned shell] in shell.receive(.menusChanged($0, $1)) }
        bus.onRegistered = { [unowned self] in match() }
        self.bus = bus
        follower = BusFollower(bus, shell.compositor)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .menus(let effect) = effect else { return }
        switch effect {
        case .choose(let window, let number): bus?.choose(window, number)
        case .open(let window, let numbers): bus?.opened(window, numbers)
        case .gather(let isWanted): bus?.gather(isWanted)
        }
    }

    private func sourceChanged(_ window: WindowID, _ source: MenuSource?) {
        named[window] = source
        if shell.system.workspace[window] != nil { tell(window) }
    }

    private func tell(_ window: WindowID) {
        let facts = shell.system.workspace[window]?.facts
        // The bus sees the proxy of a sandbox, so nothing proves whose menus those are.
        let isOpen = facts.map { $0.sandbox == nil } ?? false
        bus?.set(window, isOpen ? named[window] ?? registered[window] : nil, process: facts?.lineage.first ?? 0)
    }

    /// Windows or registrations changed.
    private func match() {
        guard let bus, !bus.registrar.registrations.isEmpty || !registered.isEmpty else { return }
        let windows = shell.system.workspace.windows.values.filter { $0.isMapped && $0.placeholder == nil && $0.facts.parent == nil }
            .sorted { $0.id < $1.id }
            .map { (id: $0.id, process: $0.facts.lineage.first ?? 0, x11: $0.facts.isX11 ? shell.compositor.x11ID(of: $0.id) : nil) }
        let before = registered
        registered = bus.registrar.sources(for: windows)
        for window in Set(before.keys).union(registered.keys).sorted() where before[window] != registered[window] { tell(window) }
    }

    func didCarryOut(_ event: Event) {
        switch event {
        case .windowCreated(let window, _) where named[window] != nil: tell(window)
        case .windowMapped, .windowsMapped, .windowUnmapped, .windowRenamed: match()
        case .windowDestroyed(let window):
            if named.removeValue(forKey: window) != nil { bus?.set(window, nil, process: 0) }
            match()
        default: break
        }
    }

    func stop() {
        shell.compositor.onMenuSource = { _, _ in }
        follower?.end()
        follower = nil
        bus?.close()
        bus = nil
    }
}
