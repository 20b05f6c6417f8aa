import Clocks
import Descriptors
import Glibc
import LinuxLibrary
import Processes

/// How a scope is made, and how it ends.
extension AppScopes {
    func tryNextMeans(_ scope: Scope, why: String) {
        guard let means = scope.left.popFirst() else { return giveUp(scope, why) }
        switch means {
        case .systemd:
            if let found = unitOfItsOwn(scope) {
                scope.hold = .group(found.group, unit: found.unit, isOurs: false)
                settle(scope, .systemd)
            } else {
                askManager(scope)
            }
        case .cgroup2, .freezer1:
            guard let kind = means.kind, let group = groups(kind)?.group(app: scope.app) else {
                return tryNextMeans(scope, why: "its group cannot be made")
            }
            make(group, scope, means)
        case .processes:
            // In the meantime the app was killed, process by process.
            if scope.phase == .ending { return giveUp(scope, why) }
            scope.hold = .tree(StoppedTree(head: scope.head))
            settle(scope, .processes)
        }
    }

    private func askManager(_ scope: Scope) {
        guard let manager else { return tryNextMeans(scope, why: "there is no service manager") }
        let unit = ScopeName.unit(app: scope.app)
        let all = [scope.head] + ProcessTree.descendants(of: scope.head, passesOver: others(scope).contains)
        manager.makeScope(unit, app: scope.app, processes: all) { [weak self] outcome in
            guard let self, bySerial[scope.serial] === scope else { return }
            switch outcome {
            case .refused(let why): tryNextMeans(scope, why: why)
            case .silent:
                // The manager may still make the scope, and would then take the processes out of any other group.
                scope.left = [.processes]
                tryNextMeans(scope, why: "the service manager does not answer")
            case .done:
                guard let folder = ControlGroups.folder(of: scope.head, .unified), folder.hasSuffix("/\(unit)") else {
                    return tryNextMeans(scope, why: "the service manager made no group")
                }
                // Move the processes that the app started in the meantime.
                fill(Group(kind: .unified, folder: folder), scope, .systemd, unit: unit)
            }
        }
    }

    private func make(_ group: Group, _ scope: Scope, _ means: ScopeMeans) {
        let status = group.make()
        guard status == 0 else { return tryNextMeans(scope, why: "its group cannot be made: \(reason(status))") }
        fill(group, scope, means, unit: nil)
    }

    private func fill(_ group: Group, _ scope: Scope, _ means: ScopeMeans, unit: String?) {
        let (serial, head, others) = (scope.serial, scope.head, others(scope))
        let taken = Set(bySerial.values.compactMap { $0 === scope ? nil : $0.group?.folder })
        worker.add {
            // An app that another app's window started leaves that app's group, together with its descendants.
            let before = ControlGroups.folder(of: head, group.kind)
            let status = group.gather(head, others: others) { $0 == before || !taken.contains($0) }
            if status != 0, unit == nil { _ = group.remove() }
            group.standOrFallTogether()
            return .made(serial, group, unit: unit, means, status: status)
        }
    }

    /// The worker filled the group, or failed to.
    func filled(_ scope: Scope, _ group: Group, unit: String?, _ means: ScopeMeans, status: Int32) {
        if status == ESRCH { return giveUp(scope, "it has ended") }
        guard status == 0 || unit != nil else {
            return tryNextMeans(scope, why: "it cannot be moved to its group: \(reason(status))")
        }
        scope.hold = .group(group, unit: unit, isOurs: unit == nil)
        settle(scope, means)
    }

    private func settle(_ scope: Scope, _ means: ScopeMeans) {
        scope.means = means
        if let group = scope.group, group.kind == .unified {
            let number = inotify_add_watch(notices.number, "\(group.folder)/cgroup.events", UInt32(IN_MODIFY | IN_DELETE_SELF))
            if number >= 0 { scope.watch = number }
        }
        // Watch the scope's processes, too, one after the other. Not every group reports that it is empty, and the kernel holds
        // a report back for 10 ms after another one and drops it if the group is removed meanwhile.
        watch(scope.process.number, scope.serial)
        if scope.phase == .ending {
            if let group = scope.group {
                worker.add {
                    group.kill()
                    return nil
                }
            }
        } else {
            scope.phase = .running
            report(.adopted(scope.head, means), of: scope)
        }
        // The scope may have become empty before the watch began.
        if scope.watch != nil { lookAfter(scope) }
    }

    private func giveUp(_ scope: Scope, _ why: String) {
        // If the app was killed before its scope existed, the scope is empty, as the caller asked.
        report(scope.phase == .ending ? .empty(scope.head) : .failed(scope.head, reason: why), of: scope)
        forget(scope)
    }

    // MARK: The end

    /// A watched process of the scope has ended.
    func processEnded(_ scope: Scope) {
        for file in [scope.process.number, scope.successor.number] where file >= 0 { unwatch(file) }
        let left: [Int32] =
            switch scope.hold {
            case .group(let group, _, _): group.processes
            case .tree(let tree): tree.members(others: others(scope)).map(\.pid)
            case .none: []
            }
        if left.isEmpty { return emptied(scope) }
        for process in left {
            let next = Descriptor(pidfd_open(process, 0), owner: "process of an app's scope")
            guard next.isOpen, !hasEnded(next.number) else { continue }
            scope.successor = next
            return watch(scope.successor.number, scope.serial)
        }
        // The remaining processes are about to end.
        lookAgain(scope)
    }

    private func lookAgain(_ scope: Scope) { scope.lookAt = Clocks.monotonicNanoseconds + Self.pause }

    /// How long to wait before looking at a scope again, in nanoseconds.
    static var pause: Int64 { 10_000_000 }

    func emptied(_ scope: Scope) {
        // The group can report that it is empty before the shell hears that the head has ended.
        guard scope.headHasEnded else {
            scope.emptyLooks += 1
            let place = ControlGroups.folder(of: scope.head, .unified)
            let hasMoved = scope.group?.kind == .unified && place != nil && place != scope.group?.folder
            guard hasMoved || scope.emptyLooks > 20 else { return lookAgain(scope) }
            return followHead(scope)
        }
        reportThaw(scope)
        report(.empty(scope.head), of: scope)
        forget(scope)
    }

    /// Handles an app that moved itself into another group, as sandboxes do when they start.
    private func followHead(_ scope: Scope) {
        leaveGroup(scope)
        switch scope.phase {
        case .frozen(let since): report(.thawed(scope.head, seconds: Double(Clocks.monotonicNanoseconds - since) / 1e9), of: scope)
        case .freezing: report(.failed(scope.head, reason: "it left its group"), of: scope)
        default: break
        }
        scope.request += 1
        scope.emptyLooks = 0
        scope.lookAt = nil
        unguard(scope)
        if let found = unitOfItsOwn(scope) {
            scope.hold = .group(found.group, unit: found.unit, isOurs: false)
            settle(scope, machine.manager == nil ? .cgroup2 : .systemd)
        } else {
            scope.hold = .tree(StoppedTree(head: scope.head))
            settle(scope, .processes)
        }
    }

    /// The group that a desktop or a sandbox made for the app, if it holds no other app and the shell may freeze it.
    private func unitOfItsOwn(_ scope: Scope) -> (group: Group, unit: String)? {
        guard let folder = ControlGroups.folder(of: scope.head, .unified),
            let name = folder.split(separator: "/").last.map(String.init), name.hasSuffix(".scope") || name.hasSuffix(".service"),
            AppIdentity.desktopID(groups: name) != nil || name.hasPrefix("snap."),
            folder != ControlGroups.folder(of: nil, .unified),
            !bySerial.values.contains(where: { $0 !== scope && $0.group?.folder == folder }),
            access("\(folder)/cgroup.freeze", W_OK) == 0
        else { return nil }
        let group = Group(kind: .unified, folder: folder)
        // Never freeze a group that contains the shell or one of its ancestors.
        let own = Set([getpid()] + ProcessTree.ancestors(of: getpid()))
        return own.isDisjoint(with: group.processes) ? (group, name) : nil
    }

    func stopWatching(_ scope: Scope) {
        if let number = scope.watch { inotify_rm_watch(notices.number, number) }
        scope.watch = nil
        for file in [scope.process.number, scope.successor.number] where file >= 0 { unwatch(file) }
        scope.successor.close()
    }

    /// Removes the scope's group. `patience`: how many times to wait 2 ms for the last process to leave it.
    private func leaveGroup(_ scope: Scope, patience: Int = 20) {
        stopWatching(scope)
        guard case .group(let group, _, let isOurs) = scope.hold, isOurs else { return }
        worker.add {
            for turn in 1...patience where !group.remove() && turn < patience { usleep(2000) }
            return nil
        }
    }

    private func forget(_ scope: Scope) {
        unguard(scope)
        leaveGroup(scope)
        bySerial[scope.serial] = nil
        if scopes[scope.head] === scope { scopes[scope.head] = nil }
    }
}
