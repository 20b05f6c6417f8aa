import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing
import Windows

extension RunningShell {
    /// What was copied stays when the app ends that copied it (law 5).
    @Suite(.serialized) struct CopyingTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        /// A program that copies.
        private final class Copier {
            let shell: ShellUnderTest
            let process: Int32
            private let output: String

            /// - Parameter handsOver: how many forms are asked for before it is ready.
            init(_ shell: ShellUnderTest, _ way: String, _ text: String, handsOver: Int = 2) throws {
                self.shell = shell
                (process, output) = try shell.start(["python3", "-S", "\(TestClient.folder)/copying.py", way, text])
                try shell.wait("\(way) to copy", within: 20) { lines.contains("copied") }
                try shell.wait("the shell to ask for \(way)") { lines.count { $0.hasPrefix("asked") } >= handsOver }
                // It writes within a moment, and the shell reads what it wrote.
                usleep(150_000)
            }

            var lines: [String] { shell.text(of: output).split(separator: "\n").map(String.init) }

            func kill() { shell.signal(process, SIGKILL) }
        }

        private func pasted(_ shell: ShellUnderTest, _ options: String...) throws -> String {
            try shell.run(["wl-paste", "--no-newline"] + options).output
        }

        private func waitForText(_ text: String, _ shell: ShellUnderTest) throws { try shell.wait(text) { try pasted(shell) == text } }

        private func waitForNothing(_ shell: ShellUnderTest) throws {
            try shell.wait("an empty clipboard") { try shell.run(["wl-paste", "--list-types"]).status != 0 }
        }

        @Test("X-03: what was copied is pasted into a field of the shell, by key and by a finger that rests, and so is a secret")
        func ownField() throws {
            try ShellUnderTest.with(config: quick, showsSettings: true) { shell in
                _ = try Copier(shell, "text", "contrast")
                try shell.perform(.openApp(app: App.settings))
                try shell.waitForView("control-centre/search")
                try shell.wait("the page to rest") { try !shell.state().moving }
                let field = try shell.view("control-centre/search").frame.center
                try shell.tap(field)
                try shell.press("Ctrl+V")
                try shell.waitForView("control-centre/setting/increased-contrast")
                try shell.touch("control-centre/search/clear")
                _ = try Copier(shell, "secret", "reduce motion", handsOver: 0)
                try shell.hold("control-centre/search")
                try shell.waitForView("control-centre/setting/reduced-motion")
            }
        }

        @Test("what a program copied is pasted after kill -9 of it: text, the web page of it, a picture; not a secret")
        func killed() throws {
            try ShellUnderTest.require("wl-paste", of: "wl-clipboard")
            try ShellUnderTest.with(config: quick) { shell in
                let text = try Copier(shell, "text", "hello")
                text.kill()
                try waitForText("hello", shell)
                #expect(try pasted(shell, "--type", "text/html") == "<b>hello</b>")
                let types = try shell.run(["wl-paste", "--list-types"]).output
                #expect(types.contains("UTF8_STRING") && !types.contains("x-own"), "\(types)")
                let picture = try Copier(shell, "picture", "3000064", handsOver: 1)
                picture.kill()
                let file = "\(shell.room)/pasted.png"
                try shell.wait("the picture") {
                    _ = try shell.run(["sh", "-c", "wl-paste --type image/png >\(file)"])
                    return try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == 3_000_064
                }
                #expect(picture.lines.filter { $0.hasPrefix("asked") } == ["asked image/png"])
                let secret = try Copier(shell, "secret", "my password", handsOver: 0)
                #expect(try pasted(shell) == "my password")
                #expect(secret.lines.count { $0.hasPrefix("asked") } == 1, "only by who pastes")
                secret.kill()
                try waitForNothing(shell)
            }
        }

        @Test("what a terminal's program copied is pasted after the terminal was closed, and after it was ended while it was frozen")
        func closedAndFrozen_S06() throws {
            for tool in ["wl-copy", "wl-paste"] { try ShellUnderTest.require(tool, of: "wl-clipboard") }
            try ShellUnderTest.with(config: quick) { shell in
                for isFrozen in [false, true] {
                    let text = isFrozen ? "copied, then frozen" : "copied, then closed"
                    let terminal = try shell.open("foot", of: "foot", ["-e", "wl-copy", "-f", text])
                    try waitForText(text, shell)
                    // The shell reads once a second at most.
                    usleep(1_200_000)
                    if isFrozen {
                        try shell.perform(.home)
                        try shell.waitForPhase(.frozen, of: terminal, within: 10)
                        let app = try shell.app(of: terminal).process
                        for process in ProcessTree.descendants(of: app) + [app] { kill(process, SIGKILL) }
                    } else {
                        try shell.perform(.close(window: terminal.id))
                        try shell.waitUntilGone(terminal.id)
                    }
                    try waitForText(text, shell)
                }
            }
        }

        @Test("what X11 programs copied is pasted after their end by both kinds of programs, and the end of one leaves what others copied")
        func x11() throws {
            for (tool, package) in [("xclip", "xclip"), ("wl-paste", "wl-clipboard"), ("xterm", "xterm"), ("Xwayland", "xwayland")] {
                try ShellUnderTest.require(tool, of: package)
            }
            try ShellUnderTest.with(config: "new-windows = \"always\"\n" + quick.replacing("grace = 0.3", with: "grace = 600")) { shell in
                let copy = "sleep 1; echo -n copied in X11 | xclip -quiet -selection clipboard -i"
                func copier(_ terminal: WindowReport) throws -> Int32 {
                    try #require(ProcessTree.descendants(of: try shell.app(of: terminal).process).last)
                }
                let terminal = try shell.open("xterm", of: "xterm", ["-e", "sh", "-c", copy])
                try waitForText("copied in X11", shell)
                usleep(300_000)
                kill(try copier(terminal), SIGKILL)
                try shell.waitUntilGone(terminal.id)
                try waitForText("copied in X11", shell)
                // Another one pastes it.
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/x11_paste.py", display], within: 30)
                #expect(status == 0 && output.hasPrefix("13 bytes"), "\(output)")
                // A Wayland program copies after an X11 program that then ends.
                let other = try shell.open("xterm", of: "xterm", ["-e", "sh", "-c", copy.replacing("in X11", with: "again")])
                try waitForText("copied again", shell)
                let wayland = try shell.open("foot", of: "foot")
                let text = try Copier(shell, "text", "copied last")
                // It has lost the selection, so that xclip ends, and the terminal with it.
                try shell.waitUntilGone(other.id)
                usleep(300_000)
                #expect(try pasted(shell) == "copied last")
                withExtendedLifetime((text, wayland)) {}
            }
        }

        @Test("what an app takes back as it ends stays; what another program empties is gone, from the disk too")
        func takenBack() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let kept = "\(shell.room)/state/mullion/copied"
                for way in ["withdraw", "empty"] {
                    let commands = "\(shell.room)/\(way)"
                    let (_, output) = try shell.start([
                        "sh", "-c", "mkfifo \(commands); exec python3 -S \(TestClient.folder)/copying.py \(way) text-\(way) <>\(commands)",
                    ])
                    try waitForText("text-\(way)", shell)
                    try shell.wait("the text on the disk") { access(kept, F_OK) == 0 }
                    _ = try shell.run(["sh", "-c", "echo >\(commands)"])
                    try shell.wait("it to be taken back") { shell.text(of: output).contains("withdrawn") }
                    try shell.wait("no text on the disk") { access(kept, F_OK) != 0 }
                    try waitForNothing(shell)
                    _ = try shell.run(["sh", "-c", "echo >\(commands)"])
                    try waitForText("text-\(way)", shell)
                }
                try shell.wait("the text on the disk") { access(kept, F_OK) == 0 }
                _ = try shell.run(["python3", "-S", "\(TestClient.folder)/copying.py", "clear"])
                try waitForNothing(shell)
                try shell.wait("no text on the disk") { access(kept, F_OK) != 0 }
            }
        }

        @Test("text is there after kill -9 of the shell, unless the session was locked; its file is this user's alone")
        func shellKilled() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-copied-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = "\(folder)/mullion/copied"
            for isLocked in [false, true] {
                let before = try ShellUnderTest(config: quick, environment: ["XDG_STATE_HOME": folder])
                do {
                    defer { before.clear() }
                    _ = try Copier(before, "text", "for later")
                    try before.wait("the text on the disk") { access(file, F_OK) == 0 }
                    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
                    if isLocked {
                        _ = try Locker(before)
                        try before.wait("no text on the disk") { access(file, F_OK) != 0 }
                    }
                    kill(before.process, SIGKILL)
                }
                let config = quick + "[lock]\ncommand = [\"sleep\", \"60\"]\n"
                try ShellUnderTest.with(config: config, environment: ["XDG_STATE_HOME": folder]) { shell in
                    if isLocked { try Locker(shell).unlock() }
                    if isLocked { try waitForNothing(shell) } else { try waitForText("for later", shell) }
                    // It is the shell's own now, and once emptied it does not come back.
                    _ = try shell.run(["python3", "-S", "\(TestClient.folder)/copying.py", "clear"])
                    try shell.wait("no text on the disk") { access(file, F_OK) != 0 }
                }
            }
        }

        @Test("copied text that is damaged on the disk, or a link, is left out")
        func damaged() throws {
            for text in [
                "{", "{\"version\":1,\"forms\":[{\"type\":\"application/x-own\",\"offered\":[\"application/x-own\"],\"text\":\"YQ==\"}]}",
            ] {
                try ShellUnderTest.with(config: quick, files: ["state/mullion/copied": text]) { shell in try waitForNothing(shell) }
            }
        }

        @Test("programs that hand over nothing, no end, or a gigabyte cost the shell nothing, and leave nothing")
        func hostile() throws {
            try ShellUnderTest.with(config: quick) { shell in
                func memory() throws -> UInt64 { try shell.client.ask(.get(.statistics), for: StatisticsReport.self).memoryBytes }
                let before = try memory()
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count
                for (way, text) in [("never", "x"), ("forever", "abc"), ("long", "1000000000")] {
                    let hostile = try Copier(shell, way, text)
                    if way != "never" {
                        try shell.wait("the shell to stop reading") { hostile.lines.count { $0.hasPrefix("broken") } == 2 }
                    }
                    #expect(try memory() < before + ShellUnderTest.memoryMargin)
                    shell.expectAlive()
                    hostile.kill()
                    try waitForNothing(shell)
                }
                // Of two hundred at once, few are read, and the last one is.
                let flood = try Copier(shell, "flood", "text", handsOver: 1)
                usleep(1_500_000)
                #expect(flood.lines.count { $0.hasPrefix("asked") } <= 4)
                flood.kill()
                try waitForText("text 199", shell)
                try shell.wait("its pipes to be closed") {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count <= descriptors + 2
                }
            }
        }

        @Test("copying works while the session is locked; it is read and kept once it is unlocked")
        func locked() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let locker = try Locker(shell)
                let text = try Copier(shell, "text", "copied in the dark", handsOver: 0)
                usleep(500_000)
                #expect(!text.lines.contains { $0.hasPrefix("asked") })
                #expect(try pasted(shell) != "copied in the dark")
                try locker.unlock()
                // Who pasted in the dark asked for a type that nobody has.
                try shell.wait("the shell to ask") { text.lines.count { $0.hasPrefix("asked text/") } == 2 }
                usleep(150_000)
                text.kill()
                try waitForText("copied in the dark", shell)
            }
        }
    }
}
