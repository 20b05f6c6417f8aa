import Glibc
import Synchronization

/// For tests that kill the shell: `MULLION_FAULT=store.written` kills the process the first time that it comes to that
/// step, `store.written:7` the seventh time.
enum FaultPoint: String {
    /// A transaction was begun.
    case begin = "store.begin"
    /// Its changes were made, but not committed.
    case written = "store.written"
    /// It is on the disk, but was not reported.
    case committed = "store.committed"
    /// The new copy is complete, but the old one is still there.
    case backup = "store.backup"

    private static let wanted: (step: FaultPoint, times: Int)? = {
        guard let text = getenv("MULLION_FAULT") else { return nil }
        let parts = String(cString: text).split(separator: ":")
        guard let step = parts.first.flatMap({ FaultPoint(rawValue: String($0)) }) else { return nil }
        return (step, parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
    }()
    private static let passed = Atomic(0)

    static func reach(_ step: FaultPoint) {
        guard let wanted, wanted.step == step, passed.add(1, ordering: .relaxed).newValue == wanted.times else { return }
        raise(SIGKILL)
    }
}
