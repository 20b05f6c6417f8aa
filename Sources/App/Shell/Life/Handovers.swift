import AppScopes
import Clocks
import Compositor
import Geometry
import Glibc
import Lifecycle
import MessageBus
import Multitasking
import Windows

/// Reports programs that the app in front starts, and that hand what they are to show to an app that runs already by a socket of it: a
/// terminal whose shell runs `chromium URL` (W-19). Such a program has no activation token to give, as the terminal used its own. The core
/// decides whether a person asked.
///
/// Two things show that an app took something over. A second process of its own program is connected to it. Or the app asks to come
/// forward while, or just after, a process is connected to it or was such a second one.
final class Handovers {
    /// Returns the processes of an app.
    var members: (AppProcess) -> [Int32] = { _ in [] }

    private unowned let shell: Shell
    private let watch = HandoverWatch()
    private var sources: [EventSource] = []
    private var timer: EventSource?
    /// The clients whose programs are watched.
    private var clients: Set<Int32> = []
    private var apps: [HandoverWatch.App] = []
    /// Looks go on until then, as a program was started.
    private var looksUntil: Int64 = 0
    /// The processes that were seen, and when they were last.
    private var seen: [Int32: (started: HandoverWatch.Started, when: Int64)] = [:]
    /// Processes for which an app came forward: each counts once.
    private var spent: Set<Int32> = []
    /// The clients that ask to come forward, and when they did.
    private var asking: [Int32: Int64] = [:]

    /// How long what a program has started is followed, and how long an app has to ask, in nanoseconds.
    private static let patience: Int64 = 3_000_000_000
    /// Between two looks, in nanoseconds. A look takes about a millisecond on another thread.
    private static let pause: Int64 = 15_000_000

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        sources = [
            shell.compositor.watch(fd: watch.descriptor) { [unowned self] _ in drain() }
        ]
        if watch.opens >= 0 { sources.append(shell.compositor.watch(fd: watch.opens) { [unowned self] _ in opened() }) }
        timer = shell.compositor.timer { [unowned self] in look() }
    }

    func stop() {
        for source in sources { source.cancel() }
        sources = []
        timer?.cancel()
        timer = nil
        watch.stop()
    }

    func happened(_ event: Event) {
        switch event {
        case .windowMapped, .windowsMapped, .windowUnmapped, .windowDestroyed: follow()
        case .activationAsked(let id, hasRecentSerial: false, _): asks(id)
        case .tokenShownAgain(let id, _, _): asks(id)
        default: break
        }
    }

    private func follow() {
        var now: Set<Int32> = []
        for window in shell.system.workspace.windows.values where window.isMapped {
            if let client = window.facts.lineage.first, client > 0 { now.insert(client) }
        }
        guard now != clients, timer != nil else { return }
        let known = Dictionary(uniqueKeysWithValues: apps.map { ($0.process, $0) })
        clients = now
        apps = now.sorted().map { known[$0] ?? HandoverWatch.App(process: $0) }
        watch.follow(Set(apps.map(\.program).filter { !$0.isEmpty && !Launches.isRunner($0) }))
    }

    private var starter: Int32? { shell.system.workspace.usedProcess(at: Moment(nanoseconds: Clocks.monotonicNanoseconds)) }

    private func opened() {
        watch.opened()
        begin()
    }

    private func asks(_ id: WindowID) {
        guard let client = shell.system.workspace[id]?.facts.lineage.first, client > 0, let starter, starter != client else { return }
        let now = Clocks.monotonicNanoseconds
        // One that asks again and again makes no more work than others.
        if let before = asking[client], now - before < Self.patience / 10 { return }
        asking[client] = now
        begin()
        judge()
    }

    /// Nothing is looked at unless a person uses an app that may have started something.
    private func begin() {
        guard apps.count > 1, starter != nil else { return }
        looksUntil = Clocks.monotonicNanoseconds + Self.patience
        look()
    }

    private func look() {
        let now = Clocks.monotonicNanoseconds
        guard now < looksUntil, let starter else { return forget(now) }
        let windows = shell.system.workspace.windows.values
        let app = windows.first { $0.facts.lineage.first == starter }.flatMap { shell.system.lifecycle.app(of: $0.id) }
        watch.look(from: starter, members: app.map(members) ?? [], to: apps)
    }

    private func drain() {
        guard let found = watch.drain() else { return }
        let now = Clocks.monotonicNanoseconds
        for each in found {
            // A connection may be over as soon as it has been seen.
            var each = each
            if each.app == nil { each.app = seen[each.process]?.started.app }
            seen[each.process] = (each, now)
            // The processes of such a program that it starts itself.
            if each.ancestors.contains(where: spent.contains) { spent.insert(each.process) }
        }
        judge()
        forget(now)
        // Once nothing is left of what was started, only an app that asks has a reason to look.
        if found.isEmpty { looksUntil = min(looksUntil, now + Self.patience / 10) }
        if now < looksUntil { timer?.arm(Moment(nanoseconds: now + Self.pause)) }
    }

    private func judge() {
        for (process, each) in seen.sorted(by: { $0.key < $1.key }) where !spent.contains(process) {
            guard let app = taker(each.started) else { continue }
            spent.insert(process)
            spent.formUnion(seen.filter { $0.value.started.program == each.started.program }.keys)
            asking[app] = nil
            shell.receive(.showAsked(of: app, by: [process] + each.started.ancestors))
        }
    }

    /// The app that took over the work of this process.
    private func taker(_ started: HandoverWatch.Started) -> Int32? {
        let isRunner = Launches.isRunner(started.program)
        if let app = started.app, let client = apps.first(where: { $0.process == app }) {
            return (client.program == started.program && !isRunner) || asking[app] != nil ? app : nil
        }
        guard !isRunner, !clients.contains(started.process) else { return nil }
        return apps.first { $0.program == started.program && asking[$0.process] != nil }?.process
    }

    private func forget(_ now: Int64) {
        asking = asking.filter { now - $0.value < Self.patience }
        seen = seen.filter { now - $0.value.when < Self.patience }
        spent = spent.filter { seen[$0] != nil }
    }
}
