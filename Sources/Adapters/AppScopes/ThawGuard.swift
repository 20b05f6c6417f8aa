import Glibc
import LinuxLibrary
import Processes

/// The process that lets all apps go on when the shell is gone, in whatever way it went (S-06): a frozen app could not
/// even be closed by its person.
///
/// It reads on standard input what is frozen, a line each: `+ /FOLDER/OF/A/GROUP` or `+ PROCESS@START`, where START is
/// the process's as in `ProcessRecord`; `-` and the same when that goes on. When there is no more to read, the shell is gone.
public enum ThawGuard {
    /// The only argument of the program when it is this process.
    public static let word = "thaw-guard"

    /// Waits for the end of the shell. What ends a whole session (a terminal that closes, a manager that stops its
    /// services) does not end it: it is needed just then, and goes when the shell does.
    public static func run() -> Never {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU] { signal(number, SIG_IGN) }
        var list = ThawList()
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(STDIN_FILENO, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += room[..<count]
            while let end = bytes.firstIndex(of: 0x0A) {
                list.take(String(decoding: bytes[..<end], as: UTF8.self))
                bytes.removeSubrange(...end)
            }
        }
        list.thaw()
        exit(0)
    }
}

/// What is frozen, in the order in which that came about.
struct ThawList: Equatable {
    private(set) var items: [String] = []

    mutating func take(_ line: String) {
        let item = String(line.dropFirst(2))
        items.removeAll { $0 == item }
        if line.hasPrefix("+ ") { items.append(item) }
    }

    func thaw() {
        for item in items.reversed() {
            if item.hasPrefix("/") {
                // One of the two is there.
                for kind in [ControlGroups.Kind.unified, .freezer] { _ = Group(kind: kind, folder: item).set(frozen: false) }
            } else {
                let words = item.split(separator: "@")
                guard let first = words.first, let process = Int32(first), process > 1,
                    let record = ProcessTree.record(of: process), words.count < 2 || UInt64(words[1]) == record.start
                else { continue }
                kill(process, SIGCONT)
            }
        }
    }
}
