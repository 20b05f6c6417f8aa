import Descriptors
import Glibc

/// Notes on the disk that a session is locked. A shell that is killed leaves its note, and the next one takes it over.
///
/// The file's name is the note; its content is for people. The shell whose session is locked holds a lock on the file
/// (`F_SETLK`), which the kernel releases when that process ends, however it ends: the notes of running shells are theirs.
/// Unlike flock(2), a child that a killed shell was starting does not keep it.
public final class LockNotes {
    /// A note of this process. Closing the file releases its lock.
    private final class Note: @unchecked Sendable {
        let path: String
        /// None if the file cannot be opened.
        let file: Descriptor

        init(_ path: String, _ file: consuming Descriptor) {
            self.path = path
            self.file = file
        }
    }

    private let folders: [String]
    private var notes: [Note] = []

    private static let prefix = "locked-"
    private static let text =
        "The session of a Mullion shell is locked. A shell that finds this file after that one has ended begins locked.\nWrong tries: "
    /// As many as anybody could make in years.
    private static let mostTries = 1_000_000

    /// `folders`: where notes are looked for. The first one that can be written gets new ones.
    public init(folders: [String]) { self.folders = folders }

    /// The most wrong tries that a note of this process tells of.
    public private(set) var tries = 0

    /// Whether this process has a note.
    public var hasNote: Bool { !notes.isEmpty }

    /// Takes over the notes of shells that have ended. Returns true if there are any. A note that cannot be opened counts: it may be one.
    public func takeOver() -> Bool {
        for folder in folders {
            for name in Self.names(in: folder) where name.hasPrefix(Self.prefix) {
                let path = "\(folder)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                let file = Descriptor(open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), owner: "note that the session is locked")
                if file.isOpen {
                    guard Self.take(file.number) else { continue }
                    // Its shell may have removed it in between.
                    guard fstat(file.number, &status) == 0, status.st_nlink > 0 else { continue }
                } else if errno == ENOENT {
                    continue
                }
                tries = max(tries, Self.tries(in: file.number))
                notes.append(Note(path, file))
            }
        }
        return hasNote
    }

    /// Makes a note that outlives this process. Returns a job that makes it outlive the machine as well, which waits for the disk.
    /// Throws the reason if no folder takes a note.
    public func add() throws(PrivateFile.Failure) -> @Sendable () -> Bool {
        var failure = PrivateFile.Failure(description: "there is no folder for it")
        for folder in folders {
            Self.make(folder)
            let path = "\(folder)/\(Self.prefix)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
            let file = Descriptor(
                open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), owner: "note that the session is locked")
            guard file.isOpen, Self.take(file.number) else {
                failure = PrivateFile.Failure(description: "\(path) cannot be written: \(reason(errno))")
                continue
            }
            // A full disk holds the name alone.
            Self.write(0, to: file.number)
            let note = Note(path, file)
            notes.append(note)
            return {
                let parent = Descriptor(
                    open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), owner: "folder of the note that the session is locked")
                return fsync(note.file.number) == 0 && parent.isOpen && fsync(parent.number) == 0
            }
        }
        throw failure
    }

    /// A person made so many wrong tries. Without a note, nothing is kept.
    public func keep(tries: Int) {
        self.tries = tries
        for note in notes where note.file.isOpen {
            Self.write(tries, to: note.file.number)
            fdatasync(note.file.number)
        }
    }

    private static func write(_ tries: Int, to file: Int32) {
        let bytes = Array("\(text)\(tries)\n".utf8)
        if pwrite(file, bytes, bytes.count, 0) == bytes.count { ftruncate(file, bytes.count) }
    }

    private static func tries(in file: Int32) -> Int {
        var room = [UInt8](repeating: 0, count: 512)
        let count = pread(file, &room, room.count, 0)
        guard count > 0 else { return 0 }
        let lines = String(decoding: room[..<count], as: UTF8.self).split(separator: "\n")
        return lines.last.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }.map { max(0, min(mostTries, $0)) } ?? 0
    }

    /// The session is unlocked. Returns the notes that cannot be removed: the next shell begins locked.
    public func removeAll() -> [String] {
        defer { notes.removeAll() }
        return notes.filter { unlink($0.path) != 0 && errno != ENOENT }.map { "\($0.path): \(reason(errno))" }
    }

    /// The shell ends. The session stays locked for the next one.
    public func leave() { notes.removeAll() }

    private static func take(_ file: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return withUnsafeMutablePointer(to: &lock) { fcntl(file, F_SETLK, UnsafeMutableRawPointer($0)) } == 0
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// Makes a folder and its parents for this user alone.
    private static func make(_ path: String) {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            mkdir(String(path[..<end]), 0o700)
        }
    }
}
