import Descriptors
import Glibc
import Processes

/// The shell's end of the line to its `ThawGuard`. The shell starts the guard before it freezes the first scope, and
/// again if the guard ends before the shell does.
final class GuardLink {
    private let command: [String]?
    private let environment: [String: String]
    /// A launcher of its own, so that no other part of the shell waits for the guard.
    private let launcher: Launcher?
    private var line = Descriptor.none
    /// The frozen items, each with its position in the order of freezing.
    private var frozen: [String: Int] = [:]
    private var count = 0
    private var starts = 0
    private static let mostStarts = 5

    init(command: [String]?, environment: [String: String]) {
        self.command = command
        self.environment = environment
        launcher = command == nil ? nil : try? Launcher()
    }

    /// Readable when `drain` has something to do; -1 if there is no guard.
    var descriptor: Int32 { launcher?.descriptor ?? -1 }
    var process: Int32? { launcher?.running.first }

    /// Lists an item. Call this before freezing it, so that a shell that dies in between leaves nothing frozen.
    func add(_ item: String) {
        guard frozen[item] == nil else { return }
        count += 1
        frozen[item] = count
        // A new guard gets the whole list.
        if line.isOpen { post("+ \(item)\n") } else { start() }
    }

    func remove(_ item: String) {
        guard frozen.removeValue(forKey: item) != nil, line.isOpen else { return }
        post("- \(item)\n")
    }

    /// Checks whether the guard still lives.
    func drain() {
        guard let launcher, !launcher.drain().isEmpty else { return }
        line.close()
        if !frozen.isEmpty { start() }
    }

    /// Ends the guard, which thaws everything that is still listed.
    func stop() {
        line.close()
        guard let launcher else { return }
        // Send no signal: a guard that has only just started does not ignore it yet and would end without thawing.
        for _ in 0..<Self.patience where !launcher.running.isEmpty {
            var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 10)
            _ = launcher.drain()
        }
        launcher.endAll(patience: 0)
    }

    /// How many times to wait 10 ms for the guard to start, thaw everything and end.
    private static let patience = 100

    private func start() {
        guard let command, let launcher, starts < Self.mostStarts else { return }
        starts += 1
        guard
            (try? HelperProcess.start(
                command, by: launcher, environment: environment, channel: &line, owner: "line to the guard of frozen apps")) != nil
        else { return }
        let all = frozen.sorted { $0.value < $1.value }
        if !all.isEmpty { post(all.map { "+ \($0.key)\n" }.joined()) }
    }

    private func post(_ text: String) {
        let length = text.utf8.count
        if send(line.number, text, length, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == length { return }
        // The guard has ended or reads nothing. Start another one.
        let old = process
        line.close()
        if let old { kill(old, SIGKILL) }
        // The guard may have received half a line, so send the whole list again.
        start()
    }
}
