import Clocks
import Glibc
import LinuxLibrary
import Processes

/// Holds every process that an audit starts, however often it forks, and ends all of them.
///
/// This process becomes the parent of orphans below it, so that whatever an app leaves behind is found as a descendant.
enum Confinement {
    static func begin() { _ = mullion_prctl(PR_SET_CHILD_SUBREAPER, 1, nil) }

    /// Ends every descendant of this process: asks first, then kills, stopped ones as well. Returns the commands of those that had to be killed.
    @discardableResult
    static func end(patience: Double = 1) -> [String] {
        let own = getpid()
        var left = ProcessTree.descendants(of: own)
        for pid in left {
            kill(pid, SIGCONT)
            kill(pid, SIGTERM)
        }
        let asked = Clocks.monotonicSeconds
        while !left.isEmpty, Clocks.monotonicSeconds - asked < patience {
            usleep(20_000)
            reap()
            left = ProcessTree.descendants(of: own)
        }
        var killed: [String] = []
        let began = Clocks.monotonicSeconds
        while !left.isEmpty, Clocks.monotonicSeconds - began < 5 {
            for pid in left {
                if let record = ProcessTree.record(of: pid), !record.hasEnded, let name = name(of: pid), !killed.contains(name) {
                    killed.append(name)
                }
                kill(pid, SIGKILL)
            }
            usleep(20_000)
            reap()
            left = ProcessTree.descendants(of: own)
        }
        return killed
    }

    private static func reap() {
        var status: Int32 = 0
        while waitpid(-1, &status, WNOHANG) > 0 {}
    }

    static func name(of pid: Int32) -> String? {
        readSmallFile("/proc/\(pid)/comm").map { String($0.prefix { $0 != "\n" }) }
    }
}

enum Pause {
    static func sleep(_ seconds: Double) { usleep(UInt32(clamping: Int64(clamping: max(0, seconds) * 1e6))) }
}

/// Whether a person or a job ended the audit. A signal handler sets it, so it must be a plain value.
nonisolated(unsafe) private var interrupted: Int32 = 0

enum Interruption {
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { interrupted = $0 } }
    }

    /// The signal; nil while there was none.
    static var number: Int32? { interrupted == 0 ? nil : interrupted }
}
