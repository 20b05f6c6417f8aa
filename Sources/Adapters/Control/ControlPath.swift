import FoundationEssentials
import Glibc
import Processes

/// The location of control sockets: `<runtime directory>/mullion-<name>/control.sock`. `name` is that of the Wayland
/// socket.
public enum ControlPath {
    /// The environment variable that tells programs launched by the shell where the socket is.
    public static let variable = "MULLION_CONTROL"

    public static func path(runtime: String, name: String) -> String { "\(runtime)/mullion-\(name)/control.sock" }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Finds the socket: `wanted` (a path, or the name of a Wayland socket), else MULLION_CONTROL, else the newest
    /// socket in the runtime directory. Throws a `ControlError` that names the searched socket and folder.
    public static func find(_ wanted: String?, environment: [String: String]) throws(ControlError) -> String {
        if let wanted, wanted.contains("/") { return wanted }
        if wanted == nil, let named = environment[variable], !named.isEmpty { return named }
        let folders: [String]
        do throws(RuntimeDirectory.Failure) {
            folders = try RuntimeDirectory.candidates(environment: environment)
        } catch {
            throw ControlError(error.message)
        }
        let places =
            folders.isEmpty
            ? "/run/user/\(getuid()) or /tmp/mullion-\(getuid()), where no folder is this user's alone"
            : folders.joined(separator: " or ")
        if let wanted {
            for folder in folders {
                let path = path(runtime: folder, name: wanted)
                if access(path, F_OK) == 0 { return path }
            }
            throw ControlError("no shell is called \"\(wanted)\" in \(places)")
        }
        var found: [(path: String, when: time_t)] = []
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasPrefix("mullion-") && RuntimeDirectory.isOwn("\(folder)/\(name)") {
                let path = "\(folder)/\(name)/control.sock"
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { continue }
                found.append((path, status.st_mtim.tv_sec))
            }
        }
        // A shell that was killed leaves its socket behind.
        for candidate in found.sorted(by: { $0.when > $1.when }) {
            guard let fd = try? UnixSocket.connect(candidate.path, to: geteuid()) else { continue }
            close(fd)
            return candidate.path
        }
        throw ControlError("no shell is running: no socket answers in \(places); start one with `mullion run`")
    }
}
