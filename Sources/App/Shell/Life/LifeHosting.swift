import Callers
import LifeService
import Lifecycle
import Windows

/// The interface of the shell for the Wayland protocol and the bus. Both share one sequence of numbers.
extension AppLives: LifeHost {
    func offerState(
        _ name: String, by caller: LifeCaller, to client: any LifeClient, isReady: @escaping (StateID, [UInt8]?) -> Void
    ) throws(LifeError) -> StateID {
        try states.offer(name, by: caller, to: client, isReady: isReady)
    }

    func withdrawState(_ id: StateID) { states.withdraw(id) }
    func takeState(_ id: StateID, _ token: SaveToken, _ bytes: [UInt8]) { states.take(id, token, bytes) }
    func takeNoState(_ id: StateID, _ token: SaveToken) { states.takeNothing(id, token) }
    func wantsState(_ id: StateID, _ token: SaveToken) -> Bool { states.wants(id, token) }
    func stateChanged(_ id: StateID) { states.changed(id) }

    func beginTask(_ name: String, by caller: LifeCaller, for client: any LifeClient) throws(LifeError) -> TaskID {
        try tasks.begin(name, by: caller, for: client)
    }

    func advanceTask(_ id: TaskID, to progress: Double) { tasks.advance(id, to: progress) }
    func endTask(_ id: TaskID) { tasks.end(id) }
    func finishTask(_ id: TaskID, text: String) { tasks.end(id, telling: text) }

    func follow(_ caller: LifeCaller, _ client: any LifeClient) -> VisiblePhase? { followers.add(client, caller) }
    func unfollow(_ client: any LifeClient) { followers.remove(client) }

    func connection() -> UInt64 { callers.connection() }
    func connectionEnded(_ caller: LifeCaller) { callers.forget(caller) }
    func owner(of caller: LifeCaller, naming app: String?) -> Owner { callers.owner(caller, naming: app) }
    func allows(_ door: Identity.BusDoor, _ caller: LifeCaller) -> Bool { callers.identity(caller).allows(door) }
}
