import Control
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

        @Test func itIsStartedAgain() throws {
            try with { shell in
                let kill = "for p in $(pgrep -x squeekboard); do grep -qa '\(shell.room)' /proc/$p/environ && kill -9 $p && exit 0; done; exit 1"
                try shell.wait("the keyboard to be running", within: 20) { try shell.run(["sh", "-c", kill]).status == 0 }
                try shell.waitForLog("the on-screen keyboard ended and was started again")
                shell.expectAlive()
            }
        }
    }
}
