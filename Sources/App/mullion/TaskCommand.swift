import ArgumentParser
import Clocks
import Descriptors
import Glibc
import LinuxLibrary
import MullionKit

struct TaskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "task", abstract: "Run a command that finishes while its terminal is hidden.",
        usage: "mullion task [--name NAME] [--progress] [--important] [--] COMMAND [ARGUMENTS...]",
        discussion: """
            An app that is out of sight is frozen, with all that runs in it. While the command runs, the app it was \
            started in is not. People see the task in `mullion ctl life`, and can end it there. Out of sight it has 30 \
            seconds; each progress gives it 30 more.

            The exit status is the command's. Without a shell the command runs all the same.
            """)

    @Option(help: ArgumentHelp("What the task is called; the command's name if left out.", valueName: "name"))
    var name: String?

    @Flag(help: "Lines on the command's standard output that begin with a percentage, such as 40%, are progress.")
    var progress = false

    @Flag(help: "Its end matters: a notification tells of it, unless its terminal is in sight.")
    var important = false

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The command.", valueName: "command"))
    var command: [String] = []

    private var words: [String] { command.first == "--" ? Array(command.dropFirst()) : command }

    func validate() throws {
        try checkPassthrough(command)
        guard !words.isEmpty else { throw ValidationError("The command is missing.") }
        if let name, !(1...256).contains(name.utf8.count) {
            throw ValidationError("--name has \(name.utf8.count) bytes, and must have 1 to 256.")
        }
    }

    func run() throws {
        let title = name ?? words[0].split(separator: "/").last.map(String.init) ?? words[0]
        throw ExitCode(TaskRun(words, name: String(title.prefix(64)), readsProgress: progress, isImportant: important).run())
    }
}

/// One run of `mullion task`.
private final class TaskRun {
    private let words: [String]
    private let readsProgress: Bool
    private let isImportant: Bool
    private let name: String
    private var task: BackgroundTask?
    /// When to ask again, in seconds; nil: not at all.
    private var nextTry: Double?
    private let begin = Clocks.monotonicSeconds
    /// The command's standard output, if it is read.
    private var output = Descriptor.none
    private var line: [UInt8] = []

    init(_ words: [String], name: String, readsProgress: Bool, isImportant: Bool) {
        self.isImportant = isImportant
        self.words = words
        self.name = name
        self.readsProgress = readsProgress
    }

    func run() -> Int32 {
        let child: Int32
        do throws(Spawned.Failure) {
            let spawned = try Spawned.start(words, takesOutput: readsProgress)
            child = spawned.process
            output = Descriptor(spawned.output, owner: "output of the command")
        } catch {
            complain("\(words[0]): \(error.text)")
            return error.status
        }
        // The terminal sends these to the command as well, which decides.
        signal(SIGINT, SIG_IGN)
        signal(SIGQUIT, SIG_IGN)
        let life = connect()
        defer { life?.close() }
        let end = Descriptor(pidfd_open(child, 0), owner: "end of the command")
        while true {
            var status: Int32 = 0
            if waitpid(child, &status, end.isOpen || output.isOpen ? WNOHANG : 0) == child {
                // The last output of the command.
                while read() {}
                pass(line)
                let result = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
                if isImportant { task?.end(telling: result == 0 ? "" : "exit status \(result)") } else { task?.end() }
                life?.process()
                return result
            }
            wait(life, end)
        }
    }

    private func connect() -> AppLife? {
        do throws(MullionError) {
            let life = try AppLife()
            beginTask(life)
            return life
        } catch {
            complain("\(error.text): the command runs without a task")
            return nil
        }
    }

    private func beginTask(_ life: AppLife) {
        let task = life.beginTask(name: name), progress = self.task?.progress
        task.progress = progress
        task.onRefused = { [unowned self] error in
            // The window of a terminal that has just started comes later than the command in it.
            if error.kind == .noApp, Clocks.monotonicSeconds - begin < 5 {
                nextTry = Clocks.monotonicSeconds + 0.25
            } else {
                complain("\(error.text): the command runs without a task")
            }
        }
        task.onExpired = { [unowned self] in complain("the time of the task is over: the command may be frozen out of sight") }
        self.task = task
    }

    /// Until the command ends, writes something, or the bus has news.
    private func wait(_ life: AppLife?, _ end: borrowing Descriptor) {
        let events: (read: Bool, write: Bool) = life?.events ?? (false, false)
        var entries = [
            pollfd(fd: end.number, events: Int16(POLLIN), revents: 0), pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: life?.descriptor ?? -1, events: Int16((events.read ? POLLIN : 0) | (events.write ? POLLOUT : 0)), revents: 0),
        ]
        // Without a descriptor for its end, look from time to time.
        let timeout = life?.timeout ?? -1
        let retry = nextTry.map { Int32(clamping: max(0, $0 - Clocks.monotonicSeconds) * 1000 + 1) } ?? -1
        let own: Int32 = end.isOpen && retry < 0 ? -1 : min(200, retry < 0 ? 200 : retry)
        _ = poll(&entries, nfds_t(entries.count), timeout < 0 ? own : own < 0 ? timeout : min(own, timeout))
        if entries[1].revents != 0 { _ = read() }
        life?.process()
        if let life, let next = nextTry, Clocks.monotonicSeconds >= next {
            nextTry = nil
            beginTask(life)
        }
    }

    // MARK: Output

    /// Whether there may be more.
    private func read() -> Bool {
        guard output.isOpen else { return false }
        var room = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(output.number, &room, room.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { output.close() }
            return false
        }
        var rest = room[..<count]
        while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            line += rest[...end]
            pass(line)
            line = []
            rest = rest[(end + 1)...]
        }
        line += rest
        // A line of that length is no progress.
        if line.count > 4096 {
            pass(line)
            line = []
        }
        return true
    }

    private func pass(_ bytes: [UInt8]) {
        if let progress = TaskProgress(line: bytes) { task?.progress = progress.share }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func complain(_ text: String) {
        let line = Array("mullion task: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

/// A line such as "40%", " 7 % done" or "99.5% of 12 MB".
struct TaskProgress {
    let share: Double

    init?(line: [UInt8]) {
        let text = line.drop { $0 == 0x20 || $0 == 0x09 }
        let digits = text.prefix { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard (1...8).contains(digits.count), let value = Double(String(decoding: digits, as: UTF8.self)), (0...100).contains(value),
            text.dropFirst(digits.count).drop(while: { $0 == 0x20 }).first == 0x25
        else { return nil }
        share = value / 100
    }
}

/// A command that was started in this terminal.
private enum Spawned {
    struct Failure: Error {
        var status: Int32
        var text: String
    }

    /// - Parameter takesOutput: its standard output is a pipe, and `output` the end to read; otherwise -1.
    static func start(_ words: [String], takesOutput: Bool) throws(Failure) -> (process: Int32, output: Int32) {
        var ends: [Int32] = [-1, -1]
        if takesOutput {
            guard pipe(&ends) == 0 else { throw Failure(status: 126, text: String(cString: strerror(errno))) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if takesOutput { posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        if takesOutput { close(ends[1]) }
        guard error == 0 else {
            if takesOutput { close(ends[0]) }
            throw Failure(status: error == ENOENT ? 127 : 126, text: String(cString: strerror(error)))
        }
        return (process, ends[0])
    }
}
