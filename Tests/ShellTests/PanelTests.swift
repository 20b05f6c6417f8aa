import Control
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Panels that take keys (layer-shell), and what taskbars are told of windows (wlr-foreign-toplevel-management).
    @Suite(.serialized) struct PanelTests {
        private let fast = "launch = []\nanimation-speed = 4\n"

        private func start(_ shell: ShellUnderTest, _ keys: String) throws -> (process: Int32, lines: () -> [String]) {
            let panel = try shell.start(["python3", "\(TestClient.folder)/panel.py", "top", "40", "884422", keys])
            try shell.wait("the panel", within: 20) { try shell.state().screen?.usable.minY == 40 }
            try shell.settle()
            return (panel.process, { shell.text(of: panel.output).split(separator: "\n").map(String.init) })
        }

        /// A person opened it to type into it: it has the keys as it appears, and until something else is pressed.
        @Test func aPanelThatTakesKeysOnDemand() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let app = try TestClient(shell)
                let mark = try app.mark()
                let panel = try start(shell, "on-demand")
                try shell.wait("the keys at the panel") { panel.lines().last == "keys" }
                try shell.press("a")
                try shell.wait("a key at the panel") { panel.lines().last == "key 30" }
                _ = try app.mark()
                #expect(try app.events(since: mark, "wl_keyboard.key").isEmpty)
                #expect(try app.events(since: mark, "wl_keyboard.leave").count == 1)
                // The app gets them back by a press on it, the panel by one on the panel.
                try shell.tap(Point(600, 500))
                try app.waitFor("wl_keyboard.enter", since: mark)
                try shell.press("b")
                try app.waitFor("wl_keyboard.key", since: mark)
                #expect(panel.lines().contains("no keys") && !panel.lines().contains("key 48"))
                try shell.tap(Point(600, 20))
                try shell.wait("the keys at the panel again") { panel.lines().filter { $0 == "keys" }.count == 2 }
                // It dies with them.
                let later = try app.mark()
                shell.signal(panel.process, SIGKILL)
                try app.waitFor("wl_keyboard.enter", since: later)
                try shell.press("c")
                try app.waitFor("wl_keyboard.key", since: later)
            }
        }

        /// One that wants no keys gets none, one that wants all has them whatever is pressed.
        @Test(arguments: ["none", "exclusive"]) func aPanelThatTakesNoneOrAll(keys: String) throws {
            try ShellUnderTest.with(config: fast) { shell in
                let app = try TestClient(shell)
                let panel = try start(shell, keys)
                if keys == "exclusive" { try shell.wait("the keys") { panel.lines().contains("keys") } }
                let mark = try app.mark()
                try shell.tap(Point(600, 20))
                try shell.wait("the finger") { panel.lines().contains("down") }
                try shell.tap(Point(600, 500))
                try app.waitFor("wl_touch.down", since: mark)
                try shell.press("a")
                if keys == "none" {
                    try app.waitFor("wl_keyboard.key", since: mark)
                    #expect(!panel.lines().contains("keys"))
                } else {
                    try shell.wait("the key") { panel.lines().last == "key 30" }
                    _ = try app.mark()
                    #expect(try app.events(since: mark, "wl_keyboard.key").isEmpty)
                }
            }
        }

        /// A window that is not seen is on the list all the same, minimized; a person brings it back by its entry.
        @Test func taskbarsListWindowsThatAreNotSeen() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let one = try TestClient(shell, ["--title", "one"])
                let two = try TestClient(shell, ["--title", "two"])
                let log = "\(shell.room)/taskbar.log", commands = "\(shell.room)/taskbar.commands"
                mkfifo(commands, 0o600)
                try shell.start(["python3", "\(TestClient.folder)/toplevels.py", "taskbar", commands, log])
                func last(_ title: String) throws -> JSON? {
                    try shell.text(of: log).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        .map { try JSON(parsing: Array($0.utf8)) }.last { $0["title"]?.string == title }
                }
                func expect(_ title: String, _ states: [String], _ what: String) throws {
                    try shell.wait("\(title) \(states) \(what)", within: 20) {
                        let told = try last(title)
                        return told?["e"]?.string == "done" && told?["on"] == .bool(true) && told?["states"] == .array(states.map(JSON.string))
                    }
                }
                func tell(_ line: String) throws {
                    let fd = open(commands, O_WRONLY)
                    defer { close(fd) }
                    let bytes = Array("\(line)\n".utf8)
                    #expect(write(fd, bytes, bytes.count) == bytes.count)
                }
                try expect("two", ["activated", "maximized"], "at first")
                try expect("one", ["maximized", "minimized"], "behind it")
                try tell("activate one")
                try expect("one", ["activated", "maximized"], "brought forward")
                try expect("two", ["maximized", "minimized"], "behind it")
                try shell.settle()
                try shell.expectPlaces([one.id: .full])
                #expect(try one.report.active)
                // At home nothing is seen.
                try shell.perform(.home)
                try expect("one", ["maximized", "minimized"], "at home")
                try shell.perform(.splitView(window: two.id, side: .left))
                try expect("two", ["activated", "maximized"], "beside the other")
                try expect("one", ["maximized"], "beside it")
                try tell("close one")
                try shell.waitUntilGone(one.id)
                try shell.wait("its end") { try last("one")?["e"]?.string == "closed" }
            }
        }
    }
}
