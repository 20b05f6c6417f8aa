import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Files that are broken or hostile, and what confines the process that reads them (W-18).
    @Suite(.serialized) struct QuickLookHostilityTests {
        private static let bubblewrap = "/usr/bin/bwrap"

        @Test(
            "W-18: what cannot be shown at all is named on the terminal, without a window",
            arguments: [
                ("empty.png", "is empty"), ("pipe.png", "is not a regular file"), ("folder.png", "is a folder"),
                ("missing.png", "no such file"), ("noise.bin", "is of a kind that quick look does not know"),
            ])
        func refused(name: String, reason: String) throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let (status, output) = try shell.run([try shell.program, "view", "\(files)/\(name)"])
                #expect(status == 1)
                #expect(output == "mullion view: \(files)/\(name): \(reason)\n")
                #expect(try shell.state().windows.isEmpty)
            }
        }

        @Test(
            "W-18: what turns out to be broken or too large says so in its window, and the other files are shown",
            arguments: [
                ("claimed.png", "Invalid IHDR data"), ("bomb.png", "has 30000 × 30000 pixels, and 100 million can be shown"),
                ("garbage.pdf", "is a broken or incomplete PDF"),
            ])
        func broken(name: String, reason: String) throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let alone = try shell.look(at: [name], in: files, says: "alone")
                func said(_ name: String) -> String { shell.text(of: "\(shell.room)/\(name)") }
                try shell.wait("the message", within: 20) { said("alone").contains("\(files)/\(name): ") }
                #expect(said("alone").contains(reason), "\(said("alone"))")
                try shell.settle()
                try shell.keepPicture("look-\(name.prefix { $0 != "." })")
                try shell.press("Escape")
                try shell.waitUntilGone(alone.id)
                try shell.wait("its end") { said("alone").hasSuffix("status 1\n") }

                let window = try shell.look(at: [name, "green.png"], in: files)
                try shell.wait("the message", within: 20) { said("look").contains("\(files)/\(name): ") }
                // The window may still move to its place.
                try shell.settle()
                try shell.drag(Point(900, 400), Point(300, 420), rest: 0)
                try shell.waitForColour(FileColour.green)
                try shell.press("Escape")
                try shell.waitUntilGone(window.id)
                try shell.wait("its end") { said("look").hasSuffix("status 0\n") }
            }
        }

        /// Fields of `/proc/PID/status`.
        private func fields(_ shell: ShellUnderTest, _ process: Int32) -> [String: String] {
            var fields: [String: String] = [:]
            for line in shell.text(of: "/proc/\(process)/status").split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            return fields
        }

        private func link(_ path: String) -> String { (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "" }

        @Test("W-18: the process that reads a file has that file alone, no privileges, and namespaces of its own")
        func confined() throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let window = try shell.look(at: ["red.png"], in: files)
                try shell.waitForColour(FileColour.red)
                let helper = try #require(shell.helpers(of: window).first)
                let status = fields(shell, helper)
                #expect(status["Seccomp"] == "2")
                #expect(status["NoNewPrivs"] == "1")
                #expect(status["CapEff"] == "0000000000000000")
                for space in ["user", "mnt", "net", "pid", "ipc", "uts"] {
                    #expect(link("/proc/\(helper)/ns/\(space)") != link("/proc/self/ns/\(space)"), "\(space)")
                }
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper)/fd").sorted()
                #expect(open == ["0", "1", "2", "3"])
                #expect(link("/proc/\(helper)/fd/0") == "\(files)/red.png")
                #expect(link("/proc/\(helper)/fd/1").hasPrefix("socket:"))
                #expect(link("/proc/\(helper)/fd/2") == "/dev/null")
                #expect(link("/proc/\(helper)/fd/3").hasPrefix("/memfd:"))
                // Of the person's files it sees none.
                let seen = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper)/root")
                #expect(Set(seen).isDisjoint(with: ["home", "root", "run", "dev", "var/lib"]), "\(seen)")
                #expect(access("/proc/\(helper)/root\(files)", F_OK) != 0)
                // Killed, it takes the file with it and nothing else.
                kill(helper, SIGKILL)
                try shell.settle()
                #expect(try shell.window(window.id).active)
                try shell.press("Escape")
                try shell.waitUntilGone(window.id)
            }
        }

        @Test(
            "W-18: without bubblewrap, or where it may not make namespaces, the filter alone confines, and that is said aloud",
            arguments: [
                ("/dev/null", "bubblewrap is not installed"), ("/bin/false", "bubblewrap does not work here"),
            ])
        func withoutBubblewrap(instead: String, reason: String) throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let window = try shell.look(
                    at: ["red.png"], in: files, by: "\(Self.bubblewrap) --dev-bind / / --ro-bind \(instead) \(Self.bubblewrap) --")
                try shell.waitForColour(FileColour.red)
                try shell.keepPicture("look-less-isolated")
                #expect(
                    shell.text(of: "\(shell.room)/look")
                        == "mullion view: \(reason): files are read by a process that only the filter of system calls confines\n")
                let helper = try #require(shell.helpers(of: window).first)
                let status = fields(shell, helper)
                #expect(status["Seccomp"] == "2")
                #expect(status["NoNewPrivs"] == "1")
                #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper)/fd").sorted() == ["0", "1", "2", "3"])
            }
        }
    }
}
