import Descriptors
import Glibc
import PixbufLibrary

/// An open file that a program shares. It is read from its beginning; where the program reads does not change.
struct SharedFile {
    let name: String
    let number: Int32
    let status: stat

    struct Flaw: Error {
        let text: String
    }

    /// - Parameter number: an open regular file, which may be read.
    init(_ number: Int32, name: String) throws(Flaw) {
        self.number = number
        self.name = name
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Flaw(text: "\(name): \(String(cString: strerror(errno)))") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Flaw(text: "\(name): is a folder")
        default: throw Flaw(text: "\(name): is not a regular file")
        }
        self.status = status
        // Opening it anew would allow more than the program was allowed.
        let flags = fcntl(number, F_GETFL), isPathOnly = flags & 0o10000000 != 0
        guard flags >= 0, !isPathOnly, flags & O_ACCMODE != O_WRONLY else { throw Flaw(text: "\(name): is not open for reading") }
    }

    /// Its kind, then the kinds that this is one of, nearest first.
    func types(_ known: MimeTypes) -> [String] {
        var head = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(number, &head, head.count, 0))
        var isUncertain: gboolean = 0
        guard let guess = g_content_type_guess(name, head, gsize(count), &isUncertain) else { return ["application/octet-stream"] }
        defer { g_free(guess) }
        return known.chain(from: String(cString: guess))
    }

    /// Its path, if the file is still there under the name that a person read.
    var path: String? {
        var room = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(number)", &room, room.count)
        guard count > 1, count < room.count else { return nil }
        let bytes = room[..<count].map { UInt8(bitPattern: $0) }
        guard let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/"),
            path.utf8.split(separator: UInt8(ascii: "/")).last.map({ $0.elementsEqual(name.utf8) }) == true
        else { return nil }
        var there = stat()
        guard lstat(path, &there) == 0, there.st_dev == status.st_dev, there.st_ino == status.st_ino else { return nil }
        return path
    }

    /// Copies it into an open file.
    /// - Parameter most: bytes.
    func copy(to output: Int32, most: Int) throws(Trouble) {
        var room = [UInt8](repeating: 0, count: 1 << 18)
        var offset = 0
        while true {
            let count = pread(number, &room, room.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { return }
            guard offset + count <= most else { throw .tooLarge }
            var done = 0
            while done < count {
                let written = room.withUnsafeBytes { write(output, $0.baseAddress! + done, count - done) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Trouble(errno) }
                done += written
            }
            offset += count
        }
    }
}

/// The reason why a file was not copied. The words are those of the core's `SharingTrouble`.
enum Trouble: String, Error {
    case full, forbidden, unreadable, tooLarge, failed

    init(_ number: Int32) {
        self =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS: .forbidden
            case EFBIG: .tooLarge
            default: .failed
            }
    }
}
