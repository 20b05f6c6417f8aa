import Clocks
import Glibc
import Processes

/// How scopes are frozen and thawed.
extension AppScopes {
    /// How long a scope may take to freeze, in nanoseconds.
    static var patience: Int64 { 300_000_000 }

    func beginToFreeze(_ scope: Scope) {
        scope.request += 1
        scope.phase = .freezing(until: Clocks.monotonicNanoseconds + Self.patience)
        if let group = scope.group {
            guardItem(group.folder, scope)
            ask(scope, group)
        } else {
            lookAfter(scope)
        }
    }

    private func ask(_ scope: Scope, _ group: Group) {
        scope.lookAt = nil
        let (serial, request) = (scope.serial, scope.request)
        worker.add {
            let status = group.set(frozen: true)
            return .asked(serial, request: request, status: status, isFrozen: status == 0 && group.isFrozen)
        }
    }

    func asked(_ scope: Scope, request: UInt64, status: Int32, isFrozen: Bool) {
        guard case .freezing(let until) = scope.phase, request == scope.request else { return }
        if status != 0 {
            guard case .group(_, let unit?, _) = scope.hold, let manager else {
                return failToFreeze(scope, reason(status))
            }
            manager.freeze(unit, true) { [weak self] outcome in
                guard let self, scope.request == request, case .refused(let why) = outcome else { return }
                failToFreeze(scope, why)
            }
        }
        if isFrozen { return becameFrozen(scope) }
        // cgroup2 reports when the group is frozen. cgroup1's freezer must be polled, and sometimes asked again.
        scope.lookAt = scope.group?.kind == .freezer ? min(until, Clocks.monotonicNanoseconds + Self.pause / 2) : until
    }

    private func becameFrozen(_ scope: Scope) {
        reportThaw(scope)
        scope.phase = .frozen(since: Clocks.monotonicNanoseconds)
        scope.lookAt = scope.isUnwatched ? Clocks.monotonicNanoseconds + Self.pause : nil
        report(.frozen(scope.head), of: scope)
    }

    private func failToFreeze(_ scope: Scope, _ why: String) {
        guard case .freezing = scope.phase else { return }
        resume(scope, nanoseconds: nil)
        report(.failed(scope.head, reason: why), of: scope)
    }

    /// Looks at a scope because its group reported a change or its time to look has come.
    func lookAfter(_ scope: Scope) {
        scope.lookAt = nil
        if let group = scope.group, group.isEmpty { return emptied(scope) }
        scope.emptyLooks = 0
        switch scope.phase {
        case .freezing(let until):
            let isOver = Clocks.monotonicNanoseconds >= until
            switch scope.hold {
            case .group(let group, _, _):
                if group.isFrozen { return becameFrozen(scope) }
                if !isOver, group.kind == .freezer { return ask(scope, group) }
            case .tree(let tree):
                let isAtRest = tree.stop(others: others(scope)) { new in
                    for record in new { guardItem("\(record.pid)@\(record.start)", scope) }
                }
                if isAtRest { return becameFrozen(scope) }
            case .none: break
            }
            if isOver { return failToFreeze(scope, "something in it still ran after \(Double(Self.patience) / 1e9) s") }
            scope.lookAt = scope.group == nil ? min(until, Clocks.monotonicNanoseconds + Self.pause / 2) : until
        case .frozen(let since):
            if scope.isUnwatched { return processEnded(scope) }
            guard let group = scope.group, !group.isFrozen, !group.isToBeFrozen else { return }
            // Another program thawed it.
            scope.phase = .running
            scope.request += 1
            unguard(scope)
            report(.thawed(scope.head, seconds: Double(Clocks.monotonicNanoseconds - since) / 1e9), of: scope)
        case .making, .running, .ending:
            // No group reports when this scope is empty, or no process of it is watched: check its processes.
            if scope.watch == nil || scope.isUnwatched { processEnded(scope) }
        }
    }

    /// Thaws a scope that is frozen or about to be.
    func thawScope(_ scope: Scope) {
        switch scope.phase {
        case .frozen(let since): resume(scope, nanoseconds: Clocks.monotonicNanoseconds - since)
        case .freezing: resume(scope, nanoseconds: 0)
        case .making, .running, .ending: break
        }
    }

    /// `nanoseconds`: how long the scope was frozen, for the report; nil to report nothing.
    private func resume(_ scope: Scope, nanoseconds: Int64?) {
        scope.phase = .running
        scope.request += 1
        scope.lookAt = nil
        switch scope.hold {
        case .group(let group, _, _):
            let (serial, request) = (scope.serial, scope.request)
            // An earlier thaw may still be unreported: send one report for each.
            reportThaw(scope)
            scope.unreportedFreeze = nanoseconds
            worker.add { .thawed(serial, request: request, status: group.set(frozen: false)) }
        case .tree(let tree):
            tree.resume()
            unguard(scope)
            if let nanoseconds { report(.thawed(scope.head, seconds: Double(nanoseconds) / 1e9), of: scope) }
        case .none: break
        }
    }

    func resumed(_ scope: Scope, request: UInt64, status: Int32) {
        if status != 0, case .group(_, let unit?, _) = scope.hold { manager?.freeze(unit, false) { _ in } }
        reportThaw(scope)
        // The scope may have been frozen again in the meantime.
        if request == scope.request { unguard(scope) }
    }

    /// Reports a pending `.thawed`, at the latest when the scope ends: the shell may learn of the end first.
    func reportThaw(_ scope: Scope) {
        guard let nanoseconds = scope.unreportedFreeze else { return }
        scope.unreportedFreeze = nil
        report(.thawed(scope.head, seconds: Double(nanoseconds) / 1e9), of: scope)
    }

    // MARK: The guard

    private func guardItem(_ item: String, _ scope: Scope) {
        guard !scope.guarded.contains(item) else { return }
        scope.guarded.append(item)
        guardLink.add(item)
    }

    func unguard(_ scope: Scope) {
        for item in scope.guarded { guardLink.remove(item) }
        scope.guarded = []
    }
}
