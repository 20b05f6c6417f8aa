import Glibc

/// The apps that open things by default: `mimeapps.list`, which all desktops share.
public struct DefaultApps {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    private static let group = "Default Applications"

    private var own: String {
        let home = environment["HOME"] ?? "/"
        return "\(environment["XDG_CONFIG_HOME"] ?? "\(home)/.config")/mimeapps.list"
    }

    /// The files in the order of precedence.
    public var files: [String] {
        let home = environment["HOME"] ?? "/", data = environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
        func folders(_ variable: String, _ other: String) -> [String] {
            (environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? other).split(separator: ":").map(String.init)
        }
        return [own] + folders("XDG_CONFIG_DIRS", "/etc/xdg").map { "\($0)/mimeapps.list" } + ["\(data)/applications/mimeapps.list"]
            + folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share").map { "\($0)/applications/mimeapps.list" }
    }

    /// The apps that the files name for a type, the first choice first, installed or not: the names of desktop entries without `.desktop`.
    public func apps(for type: String) -> [String] { files.flatMap { entries(of: type, in: KeyFile.bytes(of: $0) ?? []) } }

    private func entries(of type: String, in bytes: [UInt8]) -> [String] {
        var isIn = false, found: [String] = []
        KeyFile.read(bytes) { line in
            switch line {
            case .group(let name): isIn = name == Self.group
            case .value(let key, let value):
                guard isIn, found.isEmpty, String(decoding: key, as: UTF8.self) == type else { return }
                found = String(decoding: value, as: UTF8.self).split(separator: ";").map {
                    $0.hasSuffix(".desktop") ? String($0.dropLast(".desktop".count)) : String($0)
                }
            }
        }
        return found
    }

    /// Makes an app the default for types, or removes what the person's file says of them. Everything else in the file stays.
    ///
    /// - Returns: the reason why the file could not be written; nil: it was.
    public func set(_ app: String?, for types: [String]) -> String? {
        // A link into another folder stays one.
        let path =
            realpath(own, nil).map { text in
                defer { free(text) }
                return String(cString: text)
            } ?? own
        var exists = stat()
        let old = KeyFile.bytes(of: path)
        if old == nil, stat(path, &exists) == 0 { return "\(path) cannot be read" }
        var lines = String(decoding: old ?? [], as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        var out: [String] = [], isIn = false, isWritten = false
        let own = app.map { app in types.map { "\($0)=\(app).desktop" } } ?? []
        for line in lines {
            let text = line.drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("[") {
                isIn = text.hasPrefix("[\(Self.group)]")
                out.append(line)
                if isIn, !isWritten {
                    out += own
                    isWritten = true
                }
                continue
            }
            let key = text.prefix { $0 != "=" }.filter { $0 != " " }
            if isIn, text.contains("="), types.contains(String(key)) { continue }
            out.append(line)
        }
        if !isWritten, !own.isEmpty { out += ["[\(Self.group)]"] + own }
        return write(out.joined(separator: "\n") + "\n", to: path)
    }

    /// Another program reads the old file or the new one, never a part.
    private func write(_ text: String, to path: String) -> String? {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        _ = mkdir(folder, 0o700)
        let other = "\(path).mullion-\(getpid())"
        let file = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { return "\(folder): \(String(cString: strerror(errno)))" }
        let bytes = Array(text.utf8)
        let isWhole = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        if isWhole, rename(other, path) == 0 { return nil }
        let reason = String(cString: strerror(errno))
        unlink(other)
        return "\(path): \(reason)"
    }
}
