import Glibc

/// Finds programs in the search path.
public enum Executable {
    /// The search path that execvp uses by default.
    static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The file of a command's first word; nil if there is no executable.
    ///
    /// - Parameter path: colon-separated folders, as in `PATH`.
    public static func find(_ name: String, path: String?) -> String? {
        if name.contains("/") { return isRunnable(name) ? name : nil }
        guard !name.isEmpty else { return nil }
        for folder in (path ?? standardPath).split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
            if isRunnable(candidate) { return candidate }
        }
        return nil
    }

    /// Wraps a command whose program must not outlive this process: it gets SIGTERM when this process ends in any
    /// way. Without `setpriv` (util-linux), it survives if this process is killed.
    public static func bound(_ command: [String], path: String?) -> [String] {
        guard let setpriv = find("setpriv", path: path) else { return command }
        return [setpriv, "--pdeathsig", "TERM", "--"] + command
    }

    private static func isRunnable(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(file, X_OK) == 0
    }
}
