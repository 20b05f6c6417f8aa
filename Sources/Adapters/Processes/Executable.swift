import Glibc

/// Programs as the search path finds them.
public enum Executable {
    /// What execvp takes when the environment names no path.
    static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The file that a command's first word means; nil when there is none that may be run.
    ///
    /// - Parameter path: folders with colons between them, as in `PATH`.
    public static func find(_ name: String, path: String?) -> String? {
        if name.contains("/") { return isRunnable(name) ? name : nil }
        guard !name.isEmpty else { return nil }
        for folder in (path ?? standardPath).split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
            if isRunnable(candidate) { return candidate }
        }
        return nil
    }

    /// A command for a program that is of no use without this process: it ends (SIGTERM) when this one does, in whatever way. Where
    /// there is no `setpriv` (util-linux) it goes on after this one was killed.
    public static func bound(_ command: [String], path: String?) -> [String] {
        guard let setpriv = find("setpriv", path: path) else { return command }
        return [setpriv, "--pdeathsig", "TERM", "--"] + command
    }

    private static func isRunnable(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(file, X_OK) == 0
    }
}
