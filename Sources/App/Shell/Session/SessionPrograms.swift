import Compositor
import Geometry
import LifeBus
import LifeService
import Lifecycle
import Logging
import Multitasking
import Windows

/// Programs that use the session manager on the bus: instances of apps to restore (W-20), inhibitors (S-06), and programs
/// that take part in the end of the session. The core decides.
final class SessionPrograms: Adapter {
    private struct Running {
        let app: String
        let process: AppProcess?
        /// Whether the shell is ending the app.
        var isWanted = false
    }

    private unowned let shell: Shell
    private lazy var bus = shell.adapter(LifeOnBus.self)
    private lazy var callers = shell.adapter(AppLives.self).callers
    private lazy var instances = InstanceShelf(shell.adapter(SessionStore.self))
    private var running: [String: Running] = [:]
    private var lastInhibitor: UInt32 = 0
    private var lastClient: UInt32 = 0
    private(set) var isSessionRunning = true

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.sessionPrograms]

    func start() {
        for app in instances.load() {
            shell.log.warning("what comes back of an app is not understood, and is left out: \(app.prefix(64).debugDescription)")
        }
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .life(let effect) = effect else { return }
        switch effect {
        case .inhibitorEnded(let id): bus.inhibitorEnded(id)
        case .forbidBackground(let app): bus.forbidBackground(app)
        case .queryEnd(let id): bus.queryEnd(id)
        case .cancelEnd(let id): bus.cancelEnd(id)
        case .endClient(let id, let isForced): bus.endSession(id, isForced: isForced)
        case .sessionEnds:
            isSessionRunning = false
            bus.sessionEnds()
        case .sessionGoesOn:
            isSessionRunning = true
            bus.sessionGoesOn()
        default: break
        }
    }

    /// The shell ends the app to free memory, so it did not crash.
    func ends(_ app: AppProcess) {
        for (id, one) in running where one.process == app { running[id]!.isWanted = true }
    }

    func stop() { instances.finish() }
}

extension SessionPrograms: SessionHost {
    // MARK: Instances

    func beginInstance(of app: String, by caller: LifeCaller) -> StartedInstance {
        let workspace = shell.system.workspace, launch = callers.launch(caller), name = workspace.appID(named: app)
        // The placeholder of this process itself does not count as awaited, even before its window appears.
        let isAwaited = workspace.windows.values.contains { window in
            guard let placeholder = window.placeholder, window.app == name else { return false }
            return launch == nil || placeholder.launch != launch?.id
        }
        let begun = instances.begin(
            app, isComingBack: launch?.placeholder != nil, isAwaited: isAwaited,
            isPristine: shell.system.lifecycle.crashes.pristine.contains(name))
        shell.receive(.life(.instanceBegan(app: name, hasState: begun.hasState)))
        running[begun.id] = Running(app: app, process: callers.process(caller))
        return StartedInstance(reason: begun.reason, id: begun.id, discarded: begun.discarded)
    }

    func finishInstance(_ id: String, of app: String) {
        running[id] = nil
        // An app whose window closed because the session ends comes back with the window (W-20).
        let comesBack = shell.system.lifecycle.isLeaving
        instances.change(app) { if comesBack { $0.gone(id, isWanted: true) } else { $0.finished(id) } }
    }

    func instanceGone(_ id: String, of app: String) {
        let isWanted = running.removeValue(forKey: id)?.isWanted ?? false
        instances.change(app) { $0.gone(id, isWanted: isWanted || !isSessionRunning) }
    }

    /// The bytes that are kept about the instances of each app.
    var instanceSizes: [String: Int] { instances.sizes }

    func forgetInstances(of app: String) { instances.change(app) { $0.forget() } }

    func deletedInstances(_ ids: [String], of app: String) { instances.change(app) { $0.deleted(ids) } }

    // MARK: Inhibitors

    func inhibit(_ kinds: Inhibitor.Kinds, app: String, reason: String, by caller: LifeCaller) -> InhibitorID {
        lastInhibitor += 1
        let id = InhibitorID(lastInhibitor)
        shell.receive(.life(.inhibited(Inhibitor(id, of: owner(app, caller), reason: reason, kinds: kinds))))
        return id
    }

    func uninhibit(_ id: InhibitorID) { shell.receive(.life(.uninhibited(id))) }

    func allowedInBackground(_ apps: [String]) { shell.receive(.life(.backgroundAllowed(apps.map(shell.system.workspace.appID(named:))))) }

    func mayRestore(_ app: String, _ caller: LifeCaller) -> Bool { callers.identity(caller).allows(.restore, for: app) }

    /// A program in a sandbox cannot speak for another app.
    private func owner(_ app: String, _ caller: LifeCaller) -> SessionOwner {
        let isOwn = app.isEmpty || callers.identity(caller).isSandboxed
        let name = isOwn ? callers.trustedApp(caller) : shell.system.workspace.appID(named: app)
        return SessionOwner(process: callers.process(caller), name: name)
    }

    // MARK: The end of the session

    func registerClient(app: String, by caller: LifeCaller) -> SessionClientID {
        lastClient += 1
        let id = SessionClientID(lastClient)
        shell.receive(.life(.clientRegistered(id, owner(app, caller))))
        return id
    }

    func unregisterClient(_ id: SessionClientID) { shell.receive(.life(.clientLeft(id))) }

    func clientAnswered(_ id: SessionClientID, objection: String?) {
        shell.receive(.life(.clientAnswered(id, objection: objection)))
    }

    func logOut(isForced: Bool, by caller: LifeCaller) throws(LifeError) {
        shell.log.info("process \(caller.process) asks for the end of the session\(isForced ? ", whatever apps say" : "")")
        if let refusal = shell.act(isForced ? .quitAnyway : .quit) { throw LifeError(.noApp, refusal.reason) }
    }
}
