import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Files that programs hand over to be shown, through the session bus (W-18, W-19).
    @Suite(.serialized) struct HandedFileTests {
        private static let bus = ["DBUS_SESSION_BUS_ADDRESS": ""]

        /// Lets an app's own child ask, and waits for the answer.
        private func ask(_ app: TestClient, _ shell: ShellUnderTest, _ files: [String]) throws -> String {
            let output = "\(shell.room)/answer-\(UInt32.random(in: 0...UInt32.max))"
            let words = (["/usr/bin/python3", Helper.path("shown_files.py"), "view", output] + files).map { "'\($0)'" }.joined(
                separator: ", ")
            try app.run("__import__('subprocess').Popen([\(words)])")
            try shell.wait("the answer", within: 20) { access(output, F_OK) == 0 }
            return shell.text(of: output).trimmingCharacters(in: .newlines)
        }

        private func acted(_ app: TestClient, _ shell: ShellUnderTest) throws {
            try shell.tap(try #require(try app.report.frame).center)
            _ = try app.mark()
        }

        @Test("W-18: an app hands over files as a person acts in it, and the shell shows them in a window of its own")
        func shown() throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                let files = try shell.makeFiles()
                let app = try TestClient(shell)
                try acted(app, shell)
                // The second is gone by its path: only the open file is left.
                #expect(try ask(app, shell, ["My Film.png=\(files)/red.png", "gone.png=!\(files)/green.png"]) == "shown")
                let window = try #require(try shell.state().windows.first { $0.appID == "org.mullion.View" })
                try shell.waitForColour(FileColour.red)
                #expect(window.active)
                #expect(window.title == "My Film.png")
                try shell.keepPicture("look-handed")
                try shell.drag(Point(900, 400), Point(300, 420), rest: 0)
                try shell.waitForColour(FileColour.green)
                try shell.keepPicture("look-handed-gone")
                // The app has them open for writing; who reads them has not.
                let helper = try #require(shell.helpers(of: window).last)
                #expect(
                    shell.text(of: "/proc/\(helper)/fdinfo/0").contains("flags:\t010")
                        || shell.text(of: "/proc/\(helper)/fdinfo/0").contains("flags:\t0100"))
                let flags = shell.text(of: "/proc/\(helper)/fdinfo/0").split(separator: "\n").first { $0.hasPrefix("flags:") }
                #expect(flags?.last == "0", "opened for reading: \(flags ?? "")")
                try shell.press("Escape")
                try shell.waitUntilGone(window.id)
                try shell.wait("the app in front") { try app.report.active }
            }
        }

        @Test("W-19: files that nobody asked for wait behind a badge")
        func waits() throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                let files = try shell.makeFiles()
                let app = try TestClient(shell)
                #expect(try ask(app, shell, ["red.png=\(files)/red.png"]) == "waiting")
                let window = try #require(try shell.state().windows.first { $0.appID == "org.mullion.View" })
                #expect(window.place == .waiting)
                #expect(try app.report.active)
                try shell.perform(.openWaiting(window: window.id))
                try shell.waitForColour(FileColour.red)
            }
        }

        @Test("W-18: an app that says that it has a single window is refused, with the rule")
        func single() throws {
            let hermit = TestApp("test.hermit", "Hermit", command: "true", more: "SingleMainWindow=true")
            try ShellUnderTest.with(apps: [hermit, TestApp.three[0]], environment: Self.bus) { shell in
                let files = try shell.makeFiles()
                let app = try TestClient(shell, ["--app-id", "test.hermit"])
                try acted(app, shell)
                #expect(
                    try ask(app, shell, ["red.png=\(files)/red.png"])
                        .contains("W-18: Hermit has a single window (SingleMainWindow in its desktop entry), so no other is opened for it"))
                #expect(try shell.windows(of: "org.mullion.View").isEmpty)
            }
        }

        @Test("What is wrong with files or their names is said, and harms nobody")
        func bad() throws {
            try ShellUnderTest.with(environment: Self.bus) { shell in
                let files = try shell.makeFiles(), red = "\(files)/red.png"
                let app = try TestClient(shell)
                let long = String(repeating: "x", count: 256)
                for (words, error) in [
                    ([], "there is no file to show"),
                    (["=\(red)"], "the name of file 0 has 0 bytes, and may have 1 to 255"),
                    (["\(long)=\(red)"], "the name of file 0 has 256 bytes, and may have 1 to 255"),
                    (["a.png=\(red)", "../b.png=\(red)"], "the name of file 1 is a path: \"../b.png\""),
                    (["pipe.png=-"], "pipe.png: is not a regular file"),
                    (["folder.png=\(files)/folder.png"], "folder.png: is a folder"),
                    (["empty.png=\(files)/empty.png"], "empty.png: is empty"),
                    (["noise=\(files)/noise.bin"], "noise: is of a kind that quick look does not know"),
                ] {
                    try acted(app, shell)
                    let answer = try ask(app, shell, words)
                    #expect(answer.hasSuffix(error), "\(answer)")
                }
                #expect(try shell.windows(of: "org.mullion.View").isEmpty)
                #expect(try app.report.active)
                // As many as the bus lets through in one message.
                try acted(app, shell)
                #expect(try ask(app, shell, (0..<16).map { "\($0).png=\(red)" }) == "shown")
                try shell.waitForColour(FileColour.red)
                try shell.checkDescriptors()
            }
        }
    }
}
