import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Keys and buttons of X11 windows: Xwayland repeats keys itself, and has one place for fingers and pointer.
    @Suite(.serialized) struct X11InputTests {
        /// Returns the file with what the windows got, and the windows.
        private func windows(_ shell: ShellUnderTest) throws -> (output: String, one: WindowID, two: WindowID) {
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
            let output = try shell.start(["python3", "\(TestClient.folder)/x11_input.py", display]).output
            let one = try shell.waitForWindow(title: "One").id, two = try shell.waitForWindow(title: "Two").id
            try shell.settle()
            return (output, one, two)
        }

        private static let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n"

        @Test("X-02: a key that closes an X11 window does not repeat in the next one")
        func aKeyEndsWithItsWindow() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (output, one, two) = try windows(shell)
                try shell.perform(.fullScreen(window: two))
                try shell.settle()
                let q = try #require(InputRequest.KeyName("q")), w = try #require(InputRequest.KeyName("w"))
                try shell.client.input(.key(key: q, pressed: true))
                try shell.waitUntilGone(two)
                try shell.wait("the focus") { try shell.window(one).active }
                // Xwayland would press it at once, and repeat it after two thirds of a second.
                usleep(1_200_000)
                try shell.client.input(.key(key: q, pressed: false))
                try shell.client.input(.key(key: w, pressed: true))
                try shell.client.input(.key(key: w, pressed: false))
                try shell.wait("the next key") { shell.text(of: output).contains("One key 17") }
                #expect(shell.text(of: output) == "Two key 16\nOne key 17\n")
            }
        }

        @Test("X-02: an X11 window that minimizes itself by _NET_WM_STATE loses that state when it returns")
        func hidesItself() throws {
            try ShellUnderTest.with(config: Self.config + "idiom = \"mac\"\n") { shell in
                let (output, one, _) = try windows(shell)
                func press(_ name: String) throws {
                    let key = try #require(InputRequest.KeyName(name))
                    try shell.client.input(.key(key: key, pressed: true))
                    try shell.client.input(.key(key: key, pressed: false))
                }
                for round in 1...2 {
                    try shell.perform(.focus(window: one))
                    try shell.wait("the focus") { try shell.window(one).active }
                    try press("h")
                    try shell.wait("it is put away") { try shell.window(one).place == .minimized }
                    try shell.perform(.focus(window: one))
                    try shell.wait("it is back") { try shell.window(one).active }
                    try press("w")
                    try shell.wait("the keys of round \(round)") {
                        shell.text(of: output) == String(repeating: "One key 35\nOne key 17\n", count: round)
                    }
                }
            }
        }

        @Test("X-02: a button after a touch is where the pointer is, also in an X11 window")
        func aButtonAfterATouch() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (output, one, _) = try windows(shell)
                try shell.perform(.fullScreen(window: one))
                try shell.settle()
                func wait(_ count: Int) throws {
                    try shell.wait("button \(count)") { shell.text(of: output).split(separator: "\n").count == count }
                }
                try shell.click(Point(300, 400))
                try wait(1)
                for round in 1...2 {
                    try shell.tap(Point(700, 500))
                    try wait(2 * round)
                    try shell.click(Point(300, 400))
                    try wait(2 * round + 1)
                }
                let buttons = shell.text(of: output).split(separator: "\n").enumerated()
                #expect(buttons.filter { $0.offset.isMultiple(of: 2) }.map(\.element) == Array(repeating: "One button 300,400", count: 3))
                // X11 rounds the places of fingers by its own rules.
                #expect(buttons.filter { !$0.offset.isMultiple(of: 2) }.allSatisfy { $0.element != "One button 300,400" })
            }
        }
    }
}
