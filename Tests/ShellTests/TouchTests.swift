import Chrome
import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Ownership of a finger: it belongs to the app until a gesture of the shell is recognised; then the app's
    /// touches are cancelled.
    @Suite(.serialized) struct TouchTests {
        private func names(_ client: TestClient, since mark: Int) throws -> [String] {
            _ = try client.mark()
            return try client.events(since: mark, "wl_touch.down", "wl_touch.up", "wl_touch.cancel").map(\.e)
        }

        @Test func tapsAndDragsInAnAppAreItsOwn() throws {
            try ShellUnderTest.with { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                var mark = try b.mark()
                try shell.tap(Point(700, 300))
                #expect(try names(b, since: mark) == ["down", "up"])
                // In the window's own coordinates.
                let down = try #require(try b.events(since: mark, "wl_touch.down").first)
                #expect(down.a[4]?.number == 105 && down.a[5]?.number == 300)

                mark = try b.mark()
                try shell.drag(Point(700, 300), Point(1100, 600))
                #expect(try names(b, since: mark) == ["down", "up"])
                #expect(try b.events(since: mark, "wl_touch.motion").count > 10)
                let last = try #require(try b.events(since: mark, "wl_touch.motion").last)
                #expect(last.a[2]?.number == 505 && last.a[3]?.number == 600)
                try shell.expectPlaces([a.id: .splitLeft, b.id: .splitRight])
                #expect(try b.report.active)
                // A touch activates a window.
                try shell.tap(Point(200, 300))
                try shell.settle()
                #expect(try a.report.active)
            }
        }

        /// GTK 3 takes a pointer that was never there for one at the upper left corner, and opens the first menu there.
        @Test func theFirstFingerOnAWindowBringsThePointerForAMoment() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                func heard(_ place: Point) throws -> [String] {
                    let mark = try client.mark()
                    try shell.tap(place)
                    _ = try client.mark()
                    return try client.events(since: mark, "wl_pointer.enter", "wl_pointer.leave", "wl_pointer.motion", "wl_touch.down").map(
                        \.e)
                }
                let first = try heard(Point(300, 200))
                #expect(first == ["enter", "leave", "down"], "\(first)")
                #expect(try heard(Point(400, 300)) == ["down"])
                // A pointer that is there stays the app's own.
                try shell.client.input(.pointerMotion(at: Point(500, 400)))
                #expect(try heard(Point(300, 200)) == ["down"])
            }
        }

        /// W-07: a tap on the dots opens the window's controls, a drag lifts it; the app gets neither.
        @Test func theDotsAreTheShells() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                let mark = try client.mark()
                try shell.tap(ShellUnderTest.grip)
                try shell.settle()
                #expect(try shell.state().open == ["controls"])
                // A tap outside closes them, and does nothing else.
                try shell.tap(Point(200, 600))
                try shell.settle()
                #expect(try shell.state().open == [])
                try shell.drag(ShellUnderTest.grip, ShellUnderTest.toSlideOver)
                #expect(try names(client, since: mark) == [])
                #expect(try client.report.place == .slideOver)
                #expect(try shell.state().open == [])
            }
        }

        @Test func nearTheDividerTapsAreTheAppsAndDragsTheShells() throws {
            try ShellUnderTest.with { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                // 18 points from the divider's centre: inside its target of 44, outside the bar.
                var mark = try b.mark()
                try shell.tap(Point(608, 400))
                #expect(try names(b, since: mark) == ["down", "up"])
                mark = try b.mark()
                // A movement along the divider belongs to the app, one across it to the shell.
                try shell.drag(Point(608, 300), Point(608, 500))
                #expect(try names(b, since: mark) == ["down", "up"])
                mark = try b.mark()
                try shell.drag(Point(608, 400), Point(790, 400))
                #expect(try names(b, since: mark) == ["down", "cancel"])
                #expect(abs(try #require(try shell.state().divider?.fraction) - 2.0 / 3) < 0.001)
                #expect(try a.report.size.width == 780)
            }
        }

        @Test func aGestureCancelsTheTouchesOfAllApps() throws {
            try ShellUnderTest.with { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                let marks = (try a.mark(), try b.mark())
                try shell.client.input(.touchDown(touch: 3, at: Point(200, 500)))
                try shell.client.input(
                    .drag(from: Point(887, 10), to: Point(887, 300), duration: 200, rest: 50, touch: 4))
                try shell.client.input(.touchUp(touch: 3))
                try shell.settle()
                #expect(try names(a, since: marks.0) == ["down", "cancel"])
                #expect(try names(b, since: marks.1) == [], "the dots are the shell's from the beginning")
                // Afterwards fingers work as before.
                let mark = try a.mark()
                try shell.tap(Point(200, 500))
                _ = try names(a, since: mark)
                #expect(try !names(a, since: mark).contains("cancel"))
            }
        }

        @Test func onAPictureTapsAndDragsAreTheShells() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell, to: .pictureInPicture)
                let frame = try #require(try client.report.frame)
                var mark = try client.mark()
                try shell.tap(frame.center)
                #expect(try names(client, since: mark) == [])
                #expect(try shell.isOpen("picture-controls"))
                mark = try client.mark()
                try shell.drag(Point(frame.minX + 12, frame.center.y), Point(200, 200))
                #expect(try names(client, since: mark) == [])
                #expect(try shell.state().pictureInPicture?.corner == .topLeft)
                try shell.operate("picture-controls/full", by: .touch)
                try shell.expectPlaces([client.id: .full])
            }
        }

        @Test func westonSimpleTouchDrawsAndHearsNothingAsAPicture() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                let app = try shell.open("weston-simple-touch", of: "weston", environment: ["WAYLAND_DEBUG=1"])
                let picture = try #require(app.picture)
                try shell.drag(Point(picture.minX + 60, picture.center.y), Point(picture.maxX - 60, picture.center.y))
                try shell.wait("its touches") { shell.programLog.contains(".up(") }
                #expect(try shell.picture().cropped(to: picture.inset(by: 20)).isDrawn(), "it drew what the finger did")
                #expect(!shell.programLog.contains(".cancel("))
                // As Picture in Picture, all of it belongs to the shell.
                let touches = shell.programLog.components(separatedBy: ".down(").count
                try shell.perform(.pictureInPicture(window: app.id))
                let frame = try #require(try shell.window(app.id).frame)
                try shell.drag(frame.center, Point(200, 200))
                try shell.settle()
                #expect(shell.programLog.components(separatedBy: ".down(").count == touches)
            }
        }

        /// weston-dnd of weston 14 crashes by itself when a finger drags in it, so there only the pointer is tested.
        private static let waysToDrag =
            ["x86_64", "aarch64"].contains {
                FileManager.default.fileExists(atPath: "/usr/lib/\($0)-linux-gnu/libweston-14")
            } ? [true] : [false, true]

        /// Drags things between windows of apps, by finger and by pointer.
        @Test(arguments: waysToDrag) func dragAndDrop(pointer: Bool) throws {
            try ShellUnderTest.with { shell in
                try shell.open("weston-dnd", of: "weston")
                try shell.open("weston-dnd", of: "weston", to: .splitView(.right))
                let target = Rect(860, 560, 80, 80)
                #expect(try !shell.picture().isDrawn(in: target))
                // Each window has one of the pieces at its lower left.
                let from = Point(54, 315), to = Point(900, 600)
                try shell.client.input(
                    .drag(from: from, to: to, duration: 300, hold: 100, rest: 100, pointer: pointer ? true : nil))
                try shell.wait("the piece in the other window") { try shell.picture().isDrawn(in: target) }
                try shell.wait("its old place to be empty") { try !shell.picture().isDrawn(in: Rect(24, 285, 60, 60)) }
                // Fingers and pointer are free again.
                try shell.drag(Point(590, 410), Point(790, 410))
                #expect(abs(try #require(try shell.state().divider?.fraction) - 2.0 / 3) < 0.001)
            }
        }

        // MARK: Menus

        @Test func aMenuOpensUnderAFingerTakesATapAndClosesByOneOutside() throws {
            try ShellUnderTest.with { shell in
                let a = try TestClient(shell)
                let b = try TestClient(shell, ["--popup-on-press"], to: .splitView(.right))
                let white = Picture.Pixel(0xff_ffff), menu = Rect(595 + 24, 24, 150, 110)
                func isOpen() throws -> Bool { try shell.picture().singleColour(in: menu) == white }

                try shell.tap(Point(900, 500))
                try b.waitFor("xdg_popup.configure")
                try shell.wait("the menu") { try isOpen() }
                var mark = try b.mark()
                try shell.tap(menu.center)
                #expect(try names(b, since: mark) == ["down", "up"])
                #expect(
                    try b.events(since: mark, "wl_touch.down").first?.a[2] != b.events(since: 0, "wl_touch.down").first?.a[2],
                    "on the menu's own surface")
                #expect(try isOpen())

                // Outside, in the other app's window.
                mark = try b.mark()
                try shell.tap(Point(200, 500))
                try b.waitFor("xdg_popup.popup_done", since: mark)
                try shell.wait("the menu to close") { try !isOpen() }
                // No grab is left: the other window is active and gets the next touch.
                let other = try a.mark()
                try shell.tap(Point(200, 500))
                #expect(try names(a, since: other) == ["down", "up"])
            }
        }

        /// Opened by a finger, closed by one outside; opened again, its last item shows a dialog over its window.
        @Test func aMenuOfGTK() throws {
            try ShellUnderTest.with { shell in
                let app = try shell.open("gtk4-demo", of: "gtk-4-examples")
                let before = try shell.picture(), room = Rect(700, 60, 480, 500)
                func changed() throws -> Rect? {
                    let difference = try shell.picture().difference(from: before, in: room, tolerance: 20)
                    return difference.count > 2000 ? difference.bounds : nil
                }
                func openMenu() throws -> Rect {
                    try shell.tap(Point(1109, 23))
                    var menu: Rect?
                    try shell.wait("the menu") {
                        menu = try changed()
                        return menu != nil
                    }
                    return menu!
                }
                _ = try openMenu()
                try shell.tap(Point(200, 600))
                try shell.wait("the menu to close") { try changed() == nil }

                let menu = try openMenu()
                try shell.tap(Point(menu.center.x, menu.maxY - 24))
                let dialog = try shell.waitForWindow(after: app.id)
                #expect(dialog.place == .dialog && dialog.parent == app.id)
                try shell.settle()
                let frame = try #require(try shell.window(dialog.id).frame)
                #expect(ShellUnderTest.whole.contains(frame) && abs(frame.center.x - 590) < 2, "over its window's middle")
                // It moves with its window.
                try shell.press("Super+Down")
                #expect(try shell.window(app.id).place == .slideOver)
                let card = try #require(try shell.state().slideOver.card)
                #expect(card.contains(try #require(try shell.window(dialog.id).frame), tolerance: 1))
                try shell.press("Super+W")
                try shell.waitUntilGone(dialog.id)
                shell.expectAlive()
            }
        }
    }
}
