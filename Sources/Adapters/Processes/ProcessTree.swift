import Glibc

/// Parents of processes. Used to match a window to the launch that it came from.
public enum ProcessTree {
    /// The ids of all ancestors of a process, nearest first, without the process itself and without 1. Empty for a
    /// process that is gone.
    ///
    /// A process whose parent has ended has another one, that started nothing: 1, or a service manager. `gio open`, and so `xdg-open`,
    /// starts programs like that. Such a process still belongs to the session of its starter. The leader of that
    /// session, such as the shell in a terminal, takes the place of the parent.
    public static func ancestors(of pid: Int32) -> [Int32] {
        var ancestors: [Int32] = []
        var current = pid
        guard var links = self.links(of: pid) else { return [] }
        // Ids may be reused in the meantime, which could form a cycle.
        func isNew(_ process: Int32) -> Bool { process > 1 && process != pid && !ancestors.contains(process) }
        while true {
            var next = links.parent, above = self.links(of: next)
            if links.session != current, above?.session != links.session, isNew(links.session), let leader = self.links(of: links.session) {
                (next, above) = (links.session, leader)
            }
            guard isNew(next) else { return ancestors }
            ancestors.append(next)
            guard let above else { return ancestors }
            (current, links) = (next, above)
        }
    }

    struct Links: Hashable {
        var parent: Int32
        var session: Int32
    }

    private static func links(of pid: Int32) -> Links? {
        guard pid > 0, let text = readSmallFile("/proc/\(pid)/stat") else { return nil }
        return links(inStat: text)
    }

    /// Parses the fourth and the sixth field. The second is the program's name in parentheses, which may itself contain
    /// parentheses.
    static func links(inStat text: String) -> Links? {
        // By bytes for speed: several of these are read for each window.
        let bytes = text.utf8
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[bytes.index(after: name)...].split(separator: UInt8(ascii: " "), maxSplits: 4)
        guard fields.count > 3, let parent = Int32(String(decoding: fields[1], as: UTF8.self)),
            let session = Int32(String(decoding: fields[3], as: UTF8.self))
        else { return nil }
        return Links(parent: parent, session: session)
    }
}

/// The facts that the kernel reports about one process.
public struct ProcessRecord: Hashable, Sendable {
    public var pid: Int32
    public var parent: Int32
    public var session: Int32
    /// A letter, as in `ps`.
    public var state: UInt8
    /// The number of threads, including threads that ended and were not reaped yet.
    public var threads: Int
    /// CPU time in clock ticks (100 a second).
    public var work: UInt64
    /// Its start time in ticks since the machine's start. Distinguishes it from a later process with the same id.
    public var start: UInt64

    /// Whether a signal stopped it.
    public var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }
    /// Whether its first thread has ended; in most processes that is the only one.
    public var hasEnded: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

    init?(pid: Int32, stat text: String) {
        let bytes = text.utf8
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[bytes.index(after: name)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19, let state = fields[0].first else { return nil }
        func number<Number: FixedWidthInteger>(_ index: Int) -> Number {
            Number(String(decoding: fields[index], as: UTF8.self)) ?? 0
        }
        self.pid = pid
        self.state = state
        parent = number(1)
        session = number(3)
        work = number(11) + number(12)
        threads = number(17)
        start = number(19)
    }
}

extension ProcessTree {
    /// nil if the process is gone.
    public static func record(of pid: Int32) -> ProcessRecord? {
        guard pid > 0, let text = readSmallFile("/proc/\(pid)/stat", limit: 4096) else { return nil }
        return ProcessRecord(pid: pid, stat: text)
    }

    /// All visible processes of the machine. Reads one file for each, which takes some milliseconds.
    public static func all() -> [ProcessRecord] { numbers(in: "/proc").compactMap(record) }

    /// The descendants of a process, parents before children, without the process itself. Descendants whose parent has ended
    /// are missing.
    ///
    /// - Parameter passesOver: processes to leave out together with their descendants.
    public static func descendants(of pid: Int32, passesOver: (Int32) -> Bool = { _ in false }) -> [Int32] {
        if !listsChildren {
            let children = Dictionary(grouping: all(), by: \.parent)
            return descendants(of: pid, passesOver: passesOver) { (children[$0] ?? []).map(\.pid) }
        }
        return descendants(of: pid, passesOver: passesOver) { parent in
            numbers(in: "/proc/\(parent)/task").flatMap { thread in
                (readSmallFile("/proc/\(parent)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
            }
        }
    }

    private static func descendants(
        of pid: Int32, passesOver: (Int32) -> Bool, children: (Int32) -> [Int32]
    ) -> [Int32] {
        var found: [Int32] = []
        var seen: Set<Int32> = [pid]
        var next = 0
        var parent = pid
        while true {
            for child in children(parent) where !passesOver(child) && seen.insert(child).inserted { found.append(child) }
            guard next < found.count else { return found }
            parent = found[next]
            next += 1
        }
    }

    /// Kernels can be built without these lists.
    private static let listsChildren = access("/proc/self/task/\(getpid())/children", R_OK) == 0

    static func numbers(in folder: String) -> [Int32] {
        guard let folder = opendir(folder) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers
    }
}

/// The text of a small file, such as those of /proc; nil if it cannot be read.
package func readSmallFile(_ path: String, limit: Int = 65536) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
        // The kernel returns longer files of /proc piece by piece.
        var length = 0
        while length < limit {
            let count = read(file, buffer.baseAddress! + length, limit - length)
            if count < 0, length == 0 { return nil }
            if count <= 0 { break }
            length += count
        }
        return String(decoding: buffer.prefix(length), as: UTF8.self)
    }
}
