import Control
import Geometry
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// What is dragged from one app to another: each begin has its end, towards the source and the target (P-05).
    @Suite(.serialized) struct DragTests {
        private let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n"

        private func source(_ shell: ShellUnderTest, byPointer: Bool) throws -> String {
            let before = Set(try shell.state().windows.map(\.id))
            let (_, output) = try shell.start(["python3", "\(TestClient.folder)/drags.py", "with-source"] + (byPointer ? [] : ["finger"]))
            try shell.wait("its window", within: 20) { try shell.state().windows.contains { $0.shown && !before.contains($0.id) } }
            return output
        }

        /// A drag has the finger. GTK waited for the end of the touch for good, and Qt for the end of the drag.
        @Test func aFingersDropThatNobodyTakesEndsDragAndTouch_P05() throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try source(shell, byPointer: false)
                try shell.settle()
                try shell.client.input(.drag(from: Point(590, 410), to: Point(900, 410), duration: 300, hold: 200, rest: 100))
                try shell.wait("the end of the drag") { shell.text(of: output).split(separator: "\n").contains("cancelled") }
                #expect(shell.text(of: output).split(separator: "\n").filter { $0.hasPrefix("touch") } == ["touch cancelled"])
                shell.expectAlive()
            }
        }

        @Test(arguments: [true, false]) func whatIsDraggedArrivesInAnX11Window_P05(byPointer: Bool) throws {
            try ShellUnderTest.with(config: config) { shell in
                try ShellUnderTest.require("Xwayland", of: "xwayland")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (_, dropped) = try shell.start(["python3", "\(TestClient.folder)/x11_drop.py", display])
                let target = try shell.waitForWindow(title: "Target").id
                _ = try source(shell, byPointer: byPointer)
                try shell.perform(.splitView(window: target, side: .right))
                try shell.settle()
                try shell.client.input(
                    .drag(from: Point(300, 410), to: Point(880, 410), duration: 500, hold: 200, rest: 300, pointer: byPointer ? true : nil))
                try shell.wait("what was dropped") { shell.text(of: dropped).contains("dropped 'dragged'") }
                shell.expectAlive()
            }
        }

        /// The target's own window lies there, but a menu of the shell is open: a press would close the menu.
        @Test func nothingIsDroppedThroughAMenuOfTheShell_P01() throws {
            try ShellUnderTest.with(config: config) { shell in
                try ShellUnderTest.require("Xwayland", of: "xwayland")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (_, dropped) = try shell.start(["python3", "\(TestClient.folder)/x11_drop.py", display])
                let target = try shell.waitForWindow(title: "Target").id
                let output = try source(shell, byPointer: true)
                try shell.perform(.splitView(window: target, side: .right))
                try shell.settle()
                try shell.client.input(.drag(from: Point(300, 410), to: Point(500, 410), duration: 200, pointer: true, staysDown: true))
                try shell.wait("the drag") { shell.text(of: output).contains("dragging") }
                try shell.perform(.controls(window: target))
                try shell.settle()
                for x in [700.0, 860, 880] { try shell.client.input(.pointerMotion(at: Point(x, 410))) }
                try shell.client.input(.pointerButton(pressed: false))
                try shell.wait("the end of the drag") { shell.text(of: output).split(separator: "\n").contains("cancelled") }
                #expect(!shell.text(of: dropped).contains("dropped"))
                shell.expectAlive()
            }
        }
    }
}
