import Glibc
import Synchronization

/// For tests that kill the shell: `MULLION_FAULT=store.written` kills the process the first time that it comes to that
/// step, `store.written:7` the seventh time. `store.written:7:stop` stops it there instead, so that a test can kill others
/// and let it go on.
public enum FaultPoint: String, CaseIterable, Sendable {
    // MARK: A commit
    /// A transaction was begun.
    case begin = "store.begin"
    /// Its changes were made, but not committed.
    case written = "store.written"
    /// It is on the disk, but was not reported.
    case committed = "store.committed"
    /// The new copy is complete, but the old one is still there.
    case backup = "store.backup"

    // MARK: Switching away, saving, freezing
    /// The last window of an app went out of sight; it was not asked for its state.
    case left = "life.left"
    /// It was asked, but did not answer.
    case asked = "life.asked"
    /// Its answer is there, but not in the store.
    case answered = "life.answered"
    /// The answer is on the disk, but the core does not know.
    case saved = "life.saved"
    /// The kernel was asked to freeze it.
    case freezes = "life.freezes"
    /// It stands still, but the core does not know.
    case frozen = "life.frozen"
    /// The kernel is about to thaw it.
    case thaws = "life.thaws"
    /// It runs again, but was not told so.
    case thawed = "life.thawed"

    // MARK: The arrangement
    /// A last picture was taken, but is in no file.
    case captured = "windows.captured"
    /// It is in a file, but in no arrangement.
    case pictured = "windows.pictured"
    /// The arrangement is another one, but not in the store.
    case changed = "windows.changed"
    /// It is on the disk.
    case kept = "windows.kept"

    // MARK: The lock
    /// A locker asked for the session, which is not noted.
    case lockAsked = "lock.asked"
    /// The note would be found by the next shell. The session is still visible, and the locker was not told.
    case lockNoted = "lock.noted"
    /// The session is unlocked, and the note is still there.
    case lockEnds = "lock.ends"

    // MARK: Restoring
    /// The arrangement was read.
    case read = "restore.read"
    /// Placeholders are in its places.
    case placed = "restore.placed"
    /// The program of one was started.
    case launched = "restore.launched"
    /// A program has its state back.
    case given = "restore.given"

    // MARK: Starting a program
    /// A person asked for a program, and the disk knows it.
    case starts = "launch.starts"
    /// It was started, and the disk does not know its process.
    case started = "launch.started"

    private static let wanted: (step: FaultPoint, times: Int, signal: Int32)? = {
        guard let text = getenv("MULLION_FAULT") else { return nil }
        let parts = String(cString: text).split(separator: ":")
        guard let step = parts.first.flatMap({ FaultPoint(rawValue: String($0)) }) else { return nil }
        return (step, parts.count > 1 ? Int(parts[1]) ?? 1 : 1, parts.last == "stop" ? SIGSTOP : SIGKILL)
    }()
    private static let passed = Atomic(0)

    public static func reach(_ step: FaultPoint) {
        guard let wanted, wanted.step == step, passed.add(1, ordering: .relaxed).newValue == wanted.times else { return }
        raise(wanted.signal)
    }
}
