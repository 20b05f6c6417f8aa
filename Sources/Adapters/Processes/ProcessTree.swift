import Glibc

/// Parents of processes. Used to match a window to the launch that it came from.
public enum ProcessTree {
    /// The ids of all ancestors of a process, nearest first, without the process itself and without 1. Empty for a
    /// process that is gone.
    public static func ancestors(of pid: Int32) -> [Int32] {
        var ancestors: [Int32] = []
        var current = pid
        // Ids may be reused in the meantime, which could form a cycle.
        while let parent = parent(of: current), parent > 1, parent != pid, !ancestors.contains(parent) {
            ancestors.append(parent)
            current = parent
        }
        return ancestors
    }

    static func parent(of pid: Int32) -> Int32? {
        guard pid > 0, let text = readSmallFile("/proc/\(pid)/stat") else { return nil }
        return parent(inStat: text)
    }

    /// Parses the fourth field. The second is the program's name in parentheses, which may itself contain
    /// parentheses.
    static func parent(inStat text: String) -> Int32? {
        // By bytes for speed: several of these are read for each window.
        let bytes = text.utf8
        guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[bytes.index(after: name)...].split(separator: UInt8(ascii: " "), maxSplits: 2)
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }
}

/// The text of a small file, such as those of /proc; nil if it cannot be read.
func readSmallFile(_ path: String, limit: Int = 65536) -> String? {
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
