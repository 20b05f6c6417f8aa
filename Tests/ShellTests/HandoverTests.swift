import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// A program that a terminal's shell starts, and that hands what it is to show to an app that runs already by a socket (W-19).
    @Suite(.serialized) struct HandoverTests {
        private func config(_ grace: Double) -> String { "launch = []\nreduced-motion = true\n[life]\ngrace = \(grace)\n" }

        /// A browser of one process, which runs behind a terminal. The terminal runs each of `lines` after a press of Return.
        private func withBrowser(
            _ words: String, _ lines: [String], grace: Double = 600,
            _ body: (ShellUnderTest, _ browser: WindowReport, _ terminal: WindowReport) throws -> Void
        ) throws {
            try ShellUnderTest.with(config: config(grace)) { shell in
                // A copy of the interpreter is a program of its own, and not one that runs others.
                let program = "\(shell.room)/browser", script = "\(TestClient.folder)/handover.py", socket = "\(shell.room)/socket"
                try FileManager.default.copyItem(
                    atPath: URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path(percentEncoded: false), toPath: program)
                let browser = try shell.open(
                    [program, script, socket, "first"] + words.split(separator: " ").map(String.init), title: "first")
                try shell.wait("its socket", within: 20) { access(socket, F_OK) == 0 }
                let commands = lines.map { "read line; \($0.replacing("BROWSER", with: "\(program) \(script) \(socket)"))" }.joined(
                    separator: "; ")
                let terminal = try shell.open(
                    "foot", of: "foot", ["-e", "sh", "-c", "\(commands); echo ended >\(shell.room)/ended; sleep 600"])
                if grace < 600 { try shell.waitForPhase(.frozen, of: browser) }
                #expect(try shell.client.ask(.get(.state), for: StateReport.self).focus == terminal.id)
                try body(shell, browser, terminal)
            }
        }

        private func focus(_ shell: ShellUnderTest) throws -> WindowID? { try shell.client.ask(.get(.state), for: StateReport.self).focus }

        @Test(
            "W-19: the running app comes forward with what a terminal's program told it, whether it asks or not, once",
            arguments: ["", "asks", "early"])
        func told(_ words: String) throws {
            try withBrowser(words, ["BROWSER second page"]) { shell, browser, terminal in
                try shell.press("Return")
                try shell.wait("the page in front") {
                    let state = try shell.client.ask(.get(.state), for: StateReport.self)
                    return state.focus == browser.id && state.windows.contains { $0.id == browser.id && $0.title == "page" }
                }
                // Going back is the person's, and nothing brings it forward again.
                try shell.perform(.focus(window: terminal.id))
                usleep(1_500_000)
                #expect(try focus(shell) == terminal.id)
            }
        }

        @Test("W-19: a frozen app is thawed and comes forward")
        func frozen() throws {
            try withBrowser("", ["BROWSER second page"], grace: 0.3) { shell, browser, _ in
                try shell.press("Return")
                try shell.wait("the page in front") { try focus(shell) == browser.id }
            }
        }

        @Test("W-19: the same program that tells nothing brings nothing forward, nor does one that was started long before the press")
        func nothing() throws {
            try withBrowser("asks", ["BROWSER version"]) { shell, _, terminal in
                try shell.press("Return")
                try shell.wait("its end") { access("\(shell.room)/ended", F_OK) == 0 }
                usleep(700_000)
                #expect(try focus(shell) == terminal.id)
            }
        }

        @Test("W-19: a program that the person's terminal did not start brings nothing forward, even while the person types there")
        func stranger() throws {
            try withBrowser("asks", ["true", "true"]) { shell, browser, terminal in
                try shell.press("Return")
                let told = try shell.run([
                    "\(shell.room)/browser", "\(TestClient.folder)/handover.py", "\(shell.room)/socket", "second", "page",
                ])
                #expect(told.status == 0, "\(told.output)")
                try shell.wait("its title") {
                    try shell.client.ask(.get(.state), for: StateReport.self).windows.contains { $0.id == browser.id && $0.title == "page" }
                }
                usleep(700_000)
                #expect(try focus(shell) == terminal.id)
            }
        }

        @Test("W-19: a link from a terminal comes forward in a browser that runs", arguments: ["chromium", "firefox-esr"])
        func realBrowser(_ name: String) throws {
            guard ShellUnderTest.has(name) else { return }
            try ShellUnderTest.with(config: config(600), environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) { shell in
                let options =
                    name == "chromium"
                    ? "--no-sandbox --no-first-run --disable-gpu --password-store=basic --ozone-platform=wayland --user-data-dir=\(shell.room)/home/chromium"
                    : ""
                let bus = "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                let browser = try shell.open(["sh", "-c", "exec env \(bus) \(name) \(options) about:blank"], timeout: 60_000)
                // It starts for a while after its window has come.
                sleep(5)
                let link = "file://\(shell.room)/page.html"
                try shell.write("<title>page</title>text", to: "\(shell.room)/page.html")
                let terminal = try shell.open(
                    "foot", of: "foot", ["-e", "sh", "-c", "read line; env \(bus) \(name) \(options) '\(link)'; sleep 600"])
                #expect(try focus(shell) == terminal.id)
                usleep(500_000)
                try shell.press("Return")
                try shell.wait("the page in front", within: 15) {
                    let state = try shell.client.ask(.get(.state), for: StateReport.self)
                    return state.windows.contains { $0.id == state.focus && $0.title.contains("page") }
                }
                withExtendedLifetime(browser) {}
            }
        }
    }
}
