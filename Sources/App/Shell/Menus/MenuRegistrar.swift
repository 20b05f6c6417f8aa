import Callers
import Compositor
import MessageBus
import Windows

/// The registrations of programs with `com.canonical.AppMenu.Registrar`. Qt asks once, before its first menu bar, whether the name has an
/// owner, and if so shows its menus nowhere itself (decision 0140).
struct MenuRegistrar {
    struct Registration: Hashable {
        var bus: String
        var process: Int32
        /// The number of the window: of an X11 window its id, otherwise one that only the process knows.
        var number: UInt32
        var path: String
    }

    struct Key: Hashable {
        var bus: String
        var number: UInt32
    }

    static let name = "com.canonical.AppMenu.Registrar", path = "/com/canonical/AppMenu/Registrar"
    /// Connections that are watched, and calls whose process is being asked for.
    fileprivate static let mostWatches = 1024, mostPending = 512

    /// In the order in which they came.
    private(set) var registrations: [Registration] = []
    /// How many each owner has (P-06), and whose each is.
    private var holdings = Holdings()
    private var payers: [Key: Owner] = [:]
    /// Whether the shell shows menus, and so wants the name.
    var isWanted = false
    /// The name is asked for, or owned.
    var isOwned = false
    fileprivate var watches: [String: BusWatch] = [:]
    /// Registrations whose process is being asked for.
    fileprivate var pending: [Key: String] = [:]
    private var isChanged = false

    mutating func takeChange() -> Bool {
        defer { isChanged = false }
        return isChanged
    }

    /// Returns whether it is known now: more than the owner's share are not.
    mutating func add(_ new: Registration, of owner: Owner) -> Bool {
        remove(new.bus, new.number)
        guard holdings.take(.menus, for: owner) else {
            // A connection that has none needs no watch.
            if !registrations.contains(where: { $0.bus == new.bus }), !pending.keys.contains(where: { $0.bus == new.bus }) {
                watches[new.bus] = nil
            }
            return false
        }
        payers[Key(bus: new.bus, number: new.number)] = owner
        registrations.append(new)
        isChanged = true
        return true
    }

    mutating func remove(_ bus: String, _ number: UInt32) {
        pending[Key(bus: bus, number: number)] = nil
        drop { $0.bus == bus && $0.number == number }
    }

    private mutating func drop(_ isGone: (Registration) -> Bool) {
        for one in registrations where isGone(one) {
            isChanged = true
            if let owner = payers.removeValue(forKey: Key(bus: one.bus, number: one.number)) { holdings.giveBack(.menus, for: owner) }
        }
        registrations.removeAll(where: isGone)
    }

    /// A connection is gone.
    mutating func left(_ bus: String) {
        watches[bus] = nil
        pending = pending.filter { $0.key.bus != bus }
        drop { $0.bus == bus }
    }

    mutating func lost() {
        drop { _ in true }
        watches = [:]
        pending = [:]
        isOwned = false
    }

    /// The menus of each window of the processes that registered some.
    ///
    /// On X11 a registration names its window. On Wayland its number means nothing to others: numbers grow as windows are made, so those
    /// of a process belong to its windows in their order. A window that registered none has the menus of the first one, as it shows none.
    ///
    /// - Parameter windows: mapped windows without parents, in the order in which they were made. `x11`: the id of an X11 window.
    func sources(for windows: [(id: WindowID, process: Int32, x11: UInt32?)]) -> [WindowID: MenuSource] {
        var sources: [WindowID: MenuSource] = [:]
        let byProcess = Dictionary(grouping: registrations, by: \.process)
        var rank: [Int32: Int] = [:]
        for window in windows {
            guard let theirs = byProcess[window.process]?.sorted(by: { $0.number < $1.number }), !theirs.isEmpty else { continue }
            let found: Registration
            if let x11 = window.x11 {
                found = theirs.first { $0.number == x11 } ?? theirs[0]
            } else {
                let index = rank[window.process, default: 0]
                rank[window.process] = index + 1
                found = theirs.indices.contains(index) ? theirs[index] : theirs[0]
            }
            sources[window.id] = MenuSource(bus: found.bus, form: .dbusMenu(path: found.path))
        }
        return sources
    }
}

extension MenuBus {
    /// Owns the name while the shell shows menus, and gives it up while it does not. Registrations stay.
    func gather(_ isWanted: Bool) {
        registrar.isWanted = isWanted
        guard link.isReady else { return }
        if isWanted { return ownRegistrar() }
        guard registrar.isOwned else { return }
        registrar.isOwned = false
        link.callBus("ReleaseName", { $0.string(MenuRegistrar.name) }) { _ in }
        link.changed()
    }

    func ownRegistrar() {
        guard registrar.isWanted, !registrar.isOwned else { return }
        registrar.isOwned = true
        // Another program that has it shows the menus.
        link.own(MenuRegistrar.name) { _ in }
        link.changed()
    }

    func beginRegistrar(_ bus: BusConnection) {
        bus.export(
            MenuRegistrar.name, below: MenuRegistrar.path,
            [
                .method("RegisterWindow", takes: "uo", gives: ""), .method("UnregisterWindow", takes: "u", gives: ""),
            ])
    }

    func registered(_ call: Incoming) -> Int32 {
        let sender = call.sender
        guard let number = call.uint32() else { return call.refuse("InvalidArgs", "a window is expected") }
        guard call.member == "RegisterWindow" else {
            registrar.remove(sender, number)
            return call.reply { _ in }
        }
        guard let path = call.objectPath(), MenuSource(bus: sender, form: .dbusMenu(path: path)) != nil else {
            return call.refuse("InvalidArgs", "an object of a menu bar is expected")
        }
        if registrar.watches[sender] == nil {
            guard registrar.watches.count < MenuRegistrar.mostWatches, let watch = link.connection?.watch(BusLink.ownerRule(sender)) else {
                return call.refuse("LimitsExceeded", "too many programs have menus")
            }
            registrar.watches[sender] = watch
        }
        let key = MenuRegistrar.Key(bus: sender, number: number)
        guard registrar.pending.count < MenuRegistrar.mostPending else { return call.refuse("LimitsExceeded", "too many menus") }
        registrar.pending[key] = path
        askProcess(of: sender) { [unowned self] process in
            // It may be taken back, or replaced, meanwhile.
            guard registrar.pending[key] == path else { return }
            _ = registrar.add(.init(bus: sender, process: process, number: number, path: path), of: owner(process))
        }
        return call.reply { _ in }
    }
}
