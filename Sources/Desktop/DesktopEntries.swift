import Glibc

/// The apps that the machine has, from its `.desktop` files (X-03).
public enum DesktopEntries {
    /// Larger than any entry; more is not read.
    private static let largestFile = 1 << 20
    /// Folders below `applications/` that are looked into.
    private static let deepest = 4

    /// Data folders in order of precedence: the person's own, then the system's.
    public static func folders(environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let own = environment["XDG_DATA_HOME"], own.hasPrefix("/") {
            folders.append(own)
        } else if let home = environment["HOME"] {
            folders.append(home + "/.local/share")
        }
        let system = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        return folders + system.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// Languages that a person reads, best first, from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`.
    public static func languages(environment: [String: String]) -> [String] {
        let names = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
            + ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.filter { !$0.isEmpty }.prefix(1)
        return names.map { String($0.prefix { $0 != "." && $0 != "@" }) }.filter { $0 != "C" && $0 != "POSIX" }
    }

    /// Reads every entry, of each id the first by precedence, sorted by name. Files that are no entries are passed over.
    public static func installed(environment: [String: String]) -> [DesktopEntry] {
        let languages = languages(environment: environment)
        var seen: Set<String> = []
        var entries: [DesktopEntry] = []
        for folder in folders(environment: environment) {
            for (id, path) in files(in: folder + "/applications", prefix: "", depth: 0)
            where seen.insert(id).inserted {
                guard let text = read(path), let entry = DesktopEntry(id: id, text: text, languages: languages) else {
                    continue
                }
                entries.append(entry)
            }
        }
        return entries.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    private static func files(in folder: String, prefix: String, depth: Int) -> [(id: String, path: String)] {
        guard depth < deepest, let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: [(id: String, path: String)] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".desktop") {
                found.append((prefix + name.dropLast(".desktop".count), path))
            } else {
                found += files(in: path, prefix: "\(prefix)\(name)-", depth: depth + 1)
            }
        }
        return found
    }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            return nil
        }
        let size = Int(status.st_size)
        return withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 1) { buffer in
            let length = Glibc.read(file, buffer.baseAddress, size)
            return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
        }
    }
}
