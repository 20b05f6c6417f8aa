import Descriptors
import LifeService
import Lifecycle
import Logging
import Multitasking

/// The state that apps offer: which program to ask, under which app and name to keep an answer, and which program gets it
/// back (S-04, W-20). The core decides when to ask, and how long to wait.
final class AppStates {
    private enum StateOwner: Hashable {
        case app(String)
        /// A sandbox that has no name.
        case container(UInt64)
    }

    private struct Offer {
        weak var client: (any LifeClient)?
        let caller: LifeCaller
        /// The app under which it is kept.
        let owner: StateOwner
        let name: String
        /// The number that the core knows it by; nil until the kept state was looked up.
        var process: AppProcess?
        /// The last request, while it is unanswered.
        var asked: SaveToken?
    }

    private unowned let shell: Shell
    private let callers: LifeCallers
    private lazy var kept = shell.adapter(SessionStore.self)
    private var offers: [StateID: Offer] = [:]
    private var contained = ContainedStates()
    private var last: UInt64 = 0

    init(_ shell: Shell, _ callers: LifeCallers) {
        self.shell = shell
        self.callers = callers
    }

    /// The last connection of a sandbox without a name has ended.
    func forget(container: UInt64) { contained.forget(container) }

    /// Whether no program offers state.
    var isEmpty: Bool { offers.isEmpty }

    // MARK: Offers

    func offer(
        _ name: String, by caller: LifeCaller, to client: any LifeClient, isReady: @escaping (StateID, [UInt8]?) -> Void
    ) throws(LifeError) -> StateID {
        let own = offers.values.filter { $0.caller.process == caller.process }
        let owner = owner(caller)
        guard !own.contains(where: { $0.owner == owner && $0.name == name }) else {
            throw LifeError(.nameInUse, "this program offers state under the name \"\(name.prefix(64))\" already")
        }
        guard own.count < LifeLimits.statesOfOneProcess else {
            throw LifeError(.tooMany, "a program can offer \(LifeLimits.statesOfOneProcess) states")
        }
        // Two windows with the same name would overwrite each other's state.
        let isTaken = offers.values.contains { $0.owner == owner && $0.name == name }
        last += 1
        let id = StateID(last)
        offers[id] = Offer(client: client, caller: caller, owner: owner, name: name)
        let app = callers.trustedApp(caller), isWithheld = shell.system.lifecycle.crashes.withheld.contains(app)
        let bytes = isTaken || isWithheld ? nil : state(of: owner, name)
        isReady(id, bytes)
        if bytes != nil {
            FaultPoint.reach(.given)
            if !app.isEmpty { shell.receive(.life(.stateGiven(app: app))) }
        }
        // A program that is asked before it has its state back would hand over an empty one.
        present(id)
        return id
    }

    private func owner(_ caller: LifeCaller) -> StateOwner {
        if let app = callers.stateOwner(caller) { return .app(app) }
        if case .container(let number) = callers.identity(caller) { return .container(number) }
        return .container(0)
    }

    private func state(of owner: StateOwner, _ name: String) -> [UInt8]? {
        switch owner {
        case .app(let app): kept.state(of: app, name: name)
        case .container(let number): contained[number, name]
        }
    }

    /// The entries that stay when the shelf is full: those that programs offer now, and those of windows that are open or come back.
    private func claims() -> StateShelf.Claims {
        let workspace = shell.system.workspace
        var apps: Set<String> = [], keys: Set<String> = []
        for window in workspace.windows.values where window.isMapped || window.placeholder != nil {
            apps.insert(window.app)
            if let owner = window.facts.sandbox?.owner(claiming: "") { apps.insert(owner) }
        }
        for case let offer in offers.values {
            guard case .app(let app) = offer.owner else { continue }
            apps.insert(app)
            keys.insert(StateShelf.key(app, offer.name))
        }
        return StateShelf.Claims(apps: apps, keys: keys)
    }

    /// The keys of the states that programs of an app offer now.
    func offered(by app: String) -> Set<String> {
        Set(offers.values.filter { $0.owner == .app(app) }.map { StateShelf.key(app, $0.name) })
    }

    private func present(_ id: StateID) {
        guard let process = offers[id].flatMap({ callers.process($0.caller) }) else { return }
        offers[id]!.process = process
        shell.receive(.life(.stateOffered(id, process)))
    }

    func withdraw(_ id: StateID) {
        guard let offer = offers.removeValue(forKey: id), offer.process != nil else { return }
        shell.receive(.life(.stateWithdrawn(id)))
    }

    func changed(_ id: StateID) {
        if offers[id]?.process != nil { shell.receive(.life(.stateChanged(id))) }
    }

    /// Apps gained or lost windows, so a program may now belong to another app.
    func appsChanged() {
        for id in offers.keys.sorted() where offers[id]!.process != nil {
            guard let process = callers.process(offers[id]!.caller), process != offers[id]!.process else { continue }
            offers[id]!.process = process
            shell.receive(.life(.stateOffered(id, process)))
        }
    }

    // MARK: Requests and answers

    /// The core asks for state.
    func ask(_ id: StateID, _ token: SaveToken) {
        guard let client = offers[id]?.client else {
            shell.receive(.life(.stateLost(id, token)))
            return
        }
        offers[id]!.asked = token
        client.saveState(id, token)
        FaultPoint.reach(.asked)
    }

    func wants(_ id: StateID, _ token: SaveToken) -> Bool { offers[id]?.asked == token }

    /// A late answer is kept, too, because it is newer than the stored one. But no request waits for it any more.
    func take(_ id: StateID, _ token: SaveToken, _ bytes: [UInt8]) {
        guard let offer = answered(id, token) else { return }
        FaultPoint.reach(.answered)
        guard case .app(let app) = offer.owner else {
            // It is gone with the connection, so a program may not count on it.
            if case .container(let number) = offer.owner { contained.put(bytes, number, offer.name) }
            return tell(.stateLost(id, token), id, token)
        }
        kept.keepState(of: app, name: offer.name, bytes: bytes, beside: claims()) { [weak self] isStored in
            FaultPoint.reach(.saved)
            guard let self else { return }
            if !isStored { shell.log.notice("the state \"\(offer.name.prefix(64))\" of \(app) could not be kept") }
            tell(isStored ? .stateSaved(id, token) : .stateLost(id, token), id, token)
        }
    }

    func takeNothing(_ id: StateID, _ token: SaveToken) {
        guard let offer = answered(id, token) else { return }
        switch offer.owner {
        case .app(let app): kept.forgetState(of: app, name: offer.name)
        case .container(let number): contained.remove(number, offer.name)
        }
        tell(.stateMissing(id, token), id, token)
    }

    private func answered(_ id: StateID, _ token: SaveToken) -> Offer? {
        guard let offer = offers[id], offer.asked == token else { return nil }
        offers[id]!.asked = nil
        return offer
    }

    private func tell(_ event: LifecycleEvent, _ id: StateID, _ token: SaveToken) {
        if shell.system.lifecycle.awaits(id, token) { shell.receive(.life(event)) }
    }
}
