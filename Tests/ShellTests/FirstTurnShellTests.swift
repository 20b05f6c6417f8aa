import Clocks
import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// What a frozen app takes back by a timer of its own is not pasted after that time (S-06, S-08).
    @Suite(.serialized) struct FirstTurnShellTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"
        private static let secret = "the password"

        /// A password manager of a toolkit.
        struct Vault: CustomTestStringConvertible, Sendable {
            var toolkit: String
            var words: [String] = []
            var testDescription: String { ([toolkit] + words).joined(separator: " ") }

            static let all = [
                Vault(toolkit: "gtk3"), Vault(toolkit: "gtk3", words: ["idle"]), Vault(toolkit: "gtk3", words: ["primary"]),
                Vault(toolkit: "gtk3", words: ["replaces"]), Vault(toolkit: "gtk3", words: ["script"]), Vault(toolkit: "gtk4"),
                Vault(toolkit: "gtk4", words: ["primary"]), Vault(toolkit: "qt5"), Vault(toolkit: "x11"),
            ]
        }

        private func require(_ vault: Vault, _ shell: ShellUnderTest) throws {
            for tool in ["wl-paste", "wl-copy"] { try ShellUnderTest.require(tool, of: "wl-clipboard") }
            let (package, test) =
                switch vault.toolkit {
                case "qt5": ("python3-pyqt5", "import PyQt5.QtWidgets")
                case "gtk4": ("gir1.2-gtk-4.0", "import gi; gi.require_version('Gtk', '4.0')")
                default: ("gir1.2-gtk-3.0", "import gi; gi.require_version('Gtk', '3.0')")
                }
            guard try shell.run(["/usr/bin/python3", "-c", test]).status == 0 else {
                throw ShellUnderTest.Failure("vault.py \(vault.toolkit) needs \(package): apt-get install \(package)")
            }
        }

        /// A vault that has copied its secret `seconds` before it takes it back, and is frozen. `body` gets what it says, and the time
        /// since it copied.
        private func with(
            _ vault: Vault, _ seconds: Double, _ body: (ShellUnderTest, WindowReport, () -> [String], () -> Double) throws -> Void
        ) throws {
            try ShellUnderTest.with(config: "new-windows = \"always\"\n" + quick, environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                try require(vault, shell)
                let said = "\(shell.room)/said"
                let command =
                    "exec /usr/bin/python3 -W ignore \(TestClient.folder)/vault.py \(vault.toolkit) \(seconds) \(vault.words.joined(separator: " ")) >\(said)"
                let window = try shell.open(["sh", "-c", command])
                func lines() -> [String] { shell.text(of: said).split(separator: "\n").map(String.init) }
                // X11 programs have the keys a moment later.
                try shell.wait("its copy", within: 20) {
                    try shell.press("Return")
                    usleep(300_000)
                    return lines().contains("copied")
                }
                let copied = Clocks.monotonicSeconds
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: window)
                try body(shell, window, lines) { Clocks.monotonicSeconds - copied }
            }
        }

        private func pasted(_ vault: Vault, _ shell: ShellUnderTest) throws -> String {
            try shell.run(["wl-paste", "--no-newline"] + (vault.words.contains("primary") ? ["--primary"] : [])).output
        }

        @Test(
            "S-08: a secret that its app takes back after a time is not pasted later, although the app was frozen then",
            arguments: Vault.all)
        func takenBack(_ vault: Vault) throws {
            try with(vault, 4) { shell, window, lines, time in
                try shell.wait("its time", within: 10) { time() > 4.5 }
                #expect(try shell.phase(of: window) == .frozen && !lines().contains("cleared"))
                let text = try pasted(vault, shell)
                #expect(!text.contains(Self.secret), "\(text)")
                try shell.wait("its timer") { lines().contains("cleared") }
                shell.expectAlive()
            }
        }

        @Test(
            "S-06: before its time it is pasted from the frozen app, and more than once",
            arguments: [Vault(toolkit: "gtk3"), Vault(toolkit: "qt5"), Vault(toolkit: "x11")])
        func inTime(_ vault: Vault) throws {
            try with(vault, 600) { shell, window, _, _ in
                for _ in 0..<2 {
                    try shell.waitForPhase(.frozen, of: window, within: 10)
                    let begin = Clocks.monotonicSeconds
                    #expect(try pasted(vault, shell) == Self.secret)
                    #expect(Clocks.monotonicSeconds - begin < 0.8 * ShellUnderTest.patience)
                }
                shell.expectAlive()
            }
        }

        @Test("S-08: an X11 program that pastes gets nothing either")
        func intoX11() throws {
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            let vault = Vault(toolkit: "gtk3")
            try with(vault, 5) { shell, window, lines, time in
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                try shell.wait("its time", within: 10) { time() > 5.5 }
                #expect(try shell.phase(of: window) == .frozen)
                let (_, output) = try shell.run(["python3", "\(TestClient.folder)/x11_paste.py", display], within: 30)
                #expect(!output.hasPrefix("12 bytes"), "\(output)")
                shell.expectAlive()
            }
        }

        @Test("an app that dies while somebody waits for it leaves the reader with nothing, at once")
        func dies() throws {
            let vault = Vault(toolkit: "gtk3")
            try with(vault, 600) { shell, window, _, _ in
                let process = try shell.app(of: window).process
                let reader = try shell.start(["sh", "-c", "wl-paste --no-newline; echo ended"])
                usleep(5000)
                kill(process, SIGKILL)
                try shell.wait("the end of the paste", within: 5) { shell.text(of: reader.output).contains("ended") }
                shell.expectAlive()
            }
        }
    }
}
