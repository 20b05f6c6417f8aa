import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Override-redirect windows without an owner: launchers such as dmenu, and splash screens.
    @Suite(.serialized) struct X11MenuTests {
        @Test func oneThatBelongsToNoWindowLiesOverAWaylandWindowAndIsTypedInto() throws {
            try ShellUnderTest.with(config: "launch = []\n") { shell in
                try ShellUnderTest.require("xterm", of: "xterm")
                let base = try TestClient(shell, ["--colour", "204080", "--edge", "204080"])
                let got = "\(shell.room)/got", inside = Rect(400, 350, 100, 100)
                func shows(_ hex: UInt32) throws -> Bool {
                    try shell.picture().singleColour(in: inside) == Picture.Pixel(hex)
                }
                try shell.wait("the window") { try shows(0x204080) }
                // As the shell launches it, so that it has the display; it opens no window of its own.
                try shell.client.perform(.launch(command: [
                    "xterm", "-xrm", "*overrideRedirect: true", "-geometry", "80x24+300+200", "-bg", "#ff0000", "+sb",
                    "-e", "sh", "-c", "read line; echo $line > '\(got)'",
                ], to: nil))
                try shell.wait("it to be seen", within: 20) { try shows(0xff0000) }
                #expect(try shell.state().windows.map(\.id) == [base.id])
                try shell.client.input(.type(text: "typed\n"))
                try shell.wait("what was typed") { shell.text(of: got) == "typed\n" }
                // It exited with the line, and the window is visible again.
                try shell.wait("it to go") { try shows(0x204080) }
                shell.expectAlive()
            }
        }

        private func group(_ shell: ShellUnderTest) throws -> (process: Int32, one: WindowID, two: WindowID) {
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
            let process = try shell.start(["python3", "\(TestClient.folder)/x11_group.py", display]).process
            let one = try shell.waitForWindow(title: "One").id, two = try shell.waitForWindow(title: "Two").id
            try shell.settle()
            return (process, one, two)
        }

        /// As GIMP's: of the type dialog, in a group, without `WM_TRANSIENT_FOR`.
        @Test func aDialogThatNamesNoParentStandsOnTheLastUsedWindowOfItsGroup() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, one, _) = try group(shell)
                try shell.perform(.focus(window: one))
                try shell.settle()
                shell.signal(process, SIGUSR1)
                let dialog = try shell.waitForWindow(title: "Dialog")
                #expect(dialog.parent == one)
                shell.expectAlive()
            }
        }
    }
}
