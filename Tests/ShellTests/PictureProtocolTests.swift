import Control
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// xx-pip, the draft for windows with the Picture in Picture role (W-06), where the configuration allows it.
    @Suite(.serialized) struct PictureProtocolTests {
        private static let on = "launch = []\nanimation-speed = 4\n[privileges]\npicture-in-picture = \"everyone\"\n"

        /// An app whose picture came out of its window, in the way that users expect.
        private func begin(_ shell: ShellUnderTest, _ size: String = "320 180") throws -> (app: TestClient, picture: WindowID) {
            let app = try TestClient(shell)
            try shell.tap(Point(300, 300))
            try app.waitFor("wl_touch.up")
            try app.tell("pip \(size)")
            try shell.wait("the picture") { try shell.state().pictureInPicture != nil }
            try shell.settle()
            return (app, try #require(try shell.state().pictureInPicture?.window))
        }

        @Test func xxPipIsSeenOnlyWhereItIsSwitchedOn() throws {
            try ShellUnderTest.with { shell in
                func seen() throws -> Bool { try #require(try shell.script("sandbox.py", "globals").globals)["xx_pip_shell_v1"] != nil }
                #expect(try !seen())
                try shell.write("[privileges]\npicture-in-picture = \"trusted\"\n", to: shell.configPath)
                try shell.waitForLog("the configuration changed")
                #expect(try seen())
            }
        }

        @Test func xxPipIsPictureInPicture() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (app, picture) = try begin(shell)
                try shell.expectPlaces([app.id: .full, picture: .pictureInPicture])
                let report = try shell.window(picture)
                #expect(report.appID == "test.window" && report.pid == app.process && !report.active)
                #expect(try app.report.active, "it is watched, not typed into")
                // First as it likes, then a size of its shape, but never more than the screen.
                let sizes = try app.events(since: 0, "xx_pip_v1.configure_size").map(\.a)
                #expect(sizes.first == .array([.integer(0), .integer(0)]))
                #expect(
                    sizes.last == .array([.integer(Int64(clamping: report.size.width)), .integer(Int64(clamping: report.size.height))]))
                #expect(abs(report.size.width / report.size.height - 16.0 / 9) < 0.02)
                let bounds = try app.events(since: 0, "xx_pip_v1.configure_bounds").map(\.a)
                #expect(Set(bounds) == [.array([.integer(1180), .integer(820)])])
                try shell.expectShown(picture)
                // Its configures contain no states (W-10), and are only sent with a new size.
                let mark = try app.mark()
                try shell.perform(.focus(window: picture))
                try shell.perform(.focus(window: app.id))
                _ = try app.mark()
                #expect(try app.events(since: mark, "xx_pip_v1.configure_size").isEmpty)
                try shell.perform(.pipWidth(400))
                #expect(try shell.window(picture).size == Size(400, 225))
                try app.tell("pip-name org.example.Video")
                try shell.wait("its name") { try shell.window(picture).appID == "org.example.Video" }
            }
        }

        /// The pixels of the picture itself, in its corner over the app.
        @Test func xxPipIsDrawn() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (_, picture) = try begin(shell)
                let frame = try #require(try shell.window(picture).picture)
                let screen = try shell.picture()
                #expect(screen[Int(clamping: frame.center.x), Int(clamping: frame.center.y)] == .init(0x115522))
                #expect(screen[Int(clamping: frame.center.x), Int(clamping: frame.minY) - 60] == .init(0x3366cc))
            }
        }

        @Test func xxPipThatNobodyAskedForWaits() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let app = try TestClient(shell)
                // After the two seconds in which an app may answer an action of the user.
                sleep(3)
                try app.tell("pip 320 180")
                try shell.wait("it to wait") { try !shell.state().waiting.isEmpty }
                #expect(try shell.state().pictureInPicture == nil)
                let picture = try shell.state().waiting[0]
                try shell.perform(.pictureInPicture(window: picture))
                try shell.expectPlaces([app.id: .full, picture: .pictureInPicture])
            }
        }

        /// The user closes it: it is told, and disappears at once, whether or not its app answers.
        @Test func xxPipClosed() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (app, picture) = try begin(shell)
                try shell.perform(.close(window: picture))
                try app.waitFor("xx_pip_v1.closed")
                try shell.wait("it to be shown no more") { try shell.state().pictureInPicture == nil }
                #expect(try shell.window(picture).place == .unmapped)
                // Whatever its app does now, it stays away.
                try app.tell("pip-unmap")
                try app.tell("pip-name org.example.Gone")
                _ = try app.mark()
                #expect(try shell.window(picture).place == .unmapped)
                try app.tell("pip-destroy")
                try shell.waitUntilGone(picture)
                // Another one can appear as the first did.
                try shell.tap(Point(300, 300))
                try app.tell("pip 200 200")
                try shell.wait("the next picture") { try shell.state().pictureInPicture != nil }
                try shell.settle()
                #expect(try shell.state().pictureInPicture?.window != picture)
            }
        }

        @Test func xxPipMovedAndResizedByItsApp() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (app, picture) = try begin(shell)
                #expect(try shell.state().pictureInPicture?.corner == .bottomRight)
                try app.tell("pip-on-press move")
                _ = try app.mark()
                var frame = try #require(try shell.window(picture).picture)
                try shell.drag(frame.center, Point(150, 150))
                try app.waitFor("wl_touch.cancel")
                #expect(try shell.state().pictureInPicture?.corner == .topLeft)
                // By its lower right corner, which is the free one here.
                try app.tell("pip-on-press resize 10")
                _ = try app.mark()
                frame = try #require(try shell.window(picture).picture)
                let handle = Point(frame.maxX - 12, frame.maxY - 12)
                try shell.drag(handle, handle + Vector(80, 45))
                let larger = try #require(try shell.window(picture).picture)
                #expect(larger.origin == frame.origin && abs(larger.width - frame.width - 80) < 12, "\(frame) \(larger)")
                #expect(try shell.window(picture).size == larger.size, "it was told, and drew so")
                // Without a press by the user, this has no effect.
                try app.tell("pip-on-press nothing")
                for serial in [0, 1, 4_000_000_000] { try app.tell("pip-serial \(serial)") }
                _ = try app.mark()
                #expect(try shell.window(picture).picture == larger)
            }
        }

        @Test func xxPipUnmappedAndMappedAgain() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (app, picture) = try begin(shell)
                for _ in 0..<3 {
                    try app.tell("pip-unmap")
                    try shell.wait("it to go") { try shell.state().pictureInPicture == nil }
                    try shell.tap(Point(300, 300))
                    try app.tell("pip-map")
                    try shell.wait("it to come") { try shell.state().pictureInPicture?.window == picture }
                    try shell.settle()
                }
                try shell.expectPlaces([app.id: .full, picture: .pictureInPicture])
                try shell.expectShown(picture)
            }
        }

        /// The screen is rotated: the picture gets its new bounds at once. The user makes a window of it.
        @Test func xxPipFollowsTheScreenAndThePerson() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let (app, picture) = try begin(shell)
                try shell.perform(.rotate(1))
                try app.waitFor("xx_pip_v1.configure_bounds") { $0.a == .array([.integer(820), .integer(1180)]) }
                try shell.perform(.splitView(window: picture, side: .left))
                try shell.perform(.fullScreen(window: picture))
                try shell.perform(.rotate(0))
                try shell.expectPlaces([picture: .full])
                #expect(try shell.window(picture).size == ShellUnderTest.whole.size)
                try shell.expectShown(picture)
                app.signal(SIGKILL)
                try shell.waitUntilGone(picture)
                shell.expectAlive()
            }
        }

        @Test func xxPipAbuse() throws {
            try ShellUnderTest.with(config: Self.on) { shell in
                let before = try shell.statistics()
                let is18 = try shell.client.ask(.get(.version), for: VersionReport.self).wlroots.hasPrefix("0.18")
                let expected: [String: String?] = [
                    "two-pips": "xx_pip_shell_v1 0", "pip-of-a-window": "xx_pip_shell_v1 0",
                    // 0.18 forgets the role of a surface together with its xdg_surface.
                    "pip-of-a-window-that-was": is18 ? nil : "xx_pip_shell_v1 0", "window-of-a-pip": "xdg_wm_base 0",
                    "window-of-a-pip-that-was": "xdg_wm_base 0", "popup-of-a-pip": is18 ? "xdg_wm_base 0" : "xdg_surface 2",
                    "content-first": "xx_pip_shell_v1 1", "answer-to-nothing": "xdg_wm_base 4", "too-large": "xx_pip_v1 0",
                    "its-own-origin": "xx_pip_v1 1", "no-such-edge": "xx_pip_v1 2", "edge-far-out": "xx_pip_v1 2",
                    "move-before-the-configure": "xdg_surface 1", "shell-gone-before-pips": "xdg_wm_base 1",
                    // wlroots sends its own errors for these.
                    "content-before-the-configure": nil, "geometry-of-nothing": nil, "surface-gone-before-its-role": nil,
                    "xdg-surface-gone-before-its-role": nil,
                ]
                #expect(Set(try #require(try shell.script("pip.py", "abuse", "--list").ways)) == Set(expected.keys))
                for (way, code) in expected {
                    let answer = try shell.script("pip.py", "abuse", way)
                    if let code { #expect(answer.code == code, "\(way)") }
                    let isTaken = way == (is18 ? "pip-of-a-window-that-was" : "xdg-surface-gone-before-its-role")
                    #expect(answer.ended == !isTaken, "\(way)")
                }
                shell.expectAlive()
                try shell.wait("everybody to go") { try shell.state().windows.isEmpty }
                #expect(try shell.statistics().clients == before.clients)
            }
        }

        /// The picture, its xdg_surface, its wl_surface, the globals and the client are destroyed in every order.
        @Test func xxPipLifetimes() throws {
            try ShellUnderTest.with(config: "new-windows = \"always\"\n" + Self.on) { shell in
                let before = try shell.statistics()
                #expect(try shell.script("pip.py", "lifetimes").ended == false)
                for when in ["made", "committed", "shown"] {
                    _ = try shell.run(["python3", "\(TestClient.folder)/pip.py", "die", when])
                }
                try shell.wait("everybody to go") { try shell.statistics().clients == before.clients && shell.state().windows.isEmpty }
                #expect(try shell.statistics().surfaces == before.surfaces)
                shell.expectAlive()
            }
        }
    }
}
