// Confines itself as a helper of quick look does, tries what a hostile file would make a helper do, and says what became
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

// Threads are allowed: libraries draw with them. A closure of the top level belongs to the main actor, whose code traps on
// another thread, unless it is sendable.
var thread = pthread_t()
errno = pthread_create(&thread, nil, { @Sendable _ in nil }, nil)
let hasThread = errno == 0
tell("thread", hasThread)
if hasThread { pthread_join(thread, nil) }
