/// Why an app starts, for toolkits that keep their apps' state themselves. The numbers are `org.gnome.SessionManager`'s.
public enum RestoreReason: UInt32, Hashable, Codable, Sendable {
    /// A person wants the app to start without its earlier state, on which it crashed.
    case pristine
    /// A person opened it.
    case launch
    /// The app or the whole session crashed: the app avoids the possible cause.
    case recover
    /// The app restores the state in which it was left.
    case restore
}

/// The instances of one app: which of them run, and which to restore (W-20). The toolkit keeps the state under the
/// instance's id.
public struct AppInstances: Hashable, Codable, Sendable {
    struct Instance: Hashable, Codable, Sendable {
        enum State: String, Hashable, Codable, Sendable {
            case running
            /// Its process ended without a request.
            case crashed
            /// The shell or the session ended it: it is restored.
            case ended
        }

        let id: String
        var state: State
        /// The reason of its last start.
        var reason: RestoreReason
    }

    /// Oldest first.
    private var instances: [Instance] = []
    /// The id of the instance that last ended by itself. The next instance continues with it.
    private var next: String?
    /// Ids whose state the app can delete.
    public private(set) var discarded: [String] = []

    /// The most instances, and the most discarded ids, that one app may have.
    public static let most = 64

    public init() {}

    public var isRunning: Bool { instances.contains { $0.state == .running } }
    public var isEmpty: Bool { instances.isEmpty && next == nil && discarded.isEmpty }

    /// A person deletes what is kept: the next process begins anew, and the app may delete its own states. Running processes stay.
    public mutating func forget() {
        let gone = instances.filter { $0.state != .running }.map(\.id)
        instances.removeAll { $0.state != .running }
        next = nil
        discarded = Array((discarded + gone).suffix(AppInstances.most))
    }

    /// A process of the app starts.
    ///
    /// - Parameters:
    ///   - isComingBack: the process was started for the placeholder of a window that is gone.
    ///   - isAwaited: other placeholders wait for processes of the app.
    ///   - isPristine: it starts without the state of the instance.
    ///   - fresh: an id that no instance has.
    /// - Returns: also whether the app restores the state of an earlier process.
    public mutating func begin(
        isComingBack: Bool, isAwaited: Bool, isPristine: Bool = false, fresh: String
    ) -> (reason: RestoreReason, id: String, hasState: Bool) {
        func start(_ index: Int, _ reason: RestoreReason) -> (RestoreReason, String, Bool) {
            instances[index].state = .running
            instances[index].reason = isPristine ? .pristine : reason
            return (instances[index].reason, instances[index].id, !isPristine)
        }
        // An app whose placeholders wait is restored in those.
        let isFree = isComingBack || !isAwaited
        if isFree, let index = instances.firstIndex(where: { isComingBack ? $0.state != .running : $0.state == .crashed }) {
            return start(index, instances[index].state == .crashed ? .recover : .restore)
        }
        // No placeholder waits for an ended instance, so the new process continues it.
        if !isAwaited, let index = instances.firstIndex(where: { $0.state == .ended }) { return start(index, .launch) }
        while instances.count >= Self.most {
            discard(instances.remove(at: instances.firstIndex { $0.state != .running } ?? 0).id)
        }
        let hasState = next != nil
        instances.append(Instance(id: next ?? fresh, state: .running, reason: .launch))
        next = nil
        let (reason, id, _) = start(instances.count - 1, .launch)
        return (reason, id, hasState && !isPristine)
    }

    /// The reason of a running instance; nil if it does not run.
    public func reason(of id: String) -> RestoreReason? { instances.first { $0.id == id && $0.state == .running }?.reason }

    /// The instance's process has ended. `isWanted`: the shell or the session ended it.
    public mutating func gone(_ id: String, isWanted: Bool) {
        guard let index = instances.firstIndex(where: { $0.id == id && $0.state == .running }) else { return }
        instances[index].state = isWanted ? .ended : .crashed
    }

    /// The instance ended normally, by itself.
    public mutating func finished(_ id: String) {
        guard let index = instances.firstIndex(where: { $0.id == id }) else { return }
        instances.remove(at: index)
        if let old = next { discard(old) }
        next = id
    }

    /// The app deleted the state under these ids.
    public mutating func deleted(_ ids: [String]) { discarded.removeAll { ids.contains($0) } }

    private mutating func discard(_ id: String) {
        discarded.append(id)
        if discarded.count > Self.most { discarded.removeFirst() }
    }

    /// The value to store on the disk. Instances that run now are stored as crashed, unless the session ends in order.
    public func kept(isOrderly: Bool) -> AppInstances {
        var kept = self
        for index in kept.instances.indices where kept.instances[index].state == .running {
            kept.instances[index].state = isOrderly ? .ended : .crashed
        }
        return kept
    }
}
