import Glibc

/// The open descriptors of a process, read from `/proc/PID/fd`, independently of the process's own count.
public struct Descriptors: Equatable, Sendable {
    /// The kernel's name for each: a path, or `socket:[4711]`.
    public var targets: [Int32: String]

    public init(targets: [Int32: String]) { self.targets = targets }

    /// Returns nil if the process is gone or belongs to another user.
    public init?(of process: Int32) {
        let folder = "/proc/\(process)/fd"
        guard let entries = opendir(folder) else { return nil }
        defer { closedir(entries) }
        targets = [:]
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard let number = Int32(name) else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = readlink("\(folder)/\(name)", &buffer, buffer.count)
            // It was closed after it was listed.
            guard length > 0 else { continue }
            targets[number] = String(decoding: buffer[..<length], as: UTF8.self)
        }
    }

    /// The kind of a descriptor, without its individual number.
    public static func kind(of target: String) -> String {
        // Unnamed files: "/memfd:mullion-store (deleted)".
        if target.hasPrefix("/memfd:") {
            let name = target.dropFirst("/memfd:".count)
            return "memfd \(name.hasSuffix(" (deleted)") ? name.dropLast(" (deleted)".count) : name)"
        }
        if target.hasPrefix("/") { return target.hasSuffix(" (deleted)") ? "deleted file" : target }
        // "socket:[4711]", "pipe:[4711]"; "anon_inode:[eventpoll]" or "anon_inode:sync_file".
        let parts = target.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "anon_inode" else { return String(parts.first ?? "") }
        return String(parts[1].drop { $0 == "[" }.prefix { $0 != "]" })
    }

    /// The number of descriptors of each kind.
    public var counts: [String: Int] { targets.values.reduce(into: [:]) { $0[Descriptors.kind(of: $1), default: 0] += 1 } }

    /// Kinds with more descriptors than before plus the given needs, as "socket: 3, not 1".
    public func growth(since before: Descriptors, allowing needs: [String: Int] = [:]) -> [String] {
        let old = before.counts
        return counts.sorted { $0.key < $1.key }.compactMap { kind, count in
            let allowed = old[kind, default: 0] + needs[kind, default: 0]
            return count > allowed ? "\(kind): \(count), not \(allowed)" : nil
        }
    }
}
