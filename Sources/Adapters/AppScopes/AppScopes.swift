import Descriptors
import Glibc
import LinuxLibrary
import MessageBus
import Processes

/// Puts each app's processes into a group of its own, so that the shell can freeze a background app (S-08), thaw it
/// unchanged (S-06) and kill it as a whole. Reports the results. The core decides when.
///
/// Belongs to one thread, whose event loop watches `descriptor` and calls `drain()` when it is readable. Only `stop()`
/// waits: another thread makes the calls that may block in the kernel, and requests to the service manager are
/// asynchronous.
public final class AppScopes {
    /// The best means that this machine has. If it fails for an app, the next one is tried; see `ScopeReport.adopted`.
    public let means: ScopeMeans
    /// `means` in words for a person.
    public let detail: String

    /// Readable when `drain()` has something to do.
    public var descriptor: Int32 { polled.number }

    /// The guard, which thaws everything once this process has ended; nil before the first freeze, or without a guard.
    public var guardProcess: Int32? { guardLink.process }

    /// The outcome of work on the other thread.
    enum Outcome: Sendable {
        case made(UInt64, Group, unit: String?, ScopeMeans, status: Int32)
        case asked(UInt64, request: UInt64, status: Int32, isFrozen: Bool)
        case thawed(UInt64, request: UInt64, status: Int32)
    }

    /// Tags of the events of `polled`. Greater numbers are serials of scopes.
    enum Tag {
        static let timer: UInt64 = 0, groups: UInt64 = 1, worker: UInt64 = 2, bus: UInt64 = 3, thawGuard: UInt64 = 4
        static let first: UInt64 = 16
    }

    let machine: Machine
    let polled: Descriptor
    let timer: Descriptor
    /// The inotify descriptor for the groups' event files.
    let notices: Descriptor
    let worker = Worker<Outcome>(owner: "worker of control groups")
    let manager: UserManager?
    let guardLink: GuardLink
    private let session: String
    private var sessionGroups: [ControlGroups.Kind: SessionGroups] = [:]
    /// The scopes by their heads.
    var scopes: [Int32: Scope] = [:]
    /// All scopes by serial, including released ones that still have processes.
    var bySerial: [UInt64: Scope] = [:]
    private var lastSerial = Tag.first
    var reports: [ScopeReport] = []
    private(set) var isStopped = false
    private var isGone = false
    /// The bus descriptor that `polled` watches, and for which events.
    var watchedBus: (descriptor: Int32, events: UInt32) = (-1, 0)
    var isDraining = false

    /// Examines the machine and makes a few folders.
    ///
    /// - Parameters:
    ///   - session: the Wayland socket's name, which becomes part of the folder's name.
    ///   - environment: where to find the service manager. `MULLION_SCOPES` selects the only means to use.
    ///   - guardCommand: runs `ThawGuard.run()`; nil: frozen apps stay frozen if this process is killed.
    public init(session: String, environment: [String: String], guardCommand: [String]? = nil) {
        let machine = Machine.look(environment: environment)
        self.session = session
        self.machine = machine
        means = machine.chain[0]
        detail = machine.detail
        polled = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "scopes of apps")
        timer = Descriptor(timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)), owner: "clock of scopes")
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of control groups")
        manager = machine.chain.contains(.systemd) ? machine.manager.map(UserManager.init) : nil
        guardLink = GuardLink(command: guardCommand, environment: environment)
        manager?.willClose = { [unowned self] in leaveBus() }
        watch(timer.number, Tag.timer)
        watch(notices.number, Tag.groups)
        watch(worker.descriptor, Tag.worker)
        watch(guardLink.descriptor, Tag.thawGuard)
        // Thaw groups that an earlier shell of this session left frozen.
        for means in machine.chain { if let kind = means.kind { _ = groups(kind) } }
    }

    deinit { stop() }

    /// The means that `init` would choose, for callers that only want to report it.
    public static func detect(environment: [String: String]) -> (means: ScopeMeans, detail: String) {
        let machine = Machine.look(environment: environment)
        return (machine.chain[0], machine.detail)
    }

    /// Makes a scope for the process and its descendants, except those in another scope. Reports `.adopted` or `.failed`.
    ///
    /// - Parameter app: the app's desktop id, which becomes part of the group's name.
    public func adopt(_ process: Int32, app: String) {
        guard !isStopped else { return }
        defer { follow() }
        if let old = scopes[process] {
            if !old.headHasEnded {
                if old.phase != .making { report(.adopted(process, old.means)) }
                return
            }
            // The kernel has given the old head's number to another process.
            setAside(old)
        }
        if let why = refusal(process) { return report(.failed(process, reason: why)) }
        let file = Descriptor(pidfd_open(process, 0), owner: "head of an app's scope")
        guard file.isOpen else {
            return report(.failed(process, reason: errno == ESRCH ? "there is no such process" : reason(errno)))
        }
        guard !hasEnded(file.number) else { return report(.failed(process, reason: "it has ended")) }
        lastSerial += 1
        let scope = Scope(serial: lastSerial, head: process, app: app, process: file)
        scope.left = machine.chain[...]
        scopes[process] = scope
        bySerial[scope.serial] = scope
        tryNextMeans(scope, why: "")
    }

    /// Freezes a scope. Reports `.frozen`, or `.failed` after at most 0.3 s; then its processes run.
    public func freeze(_ process: Int32) {
        guard !isStopped else { return }
        defer { follow() }
        guard let scope = scopes[process] else { return report(.failed(process, reason: "it is in no scope")) }
        switch scope.phase {
        case .making: report(.failed(process, reason: "its scope is still being made"))
        case .ending: report(.failed(process, reason: "it is being killed"))
        case .freezing: break
        case .frozen: report(.frozen(process))
        case .running: beginToFreeze(scope)
        }
    }

    /// Thaws a scope and reports `.thawed`. Does nothing unless the scope is frozen or about to be.
    public func thaw(_ process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        defer { follow() }
        thawScope(scope)
    }

    /// Kills all processes of a scope, frozen or not. Reports `.empty`.
    public func kill(_ process: Int32) {
        guard !isStopped else { return }
        defer { follow() }
        guard let scope = scopes[process] else { return report(.failed(process, reason: "it is in no scope")) }
        scope.phase = .ending
        scope.request += 1
        scope.lookAt = nil
        switch scope.hold {
        case .group(let group, _, _):
            worker.add {
                group.kill()
                return nil
            }
        case .tree(let tree):
            tree.killAll(others: others(scope))
            unguard(scope)
        case .none:
            // Processes that the app starts in the meantime are killed once the group exists.
            StoppedTree(head: process).killAll(others: others(scope))
        }
    }

    /// Asks all processes of a scope to end (SIGTERM), as the service manager does when it stops one.
    public func askToEnd(_ process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        let members = processes(in: process)
        for member in members { Glibc.kill(member, SIGTERM) }
        // Its group is still being made.
        if members.isEmpty, !scope.headHasEnded { Glibc.kill(process, SIGTERM) }
    }

    /// Tells the kernel which apps to end first when memory runs out: sets /proc/PID/oom_score_adj, -1000 to 1000, for all
    /// processes of the scope. A score that the shell may not lower stays as it is.
    public func setOOMScore(_ score: Int32, of process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        let write: @Sendable ([Int32]) -> Void = { all in
            for each in all { _ = writeSmallFile("/proc/\(each)/oom_score_adj", "\(score)") }
        }
        switch scope.hold {
        case .group(let group, _, _):
            worker.add {
                write(group.processes)
                return nil
            }
        case .tree, .none: write([process] + ProcessTree.descendants(of: process, passesOver: others(scope).contains))
        }
    }

    /// Ends the reports about a scope because its app is gone. Its remaining processes are thawed, and the group is removed
    /// after the last one.
    public func release(_ process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        defer { follow() }
        setAside(scope)
    }

    /// The processes of the scope, in no particular order; none if the scope does not exist or is still being made.
    public func processes(in process: Int32) -> [Int32] {
        guard !isStopped, let scope = scopes[process] else { return [] }
        switch scope.hold {
        case .group(let group, _, _): return group.processes
        case .tree(let tree): return tree.members(others: others(scope)).map(\.pid)
        case .none: return []
        }
    }

    /// Thaws everything and waits until that is done, so that programs can be told to end. For the shell's exit: no method but `stop`
    /// has an effect afterwards.
    public func thawAll() {
        guard !isStopped else { return }
        for scope in bySerial.values { thawScope(scope) }
        isStopped = true
        worker.finish()
    }

    /// The same, and removes all groups. A process that still runs is moved to the shell's own group.
    public func stop() {
        thawAll()
        guard !isGone else { return }
        isGone = true
        for scope in bySerial.values { stopWatching(scope) }
        for groups in sessionGroups.values { groups.remove() }
        guardLink.stop()
        (scopes, bySerial, sessionGroups, reports) = ([:], [:], [:], [])
        leaveBus()
        manager?.willClose = {}
        manager?.close()
        follow()
    }

    // MARK: For the other files

    /// The session's groups of one kind; nil if their folder cannot be made any more.
    func groups(_ kind: ControlGroups.Kind) -> SessionGroups? {
        if let known = sessionGroups[kind] { return known }
        guard let parent = machine.folders[kind] else { return nil }
        sessionGroups[kind] = SessionGroups(session: session, kind: kind, below: parent)
        return sessionGroups[kind]
    }

    /// The heads of the other scopes; their descendants belong to those scopes.
    func others(_ scope: Scope) -> Set<Int32> {
        Set(bySerial.values.lazy.filter { $0 !== scope }.map(\.head))
    }

    func report(_ news: ScopeReport) { reports.append(news) }

    func report(_ news: ScopeReport, of scope: Scope) {
        if !scope.isReleased { reports.append(news) }
    }

    /// Takes a scope out of `scopes` although it may still have processes.
    private func setAside(_ scope: Scope) {
        thawScope(scope)
        scope.isReleased = true
        scopes[scope.head] = nil
    }

    /// The reason why the shell must not hold a process: freezing it would block the shell itself.
    private func refusal(_ process: Int32) -> String? {
        if process <= 1 { return "process \(process) is no app" }
        if process == getpid() { return "it is the shell itself" }
        if process == guardLink.process { return "it is the guard of frozen apps" }
        return ProcessTree.ancestors(of: getpid()).contains(process) ? "the shell was started by it" : nil
    }
}

extension ScopeMeans {
    /// The kind of group that this means makes below the shell's own.
    var kind: ControlGroups.Kind? {
        switch self {
        case .cgroup2: .unified
        case .freezer1: .freezer
        case .systemd, .processes: nil
        }
    }
}
