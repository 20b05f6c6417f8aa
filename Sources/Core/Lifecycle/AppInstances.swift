/// Why an app starts, for toolkits that keep the state of their apps themselves, by the numbers of `org.gnome.SessionManager`.
public enum RestoreReason: UInt32, Hashable, Codable, Sendable {
    /// Nothing is to come back.
    case pristine
    /// A person opened it.
    case launch
    /// It crashed, or the whole session did: it looks out for what may have been the cause.
    case recover
    /// It comes back as it was left.
    case restore
}

/// The instances of one app: which of them run, and which are to come back (W-20). The toolkit keeps its state under the
/// instance's id.
public struct AppInstances: Hashable, Codable, Sendable {
    struct Instance: Hashable, Codable, Sendable {
        enum State: String, Hashable, Codable, Sendable {
            case running
            /// Its process is gone, and nobody wanted that.
            case crashed
            /// The shell ended it, or the session did: it comes back.
            case ended
        }

        let id: String
        var state: State
        /// Of its last start.
        var reason: RestoreReason
    }

    /// Oldest first.
    private var instances: [Instance] = []
    /// That of the instance that ended last by itself. The next one continues it.
    private var next: String?
    /// Their state can be deleted.
    public private(set) var discarded: [String] = []

    /// Instances and discarded ids that one app may have.
    public static let most = 64

    public init() {}

    public var isRunning: Bool { instances.contains { $0.state == .running } }
    public var isEmpty: Bool { instances.isEmpty && next == nil && discarded.isEmpty }

    /// A process of the app starts.
    ///
    /// - Parameters:
    ///   - isComingBack: it was started for the place of a window that is gone.
    ///   - isAwaited: other such places wait for processes of the app.
    ///   - fresh: an id that no instance has.
    public mutating func begin(isComingBack: Bool, isAwaited: Bool, fresh: String) -> (reason: RestoreReason, id: String) {
        func start(_ index: Int, _ reason: RestoreReason) -> (RestoreReason, String) {
            instances[index].state = .running
            instances[index].reason = reason
            return (reason, instances[index].id)
        }
        // Whose places wait, come back there.
        let isFree = isComingBack || !isAwaited
        if isFree, let index = instances.firstIndex(where: { isComingBack ? $0.state != .running : $0.state == .crashed }) {
            return start(index, instances[index].state == .crashed ? .recover : .restore)
        }
        // Nobody comes back for it: who opens the app continues it.
        if !isAwaited, let index = instances.firstIndex(where: { $0.state == .ended }) { return start(index, .launch) }
        while instances.count >= Self.most {
            discard(instances.remove(at: instances.firstIndex { $0.state != .running } ?? 0).id)
        }
        instances.append(Instance(id: next ?? fresh, state: .running, reason: .launch))
        next = nil
        return (.launch, instances.last!.id)
    }

    /// The reason of an instance that runs; nil: it does not.
    public func reason(of id: String) -> RestoreReason? { instances.first { $0.id == id && $0.state == .running }?.reason }

    /// Its process is gone. `isWanted`: the shell or the session ended it.
    public mutating func gone(_ id: String, isWanted: Bool) {
        guard let index = instances.firstIndex(where: { $0.id == id && $0.state == .running }) else { return }
        instances[index].state = isWanted ? .ended : .crashed
    }

    /// It ended by itself, as it should.
    public mutating func finished(_ id: String) {
        guard let index = instances.firstIndex(where: { $0.id == id }) else { return }
        instances.remove(at: index)
        if let old = next { discard(old) }
        next = id
    }

    /// The app deleted their state.
    public mutating func deleted(_ ids: [String]) { discarded.removeAll { ids.contains($0) } }

    private mutating func discard(_ id: String) {
        discarded.append(id)
        if discarded.count > Self.most { discarded.removeFirst() }
    }

    /// As it is kept on the disk: what runs now crashed, unless the session ends in order.
    public func kept(isOrderly: Bool) -> AppInstances {
        var kept = self
        for index in kept.instances.indices where kept.instances[index].state == .running {
            kept.instances[index].state = isOrderly ? .ended : .crashed
        }
        return kept
    }
}
