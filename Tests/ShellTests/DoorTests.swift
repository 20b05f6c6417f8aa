import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// Who is let in from outside: other users of the machine, web pages, and what apps are told.
    @Suite(.serialized) struct DoorTests {
        @Test("what the shell makes is for its user alone; apps have the mask that it was started with")
        func masks() throws {
            try ShellUnderTest.with { shell in
                let command = "\(try shell.program) run --headless --remote-view off --audio off --socket masked --config \(shell.configPath)"
                let other = try shell.start(["sh", "-c", "umask 027; exec \(command) sh -c 'umask > \(shell.room)/mask'"])
                try shell.wait("the app to run", within: 20) { shell.text(of: "\(shell.room)/mask").hasSuffix("\n") }
                #expect(shell.text(of: "\(shell.room)/mask") == "0027\n")
                #expect(shell.text(of: "/proc/\(other.process)/status").contains("Umask:\t0077"))
                shell.signal(other.process, SIGTERM)
                var socket = stat()
                #expect(stat("\(shell.runtime)/\(ShellUnderTest.socket)", &socket) == 0 && socket.st_mode & 0o077 == 0)
            }
        }

        @Test("a screenshot is written through no link, and is for this user alone")
        func screenshots() throws {
            try ShellUnderTest.with { shell in
                let path = "\(shell.room)/shot.png", victim = "\(shell.room)/victim"
                try shell.write("precious", to: victim)
                for link in ["\(path).part", "\(shell.room)/link.png"] { #expect(symlink(victim, link) == 0) }
                try shell.write("old", to: path)
                chmod(path, 0o644)
                try shell.client.ask(.screenshot(ScreenshotRequest(path: path)))
                var status = stat()
                #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600 && status.st_size > 100)
                #expect { try shell.client.ask(.screenshot(ScreenshotRequest(path: "\(shell.room)/link.png"))) } throws: {
                    "\($0)".contains("it is a link")
                }
                #expect(shell.text(of: victim) == "precious")
            }
        }
    }
}
