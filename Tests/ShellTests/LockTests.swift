import Chrome
import Control
import Foundation
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// ext-session-lock-v1.
    @Suite(.serialized) struct LockTests {
        private static let blue = Picture.Pixel(0x336699), black = Picture.Pixel(0x000000)

        @Test func lockHidesEverythingAndUnlockBringsItBack() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                let side = try TestClient(shell, to: .slideOver)
                try shell.perform(.appSwitcher)
                try shell.perform(.appSwitcher)
                let before = try shell.state().atRest
                let picture = try shell.picture()
                #expect(try !shell.state().locked)
                let locker = try Locker(shell)
                // Nothing else is visible from the moment that the locker is told, whatever it has painted.
                let first = try shell.picture()
                #expect(first.singleColour(tolerance: 0) == Self.blue || first.singleColour(tolerance: 0) == Self.black)
                #expect(try shell.state().locked)
                try shell.wait("the locker's picture") { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                #expect(try shell.views().isEmpty, "nothing of the shell can be operated")
                // A window that changes behind the lock stays hidden.
                try app.tell("title behind")
                _ = try app.mark()
                #expect(try shell.picture().singleColour(tolerance: 0) == Self.blue)
                try locker.unlock()
                try shell.wait("the new title") { try app.report.title == "behind" }
                try app.tell("title \(before[app.id]?.title ?? "")")
                try shell.wait("the title") { try app.report.title == before[app.id]?.title }
                #expect(try shell.state().atRest == before)
                #expect(try shell.picture().pixelsDifferent(from: picture, rim: 0) == 0)
                _ = side
            }
        }

        @Test func lockGetsAllInput() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                let locker = try Locker(shell)
                try shell.wait("the locker's picture") { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                try locker.waitFor("wl_keyboard.enter")
                let mark = try app.mark()
                let state = try shell.state().atRest
                // Taps, the shell's gestures and keys, the wheel, and the pointer.
                try shell.tap(Point(300, 300))
                try shell.drag(Point(590, 818), Point(590, 200))
                try shell.drag(ShellUnderTest.grip, ShellUnderTest.toSlideOver)
                try shell.drag(Point(590, 1), Point(590, 400))
                for keys in ["Super+Down", "Super+d", "Super+a", "Super+c", "Super+w"] { try shell.press(keys) }
                try shell.client.input(.type(text: "secret"))
                try shell.click(Point(500, 500))
                try locker.sync()
                _ = try app.mark()
                #expect(try shell.state().atRest == state, "the shell did nothing")
                let heard = try app.events(since: mark).map(\.name).filter {
                    ["wl_touch", "wl_pointer", "wl_keyboard"].contains(String($0.prefix { $0 != "." }))
                }
                #expect(heard.isEmpty, "the app heard \(heard)")
                #expect(try locker.events("wl_touch.down").count == 4 && locker.events("wl_touch.up").count == 4)
                #expect(try locker.events("wl_keyboard.key").count >= 2 * (6 + 10))
                #expect(try locker.events("wl_pointer.button").count == 2)
                try locker.unlock()
                try app.waitFor("wl_keyboard.enter", since: mark)
                try shell.tap(Point(300, 300))
                try app.waitFor("wl_touch.down", since: mark)
            }
        }

        /// A pressed finger, a gesture in progress and a menu end when the session is locked.
        @Test func lockEndsWhatFingersDo() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell, ["--popup-on-press"])
                try shell.tap(Point(600, 500))
                try app.waitFor("xdg_popup.configure")
                try shell.down(Point(590, 10))
                for step in 1...5 { try shell.move(Point(590 + 60 * Double(step), 10 + 70 * Double(step))) }
                let locker = try Locker(shell)
                try app.waitFor("xdg_popup.popup_done")
                try shell.move(Point(300, 300))
                try shell.lift()
                try locker.unlock()
                try shell.expectPlaces([app.id: .full])
                let mark = try app.mark()
                try shell.tap(Point(300, 300))
                try app.waitFor("wl_touch.up", since: mark)
            }
        }

        /// The shell's own message on its plain colour: no locker holds the session.
        private func waitForNotice(_ shell: ShellUnderTest) throws {
            try shell.wait("the shell's own message") {
                let picture = try shell.picture()
                return picture[10, 10] == Self.black && picture.singleColour(tolerance: 0) == nil
            }
            #expect(try shell.find("lock/message") != nil)
        }

        @Test func aDeadLockerLeavesTheScreenLocked() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                let first = try Locker(shell)
                try shell.wait("the locker's picture") { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                kill(first.process, SIGKILL)
                try waitForNotice(shell)
                #expect(try shell.state().locked)
                let mark = try app.mark()
                try shell.tap(Point(300, 300))
                try shell.press("Super+d")
                _ = try app.mark()
                #expect(try app.events(since: mark, "wl_touch.down", "wl_keyboard.key").isEmpty)
                #expect(throws: (any Error).self, "nothing is done in a locked screen") { try shell.client.perform(.home) }
                #expect(throws: (any Error).self, "nor shown") { _ = try shell.picture(of: app.id) }
                // Another locker takes over.
                let second = try Locker(shell, colour: "aa2211")
                try shell.wait("the second one's picture") { try shell.picture().singleColour(tolerance: 0) == Picture.Pixel(0xaa2211) }
                #expect(try shell.script("locker.py", "second").ended == true, "a third one is finished at once")
                #expect(try shell.picture().singleColour(tolerance: 0) == Picture.Pixel(0xaa2211))
                try second.tell("hide")
                try shell.wait("the plain colour") { try shell.picture().singleColour(tolerance: 0) == Self.black }
                try second.unlock()
                try shell.expectShown(app.id)
            }
        }

        /// The locker follows the screen, which a program at a sensor can rotate while it is locked.
        @Test func lockFollowsTheScreen() throws {
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let locker = try Locker(shell)
                try shell.wait("the locker's picture") { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                #expect(throws: ControlError(WhileLocked.refusal)) { try shell.client.perform(.rotate(1)) }
                #expect(try shell.run(["wlr-randr", "--output", "HEADLESS-1", "--transform", "90"]).status == 0)
                try locker.waitFor("ext_session_lock_surface_v1.configure", count: 2)
                let last = try #require(try locker.events("ext_session_lock_surface_v1.configure").last?["a"])
                #expect(last[1] == .integer(820) && last[2] == .integer(1180))
                try shell.wait("the whole screen in its colour") { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                try locker.unlock()
            }
        }

        /// Not through the control socket, taskbars or the clipboard.
        @Test func lockTellsAndDoesNothing() throws {
            try ShellUnderTest.require("wl-paste", of: "wl-clipboard")
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                try app.tell("title my-diary")
                try shell.wait("the title") { try app.report.title == "my-diary" }
                let copied = try shell.run(["wl-copy", "my password"]), primary = try shell.run(["wl-copy", "--primary", "my secret"])
                try #require(copied.status == 0 && primary.status == 0)
                let log = "\(shell.room)/taskbar.log", commands = "\(shell.room)/taskbar.commands"
                mkfifo(commands, 0o600)
                try shell.start(["python3", "\(TestClient.folder)/toplevels.py", "taskbar", commands, log])
                try shell.wait("the taskbar", within: 20) { shell.text(of: log).contains("my-diary") }
                let follower = try ControlClient(path: shell.controlPath)
                try follower.ask(.follow([.events, .state]))
                let before = try shell.state().atRest

                let locker = try Locker(shell)
                let window = try #require(try shell.state()[app.id])
                #expect(window.title == "" && window.appID == "" && window.app == "")
                #expect(try shell.client.ask(.get(.windows), for: [WindowReport].self).allSatisfy { $0.title == "" })
                #expect(
                    try shell.state().locked && shell.state().windows.count == before.windows.count, "that it is there, a script may know")
                #expect(throws: (any Error).self) { try shell.waitForWindow(title: "my-diary", timeout: 20) }
                #expect(try shell.script("toplevels.py", "list").steps?["windows"] == .array([]), "there are no windows for lists")
                #expect(throws: Never.self) { try shell.wait("the taskbar's windows to go") { shell.text(of: log).contains("\"closed\"") } }
                let (_, listing) = try shell.run(["sh", "-c", "echo 'close my-diary' >'\(commands)'"])
                try #require(listing == "")
                for options in [[], ["--primary"]] as [[String]] {
                    let pasted = try shell.run(["wl-paste", "--no-newline"] + options).output
                    #expect(!pasted.contains("my "), "\(pasted)")
                }
                for request: ControlRequest in [
                    .act(.close(window: app.id)), .get(.configureLog(window: app.id)), .screenshot(ScreenshotRequest(window: app.id)),
                    .act(.quit), .quit,
                ] {
                    #expect(throws: ControlError("the screen is locked"), "\(request)") { try shell.client.ask(request) }
                }
                try app.tell("title other-diary")
                _ = try app.mark()
                try locker.sync()
                var followed: [String] = []
                while let event = try follower.event(within: 0.5) { followed.append("\(event)") }
                #expect(followed.contains { $0.contains("locked") } && !followed.contains { $0.contains("other-diary") }, "\(followed)")
                shell.expectAlive()

                try locker.unlock()
                try shell.wait("the title") { try app.report.title == "other-diary" }
                #expect(try shell.state().windows.map(\.id) == before.windows.map(\.id), "nobody closed it")
                try shell.wait("the taskbar's windows to come again") {
                    shell.text(of: log).split(separator: "\n").last { $0.contains("\"done\"") }?.contains("other-diary") ?? false
                }
                #expect(try shell.run(["wl-paste", "--no-newline"]).output == "my password")
                #expect(try shell.run(["wl-paste", "--no-newline", "--primary"]).output == "my secret")
            }
        }

        @Test func lockAbuse() throws {
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                let expected = [
                    "unlock-before-locked": "ext_session_lock_v1 1", "destroy-while-locked": "ext_session_lock_v1 0",
                    "two-surfaces-on-an-output": "ext_session_lock_v1 3", "surface-with-a-role": "ext_session_lock_v1 2",
                    "surface-with-a-buffer": "ext_session_lock_v1 4", "commit-before-answer": "ext_session_lock_surface_v1 0",
                    "commit-without-buffer": "ext_session_lock_surface_v1 1", "wrong-size": "ext_session_lock_surface_v1 2",
                    "wrong-serial": "ext_session_lock_surface_v1 3", "answered-twice": "ext_session_lock_surface_v1 3",
                ]
                #expect(Set(try #require(try shell.script("locker.py", "abuse", "--list").ways)) == Set(expected.keys))
                for (way, code) in expected {
                    #expect(try shell.script("locker.py", "abuse", way).code == code, "\(way)")
                    #expect(try !shell.state().locked, "\(way)")
                }
                _ = try shell.script("locker.py", "lifetimes")
                #expect(try !shell.state().locked)
                try shell.settle()
                try shell.expectShown(app.id)
            }
        }

        /// The real swaylock, as far as possible without a password.
        @Test func swaylockLocks() throws {
            try ShellUnderTest.require("swaylock", of: "swaylock")
            try ShellUnderTest.with(config: ShellUnderTest.otherLocker) { shell in
                let app = try TestClient(shell)
                let process = try shell.start(["swaylock", "--color", "336699"]).process
                try shell.wait("the lock", within: 20) { try shell.state().locked }
                try shell.wait("its picture", within: 20) { try shell.picture().singleColour(tolerance: 0) == Self.blue }
                try shell.client.input(.type(text: "x"))
                // It shows that a key was pressed.
                try shell.wait("its ring", within: 10) { try shell.picture().singleColour(tolerance: 12) == nil }
                kill(process, SIGKILL)
                try waitForNotice(shell)
                let locker = try Locker(shell)
                try locker.unlock()
                try shell.expectShown(app.id)
            }
        }
    }
}
