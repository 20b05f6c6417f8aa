import Clocks
import Descriptors
import Glibc
import LinuxLibrary

/// Runs the shell in a process of its own, and starts it again when it crashes. Holds the Wayland socket in between, so
/// that programs that connect wait instead of failing.
public enum Supervisor {
    /// Passes the socket's name and descriptor to the shell: `wayland-0:5`.
    private static let socketVariable = "MULLION_WAYLAND_FILE"
    /// Set if the shell crashed several times in a row.
    private static let cleanVariable = "MULLION_CLEAN_START"
    /// Set if the shell is started again after a crash.
    private static let againVariable = "MULLION_STARTED_AGAIN"
    /// Set in the shell's process.
    private static let markVariable = "MULLION_SUPERVISED"

    /// False within a shell that is already supervised.
    public static func isWanted(environment: [String: String]) -> Bool { environment[markVariable] == nil }

    private static func handedOver(environment: [String: String]) -> (name: String, file: Int32)? {
        guard let text = environment[socketVariable], let colon = text.lastIndex(of: ":"),
            let file = Int32(text[text.index(after: colon)...]),
            file > 2
        else { return nil }
        return (String(text[..<colon]), file)
    }

    /// Runs until the shell ends by itself. Returns its exit status.
    ///
    /// - Parameters:
    ///   - arguments: this program's arguments, which the shell gets as well.
    ///   - socket: the wanted name of the Wayland socket; nil for the first free one.
    ///   - print: prints a message for a person, one line each. Messages about crashes go to the console of the session as well, which the
    ///     screen shows then.
    public static func run(_ arguments: [String], socket: String?, environment: [String: String], print: (String) -> Void) -> Int32 {
        let console = SessionConsole(environment: environment)
        func say(_ text: String) {
            print(text)
            console.say(text)
        }
        var signals = sigset_t(), before = sigset_t()
        sigemptyset(&signals)
        for number in [SIGCHLD, SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, &before)
        var environment = environment
        environment[markVariable] = "1"
        let runtime = try? RuntimeDirectory.resolve(environment: environment).path
        if let runtime { environment["XDG_RUNTIME_DIR"] = runtime }
        let held = runtime.flatMap { WaylandSocket(name: socket, in: $0) }
        if let held { environment[socketVariable] = "\(held.name):\(held.descriptor)" }
        defer { held?.remove() }
        var rule = RestartRule()
        while true {
            guard let shell = start(arguments, environment, mask: before) else {
                say("the shell cannot be started: \(reason(errno))")
                return 1
            }
            let status = wait(for: shell, signals)
            let number = status & 0x7f
            guard number != 0 else { return status >> 8 & 0xff }
            // A person or a program asked it to end.
            if number == SIGTERM || number == SIGINT || number == SIGHUP { return 128 + number }
            switch rule.crashed(at: Clocks.monotonicSeconds) {
            case .giveUp:
                say("the shell was ended by signal \(number), again and again; it is not started any more")
                return 128 + number
            case .again(let pause, let isClean):
                say(
                    "the shell was ended by signal \(number); it starts again" + (pause > 0 ? " in \(Int(pause)) s" : "")
                        + (isClean ? ", without the windows of the last session" : ""))
                environment[againVariable] = "1"
                if isClean { environment[cleanVariable] = "1" }
                if pause > 0, let ended = sleep(pause, signals) { return 128 + ended }
            }
        }
    }

    private static func start(_ arguments: [String], _ environment: [String: String], mask: sigset_t) -> pid_t? {
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = mask
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        errno = posix_spawn(&child, "/proc/self/exe", nil, &attributes, words, variables)
        return errno == 0 ? child : nil
    }

    /// The shell calls this when it begins: from now on it ends in order when its supervisor is gone. Returns the socket that
    /// was handed over, whether windows stay closed, and whether a crash came before. Programs do not inherit these variables.
    public static func follow(environment: [String: String]) -> (socket: (name: String, file: Int32)?, isClean: Bool, isAgain: Bool) {
        if environment[markVariable] != nil { _ = mullion_end_with_parent(SIGTERM) }
        let socket = handedOver(environment: environment)
        if let socket { _ = fcntl(socket.file, F_SETFD, FD_CLOEXEC) }
        for name in [socketVariable, cleanVariable, againVariable, markVariable] { unsetenv(name) }
        return (socket, environment[cleanVariable] != nil, environment[againVariable] != nil)
    }

    /// Passes signals on until the shell ends.
    private static func wait(for shell: pid_t, _ signals: sigset_t) -> Int32 {
        var signals = signals
        while true {
            var status: Int32 = 0
            if waitpid(shell, &status, WNOHANG) == shell { return status }
            var info = siginfo_t()
            let number = sigwaitinfo(&signals, &info)
            if number > 0, number != SIGCHLD { kill(shell, number) }
        }
    }

    /// Returns the signal that ended the pause, if any.
    private static func sleep(_ seconds: Double, _ signals: sigset_t) -> Int32? {
        var signals = signals
        let end = Clocks.monotonicSeconds + seconds
        while true {
            let left = end - Clocks.monotonicSeconds
            guard left > 0 else { return nil }
            var pause = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
            var info = siginfo_t()
            let number = sigtimedwait(&signals, &info, &pause)
            if number > 0, number != SIGCHLD { return number }
        }
    }
}

/// A Wayland socket with its lock file, as libwayland makes them, kept open over restarts of the shell.
private final class WaylandSocket {
    let name: String
    private let path: String
    private let file: Descriptor
    private let lock: Descriptor

    var descriptor: Int32 { file.number }

    /// nil if no socket is available; the shell reports the reason when it tries.
    init?(name: String?, in runtime: String) {
        // Accessible to this user only.
        let mask = umask(0o077)
        defer { umask(mask) }
        // A shell that is to open a window on a compositor which is not there would be its own compositor, and wait for itself.
        let outer = getenv("WAYLAND_DISPLAY").map { String(cString: $0) }
        for name in name.map({ [$0] }) ?? (0...32).map({ "wayland-\($0)" }) {
            let path = "\(runtime)/\(name)"
            if outer == name || outer == path { continue }
            let lock = Descriptor(open("\(path).lock", O_CREAT | O_CLOEXEC | O_RDWR, 0o660), owner: "lock of the Wayland socket")
            guard lock.isOpen, flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { continue }
            unlink(path)
            // The shell inherits it.
            let file = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), owner: "Wayland socket")
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard file.isOpen, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
            guard bound == 0, listen(file.number, 128) == 0 else { return nil }
            self.name = name
            self.path = path
            self.file = file
            self.lock = lock
            return
        }
        return nil
    }

    func remove() {
        unlink(path)
        unlink("\(path).lock")
    }
}
