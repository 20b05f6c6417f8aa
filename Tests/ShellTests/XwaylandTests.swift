import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension ShellUnderTest {
    /// What the shell's event loop watches although it is not, or no longer, one of its descriptors: each as `number:
    /// inode`.
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

    /// The X servers on this shell's display, and processes that hold a connection of one.
    fileprivate func xServers() throws -> [Int32] {
        let display = try #require(try client.ask(.get(.version), for: VersionReport.self).x11Display)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
            let words = text(of: "/proc/\($0)/cmdline").split(separator: "\0")
            return words.contains("-wm") && words.contains { $0 == display }
        }
    }

    /// Starts an X11 program that keeps Xwayland busy. Returns its progress file once it has begun.
    fileprivate func keepBusy(seconds: Int, count: Int, windows: Int) throws -> String {
        try ShellUnderTest.require("Xwayland", of: "xwayland")
        let display = try #require(try client.ask(.get(.version), for: VersionReport.self).x11Display)
        let command = ["python3", "\(TestClient.folder)/x11_busy.py", display, "\(seconds)", "\(count)", "\(windows)"]
        let (_, output) = try start(command)
        try wait("Xwayland to be busy", within: 30) { text(of: output).contains("busy") }
        return output
    }
}

extension RunningShell {
    /// Xwayland's process: it starts with the first X11 program, and may end at any time.
    @Suite(.serialized) struct XwaylandTests {
        /// An X11 window cannot refuse a size: it would draw in a corner, or be cut off (W-11).
        @Test func aWindowOfOneSizeKeepsIt() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                try ShellUnderTest.require("Xwayland", of: "xwayland")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                _ = try shell.start(["python3", "\(TestClient.folder)/x11_fixed.py", display, "640", "400"])
                let fixed = try shell.waitForWindow(appID: "Fixed")
                func rests(_ told: Size, _ picture: Rect) throws {
                    try shell.wait("\(told) at \(picture)") {
                        let window = try shell.window(fixed.id)
                        return window.told == told && window.size == told
                            && window.picture.map { $0.contains(picture, tolerance: 1) && picture.contains($0, tolerance: 1) } ?? false
                    }
                }
                try rests(Size(640, 400), Rect(270, 210, 640, 400))
                let other = try TestClient(shell)
                try shell.perform(.splitView(window: fixed.id, side: .left))
                try shell.settle()
                let part = try #require(try shell.window(fixed.id).frame), scale = part.width / 640
                #expect(part.width < 640, "there is less room than it needs")
                try rests(Size(640, 400), Rect(part.x, 410 - 200 * scale, part.width, 400 * scale))
                try shell.expectShown(other.id)
            }
        }

        /// At once or later, and repeatedly: X11 programs can be opened afterwards. Its connections end in the worst
        /// order.
        @Test("it ends and restarts, and the loop watches no closed descriptor", arguments: [0, 6.5])
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
                    usleep(UInt32(clamping: seconds * 1e6))
                    let itself = servers.first { shell.text(of: "/proc/\($0)/cmdline").hasPrefix("Xwayland\0") }
                    kill(try #require(itself), SIGKILL)
                    try shell.waitUntilGone(clock.id)
                    try shell.wait("its connections to end", within: 20) { try shell.xServers().isEmpty }
                    // Everything that this sent to the shell is before this in the queue.
                    for _ in 0..<3 { _ = try base.mark() }
                    #expect(try shell.watchedWithoutDescriptor() == [], "round \(round)")
                }
                shell.expectAlive()
            }
        }

        /// X11 programs cannot be shown then, but nothing else is affected.
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

        /// The shell ends while Xwayland starts: nothing of it is left behind.
        @Test func theShellMayEndBeforeItIsReady() throws {
            let says = "/tmp/mullion-xwayland-\(UInt32.random(in: 0...UInt32.max))"
            defer { unlink(says) }
            let environment = ["WLR_XWAYLAND": "\(TestClient.folder)/xwayland_never_ready.py", "XWAYLAND_SAYS": says]
            func process() -> Int32? { Int32((try? String(contentsOfFile: says, encoding: .ascii))?.split(separator: "\n").first ?? "") }
            try ShellUnderTest.with(config: "launch = []\n", environment: environment) { shell in
                try ShellUnderTest.require("xclock", of: "x11-apps")
                try shell.client.perform(.launch(command: ["xclock"], to: nil))
                try shell.wait("Xwayland to begin", within: 20) { process() != nil }
            }
            let xwayland = try #require(process())
            var tries = 0
            while kill(xwayland, 0) == 0, tries < 1000 {
                usleep(20_000)
                tries += 1
            }
            #expect(kill(xwayland, 0) != 0, "it goes with the shell")
            kill(xwayland, SIGKILL)
        }

        /// Only Xwayland may send WL_SURFACE_ID: an X11 program that names an object that is not a surface is
        /// ignored.
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

        /// Requests that take Xwayland ten seconds each: the shell does not wait with it. It learns later what it
        /// wanted to know about the windows.
        @Test func aBusyOneDelaysNobodyElse() throws {
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n") { shell in
                let busy = try shell.keepBusy(seconds: 10, count: 3, windows: 2)
                var longest: Duration = .zero, asked = 0
                while !shell.text(of: busy).contains("free") {
                    longest = max(longest, try ContinuousClock().measure { _ = try shell.state() })
                    asked += 1
                    usleep(100_000)
                    try #require(asked < 3000, "it never ends: \(shell.text(of: busy))")
                }
                #expect(longest < .seconds(5), "in \(asked) asks")
                try shell.wait("all titles and apps", within: 20) {
                    try shell.state().windows.filter { $0.appID == "Busy" && $0.isX11 }.map(\.title).sorted() == [
                        "ends", "late 0", "late 1",
                    ]
                }
                shell.expectAlive()
            }
        }

        /// What was copied while Xwayland was busy is available afterwards, and so is a paste that was started then:
        /// each reply arrives too late to be waited for, and reading a selection deletes it.
        @Test func whatIsCopiedBesideABusyOneIsPasted() throws {
            for tool in ["xclip", "wl-paste"] { try ShellUnderTest.require(tool, of: tool == "xclip" ? tool : "wl-clipboard") }
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n") { shell in
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let busy = try shell.keepBusy(seconds: 1, count: 10, windows: 0)
                _ = try shell.start(["sh", "-c", "printf 'copied beside' | env DISPLAY=\(display) xclip -selection clipboard"])
                try shell.wait("Xwayland to be free", within: 120) { shell.text(of: busy).contains("free") }
                try shell.wait("what was copied") {
                    try shell.run(["wl-paste", "--no-newline", "--type", "text/plain;charset=utf-8"]).output == "copied beside"
                }
                let again = try shell.keepBusy(seconds: 1, count: 10, windows: 0)
                let pasted = try shell.run(["wl-paste", "--no-newline", "--type", "text/plain;charset=utf-8"], within: 120)
                #expect(pasted.output == "copied beside", "begun while it was busy: \(shell.text(of: again))")
                shell.expectAlive()
            }
        }

        /// Data longer than 64 KiB is sent in pieces, even to programs that ask in the name of a child window.
        @Test(arguments: [1000, 300_000])
        func aLongSelectionIsPastedIntoAWindowInAWindow(bytes: Int) throws {
            try ShellUnderTest.require("wl-copy", of: "wl-clipboard")
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n") { shell in
                _ = try TestClient(shell)
                let copied = "\(shell.room)/copied"
                let text = (0..<bytes / 10).map { String("\($0 + 1_000_000_000)".suffix(10)) }.joined()
                try text.write(toFile: copied, atomically: false, encoding: .utf8)
                #expect(try shell.run(["sh", "-c", "wl-copy <'\(copied)'"]).status == 0)
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (status, pasted) = try shell.run(["python3", "\(TestClient.folder)/x11_paste.py", display], within: 30)
                let sum = try shell.run(["sha1sum", copied]).output.prefix(40)
                #expect(status == 0 && pasted.hasPrefix("\(bytes) bytes,") && pasted.contains(sum), "\(pasted)")
            }
        }

        /// Xwayland reads nothing for a minute while windows take turns in front. Instead of blocking, the shell ends
        /// it. X11 programs can be opened afterwards.
        @Test func oneThatReadsNothingIsEnded() throws {
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n") { shell in
                let base = try TestClient(shell)
                let clock = try shell.open("xclock", of: "x11-apps"), calculator = try shell.open("xcalc", of: "x11-apps")
                _ = try shell.keepBusy(seconds: 60, count: 1, windows: 0)
                var longest: Duration = .zero
                for turn in 0..<20_000 where !shell.log.contains("it is ended") {
                    let next = turn.isMultiple(of: 2) ? clock.id : calculator.id
                    longest = max(longest, ContinuousClock().measure { try? shell.client.perform(.fullScreen(window: next)) })
                }
                #expect(shell.log.contains("Xwayland has answered nothing"), "\(shell.log.suffix(500))")
                #expect(longest < .seconds(5))
                try shell.waitUntilGone(clock.id)
                try shell.waitUntilGone(calculator.id)
                for server in try shell.xServers() { kill(server, SIGKILL) }
                #expect(try shell.open("xclock", of: "x11-apps").isX11)
                #expect(try shell.state()[base.id] != nil)
            }
        }
    }
}
