import Glibc
import Processes

/// A control group, identified by its folder.
///
/// A write may block in the kernel for some milliseconds (moving a process waits for every processor), so no write may
/// run on the thread that draws. Reads are quick.
struct Group: Hashable, Sendable {
    var kind: ControlGroups.Kind
    var folder: String

    /// Makes the folder. Returns an error number, or 0.
    func make() -> Int32 { mkdir(folder, 0o755) == 0 ? 0 : errno }

    /// Removes the folder. This fails while the group holds a process or another group.
    func remove() -> Bool { rmdir(folder) == 0 || errno == ENOENT }

    /// When memory runs out, lets the kernel end all processes of the group instead of one. This has an effect only if
    /// the group has a memory controller.
    func standOrFallTogether() {
        if kind == .unified { _ = write("memory.oom.group", "1") }
    }

    func move(_ process: Int32) -> Int32 { write("cgroup.procs", "\(process)") }

    /// The processes of the group, without those that have ended.
    var processes: [Int32] {
        // A hundred processes take about one kilobyte; the size limit allows ten thousand.
        (readSmallFile("\(folder)/cgroup.procs") ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    func set(frozen: Bool) -> Int32 {
        switch kind {
        case .unified: write("cgroup.freeze", frozen ? "1" : "0")
        case .freezer: write("freezer.state", frozen ? "FROZEN" : "THAWED")
        }
    }

    /// Whether no process in the group runs.
    var isFrozen: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.events")?.split(separator: "\n").contains("frozen 1") == true
        case .freezer: readSmallFile("\(folder)/freezer.state") == "FROZEN\n"
        }
    }

    /// Whether the group was told to freeze, even if it has not frozen completely yet.
    var isToBeFrozen: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.freeze") == "1\n"
        case .freezer: readSmallFile("\(folder)/freezer.state") != "THAWED\n"
        }
    }

    /// Whether the group has no process, or no longer exists.
    var isEmpty: Bool {
        switch kind {
        case .unified: readSmallFile("\(folder)/cgroup.events")?.split(separator: "\n").contains("populated 1") != true
        case .freezer: processes.isEmpty
        }
    }

    /// Kills all processes of the group, frozen ones too, and any that they start during the call.
    func kill() {
        if kind == .unified, write("cgroup.kill", "1") == 0 { return }
        // A frozen process cannot start another. cgroup1 delivers the signal to frozen processes when they thaw.
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

    /// Moves a process and its descendants into this group, and repeats until a pass finds no new one.
    ///
    /// - Parameters:
    ///   - others: the heads of other scopes; their descendants belong to those scopes.
    ///   - isFree: whether a group, given by its folder, belongs to no other scope.
    /// - Returns: 0, or an error number that says why the head itself could not be moved.
    func gather(_ head: Int32, others: Set<Int32>, isFree: (String) -> Bool) -> Int32 {
        let status = move(head)
        guard status == 0 else { return status }
        var tried: Set<Int32> = [head]
        for _ in 0..<64 {
            let found = ProcessTree.descendants(of: head) { others.contains($0) }
            // A process that has been moved starts its children in this group, so one look after the moves is enough.
            let here = Set(processes)
            let new = found.filter { !here.contains($0) && tried.insert($0).inserted }
            for process in new where ControlGroups.folder(of: process, kind).map(isFree) ?? true { _ = move(process) }
            if new.isEmpty { break }
        }
        return 0
    }

    private func write(_ name: String, _ text: String) -> Int32 { writeSmallFile("\(folder)/\(name)", text) }
}

/// Writes `text` to an existing file in one call. Returns an error number, or 0.
func writeSmallFile(_ path: String, _ text: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) < 0 ? errno : 0
}
