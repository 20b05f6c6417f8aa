import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// mullion-windows: what apps say of their windows, through the running shell (W-14, W-15, M-03, M-10).
    @Suite(.serialized) struct WindowHintTests {
        private static let asked = "launch = []\nnew-windows = \"always\"\n"

        private func open(_ client: TestClient, _ style: Int, _ occasion: Int, _ shell: ShellUnderTest) throws -> WindowReport {
            // The first commit comes from the constructor, so the style is said between two of its requests.
            try client.run(
                """
                made = type(window)(app, 'another'); said = bind('mullion_window_manager_v1').get_window(made.toplevel); \
                said.set_style(\(style), \(occasion)); app.windows.append(made)
                """)
            try shell.wait("the second window") { try shell.state().windows.contains { $0.title == "another" && $0.place != .unmapped } }
            try shell.settle()
            return try #require(try shell.state().windows.first { $0.title == "another" })
        }

        @Test("W-14, W-16: a window for one item is raised over its app's window, and a drag makes it one of its own (W-17)")
        func prominent() throws {
            try ShellUnderTest.with(config: Self.asked) { shell in
                let client = try TestClient(shell)
                let other = try open(client, 0, 1, shell)
                #expect(other.place == .dialog && other.parent == client.id && other.modal)
                try shell.keepPicture("prominent")
                let frame = try #require(other.frame)
                let grip = Point(frame.center.x, frame.minY >= 20 ? frame.minY - 10 : frame.minY + 10)
                try shell.drag(grip, Point(4, 400), via: [grip + Vector(-120, -8)], duration: 500)
                #expect(try shell.window(other.id).place == .splitLeft)
                #expect(try shell.window(client.id).place == .splitRight)
            }
        }

        @Test("W-15: a standard window stands beside its peer")
        func standard() throws {
            try ShellUnderTest.with(config: Self.asked) { shell in
                let client = try TestClient(shell)
                let other = try open(client, 1, 0, shell)
                #expect(other.place == .splitRight)
                #expect(try shell.window(client.id).place == .splitLeft)
            }
        }

        @Test("M-10: an app that says it has unsaved work is closed only as the person says")
        func unsaved() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                try client.run("said = bind('mullion_window_manager_v1').get_window(window.toplevel)")
                try client.run("said.set_unsaved('Save “Letter”?', 'It was never saved.', 'Discard', 'Save', 'Keep Editing')")
                _ = try client.mark()
                func answer(_ label: String) throws {
                    try shell.perform(.close(window: client.id))
                    try shell.wait("the question") { try shell.isOpen("action-sheet") }
                    try shell.settle()
                    try shell.tap(try #require(try shell.views().last { $0.name == label }).frame.center)
                }
                try answer("Keep Editing")
                try client.waitFor("mullion_window_v1.answered") { $0.a == .array([.integer(2)]) }
                try answer("Save")
                try client.waitFor("mullion_window_v1.answered") { $0.a == .array([.integer(1)]) }
                #expect(try shell.window(client.id).active)
                try shell.keepPicture("unsaved")
                try answer("Discard")
                try shell.waitUntilGone(client.id)
            }
        }

        @Test("M-03: a sheet that is scrolled to its top goes by a swipe anywhere on it")
        func atTop() throws {
            try ShellUnderTest.with(config: Self.asked) { shell in
                let client = try TestClient(shell)
                let sheet = try open(client, 2, 0, shell), frame = try #require(sheet.frame)
                try client.run("said.set_at_top(1)")
                _ = try client.mark()
                try shell.drag(frame.center, frame.center + Vector(6, 300), rest: 0)
                try shell.waitUntilGone(sheet.id)
                #expect(try shell.window(client.id).active)
            }
        }

        @Test("Values that an enum does not have, and texts that are none, are errors that say which")
        func abuse() throws {
            let errors = [
                "style": "there is no style 3: they go from 0 to 2", "occasion": "there is no occasion 9: they go from 0 to 3",
                "role": "there is no role 2: 0 or 1", "flag": "at_top is 2, and must be 0 or 1",
                "empty-title": "title has 0 bytes: from 1 to 256",
                "long-message": "message has 2049 bytes: from 0 to 2048", "twice": "the toplevel has a mullion_window_v1 already",
                "presentation": "there is no presentation 5: 0 none, 1 sheet, 2 full_screen, 3 popover, 4 current_context",
                "anchor": "the anchor 0, 0, 0, 20 needs a width and a height from 1 to 65535",
                "far-anchor": "the anchor 70000, 0, 20, 20 needs a width and a height from 1 to 65535, and a corner from -65535 to 65535",
                "pinchable": "the pinchable 3 0, 0, 20, -1 needs a width and a height from 1 to 65535",
                "far-pinchable":
                    "the pinchable 4 -70000, 0, 20, 20 needs a width and a height from 1 to 65535, and a corner from -65535 to 65535",
                "many-pinchables": "the pinchable 64 is one too many: a window has at most 64",
                "same-surface": "the toplevel has a mullion_window_v1 already",
                "too-late": "the window was shown already: set_style comes before its first buffer",
            ]
            try ShellUnderTest.with(config: Self.asked) { shell in
                for (way, text) in errors.sorted(by: { $0.key < $1.key }) {
                    let answer = try shell.script("hints.py", way)
                    #expect(answer.ended == true && "\(answer)".contains(text), "\(way): \(answer)")
                }
                for way in ["gone", "again-pinchables", "surfaces"] { #expect(try shell.script("hints.py", way).ended == false, "\(way)") }
                shell.expectAlive()
            }
        }
    }
}
