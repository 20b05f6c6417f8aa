import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rules W-08 and W-09: all windows of an app, along the bottom and over the whole screen. W-19: waiting windows.
    @Suite(.serialized) struct ShelfTests {
        typealias Way = ShellUnderTest.Way

        /// Three windows of Red, each of its own colour, and one of Green in front.
        private func with(_ body: (ShellUnderTest, _ red: [WindowID], _ green: WindowID) throws -> Void) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                var red: [WindowID] = []
                for (title, colour) in [("One", "aa2222"), ("Two", "cc5533"), ("Three", "ee8844")] {
                    red.append(try TestClient(shell, ["--app-id", "test.red", "--title", title, "--colour", colour]).id)
                }
                let green = try shell.openApp("test.green").id
                try body(shell, red, green)
            }
        }

        private func shelf(_ shell: ShellUnderTest) throws -> [ViewReport] {
            try shell.views().filter { $0.id.hasPrefix("shelf/window/") }
        }

        private func colour(_ view: ViewReport, _ shell: ShellUnderTest) throws -> Picture.Pixel? {
            try shell.picture().pixel(at: view.frame.center)
        }

        // MARK: The shelf

        @Test func openingAnAppShowsItsOtherWindows_W08() throws {
            try with { shell, red, green in
                try shell.perform(.home)
                try shell.touch("home/test.red")
                #expect(try shell.window(red[2]).active, "the one used last")
                #expect(try shell.state().open == ["shelf"])
                let shown = try shelf(shell)
                #expect(shown.map(\.name) == ["Three", "Two", "One"])
                #expect(try shown.map { try colour($0, shell)?.raw } == [0xffee_8844, 0xffcc_5533, 0xffaa_2222])
                #expect(shown.map(\.chosen) == [true, false, false])
                #expect(try shell.find("shelf/add") != nil)
                try shell.keepPicture("shelf")
                // A touch in the app closes it, and reaches the app.
                try shell.tap(Point(590, 300))
                try shell.settle()
                #expect(try shell.state().open == [])
                _ = green
            }
        }

        @Test(arguments: Way.allCases) func everyWay_X02(way: Way) throws {
            try with { shell, red, green in
                try shell.perform(.focus(window: red[0]))
                func open() throws {
                    if way == .keyboard { try shell.press("Super+E") } else { try shell.perform(.appShelf()) }
                    #expect(try shell.state().open == ["shelf"])
                }
                try open()
                if way == .keyboard { #expect(try shell.view("shelf/window/\(red[0].raw)").focused, "the keyboard is in it at once") }
                try shell.operate("shelf/window/\(red[1].raw)", by: way)
                #expect(try shell.window(red[1]).active && shell.state().open == [])
                try shell.expectShown(red[1])
                try open()
                try shell.operate("shelf/add", by: way)
                let new = try shell.waitForWindow(appID: "test.red", after: green)
                try shell.settle()
                #expect(try shell.windows(of: "test.red").count == 4 && shell.window(new.id).active)
                try open()
                try shell.operate("shelf/close", by: way)
                #expect(try shell.state().open == [])
            }
        }

        @Test func theKeyboardClosesWindowsThere_X02() throws {
            try with { shell, red, _ in
                try shell.perform(.focus(window: red[0]))
                try shell.press("Super+E")
                try shell.goTo("shelf/window/\(red[1].raw)")
                try shell.press("Delete")
                try shell.waitUntilGone(red[1])
                try shell.settle()
                #expect(try shelf(shell).map(\.id) == ["shelf/window/\(red[0].raw)", "shelf/window/\(red[2].raw)"])
                try shell.press("Escape")
                #expect(try shell.state().open == [])
                // The shelf closes with the last of them.
                try shell.press("Super+E")
                for id in [red[0], red[2]] { kill(try #require(try shell.window(id).pid), SIGTERM) }
                try shell.waitUntilGone(red[0])
                try shell.waitUntilGone(red[2])
                try shell.settle()
                #expect(try shell.state().open == [])
                #expect(throws: ControlError.self) { try shell.perform(.appShelf(app: "test.red")) }
                #expect(throws: ControlError.self) { try shell.perform(.appShelf(app: "no.such.app")) }
            }
        }

        // MARK: App Exposé

        @Test(arguments: Way.allCases) func appExpose_W09(way: Way) throws {
            try with { shell, red, green in
                try shell.perform(.focus(window: red[2]))
                try shell.press("Super+Shift+E")
                #expect(try shell.state().open == ["expose"])
                let cards = try shell.views().filter { $0.role == .card }
                #expect(cards.map(\.id) == [red[2], red[1], red[0]].map { "switcher/window/\($0.raw)" }, "Green's is not among them")
                #expect(try cards.map { try colour($0, shell)?.raw } == [0xffee_8844, 0xffcc_5533, 0xffaa_2222])
                #expect(try shell.view("expose").name.contains("Red"))
                try shell.keepPicture("expose")
                try shell.operate("switcher/close/\(red[2].raw)", by: way)
                try shell.waitUntilGone(red[2])
                try shell.settle()
                #expect(try shell.views().filter { $0.role == .card }.count == 2)
                try shell.operate("switcher/window/\(red[0].raw)", by: way)
                #expect(try shell.window(red[0]).active && shell.state().open == [])
                try shell.perform(.appExpose(app: "test.red"))
                try shell.operate("expose/add", by: way)
                let new = try shell.waitForWindow(appID: "test.red", after: green)
                try shell.settle()
                #expect(try shell.window(new.id).active && shell.state().open == [])
                try shell.expectShown(new.id)
            }
        }

        @Test func fromThereToTheSwitcherAndBack_W09() throws {
            try with { shell, red, _ in
                try shell.perform(.appExpose(app: "test.red"))
                try shell.press("Super+A")
                #expect(try shell.state().open == ["switcher"])
                #expect(try shell.views().filter { $0.role == .card }.count == 4)
                try shell.perform(.appExpose(app: "test.red"))
                #expect(try shell.state().open == ["expose"])
                #expect(try shell.views().filter { $0.role == .card }.count == 3)
                for id in red { kill(try #require(try shell.window(id).pid), SIGTERM) }
                for id in red { try shell.waitUntilGone(id) }
                try shell.expectNothingOpen()
            }
        }

        // MARK: Waiting windows

        @Test(arguments: Way.allCases) func aWindowThatWaitsHasABadge_W19(way: Way) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let red = try shell.openApp("test.red")
                let stranger = try TestClient.outside(shell, ["--app-id", "test.red", "--title", "Unasked", "--colour", "eeaa22"])
                #expect(try shell.state().waiting == [stranger.id] && shell.window(red.id).active)
                try shell.perform(.bannerLater)
                try shell.perform(.home)
                for id in ["home/test.red", "dock/test.red"] {
                    let icon = try shell.view(id)
                    #expect(icon.name.contains("Red") && icon.name.contains("1"), "it is said too: \(icon.name)")
                    let corner = Rect(icon.frame.maxX - 14, icon.frame.minY - 8, 20, 20)
                    #expect(try shell.picture().isDrawn(in: corner), "a badge with a number at \(id)")
                }
                #expect(try !shell.view("home/test.green").name.contains("1"))
                // The app opens with its last window; the other one is on the shelf.
                try shell.operate("home/test.red", by: way)
                #expect(try shell.window(red.id).active && shell.state().open == ["shelf"])
                let waiting = try shell.view("shelf/window/\(stranger.id.raw)")
                #expect(waiting.name.contains("Unasked"))
                #expect(try colour(waiting, shell)?.raw == 0xffee_aa22, "its picture is seen")
                // The app has the keyboard until the shelf takes it.
                for _ in 0..<2 where try way == .keyboard && !shell.views().contains(where: \.focused) { try shell.press("Super+E") }
                try shell.operate(waiting.id, by: way)
                try shell.expectPlaces([stranger.id: .full])
                #expect(try shell.window(stranger.id).active && shell.state().waiting.isEmpty)
                try shell.perform(.home)
                #expect(try shell.view("home/test.red").name == "Red", "nothing waits any more")
            }
        }
    }
}
