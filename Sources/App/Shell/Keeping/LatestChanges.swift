import Store

/// Keeps values that programs may change as often as they like. Because the disk is slow, only the latest change of a key
/// is kept back while an earlier one is being written.
final class LatestChanges {
    private let kept: SessionStore
    private var waiting: [String: Change] = [:]
    private var onTheirWay: Set<String> = []

    init(_ kept: SessionStore) { self.kept = kept }

    func commit(_ change: Change, of key: String) {
        guard onTheirWay.insert(key).inserted else { return waiting[key] = change }
        kept.commit([change]) { [weak self] _ in
            guard let self else { return }
            onTheirWay.remove(key)
            if let next = waiting.removeValue(forKey: key) { commit(next, of: key) }
        }
    }

    /// Stops waiting for the disk. The store writes the changes that it already has before it closes.
    func finish() {
        kept.commit(waiting.keys.sorted().map { waiting[$0]! })
        waiting = [:]
    }
}
