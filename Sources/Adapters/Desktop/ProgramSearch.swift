import Glibc

/// Finds programs as a shell does, and caches the results.
final class ProgramSearch {
    private let folders: [String]
    private var answers: [String: String?] = [:]

    init(environment: [String: String]) {
        let path = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
        folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// The path of an executable program. Of names with slashes, only absolute ones count.
    func path(of program: String) -> String? {
        if let known = answers[program] { return known }
        let places = program.contains("/") ? [program].filter { $0.hasPrefix("/") } : folders.map { "\($0)/\(program)" }
        let answer = program.isEmpty ? nil : places.first(where: Self.canRun)
        answers[program] = .some(answer)
        return answer
    }

    func has(_ program: String) -> Bool { path(of: program) != nil }

    /// The prefix of a command that has to run in a terminal; nil if there is no terminal.
    ///
    /// - Parameter id: the app id of the terminal's window, if the terminal supports setting it.
    func terminal(id: String) -> [String]? {
        let own = [
            "foot", "kgx", "gnome-terminal", "konsole", "xfce4-terminal", "alacritty", "kitty", "xterm",
        ]
        if has("xdg-terminal-exec") { return ["xdg-terminal-exec"] }
        // Debian's alternative leads to the terminal that the user chose. By default it is of the xterm family, which
        // does not support touch scrolling.
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
