import Descriptors
import Glibc
import LinuxLibrary

/// How a launched process ended.
public struct ProcessExit: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// It exited with this status; 0 means success.
        case exited(Int32)
        /// It was killed by this signal.
        case signalled(Int32)
    }

    public var pid: Int32
    public var command: [String]
    public var reason: Reason

    public init(pid: Int32, command: [String], reason: Reason) {
        self.pid = pid
        self.command = command
        self.reason = reason
    }
}

/// The reason why a command could not be launched, in words for the user.
public struct LaunchError: Error, Equatable, Sendable, CustomStringConvertible {
    public var command: [String]
    public var message: String

    public var description: String { message }
}

/// Launches programs, each in its own session, and reports their exits.
///
/// The event loop watches `descriptor` and calls `drain()` when it is readable. The launcher waits only for its own
/// processes, so other code in this process may have children too. Confined to one thread.
public final class Launcher {
    private final class Child {
        let command: [String]
        /// None on kernels without pidfds.
        let process: Descriptor

        init(command: [String], process: consuming Descriptor) {
            self.command = command
            self.process = process
        }
    }

    /// Readable while the exit of a process waits to be drained.
    public var descriptor: Int32 { ended.number }

    private let ended: Descriptor
    private var children: [Int32: Child] = [:]
    /// The file limit of launched programs; nil inherits this process's limit.
    private var programFiles: rlimit?
    /// The umask of launched programs; nil inherits this process's umask.
    private var programMask: mode_t?

    /// - Throws: `LaunchError` if the machine has no file descriptors left.
    public init() throws(LaunchError) {
        ended = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "watch of launched programs")
        if !ended.isOpen { throw LaunchError(command: [], message: "cannot watch processes: \(reason(errno))") }
    }

    deinit {
        for child in children.values { forget(child) }
    }

    /// Raises this process's file limit to `count`, as far as the hard limit allows. Launched programs keep the old
    /// limit, because some of them fail with more than 1024.
    public func raiseFileLimit(to count: UInt64) {
        var limit = rlimit()
        guard programFiles == nil, getrlimit(Self.openFiles, &limit) == 0, limit.rlim_cur < count else { return }
        let given = limit
        limit.rlim_cur = rlim_t(min(count, UInt64(limit.rlim_max)))
        if setrlimit(Self.openFiles, &limit) == 0 { programFiles = given }
    }

    /// Makes new files of this process private to the user. Launched programs keep the old umask.
    public func keepFilesPrivate() {
        let given = umask(0o077)
        if programMask == nil { programMask = given }
    }

    private static let openFiles = __rlimit_resource_t(7) // RLIMIT_NOFILE

    /// Processes that were launched and not drained yet.
    public var running: [Int32] { children.keys.sorted() }

    /// Starts a program and returns its process id.
    ///
    /// - Parameters:
    ///   - environment: the complete environment; nothing is inherited.
    ///   - log: file to which the program's output is appended; nil drops it.
    ///   - channel: standard input and output of the program, instead of nothing and the log.
    ///   - directory: working directory, if it exists; otherwise this process's own.
    ///   - files: open files that it gets, with the numbers from 3.
    /// - Throws: `LaunchError` naming the command if it is not found or not executable.
    @discardableResult
    public func launch(
        _ command: [String], environment: [String: String], log: String? = nil, channel: Int32? = nil, directory: String? = nil,
        files: [Int32] = []
    ) throws(LaunchError) -> Int32 {
        guard let name = command.first, !name.isEmpty else {
            throw LaunchError(command: command, message: "there is no command to launch")
        }
        let strings = command + environment.map { "\($0.key)=\($0.value)" }
        if strings.contains(where: { $0.utf8.contains(0) }) {
            throw LaunchError(command: command, message: "\(name): a command must not contain a NUL character")
        }
        guard let file = Executable.find(name, path: environment["PATH"]) else {
            throw LaunchError(
                command: command,
                message: name.contains("/")
                    ? "\(name): no such program, or it may not be run" : "command not found: \(name)")
        }
        // Limits and the umask are inherited at the launch. Open files stay open.
        let mask = programMask.map { umask($0) }
        var own = rlimit()
        if var given = programFiles, getrlimit(Self.openFiles, &own) == 0 { setrlimit(Self.openFiles, &given) }
        // Above the numbers that they get: otherwise one takes the place of another that is still to be passed on.
        let least = 3 + Int32(files.count)
        let above = files.map { fcntl($0, F_DUPFD_CLOEXEC, least) }
        defer { for number in above where number >= 0 { close(number) } }
        guard above.allSatisfy({ $0 >= 0 }) else { throw LaunchError(command: command, message: "\(name): \(reason(errno))") }
        let (status, pid) = Self.spawn(
            file, command, environment, log: log ?? "/dev/null", channel: channel, directory: directory, files: above)
        if programFiles != nil, own.rlim_cur > 0 { setrlimit(Self.openFiles, &own) }
        if let mask { umask(mask) }
        guard status == 0 else {
            throw LaunchError(command: command, message: "\(name): \(reason(status))")
        }
        watch(pid, command)
        return pid
    }

    /// The processes that ended since the last call, in arbitrary order.
    public func drain() -> [ProcessExit] {
        var exits: [ProcessExit] = []
        for (pid, child) in children {
            var status: Int32 = 0
            let result = waitpid(pid, &status, WNOHANG)
            guard result == pid || (result < 0 && errno == ECHILD) else { continue }
            forget(child)
            children[pid] = nil
            let signal = status & 0x7f
            exits.append(
                ProcessExit(
                    pid: pid, command: child.command,
                    reason: signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)))
        }
        return exits
    }

    /// Sends a signal to a launched process and its process group.
    public func signal(_ pid: Int32, _ number: Int32) {
        guard children[pid] != nil else { return }
        if kill(-pid, number) != 0 { kill(pid, number) }
    }

    /// Ends every launched process: sends SIGTERM, waits at most `patience` milliseconds, then kills. For the end of
    /// the program. The only method here that blocks.
    @discardableResult
    public func endAll(patience: Int32) -> [ProcessExit] {
        var exits = drain()
        for pid in children.keys { signal(pid, SIGTERM) }
        var left = patience
        while !children.isEmpty, left > 0 {
            let step = min(left, 20)
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, step)
            left -= step
            exits += drain()
        }
        for pid in children.keys { signal(pid, SIGKILL) }
        for (pid, child) in children {
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            forget(child)
            exits.append(ProcessExit(pid: pid, command: child.command, reason: .signalled(status & 0x7f)))
        }
        children = [:]
        return exits
    }

    private func watch(_ pid: Int32, _ command: [String]) {
        let process = Descriptor(pidfd_open(pid, 0), owner: "launched program")
        let number = process.number
        children[pid] = Child(command: command, process: process)
        guard number >= 0 else { return }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        epoll_ctl(descriptor, EPOLL_CTL_ADD, number, &event)
    }

    private func forget(_ child: Child) {
        guard child.process.isOpen else { return }
        // Closing is not enough while a process being spawned elsewhere still holds a copy.
        epoll_ctl(descriptor, EPOLL_CTL_DEL, child.process.number, nil)
    }

    private static func spawn(
        _ file: String, _ command: [String], _ environment: [String: String], log: String, channel: Int32?,
        directory: String?, files: [Int32]
    ) -> (status: Int32, pid: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
        if let channel {
            posix_spawn_file_actions_adddup2(&actions, channel, 0)
            posix_spawn_file_actions_adddup2(&actions, channel, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, 2, 1)
        }
        for (index, number) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, number, 3 + Int32(index)) }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3 + Int32(files.count))
        // An inaccessible folder would make the launch fail.
        if let directory, access(directory, X_OK) == 0 { posix_spawn_file_actions_addchdir_np(&actions, directory) }

        // Apps must not inherit the shell's signal handling.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var every = sigset_t()
        sigfillset(&every)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID))

        var pid: Int32 = 0
        let status = withCStrings(command) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&pid, file, &actions, &attributes, arguments, variables)
            }
        }
        return (status, pid)
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { buffer in
            // The array ends with nil, so it is never empty and has an address.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}

package func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
