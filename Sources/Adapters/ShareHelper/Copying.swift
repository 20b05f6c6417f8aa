import Descriptors
import Glibc
import PixbufLibrary

/// Copies files into the person's folder for downloads, or into a folder where an app finds files that have no path.
struct Copying {
    /// All copies for apps in one session.
    static let mostHandedBytes = 256 << 20

    /// The person's folder for downloads.
    static func downloads() -> String? {
        if let folder = g_get_user_special_dir(G_USER_DIRECTORY_DOWNLOAD) { return String(cString: folder) }
        return getenv("HOME").map { "\(String(cString: $0))/Downloads" }
    }

    /// Copies a file into a folder and overwrites nothing. Returns its path there. The copy has no name before it is complete, if the file
    /// system supports that.
    static func save(_ file: SharedFile, in folder: String, mode: mode_t = 0o666, most: Int = .max) throws(Trouble) -> String {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Trouble(errno) }
        let place = Descriptor(number, owner: "folder of copies")
        // O_TMPFILE: a file without a name.
        let unnamed = Descriptor(open(folder, O_RDWR | 0o20200000 | O_CLOEXEC, mode), owner: "copy of a file")
        guard unnamed.isOpen else { return try saveNamed(file, in: folder, place.number, mode, most) }
        try file.copy(to: unnamed.number, most: most)
        for name in names(for: file.name) {
            // AT_SYMLINK_FOLLOW: the target of the link.
            if linkat(AT_FDCWD, "/proc/self/fd/\(unnamed.number)", place.number, name, 0x400) == 0 { return "\(folder)/\(name)" }
            guard errno == EEXIST else { throw Trouble(errno) }
        }
        throw .failed
    }

    /// For file systems without files that have no name.
    private static func saveNamed(
        _ file: SharedFile, in folder: String, _ place: Int32, _ mode: mode_t, _ most: Int
    ) throws(Trouble) -> String {
        for name in names(for: file.name) {
            let copy = Descriptor(openat(place, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode), owner: "copy of a file")
            guard copy.isOpen else {
                if errno == EEXIST { continue }
                throw Trouble(errno)
            }
            do throws(Trouble) {
                try file.copy(to: copy.number, most: most)
            } catch {
                unlinkat(place, name, 0)
                throw error
            }
            return "\(folder)/\(name)"
        }
        throw .failed
    }

    /// "report.pdf", "report (1).pdf", "report (2).pdf" and so on, each of at most 255 bytes.
    static func names(for name: String) -> some Sequence<String> {
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let stem = dot.map { String(name[..<$0]) } ?? name, end = dot.map { String(name[$0...]) } ?? ""
        return (0..<10_000).lazy.map { (number: Int) -> String in
            guard number > 0 else { return name }
            let tail = " (\(number))" + end
            var stem = stem
            while stem.utf8.count + tail.utf8.count > 255, !stem.isEmpty { stem.removeLast() }
            return stem + tail
        }
    }

    /// A path for an app, of the file itself or of a copy in `folder`.
    static func hand(_ files: [SharedFile], in folder: String) throws(Trouble) -> [String] {
        var paths: [String] = [], own: String?
        for file in files {
            if let path = file.path {
                paths.append(path)
                continue
            }
            mkdir(folder, 0o700)
            let used = size(of: folder, depth: 3)
            guard used + Int(file.status.st_size) <= mostHandedBytes else { throw .tooLarge }
            if own == nil {
                var template = Array("\(folder)/XXXXXX\0".utf8CString)
                guard mkdtemp(&template) != nil else { throw Trouble(errno) }
                own = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            paths.append(try save(file, in: own!, mode: 0o600, most: mostHandedBytes - used))
        }
        return paths
    }

    private static func size(of path: String, depth: Int) -> Int {
        var status = stat()
        guard depth > 0, lstat(path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) else { return Int(status.st_size) }
        defer { closedir(folder) }
        var sum = 0
        while let item = readdir(folder) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { sum += size(of: "\(path)/\(name)", depth: depth - 1) }
        }
        return sum
    }
}
