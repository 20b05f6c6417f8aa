import Descriptors
import Glibc

/// Files that contain private content of the user: screenshots and recordings.
///
/// Such a file is always newly created (0600) under an unguessable name, and then renamed. So it is never written
/// through a link that another user placed, and an existing file with wider permissions is replaced.
public enum PrivateFile {
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Creates an empty file at `path`, open for writing. The caller closes it. Throws the reason if that fails.
    public static func open(replacing path: String) throws(Failure) -> Int32 {
        try make(at: path) { _ in true }
    }

    /// Writes a file atomically. Throws the reason if it cannot be written.
    public static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        close(try make(at: path) { fill($0, bytes[...]) })
    }

    /// Copies a regular file of 1 to `most` bytes, a part at a time; a pipe or a device is left alone. False: there is no copy.
    ///
    /// - Parameter owner: names the owner of the descriptors in reports.
    public static func copy(_ source: String, to path: String, most: Int, owner: StaticString) -> Bool {
        let file = Descriptor(Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), owner: owner)
        var state = stat()
        guard file.isOpen, fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, (1...most).contains(Int(state.st_size)),
            let number = try? open(replacing: path)
        else { return false }
        let target = Descriptor(number, owner: owner)
        var room = [UInt8](repeating: 0, count: 256 << 10), left = most
        while left > 0 {
            let count = read(file.number, &room, min(left, room.count))
            if count < 0, errno == EINTR { continue }
            if count == 0 { return true }
            guard count > 0, fill(target.number, room[..<count]) else { break }
            left -= count
        }
        unlink(path)
        return false
    }

    private static func fill(_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
                if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
            }
            return true
        }
    }

    private static func make(at path: String, filledBy fill: (Int32) -> Bool) throws(Failure) -> Int32 {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let what = status.st_mode & S_IFMT == S_IFLNK ? "a link" : "no plain file"
            throw Failure(description: "\(path) cannot be written: it is \(what), which is left alone")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let partial = "\(folder).mullion-\(UInt64.random(in: 0...UInt64.max)).part"
        let file = Glibc.open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(description: "\(path) cannot be written: \(reason(errno))") }
        guard fill(file), rename(partial, path) == 0 else {
            let why = reason(errno)
            close(file)
            unlink(partial)
            throw Failure(description: "\(path) cannot be written: \(why)")
        }
        return file
    }
}
