import Glibc

/// Finds out whether other processes have a file open, as far as this user may know.
public enum OpenFiles {
    /// Whether another process of this user has the file open by this path. Reads the lists of /proc, which takes some milliseconds.
    public static func isOpenElsewhere(_ path: String) -> Bool {
        let own = getpid(), wanted = Array(path.utf8)
        return ProcessTree.numbers(in: "/proc").contains { process in
            process != own && ProcessTree.numbers(in: "/proc/\(process)/fd").contains { names("/proc/\(process)/fd/\($0)", wanted) }
        }
    }

    /// The other processes of this user that have one of the files open by its path, by their numbers. As slow.
    public static func holders(of paths: Set<String>) -> [Int32] {
        let own = getpid(), wanted = paths.map { Array($0.utf8) }
        return ProcessTree.numbers(in: "/proc").filter { process in
            process != own
                && ProcessTree.numbers(in: "/proc/\(process)/fd").contains { file in
                    wanted.contains { names("/proc/\(process)/fd/\(file)", $0) }
                }
        }
    }

    private static func names(_ link: String, _ wanted: [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: wanted.count + 1) { buffer in
            readlink(link, buffer.baseAddress!, buffer.count) == wanted.count
                && zip(buffer, wanted).allSatisfy { UInt8(bitPattern: $0) == $1 }
        }
    }
}
