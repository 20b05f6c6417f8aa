import CDescriptors
import Glibc

/// What this process has open, and who owns it.
public enum Descriptors {
    /// One descriptor.
    public struct Entry: Hashable, Sendable {
        public var number: Int32
        /// What the kernel calls it: a path, `socket:[4711]`, `anon_inode:[timerfd]`. nil: it is not open.
        public var file: String?
        /// nil: no part of the shell took it; a library did.
        public var owner: String?
    }

    public struct Report: Hashable, Sendable {
        /// All that are open, by number.
        public var open: [Entry]
        /// Those that an owner believes to have and that are closed, or another file by now. Empty in a correct program.
        public var lost: [Entry]
        /// How often somebody was to close what was not theirs any more, since the start.
        public var refusals: Int
    }

    /// - Parameter others: descriptors that libraries own and whose purpose is known. A second descriptor of the same
    ///   socket (libwayland's loop makes one of each that it watches) has the same owner.
    public static func report(others: [Int32: String] = [:]) -> Report {
        let owned = ledger()
        var owners = others
        for entry in owned where !entry.lost { owners[entry.number] = String(cString: entry.owner) }
        var open: [Entry] = []
        var ownersOfSockets: [String: String] = [:]
        for number in numbers() {
            // The folder that is being read is in the list and gone by now.
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

    /// Descriptors 0 to 2 are open from here on, so that nothing else is ever opened under their numbers.
    ///
    /// - Parameter takesInput: standard input becomes the null device, whatever it was: the shell reads nothing from it.
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
        // Never closed: it is listed, so that a report says when somebody closes it.
        let owner: StaticString = "standard input"
        _ = owned_fd_take(0, UnsafeRawPointer(owner.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    private static func ledger() -> [owned_fd_entry] {
        // Another thread may take one in between.
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
            let length = readlink("/proc/self/fd/\(number)", start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { $0 }, buffer.count)
            return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
        }
    }
}
