import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The same with a pointer (law 9). A plain click always reaches the app.
    @Suite(.serialized) struct PointerTests {
        private let fast = "launch = []\nanimation-speed = 4\n"

        private func buttons(_ client: TestClient, since mark: Int) throws -> [Int64] {
            _ = try client.mark()
            return try client.events(since: mark, "wl_pointer.button").compactMap { $0.a[3]?.integer }
        }

        @Test func dividerCardAndLift() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                let mark = try b.mark()
                try shell.drag(Point(590, 410), Point(395, 410), pointer: true)
                #expect(abs(try #require(try shell.state().divider?.fraction) - 1.0 / 3) < 0.001)
                #expect(try b.report.size.width == 780)
                // By the dots to Slide Over, by its strip to the other side, out past the edge, and back by its
                // handle.
                try shell.drag(Point(400 + 390, 5), Point(1000, 400), pointer: true)
                try shell.expectPlaces([b.id: .slideOver, a.id: .full])
                try shell.drag(Point(985, 20), Point(200, 20), pointer: true)
                #expect(try shell.state().slideOver.side == .left)
                try shell.drag(Point(200, 20), Point(-60, 20), rest: 0, pointer: true)
                #expect(try shell.state().slideOver.hidden)
                try shell.click(Point(5, 410))
                try shell.settle()
                #expect(try !shell.state().slideOver.hidden)
                #expect(try buttons(b, since: mark).isEmpty, "none of that was the app's")
            }
        }

        @Test func pictureInPicture() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell, to: .pictureInPicture)
                let frame = try #require(try client.report.frame)
                var mark = try client.mark()
                try shell.click(frame.center)
                #expect(try buttons(client, since: mark) == [], "a click shows the shell's controls")
                #expect(try shell.isOpen("picture-controls"))
                let motion = try #require(try client.events(since: mark, "wl_pointer.enter", "wl_pointer.motion").last)
                #expect(motion.a.array?.compactMap(\.number).last != nil)

                mark = try client.mark()
                try shell.drag(Point(frame.minX + 12, frame.center.y), Point(150, 150), pointer: true)
                #expect(try shell.state().pictureInPicture?.corner == .topLeft)
                #expect(try buttons(client, since: mark).isEmpty, "a drag is the shell's")
            }
        }

        /// wl_seat: a client that binds it after its window got pointer and keyboard still gets both.
        @Test func theSeatIsTakenUpLate() throws {
            try ShellUnderTest.with(config: fast + "new-windows = \"always\"\n") { shell in
                try shell.client.input(.pointerMotion(at: Point(590, 410)))
                let (_, output) = try shell.run(["python3", "\(TestClient.folder)/late_seat.py"], within: 30)
                #expect(output.contains("['keyboard', 'pointer']"), "\(output)")
            }
        }

        /// W-07: a click on the dots opens the controls and does not reach the app.
        @Test func aClickOnTheDotsOpensTheControls() throws {
            try ShellUnderTest.with(config: fast) { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                let mark = try client.mark()
                try shell.click(Point(590, 8))
                try shell.settle()
                #expect(try shell.state().open == ["controls"])
                #expect(try client.report.place == .full)
                try shell.click(Point(200, 600))
                try shell.settle()
                #expect(try shell.state().open == [])
                #expect(try buttons(client, since: mark).isEmpty, "neither click was the app's")
                // Beside the dots, the app gets the click.
                try shell.click(Point(400, 8))
                #expect(try buttons(client, since: mark) == [1, 0])
                // With Super held, any place in the window will do.
                try shell.client.input(.key(key: .init("Super_L")!, pressed: true))
                try shell.drag(Point(500, 500), Point(1000, 400), pointer: true)
                try shell.client.input(.key(key: .init("Super_L")!, pressed: false))
                #expect(try client.report.place == .slideOver)
                #expect(try buttons(client, since: mark) == [1, 0])
            }
        }

        /// While a button is down, everything goes to the window that got the press.
        @Test func aDragInAnAppIsItsOwn() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                let marks = (try a.mark(), try b.mark())
                try shell.drag(Point(300, 300), Point(900, 500), pointer: true)
                #expect(try buttons(a, since: marks.0) == [1, 0])
                #expect(try buttons(b, since: marks.1).isEmpty)
                let last = try #require(try a.events(since: marks.0, "wl_pointer.motion").last)
                #expect(last.a[1]?.number == 900)
                try shell.expectPlaces([a.id: .splitLeft, b.id: .splitRight])
                // And the wheel goes to the window under the pointer.
                let mark = try b.mark()
                try shell.client.input(.pointerMotion(at: Point(900, 500)))
                try shell.client.input(.pointerAxis(value: 15))
                try b.waitFor("wl_pointer.axis", since: mark)
            }
        }
    }
}
