import Glibc
import Processes

/// The processes of an app on a machine without control groups: the head, its descendants, and the processes in its
/// session. A signal freezes them.
final class StoppedTree {
    let head: Int32
    /// The processes seen so far. Once a process's parent has ended, nothing else ties it to the app.
    private var known: [Int32: ProcessRecord] = [:]
    /// The processes that this tree stopped, in that order. Processes that were stopped before, for example by a person in a terminal,
    /// stay stopped.
    private(set) var stopped: [ProcessRecord] = []

    init(head: Int32) {
        self.head = head
        if let record = ProcessTree.record(of: head) { known[head] = record }
    }

    /// The processes that run or are stopped, parents before children. Reads one file for each process of the machine.
    func members(others: Set<Int32>) -> [ProcessRecord] {
        let all = ProcessTree.all()
        let children = Dictionary(grouping: all, by: \.parent)
        var found: [ProcessRecord] = []
        var seen: Set<Int32> = [1, getpid()]
        func add(_ record: ProcessRecord) {
            if seen.insert(record.pid).inserted { found.append(record) }
        }
        // Add the members of other scopes first, so that the search skips them: they may be in the head's session.
        all.filter { others.contains($0.pid) }.forEach(add)
        var next = 0
        while next < found.count {
            children[found[next].pid]?.filter { $0.pid != head }.forEach(add)
            next += 1
        }
        found = []
        for record in all where record.pid == head || record.session == head || known[record.pid]?.start == record.start {
            add(record)
        }
        found.sort { ($0.pid == head ? 0 : $0.start) < ($1.pid == head ? 0 : $1.start) }
        next = 0
        while next < found.count {
            children[found[next].pid]?.forEach(add)
            next += 1
        }
        found.removeAll { $0.hasEnded && $0.threads <= 1 }
        known = Dictionary(found.map { ($0.pid, $0) }) { first, _ in first }
        return found
    }

    /// Stops every running process, and repeats until a pass finds no new one. Returns true if none runs any more, and false if
    /// a later call has to continue.
    ///
    /// - Parameter inOrder: stop a process only when its parent is stopped. A shell that still runs would collect the stop of its
    ///   job, and show it as stopped after the thaw.
    func stop(others: Set<Int32>, inOrder: Bool = true, willStop: ([ProcessRecord]) -> Void) -> Bool {
        for _ in 0..<8 {
            let all = members(others: others)
            let asked = Set(stopped.map(\.pid))
            let running = all.filter { !$0.isStopped && !$0.hasEnded }
            if running.isEmpty { return true }
            let parents = inOrder ? Set(running.map(\.pid)) : []
            let new = running.filter { !asked.contains($0.pid) && !parents.contains($0.parent) }
            if new.isEmpty {
                release(childrenOf: all.filter { $0.state == UInt8(ascii: "D") })
                return false
            }
            willStop(new)
            for record in new {
                stopped.append(record)
                kill(record.pid, SIGSTOP)
            }
        }
        return false
    }

    /// Lets vfork(2) children continue. A parent in vfork(2) takes no signal until its child has become the new program, so
    /// the child may run until then, and the next pass stops it.
    private func release(childrenOf waiting: [ProcessRecord]) {
        let parents = Set(waiting.map(\.pid))
        stopped.removeAll { record in
            guard parents.contains(record.parent) else { return false }
            kill(record.pid, SIGCONT)
            return true
        }
    }

    /// Continues the processes, children before parents, so that no shell notices that its job was stopped.
    func resume() {
        for record in stopped.reversed() where ProcessTree.record(of: record.pid)?.start == record.start {
            kill(record.pid, SIGCONT)
        }
        stopped = []
    }

    func killAll(others: Set<Int32>) {
        // A stopped process cannot start another.
        _ = stop(others: others, inOrder: false) { _ in }
        for record in members(others: others) { kill(record.pid, SIGKILL) }
        stopped = []
    }
}
