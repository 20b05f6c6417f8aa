/// An installed app as its desktop entry describes it (Desktop Entry Specification 1.5).
public struct DesktopEntry: Hashable, Sendable {
    /// File name below `applications/` without `.desktop`, folders joined by dashes; most apps' app id.
    public var id: String
    public var name: String
    /// The command with field codes removed.
    public var command: [String]
    /// Icon name or absolute path.
    public var icon: String?
    public var categories: [String] = []
    /// Not for menus.
    public var isHidden = false
    /// Program that has to be there for the app to count as installed.
    public var tryExec: String?
    /// Desktops that show it; nil is all.
    public var onlyShowIn: [String]?
    public var notShowIn: [String] = []
    /// App id or X11 class of its windows where that is not `id`.
    public var windowClass: String?
    /// Has to run in a terminal.
    public var needsTerminal = false

    public init(id: String, name: String, command: [String]) {
        self.id = id
        self.name = name
        self.command = command
    }

    /// Whether a menu of the named desktops (as in `XDG_CURRENT_DESKTOP`) shows the app.
    public func isShown(in desktops: [String]) -> Bool {
        if isHidden || desktops.contains(where: notShowIn.contains) { return false }
        guard let onlyShowIn else { return true }
        return desktops.contains(where: onlyShowIn.contains)
    }
}

extension DesktopEntry {
    /// Reads the text of a desktop entry.
    ///
    /// - Parameters:
    ///   - languages: wanted languages such as `ko_KR` or `ja`, the best first (X-04).
    /// - Returns: nil when the text describes no app, is deleted (`Hidden`), or lacks a name or a command.
    public init?(id: String, text: String, languages: [String] = []) {
        let values = Self.values(text)
        func flag(_ key: String) -> Bool { values[key] == "true" }
        func list(_ key: String) -> [String]? { values[key].map(Self.list) }

        guard values["Type"] == "Application", !flag("Hidden") else { return nil }
        let names = languages.flatMap { [$0, String($0.prefix { $0 != "_" && $0 != "." && $0 != "@" })] }
        guard let name = names.lazy.compactMap({ values["Name[\($0)]"] }).first ?? values["Name"],
              let exec = values["Exec"],
              let command = Self.command(exec, name: Self.unescaped(name), icon: values["Icon"]), !command.isEmpty
        else { return nil }
        self.init(id: id, name: Self.unescaped(name), command: command)
        icon = values["Icon"].map(Self.unescaped)
        categories = list("Categories") ?? []
        isHidden = flag("NoDisplay")
        tryExec = values["TryExec"].map(Self.unescaped)
        onlyShowIn = list("OnlyShowIn")
        notShowIn = list("NotShowIn") ?? []
        windowClass = values["StartupWMClass"].map(Self.unescaped)
        needsTerminal = flag("Terminal")
    }

    /// Keys and raw values of the entry's main group. Lines that are no entry are passed over, as files in the wild have them.
    private static func values(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        var isInGroup = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.isEmpty || line.first == "#" { continue }
            if line.first == "[" {
                isInGroup = line == "[Desktop Entry]"
            } else if isInGroup, let equals = line.firstIndex(of: "=") {
                let key = String(line[..<equals].trimmed)
                if values[key] == nil { values[key] = String(line[line.index(after: equals)...].trimmed) }
            }
        }
        return values
    }

    /// A value of type string: `\s`, `\n`, `\t`, `\r` and `\\` undone.
    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                switch character {
                case "s": result.append(" ")
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "r": result.append("\r")
                case "\\": result.append("\\")
                default: result += ["\\", character]
                }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return isEscaped ? result + "\\" : result
    }

    /// A list with semicolons between its items; `\;` is a semicolon within one.
    private static func list(_ text: String) -> [String] {
        var items: [String] = [""]
        var isEscaped = false
        for character in text {
            if !isEscaped, character == ";" {
                items.append("")
                continue
            }
            if isEscaped, character == ";" { items[items.count - 1].removeLast() }
            items[items.count - 1].append(character)
            isEscaped = !isEscaped && character == "\\"
        }
        return items.map(unescaped).filter { !$0.isEmpty }
    }

    /// The words of an Exec value: quoting undone, field codes for files removed, `%c` and `%i` filled in.
    /// Nil when quotes do not match.
    static func command(_ exec: String, name: String, icon: String?) -> [String]? {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var characters = unescaped(exec).makeIterator()
        while let character = characters.next() {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case "\\" where isQuoted:
                guard let next = characters.next() else { return nil }
                word = (word ?? "") + String(next)
            case " " where !isQuoted, "\t" where !isQuoted:
                if let done = word { words.append(done) }
                word = nil
            case "%" where !isQuoted:
                switch characters.next() {
                case "%": word = (word ?? "") + "%"
                case "c": word = (word ?? "") + name
                case "i" where icon != nil:
                    words += ["--icon", unescaped(icon ?? "")]
                default: break
                }
            default:
                word = (word ?? "") + String(character)
            }
        }
        if isQuoted { return nil }
        if let done = word { words.append(done) }
        return words
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
