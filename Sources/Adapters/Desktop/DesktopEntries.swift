import Glibc

/// The installed apps of the machine, from its `.desktop` files (X-03).
public enum DesktopEntries {
    /// The greatest depth of folders below `applications/`.
    private static let deepest = 4
    /// The most folders per data folder. More than that is a mistake or an attack.
    private static let mostFolders = 200
    private static let mostNames = 20_000
    /// The most entries per data folder whose links are followed to watch their targets.
    private static let mostLinks = 512
    /// The most entries and bytes read in total.
    static let mostEntries = 4096
    private static let mostBytes = 32 << 20

    /// Data folders in order of precedence: the user's own, then the system's.
    public static func folders(environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let own = environment["XDG_DATA_HOME"], own.hasPrefix("/") {
            folders.append(own)
        } else if let home = environment["HOME"] {
            folders.append(home + "/.local/share")
        }
        let system = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        for folder in system.split(separator: ":").map(String.init) where folder.hasPrefix("/") {
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    /// The user's languages, preferred first, from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`.
    public static func languages(environment: [String: String]) -> [String] {
        let names =
            (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
            + ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.filter { !$0.isEmpty }.prefix(1)
        return names.map { name in
            // Drop the encoding but keep the modifier.
            let modifier = name.firstIndex(of: "@").map { String(name[$0...]) } ?? ""
            return String(name.prefix { $0 != "." && $0 != "@" }) + modifier
        }.filter { $0 != "C" && $0 != "POSIX" }
    }

    /// The same languages without countries and modifiers, in lower case: `ko` for `ko_KR`, `ko-KR` and `ko@hanja`.
    public static func tongues(environment: [String: String]) -> [String] {
        languages(environment: environment).map { $0.prefix { !"_-.@".contains($0) }.lowercased() }
    }

    /// Reads all entries, sorted by name. For each id, the first by precedence counts. Skips files that are not
    /// entries.
    public static func installed(environment: [String: String]) -> [DesktopEntry] {
        installed(environment: environment, before: { _ in }, link: { _ in })
    }

    /// - Parameter before: called with each folder before it is read, so that a watch misses nothing. Also called for
    ///   missing `applications` folders.
    /// - Parameter link: called with each entry that is a link, before it is read.
    static func installed(
        environment: [String: String], before: @escaping (String) -> Void, link: @escaping (String) -> Void
    ) -> [DesktopEntry] {
        let reader = DesktopEntryReader(languages: languages(environment: environment))
        var seen: Set<String> = []
        var entries: [DesktopEntry] = []
        var bytesLeft = mostBytes
        for folder in folders(environment: environment) {
            var search = Search(before: before, link: link)
            search.look(in: folder + "/applications", prefix: "", depth: 0)
            for (id, path) in search.found where !seen.contains(id) && seen.count < mostEntries && bytesLeft > 0 {
                guard let bytes = KeyFile.bytes(of: path) else { continue }
                bytesLeft -= bytes.count
                switch reader.read(bytes, id: id, path: path) {
                case .entry(let entry):
                    entries.append(entry)
                    seen.insert(id)
                case .deleted: seen.insert(id)
                case .unusable: break
                }
            }
        }
        return entries.map { (key: $0.name.lowercased(), entry: $0) }
            .sorted { ($0.key, $0.entry.id) < ($1.key, $1.entry.id) }.map(\.entry)
    }

    private struct Search {
        let before: (String) -> Void
        let link: (String) -> Void
        var found: [(id: String, path: String)] = []
        private var namesLeft = mostNames
        /// Visited folders by device and inode, because links may form cycles.
        private var visited: Set<[UInt]> = []

        private var linksLeft = mostLinks

        init(before: @escaping (String) -> Void, link: @escaping (String) -> Void) { (self.before, self.link) = (before, link) }

        mutating func look(in folder: String, prefix: String, depth: Int) {
            if depth == 0 { before(folder) }
            guard depth < deepest, visited.count < mostFolders, let directory = opendir(folder) else { return }
            defer { closedir(directory) }
            var status = stat()
            guard fstat(dirfd(directory), &status) == 0,
                visited.insert([UInt(status.st_dev), UInt(status.st_ino)]).inserted
            else { return }
            if depth > 0 { before(folder) }
            var folders: [String] = []
            var links: [String] = []
            while namesLeft > 0, let item = readdir(directory) {
                namesLeft -= 1
                let name = FileNames.name(of: item)
                if name.hasPrefix(".") { continue }
                if name.hasSuffix(".desktop") {
                    if Int(item.pointee.d_type) == Int(DT_LNK), linksLeft > 0 {
                        linksLeft -= 1
                        link("\(folder)/\(name)")
                    }
                    found.append((prefix + name.dropLast(".desktop".count), "\(folder)/\(name)"))
                } else {
                    switch Int(item.pointee.d_type) {
                    case Int(DT_DIR): folders.append(name)
                    case Int(DT_LNK), Int(DT_UNKNOWN): links.append(name)
                    default: break
                    }
                }
            }
            // Visit folders before links to them, so that ids do not depend on the order on disk.
            for name in folders.sorted() + links.sorted() {
                look(in: "\(folder)/\(name)", prefix: "\(prefix)\(name)-", depth: depth + 1)
            }
        }
    }
}

/// Names in folders.
enum FileNames {
    static func name(of item: UnsafeMutablePointer<dirent>) -> String {
        // Swift imports the C array as a tuple.
        withUnsafePointer(to: &item.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// The names in a folder, without dot files. Empty if the folder does not exist.
    static func list(_ folder: String, atMost limit: Int = 20_000) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < limit, let item = readdir(directory) {
            let name = name(of: item)
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
