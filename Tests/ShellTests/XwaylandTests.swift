import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Testing

extension ShellUnderTest {
    /// What the shell's event loop waits for that is not, or no longer, one of its descriptors: each as `number: inode`.
    fileprivate func watchedWithoutDescriptor() throws -> [String] {
        let folder = "/proc/\(process)"
        return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fdinfo").flatMap { descriptor -> [String] in
            text(of: "\(folder)/fdinfo/\(descriptor)").split(separator: "\n").compactMap { line in
                // As in "tfd:       19 events:       19 data:     55d0c0  pos:0 ino:2a3f sdev:8"
                let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                guard words.first == "tfd:", words.count > 1, let inode = words.first(where: { $0.hasPrefix("ino:") }) else { return nil }
                var file = stat()
                let isOpen = stat("\(folder)/fd/\(words[1])", &file) == 0
                return isOpen && String(file.st_ino, radix: 16) == inode.dropFirst(4) ? nil : "\(words[1]): \(inode)"
            }
        }
    }

    /// The processes that are X servers on this shell's display, or hold a connection of one.
    fileprivate func xServers() throws -> [Int32] {
        let display = try #require(try client.ask(.get(.version), for: VersionReport.self).x11Display)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
            let words = text(of: "/proc/\($0)/cmdline").split(separator: "\0")
            return words.contains("-wm") && words.contains { $0 == display }
        }
    }
}

extension RunningShell {
    /// Xwayland's process: it begins with the first X11 program, and may end at any time.
    @Suite(.serialized) struct XwaylandTests {
        /// At once or later, and again: X11 programs can be opened after it. Its connections end in the worst order.
        @Test("it ends and begins again, and the loop waits for nothing that is closed", arguments: [0, 6.5])
        func endsAndBeginsAgain(seconds: Double) throws {
            try ShellUnderTest.with(
                config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n",
                environment: ["WLR_XWAYLAND": "\(TestClient.folder)/xwayland_wm_last.py"]
            ) { shell in
                let base = try TestClient(shell)
                for round in 1...2 {
                    let clock = try shell.open("xclock", of: "x11-apps")
                    #expect(clock.isX11)
                    let servers = try shell.xServers()
                    #expect(servers.count == 2, "itself, and who keeps the connection")
                    usleep(UInt32(seconds * 1e6))
                    let itself = servers.first { shell.text(of: "/proc/\($0)/cmdline").hasPrefix("Xwayland\0") }
                    kill(try #require(itself), SIGKILL)
                    try shell.waitUntilGone(clock.id)
                    try shell.wait("its connections to end", within: 20) { try shell.xServers().isEmpty }
                    // Whatever that has brought the shell is before this in the queue.
                    for _ in 0..<3 { _ = try base.mark() }
                    #expect(try shell.watchedWithoutDescriptor() == [], "round \(round)")
                }
                shell.expectAlive()
            }
        }

        /// X11 programs cannot be shown then; nothing else is harmed.
        @Test func doesNotComeUp() throws {
            let environment = ["WLR_XWAYLAND": "\(TestClient.folder)/xwayland_fails.py"]
            try ShellUnderTest.with(config: "launch = []\n", environment: environment) { shell in
                try ShellUnderTest.require("xclock", of: "x11-apps")
                let base = try TestClient(shell)
                try shell.client.perform(.launch(command: ["sh", "-c", "xclock; echo \"xclock: $?\" >'\(shell.room)/ended'"], to: nil))
                try shell.wait("the X11 program to end", within: 20) { shell.text(of: "\(shell.room)/ended") == "xclock: 1\n" }
                for _ in 0..<3 { _ = try base.mark() }
                #expect(!shell.log.contains("re-entrant client destruction"), "ended after it was freed")
                #expect(try shell.watchedWithoutDescriptor() == [])
                #expect(try shell.state().windows.map(\.id) == [base.id])
            }
        }

        /// WL_SURFACE_ID is Xwayland's to send: an X11 program that names an object that is no surface is not believed.
        @Test func nobodySpeaksInItsName() throws {
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n") { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (_, output) = try shell.run(["python3", "\(TestClient.folder)/x11_forger.py", display], within: 30)
                #expect(output.contains("sent"), "\(output)")
                shell.expectAlive()
                #expect(try shell.state().windows.contains { $0.id == clock.id }, "others stay")
                #expect(try shell.open("xcalc", of: "x11-apps").isX11, "and come")
            }
        }
    }
}
