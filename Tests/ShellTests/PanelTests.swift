import Control
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Panels with keyboard focus (layer-shell), and window information for taskbars
    /// (wlr-foreign-toplevel-management).
    @Suite(.serialized) struct PanelTests {
        private let fast = "launch = []\nanimation-speed = 4\n"

        private func start(_ shell: ShellUnderTest, _ keys: String) throws -> (process: Int32, lines: () -> [String]) {
            let panel = try shell.start(["python3", "\(TestClient.folder)/panel.py", "top", "40", "884422", keys])
            try shell.wait("the panel", within: 20) { try shell.state().screen?.usable.minY == 40 }
            try shell.settle()
            // What it hears of keys, fingers and buttons. When its configures come is no matter here.
            let heard = { shell.text(of: panel.output).split(separator: "\n").map(String.init) }
            return (panel.process, { heard().filter { !$0.hasPrefix("size ") } })
        }

        /// The user opened it to type into it: it has the keyboard from when it appears until something else is
        /// pressed.
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
                // The app gets the keys back when it is pressed, and so does the panel.
                try shell.tap(Point(600, 500))
                try app.waitFor("wl_keyboard.enter", since: mark)
                try shell.press("b")
                try app.waitFor("wl_keyboard.key", since: mark)
                #expect(panel.lines().contains("no keys") && !panel.lines().contains("key 48"))
                try shell.tap(Point(600, 20))
                try shell.wait("the keys at the panel again") { panel.lines().filter { $0 == "keys" }.count == 2 }
                // It dies while it has them.
                let later = try app.mark()
                shell.signal(panel.process, SIGKILL)
                try app.waitFor("wl_keyboard.enter", since: later)
                try shell.press("c")
                try app.waitFor("wl_keyboard.key", since: later)
            }
        }

        /// A panel without keyboard interactivity gets no keys; an exclusive one has them whatever is pressed.
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

        /// A finger is its owner's until it is lifted, and the pointer that drags the divider stays the shell's over a panel (law 8).
        @Test func fingersAndThePointerAtAPanelsEdge() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let app = try TestClient(shell), other = try TestClient(shell, to: .splitView(.right))
                let panel = try start(shell, "none")
                let mark = try app.mark()
                // From the panel across a window.
                try shell.down(Point(300, 20))
                try shell.wait("the finger") { panel.lines() == ["down"] }
                for y in [100.0, 300, 500] { try shell.move(Point(300, y)) }
                try shell.lift()
                try shell.wait("its end") { panel.lines() == ["down", "up"] }
                _ = try app.mark()
                #expect(try app.events(since: mark, "wl_touch.down").isEmpty)
                // From a window onto the panel.
                try shell.down(Point(300, 500))
                for y in [300.0, 100, 20] { try shell.move(Point(300, y)) }
                try shell.lift()
                try app.waitFor("wl_touch.up", since: mark)
                #expect(try !app.events(since: mark, "wl_touch.motion").isEmpty && panel.lines() == ["down", "up"])
                // The pointer drags the divider, and ends over the panel.
                try shell.drag(Point(590, 400), Point(420, 20), via: [Point(500, 380)], pointer: true)
                let fraction = try #require(try shell.state().divider?.fraction)
                #expect(fraction < 0.45 && panel.lines() == ["down", "up"], "\(fraction)")
                // Its button is the panel's, until it is released over a window.
                let later = try app.mark()
                try shell.drag(Point(300, 20), Point(300, 500), pointer: true)
                try shell.wait("the button") { panel.lines() == ["down", "up", "button"] }
                _ = try app.mark()
                #expect(try app.events(since: later, "wl_pointer.button").isEmpty)
                try shell.click(Point(200, 500))
                try app.waitFor("wl_pointer.button", since: later)
                _ = other
            }
        }

        /// Text typed into a launcher over the home screen does not reach the home screen's search.
        @Test(arguments: ["on-demand", "exclusive"]) func aLauncherOverTheHomeScreen(keys: String) throws {
            try ShellUnderTest.with(config: fast) { shell in
                try shell.wait("the home screen") { try shell.state().home }
                let panel = try start(shell, keys)
                try shell.wait("the keys at the launcher") { panel.lines().last == "keys" }
                try shell.press("a")
                try shell.wait("a key at the launcher") { panel.lines().last == "key 30" }
                #expect(try shell.state().open == [])
                shell.signal(panel.process, SIGKILL)
                try shell.wait("its room back") { try shell.state().screen?.usable.minY == 0 }
                try shell.press("b")
                try shell.wait("the search") { try shell.state().search == "b" }
            }
        }

        /// Whatever panels request, alone or together, apps keep a quarter of the screen.
        @Test func panelsThatWantEverything() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let app = try TestClient(shell), panels = try TestClient(shell, to: .splitView(.right))
                try panels.run(
                    "def show(l, s, n, w, h): l in panels and (l.ack_configure(n), "
                        + "s.attach(panels[0].buffer(min(w, 90), min(h, 90), 9, 9), 0, 0), s.commit())")
                try panels.run("panels = [app.painter]; shell = bind('zwlr_layer_shell_v1')")
                try panels.run(
                    "def make(w, h, a, *m): s = bind('wl_compositor').create_surface(); l = shell.get_layer_surface(s, None, 2, ''); "
                        + "l.set_size(w, h); l.set_anchor(a); l.set_exclusive_zone(m[0]); l.set_margin(*m[1:]); "
                        + "l.on('configure', lambda *c: show(l, s, *c)); panels.append(l); panels.append(s); s.commit()")
                func expect(_ reserved: Insets, _ what: String) throws {
                    _ = try panels.mark()
                    try shell.wait("\(what): \(reserved)") { try shell.state().screen?.reserved == reserved }
                    try shell.settle()
                    let frame = try #require(try app.report.frame)
                    #expect(ShellUnderTest.whole.contains(frame.origin) && frame.width > 100 && frame.height > 200, "\(what): \(frame)")
                    try panels.run("[p.destroy() for p in panels[1:]]; del panels[1:]; app.connection.roundtrip()")
                    _ = try panels.mark()
                    try shell.wait("all of it back") { try shell.state().screen?.reserved == .zero }
                }
                let most = Int(Int32.max), least = Int(Int32.min)
                try panels.run("make(0, 30, 13, \(most), \(most), 0, 0, 0)")
                try expect(Insets(615, 0, 0, 0), "one of all there is")
                try panels.run("[make(0, 40, 13, 40, 0, 0, 0, 0) for _ in range(60)]")
                try expect(Insets(615, 0, 0, 0), "sixty")
                try panels.run("make(30, 0, 7, 600, 0, 0, 0, 0); make(30, 0, 11, 600, 0, 0, 0, 0); make(0, 30, 14, 70, 0, 0, 0, 0)")
                try expect(Insets(0, 285, 70, 600), "left, right, and some below")
                try panels.run("make(0, 30, 14, 100, 0, 0, \(least), 0); make(\(most), \(most), 1, 0, 0, 0, 0, 0)")
                try panels.run("make(0, 0, 15, 0, \(most), \(least), \(most), \(least)); make(0, 0, 15, 0, *[\(least)] * 4)")
                try expect(.zero, "numbers that are too big")
            }
        }

        /// A hidden window is still listed, as minimized. Its entry brings it back.
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
                        return told?["e"]?.string == "done" && told?["on"] == .bool(true)
                            && told?["states"] == .array(states.map(JSON.string))
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
                // On the home screen nothing is visible.
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
