import Glibc

/// Finds programs as a shell does, and remembers what it found.
final class ProgramSearch {
    private let folders: [String]
    private var answers: [String: String?] = [:]

    init(environment: [String: String]) {
        let path = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
        folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// Where a program is that can be run; of a name with slashes only absolute ones count.
    func path(of program: String) -> String? {
        if let known = answers[program] { return known }
        let places = program.contains("/") ? [program].filter { $0.hasPrefix("/") } : folders.map { "\($0)/\(program)" }
        let answer = program.isEmpty ? nil : places.first(where: Self.canRun)
        answers[program] = .some(answer)
        return answer
    }

    func has(_ program: String) -> Bool { path(of: program) != nil }

    /// The words in front of a command that has to run in a terminal; nil when there is no terminal.
    ///
    /// - Parameter id: what the terminal's window is to call itself, where that can be said.
    func terminal(id: String) -> [String]? {
        let own = [
            "foot", "kgx", "gnome-terminal", "konsole", "xfce4-terminal", "alacritty", "kitty", "xterm",
        ]
        if has("xdg-terminal-exec") { return ["xdg-terminal-exec"] }
        // Debian's name leads to the terminal that the person chose; with no choice made to a member of xterm's family,
        // which no finger scrolls.
        let alternative = "x-terminal-emulator"
        let target = path(of: alternative).flatMap(Self.target)
        if let target, !target.hasSuffix("xterm") { return [alternative] + (Self.words(target, id: id) ?? ["-e"]) }
        if let program = own.first(where: has) { return [program] + (Self.words(program, id: id) ?? ["-e"]) }
        return target == nil ? nil : [alternative, "-e"]
    }

    /// The name of the program that a link leads to.
    private static func target(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target).split(separator: "/").last.map(String.init)
    }

    private static func words(_ terminal: String, id: String) -> [String]? {
        switch terminal {
        case "foot": ["--app-id=" + id]
        case "alacritty": ["--class", id, "-e"]
        case "kitty": ["--class", id]
        case "xterm": ["-class", id, "-e"]
        case "gnome-terminal": ["--"]
        case "xfce4-terminal": ["-x"]
        default: nil
        }
    }

    private static func canRun(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
