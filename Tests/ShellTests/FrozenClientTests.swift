import Control
import Foundation
import Geometry
import Glibc
import Lifecycle
import MullionTesting
import Multitasking
import Processes
import Testing
import Windows

extension RunningShell {
    /// What frozen clients live through, and how those of each toolkit come back (S-03, S-08, S-09).
    @Suite(.serialized) struct FrozenClientTests {
        private let quick = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"

        private func work(of app: LifeReport.App) -> UInt64 {
            ([app.process] + ProcessTree.descendants(of: app.process)).reduce(0) { $0 + (ProcessTree.record(of: $1)?.work ?? 0) }
        }

        // MARK: Toolkits

        struct App: CustomTestStringConvertible, Sendable {
            var program: String, package: String
            var arguments: [String] = []
            /// Which end the app; nil: the shell asks it to close its window.
            var keys: String?
            /// Its window fills what it is given.
            var fills = true

            var testDescription: String { program }
        }

        private static let apps: [App] =
            [
                App(program: "foot", package: "foot", keys: "ctrl+d"),
                App(program: "gtk4-demo", package: "gtk-4-examples"),
                App(program: "gtk3-demo", package: "gtk-3-examples"),
                App(program: "featherpad", package: "featherpad", arguments: ["--standalone"], keys: "ctrl+q"),
                App(
                    program: "mpv", package: "mpv",
                    arguments: ["--no-config", "--vo=wlshm", "--ao=null", "--loop", "av://lavfi:testsrc=size=640x360:rate=30"], keys: "q"),
                App(
                    program: "firefox-esr", package: "firefox-esr",
                    arguments: ["--no-remote", "--profile", "{room}/home/profile", "about:blank"], keys: "ctrl+q"),
            ]
            + (ShellUnderTest.has("chromium")
                ? [
                    App(
                        program: "chromium", package: "chromium",
                        arguments: [
                            "--no-sandbox", "--no-first-run", "--disable-gpu", "--ozone-platform=wayland",
                            "--user-data-dir={room}/home/chromium", "about:blank",
                        ],
                        keys: "ctrl+w")
                ] : [])

        private func open(_ app: App, _ shell: ShellUnderTest) throws -> WindowReport {
            mkdir("\(shell.room)/home/profile", 0o700)
            try shell.write(
                """
                user_pref("browser.aboutwelcome.enabled", false);
                user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
                user_pref("browser.shell.checkDefaultBrowser", false);
                user_pref("browser.startup.homepage_override.mstone", "ignore");
                user_pref("browser.warnOnQuitShortcut", false);
                """, to: "\(shell.room)/home/profile/user.js")
            let arguments = app.arguments.map {
                $0.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: shell.room)
            }
            let window = try shell.open(app.program, of: app.package, arguments, timeout: 60_000)
            // What it does at its start comes to rest.
            usleep(1_500_000)
            return window
        }

        @Test(
            "an app of each toolkit that was frozen while the screen turned shows a new frame within a second, and answers", arguments: apps
        )
        func toolkits_S03_S08_S09(_ app: App) throws {
            try ShellUnderTest.with(config: quick) { shell in
                let window = try open(app, shell)
                let running = try shell.app(of: window)
                try shell.perform(.home)
                // Whoever plays is kept by its sound; without a sound server nobody is.
                try shell.waitForPhase(.frozen, of: window, within: 15)
                let before = work(of: running)
                usleep(600_000)
                #expect(work(of: running) == before, "\(app.program) used the processor")
                try shell.client.perform(.rotate(1))
                try shell.client.perform(.resizeScreen(scale: 2))
                usleep(200_000)
                #expect(try shell.phase(of: window) == .frozen)
                let old = try shell.window(window.id).size
                let begin = Date()
                try shell.client.perform(.focus(window: window.id))
                try shell.wait("a frame of the new size") { try shell.window(window.id).size != old }
                #expect(Date().timeIntervalSince(begin) < ShellUnderTest.patience)
                try shell.settle()
                let size = try shell.window(window.id).size
                // One may want to be as wide as the screen is now.
                #expect(size.height >= size.width)
                try shell.keepPicture("thawed-\(app.program)")
                if let keys = app.keys {
                    try shell.press(keys)
                } else {
                    try shell.client.perform(.close(window: window.id))
                }
                try shell.wait("the end of \(app.program)", within: 10) {
                    try !shell.state().windows.contains { $0.id == window.id && $0.placeholder == nil }
                }
                shell.expectAlive()
            }
        }

        /// An app of one process and one of many; `make test-slow` has all.
        @Test(
            "an app of each toolkit can be killed while it is frozen",
            arguments: apps.filter { TestSeed.isSlow || ["foot", "firefox-esr"].contains($0.program) })
        func killed(_ app: App) throws {
            try ShellUnderTest.with(config: quick) { shell in
                let window = try open(app, shell)
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: window, within: 15)
                let process = try shell.app(of: window).process
                #expect(AppIdentity.isFrozen(process: process))
                kill(process, SIGKILL)
                try shell.wait("the end of \(app.program)", within: 10) {
                    try !shell.client.ask(.get(.life), for: LifeReport.self).apps.contains { $0.process == process }
                }
                // The next one has nothing of it.
                let other = try shell.open("foot", of: "foot")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: other)
                shell.expectAlive()
            }
        }

        // MARK: What happens meanwhile

        /// Ten thousand events of input, which reach the app in front; in between the screen turns, and scale, keymap and clipboard change.
        private func disturb(_ shell: ShellUnderTest, by other: TestClient) throws {
            try other.run("import exchange")
            try other.run("keymaps, clipboard = exchange.Keymaps(app), exchange.Clipboard(app)")
            try other.run("keymaps.change(200); clipboard.change(100)")
            var requests: [ControlRequest] = []
            for round in 0..<1000 {
                if round.isMultiple(of: 40) {
                    requests += [.act(.rotate(round / 40 % 4)), .act(.resizeScreen(scale: round.isMultiple(of: 80) ? 2 : 1))]
                }
                // On the screen however it stands.
                let x = 150 + Double(round % 200), y = 150 + Double(round % 70)
                requests.append(.input(.touchDown(at: Point(x, y))))
                for step in 1...4 { requests.append(.input(.touchMotion(at: Point(x + Double(step), y)))) }
                requests.append(.input(.touchUp()))
                for step in 1...2 { requests.append(.input(.pointerMotion(at: Point(x, y + Double(step))))) }
                for isPressed in [true, false] { requests.append(.input(.key(key: .init("a")!, pressed: isPressed))) }
            }
            requests += [.act(.rotate(0)), .act(.resizeScreen(scale: 1))]
            try shell.ask(all: requests)
            try shell.settle()
            // Its log is too long to be decoded again and again.
            try other.tell("sync done")
            try shell.wait("the app in front", within: 20) { shell.text(of: other.log).contains("\"synced\", \"a\": [\"done\"]") }
            let log = shell.text(of: other.log)
            #expect(log.matches(of: /"o": "wl_(touch|pointer|keyboard)#/).count > 10_000, "input reaches the app in front")
            #expect(log.matches(of: /"e": "keymap"/).count >= 200)
            #expect(log.matches(of: /"o": "wl_output#\d+", "e": "scale"/).count > 10)
            #expect(log.matches(of: /"o": "zwlr_data_control_device_v1#\d+", "e": "selection"/).count >= 100)
        }

        /// Its log of events that only the app in front gets, and of errors. The log is too long to be decoded.
        private func input(of client: TestClient, _ shell: ShellUnderTest, since mark: Int) throws -> [Substring] {
            let wanted = #"^[^o]*"o": "wl_((touch|pointer|keyboard|data_device)#|display#1", "e": "error")"#
            let found = try shell.run([
                "sh", "-c", "tail -n +\(mark + 1) '\(client.log)' | grep -E '\(wanted)' | grep -vE '\"e\": \"(keymap|repeat_info)\"'",
            ])
            return found.output.split(separator: "\n")
        }

        /// A frozen client may have run for a moment to read what each program is told, of screens and keymaps.
        private func expectAnswer(_ client: TestClient, _ shell: ShellUnderTest, since count: Int) throws {
            let mark = client.lines().count
            let early = try input(of: client, shell, since: count)
            #expect(early.isEmpty, "it hears of input while it is frozen: \(early)")
            try shell.perform(.focus(window: client.id))
            _ = try client.mark()
            #expect(try client.events(since: mark, "xdg_toplevel.configure").count == 1)
            let late = try input(of: client, shell, since: mark).filter {
                $0.contains("wl_touch#") || $0.contains("\"key\"") || $0.contains("wl_display#")
            }
            #expect(late.isEmpty, "it hears of input to others: \(late)")
            #expect(try shell.phase(of: client.report) == .active)
        }

        private func freeze(_ client: TestClient, _ shell: ShellUnderTest) throws -> Int {
            try shell.waitForPhase(.frozen, of: try client.report)
            return client.lines().count
        }

        @Test(
            "frozen clients live through ten thousand events of input, and changes of screen, keymap and clipboard: with a selection, a popup, a grab"
        )
        func disturbed_S08() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let terminal = try shell.open("foot", of: "foot")
                let holder = try TestClient(shell, ["--title", "holder"])
                try holder.run("import exchange")
                try shell.press("a")
                try holder.run("held = exchange.Selection(app)")
                try holder.run("watched = exchange.Clipboard(app)")
                try holder.waitFor("zwlr_data_control_device_v1.selection") { $0.a != .array([.null]) }
                let popup = try TestClient(shell, ["--title", "popup"])
                try popup.tell("popup")
                try popup.waitFor("xdg_popup.configure")
                let grab = try TestClient(shell, ["--title", "grab", "--popup-on-press"])
                try shell.tap(Point(500, 400))
                try grab.waitFor("xdg_popup.configure")
                try shell.perform(.home)
                try shell.waitForPhase(.frozen, of: terminal)
                let clients = [holder, popup, grab]
                let counts = try clients.map { try freeze($0, shell) }
                try disturb(shell, by: try TestClient(shell, ["--title", "other"]))
                for client in clients { try shell.waitForPhase(.frozen, of: try client.report) }
                try shell.waitForPhase(.frozen, of: terminal)
                for (client, count) in zip(clients, counts) { try expectAnswer(client, shell, since: count) }
                #expect(try shell.run(["grep", "-c", "\"e\": \"cancelled\"", holder.log]).output == "1\n")
                let mark = try popup.mark()
                try shell.perform(.focus(window: popup.id))
                try shell.tap(Point(600, 400))
                try popup.waitFor("wl_touch.down", since: mark)
                try shell.perform(.focus(window: terminal.id))
                try shell.wait("its answer") { try shell.window(terminal.id).size.width > 1000 }
                try shell.client.input(.type(text: "exit\n"))
                try shell.waitUntilGone(terminal.id)
                shell.expectAlive()
            }
        }

        @Test("S-08: a frozen client that is told more than its connection holds reads it in between, and lives")
        func told() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let client = try TestClient(shell)
                try shell.perform(.home)
                let count = try freeze(client, shell)
                let other = try TestClient(shell)
                try other.run("import exchange")
                // About 2750 keymaps break a connection that nobody reads.
                try other.run("exchange.Keymaps(app).change(3500)")
                _ = try other.mark()
                try shell.waitForPhase(.frozen, of: try client.report)
                try expectAnswer(client, shell, since: count)
            }
        }

        @Test("a client that holds the pointer at the moment of freezing lives, the pointer is free, and it is configured once")
        func locked_S08() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let client = try TestClient(shell)
                try shell.client.input(.pointerMotion(at: Point(400, 400)))
                try client.run("c = bind('zwp_pointer_constraints_v1')")
                try client.run("lock = c.lock_pointer(surface, pointer, None, 2)")
                try client.run("surface.commit()")
                try client.waitFor("zwp_locked_pointer_v1.locked")
                try shell.perform(.home)
                let count = try freeze(client, shell)
                // Nobody but the shell has the pointer now: it moves and opens another app's window.
                let other = try TestClient(shell)
                try shell.ask(all: (0..<200).map { .input(.pointerMotion(at: Point(300 + Double($0), 300))) })
                try other.waitFor("wl_pointer.motion")
                try expectAnswer(client, shell, since: count)
                shell.expectAlive()
            }
        }
    }
}
