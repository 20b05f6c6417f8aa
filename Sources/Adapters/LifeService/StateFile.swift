import Descriptors
import Glibc
import LinuxLibrary

/// State that travels as a file. This code never maps such a file into memory, because its owner could shorten it at any
/// time. It never waits for a disk, or for a file system that a program serves.
public enum StateFile {
    /// Reads the first `size` bytes of a client's file.
    public static func read(_ file: borrowing Descriptor, size: Int) throws(LifeError) -> [UInt8] {
        try LifeLimits.check(size: size)
        // Only memory files have seals, and only for those is the size known without asking a file system.
        let isInMemory = fcntl(file.number, getSeals) >= 0
        if isInMemory {
            var facts = stat()
            guard fstat(file.number, &facts) == 0 else { throw failure(errno) }
            guard facts.st_size >= size else { throw tooShort(Int(facts.st_size), size) }
        }
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let more = bytes.withUnsafeMutableBytes { room in
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                guard !isInMemory else { return pread(file.number, rest.baseAddress!, rest.count, off_t(count)) }
                var piece = iovec(iov_base: rest.baseAddress!, iov_len: rest.count)
                return mullion_read_at_once(file.number, &piece, off_t(count))
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw failure(errno) }
            guard more > 0 else { throw tooShort(count, size) }
            count += more
        }
        return bytes
    }

    /// A file for a client to read; `.none` if there are too many open files.
    public static func make(of bytes: [UInt8]) -> Descriptor {
        let file = Descriptor(memfd_create("state", MFD_CLOEXEC | allowSealing), owner: "state for a client")
        guard file.isOpen else { return .none }
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress! + count, bytes.count - count, off_t(count)) }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return .none }
            count += more
        }
        _ = fcntl(file.number, addSeals, allSeals)
        return file
    }

    private static func tooShort(_ there: Int, _ size: Int) -> LifeError {
        LifeError(.badFile, "the file has \(there) bytes, and the request says \(size)")
    }

    private static func failure(_ error: Int32) -> LifeError {
        let why =
            switch error {
            case EAGAIN, EOPNOTSUPP: "it cannot be read without waiting: use memfd_create"
            case ESPIPE: "it is no regular file: use memfd_create"
            default: String(cString: strerror(error))
            }
        return LifeError(.badFile, "the file cannot be read: \(why)")
    }

    // Macros in linux/fcntl.h that Swift does not import.
    private static let addSeals: Int32 = 1033, getSeals: Int32 = 1034
    /// Seals against sealing, shrinking, growing and writing.
    private static let allSeals: Int32 = 0xF
    private static let allowSealing: UInt32 = 2
}
