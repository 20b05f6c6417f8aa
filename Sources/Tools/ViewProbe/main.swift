// Confines itself as a helper of quick look does, tries the acts of a helper under the control of a hostile file, and says what became
// of it, for tests:
//
//     mullion-view-probe FILE
//
// A line per deed: its name, and "done" or the number of the error. FILE is one that the person who runs it can read.
import Glibc
import LinuxLibrary
import QuickLookHelper

let file = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "/etc/passwd"
Confinement.begin()

func tell(_ deed: String, _ isDone: Bool) {
    let error = errno
    let line = Array("\(deed) \(isDone ? "done" : "\(error)")\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
}

tell("read", open(file, O_RDONLY) >= 0)
tell("write", open(file, O_WRONLY) >= 0)
tell("create", open("/tmp/made", O_RDWR | O_CREAT, 0o600) >= 0)
tell("remove", unlink(file) == 0)
tell("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0)
tell("local-socket", socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0)

var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
tell("exec", execv("/usr/bin/true", &words) == 0)
var child: pid_t = 0
errno = posix_spawn(&child, "/usr/bin/true", nil, nil, &words, nil)
tell("spawn", errno == 0)

tell("kill", kill(1, 0) == 0)
tell("namespace", unshare(0x1000_0000) == 0) // CLONE_NEWUSER
tell("mount", mount("none", "/tmp", "tmpfs", 0, nil) == 0)
tell("root", chroot("/tmp") == 0)

/// System calls that a filter with a list of refused calls would miss. The numbers are of this architecture.
#if arch(x86_64)
    let others: [(String, Int, [Int])] = [
        ("mq-open", 240, [0, 0o102, 0o600, 0]), ("set-limit", 302, [0, 7, 1, 0]), ("limit-of-other", 302, [1, 7, 0, 0]),
        ("tgkill", 234, [Int(getpid()), Int(getpid()), 0]), ("queue-signal", 129, [Int(getpid()), 1, 0]), ("ptrace", 101, [0, 0, 0, 0]),
        ("shmget", 29, [0, 4096, 0o1600]), ("semget", 64, [0, 1, 0o1600]), ("msgget", 68, [0, 0o1600]), ("memfd", 319, [0, 0]),
        ("keyring", 250, [0, -3, 1]), ("inotify", 294, [0]), ("setsid", 112, []), ("nice", 141, [0, 0, 5]), ("affinity", 203, [0, 0, 0]),
        ("owner-of-signals", 72, [0, 8, 1]), ("dumpable", 157, [4, 0, 0, 0, 0]), ("terminal", 16, [0, 0x5412, 0]), ("pipe", 293, [0, 0]),
        ("timer", 222, [0, 0, 0]), ("splice", 275, [0, 0, 1, 0, 1, 0]), ("write-at", 18, [1, 0, 0, 0]), ("process", 435, [0, 0]),
    ]
#else
    let others: [(String, Int, [Int])] = [
        ("mq-open", 180, [0, 0o102, 0o600, 0]), ("set-limit", 261, [0, 7, 1, 0]), ("limit-of-other", 261, [1, 7, 0, 0]),
        ("tgkill", 131, [Int(getpid()), Int(getpid()), 0]), ("queue-signal", 138, [Int(getpid()), 1, 0]), ("ptrace", 117, [0, 0, 0, 0]),
        ("shmget", 194, [0, 4096, 0o1600]), ("semget", 190, [0, 1, 0o1600]), ("msgget", 186, [0, 0o1600]), ("memfd", 279, [0, 0]),
        ("keyring", 219, [0, -3, 1]), ("inotify", 26, [0]), ("setsid", 157, []), ("nice", 140, [0, 0, 5]), ("affinity", 122, [0, 0, 0]),
        ("owner-of-signals", 25, [0, 8, 1]), ("dumpable", 167, [4, 0, 0, 0, 0]), ("terminal", 29, [0, 0x5412, 0]), ("pipe", 59, [0, 0]),
        ("timer", 107, [0, 0, 0]), ("splice", 76, [0, 0, 1, 0, 1, 0]), ("write-at", 68, [1, 0, 0, 0]), ("process", 435, [0, 0]),
    ]
#endif
/// The same numbers everywhere: 462 is mseal, 500 has no kernel yet.
let newer: [(String, Int, [Int])] = [
    ("fchmodat2", 452, [-100, 0, 0o777, 0]), ("io-uring", 425, [8, 0]), ("openat2", 437, [-100, 0, 0, 24]), ("pidfd", 434, [1, 0]),
    ("landlock", 444, [0, 0, 1]), ("setxattrat", 463, [-100, 0, 0, 0, 0, 0]), ("unknown", 500, []),
]
for (name, number, arguments) in others + newer {
    let all = arguments + Array(repeating: 0, count: 6 - arguments.count)
    tell(name, mullion_syscall(number, all[0], all[1], all[2], all[3], all[4], all[5]) >= 0)
}
// glibc reads limits by the call that also sets them.
var own = rlimit()
tell("own-limit", getrlimit(__rlimit_resource_t(7), &own) == 0)

// Threads are allowed: libraries draw with them. A closure of the top level belongs to the main actor, whose code traps on
// another thread, unless it is sendable.
var thread = pthread_t()
errno = pthread_create(&thread, nil, { @Sendable _ in nil }, nil)
let hasThread = errno == 0
tell("thread", hasThread)
if hasThread { pthread_join(thread, nil) }
