import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// One app that other programs cannot cover, and that comes back when it ends (law 12, decisions 0164 and 0165).
    @Suite(.serialized) struct KioskShellTests {
        private static let idiom = """
            like = "phone"
            places = ["full-screen"]
            windows-of-app = "one"
            offers = ["log-out"]
            edge = 0
            home-line = false

            [home]
            fills-empty-screen = false

            [life]
            starts-again = true
            freezes-hidden = false
            """

        private func window(_ shell: ShellUnderTest, _ app: String) throws -> WindowReport? {
            try shell.state().windows.first { $0.appID == app && $0.place != .unmapped }
        }

        /// A terminal stands for the app. The shell in it starts another program, as a browser does for a link.
        private func kiosk(_ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.require("foot", of: "foot")
            let start = #"[["foot", "--app-id=page", "sh", "-c", "foot --app-id=mailer sh -c 'sleep 600' & sleep 600"]]"#
            try ShellUnderTest.with(config: "idiom = \"place\"\nlaunch = \(start)\n", files: ["idioms/place.toml": Self.idiom]) { shell in
                try shell.wait("both programs", within: 30) { try window(shell, "page") != nil && window(shell, "mailer") != nil }
                try body(shell)
            }
        }

        private func staysAlone(_ shell: ShellUnderTest) throws {
            try shell.settle()
            let page = try #require(try window(shell, "page")), mailer = try #require(try window(shell, "mailer"))
            #expect(page.shown && page.active && page.shownFrame?.size == Size(1180, 820))
            #expect(!mailer.shown && !mailer.active && mailer.place == .waiting)
        }

        @Test("a program that the app of a kiosk starts stays out of sight, after a tap on the app and a command, too")
        func otherPrograms() throws {
            try kiosk { shell in
                try staysAlone(shell)
                let mailer = try #require(try window(shell, "mailer")).id
                for action in [
                    Action.focus(window: mailer), .fullScreen(window: mailer), .openWaiting(window: mailer), .quitApp(), .rotate(1),
                    .tabletMode(on: true),
                ] {
                    #expect(throws: (any Error).self) { try shell.client.perform(action) }
                }
                try shell.settle()
                try staysAlone(shell)
            }
        }

        @Test("the app of a kiosk that is killed is back within five seconds, three times in a row, and the screen says so meanwhile")
        func comesBack() throws {
            try kiosk { shell in
                for _ in 0..<3 {
                    let page = try #require(try window(shell, "page"))
                    // A process of the shell's own.
                    kill(try #require(page.pid), SIGKILL)
                    try shell.wait("the window to go") { try window(shell, "page")?.id != page.id }
                    if try window(shell, "page") == nil { #expect(try shell.views().contains { $0.id == "start/again" }) }
                    try shell.wait("the app", within: 5) { try window(shell, "page")?.shown ?? false }
                    #expect(try shell.state().windows.allSatisfy { $0.appID == "page" || !$0.shown })
                }
            }
        }
    }
}
