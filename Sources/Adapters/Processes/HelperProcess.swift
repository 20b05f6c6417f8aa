import Descriptors
import Glibc

/// A process of the shell's own that works at the other end of a socket: the only place that starts one (decision 0138).
public enum HelperProcess {
    /// Starts one and returns its process id. Its end of the socket is its standard input and output, and blocks, because it has
    /// nothing else to do.
    ///
    /// - Parameters:
    ///   - log, files: as in `Launcher.launch`.
    ///   - channel: gets the shell's end, which never blocks.
    ///   - owner: names that end in reports of descriptors.
    /// - Throws: `LaunchError` if it does not start, or no descriptor is left.
    public static func start(
        _ command: [String], by launcher: Launcher, environment: [String: String], log: String? = nil, files: [Int32] = [],
        channel: inout Descriptor, owner: StaticString
    ) throws(LaunchError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        // A socket instead of pipes: to write to a helper that has ended raises no signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
            throw LaunchError(command: command, message: "the shell has no descriptor left")
        }
        let own = Descriptor(ends[0], owner: owner), other = Descriptor(ends[1], owner: "the helper's end of its socket")
        _ = fcntl(other.number, F_SETFL, 0)
        let process = try launcher.launch(command, environment: environment, log: log, channel: other.number, files: files)
        channel = own
        return process
    }
}
