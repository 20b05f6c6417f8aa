import Descriptors
import Glibc

/// The text console on which a person looks when the shell has left the screen. If nothing writes there, the screen is black
/// without a word.
public struct SessionConsole {
    /// Devices to try, in order.
    let paths: [String]

    /// The console of the session (`XDG_VTNR`, from the login manager), else the controlling terminal.
    public init(environment: [String: String]) {
        let number = environment["XDG_VTNR"].flatMap { UInt8($0) }
        paths = (number.map { ["/dev/tty\($0)"] } ?? []) + ["/dev/tty"]
    }

    /// Writes a line, unless the standard error is a terminal already: then the person has read it there.
    public func say(_ text: String) {
        guard isatty(STDERR_FILENO) == 0 else { return }
        let line = Array("\r\nmullion: \(text)\r\n".utf8)
        for path in paths {
            let file = Descriptor(open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC), owner: "console of the session")
            // A console that is stopped (Ctrl+S) must not hold up the supervisor.
            if file.isOpen, isatty(file.number) == 1, write(file.number, line, line.count) == line.count { return }
        }
    }
}
