import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule W-07: the dots at the top of a window open its controls. Tests what they offer, and that each choice
    /// works.
    @Suite(.serialized) struct ControlsTests {
        typealias Way = ShellUnderTest.Way

        private func openControls(of window: WindowID, by way: Way, _ shell: ShellUnderTest) throws {
            let report = try shell.window(window)
            var frame = try #require(report.frame)
            if report.place == .slideOver { frame = try #require(try shell.state().slideOver.card) }
            // A dialog's dots stand on its upper edge.
            let dots = Point(frame.center.x, frame.minY + (report.place == .dialog ? -10 : 9))
            switch way {
            case .touch: try shell.tap(dots)
            case .pointer: try shell.click(dots)
            case .keyboard:
                if !report.active { try shell.perform(.focus(window: window)) }
                try shell.press("Super+M")
            case .command: try shell.perform(.controls(window: window))
            }
            try shell.settle()
            #expect(try shell.state().open == ["controls"], "\(way) at \(dots) of \(report)")
        }

        private func choose(_ choice: String, of window: WindowID, by way: Way, _ shell: ShellUnderTest) throws {
            try openControls(of: window, by: way, shell)
            try shell.operate("controls/\(choice)", by: way)
            #expect(try shell.state().open.filter { $0 != "launching" } == (choice == "all" ? ["shelf"] : []), "\(choice) by \(way)")
        }

        private func offered(_ shell: ShellUnderTest) throws -> [String] {
            try shell.views().filter { $0.id.hasPrefix("controls/") }.map { String($0.id.dropFirst(9)) }
        }

        private let whole = ["full", "split-left", "split-right", "slide-over", "picture", "new", "all", "close"]

        // MARK: Every choice with every input

        @Test(arguments: Way.allCases) func ofAFullScreenWindow_W07(way: Way) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let other = try shell.openApp("test.green").id, window = try shell.openApp("test.red").id
                try openControls(of: window, by: way, shell)
                #expect(try offered(shell) == whole)
                #expect(try shell.views().filter(\.chosen).map(\.id) == ["controls/full"], "it says what it is now")
                let panel = try shell.view("controls").frame
                #expect(abs(panel.center.x - 590) < 1 && panel.minY < 60, "under the dots")
                try shell.perform(.dismiss)
                #expect(try shell.state().open == [])

                for (choice, places) in [
                    ("split-left", [window: .splitLeft, other: .splitRight]), ("full", [window: .full]),
                    ("split-right", [window: .splitRight, other: .splitLeft]), ("split-left", [window: .splitLeft, other: .splitRight]),
                    ("slide-over", [window: .slideOver, other: .full]), ("full", [window: .full]),
                ] as [(String, [WindowID: WindowReport.PlaceName])] {
                    try choose(choice, of: window, by: way, shell)
                    try shell.expectPlaces(places)
                }
                try choose("picture", of: window, by: way, shell)
                try shell.expectPlaces([window: .pictureInPicture, other: .full])
                try shell.perform(.fullScreen(window: window))
                try choose("new", of: window, by: way, shell)
                let second = try shell.waitForWindow(appID: "test.red", after: window)
                try shell.settle()
                #expect(try shell.windows(of: "test.red").count == 2 && shell.window(second.id).active)
                #expect(second.pid != (try shell.window(window).pid))
                try choose("all", of: second.id, by: way, shell)
                #expect(try shell.views().filter { $0.id.hasPrefix("shelf/window/") }.count == 2)
                try shell.perform(.dismiss)
                try choose("close", of: second.id, by: way, shell)
                try shell.waitUntilGone(second.id)
                #expect(try shell.windows(of: "test.red").map(\.id) == [window])
            }
        }

        @Test(arguments: Way.allCases) func ofAPair_W07(way: Way) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let left = try shell.openApp("test.green").id
                let right = try shell.openApp("test.red", to: .splitView(.right)).id
                try openControls(of: right, by: way, shell)
                #expect(try shell.views().filter(\.chosen).map(\.id) == ["controls/split-right"])
                let panel = try shell.view("controls").frame
                #expect(ShellUnderTest.rightHalf.contains(panel, tolerance: 1), "over its own half")
                try shell.perform(.dismiss)
                try choose("split-left", of: right, by: way, shell)
                try shell.expectPlaces([right: .splitLeft, left: .splitRight])
                try choose("split-right", of: left, by: way, shell)
                try shell.expectPlaces([right: .splitLeft, left: .splitRight])
                try choose("slide-over", of: left, by: way, shell)
                try shell.expectPlaces([left: .slideOver, right: .full])
                try shell.perform(.splitView(window: left, side: .right))
                try choose("full", of: left, by: way, shell)
                try shell.expectPlaces([left: .full, right: .full])
                try shell.perform(.splitView(window: left, side: .right))
                try choose("picture", of: right, by: way, shell)
                try shell.expectPlaces([right: .pictureInPicture, left: .full])
                try shell.perform(.splitView(window: right, side: .right))
                try choose("close", of: right, by: way, shell)
                try shell.waitUntilGone(right)
                try shell.settle()
                try shell.expectPlaces([left: .full])
            }
        }

        @Test(arguments: Way.allCases) func ofASlideOverCard_W07(way: Way) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let behind = try shell.openApp("test.green").id, card = try shell.openApp("test.red", to: .slideOver).id
                try openControls(of: card, by: way, shell)
                #expect(try offered(shell) == whole)
                #expect(try shell.views().filter(\.chosen).map(\.id) == ["controls/slide-over"])
                #expect(ShellUnderTest.whole.contains(try shell.view("controls").frame))
                try shell.perform(.dismiss)
                for (choice, places) in [
                    ("split-left", [card: .splitLeft, behind: .splitRight]), ("slide-over", [card: .slideOver, behind: .full]),
                    ("full", [card: .full]), ("slide-over", [card: .slideOver, behind: .full]),
                ] as [(String, [WindowID: WindowReport.PlaceName])] {
                    try choose(choice, of: card, by: way, shell)
                    try shell.expectPlaces(places)
                }
                try choose("close", of: card, by: way, shell)
                try shell.waitUntilGone(card)
                try shell.settle()
                #expect(try shell.state().slideOver.stack.isEmpty && shell.window(behind).active)
            }
        }

        // MARK: Closing and dialogs

        /// Arrows move between choices, Escape and a touch outside close the controls, and nothing reaches the app.
        @Test func theyTakeEveryKeyAndTouch_X02() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let client = try TestClient(shell)
                let mark = try client.mark()
                try shell.press("Super+M")
                try shell.press("Tab")
                #expect(try shell.view("controls/full").focused)
                try shell.press("Right")
                #expect(try shell.view("controls/split-left").focused)
                try shell.press("Down")
                #expect(try shell.views().first { $0.focused }?.id != "controls/split-left")
                try shell.client.input(.type(text: "abc"))
                try shell.press("Escape")
                #expect(try shell.state().open == [])
                try shell.press("Super+M")
                try shell.drag(Point(200, 600), Point(400, 700))
                #expect(try shell.state().open == [])
                try shell.press("Super+M")
                try shell.press("Super+M")
                #expect(try shell.state().open == [], "the key closes them too")
                _ = try client.mark()
                let keys = try client.events(since: mark, "wl_keyboard.key").compactMap { $0.a[2]?.integer }
                #expect(keys.allSatisfy { $0 == 125 || $0 == 126 }, "but for Super itself: \(keys)")
                #expect(try client.events(since: mark, "wl_touch.down").isEmpty)
                try shell.client.input(.type(text: "a"))
                try client.waitFor("wl_keyboard.key", since: mark) { $0.a[2]?.integer == 30 }
            }
        }

        /// With no other window open, the user chooses the second one on the home screen (W-04).
        @Test func splitViewWithNobodyElse_W04() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let red = try shell.openApp("test.red").id
                try choosePartner(of: red, side: "left", shell)
                try shell.touch("picking/cancel")
                #expect(try shell.state().open == [] && !shell.state().home)
                try shell.expectPlaces([red: .full])
                try choosePartner(of: red, side: "left", shell)
                try shell.touch("home/test.blue")
                let blue = try shell.waitForWindow(appID: "test.blue")
                try shell.settle()
                try shell.expectPlaces([red: .splitLeft, blue.id: .splitRight])
                #expect(try shell.state().open == [])
            }
        }

        private func choosePartner(of window: WindowID, side: String, _ shell: ShellUnderTest) throws {
            try openControls(of: window, by: .touch, shell)
            try shell.touch("controls/split-\(side)")
            #expect(try shell.isOpen("picking") && shell.state().home)
        }

        /// W-12, W-13: a dialog belongs to its window. It can only be closed. FileZilla and Scribus set the parent
        /// before they map it.
        @Test(arguments: ["created", "configured"])
        func aDialogOfAWindowThatIsNotThereYet_W13(when: String) throws {
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                _ = try shell.start(["python3", "\(TestClient.folder)/early_dialog.py", when])
                let dialog = try shell.waitForWindow(title: "dialog"), parent = try shell.waitForWindow(title: "window")
                #expect(dialog.place == .dialog && dialog.parent == parent.id && parent.place == .full)
            }
        }

        @Test func aDialogOffersOnlyToBeClosed_W13() throws {
            let demo = TestApp("org.gtk.Demo4", "GTK Demo", command: "env XDG_DATA_DIRS=/usr/share gtk4-demo")
            try ShellUnderTest.with(apps: TestApp.three + [demo]) { shell in
                try ShellUnderTest.require("gtk4-demo", of: "gtk-4-examples")
                let app = try shell.openApp("org.gtk.Demo4")
                try shell.tap(Point(1109, 23))
                usleep(400_000)
                let before = try shell.state().windows.count
                // The last item of its menu opens a dialog.
                let menu = try #require(try menuFrame(shell))
                try shell.tap(Point(menu.center.x, menu.maxY - 24))
                try shell.wait("the dialog") { try shell.state().windows.count > before }
                let dialog = try shell.waitForWindow(after: app.id)
                try shell.settle()
                #expect(dialog.place == .dialog)
                for way in [Way.touch, .pointer, .keyboard, .command] {
                    try openControls(of: dialog.id, by: way, shell)
                    #expect(try offered(shell) == ["close"])
                    try shell.perform(.dismiss)
                }
                try choose("close", of: dialog.id, by: .touch, shell)
                try shell.waitUntilGone(dialog.id)
                try openControls(of: app.id, by: .touch, shell)
                #expect(try offered(shell).count > 5)
            }
        }

        /// Finds the menu of GTK's demo: the large light shape that is not part of the window.
        private func menuFrame(_ shell: ShellUnderTest) throws -> Rect? {
            let open = try shell.picture()
            try shell.tap(Point(200, 600))
            usleep(500_000)
            let closed = try shell.picture()
            try shell.tap(Point(1109, 23))
            usleep(400_000)
            return open.difference(from: closed, in: Rect(700, 60, 480, 500), tolerance: 20).bounds
        }

        /// In portrait there are two more places.
        @Test func topAndBottomOnAnUprightScreen_W04() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let other = try shell.openApp("test.green").id, window = try shell.openApp("test.red").id
                try shell.perform(.rotate(1))
                try openControls(of: window, by: .touch, shell)
                #expect(try offered(shell) == ["full", "split-left", "split-right", "split-top", "split-bottom"] + whole.dropFirst(3))
                try shell.touch("controls/split-bottom")
                try shell.expectPlaces([window: .splitBottom, other: .splitTop])
                try choose("split-top", of: window, by: .touch, shell)
                try shell.expectPlaces([window: .splitTop, other: .splitBottom])
            }
        }

        /// Windows of apps that are not installed, and of apps that claim to have only one window.
        @Test func whereNoOtherWindowCanBeOpened_W08() throws {
            let single = TestApp("test.single", "Hermit", colour: "666633", more: "SingleMainWindow=true")
            try ShellUnderTest.with(apps: TestApp.three + [single]) { shell in
                let stranger = try TestClient(shell)
                try openControls(of: stranger.id, by: .touch, shell)
                #expect(try !offered(shell).contains("new"))
                try shell.press("Escape")
                let hermit = try shell.openApp("test.single")
                try openControls(of: hermit.id, by: .touch, shell)
                #expect(try !offered(shell).contains("new"))
                try shell.press("Escape")
                try shell.perform(.newWindow(app: "test.single"))
                #expect(try shell.windows(of: "test.single").count == 1)
                // Its window is destroyed below its controls.
                try openControls(of: hermit.id, by: .touch, shell)
                kill(try #require(hermit.pid), SIGKILL)
                try shell.waitUntilGone(hermit.id)
                try shell.settle()
                #expect(try shell.state().open == [])
                #expect(try stranger.report.active)
            }
        }
    }
}
