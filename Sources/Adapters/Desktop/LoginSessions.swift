import Glibc

/// The entries of `wayland-sessions` and `xsessions`, which login managers offer.
public enum LoginSessions {
    public struct Found: Sendable {
        public var entry: DesktopEntry
        public var path: String
        public var isX11: Bool
    }

    private static let most = 256

    /// Sorted by name. For each id, the first of the system's data folders counts, and Wayland before X11. Hidden entries are left out.
    ///
    /// - Parameter fault: called with the path of each file that is no entry, and why.
    public static func all(environment: [String: String], fault: (String, String) -> Void) -> [Found] {
        let reader = DesktopEntryReader(languages: DesktopEntries.languages(environment: environment))
        var system = environment
        // The account of a greeter has no sessions of its own.
        (system["XDG_DATA_HOME"], system["HOME"]) = (nil, nil)
        var seen: Set<String> = [], found: [Found] = []
        let folders = DesktopEntries.folders(environment: system)
        for (folder, isX11) in folders.map({ ("\($0)/wayland-sessions", false) }) + folders.map({ ("\($0)/xsessions", true) }) {
            for name in names(in: folder) where seen.count < most {
                let id = String(name.dropLast(".desktop".count)), path = "\(folder)/\(name)"
                guard !id.isEmpty, seen.insert(id).inserted else { continue }
                guard let bytes = KeyFile.bytes(of: path) else {
                    fault(path, "it cannot be read")
                    continue
                }
                switch reader.read(bytes, id: id, path: path, isSession: true) {
                case .entry(let entry): if !entry.isHidden { found.append(Found(entry: entry, path: path, isX11: isX11)) }
                case .deleted: break
                case .unusable: fault(path, "it is no desktop entry with a name and a command")
                }
            }
        }
        return found.sorted { ($0.entry.name.lowercased(), $0.entry.id) < ($1.entry.name.lowercased(), $1.entry.id) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < most, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasSuffix(".desktop"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
