import Descriptors
import Glibc
import LinuxLibrary

/// The folder of a session and the files in it.
struct SessionFolder: Sendable {
    /// A system call that failed.
    struct Failure: Error {
        var file: String
        var number: Int32
    }

    /// The state of a session file, by its first bytes.
    enum Header: Equatable {
        case missing
        /// The header is intact.
        case version(Int)
        case damaged(String)
    }

    var path: String

    var main: String { "\(path)/session.db" }
    var copy: String { "\(path)/session.good.db" }
    /// The file under construction. When it is complete, a rename puts it in the place of another.
    var partial: String { "\(path)/session.db.part" }
    var partialCopy: String { "\(path)/session.good.db.part" }
    private var lockFile: String { "\(path)/session.lock" }

    /// The suffixes of the files that SQLite puts beside a database.
    private static let suffixes = ["-wal", "-journal", "-shm"]

    /// Makes the folder and its parents, accessible to this user only.
    func make() throws(Failure) {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<end])
            if mkdir(part, 0o700) != 0, errno != EEXIST {
                // An existing parent need not be writable.
                let number = errno
                if access(part, F_OK) != 0 { throw Failure(file: part, number: number) }
            }
        }
    }

    /// The owner of the folder: this process or another one.
    enum Lock: ~Copyable {
        case own(Descriptor)
        case others(process: Int32?)
    }

    /// Takes the lock. The kernel releases it when this process ends, however it ends.
    func lock() throws(Failure) -> Lock {
        let file = Descriptor(
            open(lockFile, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600), owner: "lock of the session's folder")
        guard file.isOpen else { throw Failure(file: lockFile, number: errno) }
        // A child that an ended shell was starting keeps the shell's files open until it executes its program.
        var tries = 20
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw Failure(file: lockFile, number: errno) }
            tries -= 1
            if tries > 0 {
                usleep(10_000)
                continue
            }
            var room = [UInt8](repeating: 0, count: 16)
            let count = pread(file.number, &room, room.count, 0)
            return .others(process: Int32(String(decoding: room.prefix(max(0, count)), as: UTF8.self)))
        }
        // The number only serves another shell's notice: a full disk must not prevent the lock.
        let text = "\(getpid())"
        if ftruncate(file.number, 0) == 0 { _ = pwrite(file.number, text, text.utf8.count, 0) }
        return .own(file)
    }

    /// Releases the lock explicitly: closing the file is not enough while a child that is being started has it open too.
    func unlock(_ file: inout Descriptor) {
        if file.isOpen { flock(file.number, LOCK_UN) }
        file.close()
    }

    /// Reads the header without SQLite, which would change the file.
    func header(of file: String) throws(Failure) -> Header {
        let descriptor = Descriptor(open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), owner: "session")
        guard descriptor.isOpen else {
            switch errno {
            case ENOENT: return .missing
            case ELOOP: return .damaged("it is a symbolic link")
            case ENXIO: return .damaged("it is a socket")
            case let number: throw Failure(file: file, number: number)
            }
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw Failure(file: file, number: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .damaged(status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is no regular file")
        }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor.number, &bytes, bytes.count)
        guard count >= 0 else { throw Failure(file: file, number: errno) }
        guard count == bytes.count else { return .damaged(count == 0 ? "it is empty" : "it has \(count) bytes") }
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return .damaged("it is no SQLite file") }
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard number(at: 68) == Schema.application else { return .damaged("it is no session") }
        let version = number(at: 60)
        return version == 0 ? .damaged("it has no version") : .version(version)
    }

    /// Makes an empty file that only this user may read. SQLite gives the files that it puts beside it the same mode.
    func create(_ file: String) throws(Failure) {
        remove(file)
        let descriptor = Descriptor(open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), owner: "session")
        guard descriptor.isOpen else { throw Failure(file: file, number: errno) }
    }

    /// Removes a file under construction and the files that SQLite put beside it.
    func remove(_ file: String) {
        for suffix in [""] + Self.suffixes { unlink(file + suffix) }
    }

    /// Puts the file under construction in the place of `file`, atomically and durably.
    func replace(_ file: String, by partial: String) throws(Failure) {
        // SQLite must never apply a journal of the old file to the new one.
        for suffix in Self.suffixes where exists(file + suffix) {
            if unlink(file + suffix) != 0 { throw Failure(file: file + suffix, number: errno) }
        }
        try synchronize(partial)
        guard rename(partial, file) == 0 else { throw Failure(file: file, number: errno) }
        try synchronize(path)
    }

    /// Moves a damaged file and its journals to an unused name. The journals move last: if only they are left, the next
    /// start restores the session from the copy and then moves them too.
    func moveAside(_ file: String) throws(Failure) -> String {
        var number = 1
        while ([""] + Self.suffixes).contains(where: { exists("\(file).damaged-\(number)\($0)") }) { number += 1 }
        let place = "\(file).damaged-\(number)"
        for suffix in [""] + Self.suffixes where rename(file + suffix, place + suffix) != 0 && errno != ENOENT {
            throw Failure(file: file + suffix, number: errno)
        }
        try synchronize(path)
        return place
    }

    /// Also of a link to nothing.
    func exists(_ file: String) -> Bool { faccessat(AT_FDCWD, file, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

    func isFolder(_ file: String) -> Bool {
        var status = stat()
        return lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether SQLite left a journal or log beside a file.
    func hasJournal(_ file: String) -> Bool { Self.suffixes.contains { exists(file + $0) } }

    /// Copies the last good copy to the file under construction.
    func copyBack() throws(Failure) {
        try create(partial)
        let from = Descriptor(open(copy, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), owner: "copy of the session")
        guard from.isOpen else { throw Failure(file: copy, number: errno) }
        let to = Descriptor(open(partial, O_WRONLY | O_CLOEXEC), owner: "session")
        guard to.isOpen else { throw Failure(file: partial, number: errno) }
        var room = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(from.number, &room, room.count)
            if count == 0 { return }
            guard count > 0 else { throw Failure(file: copy, number: errno) }
            var done = 0
            while done < count {
                let written = room.withUnsafeBytes { write(to.number, $0.baseAddress! + done, count - done) }
                guard written > 0 else { throw Failure(file: partial, number: errno) }
                done += written
            }
        }
    }

    private func synchronize(_ path: String) throws(Failure) {
        let descriptor = Descriptor(open(path, O_RDONLY | O_CLOEXEC), owner: "session")
        guard descriptor.isOpen, fsync(descriptor.number) == 0 else { throw Failure(file: path, number: errno) }
    }
}

extension StoreError {
    /// Describes an error of SQLite or of the system for a person.
    init(_ error: any Error, file: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as SessionFolder.Failure:
            switch error.number {
            case ENOSPC, EDQUOT: self = .diskFull(file: error.file)
            case EROFS, EACCES, EPERM: self = .readOnly(file: error.file)
            // All these files are opened without following links (see `open(2)`).
            case ELOOP: self = .other(file: error.file, reason: "it is a symbolic link")
            default: self = .other(file: error.file, reason: String(cString: strerror(error.number)))
            }
        default: self = .init(sqlite: error, file: file)
        }
    }
}
