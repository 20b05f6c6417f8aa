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
                try shell.client.perform(
                    .launch(
                        command: [
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

        /// As of games and screen savers of old toolkits: above everything, no gesture would lead out of it.
        @Test(
            "P-04: an override-redirect X11 window that fills the screen is a window: home leaves it, and it can be closed",
            arguments: ["pad", "mac"])
        func fillsTheScreen_P04(idiom: String) throws {
            try ShellUnderTest.with(config: "launch = []\nidiom = \"\(idiom)\"\n") { shell in
                try ShellUnderTest.require("xterm", of: "xterm")
                let window = try shell.open([
                    "xterm", "-xrm", "*overrideRedirect: true", "-geometry", "400x200+0+0", "-bg", "#ff0000", "+sb",
                ])
                #expect(window.shown)
                try shell.perform(.home)
                try shell.settle()
                #expect(try shell.picture().singleColour(in: Rect(400, 350, 100, 100)) != Picture.Pixel(0xff0000))
                try shell.perform(.focus(window: window.id))
                try shell.settle()
                try shell.perform(.close(window: window.id))
                try shell.waitUntilGone(window.id)
                shell.expectAlive()
            }
        }

        private func group(_ shell: ShellUnderTest, _ word: String = "") throws -> (
            process: Int32, one: WindowID, two: WindowID, output: String
        ) {
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
            let (process, output) = try shell.start(["python3", "\(TestClient.folder)/x11_group.py", display, word])
            let one = try shell.waitForWindow(title: "One").id, two = try shell.waitForWindow(title: "Two").id
            try shell.settle()
            return (process, one, two, output)
        }

        /// As GIMP's: of the type dialog, in a group, without `WM_TRANSIENT_FOR`.
        @Test func aDialogThatNamesNoParentStandsOnTheLastUsedWindowOfItsGroup() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, one, _, _) = try group(shell)
                try shell.perform(.focus(window: one))
                try shell.settle()
                shell.signal(process, SIGUSR1)
                let dialog = try shell.waitForWindow(title: "Dialog")
                #expect(dialog.parent == one)
                shell.expectAlive()
            }
        }

        /// Tool windows of GIMP's kind, and those that name the root, none or themselves as their parent, as old toolkits do.
        @Test(arguments: ["utility", "toolbar", "root", "none", "self"])
        func aToolWindowStandsOnTheLastUsedWindowOfItsGroup_X02(word: String) throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, one, _, _) = try group(shell, word)
                try shell.perform(.focus(window: one))
                try shell.settle()
                shell.signal(process, SIGUSR1)
                let tool = try shell.waitForWindow(title: "Dialog")
                #expect(tool.parent == one)
                shell.expectAlive()
            }
        }

        /// A menu of Java or of an editor takes the focus right after it is mapped, when nothing is known of it yet. It closes if it
        /// loses the focus.
        @Test func aMenuKeepsTheFocusThatItTakesWhenItIsMapped_X02() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, _, _, output) = try group(shell, "focus")
                shell.signal(process, SIGUSR2)
                try shell.wait("the focus") { shell.text(of: output).contains("focused") }
                try shell.settle()
                try shell.client.input(.type(text: "a"))
                try shell.wait("the key in the menu") { shell.text(of: output).contains("key 30") }
                shell.expectAlive()
            }
        }

        /// As Java programs do with a second window that waits.
        @Test("P-02: an X11 program cannot give the keys of the window in front to one that is out of sight")
        func focusOutOfSight_P02() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, one, two, output) = try group(shell, "steal")
                try shell.perform(.focus(window: two))
                try shell.settle()
                #expect(try !shell.window(one).shown)
                shell.signal(process, SIGUSR2)
                try shell.wait("the answer") { shell.text(of: output).contains("focus") }
                #expect(shell.text(of: output).contains("focus Two"), "\(shell.text(of: output))")
                shell.expectAlive()
            }
        }

        /// X11 has menus in coordinates of the screen: one stayed where its window had been.
        @Test func aMenuMovesWithItsWindow() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                let (process, _, two, _) = try group(shell)
                func expectMenu(_ why: Comment, at offset: Vector = Vector(100, 100)) throws {
                    let frame = try #require(try shell.window(two).frame),
                        inside = Rect(frame.x + offset.dx + 2, frame.y + offset.dy + 2, 190, 140)
                    try shell.wait("the menu in its window \(why)") {
                        try shell.picture().singleColour(in: inside) == Picture.Pixel(0xff0000)
                    }
                    let picture = try shell.picture()
                    #expect(picture[Int(clamping: inside.x - 8), Int(clamping: inside.y - 8)] != Picture.Pixel(0xff0000), why)
                }
                try shell.perform(.fullScreen(window: two))
                try shell.settle()
                shell.signal(process, SIGUSR2)
                try expectMenu("over the whole screen")
                try shell.perform(.slideOver(window: two))
                try expectMenu("in Slide Over")
                try shell.perform(.slideOverSide(.left))
                try expectMenu("on the other side")
                try shell.perform(.splitView(window: two, side: .right))
                try expectMenu("beside another")
                try shell.perform(.divider(fraction: 0.66))
                try expectMenu("after the divider moved")
                // It slides into a window that has become too small for it.
                try shell.perform(.swapSides)
                try expectMenu("on the other side of the divider")
                shell.expectAlive()
            }
        }

        /// A menu has the keys of all X11 programs until it closes. A frozen program never closed it.
        @Test func aMenuOutOfSightTakesNoKeysFromOthers() throws {
            let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n[life]\ngrace = 0.3\n"
            try ShellUnderTest.with(config: config) { shell in
                try ShellUnderTest.require("xterm", of: "xterm")
                let (process, _, two, output) = try group(shell, "grab")
                try shell.perform(.fullScreen(window: two))
                try shell.settle()
                shell.signal(process, SIGUSR2)
                try shell.wait("the grab") { shell.text(of: output).contains("grabbed") }
                let got = "\(shell.room)/got"
                try shell.client.perform(.launch(command: ["xterm", "-e", "sh", "-c", "read line; echo $line > '\(got)'"], to: nil))
                try shell.wait("the terminal", within: 20) { try shell.state().windows.contains { $0.appID == "XTerm" && $0.active } }
                try shell.settle()
                // Without its menu, the program is frozen.
                try shell.waitForPhase(.frozen, of: shell.window(two), within: 20)
                try shell.client.input(.type(text: "typed\n"))
                try shell.wait("the keys in the terminal") { shell.text(of: got) == "typed\n" }
                shell.expectAlive()
            }
        }

        /// Tk's menu bar grabs with the bar, and not with the menu: to unmap the menu does not end that.
        @Test func theGrabOfATkMenuBarEndsWithItsMenu() throws {
            let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n[life]\ngrace = 0.3\n"
            try ShellUnderTest.with(config: config) { shell in
                try ShellUnderTest.require("xterm", of: "xterm")
                let output = "\(shell.room)/tk"
                try shell.client.perform(
                    .launch(command: ["sh", "-c", "exec python3 '\(TestClient.folder)/tk_menu.py' >'\(output)'"], to: nil))
                let tk = try shell.waitForWindow(title: "Menu Bar").id
                try shell.settle()
                let frame = try #require(try shell.window(tk).frame)
                // Tk draws its bar a moment after its window; a click before that opens nothing.
                try shell.wait("the bar", within: 20) { shell.text(of: output).contains("drawn") }
                try shell.client.input(.click(at: Point(frame.x + 16, frame.y + 10)))
                try shell.wait("the menu", within: 20) { shell.text(of: output).contains("posted") }
                let got = "\(shell.room)/got"
                try shell.client.perform(.launch(command: ["xterm", "-e", "sh", "-c", "read line; echo $line > '\(got)'"], to: nil))
                try shell.wait("the terminal", within: 20) { try shell.state().windows.contains { $0.appID == "XTerm" && $0.active } }
                try shell.settle()
                try shell.waitForPhase(.frozen, of: shell.window(tk), within: 20)
                try shell.client.input(.type(text: "typed\n"))
                try shell.wait("the keys in the terminal") { shell.text(of: got) == "typed\n" }
                // Back in its window, the keys are its own, and no menu is open.
                try shell.perform(.focus(window: tk))
                try shell.settle()
                try shell.client.input(.type(text: "q"))
                try shell.wait("the key in its text") { shell.text(of: output).contains("key q") }
                #expect(!shell.text(of: output).contains("key t"))
                shell.expectAlive()
            }
        }
    }
}
