import FoundationEssentials
import Lifecycle
import OrderedCollections
import Store

/// The instances of each app, by the app's id: in memory, so that no caller waits for the disk, and in the store (W-20).
///
/// The store always contains the state that would be true if the shell were killed the next moment: every running instance crashed.
final class InstanceShelf {
    private let kept: SessionStore
    private lazy var changes = LatestChanges(kept)
    /// The app that was used last comes last.
    private var apps: OrderedDictionary<String, AppInstances> = [:]

    static let mostApps = 1024

    init(_ kept: SessionStore) { self.kept = kept }

    /// Returns the keys of entries that could not be decoded.
    func load() -> [String] {
        guard kept.keepsWindows else { return [] }
        var unknown: [String] = []
        for entry in kept.readAll(.appInstances) {
            if let app = try? JSONDecoder().decode(AppInstances.self, from: Data(entry.bytes)) {
                apps[entry.key] = app.kept(isOrderly: false)
            } else {
                unknown.append(entry.key)
            }
        }
        return unknown
    }

    func begin(
        _ app: String, isComingBack: Bool, isAwaited: Bool, isPristine: Bool
    ) -> (reason: RestoreReason, id: String, hasState: Bool, discarded: [String]) {
        var instances = apps.removeValue(forKey: app) ?? AppInstances()
        let fresh = String(UInt64.random(in: 0 ... .max), radix: 36)
        let (reason, id, hasState) = instances.begin(isComingBack: isComingBack, isAwaited: isAwaited, isPristine: isPristine, fresh: fresh)
        apps[app] = instances
        keep(app)
        while apps.count > Self.mostApps, let oldest = apps.keys.first(where: { !apps[$0]!.isRunning }) {
            apps[oldest] = nil
            keep(oldest)
        }
        return (reason, id, hasState, instances.discarded)
    }

    /// The bytes that are kept for each app.
    var sizes: [String: Int] {
        apps.reduce(into: [:]) { $0[$1.key] = (try? JSONEncoder().encode($1.value.kept(isOrderly: false)))?.count ?? 0 }
    }

    func change(_ app: String, _ body: (inout AppInstances) -> Void) {
        guard var instances = apps[app] else { return }
        body(&instances)
        guard instances != apps[app] else { return }
        apps[app] = instances.isEmpty ? nil : instances
        keep(app)
    }

    private func keep(_ app: String) {
        guard kept.keepsWindows else { return }
        let bytes = apps[app].flatMap { try? JSONEncoder().encode($0.kept(isOrderly: false)) }
        changes.commit(bytes.map { .put(.appInstances, key: app, Array($0)) } ?? .remove(.appInstances, key: app), of: app)
    }

    /// The session ends in order: running instances are to be restored, and did not crash.
    func finish() {
        guard kept.keepsWindows else { return }
        changes.finish()
        let entries = apps.filter { $0.value.isRunning }.compactMap { app, instances in
            (try? JSONEncoder().encode(instances.kept(isOrderly: true))).map { Change.put(.appInstances, key: app, Array($0)) }
        }
        if !entries.isEmpty { kept.commit(entries) }
    }
}
