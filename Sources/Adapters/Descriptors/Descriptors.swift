import CDescriptors
import Glibc

/// The open descriptors of this process, and their owners.
public enum Descriptors {
    /// One descriptor.
    public struct Entry: Hashable, Sendable {
        public var number: Int32
        /// The kernel's name for it: a path, `socket:[4711]`, `anon_inode:[timerfd]`. nil if it is not open.
        public var file: String?
        /// nil if it belongs to a library instead of a part of the shell.
        public var owner: String?
    }

    public struct Report: Hashable, Sendable {
        /// All open descriptors, by number.
        public var open: [Entry]
        /// Descriptors that an owner believes it has, but that are closed or refer to another file. Empty in a
        /// correct program.
        public var lost: [Entry]
        /// How often code tried to close a descriptor that it no longer owned, since the start.
        public var refusals: Int
    }

    /// - Parameter others: descriptors that libraries own for a known purpose. Another descriptor of the same socket
    ///   gets the same owner; libwayland's loop duplicates each one that it watches.
    public static func report(others: [Int32: String] = [:]) -> Report {
        let owned = ledger()
        var owners = others
        for entry in owned where !entry.lost { owners[entry.number] = String(cString: entry.owner) }
        var open: [Entry] = []
        var ownersOfSockets: [String: String] = [:]
        for number in numbers() {
            // The folder being read lists its own descriptor, which is closed by now.
            guard let file = file(of: number) else { continue }
            if let owner = owners[number], file.hasPrefix("socket:") { ownersOfSockets[file] = owner }
            open.append(Entry(number: number, file: file, owner: owners[number]))
        }
        for index in open.indices where open[index].owner == nil {
            open[index].owner = open[index].file.flatMap { ownersOfSockets[$0] }
        }
        let lost = owned.filter(\.lost).map {
            Entry(number: $0.number, file: file(of: $0.number), owner: String(cString: $0.owner))
        }
        return Report(open: open, lost: lost, refusals: Int(owned_fd_refusals()))
    }

    /// Opens descriptors 0 to 2 if they are closed, so that no other file ever gets these numbers.
    ///
    /// - Parameter takesInput: replaces standard input by the null device, because the shell reads nothing from it.
    public static func holdStandard(takesInput: Bool) {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 || (number == 0 && takesInput) {
            let null = Glibc.open("/dev/null", (number == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC)
            if null == number {
                _ = fcntl(number, F_SETFD, 0)
            } else if null >= 0 {
                dup2(null, number)
                Glibc.close(null)
            }
        }
        guard takesInput else { return }
        // Never closed. It is listed so that a report shows if something closes it.
        let owner: StaticString = "standard input"
        _ = owned_fd_take(0, UnsafeRawPointer(owner.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    private static func ledger() -> [owned_fd_entry] {
        // Another thread may take a descriptor in between.
        let capacity = owned_fd_list(nil, 0) + 64
        return [owned_fd_entry](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = min(owned_fd_list(buffer.baseAddress, capacity), capacity)
        }
    }

    private static func numbers() -> [Int32] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name), number != dirfd(folder) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    private static func file(of number: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = readlink(
                "/proc/self/fd/\(number)", start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { $0 }, buffer.count)
            return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
        }
    }
}
