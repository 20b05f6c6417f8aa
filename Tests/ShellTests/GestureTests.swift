import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Fingers from the screen's edges (S-01, S-02): up from the bottom, along it, down from the top.
    @Suite(.serialized) struct GestureTests {
        private static let config = "launch = []\nwallpaper = \"#232b3a\"\nanimation-speed = 3\n"
        private static let edge = Point(590, 815)

        private func with(_ body: (ShellUnderTest, _ first: TestClient, _ front: TestClient) throws -> Void) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                try body(shell, TestClient(shell, ["--colour", "aa2222"]), TestClient(shell, ["--colour", "22aa22"]))
            }
        }

        private func touches(_ client: TestClient, since mark: Int) throws -> [String] {
            _ = try client.mark()
            return try client.events(since: mark, "wl_touch.down", "wl_touch.up", "wl_touch.cancel").map(\.e)
        }

        /// The result of a swipe.
        enum End: String, Sendable {
            case home, switcher, dock, nothing, otherSpace
        }

        private func end(_ shell: ShellUnderTest, _ front: WindowID) throws -> End {
            try shell.expectInOrder()
            let state = try shell.state()
            if state.home, state.open == [] { return .home }
            if state.open == ["switcher"] { return .switcher }
            if state.open == ["dock"] { return .dock }
            #expect(state.open == [] && !state.home)
            return state.focus == front ? .nothing : .otherSpace
        }

        struct Swipe: Sendable, CustomTestStringConvertible {
            var up: Double, along = 0.0, duration: Double, rest: Double
            var end: End

            var testDescription: String { "up \(up), along \(along) in \(duration) ms, rest \(rest) -> \(end)" }
        }

        @Test(arguments: [
            Swipe(up: 60, duration: 300, rest: 60, end: .dock), Swipe(up: 40, duration: 600, rest: 0, end: .dock),
            Swipe(up: 260, duration: 350, rest: 400, end: .switcher), Swipe(up: 200, duration: 3000, rest: 500, end: .switcher),
            Swipe(up: 300, duration: 120, rest: 0, end: .home), Swipe(up: 700, duration: 700, rest: 0, end: .home),
            Swipe(up: 100, duration: 20, rest: 0, end: .home), Swipe(up: 8, duration: 100, rest: 0, end: .nothing),
            // There is no space beyond the last one.
            Swipe(up: 20, along: -400, duration: 200, rest: 0, end: .nothing),
            Swipe(up: 20, along: 400, duration: 900, rest: 100, end: .otherSpace),
            Swipe(up: 810, duration: 8, rest: 0, end: .home),
        ])
        func fromTheBottomEdge_S01(swipe: Swipe) throws {
            try with { shell, _, front in
                let mark = try front.mark()
                // By the hand clock: how fast a finger is decides, and a busy machine would delay some of its steps.
                try byHandClock(shell) {
                    try shell.down(Self.edge)
                    let steps = max(1, Int(clamping: swipe.duration / 10))
                    for step in 1...steps {
                        try shell.step(swipe.duration / Double(steps))
                        let share = Double(step) / Double(steps)
                        try shell.move(Self.edge + Vector(swipe.along * share, -swipe.up * share))
                    }
                    if swipe.rest > 0 { try shell.step(swipe.rest) }
                    try shell.lift()
                }
                try shell.settle()
                #expect(try end(shell, front.id) == swipe.end)
                let heard = try touches(front, since: mark)
                #expect(heard == (swipe.up < 10 ? ["down", "up"] : ["down", "cancel"]), "the app's touch is taken back: \(heard)")
                // Afterwards everything works as usual.
                if swipe.end == .switcher || swipe.end == .dock { try shell.perform(.dismiss) }
                if swipe.end == .home { try shell.perform(.home) }
                if swipe.end != .otherSpace { try shell.expectShown(front.id) }
            }
        }

        /// While the finger is down, the app follows it as a card. If the finger returns, nothing has changed.
        @Test func reversed_S01() throws {
            try with { shell, _, front in
                try byHandClock(shell) {
                    try shell.down(Self.edge)
                    for step in 1...20 { try move(shell, to: step) }
                    try shell.step(50)
                    let picture = try shell.picture()
                    #expect(picture.pixel(at: Point(40, 780))?.distance(to: .init(0x22aa22)) ?? 0 > 40, "the card has left the corner")
                    for step in (0...20).reversed() { try move(shell, to: step) }
                    try shell.step(30)
                    try shell.lift()
                }
                #expect(try end(shell, front.id) == .nothing)
                try shell.expectShown(front.id)
                // The device cancels the touch.
                try byHandClock(shell) {
                    try shell.down(Self.edge)
                    for step in 1...20 { try move(shell, to: step) }
                    try shell.client.input(.touchCancel())
                }
                #expect(try end(shell, front.id) == .nothing)
                try shell.expectShown(front.id)
            }
        }

        /// A busy machine leaves the shell without a processor in the middle of a swipe. Its steps and the shell's own timers then happen in
        /// the order and at the times at which they were due.
        @Test(arguments: [
            Swipe(up: 60, duration: 300, rest: 60, end: .dock), Swipe(up: 260, duration: 350, rest: 400, end: .switcher),
            Swipe(up: 300, duration: 160, rest: 0, end: .home), Swipe(up: 20, along: 400, duration: 500, rest: 100, end: .otherSpace),
        ])
        func aSwipeBesideABusyMachineIsTheSame(swipe: Swipe) throws {
            try with { shell, _, front in
                let process = try shell.client.ask(.get(.version), for: VersionReport.self).process
                Task.detached {
                    usleep(60_000)
                    kill(process, SIGSTOP)
                    usleep(900_000)
                    kill(process, SIGCONT)
                }
                try shell.client.input(
                    .drag(
                        from: Self.edge, to: Self.edge + Vector(swipe.along, -swipe.up), duration: swipe.duration, rest: swipe.rest))
                try shell.settle()
                #expect(try end(shell, front.id) == swipe.end)
            }
        }

        /// A finger that the machine delays between two steps counts as resting, which opens the app switcher.
        private func byHandClock(_ shell: ShellUnderTest, _ gesture: () throws -> Void) throws {
            try shell.stopClock()
            try gesture()
            try shell.startClock()
        }

        /// Moves the finger up to its next position, ten milliseconds later.
        private func move(_ shell: ShellUnderTest, to step: Int) throws {
            try shell.step(10)
            try shell.move(Self.edge + Vector(0, Double(step) * -15))
        }

        /// A second finger is ignored while the first one holds the card.
        @Test func aSecondFinger_S01() throws {
            try with { shell, _, front in
                let mark = try front.mark()
                try shell.down(Self.edge)
                for step in 1...10 { try shell.move(Self.edge + Vector(0, Double(step) * -20)) }
                try shell.client.input(.touchDown(touch: 1, at: Point(300, 300)))
                try shell.client.input(.touchMotion(touch: 1, at: Point(500, 500)))
                try shell.client.input(.touchDown(touch: 2, at: Point(700, 815)))
                try shell.client.input(.touchMotion(touch: 2, at: Point(700, 400)))
                usleep(400_000)
                try shell.lift()
                try shell.client.input(.touchUp(touch: 1))
                try shell.client.input(.touchUp(touch: 2))
                #expect(try end(shell, front.id) == .switcher, "it rested")
                #expect(try touches(front, since: mark) == ["down", "cancel"])
                try shell.perform(.dismiss)
                let again = try front.mark()
                try shell.tap(Point(300, 300))
                #expect(try touches(front, since: again) == ["down", "up"])
            }
        }

        @Test(arguments: [0, 1]) func aClientDiesInTheMiddle_S01(which: Int) throws {
            try with { shell, first, front in
                try shell.down(Self.edge)
                for step in 1...10 { try shell.move(Self.edge + Vector(0, Double(step) * -20)) }
                let victim = which == 0 ? front : first, other = which == 0 ? first : front
                victim.signal(9)
                try shell.waitUntilGone(victim.id)
                for step in 10...20 { try shell.move(Self.edge + Vector(0, Double(step) * -20)) }
                try shell.lift()
                try shell.expectInOrder()
                if try shell.state().open != [] { try shell.perform(.dismiss) }
                if try shell.state().home { try shell.perform(.focus(window: other.id)) }
                try shell.expectPlaces([other.id: .full])
                try shell.expectShown(other.id)
            }
        }

        /// The only window is destroyed under the finger.
        @Test func theLastClientDiesInTheMiddle_S01() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let client = try TestClient(shell)
                try shell.down(Self.edge)
                for step in 1...10 { try shell.move(Self.edge + Vector(0, Double(step) * -20)) }
                client.signal(9)
                try shell.waitUntilGone(client.id)
                try shell.move(Point(590, 300))
                try shell.lift()
                try shell.expectInOrder()
                #expect(try shell.state().home)
            }
        }

        @Test func theScreenTurnsInTheMiddle_S01() throws {
            try with { shell, _, front in
                for turn in [1, 0] {
                    let edge = turn == 1 ? Self.edge : Point(410, 1175)
                    try shell.down(edge)
                    for step in 1...10 { try shell.move(edge + Vector(0, Double(step) * -20)) }
                    try shell.client.perform(.rotate(turn))
                    for step in 10...15 { try shell.move(edge + Vector(0, Double(step) * -20)) }
                    try shell.lift()
                    try shell.expectInOrder()
                    if try shell.state().open != [] { try shell.perform(.dismiss) }
                    try shell.perform(.focus(window: front.id))
                    try shell.expectShown(front.id)
                }
            }
        }

        /// The edge is sixteen points wide; the seventeenth belongs to the app.
        @Test func besideTheEdgeItIsTheApps_S01() throws {
            try with { shell, _, front in
                for from in [Point(590, 803), Point(300, 17)] {
                    let mark = try front.mark()
                    try shell.drag(from, Point(from.x, 420), duration: 200, rest: 0)
                    #expect(try touches(front, since: mark) == ["down", "up"], "\(from)")
                    #expect(try end(shell, front.id) == .nothing)
                }
                // The app also gets a tap at the edge.
                for at in [Point(200, 818), Point(200, 2)] {
                    let mark = try front.mark()
                    try shell.tap(at)
                    #expect(try touches(front, since: mark) == ["down", "up"], "\(at)")
                }
            }
        }

        // MARK: On the home screen and in the switcher

        @Test func fromHomeAndFromTheSwitcher_S02() throws {
            try with { shell, _, front in
                try shell.perform(.home)
                try shell.drag(Self.edge, Point(590, 560), duration: 350, rest: 400)
                #expect(try end(shell, front.id) == .switcher)
                try shell.drag(Self.edge, Point(590, 500), duration: 150, rest: 0)
                #expect(try end(shell, front.id) == .home)
                // From the home screen, a flick returns to what was in front.
                try shell.drag(Self.edge, Point(590, 500), duration: 150, rest: 0)
                _ = try end(shell, front.id)
            }
        }

        /// The dock appears over the app and disappears at a touch in the app. Its apps open from there.
        @Test func theDock_X03() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let red = try shell.openApp("test.red")
                try shell.drag(Self.edge, Point(590, 755), duration: 300, rest: 60)
                #expect(try shell.state().open == ["dock"])
                #expect(try shell.window(red.id).active)
                try shell.touch("dock/test.green")
                let green = try shell.waitForWindow(appID: "test.green")
                try shell.settle()
                #expect(try shell.state().open == [] && shell.window(green.id).active)
                try shell.drag(Self.edge, Point(590, 755), duration: 300, rest: 60)
                try shell.tap(Point(590, 300))
                try shell.settle()
                #expect(try shell.state().open == [])
                try shell.expectShown(green.id)
            }
        }

        // MARK: From the top

        /// A header bar asks for an interactive move as soon as the finger moves. The edge takes precedence.
        @Test(arguments: [("gtk3-demo", "gtk-3-examples"), ("gtk4-demo", "gtk-4-examples")])
        func downOverAHeaderBar_S01(program: String, package: String) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let app = try shell.open(program, of: package)
                for duration in [40.0, 250, 600, 1200] {
                    for (x, y) in [(300.0, 2.0), (460, 14), (590, 8), (720, 12), (1040, 6)] {
                        try shell.drag(Point(x, y), Point(x + 4, 260), duration: duration, rest: 0)
                        let state = try shell.state()
                        #expect(state.open == [x > 800 ? "control-centre" : "notifications"], "from \(x), \(y) in \(duration) ms")
                        #expect(state[app.id]?.place == .full)
                        if state.open != [] { try shell.perform(.dismiss) }
                        if state[app.id]?.place != .full { try shell.perform(.fullScreen(window: app.id)) }
                    }
                }
                // Below the edge, the header bar moves its window as usual.
                try shell.drag(Point(460, 24), ShellUnderTest.toSlideOver, duration: 400)
                #expect(try shell.window(app.id).place == .slideOver)
            }
        }

        @Test(arguments: [(Point(300, 4), "notifications"), (Point(590, 4), "notifications"), (Point(1120, 4), "control-centre")])
        func downFromTheTop_S01(from: Point, panel: String) throws {
            try with { shell, _, front in
                let mark = try front.mark()
                try shell.drag(from, Point(from.x, 30), duration: 100, rest: 300)
                #expect(try shell.state().open == [], "not far enough")
                try shell.drag(from, Point(from.x, 160), duration: 200, rest: 50)
                #expect(try shell.state().open == [panel])
                #expect(try touches(front, since: mark).filter { $0 == "up" }.count == 0)
                try shell.keepPicture(panel)
                // All of it is on the screen. A touch outside closes it and reaches nothing.
                for view in try shell.views() { #expect(ShellUnderTest.whole.contains(view.frame), "\(view.id)") }
                let again = try front.mark()
                try shell.tap(Point(590, 700))
                #expect(try end(shell, front.id) == .nothing && touches(front, since: again).isEmpty)
                try shell.perform(.home)
                try shell.drag(from, Point(from.x, 160), duration: 200, rest: 50)
                #expect(try shell.state().open == [panel], "at home too")
            }
        }
    }
}
