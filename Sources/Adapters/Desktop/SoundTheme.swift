import Glibc

/// Finds the files of short sounds by their freedesktop names (sound theme and sound naming specifications). Caches
/// the results until `forget`. Confined to one thread.
public final class SoundTheme {
    private let bases: [String]
    private let first: String
    private var chain: [Theme]?
    private var answers: [String: String?] = [:]
    private static let mostAnswers = 512
    private static let mostThemes = 8

    private struct Theme {
        /// The folders with its sounds, in order of precedence.
        var folders: [String]
    }

    /// - Parameters:
    ///   - environment: `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `HOME`.
    ///   - name: of the theme. Sounds that it lacks come from inherited themes and from `freedesktop`.
    public init(environment: [String: String], name: String = "freedesktop") {
        bases = DesktopEntries.folders(environment: environment).map { $0 + "/sounds" }
        first = name
    }

    public func forget() {
        chain = nil
        answers = [:]
    }

    /// The file of a sound, or of a more general one: `dialog-error-serious`, `dialog-error`, `dialog`. Returns nil
    /// if there is none, or if the theme disables this sound.
    public func file(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= 128, !name.utf8.contains(UInt8(ascii: "/")), !name.hasPrefix(".") else { return nil }
        if let known = answers[name] { return known }
        if answers.count >= Self.mostAnswers { answers = [:] }
        let found = search(name)
        answers[name] = .some(found)
        return found
    }

    private func search(_ name: String) -> String? {
        let themes = chain ?? load()
        chain = themes
        var wanted = name[...]
        while true {
            for theme in themes {
                for folder in theme.folders {
                    for ending in ["disabled", "oga", "ogg", "wav"] {
                        let path = "\(folder)/\(wanted).\(ending)"
                        guard access(path, R_OK) == 0 else { continue }
                        return ending == "disabled" ? nil : path
                    }
                }
            }
            guard let cut = wanted.lastIndex(of: "-") else { return nil }
            wanted = wanted[..<cut]
        }
    }

    private func load() -> [Theme] {
        var themes: [Theme] = []
        var names = [first], seen: Set<String> = []
        while !names.isEmpty, themes.count < Self.mostThemes {
            let name = names.removeFirst()
            guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), seen.insert(name).inserted else { continue }
            if let (theme, parents) = read(name) {
                themes.append(theme)
                names += parents
            }
            if names.isEmpty, !seen.contains("freedesktop") { names.append("freedesktop") }
        }
        return themes
    }

    /// Reads a theme. The first folder with a description counts, but all folders may contain sounds.
    private func read(_ name: String) -> (Theme, parents: [String])? {
        guard let bytes = bases.lazy.compactMap({ KeyFile.bytes(of: "\($0)/\(name)/index.theme") }).first else { return nil }
        var group = "", folders: [String] = [], parents: [String] = [], profiles: [String: String] = [:]
        func list(_ bytes: ArraySlice<UInt8>) -> [String] {
            String(decoding: bytes, as: UTF8.self).split { ",;".contains($0) }.map { word in
                String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        KeyFile.read(bytes) { line in
            switch line {
            case .group(let name): group = name
            case .value(let key, let value):
                switch (group, String(decoding: key, as: UTF8.self)) {
                case ("Sound Theme", "Directories"): folders = list(value)
                case ("Sound Theme", "Inherits"): parents = list(value)
                case (_, "OutputProfile"): profiles[group] = String(decoding: value, as: UTF8.self)
                default: break
                }
            }
        }
        let usable = folders.filter { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") }
        let ordered = usable.filter { profiles[$0] ?? "stereo" == "stereo" } + usable.filter { profiles[$0] ?? "stereo" != "stereo" }
        return (Theme(folders: ordered.prefix(16).flatMap { folder in bases.map { "\($0)/\(name)/\(folder)" } }), parents)
    }
}
