import Glibc
import LinuxLibrary
import Processes

/// The process that thaws all apps once the shell has ended, however it ended (S-06): a person could not even close a
/// frozen app.
///
/// It reads lines from standard input. `+ /FOLDER/OF/A/GROUP` or `+ PROCESS@START` says that something is frozen; START
/// is the start time as in `ProcessRecord`. The same with `-` says that it is thawed. End of input means that the
/// shell has ended.
public enum ThawGuard {
    /// The only argument with which the program runs as this process.
    public static let word = "thaw-guard"

    /// Waits for the end of the shell. Signals that end a whole session (a terminal closes, a manager stops its services)
    /// do not end the guard: that is when it is needed. It ends after the shell does.
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

/// The frozen items, in the order in which they were frozen.
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
                // The group exists in one of the two hierarchies.
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
