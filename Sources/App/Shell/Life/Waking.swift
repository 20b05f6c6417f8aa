import AppScopes
import Clocks
import Compositor
import Geometry
import Glibc
import Lifecycle
import MessageBus
import Multitasking

/// Wakes a frozen app when another program needs its answer: it calls the app on the session bus or the accessibility bus,
/// connects to a socket of the app, or wants data that the app copied.
final class Waking {
    private unowned let shell: Shell
    private let sessionCalls: FrozenCalls, accessibilityCalls: FrozenCalls
    /// Returns the processes of an app.
    var members: (AppProcess) -> [Int32] = { _ in [] }
    /// Apps whose freeze waits until calls are seen.
    private var freezing: Set<AppProcess> = []
    /// Frozen apps with their processes. A frozen process cannot start another, so the list stays complete.
    private var frozen: [AppProcess: Set<Int32>] = [:]
    private let connections = ConnectionWatch()
    private var sources: [EventSource] = []
    private var timer: EventSource?
    /// Apps that were frozen: requests to them wait until they have taken their turn.
    private var turns = FirstTurns()
    private var turnTimer: EventSource?

    /// How often connections that wait are looked for while a frozen app listens, in nanoseconds. The kernel reports none by itself.
    private static let look: Int64 = 500_000_000

    init(_ shell: Shell) {
        self.shell = shell
        sessionCalls = FrozenCalls(shell, "session bus") { [unowned shell] in BusAddress.session(shell.environment) }
        // A screen reader waits for the app that it asked, and is silent until the answer comes.
        accessibilityCalls = FrozenCalls(shell, "accessibility bus") { [unowned shell] in shell.adapter(Accessibility.self).address }
        for calls in [sessionCalls, accessibilityCalls] { calls.onCall = { [unowned self] in heard($0) } }
        sessionCalls.onNotificationUsed = { [unowned shell] in shell.receive(.life(.notificationUsed)) }
        shell.compositor.onOwnerAsked = { [unowned self] owner in
            switch owner {
            case .process(let process): if let app = app(of: process) { called(app) }
            case .x11: for app in still where isX11(app) { called(app) }
            }
            waitForTurn(of: owner)
        }
        shell.compositor.mustRunFirst = { [unowned self] owner in
            let now = Moment(nanoseconds: Clocks.monotonicNanoseconds)
            return waited(of: owner).contains { turns.waits($0, at: now) }
        }
    }

    /// Calls `freeze` as soon as calls to the app are seen, unless the app is thawed before.
    func willFreeze(_ app: AppProcess, _ freeze: @escaping () -> Void) {
        freezing.insert(app)
        sessionCalls.begin { [unowned self] in
            accessibilityCalls.begin { [unowned self] in if freezing.contains(app) { freeze() } }
        }
    }

    /// All processes of the app are frozen.
    func froze(_ app: AppProcess) {
        guard freezing.remove(app) != nil else { return }
        let processes = Set(members(app)).union([app.head])
        frozen[app] = processes
        turns.froze(app, ProcessSights.look(at: processes))
        if sources.isEmpty { sources.append(shell.compositor.watch(fd: connections.descriptor) { [unowned self] _ in drainConnections() }) }
        connections.begin(app.head, processes: processes.sorted())
    }

    /// The app runs again, or has ended.
    func goesOn(_ app: AppProcess) {
        freezing.remove(app)
        frozen[app] = nil
        turns.goesOn(app, at: Moment(nanoseconds: Clocks.monotonicNanoseconds))
        connections.end(app.head)
        guard still.isEmpty else { return }
        sessionCalls.end()
        accessibilityCalls.end()
    }

    func stop() {
        shell.compositor.onOwnerAsked = { _ in }
        shell.compositor.mustRunFirst = { _ in false }
        turns = FirstTurns()
        turnTimer?.cancel()
        turnTimer = nil
        shell.compositor.handOver()
        (freezing, frozen) = ([], [:])
        timer?.cancel()
        timer = nil
        sources.forEach { $0.cancel() }
        sources = []
        connections.stop()
        sessionCalls.stop()
        accessibilityCalls.stop()
    }

    private var still: [AppProcess] { (freezing.union(frozen.keys)).sorted() }

    /// The frozen app that the process belongs to.
    private func app(of process: Int32) -> AppProcess? {
        if let app = frozen.first(where: { $0.value.contains(process) }) { return app.key }
        return freezing.sorted().first { $0.head == process || members($0).contains(process) }
    }

    private func heard(_ call: CallWatch.Call) {
        guard let app = app(of: call.callee) else { return }
        // The shell decides for each of its own calls whether it wakes the app. An app's calls to itself can wait.
        if let caller = call.caller, caller == getpid() || self.app(of: caller) == app { return }
        called(app)
    }

    private func isX11(_ app: AppProcess) -> Bool {
        shell.system.lifecycle.apps[app]?.windows.contains { shell.system.workspace[$0]?.facts.isX11 ?? false } ?? false
    }

    // MARK: Turns

    /// The apps of this owner that have not run since they were frozen.
    private func waited(of owner: SelectionOwner) -> [AppProcess] {
        switch owner {
        case .process(let process): turns.app(of: process).map { [$0] } ?? []
        case .x11: turns.apps.filter(isX11)
        }
    }

    /// Something is wanted of this owner, and waits if the owner has to run first.
    private func waitForTurn(of owner: SelectionOwner) {
        let now = Moment(nanoseconds: Clocks.monotonicNanoseconds)
        for app in waited(of: owner) where turns.waits(app, at: now) { turns.asked(app, at: now) }
        guard let next = turns.nextLook(after: now) else { return }
        if turnTimer == nil { turnTimer = shell.compositor.timer { [unowned self] in lookAtTurns() } }
        turnTimer?.arm(next)
    }

    private func lookAtTurns() {
        let now = Moment(nanoseconds: Clocks.monotonicNanoseconds)
        for app in turns.toLookAt { turns.looked(app, ProcessSights.look(at: Set(members(app)).union([app.head])), at: now) }
        for app in turns.takeNudges() {
            for window in shell.system.lifecycle.apps[app]?.windows ?? [] { shell.compositor.nudge(window) }
        }
        if turns.review(at: now) { shell.compositor.handOver() }
        turnTimer?.arm(turns.nextLook(after: now))
    }

    // MARK: Connections

    private func drainConnections() {
        for call in connections.drain() { shell.receive(.life(.connected(AppProcess(call.app), callers: call.callers))) }
        guard connections.isNeeded else { return }
        if timer == nil { timer = shell.compositor.timer { [unowned self] in lookForConnections() } }
        timer?.arm(Moment(nanoseconds: Clocks.monotonicNanoseconds + Self.look))
    }

    private func lookForConnections() {
        let launches = shell.system.workspace.launches.fresh(at: Moment(nanoseconds: Clocks.monotonicNanoseconds))
        connections.look(programs: launches.compactMap(\.process))
    }

    private func called(_ app: AppProcess) { shell.receive(.life(.called(app))) }
}
