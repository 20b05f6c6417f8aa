import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Dragging the divider: both windows change in the same frame, a slow one delays that only briefly, and the divider stays by the
    /// finger all the same (W-04).
    @Suite(.serialized) struct LiveResizeTests {
        private static let left = Picture.Pixel(0x80_3020), leftEdge = Picture.Pixel(0xff_0000)
        private static let right = Picture.Pixel(0x20_5080), rightEdge = Picture.Pixel(0x00_ff00)

        private func withSplit(_ body: (ShellUnderTest, TestClient, TestClient) throws -> Void) throws {
            try ShellUnderTest.with { shell in
                let a = try TestClient(shell, ["--colour", "803020", "--edge", "ff0000"])
                let b = try TestClient(shell, ["--colour", "205080", "--edge", "00ff00"], to: .splitView(.right))
                try shell.expectPlaces([a.id: .splitLeft, b.id: .splitRight])
                try body(shell, a, b)
            }
        }

        /// Reads one row of the screen. Returns the width of each side's picture if each is whole, unscaled and alone
        /// in its half, with only the divider between them.
        private func halves(_ picture: Picture, _ location: SourceLocation = #_sourceLocation) throws -> (left: Int, right: Int) {
            let runs = picture.runs(row: 500)
            let text = "\(runs.map { "\($0.colour)×\($0.length)" })"
            try #require(runs.count >= 7, "\(text)", sourceLocation: location)
            let head = runs.prefix(3), tail = runs.suffix(3)
            #expect(head.map(\.colour) == [Self.leftEdge, Self.left, Self.leftEdge], "\(text)", sourceLocation: location)
            #expect(tail.map(\.colour) == [Self.rightEdge, Self.right, Self.rightEdge], "\(text)", sourceLocation: location)
            for edge in [head.first!, head.last!, tail.first!, tail.last!] {
                #expect(edge.length == 3, "\(text)", sourceLocation: location)
            }
            let widths = (head.map(\.length).reduce(0, +), tail.map(\.length).reduce(0, +))
            #expect(picture.width - widths.0 - widths.1 == 10, "the divider alone is between them: \(text)", sourceLocation: location)
            return widths
        }

        private func waitForAnswers(_ shell: ShellUnderTest, _ clients: TestClient...) throws {
            for client in clients {
                try shell.wait("an answer") {
                    let report = try client.report
                    return report.answered == report.configured
                }
            }
        }

        @Test func bothSidesChangeTogether() throws {
            try withSplit { shell, a, b in
                try shell.stopClock()
                try shell.down(Point(590, 410))
                var seen: Set<Int> = []
                for x in stride(from: 600.0, through: 780, by: 15) {
                    try shell.move(Point(x, 410))
                    // At any moment: no gap, no overlap, nothing stretched.
                    seen.insert(try halves(try shell.picture()).left)
                    try waitForAnswers(shell, a, b)
                    try shell.step(9)
                    let widths = try halves(try shell.picture())
                    seen.insert(widths.left)
                    #expect(try a.report.size.width == Double(widths.left))
                    #expect(try b.report.size.width == Double(widths.right))
                }
                try waitForAnswers(shell, a, b)
                #expect(try halves(try shell.picture()).left == 775, "where the finger is")
                #expect(seen.count >= 8, "it follows the finger all the way")
                #expect(try shell.state().divider?.dragged == true)
                try shell.step(500)
                try shell.lift()
                try shell.startClock()
                try shell.settle()
                // Two thirds is the nearest rest position.
                #expect(abs(try #require(try shell.state().divider?.fraction) - 2.0 / 3) < 0.001)
                #expect(try halves(try shell.picture()).left == 780)
            }
        }

        /// The left and the right end of the divider, which alone is between the two pictures, stretched or not.
        private func divider(_ picture: Picture, _ location: SourceLocation = #_sourceLocation) throws -> (left: Int, right: Int) {
            // The left picture is red and brown, the right one green and blue.
            let runs = picture.runs(row: 500)
            func isLeft(_ pixel: Picture.Pixel) -> Bool { Int(pixel.red) > Int(max(pixel.green, pixel.blue)) + 30 }
            func isRight(_ pixel: Picture.Pixel) -> Bool { Int(max(pixel.green, pixel.blue)) > Int(pixel.red) + 30 }
            var left = 0, right = 0
            for run in runs.prefix(while: { isLeft($0.colour) }) { left += run.length }
            for run in runs.reversed().prefix(while: { isRight($0.colour) }) { right += run.length }
            #expect(abs(picture.width - left - right - 10) <= 2, "\(runs.map { "\($0.colour)×\($0.length)" })", sourceLocation: location)
            return (left, picture.width - right)
        }

        @Test func theDividerStaysByTheFinger() throws {
            try withSplit { shell, a, b in
                try shell.stopClock()
                try shell.down(Point(590, 410))
                a.signal(SIGSTOP)
                b.signal(SIGSTOP)
                defer {
                    a.signal(SIGCONT)
                    b.signal(SIGCONT)
                }
                for x in [570.0, 500, 420, 470, 640, 700] {
                    try shell.move(Point(x, 410))
                    try shell.step(16)
                    let found = try divider(try shell.picture())
                    #expect(abs(Double(found.left + found.right) / 2 - x) <= 20, "\(found) for a finger at \(x)")
                }
                a.signal(SIGCONT)
                b.signal(SIGCONT)
                for _ in 0..<2 {
                    try waitForAnswers(shell, a, b)
                    try shell.step(320)
                }
                #expect(try halves(try shell.picture()).left == 695, "they are sharp again")
                try shell.lift()
                try shell.startClock()
                try shell.settle()
            }
        }

        /// The same under the real clock, as fast as the machine can.
        @Test func neverATornFrame() throws {
            try withSplit { shell, a, b in
                try shell.down(Point(590, 410))
                var widths: Set<Int> = []
                for x in stride(from: 590.0, through: 330, by: -13) {
                    try shell.move(Point(x, 410))
                    widths.insert(try divider(try shell.picture()).left)
                }
                try waitForAnswers(shell, a, b)
                try shell.lift()
                try shell.settle()
                _ = try halves(try shell.picture())
                #expect(widths.count > 3)
            }
        }

        @Test func aStoppedClientIsWaitedForNoLongerThan300Milliseconds() throws {
            try withSplit { shell, a, b in
                try shell.stopClock()
                try shell.down(Point(590, 410))
                b.signal(SIGSTOP)
                defer { b.signal(SIGCONT) }
                try shell.move(Point(740, 410))
                try waitForAnswers(shell, a)
                // The left one has answered, but both keep their pictures, stretched behind the finger.
                #expect(try abs(divider(try shell.picture()).left - 719) <= 1)
                try shell.step(290)
                #expect(try abs(divider(try shell.picture()).left - 719) <= 1)
                try shell.step(20)
                #expect(try b.report.late)
                let runs = try shell.picture().runs(row: 500)
                #expect(runs.prefix(3).map(\.colour) == [Self.leftEdge, Self.left, Self.leftEdge])
                #expect(runs.prefix(3).map(\.length).reduce(0, +) == 735, "the left one is there")
                let place = try #require(try b.report.shownFrame), picture = try #require(try b.report.picture)
                #expect(place.minX == 745 && place.maxX == 1180)
                #expect(place.inset(by: -0.01).contains(picture), "the right one, with its old picture, keeps to its half")
                #expect(!runs.dropFirst(3).contains { $0.colour == Self.left || $0.colour == Self.leftEdge })

                // It is not waited for a second time.
                try shell.move(Point(700, 410))
                try waitForAnswers(shell, a)
                try shell.step(9)
                #expect(try shell.picture().runs(row: 500).prefix(3).map(\.length).reduce(0, +) == 695)

                b.signal(SIGCONT)
                try shell.wait("the right one to answer") { try !b.report.late }
                try shell.lift()
                try shell.startClock()
                try shell.settle()
                try waitForAnswers(shell, a, b)
                _ = try halves(try shell.picture())
                #expect(try b.report.late == false)
            }
        }

        @Test func toAnEdgeItLeavesOneWindow() throws {
            try withSplit { shell, a, b in
                try shell.drag(Point(590, 410), Point(1170, 410), duration: 400)
                try shell.expectPlaces([a.id: .full])
                #expect(try shell.state().divider == nil)
                #expect(try shell.state().spaces.count == 2, "the other one is not closed")
                #expect(try b.report.place == .full)
                #expect(try shell.picture().singleColour(in: Rect(100, 100, 1000, 600)) == Self.left)
            }
        }

        /// A client whose minimum size is larger than its place is scaled to fit, and never overlaps its neighbour
        /// (W-11).
        @Test func aWindowThatDoesNotFitIsScaled() throws {
            try withSplit { shell, a, b in
                try b.tell("minimum 900 600")
                try shell.wait("its new limit") { try b.report.minimum == Size(900, 600) }
                try shell.perform(.divider(fraction: 1.0 / 3))
                try shell.perform(.divider(fraction: 0.5))
                let report = try b.report
                #expect(report.size.width == 900)
                let picture = try #require(report.picture)
                #expect(abs(picture.width - 585) < 1 && picture.minX >= 594.5, "\(picture)")
                #expect(abs(try #require(report.scale) - 0.65) < 0.01)
                let runs = try shell.picture().runs(row: 410, tolerance: 40)
                #expect(runs.prefix(3).map(\.length).reduce(0, +) == 585, "the left one is whole: \(runs)")
                // Input goes where the picture is.
                try shell.tap(Point(595 + 292.5, 410))
                let down = try b.waitFor("wl_touch.down")
                let x = try #require(down.a[4]?.number)
                #expect(abs(x - 450) < 3, "\(down)")
            }
        }
    }
}
