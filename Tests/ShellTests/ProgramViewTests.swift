import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Alerts and action sheets of programs, by touch, through the session bus (M-05, M-07).
    @Suite(.serialized) struct ProgramViewTests {
        private static let bus = ["DBUS_SESSION_BUS_ADDRESS": ""]

        /// A terminal in which a script asks.
        private func ask(_ shell: ShellUnderTest, _ name: String, _ words: String) throws -> WindowReport {
            let program = try ShellUnderTest.program()
            return try shell.open(
                "foot", of: "foot",
                [
                    "-e", "sh", "-c",
                    "'\(program)' alert \(words) >{room}/\(name) 2>&1; echo status $? >>{room}/\(name); sleep 600"
                        .replacingOccurrences(of: "{room}", with: shell.room),
                ])
        }

        private func said(_ shell: ShellUnderTest, _ name: String) -> String { shell.text(of: "\(shell.room)/\(name)") }

        @Test("M-05: mullion alert asks over its terminal; a tap answers, and the exit status says what")
        func alert() throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                let terminal = try ask(
                    shell, "one", "'Install the update?' --message 'Then it restarts.' --preferred Install --cancel Later")
                let button = try shell.waitForView("modal/1/choice/1")
                try shell.settle()
                try shell.keepPicture("alert")
                #expect(button.name == "Later")
                try shell.tap(button.frame.center)
                try shell.wait("the answer") { said(shell, "one").contains("status") }
                #expect(said(shell, "one") == "Later\nstatus 1\n")
                #expect(try shell.window(terminal.id).active)

                _ = try ask(shell, "two", "'Delete it?' --sheet --destructive Delete --cancel Cancel")
                _ = try shell.waitForView("modal/2/choice/0")
                try shell.settle()
                try shell.tap(Point(60, 60))
                try shell.wait("the answer") { said(shell, "two").contains("status") }
                #expect(said(shell, "two") == "Cancel\nstatus 1\n")

                // Its window closes: nobody is asked any more.
                let last = try ask(shell, "three", "'Anybody?'")
                _ = try shell.waitForView("modal/3/choice/0")
                kill(last.pid ?? 0, SIGKILL)
                try shell.waitUntilGone(last.id)
                try shell.wait("the view to go") { try shell.state().open.isEmpty }
            }
        }

        @Test(
            "What is wrong with a request is named",
            arguments: [
                ("''", "M-12: a modal view needs a title\nstatus 102\n"),
                ("'  '", "M-12: a modal view needs a title\nstatus 102\n"),
                ("Title --choice ''", "choice 0 has no label\nstatus 102\n"),
                (
                    "Title --message \"$(head -c 5000 /dev/zero | tr '\\0' x)\"",
                    "the message has 5000 bytes, and may have 4096\nstatus 102\n"
                ),
            ])
        func bad(words: String, error: String) throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                _ = try ask(shell, "bad", words)
                try shell.wait("the error") { said(shell, "bad").contains("status") }
                #expect(said(shell, "bad") == "mullion alert: \(error)")
            }
        }

        @Test("Two choices of a role that one choice may have are an error", arguments: ["preferred", "cancel"])
        func twice(role: String) throws {
            try ShellUnderTest.with { shell in
                let (status, output) = try shell.run([try ShellUnderTest.program(), "alert", "Title", "--\(role)", "a", "--\(role)", "b"])
                #expect(status == 64 && output.contains("'--\(role)' is given 2 times, and names at most one choice"), "\(output)")
            }
        }

        @Test("M-07: a loop of alerts is stopped after four, and harms nobody")
        func loop() throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                let program = try ShellUnderTest.program()
                _ = try shell.open(
                    "foot", of: "foot",
                    [
                        "-e", "sh", "-c",
                        "for i in 1 2 3 4 5 6 7; do '\(program)' alert \"Number $i\" >>\(shell.room)/\"$i\" 2>&1 & done; wait; sleep 600",
                    ])
                func refused() -> Int { (1...7).count { said(shell, "\($0)").contains("M-07: foot showed 4 alerts in 10 seconds") } }
                try shell.wait("the limit") { refused() == 3 }
                for _ in 0..<4 {
                    let open = try #require(try shell.views().last { $0.id.hasSuffix("/choice/0") })
                    try shell.tap(open.frame.center)
                    try shell.settle()
                }
                try shell.wait("the last to go") { try !shell.state().open.contains("alert") }
                shell.expectAlive()
            }
        }
    }
}
