import Glibc
import Processes

/// The processor time and the wakeups that processes used.
struct Load: Hashable {
    /// Milliseconds.
    var processor = 0.0
    var wakeups = 0

    /// Measures these processes and their descendants.
    init(of processes: [Int32] = []) {
        for pid in Load.whole(processes) {
            if let record = ProcessTree.record(of: pid) { processor += Double(record.work) * 10 }
            for thread in Load.threads(of: pid) {
                guard let text = readSmallFile("/proc/\(pid)/task/\(thread)/status") else { continue }
                for line in text.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
                    wakeups += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
                }
            }
        }
    }

    static func - (a: Load, b: Load) -> Load {
        var rest = Load()
        rest.processor = max(0, a.processor - b.processor)
        rest.wakeups = max(0, a.wakeups - b.wakeups)
        return rest
    }

    /// The processes and their descendants, each once.
    static func whole(_ processes: [Int32]) -> [Int32] {
        Set(processes.flatMap { [$0] + ProcessTree.descendants(of: $0) }).sorted()
    }

    private static func threads(of pid: Int32) -> [Int32] {
        guard let folder = opendir("/proc/\(pid)/task") else { return [] }
        defer { closedir(folder) }
        var threads: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let number = Int32(name) { threads.append(number) }
        }
        return threads
    }
}
