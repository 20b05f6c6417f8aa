import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing
import Windows

extension RunningShell {
    /// Programs that know nothing of the end of a session are asked to close their windows (law 5, M-10, W-20).
    @Suite(.serialized) struct EndOfSessionTests {
        private static let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        /// Runs a shell that ends by itself in `body`, and then the next one with what the first kept.
        private func ending(_ body: (ShellUnderTest) throws -> Void, next: (ShellUnderTest) throws -> Void = { _ in }) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kept-\(UInt32.random(in: 0 ... .max))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_STATE_HOME": folder]
            let shell = try ShellUnderTest(config: Self.quick, environment: environment)
            do {
                defer { shell.clear() }
                try body(shell)
                try shell.wait("the end", within: 15) { shell.ending != nil }
                #expect(shell.ending == "the shell ended with status 0")
            } catch {
                throw ShellUnderTest.Failure("\(error)\nThe shell's log ends with:\n\(shell.log.suffix(4000))")
            }
            try ShellUnderTest.with(config: Self.quick, environment: environment, next)
        }

        @Test("law 5, M-10: an editor with unsaved text is asked by a log-out, and a person can go to its question")
        func editor() throws {
            try ending { shell in
                let editor = try shell.open("mousepad", of: "mousepad"), terminal = try shell.open("foot", of: "foot")
                try shell.perform(.focus(window: editor.id))
                try shell.client.input(.type(text: "unsaved"))
                try shell.wait("the change") { try shell.window(editor.id).title.hasPrefix("*") }
                // Frozen, it is thawed to be asked.
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: editor)
                try shell.perform(.quit)
                let row = try shell.waitForView("log-out/app/0", within: 8)
                #expect(row.name == "Mousepad" || row.name == "mousepad")
                #expect(try shell.view("log-out/app/0/reason").name == "Waiting for Your Answer")
                try shell.keepPicture("log-out-asks")
                // The terminal had nothing to ask.
                #expect(try !shell.state().windows.contains { $0.id == terminal.id })
                try shell.tap(row.frame.center)
                try shell.settle()
                let question = try #require(try shell.state().windows.first { $0.active })
                #expect(try question.id != editor.id && !shell.isOpen("log-out"))
                shell.expectAlive()
                try shell.keepPicture("log-out-question")
                // Going there cancelled the log-out; closing the question keeps the text.
                try shell.perform(.close(window: question.id))
                try shell.wait("the end of the question") { try !shell.state().windows.contains { $0.id == question.id } }
                #expect(try shell.window(editor.id).title.hasPrefix("*"))
                try shell.perform(.quit)
                try shell.tap(try shell.waitForView("log-out/anyway", within: 8).frame.center)
            }
        }

        @Test(
            "no control group outlives the shell, whoever still runs, nor does one of a frozen app whose windows close",
            arguments: [true, false])
        func groups(isFrozen: Bool) throws {
            var folders: [String] = [], session: [String: UInt64] = [:]
            func parent(of folder: String) -> String { String(folder[..<folder.lastIndex(of: "/")!]) }
            // A shell of another test may take the name, and makes another folder.
            func number(of folder: String) -> UInt64? {
                var facts = stat()
                return stat(folder, &facts) == 0 ? UInt64(facts.st_ino) : nil
            }
            try ShellUnderTest.with(config: Self.quick) { shell in
                let terminals = try ["one", "two"].map { try shell.open("foot", of: "foot", ["--title", $0]) }
                // A process that leaves its terminal outlives it.
                let detached = try shell.open("foot", of: "foot", ["-e", "sh", "-c", "setsid sleep 5 & sleep 600"])
                let all = terminals + [detached]
                if isFrozen {
                    try shell.perform(.home)
                    for window in all { try shell.waitForPhase(.frozen, of: window) }
                }
                for kind in [ControlGroups.Kind.unified, .freezer] {
                    folders += try all.compactMap { ControlGroups.folder(of: try shell.app(of: $0).process, kind) }.filter {
                        $0.contains("app-mullion")
                    }
                }
                for folder in folders { session[parent(of: folder)] = number(of: parent(of: folder)) }
                try shell.perform(.close(window: terminals[0].id))
                try shell.waitUntilGone(terminals[0].id)
                if let first = folders.first { try shell.wait("the end of its group") { access(first, F_OK) != 0 } }
            }
            // A machine without control groups has none to leave.
            for folder in folders {
                #expect(access(folder, F_OK) != 0, "\(folder) is left")
                #expect(number(of: parent(of: folder)) != session[parent(of: folder)], "the session's folder is left")
            }
        }

        @Test("W-20: what a log-out closed comes back where it was; who stays sees how long it has, and is ended")
        func comesBack() throws {
            try ending { shell in
                let left = try shell.open("foot", of: "foot", ["--title", "left"])
                try shell.open("foot", of: "foot", ["--title", "right"])
                try shell.perform(.splitView(window: left.id, side: .left))
                // It neither closes nor ends when it is asked to.
                let stubborn = ["sh", "-c", "trap '' TERM; python3 -S \(TestClient.folder)/window.py --stays --title stays"]
                _ = try shell.open(stubborn)
                try shell.perform(.quit)
                _ = try shell.waitForView("log-out/anyway", within: 8)
                #expect(try shell.view("log-out/app/0/reason").name == "Still Open")
                #expect(try shell.state().windows.map(\.title) == ["stays"])
                try shell.tap(try shell.view("log-out/anyway").frame.center)
            } next: { shell in
                try shell.wait("the windows") { try Set(shell.state().windows.map(\.title)) == ["left", "right", "stays"] }
                let spaces = try shell.state().spaces.filter { $0.windows.count == 2 }
                #expect(spaces.count == 1)
            }
        }
    }
}
