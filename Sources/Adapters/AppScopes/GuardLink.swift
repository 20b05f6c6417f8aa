import Descriptors
import Glibc
import Processes

/// The shell's end of the line to its `ThawGuard`. The guard is started when the first scope is to be frozen, and anew if
/// it ends before the shell does.
final class GuardLink {
    private let command: [String]?
    private let environment: [String: String]
    /// Of its own, so that nobody else waits for the guard.
    private let launcher: Launcher?
    private var line = Descriptor.none
    /// Each with the order in which it came.
    private var frozen: [String: Int] = [:]
    private var count = 0
    private var starts = 0
    private static let mostStarts = 5

    init(command: [String]?, environment: [String: String]) {
        self.command = command
        self.environment = environment
        launcher = command == nil ? nil : try? Launcher()
    }

    /// Readable when `drain` has something to do; -1: there is no guard.
    var descriptor: Int32 { launcher?.descriptor ?? -1 }
    var process: Int32? { launcher?.running.first }

    /// To be called before anything is frozen: a shell that dies in between leaves nothing behind.
    func add(_ item: String) {
        guard frozen[item] == nil else { return }
        count += 1
        frozen[item] = count
        // One that is started now is told everything.
        if line.isOpen { tell("+ \(item)\n") } else { start() }
    }

    func remove(_ item: String) {
        guard frozen.removeValue(forKey: item) != nil, line.isOpen else { return }
        tell("- \(item)\n")
    }

    /// Looks whether the guard still lives.
    func drain() {
        guard let launcher, !launcher.drain().isEmpty else { return }
        line.close()
        if !frozen.isEmpty { start() }
    }

    /// The guard goes; what is still listed goes on.
    func stop() {
        line.close()
        guard let launcher else { return }
        // It is not asked to end: one that has only just been started does not ignore that yet.
        for _ in 0..<Self.patience where !launcher.running.isEmpty {
            var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 10)
            _ = launcher.drain()
        }
        launcher.endAll(patience: 0)
    }

    /// Of how many times 10 ms it may need to be started, thaw everything and end.
    private static let patience = 100

    private func start() {
        guard let command, let launcher, starts < Self.mostStarts else { return }
        starts += 1
        var ends: [Int32] = [-1, -1]
        // A socket: nobody gets a signal for writing to a guard that is gone.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return }
        line = Descriptor(ends[0], owner: "line to the guard of frozen apps")
        let other = Descriptor(ends[1], owner: "the guard's end of its line")
        guard (try? launcher.launch(command, environment: environment, channel: other.number)) != nil else {
            line.close()
            return
        }
        let all = frozen.sorted { $0.value < $1.value }
        if !all.isEmpty { tell(all.map { "+ \($0.key)\n" }.joined()) }
    }

    private func tell(_ text: String) {
        let length = text.utf8.count
        if send(line.number, text, length, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == length { return }
        // It is gone or reads nothing: another one takes its place.
        let old = process
        line.close()
        if let old { kill(old, SIGKILL) }
        // Half a line may have been sent; the list is told anew.
        start()
    }
}
