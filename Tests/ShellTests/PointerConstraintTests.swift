import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// relative-pointer-v1, pointer-constraints-v1 and pointer-gestures-v1.
    @Suite(.serialized) struct PointerConstraintTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// A mouse that this client moves.
        private func mouse(_ client: TestClient) throws {
            try client.run("mouse = bind('zwlr_virtual_pointer_manager_v1').create_virtual_pointer(None)")
            try client.run("def roll(x, y): mouse.motion(0, x, y); mouse.frame(); app.connection.roundtrip()")
        }

        private func roll(_ client: TestClient, _ x: Int, _ y: Int) throws {
            try client.run("roll(\(x), \(y))")
            _ = try client.mark()
        }

        /// Where the client last saw its pointer.
        private func place(_ client: TestClient) throws -> Point {
            _ = try client.mark()
            let event = try client.events(since: 0, "wl_pointer.enter", "wl_pointer.motion").last
            guard let event, let numbers = event.a.array?.compactMap(\.number), numbers.count >= 2 else { return Point(-1, -1) }
            return Point(numbers[numbers.count - 2], numbers[numbers.count - 1])
        }

        private func motions(_ client: TestClient, since mark: Int) throws -> Int {
            _ = try client.mark()
            return try client.events(since: mark, "wl_pointer.motion").count
        }

        @Test func relativeMotionIsOfTheMouse() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try mouse(client)
                try shell.client.input(.pointerMotion(at: Point(400, 400)))
                try client.run("rel = bind('zwp_relative_pointer_manager_v1').get_relative_pointer(pointer)")
                let mark = try client.mark()
                try roll(client, 30, -7)
                let event = try client.waitFor("zwp_relative_pointer_v1.relative_motion", since: mark)
                #expect(event.a[2]?.number == 30 && event.a[3]?.number == -7 && event.a[4]?.number == 30)
                #expect(try place(client) == Point(430, 393))
                // Past the edge of the screen it continues.
                try shell.client.input(.pointerMotion(at: Point(1170, 400)))
                let edge = try client.mark()
                for _ in 0..<4 { try roll(client, 20, 0) }
                #expect(try client.events(since: edge, "zwp_relative_pointer_v1.relative_motion").count == 4)
            }
        }

        @Test func aLockHoldsThePointerUntilItIsGivenUp() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try mouse(client)
                try client.run("rel = bind('zwp_relative_pointer_manager_v1').get_relative_pointer(pointer)")
                // Only while the pointer is inside its region.
                try shell.client.input(.pointerMotion(at: Point(100, 100)))
                try client.run("c = bind('zwp_pointer_constraints_v1')")
                try client.run("lock = c.lock_pointer(surface, pointer, region(300, 300, 200, 200), 2)")
                _ = try client.mark()
                #expect(try client.events(since: 0, "zwp_locked_pointer_v1.locked").isEmpty)
                try shell.client.input(.pointerMotion(at: Point(400, 400)))
                try client.waitFor("zwp_locked_pointer_v1.locked")

                let mark = try client.mark()
                for _ in 0..<5 { try roll(client, 40, 40) }
                try shell.client.input(.pointerMotion(at: Point(900, 700)))
                #expect(try motions(client, since: mark) == 0)
                #expect(try client.events(since: mark, "zwp_relative_pointer_v1.relative_motion").count == 5)
                // The app gets the buttons.
                try shell.client.input(.pointerButton(pressed: true))
                try shell.client.input(.pointerButton(pressed: false))
                try client.waitFor("wl_pointer.button", since: mark)
                // Released, with a hint of where the app has drawn its own cursor.
                try client.run("lock.set_cursor_position_hint(600, 200); surface.commit(); lock.destroy()")
                try shell.wait("the pointer at the hint") { try place(client) == Point(600, 200) }
                try roll(client, 10, 0)
                #expect(try place(client) == Point(610, 200))
            }
        }

        @Test func aPersistentLockComesBackAndAOneshotDoesNot() throws {
            try ShellUnderTest.with(config: still) { shell in
                let other = try TestClient(shell)
                let client = try TestClient(shell, to: .splitView(.right))
                try client.run("c = bind('zwp_pointer_constraints_v1'); lock = c.lock_pointer(surface, pointer, None, 2)")
                try shell.click(Point(900, 500))
                try client.waitFor("zwp_locked_pointer_v1.locked")
                // A finger on the other window takes the keyboard there.
                var mark = try client.mark()
                try shell.tap(Point(200, 500))
                try client.waitFor("zwp_locked_pointer_v1.unlocked", since: mark)
                try shell.tap(Point(900, 500))
                try shell.client.input(.pointerMotion(at: Point(901, 500)))
                try client.waitFor("zwp_locked_pointer_v1.locked", since: mark)
                // The app switcher and the home screen do, too.
                for action: Action in [.appSwitcher, .home] {
                    mark = try client.mark()
                    try shell.perform(action)
                    try client.waitFor("zwp_locked_pointer_v1.unlocked", since: mark)
                    try shell.perform(.focus(window: client.id))
                    try shell.client.input(.pointerMotion(at: Point(900, 500)))
                    try client.waitFor("zwp_locked_pointer_v1.locked", since: mark)
                }
                try client.run("lock.destroy(); lock = c.lock_pointer(surface, pointer, None, 1)")
                mark = try client.mark()
                try client.waitFor("zwp_locked_pointer_v1.locked")
                try shell.tap(Point(200, 500))
                try client.waitFor("zwp_locked_pointer_v1.unlocked", since: mark)
                mark = try client.mark()
                try shell.tap(Point(900, 500))
                try shell.client.input(.pointerMotion(at: Point(910, 510)))
                _ = try client.mark()
                #expect(try client.events(since: mark, "zwp_locked_pointer_v1.locked").isEmpty)
                // It is used up, so another one may be made.
                try client.run("lock.destroy(); lock = c.lock_pointer(surface, pointer, None, 1)")
                try client.waitFor("zwp_locked_pointer_v1.locked", since: mark)
                // Its client dies while it holds the pointer.
                client.signal(9)
                try shell.client.waitUntilGone(client.id)
                let free = try other.mark()
                try shell.client.input(.pointerMotion(at: Point(300, 300)))
                try other.waitFor("wl_pointer.motion", since: free) { $0.a[1]?.number == 300 }
            }
        }

        @Test func aConfinedPointerStaysInItsRegion() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try mouse(client)
                try shell.client.input(.pointerMotion(at: Point(350, 350)))
                try client.run("c = bind('zwp_pointer_constraints_v1')")
                try client.run("cage = c.confine_pointer(surface, pointer, region(300, 300, 200, 100), 2)")
                try client.waitFor("zwp_confined_pointer_v1.confined")
                try roll(client, 1000, 10)
                var at = try place(client)
                #expect(at.x > 498 && at.x < 500 && at.y == 360)
                try roll(client, -1000, -1000)
                at = try place(client)
                #expect(at == Point(300, 300))
                try shell.client.input(.pointerMotion(at: Point(400, 700)))
                at = try place(client)
                #expect(at.y > 398 && at.y < 400)
                // A new region moves the pointer with the next commit.
                try client.run("cage.set_region(region(700, 500, 50, 50)); surface.commit()")
                try shell.wait("the pointer in the new region") {
                    let at = try place(client)
                    return Rect(700, 500, 50, 50).contains(at)
                }
                // Two rectangles that touch are one region.
                try client.run("r = region(700, 500, 50, 50); r.add(750, 520, 100, 10); cage.set_region(r); surface.commit()")
                try shell.client.input(.pointerMotion(at: Point(740, 525)))
                try roll(client, 90, 0)
                #expect(try place(client) == Point(830, 525))
                try client.run("cage.destroy()")
                try roll(client, 0, 100)
                #expect(try place(client) == Point(830, 625))
            }
        }

        /// A staircase region, on which wlroots' own algorithm does not terminate.
        @Test func aConfinedPointerIsNotWalkedAboutForEver() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try shell.client.input(.pointerMotion(at: Point(306.5, 303)))
                try client.run("stairs = region(302, 300, 4, 2); stairs.add(304, 302, 3, 2); stairs.add(305, 304, 3, 1)")
                try client.run("cage = bind('zwp_pointer_constraints_v1').confine_pointer(surface, pointer, stairs, 2)")
                try client.waitFor("zwp_confined_pointer_v1.confined")
                for (to, reached) in [
                    (Point(306, 301), Point(306, 302)), (Point(305, 301), Point(305, 301)),
                    (Point(305.5, 900), Point(305.5, 304)), (Point(0, 302.5), Point(304, 302.5)),
                    (Point(302, 0), Point(304, 300)),
                ] {
                    try shell.client.input(.pointerMotion(at: to))
                    #expect(try place(client) == reached, "to \(to)")
                }
            }
        }

        @Test func twoForOneSurfaceAreAnError() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try client.run("c = bind('zwp_pointer_constraints_v1'); a = c.lock_pointer(surface, pointer, None, 2)")
                try client.run("b = c.confine_pointer(surface, pointer, None, 2)")
                let error = try client.protocolError()
                #expect(error.object.hasPrefix("zwp_pointer_constraints_v1#") && error.code == 1)
                try shell.client.waitUntilGone(client.id)
            }
        }

        @Test func theyMayEndInAnyOrder() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try shell.client.input(.pointerMotion(at: Point(350, 350)))
                try client.run("c = bind('zwp_pointer_constraints_v1'); g = bind('zwp_pointer_gestures_v1')")
                try client.run("lock = c.lock_pointer(surface, pointer, None, 2); swipe = g.get_swipe_gesture(pointer)")
                try client.waitFor("zwp_locked_pointer_v1.locked")
                // The pointer first, then the managers, then the surface of the active lock.
                try client.run("pointer.release(); c.destroy(); g.release(); app.connection.roundtrip()")
                try client.run("window.toplevel.destroy(); window.xdg.destroy(); surface.destroy(); app.connection.roundtrip()")
                try client.run("lock.destroy(); swipe.destroy()")
                try shell.client.waitUntilGone(client.id)
                try shell.client.input(.pointerMotion(at: Point(500, 500)))
                shell.expectAlive()
            }
        }

        // MARK: Touchpads

        @Test func gesturesOnTheTouchpadAreTheAppsUnderThePointer() throws {
            try ShellUnderTest.with(config: still) { shell in
                let other = try TestClient(shell)
                let client = try TestClient(shell, to: .splitView(.right))
                for each in [client, other] {
                    try each.run("g = bind('zwp_pointer_gestures_v1'); swipe = g.get_swipe_gesture(pointer)")
                    try each.run("pinch = g.get_pinch_gesture(pointer); hold = g.get_hold_gesture(pointer)")
                }
                try shell.client.input(.pointerMotion(at: Point(900, 400)))
                var mark = try client.mark()
                func touchpad(
                    _ gesture: InputRequest.TouchpadGesture, _ phase: InputRequest.TouchpadPhase, _ by: Point? = nil, scale: Double? = nil,
                    rotation: Double? = nil
                ) throws {
                    try shell.client.input(.touchpad(gesture: gesture, phase: phase, fingers: 3, by: by, scale: scale, rotation: rotation))
                }
                func seen(_ client: TestClient, since mark: Int) throws -> [String] {
                    _ = try client.mark()
                    return try client.events(since: mark).map(\.name).filter { $0.hasPrefix("zwp_pointer_gesture_") }
                        .map { String($0.dropFirst("zwp_pointer_gesture_".count)) }
                }
                try touchpad(.swipe, .begin)
                try touchpad(.swipe, .update, Point(12, -4))
                try touchpad(.swipe, .end)
                #expect(try seen(client, since: mark) == ["swipe_v1.begin", "swipe_v1.update", "swipe_v1.end"])
                let update = try #require(try client.events(since: mark, "zwp_pointer_gesture_swipe_v1.update").first)
                #expect(update.a[1]?.number == 12 && update.a[2]?.number == -4)
                mark = try client.mark()
                try touchpad(.pinch, .begin)
                try touchpad(.pinch, .update, Point(0, 0), scale: 1.5, rotation: 10)
                try touchpad(.pinch, .cancel)
                try touchpad(.hold, .begin)
                try touchpad(.hold, .end)
                #expect(
                    try seen(client, since: mark) == [
                        "pinch_v1.begin", "pinch_v1.update", "pinch_v1.end", "hold_v1.begin", "hold_v1.end",
                    ])
                let pinch = try #require(try client.events(since: mark, "zwp_pointer_gesture_pinch_v1.update").first)
                #expect(pinch.a[3]?.number == 1.5 && pinch.a[4]?.number == 10)
                #expect(try client.events(since: mark, "zwp_pointer_gesture_pinch_v1.end").first?.a[2]?.number == 1)
                #expect(try seen(other, since: 0).isEmpty)
                // The pointer moves elsewhere during one: the gesture ends and nobody gets the rest.
                mark = try client.mark()
                try touchpad(.swipe, .begin)
                try shell.client.input(.pointerMotion(at: Point(200, 400)))
                try touchpad(.swipe, .update, Point(5, 5))
                try touchpad(.swipe, .end)
                #expect(try seen(client, since: mark) == ["swipe_v1.begin", "swipe_v1.end"])
                #expect(try client.events(since: mark, "zwp_pointer_gesture_swipe_v1.end").first?.a[2]?.number == 1)
                #expect(try seen(other, since: 0).isEmpty)
            }
        }
    }
}
