import Glibc

/// The subtypes and aliases of kinds of files, after the Shared MIME-info Specification.
struct MimeTypes {
    /// The kinds that each is one of.
    private var parents: [String: [String]] = [:]
    private var aliases: [String: [String]] = [:]

    private static let mostBytes = 1 << 20

    /// - Parameter folders: data folders, with `mime` in them.
    init(folders: [String]) {
        for folder in folders {
            for (child, parent) in Self.pairs("\(folder)/mime/subclasses") { parents[child, default: []].append(parent) }
            for (alias, type) in Self.pairs("\(folder)/mime/aliases") { aliases[type, default: []].append(alias) }
        }
    }

    /// Data folders as the environment names them.
    static func folders() -> [String] {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }
        let own = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
        let system = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return ([own].compactMap { $0 } + system).filter { $0.hasPrefix("/") }
    }

    /// A kind with its other names, then everything that it is one of. Every text is a plain text.
    func chain(from type: String) -> [String] {
        var chain: [String] = [], next = [type]
        while !next.isEmpty, chain.count < 64 {
            let type = next.removeFirst()
            guard !chain.contains(type) else { continue }
            chain.append(type)
            for alias in aliases[type] ?? [] where !chain.contains(alias) { chain.append(alias) }
            next += parents[type] ?? []
            if next.isEmpty, chain[0].hasPrefix("text/"), !chain.contains("text/plain") { next.append("text/plain") }
        }
        return chain
    }

    private static func pairs(_ path: String) -> [(String, String)] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes[..<count].split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            return words.count == 2 ? (String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self)) : nil
        }
    }
}
