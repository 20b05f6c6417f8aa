import Desktop
import FoundationEssentials
import Glibc
import Processes

/// The app under audit, as named on the command line.
struct Subject {
    /// The desktop id, or the program's name. Part of fingerprints.
    var id: String
    var name: String
    var command: [String]
    /// nil for a plain command.
    var entry: DesktopEntry?
    /// The desktop file.
    var file: String?

    struct Unknown: Error, CustomStringConvertible {
        let why: Phrase
        var description: String { why.english }
    }

    /// - Parameters:
    ///   - word: a desktop id, the path of a desktop file, or a command line.
    ///   - environment: in which the desktop entry and the program are searched.
    init(_ word: String, environment: [String: String]) throws {
        if word.hasSuffix(".desktop"), word.contains("/") {
            guard let data = FileManager.default.contents(atPath: word) else { throw Unknown(why: .noSuchFile) }
            let id = String(word.split(separator: "/").last?.dropLast(".desktop".count) ?? "")
            guard let entry = DesktopEntry(id: id, text: String(decoding: data, as: UTF8.self), path: word) else {
                throw Unknown(why: .noDesktopEntry)
            }
            self.init(entry, file: word.hasPrefix("/") ? word : "\(FileManager.default.currentDirectoryPath)/\(word)")
            return
        }
        let id = word.hasSuffix(".desktop") ? String(word.dropLast(".desktop".count)) : word
        if let (entry, file) = Self.installed(id, environment: environment) {
            self.init(entry, file: file)
            return
        }
        let words = Self.words(word)
        guard let program = words.first, Executable.find(program, path: environment["PATH"]) != nil else {
            throw Unknown(why: .unknownApp)
        }
        let name = Self.lastPart(of: program)
        self.init(id: Self.interpreters.contains(name) ? Self.script(of: words) ?? name : name, command: words)
    }

    /// The name that distinguishes programs of an interpreter: that of the script or the program that it runs. nil if an option contains
    /// the commands themselves, because a fingerprint has no commands.
    private static func script(of words: [String]) -> String? {
        for word in words.dropFirst() {
            if word == "-c" { return nil }
            // An option, or a variable for env.
            if word.hasPrefix("-") || word.contains("=") { continue }
            return lastPart(of: word)
        }
        return nil
    }

    /// Whether its command names a file or an address that it is to open.
    var isGivenFile: Bool {
        entry == nil
            && command.dropFirst(Self.interpreters.contains(Self.lastPart(of: command.first ?? "")) ? 2 : 1).contains { word in
                word.contains("://") || access(word, R_OK) == 0
            }
    }

    /// The command that the audit asks the shell to start. A word may be a file's path that is relative to the folder in which the audit runs (`./app.py`).
    ///
    /// - Parameter variables: more of its environment.
    func start(with variables: [String: String] = [:]) -> [String] {
        let isRelative = entry == nil && command.contains { !$0.hasPrefix("/") && !$0.hasPrefix("-") && access($0, F_OK) == 0 }
        let folder = isRelative ? ["-C", FileManager.default.currentDirectoryPath] : []
        let more = folder + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (more.isEmpty ? [] : ["env"] + more) + command
    }

    private static let interpreters = ["python3", "sh", "bash", "env"]

    private static func lastPart(of path: String) -> String { String(path.split(separator: "/").last ?? Substring(path)) }

    private init(id: String, command: [String]) {
        self.id = id
        name = id
        self.command = command
    }

    private init(_ entry: DesktopEntry, file: String?) {
        id = entry.id
        name = entry.name
        command = entry.command
        self.entry = entry
        self.file = file
    }

    private static func installed(_ id: String, environment: [String: String]) -> (DesktopEntry, String)? {
        guard !id.contains("/"), !id.contains(" ") else { return nil }
        for folder in DesktopEntries.folders(environment: environment) {
            let file = "\(folder)/applications/\(id).desktop"
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            return DesktopEntry(id: id, text: String(decoding: data, as: UTF8.self), path: file).map { ($0, file) }
        }
        return nil
    }

    /// The words of a command line, with single and double quotes and backslashes as in a shell.
    static func words(_ line: String) -> [String] {
        var words: [String] = [], word: String?, quote: Character?, isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
