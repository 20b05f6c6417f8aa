import Windows

/// Parses desktop entries for one user's languages.
struct DesktopEntryReader {
    enum Outcome {
        case entry(DesktopEntry)
        /// The entry declares that the app does not exist, whatever folders of lower precedence contain.
        case deleted
        /// Invalid or incomplete.
        case unusable
    }

    /// The longest value that is used, in bytes. Longer ones are ignored.
    private static let longestValue = 16_384
    private static let longestName = 200
    private static let mostActions = 32
    private static let mostKeywords = 200
    private static let mostTypes = 1000

    private static let keys: Set<String> = [
        "Type", "Hidden", "NoDisplay", "Name", "GenericName", "Keywords", "Exec", "TryExec", "Icon", "Categories",
        "OnlyShowIn", "NotShowIn", "StartupWMClass", "Terminal", "Actions", "SingleMainWindow", "X-GNOME-SingleWindow",
        "DBusActivatable", "MimeType", "Path", "DesktopNames",
    ]

    /// The locale suffixes of keys, preferred first. An empty one is the untranslated value.
    private let locales: [String]
    private let localeBytes: [[UInt8]]

    init(languages: [String]) {
        var locales: [String] = []
        for language in languages + [""] {
            let parts = language.split(separator: "@", maxSplits: 1).map(String.init)
            let place = String((parts.first ?? "").prefix { $0 != "." })
            let tongue = String(place.prefix { $0 != "_" })
            let modifier = parts.count > 1 ? "@" + parts[1] : ""
            for locale in [place + modifier, place, tongue + modifier, tongue] where !locales.contains(locale) {
                locales.append(locale)
            }
            // Untranslated values are English, so nothing further down the list is better.
            if tongue == "en", !locales.contains("") { locales.append("") }
        }
        self.locales = locales
        localeBytes = locales.map { Array($0.utf8) }
    }

    /// - Parameter isSession: it is one of `xsessions` or `wayland-sessions`, which have other types (`XSession`), or none.
    func read(_ bytes: [UInt8], id: String, path: String? = nil, isSession: Bool = false) -> Outcome {
        // Neither text nor commands may contain NUL bytes.
        if bytes.contains(0) { return .unusable }
        let groups = groups(bytes)
        guard let main = groups["Desktop Entry"] else { return .unusable }
        if main["Hidden"] == "true" { return .deleted }
        if !isSession {
            guard let type = main["Type"] else { return .unusable }
            guard type == "Application" else { return .deleted }
        }

        guard let name = localized("Name", in: main).map(Self.label), !name.isEmpty else { return .unusable }
        let icon = main["Icon"].map(Self.unescaped).flatMap { $0.isEmpty ? nil : $0 }
        let isActivatable = main["DBusActivatable"] == "true" && Self.isBusName(id)
        let activation = isActivatable ? ["gapplication", "launch", id] : nil
        let exec = main["Exec"].map { ExecLine($0, name: name, icon: icon, path: path) }
        guard let command = exec.map(\.words) ?? activation,
            !command.isEmpty
        else { return .unusable }

        var entry = DesktopEntry(id: id, name: name, command: command)
        // `gapplication launch` takes files.
        let launched = FilePlace(index: command.count, isMany: true, takesAddresses: true)
        entry.filePlace = exec.map(\.place) ?? launched
        entry.directory = main["Path"].map(Self.unescaped).flatMap { $0.hasPrefix("/") ? $0 : nil }
        entry.mimeTypes = Array((main["MimeType"].map(Self.list) ?? []).map { $0.lowercased() }.prefix(Self.mostTypes))
        entry.icon = icon
        entry.genericName = localized("GenericName", in: main).map(Self.label)
        entry.categories = main["Categories"].map(Self.list) ?? []
        entry.isHidden = main["NoDisplay"] == "true"
        entry.tryExec = main["TryExec"].map(Self.unescaped).flatMap { $0.isEmpty ? nil : $0 }
        entry.onlyShowIn = main["OnlyShowIn"].map(Self.list)
        entry.notShowIn = main["NotShowIn"].map(Self.list) ?? []
        entry.desktopNames = main["DesktopNames"].map(Self.list) ?? []
        entry.windowClass = main["StartupWMClass"].map(Self.unescaped).flatMap { $0.isEmpty ? nil : $0 }
        entry.needsTerminal = main["Terminal"] == "true"
        entry.isSingleWindow = (main["SingleMainWindow"] ?? main["X-GNOME-SingleWindow"]) == "true"
        entry.takesFiles = exec?.place != nil
        entry.keywords = keywords(of: main, name: name)

        for action in Self.list(main["Actions"] ?? "").prefix(Self.mostActions)
        where !entry.actions.contains(where: { $0.id == action }) {
            let activation = isActivatable ? ["gapplication", "action", id, action] : nil
            guard let values = groups["Desktop Action " + action],
                let name = localized("Name", in: values).map(Self.label), !name.isEmpty,
                let command = values["Exec"].map({ ExecLine($0, name: entry.name, icon: icon, path: path).words }) ?? activation,
                !command.isEmpty
            else { continue }
            entry.actions.append(.init(id: action, name: name, command: command))
        }
        return .entry(entry)
    }

    /// Keys and raw values of the relevant groups, without other languages.
    private func groups(_ bytes: [UInt8]) -> [String: [String: String]] {
        var groups: [String: [String: String]] = [:]
        var group: String?
        var values: [String: String] = [:]
        func finish() {
            // If a group occurs twice, the first value of a key counts.
            if let group { groups[group, default: [:]].merge(values) { first, _ in first } }
            values = [:]
        }
        KeyFile.read(bytes) { line in
            switch line {
            case .group(let name):
                finish()
                let isOfUse = name == "Desktop Entry" || name.hasPrefix("Desktop Action ")
                group = isOfUse && groups.count <= Self.mostActions ? name : nil
            case .value(let key, let value):
                guard group != nil, value.count <= Self.longestValue else { return }
                var base = key
                if key.last == UInt8(ascii: "]"), let bracket = key.firstIndex(of: UInt8(ascii: "[")) {
                    let locale = key[(bracket + 1)...].dropLast()
                    guard localeBytes.contains(where: { $0.elementsEqual(locale) }) else { return }
                    base = key[..<bracket]
                }
                guard Self.keys.contains(String(decoding: base, as: UTF8.self)) else { return }
                let key = String(decoding: key, as: UTF8.self)
                if values[key] == nil { values[key] = String(decoding: value, as: UTF8.self) }
            }
        }
        finish()
        return groups
    }

    /// The raw values of a key in the wanted languages, preferred first.
    private func translations(_ key: String, in values: [String: String]) -> [String] {
        locales.compactMap { values[$0.isEmpty ? key : "\(key)[\($0)]"] }
    }

    private func localized(_ key: String, in values: [String: String]) -> String? {
        translations(key, in: values).first
    }

    private func keywords(of values: [String: String], name: String) -> [String] {
        let words =
            translations("GenericName", in: values).map(Self.label)
            + translations("Keywords", in: values).flatMap(Self.list).map(Self.label)
            + translations("Name", in: values).map(Self.label)
        var seen: Set = [name, ""]
        return Array(words.filter { seen.insert($0).inserted }.prefix(Self.mostKeywords))
    }

    // MARK: Values

    /// A text for one line of a menu: without control characters, and of limited length.
    private static func label(_ raw: String) -> String {
        let text = unescaped(raw)
        if text.utf8.count <= longestName, text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) { return text }
        let line = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return String(String(line).prefix(longestName))
    }

    /// Whether an id is a valid app name on the session bus.
    private static func isBusName(_ id: String) -> Bool {
        id.contains(".") && id.utf8.count <= 255 && id.first != "-"
            && id.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Decodes a value of type string: `\s`, `\n`, `\t`, `\r` and `\\`.
    static func unescaped(_ text: String) -> String {
        if !text.utf8.contains(UInt8(ascii: "\\")) { return text }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                switch scalar {
                case "s": result.append(" ")
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "r": result.append("\r")
                case "\\": result.append("\\")
                default: result.append(contentsOf: ["\\", scalar])
                }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("\\") }
        return String(result)
    }

    /// Splits a list at semicolons. `\;` is a semicolon within an item.
    private static func list(_ text: String) -> [String] {
        if !text.utf8.contains(UInt8(ascii: "\\")) { return text.split(separator: ";").map(String.init) }
        var items: [String.UnicodeScalarView] = [.init()]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar == ";" {
                items.append(.init())
                continue
            }
            if isEscaped, scalar == ";" { items[items.count - 1].removeLast() }
            items[items.count - 1].append(scalar)
            isEscaped = !isEscaped && scalar == "\\"
        }
        return items.map { unescaped(String($0)) }.filter { !$0.isEmpty }
    }
}
