import Glibc
import Processes

/// A control group, by its folder.
///
/// Whatever writes may wait some milliseconds for the kernel (a move waits until every processor has seen it), so that
/// none of it is for the thread that draws. Reading is quick.
struct Group: Hashable, Sendable {
    var kind: ControlGroups.Kind
    var folder: String

    /// Error numbers; 0 when all went well.
    func make() -> Int32 { mkdir(folder, 0o755) == 0 ? 0 : errno }

    /// Not while something is in it.
    func remove() -> Bool { rmdir(folder) == 0 || errno == ENOENT }

    /// Without memory, the kernel ends all of it and not one process of it. Only where the group counts memory.
    func standOrFallTogether() {
        if kind == .unified { _ = write("memory.oom.group", "1") }
    }

    func move(_ process: Int32) -> Int32 { write("cgroup.procs", "\(process)") }

    /// Processes that ended are not among them.
    var processes: [Int32] {
        // Of a hundred processes this is one kilobyte; the limit holds ten thousand.
        (readSmallFile("\(folder)/cgroup.procs") ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    func set(frozen: Bool) -> Int32 {
        switch kind {
        case .unified: write("cgroup.freeze", frozen ? "1" : "0")
        case .freezer: write("freezer.state", frozen ? "FROZEN" : "THAWED")
        }
    }

    /// Nothing in it runs.
    var isFrozen: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.events")?.split(separator: "\n").contains("frozen 1") == true
        case .freezer: readSmallFile("\(folder)/freezer.state") == "FROZEN\n"
        }
    }

    /// It is to be frozen, whether or not it is yet.
    var isToBeFrozen: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.freeze") == "1\n"
        case .freezer: readSmallFile("\(folder)/freezer.state") != "THAWED\n"
        }
    }

    /// It is gone or has no process.
    var isEmpty: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.events")?.split(separator: "\n").contains("populated 1") != true
        case .freezer: processes.isEmpty
        }
    }

    /// All of them, also what they start meanwhile; frozen ones as well.
    func kill() {
        if kind == .unified, write("cgroup.kill", "1") == 0 { return }
        // Frozen, nothing new can be started. Of cgroup1, what is frozen takes the signal when it is thawed.
        _ = set(frozen: true)
        var killed: Set<Int32> = []
        for round in 0..<50 {
            let all = processes
            for process in all where killed.insert(process).inserted { _ = Glibc.kill(process, SIGKILL) }
            if kind == .freezer || round > 0 { _ = set(frozen: false) }
            if all.isEmpty { return }
            usleep(1000)
        }
    }

    /// Moves a process and all that it started here, and looks again until nothing new has come.
    ///
    /// - Parameters:
    ///   - others: heads of other scopes; what they started is theirs.
    ///   - isFree: whether a group, by its folder, is none of another scope.
    /// - Returns: why the head itself could not be moved, as an error number.
    func gather(_ head: Int32, others: Set<Int32>, isFree: (String) -> Bool) -> Int32 {
        let status = move(head)
        guard status == 0 else { return status }
        var tried: Set<Int32> = [head]
        for _ in 0..<64 {
            let found = ProcessTree.descendants(of: head) { others.contains($0) }
            // Afterwards: what is started by one that was moved is here from its start on.
            let here = Set(processes)
            let new = found.filter { !here.contains($0) && tried.insert($0).inserted }
            for process in new where ControlGroups.folder(of: process, kind).map(isFree) ?? true { _ = move(process) }
            if new.isEmpty { break }
        }
        return 0
    }

    private func write(_ name: String, _ text: String) -> Int32 { writeSmallFile("\(folder)/\(name)", text) }
}

/// Writes to a file that is there, in one piece; an error number or 0.
func writeSmallFile(_ path: String, _ text: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) < 0 ? errno : 0
}
