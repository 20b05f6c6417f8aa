import LifeService
import Lifecycle
import Multitasking

/// The background tasks of apps, and the programs that are told about them (S-06).
final class AppTasks {
    private struct Task {
        weak var client: (any LifeClient)?
    }

    private unowned let shell: Shell
    private let callers: LifeCallers
    private var tasks: [TaskID: Task] = [:]
    private var last: UInt64 = 0

    init(_ shell: Shell, _ callers: LifeCallers) {
        self.shell = shell
        self.callers = callers
    }

    func begin(_ name: String, by caller: LifeCaller, for client: any LifeClient) throws(LifeError) -> TaskID {
        let lifecycle = shell.system.lifecycle
        guard let app = callers.process(caller), lifecycle.apps[app] != nil else {
            throw LifeError(.noApp, "process \(caller.process) belongs to no app that has a window")
        }
        last += 1
        let id = TaskID(last)
        shell.receive(.life(.taskBegan(id, app, name: name)))
        guard shell.system.lifecycle.hasTask(id) else {
            throw LifeError(.tooMany, "an app can have \(lifecycle.rules.mostTasks) background tasks")
        }
        tasks[id] = Task(client: client)
        return id
    }

    func advance(_ id: TaskID, to progress: Double) {
        if tasks[id] != nil { shell.receive(.life(.taskAdvanced(id, progress: progress))) }
    }

    /// - Parameter text: the text about its end; nil: none.
    func end(_ id: TaskID, telling text: String? = nil) {
        if tasks.removeValue(forKey: id) != nil { shell.receive(.life(text.map { .taskFinished(id, text: $0) } ?? .taskEnded(id))) }
    }

    // MARK: From the core

    func expires(_ id: TaskID, in seconds: Double) { tasks[id]?.client?.taskExpires(id, in: seconds) }

    func expired(_ id: TaskID) { tasks[id]?.client?.taskExpired(id) }
}

/// Programs that follow the life of their app.
final class LifeFollowers {
    private struct Follower {
        weak var client: (any LifeClient)?
        let caller: LifeCaller
        var process: AppProcess?
        /// The phase that was last sent to it.
        var lastSent: VisiblePhase?
    }

    private unowned let shell: Shell
    private let callers: LifeCallers
    private var followers: [ObjectIdentifier: Follower] = [:]

    init(_ shell: Shell, _ callers: LifeCallers) {
        self.shell = shell
        self.callers = callers
    }

    var isEmpty: Bool { followers.isEmpty }

    func add(_ client: any LifeClient, _ caller: LifeCaller) -> VisiblePhase? {
        var follower = Follower(client: client, caller: caller, process: callers.process(caller))
        follower.lastSent = phase(follower.process)
        followers[ObjectIdentifier(client)] = follower
        return follower.lastSent
    }

    func remove(_ client: any LifeClient) { followers[ObjectIdentifier(client)] = nil }

    func appsChanged() {
        for id in followers.keys { followers[id]!.process = callers.process(followers[id]!.caller) }
    }

    /// Sends the new phase to every program whose app changed its phase.
    func tellPhases() {
        for (id, follower) in followers {
            guard let phase = phase(follower.process), phase != follower.lastSent else { continue }
            followers[id]!.lastSent = phase
            follower.client?.phaseChanged(phase)
        }
    }

    func tell(_ process: AppProcess, _ body: (any LifeClient) -> Void) {
        for follower in followers.values where follower.process == process {
            if let client = follower.client { body(client) }
        }
    }

    private func phase(_ process: AppProcess?) -> VisiblePhase? {
        process.flatMap { shell.system.lifecycle.phase($0) }.map(VisiblePhase.init)
    }
}
