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

        private static let apps: [App] = [
            App(program: "foot", package: "foot", keys: "ctrl+d"),
            App(program: "gtk4-demo", package: "gtk-4-examples"),
            App(program: "gtk3-demo", package: "gtk-3-examples"),
            App(program: "featherpad", package: "featherpad", arguments: ["--standalone"], keys: "ctrl+q"),
            App(
                program: "mpv", package: "mpv",
                arguments: ["--no-config", "--vo=wlshm", "--ao=null", "--loop", "av://lavfi:testsrc=size=640x360:rate=30"], keys: "q"),
            App(program: "firefox-esr", package: "firefox-esr", arguments: ["--no-remote", "--profile", "{room}/home/profile", "about:blank"], keys: "ctrl+q"),
        ] + (ShellUnderTest.has("chromium") ? [
            App(
                program: "chromium", package: "chromium",
                arguments: ["--no-sandbox", "--no-first-run", "--disable-gpu", "--ozone-platform=wayland", "--user-data-dir={room}/home/chromium", "about:blank"],
                keys: "ctrl+w"),
        ] : [])

        private func open(_ app: App, _ shell: ShellUnderTest) throws -> WindowReport {
            mkdir("\(shell.room)/home/profile", 0o700)
            try shell.write("""
                user_pref("browser.aboutwelcome.enabled", false);
                user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
                user_pref("browser.shell.checkDefaultBrowser", false);
                user_pref("browser.startup.homepage_override.mstone", "ignore");
                user_pref("browser.warnOnQuitShortcut", false);
                """, to: "\(shell.room)/home/profile/user.js")
            let arguments = app.arguments.map { $0.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: shell.room) }
            let window = try shell.open(app.program, of: app.package, arguments, timeout: 60_000)
            // What it does at its start comes to rest.
            usleep(1_500_000)
            return window
        }

        @Test("an app of each toolkit that was frozen while the screen turned shows a new frame within a second, and answers", arguments: apps)
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
                try shell.wait("the end of \(app.program)", within: 10) { try !shell.state().windows.contains { $0.id == window.id && $0.placeholder == nil } }
                shell.expectAlive()
            }
        }

        @Test("an app of each toolkit can be killed while it is frozen", arguments: apps)
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

        /// Configures that came since the client was frozen.
        private func expectOneConfigure(_ client: TestClient, _ shell: ShellUnderTest, since count: Int) throws {
            #expect(try client.events().count == count, "a frozen client reads nothing")
            try shell.perform(.focus(window: client.id))
            _ = try client.mark()
            #expect(try client.events(since: count, "xdg_toplevel.configure").count == 1)
            #expect(try client.events(since: count, "wl_display.error").isEmpty)
        }

        private func freeze(_ client: TestClient, _ shell: ShellUnderTest) throws -> Int {
            try shell.perform(.home)
            try shell.waitForPhase(.frozen, of: try client.report)
            return try client.events().count
        }

        @Test("a client with a popup that has a grab at the moment of freezing lives, and is configured once")
        func grabbed_S08() throws {
            try ShellUnderTest.with(config: quick) { shell in
                let client = try TestClient(shell, ["--popup-on-press"])
                try shell.tap(Point(500, 400))
                try client.waitFor("xdg_popup.configure")
                let count = try freeze(client, shell)
                for step in 0..<200 { try shell.client.input(.tap(at: Point(300 + Double(step), 700))) }
                try expectOneConfigure(client, shell, since: count)
                try shell.tap(Point(600, 400))
                try client.waitFor("wl_touch.down", since: count)
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
                let count = try freeze(client, shell)
                // Nobody but the shell has the pointer now: it moves and opens another app's window.
                let other = try TestClient(shell)
                for step in 0..<200 { try shell.client.input(.pointerMotion(at: Point(300 + Double(step), 300))) }
                try other.waitFor("wl_pointer.motion")
                #expect(try client.events().count == count)
                try shell.perform(.focus(window: client.id))
                _ = try client.mark()
                #expect(try client.events(since: count, "xdg_toplevel.configure").count == 1)
                shell.expectAlive()
            }
        }
    }
}
