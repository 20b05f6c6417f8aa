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
    private var sources: [WindowID: MenuSource] = [:]

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.menus]

    func start() {
        shell.compositor.onMenuSource = { [unowned self] in sourceChanged($0, $1) }
        guard let address = BusAddress.session(shell.environment) else { return }
        let bus = MenuBus(address: address)
        bus.onMenus = { [unowned shell] in shell.receive(.menusChanged($0, $1)) }
        self.bus = bus
        follower = BusFollower(bus, shell.compositor)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        if case .menus(.choose(let window, let number)) = effect { bus?.choose(window, number) }
    }

    private func sourceChanged(_ window: WindowID, _ source: MenuSource?) {
        sources[window] = source
        if shell.system.workspace[window] != nil { tell(window) }
    }

    private func tell(_ window: WindowID) {
        let facts = shell.system.workspace[window]?.facts
        // The bus sees the proxy of a sandbox, so nothing proves whose menus those are.
        let isOpen = facts.map { $0.sandbox == nil && !$0.isX11 } ?? false
        bus?.set(window, isOpen ? sources[window] : nil, process: facts?.lineage.first ?? 0)
    }

    func didCarryOut(_ event: Event) {
        switch event {
        case .windowCreated(let window, _) where sources[window] != nil: tell(window)
        case .windowDestroyed(let window) where sources[window] != nil:
            sources[window] = nil
            bus?.set(window, nil, process: 0)
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
