import Store

/// Keeps what programs may change as often as they like. The disk is slow: while a change of a key is on its way, only the
/// last one that follows counts.
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

    /// Waits for nothing more. The store writes what it was given before it closes.
    func finish() {
        kept.commit(waiting.keys.sorted().map { waiting[$0]! })
        waiting = [:]
    }
}
