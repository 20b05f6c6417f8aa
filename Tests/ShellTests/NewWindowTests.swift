import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule W-19: a new window opens only if the user asked for it; otherwise it waits.
    @Suite(.serialized) struct NewWindowTests {
        @Test func aWindowThatNobodyAskedForWaits() throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell)
                let stranger = try TestClient.outside(shell, ["--animate"])
                #expect(try shell.state().waiting == [stranger.id])
                #expect(try stranger.report.place == .waiting)
                #expect(try stranger.report.shown == false)
                #expect(try first.report.place == .full && first.report.active)
                // It is hidden, so it gets no frame callbacks.
                try shell.tap(Point(300, 300))
                try shell.settle()
                #expect(try stranger.events(since: 0, "client.frame").isEmpty)

                try shell.perform(.openWaiting(window: stranger.id))
                try shell.expectPlaces([stranger.id: .full])
                #expect(try shell.state().waiting.isEmpty)
                try stranger.waitFor("client.frame")
                try stranger.tell("still")
            }
        }

        @Test(
            "W-19: a banner says that a window waits; its buttons open the window and hide the banner",
            arguments: [ShellUnderTest.Way.touch, .pointer])
        func theBanner(way: ShellUnderTest.Way) throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell)
                let stranger = try TestClient.outside(shell, ["--app-id", "test.stranger"])
                let text = try shell.waitForView("banner/text")
                #expect(text.name == "Stranger has opened a window" && text.role == .alert, "\(text.name)")
                #expect(try shell.state().open == ["banner"] && first.report.active)
                try shell.settle()
                // A new banner takes no touch for half a second.
                usleep(600_000)
                try shell.operate("banner/later", by: way)
                #expect(try shell.state().open == [] && shell.state().waiting == [stranger.id])

                let other = try TestClient.outside(shell, ["--app-id", "test.other"])
                try shell.waitForView("banner/open")
                try shell.settle()
                usleep(600_000)
                try shell.operate("banner/open", by: way)
                try shell.expectPlaces([other.id: .full])
                #expect(try other.report.active && shell.state().open == [])
            }
        }

        @Test func theKeyOpensTheOldestThatWaits() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                let a = try TestClient.outside(shell), b = try TestClient.outside(shell)
                #expect(try shell.state().waiting == [a.id, b.id])
                try shell.press("Super+N")
                #expect(try shell.state().waiting == [b.id])
                #expect(try a.report.active)
            }
        }

        /// A token made with the serial of a touch on the window in front.
        @Test func aTokenWithARecentSerialOpens() throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell)
                try shell.tap(Point(500, 500))
                try first.waitFor("wl_touch.up")
                try first.tell("token")
                let token = try #require(try first.waitFor("client.token").a[0]?.string)
                let second = try TestClient.outside(shell, ["--token", token])
                try shell.expectPlaces([second.id: .full])
                #expect(try second.report.active)
                #expect(try shell.state().waiting.isEmpty)
            }
        }

        /// GTK forgets the serial of a touch when the finger lifts, and asks with serial 0.
        @Test func afterATouchSerialZeroIsAsGood() throws {
            try ShellUnderTest.with { shell in
                let behind = try TestClient(shell)
                let front = try TestClient(shell)
                // Nobody used it yet.
                try front.tell("token-zero")
                let unused = try #require(try front.waitFor("client.token").a[0]?.string)
                try behind.tell("activate \(unused)")
                try behind.tell("sync unused")
                try behind.waitFor("client.synced")
                #expect(try front.report.active)

                try shell.tap(Point(500, 500))
                try front.waitFor("wl_touch.up")
                // Not the client that the person uses.
                try behind.tell("token-zero")
                let other = try #require(try behind.waitFor("client.token").a[0]?.string)
                var mark = try behind.mark()
                try behind.tell("activate \(other)")
                try behind.tell("sync other")
                try behind.waitFor("client.synced", since: mark)
                #expect(try front.report.active)

                mark = try front.mark()
                try front.tell("token-zero")
                let token = try #require(try front.waitFor("client.token", since: mark).a[0]?.string)
                try behind.tell("activate \(token)")
                try shell.wait("the window to come forward") { try behind.report.active }
            }
        }

        /// A terminal hands the token of its own launch on to what a person starts there.
        @Test func aTokenThatWasUsed_W19() throws {
            try ShellUnderTest.with { shell in
                let browser = try TestClient(shell)
                let terminal = try TestClient(shell)
                try terminal.tell("token-own")
                let token = try #require(try terminal.waitFor("client.token").a[0]?.string)
                // Nobody used the terminal yet.
                try browser.tell("activate \(token)")
                try shell.wait("the banner") { try shell.state().open == ["banner"] }
                #expect(try terminal.report.active)

                try shell.tap(Point(500, 700))
                try terminal.waitFor("wl_touch.up")
                try browser.tell("activate \(token)")
                try shell.wait("the browser to come forward") { try browser.report.active }
                // Now the browser is in front.
                let mark = try terminal.mark()
                try terminal.tell("activate \(token)")
                try terminal.tell("sync used")
                try terminal.waitFor("client.synced", since: mark)
                #expect(try browser.report.active)

                try shell.perform(.focus(window: terminal.id))
                try shell.tap(Point(500, 700))
                let viewer = try TestClient.outside(shell, ["--token", token])
                try shell.expectPlaces([viewer.id: .full])
                #expect(try viewer.report.active)
            }
        }

        @Test func otherTokensDoNot() throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell)
                let invented = try TestClient.outside(shell, ["--token", "0123456789abcdef"])
                #expect(try invented.report.place == .waiting)

                // Without a serial.
                try first.tell("token-unasked")
                let bare = try #require(try first.waitFor("client.token").a[0]?.string)
                let second = try TestClient.outside(shell, ["--token", bare])
                #expect(try second.report.place == .waiting)

                // With the serial of a touch, but requested when another app is in front.
                try shell.tap(Point(500, 500))
                try first.waitFor("wl_touch.up")
                let other = try TestClient(shell)
                #expect(try other.report.active)
                let mark = try first.mark()
                try first.tell("token")
                let late = try #require(try first.waitFor("client.token", since: mark).a[0]?.string)
                let third = try TestClient.outside(shell, ["--token", late])
                #expect(try third.report.place == .waiting)
                #expect(try other.report.active)
            }
        }

        /// An app's own second window: requested just after a touch in the app, or not.
        @Test func aSecondWindowOfAnApp() throws {
            try ShellUnderTest.with { shell in
                let app = try TestClient(shell)
                try app.tell("open unasked")
                let unasked = try shell.waitForWindow(title: "unasked")
                #expect(unasked.place == .waiting)
                try shell.tap(Point(500, 500))
                try app.tell("open asked")
                let asked = try shell.waitForWindow(title: "asked", after: unasked.id)
                #expect(asked.place == .full)
                #expect(try shell.state().waiting == [unasked.id])
            }
        }

        @Test func withNewWindowsAlwaysEverythingOpens() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                let before = try TestClient.outside(shell)
                #expect(try before.report.place == .waiting)
                try shell.write("launch = []\nnew-windows = \"always\"\n", to: shell.configPath)
                try shell.waitForLog("the configuration changed")
                let after = try TestClient.outside(shell)
                #expect(try after.report.place == .full)
                #expect(try after.report.active)
            }
        }

        /// A program launched to a place opens there. A failed launch gives a reason.
        @Test func theLauncher() throws {
            try ShellUnderTest.with { shell in
                let first = try TestClient(shell)
                let second = try TestClient(shell, to: .slideOver)
                try shell.expectPlaces([first.id: .full, second.id: .slideOver])
                let third = try TestClient(shell, to: .splitView(.left))
                try shell.expectPlaces([first.id: .splitRight, third.id: .splitLeft, second.id: .slideOver])
                let error = #expect(throws: ControlError.self) {
                    try shell.client.perform(.launch(command: ["no-such-program-anywhere"]))
                }
                #expect(error?.what.contains("no-such-program-anywhere") == true)
            }
        }

        /// A splash does not stand for the window that was asked for (W-19), whatever is there first.
        @Test func theWindowAfterASplashIsTheOneThatWasAskedFor() throws {
            try ShellUnderTest.with { shell in
                try ShellUnderTest.require("Xwayland", of: "xwayland")
                let first = try TestClient(shell)
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                try shell.perform(.launch(command: ["python3", "\(TestClient.folder)/x11_splash.py", display], to: .slideOver))
                let splash = try shell.waitForWindow(title: "Splash")
                #expect(splash.place == .slideOver)
                let main = try shell.waitForWindow(title: "Main")
                try shell.expectPlaces([main.id: .slideOver])
                #expect(try shell.state().windows.first { $0.id == splash.id }.map { $0.place == .full && $0.shown == false } ?? true)
                try shell.wait("the splash to go") { try !shell.state().windows.contains { $0.id == splash.id } }
                try shell.expectPlaces([first.id: .full, main.id: .slideOver])
                #expect(try shell.state().waiting.isEmpty && shell.window(main.id).active)
            }
        }

        /// Browsers activate their video window when it opens. It takes no keyboard input, so the focus stays with
        /// the page (W-06).
        @Test func aPictureThatActivatesItselfTakesNoKeys() throws {
            try ShellUnderTest.with { shell in
                let app = try TestClient(shell)
                try shell.tap(Point(500, 500))
                try app.waitFor("wl_touch.up")
                try app.tell("token")
                let token = try #require(try app.waitFor("client.token").a[0]?.string)
                try app.tell("open Picture-in-Picture")
                let video = try shell.waitForWindow(title: "Picture-in-Picture")
                #expect(video.place == .pictureInPicture)
                try shell.perform(.pipStash())
                try app.tell("activate \(token)")
                try shell.wait("it to come back") { try shell.state().pictureInPicture?.stashed == nil }
                #expect(try app.report.active)
                let mark = try app.mark()
                try shell.client.input(.type(text: "a"))
                try app.waitFor("wl_keyboard.key", since: mark)
            }
        }
    }
}
