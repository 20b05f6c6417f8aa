import Control
import Foundation
import Glibc
import Journal
import MullionTesting

/// `locker.py hold`: a locker that shows one colour and is controlled by lines.
final class Locker {
    let shell: ShellUnderTest
    let process: Int32
    private let files: String

    init(_ shell: ShellUnderTest, colour: String = "336699", manner: String = "prompt") throws {
        self.shell = shell
        files = "\(shell.room)/locker-\(UUID().uuidString.prefix(8))"
        mkfifo("\(files).commands", 0o600)
        process = try shell.start([
            "python3", "\(TestClient.folder)/locker.py", "--colour", colour, "--manner", manner, "hold", "\(files).log",
            "\(files).commands",
        ]).process
        try waitFor("ext_session_lock_v1.locked")
    }

    func events(_ name: String) throws -> [JSON] {
        try shell.text(of: "\(files).log").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { try JSON(parsing: Array($0.utf8)) }.filter { $0["e"]?.string == name }
    }

    func waitFor(_ name: String, count: Int = 1) throws {
        try shell.wait("\(name) at the locker", within: 20) { try events(name).count >= count }
    }

    func tell(_ command: String) throws {
        var fd: Int32 = -1
        try shell.wait("the locker to listen", within: 20) {
            fd = open("\(files).commands", O_WRONLY | O_NONBLOCK)
            return fd >= 0
        }
        defer { close(fd) }
        let line = Array("\(command)\n".utf8)
        write(fd, line, line.count)
    }

    /// Everything sent to it so far has arrived.
    func sync() throws {
        let before = try events("synced").count
        try tell("sync x")
        try waitFor("synced", count: before + 1)
    }

    func unlock() throws {
        try tell("unlock")
        try shell.wait("the screen to be unlocked") { try !shell.state().locked }
        try shell.settle()
    }
}
