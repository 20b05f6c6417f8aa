import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// Access to X11.
    @Suite(.serialized) struct X11AccessTests {
        private static let config = "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n"

        private func version(_ shell: ShellUnderTest) throws -> VersionReport {
            try shell.client.ask(.get(.version), for: VersionReport.self)
        }

        private func command(_ shell: ShellUnderTest, _ way: String) throws -> [String] {
            ["python3", "\(TestClient.folder)/x11_access.py", try #require(try version(shell).x11Display), way]
        }

        @Test func onlyWhoHasTheCookieIsLetIn() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let version = try version(shell), display = try #require(version.x11Display)
                let authority = try #require(version.x11Authority)
                var status = stat()
                try #require(lstat(authority, &status) == 0)
                #expect(status.st_mode == S_IFREG | 0o600 && authority.hasPrefix("\(shell.runtime)/"))
                func addresses() -> [Substring] {
                    shell.text(of: "/proc/net/unix").split(separator: "\n").filter {
                        $0.hasSuffix("@/tmp/.X11-unix/X\(display.dropFirst())")
                    }
                }
                #expect(addresses() == [], "before the first program")
                // A program that the shell launches has the cookie; its content is up to Xlib.
                #expect(try shell.open("xclock", of: "x11-apps").isX11)
                #expect(addresses() == [], "while Xwayland runs")
                #expect(try shell.run(try command(shell, "knock")).output.contains("refused"))
                #expect(try shell.run(try command(shell, "guess")).output.contains("refused"))
                #expect(try shell.run(try command(shell, "abstract")).output.contains("no way in"))
                #expect(try shell.run(try command(shell, "file")).output.contains("let in"))
                try shell.client.perform(.launch(command: ["sh", "-c", "echo $XAUTHORITY > $XDG_RUNTIME_DIR/told"]))
                try shell.wait("what programs are told") { shell.text(of: "\(shell.runtime)/told") == "\(authority)\n" }
                for entry in try FileManager.default.contentsOfDirectory(atPath: shell.runtime) {
                    #expect(entry != "mullion-x11-\(shell.process)", "the socket that nobody reaches has no path")
                }
            }
        }

        @Test func filesOfDeadShellsGo() throws {
            try ShellUnderTest.with(config: Self.config, files: ["run/mullion-x11-7777.xauth": "dead", "run/mullion-other.xauth": "other"])
            { shell in
                _ = try version(shell)
                #expect(access("\(shell.runtime)/mullion-x11-7777.xauth", F_OK) != 0)
                #expect(access("\(shell.runtime)/mullion-other.xauth", F_OK) == 0)
                // That of a shell that lives is locked.
                let authority = try #require(try version(shell).x11Authority), file = open(authority, O_RDONLY | O_CLOEXEC)
                defer { close(file) }
                #expect(flock(file, LOCK_EX | LOCK_NB) != 0)
            }
        }

        /// It shares the network, but none of the files that lead to the session.
        @Test func aSandboxDoesNotReachIt() throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with(config: Self.config) { shell in
                #expect(try shell.open("xclock", of: "x11-apps").isX11)
                let sandbox = [
                    "bwrap", "--unshare-all", "--share-net", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", "/usr",
                    "/usr",
                    "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
                    "--ro-bind", TestClient.folder, "/clients",
                ]
                let display = try #require(try version(shell).x11Display)
                for way in ["abstract", "knock"] {
                    let (status, output) = try shell.run(sandbox + ["python3", "/clients/x11_access.py", display, way])
                    #expect(status == 0 && output.contains("no way in"), "\(way): \(output)")
                }
            }
        }

        @Test func whileLockedItShowsNothing() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                let (_, output) = try shell.start(try command(shell, "look"))
                func looks() -> Int { shell.text(of: output).split(separator: "\n").count }
                try shell.wait("it sees windows", within: 20) { shell.text(of: output).contains(" 1 pictures") }
                let locker = try Locker(shell)
                // What was read before the lock may still be printed.
                usleep(300_000)
                let before = looks()
                usleep(1_500_000)
                #expect(looks() == before, "what runs sees nothing: \(shell.text(of: output).suffix(300))")
                let (_, later) = try shell.start(try command(shell, "look"))
                usleep(1_000_000)
                #expect(shell.text(of: later) == "", "nor does what comes")
                try locker.unlock()
                try shell.wait("both go on") { looks() > before && shell.text(of: later).contains("pictures") }
                #expect(try shell.state()[clock.id] != nil)
                #expect(try shell.open("xcalc", of: "x11-apps").isX11)
            }
        }

        /// A program that starts behind the lock.
        @Test func whatBeginsWhileLockedShowsNothing() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                try ShellUnderTest.require("Xwayland", of: "xwayland")
                let locker = try Locker(shell)
                let (_, output) = try shell.start(try command(shell, "look"))
                usleep(4_000_000)
                let lines = shell.text(of: output).split(separator: "\n").count
                usleep(1_000_000)
                #expect(shell.text(of: output).split(separator: "\n").count == lines)
                try locker.unlock()
                try shell.wait("it goes on") { shell.text(of: output).split(separator: "\n").count > lines }
            }
        }

        /// A program that grabs the server first could see what the lock hides.
        @Test func noProgramHoldsTheServer() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                let (_, output) = try shell.start(try command(shell, "hold"))
                func looks() -> Int { shell.text(of: output).split(separator: "\n").count }
                try shell.wait("it asked for the server, and sees windows", within: 20) { looks() > 1 }
                let locker = try Locker(shell)
                usleep(300_000)
                let before = looks()
                usleep(1_500_000)
                #expect(looks() == before, "\(shell.text(of: output).suffix(300))")
                try locker.unlock()
                try shell.wait("it goes on") { looks() > before }
                #expect(try shell.state()[clock.id] != nil)
            }
        }
    }
}
