import Descriptors
import Glibc
import LinuxLibrary
import MessageBus
import Processes

/// Puts each app's processes into a group of its own, so that a background app uses nothing while it is frozen (S-08) and
/// goes on as it was (S-06); kills a whole app; and says what became of it. When to do what is decided elsewhere.
///
/// Belongs to one thread, whose event loop watches `descriptor` and calls `drain()` when it is readable. Nothing waits but
/// `stop()`: what may wait for the kernel is done on another thread, and the service manager is asked without waiting.
public final class AppScopes {
    /// The best that this machine has. An app for which it fails gets the next best; `ScopeReport.adopted` says which.
    public let means: ScopeMeans
    /// The same in words for a person.
    public let detail: String

    /// Readable when `drain()` has something to do.
    public var descriptor: Int32 { polled.number }

    /// The process that thaws all when this one is gone; nil: nothing was frozen yet, or there is to be none.
    public var guardProcess: Int32? { guardLink.process }

    /// What came of work on the other thread.
    enum Outcome: Sendable {
        case made(UInt64, Group, unit: String?, ScopeMeans, status: Int32)
        case asked(UInt64, request: UInt64, status: Int32, isFrozen: Bool)
        case thawed(UInt64, request: UInt64, status: Int32)
    }

    /// In the events of `polled`. Greater ones are serials of scopes.
    enum Tag {
        static let timer: UInt64 = 0, groups: UInt64 = 1, worker: UInt64 = 2, bus: UInt64 = 3, thawGuard: UInt64 = 4
        static let first: UInt64 = 16
    }

    let machine: Machine
    let polled: Descriptor
    let timer: Descriptor
    /// Tells changes of the groups' events.
    let notices: Descriptor
    let worker = Worker<Outcome>(owner: "worker of control groups")
    let manager: UserManager?
    let guardLink: GuardLink
    private let session: String
    private var sessionGroups: [ControlGroups.Kind: SessionGroups] = [:]
    /// By head.
    var scopes: [Int32: Scope] = [:]
    /// Those that were released and still have processes as well.
    var bySerial: [UInt64: Scope] = [:]
    private var lastSerial = Tag.first
    var reports: [ScopeReport] = []
    private(set) var isStopped = false
    /// What is watched of the bus.
    var watchedBus: (descriptor: Int32, events: UInt32) = (-1, 0)
    var isDraining = false

    /// Looks at what the machine has; makes a few folders.
    ///
    /// - Parameters:
    ///   - session: the Wayland socket's name: the folder of the groups bears it.
    ///   - environment: finds the service manager. `MULLION_SCOPES` names one means to be used alone.
    ///   - guardCommand: runs `ThawGuard.run()`; nil: what is frozen stays so when this process is killed.
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
        // What an earlier shell of this session left frozen goes on now.
        for means in machine.chain { if let kind = means.kind { _ = groups(kind) } }
    }

    deinit { stop() }

    /// What `init` would take, for who only wants to know.
    public static func detect(environment: [String: String]) -> (means: ScopeMeans, detail: String) {
        let machine = Machine.look(environment: environment)
        return (machine.chain[0], machine.detail)
    }

    /// Makes a scope for the process and all that it started, but for those that are in another scope. Comes to
    /// `.adopted` or `.failed`.
    ///
    /// - Parameter app: its desktop id. It becomes part of the group's name.
    public func adopt(_ process: Int32, app: String) {
        guard !isStopped else { return }
        defer { follow() }
        if let old = scopes[process] {
            if !old.headHasEnded {
                if old.phase != .making { report(.adopted(process, old.means)) }
                return
            }
            // Another process bears its number by now.
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

    /// Comes to `.frozen`, or to `.failed` after at most 0.3 s; then it runs.
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

    /// Lets it go on; comes to `.thawed`. Nothing happens to what is not frozen and not about to be.
    public func thaw(_ process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        defer { follow() }
        letGoOn(scope)
    }

    /// Kills all of it, frozen or not; comes to `.empty`.
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
            // What is started meanwhile is killed when the group is there.
            StoppedTree(head: process).killAll(others: others(scope))
        }
    }

    /// Tells the kernel which apps go first when memory runs out: /proc/PID/oom_score_adj of all in the scope, -1000 to
    /// 1000. What may not be lowered stays as it is.
    public func weigh(_ process: Int32, oomScore: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        let weigh: @Sendable ([Int32]) -> Void = { all in
            for each in all { _ = writeSmallFile("/proc/\(each)/oom_score_adj", "\(oomScore)") }
        }
        switch scope.hold {
        case .group(let group, _, _):
            worker.add {
                weigh(group.processes)
                return nil
            }
        case .tree, .none: weigh([process] + ProcessTree.descendants(of: process, passesOver: others(scope).contains))
        }
    }

    /// The app is gone: nothing is reported of it any more. What is left of its processes goes on, and its group goes
    /// with the last one.
    public func release(_ process: Int32) {
        guard !isStopped, let scope = scopes[process] else { return }
        defer { follow() }
        setAside(scope)
    }

    /// Those in the scope, in no order that means anything; none when there is no such scope or it is still being made.
    public func processes(in process: Int32) -> [Int32] {
        guard !isStopped, let scope = scopes[process] else { return [] }
        switch scope.hold {
        case .group(let group, _, _): return group.processes
        case .tree(let tree): return tree.members(others: others(scope)).map(\.pid)
        case .none: return []
        }
    }

    /// Thaws everything and removes what is empty. For the way out: it waits until that is done, and nothing happens here
    /// afterwards.
    public func stop() {
        guard !isStopped else { return }
        for scope in bySerial.values {
            letGoOn(scope)
            leaveGroup(scope, patience: scope.phase == .ending ? 20 : 1)
        }
        isStopped = true
        worker.finish()
        for groups in sessionGroups.values { groups.remove() }
        guardLink.stop()
        (scopes, bySerial, sessionGroups, reports) = ([:], [:], [:], [])
        leaveBus()
        manager?.willClose = {}
        manager?.close()
        follow()
    }

    // MARK: For the other files

    /// nil: they cannot be made any more.
    func groups(_ kind: ControlGroups.Kind) -> SessionGroups? {
        if let known = sessionGroups[kind] { return known }
        guard let parent = machine.folders[kind] else { return nil }
        sessionGroups[kind] = SessionGroups(session: session, kind: kind, below: parent)
        return sessionGroups[kind]
    }

    /// Heads of the other scopes; what they started is theirs.
    func others(_ scope: Scope) -> Set<Int32> {
        Set(bySerial.values.lazy.filter { $0 !== scope }.map(\.head))
    }

    func report(_ news: ScopeReport) { reports.append(news) }

    func report(_ news: ScopeReport, of scope: Scope) {
        if !scope.isReleased { reports.append(news) }
    }

    /// Of no interest any more, but it may still have processes.
    private func setAside(_ scope: Scope) {
        letGoOn(scope)
        scope.isReleased = true
        scopes[scope.head] = nil
    }

    /// Why a process may not be held: frozen, these would hold up the shell itself.
    private func refusal(_ process: Int32) -> String? {
        if process <= 1 { return "process \(process) is no app" }
        if process == getpid() { return "it is the shell itself" }
        if process == guardLink.process { return "it is the guard of frozen apps" }
        return ProcessTree.ancestors(of: getpid()).contains(process) ? "the shell was started by it" : nil
    }
}

extension ScopeMeans {
    /// The groups that it makes below the shell's own.
    var kind: ControlGroups.Kind? {
        switch self {
        case .cgroup2: .unified
        case .freezer1: .freezer
        case .systemd, .processes: nil
        }
    }
}
