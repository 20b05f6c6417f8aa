import Glibc
import Processes

/// The processes of an app where there are no control groups: the head, what it started, and what is in its session.
/// They are frozen by a signal.
final class StoppedTree {
    let head: Int32
    /// Those seen so far: a process whose parent ended has no other tie.
    private var known: [Int32: ProcessRecord] = [:]
    /// Stopped here, in this order. What was stopped before, by a person in a terminal, say, stays so.
    private(set) var stopped: [ProcessRecord] = []

    init(head: Int32) {
        self.head = head
        if let record = ProcessTree.record(of: head) { known[head] = record }
    }

    /// Those that run or are stopped, parents before children. Reads one file of each process of the machine.
    func members(others: Set<Int32>) -> [ProcessRecord] {
        let all = ProcessTree.all()
        let children = Dictionary(grouping: all, by: \.parent)
        var found: [ProcessRecord] = []
        var seen: Set<Int32> = [1, getpid()]
        func add(_ record: ProcessRecord) {
            if seen.insert(record.pid).inserted { found.append(record) }
        }
        // Those of the others first, so that they are passed over: they may be in the head's session.
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

    /// Stops whatever runs, and looks again until nothing new has come. True: not one runs any more.
    func stop(others: Set<Int32>, willStop: ([ProcessRecord]) -> Void) -> Bool {
        for _ in 0..<8 {
            let all = members(others: others)
            let asked = Set(stopped.map(\.pid))
            let new = all.filter { !$0.isStopped && !$0.hasEnded && !asked.contains($0.pid) }
            if new.isEmpty {
                if all.allSatisfy({ $0.isStopped || $0.hasEnded }) { return true }
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

    /// Who starts a program by vfork(2) takes no signal until the child has become that program. The child goes on as far
    /// as that and is stopped the next time.
    private func release(childrenOf waiting: [ProcessRecord]) {
        let parents = Set(waiting.map(\.pid))
        stopped.removeAll { record in
            guard parents.contains(record.parent) else { return false }
            kill(record.pid, SIGCONT)
            return true
        }
    }

    /// Children before parents: no shell notices that its job had stopped.
    func resume() {
        for record in stopped.reversed() where ProcessTree.record(of: record.pid)?.start == record.start {
            kill(record.pid, SIGCONT)
        }
        stopped = []
    }

    func killAll(others: Set<Int32>) {
        // Stopped, none of them starts another.
        _ = stop(others: others) { _ in }
        for record in members(others: others) { kill(record.pid, SIGKILL) }
        stopped = []
    }
}
