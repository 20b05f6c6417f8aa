import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension RunningShell {
    /// The real squeekboard, started by the shell itself.
    @Suite(.serialized) struct OnScreenKeyboardTests {
        private func with(_ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.require("squeekboard", of: "squeekboard")
            // Without a session bus it gets a private one.
            try ShellUnderTest.with(
                config: "launch = []\non-screen-keyboard = \"on\"\n", environment: ["DBUS_SESSION_BUS_ADDRESS": ""], body)
        }

        private func height(_ shell: ShellUnderTest) throws -> Double { try shell.state().screen?.reserved.bottom ?? 0 }

        @Test func theShellsOwnFieldIsTypedInto_X03() throws {
            try with { shell in
                // It may still be starting when the field first requests it.
                try shell.wait("the keyboard to stand under the search field", within: 20) {
                    try shell.client.perform(.search())
                    usleep(400_000)
                    if try height(shell) > 100 { return true }
                    try shell.client.perform(.dismiss)
                    return false
                }
                try shell.settle()
                // The key Z is at the left of the lowest row of letters.
                let top = 820 - (try height(shell)), row = try height(shell) / 4
                try shell.tap(Point(262, top + row * 2.5))
                try shell.wait("a letter in the search field") { try shell.state().search == "z" }
                try shell.client.perform(.dismiss)
                try shell.wait("the keyboard to go") { try height(shell) == 0 }
            }
        }

        /// X11 programs and older toolkits have no text fields that an on-screen keyboard hears of.
        @Test func aPersonCallsItForAnX11Program_X02() throws {
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            try with { shell in
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let output = try shell.start(["python3", "\(TestClient.folder)/x11_input.py", display]).output
                let one = try shell.waitForWindow(title: "One").id
                try shell.perform(.fullScreen(window: one))
                try shell.settle()
                #expect(try height(shell) == 0)
                // By the line at the bottom, as soon as the keyboard runs.
                let line = Point(590, 816)
                try shell.wait("the keyboard that a finger called", within: 20) {
                    try shell.client.input(.tap(at: line, hold: 700))
                    usleep(300_000)
                    return try height(shell) > 100
                }
                let top = 820 - (try height(shell)), row = try height(shell) / 4
                try shell.tap(Point(262, top + row * 2.5))
                // KEY_Z, or whatever key squeekboard gives the letter in a keymap of its own.
                try shell.wait("a key in the X11 window") { shell.text(of: output).contains("One key ") }
                try shell.client.input(.tap(at: Point(590, top - 4), hold: 700))
                try shell.wait("the keyboard to go") { try height(shell) == 0 }
                try shell.perform(.controlCentre)
                try shell.settle()
                try shell.tap(try shell.waitForView("control-centre/keyboard").frame.center)
                try shell.wait("the keyboard that the tile called") { try height(shell) > 100 }
                try shell.press("Super+k")
                try shell.wait("the keyboard that a key hid") { try height(shell) == 0 }
                shell.expectAlive()
            }
        }

        @Test("X-02: a keyboard that owns its name before it can answer is asked again, and can be called", arguments: [1, 4])
        func lateAnswer(errors: Int) throws {
            try ShellUnderTest.require("squeekboard", of: "squeekboard")
            let bus = try PrivateBus()
            // The name is taken before the shell starts its own keyboard, which then stays without it.
            let keyboard = Process()
            keyboard.executableURL = URL(filePath: "/usr/bin/python3")
            keyboard.arguments = ["-W", "ignore", "\(TestClient.folder)/late_keyboard.py", "\(errors)"]
            keyboard.environment = ProcessInfo.processInfo.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { _, new in new }
            try keyboard.run()
            defer { kill(keyboard.processIdentifier, SIGKILL) }
            try ShellUnderTest.with(
                config: "launch = []\non-screen-keyboard = \"on\"\n", environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            ) { shell in
                try shell.wait("a keyboard that can be called", within: 15) { (try? shell.perform(.screenKeyboard(shown: true))) != nil }
                shell.expectAlive()
            }
        }

        @Test func itIsStartedAgain() throws {
            try with { shell in
                let kill =
                    "for p in $(pgrep -x squeekboard); do grep -qa '\(shell.room)' /proc/$p/environ && kill -9 $p && exit 0; done; exit 1"
                try shell.wait("the keyboard to be running", within: 20) { try shell.run(["sh", "-c", kill]).status == 0 }
                try shell.waitForLog("the on-screen keyboard ended and was started again")
                shell.expectAlive()
            }
        }
    }
}
