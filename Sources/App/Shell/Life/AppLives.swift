import AppScopes
import Compositor
import Descriptors
import Geometry
import Glibc
import Lifecycle
import Logging
import Multitasking
import Processes
import Windows

/// Puts each app into a scope, and freezes, thaws and kills it there (S-03, S-06, S-08).
final class AppLives: EventObserver {
    private unowned let shell: Shell
    private var scopes: AppScopes?
    private var pressure: PressureWatch?
    private var sources: [EventSource] = []
    /// Frozen apps, whose connections the shell watches.
    private var frozen: Set<AppProcess> = []
    private lazy var waking = Waking(shell)
    private lazy var showRequests = ShowRequests(shell)
    private lazy var handovers = Handovers(shell)
    /// Messages that the user has seen once already.
    private var loggedFailures: Set<String> = []
    let states: AppStates
    let tasks: AppTasks
    let followers: LifeFollowers
    let callers: LifeCallers
    /// The apps at the time when programs were last matched to apps.
    private var known: [AppProcess] = []
    /// Called once, when every app has handed over its state or run out of time.
    private var whenSaved: [() -> Void] = []

    /// The shell's own score for the kernel's out-of-memory killer. A service manager may have started it with 100 or 200.
    private let ownScore = readSmallFile("/proc/self/oom_score_adj").flatMap { Int32($0.split(separator: "\n").first ?? "") } ?? 0

    init(_ shell: Shell) {
        self.shell = shell
        callers = LifeCallers(shell)
        states = AppStates(shell, callers)
        tasks = AppTasks(shell, callers)
        followers = LifeFollowers(shell, callers)
        shell.compositor.lifeHost = self
    }

    let carriesOut = [Effect.Kind.life]

    /// How apps are frozen, for reports; nil before the start.
    var means: ScopeMeans? { scopes?.means }

    func start() {
        shell.adapter(Clients.self).onContainerGone = { [unowned self] in states.forget(container: $0) }
        waking.members = { [unowned self] in self.scopes?.processes(in: $0.head) ?? [] }
        let scopes = AppScopes(session: shell.compositor.socket, environment: shell.environment, guardCommand: Self.guardCommand)
        self.scopes = scopes
        showRequests.start()
        handovers.members = waking.members
        handovers.start()
        shell.log.debug("apps are frozen by \(scopes.means.rawValue): \(scopes.detail)")
        sources.append(shell.compositor.watch(fd: scopes.descriptor) { [unowned self] _ in drain() })
        let pressure = PressureWatch(shell.compositor, shell.system.lifecycle.rules, environment: shell.environment) { [unowned shell] in
            shell.receive(.life($0))
        }
        self.pressure = pressure
        shell.log.info("memory pressure is noticed by \(pressure.means.rawValue): \(pressure.detail)")
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .life(let effect) = effect, let scopes else { return }
        switch effect {
        case .adopt(let app, let name): scopes.adopt(app.head, app: name)
        case .freeze(let app):
            waking.willFreeze(app) {
                scopes.freeze(app.head)
                FaultPoint.reach(.freezes)
            }
        case .thaw(let app):
            frozen.remove(app)
            waking.goesOn(app)
            FaultPoint.reach(.thaws)
            scopes.thaw(app.head)
        case .kill(let app):
            shell.adapter(SessionPrograms.self).ends(app)
            frozen.remove(app)
            waking.goesOn(app)
            shell.log.notice("memory is short: \(name(of: app)) is ended while it is in the background")
            scopes.kill(app.head)
        case .endByForce(let app):
            frozen.remove(app)
            waking.goesOn(app)
            shell.log.notice("\(name(of: app)) does not end, and is ended as the person wishes")
            scopes.kill(app.head)
        case .askToEnd(let app): scopes.askToEnd(app.head)
        case .standing(let app, let standing):
            if standing == .background { FaultPoint.reach(.left) }
            scopes.setOOMScore(standing.oomScore(shell: ownScore), of: app.head)
        case .saveState(let state, let token): states.ask(state, token)
        case .allSaved:
            let waiting = whenSaved
            whenSaved = []
            for body in waiting { body() }
        case .resumed(let app, let seconds): followers.tell(app) { $0.resumed(after: seconds) }
        case .watchMemory(let isWanted): pressure?.look(isWanted)
        case .memoryLow(let app): followers.tell(app) { $0.memoryIsLow() }
        case .taskExpires(let id, let seconds): tasks.expires(id, in: seconds)
        case .taskExpired(let id): tasks.expired(id)
        // `SessionPrograms` takes these.
        case .inhibitorEnded, .forbidBackground, .queryEnd, .cancelEnd, .endClient, .sessionEnds, .sessionGoesOn: break
        }
    }

    /// Asks every app for its state. Calls `body` when all have answered or run out of time.
    func saveAll(then body: @escaping () -> Void) {
        whenSaved.append(body)
        shell.receive(.life(.saveAll))
    }

    func didCarryOut(_ event: Event) {
        handovers.happened(event)
        guard !states.isEmpty || !followers.isEmpty else { return }
        let apps = shell.system.lifecycle.apps.keys
        if !apps.elementsEqual(known) {
            known = Array(apps)
            states.appsChanged()
            followers.appsChanged()
        }
        followers.tellPhases()
    }

    private func drain() {
        guard let scopes else { return }
        for report in scopes.drain() {
            switch report {
            case .frozen(let head):
                FaultPoint.reach(.frozen)
                frozen.insert(AppProcess(head))
                waking.froze(AppProcess(head))
                shell.receive(.life(.frozen(AppProcess(head))))
            case .failed(let head, let reason):
                let app = AppProcess(head)
                waking.goesOn(app)
                if loggedFailures.insert("\(head) \(reason)").inserted { shell.log.debug("\(name(of: app)) is not frozen: \(reason)") }
                shell.receive(.life(.freezeFailed(app, reason: reason)))
            case .empty(let head):
                frozen.remove(AppProcess(head))
                waking.goesOn(AppProcess(head))
            case .adopted(let head, _): tellProgram(head)
            case .thawed: FaultPoint.reach(.thawed)
            }
        }
    }

    /// The command that the app was started with, in case the shell has to start it again.
    private func tellProgram(_ head: Int32) {
        guard let bytes = readSmallFile("/proc/\(head)/cmdline", limit: 1 << 16) else { return }
        let command = bytes.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        guard command.first?.isEmpty == false else { return }
        var room = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(head)/cwd", &room, room.count)
        let folder = count > 0 ? String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        shell.receive(.programKnown(AppProcess(head), command: command, directory: folder, started: ProcessTree.record(of: head)?.start))
    }

    private func name(of app: AppProcess) -> String {
        let name = shell.system.lifecycle.apps[app]?.name ?? ""
        return name.isEmpty ? "\(app)" : name
    }

    /// A frozen client reads nothing. Thaw it for a moment before the shell's events fill its connection.
    func turned() {
        guard !frozen.isEmpty else { return }
        for app in frozen {
            guard let life = shell.system.lifecycle.apps[app] else {
                frozen.remove(app)
                continue
            }
            let clients = Set(life.windows.compactMap { shell.system.workspace[$0]?.facts.lineage.first })
            if shell.compositor.mostUnread(by: clients) > Self.mostUnread { shell.receive(.life(.connectionFills(app))) }
        }
    }

    func stop() {
        for source in sources { source.cancel() }
        sources.removeAll()
        pressure?.stop()
        pressure = nil
        waking.stop()
        showRequests.stop()
        handovers.stop()
        scopes?.thawAll()
    }

    /// The programs that the shell launched have ended: their groups can be removed.
    func programsEnded() {
        scopes?.stop()
        scopes = nil
    }

    /// A connection's buffers hold about 200 KiB.
    private static let mostUnread = 48 << 10

    /// The command that runs this program as the guard, which thaws all apps if the shell is killed.
    private static let guardCommand: [String]? = {
        if let named = getenv("MULLION_BINARY"), named.pointee != 0 { return [String(cString: named), ThawGuard.word] }
        // Within another program, such as a conformance suite, the shell's program is in the same folder or missing.
        return OwnProgram.companion("mullion").map { [$0, ThawGuard.word] }
    }()
}
