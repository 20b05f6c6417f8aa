import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rotation, another resolution, another scale: everything keeps its place, in sizes that fit.
    @Suite(.serialized) struct ScreenTests {
        private let fast = "launch = []\nreduced-motion = true\n"

        @Test func rotationKeepsTheArrangement() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell, ["--colour", "aa2222"])
                let b = try TestClient(shell, ["--colour", "22aa22"], to: .splitView(.right))
                let card = try TestClient(shell, ["--colour", "2222aa"], to: .slideOver)
                let pip = try TestClient(shell, ["--colour", "aaaa22"], to: .pictureInPicture)
                try shell.perform(.divider(fraction: 1.0 / 3))
                let places: [WindowID: WindowReport.PlaceName] = [
                    a.id: .splitLeft, b.id: .splitRight, card.id: .slideOver, pip.id: .pictureInPicture,
                ]
                try shell.expectPlaces(places)
                let start = try shell.state()
                for turn in [1, 2, 3, 0] {
                    try shell.perform(.rotate(turn))
                    let state = try shell.state()
                    let size = turn % 2 == 1 ? Size(820, 1180) : Size(1180, 820)
                    #expect(state.screen?.size == size)
                    try shell.expectPlaces(places)
                    #expect(abs(try #require(state.divider?.fraction) - 1.0 / 3) < 0.001)
                    for window in state.windows {
                        let frame = try #require(window.frame)
                        #expect(Rect(origin: .zero, size: size).contains(frame), "\(window)")
                        #expect(window.told == frame.size.rounded && window.size == frame.size.rounded)
                    }
                    // A rotated screen is shown upright.
                    let picture = try shell.picture()
                    #expect(picture.width == Int(clamping: size.width) && picture.height == Int(clamping: size.height))
                    #expect(picture[30, Int(clamping: size.height) / 2] == .init(0xaa2222))
                }
                let end = try shell.state()
                #expect(end.windows.map(\.frame) == start.windows.map(\.frame))
                #expect(end.focus == start.focus)
            }
        }

        /// In portrait, windows can also be one above the other.
        @Test func topAndBottomByTouch() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell, ["--colour", "aa2222"]), b = try TestClient(shell, ["--colour", "22aa22"])
                try shell.perform(.rotate(1))
                try shell.drag(Point(410, 18), Point(410, 1165), duration: 400)
                try shell.expectPlaces([b.id: .splitBottom, a.id: .splitTop])
                #expect(try shell.state().divider?.axis == .vertical)
                let picture = try shell.picture()
                #expect(picture[400, 300] == .init(0xaa2222) && picture[400, 900] == .init(0x22aa22))
                // The divider is horizontal, and a finger can grab it.
                try shell.drag(Point(410, 590), Point(410, 780))
                #expect(abs(try #require(try shell.state().divider?.fraction) - 2.0 / 3) < 0.001)
                #expect(try a.report.size == Size(820, 780))
                // Rotated, they are side by side, and one above the other again afterwards.
                try shell.perform(.rotate(0))
                try shell.expectPlaces([b.id: .splitRight, a.id: .splitLeft])
                try shell.perform(.rotate(3))
                try shell.expectPlaces([b.id: .splitBottom, a.id: .splitTop])
            }
        }

        @Test func anotherResolution() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                let card = try TestClient(shell, to: .slideOver), pip = try TestClient(shell, to: .pictureInPicture)
                for size in [Size(800, 600), Size(1920, 1080), Size(640, 900), Size(1180, 820)] {
                    try shell.perform(.resizeScreen(size: size))
                    // On a busy machine, a client may answer after the shell's timeout.
                    try shell.wait("every window to have its new size") {
                        let state = try shell.state()
                        return [a.id, b.id, card.id, pip.id].allSatisfy { state[$0]?.size == state[$0]?.frame?.size.rounded }
                    }
                    let state = try shell.state()
                    #expect(state.screen?.size == size)
                    for id in [a.id, b.id, card.id, pip.id] {
                        let window = try #require(state[id])
                        let frame = try #require(window.frame)
                        #expect(Rect(origin: .zero, size: size).contains(frame), "\(window)")
                        #expect(window.size == frame.size.rounded)
                    }
                    let picture = try shell.picture()
                    #expect(picture.width == Int(clamping: size.width) && picture.height == Int(clamping: size.height))
                }
                try shell.expectPlaces([
                    a.id: .splitLeft, b.id: .splitRight, card.id: .slideOver, pip.id: .pictureInPicture,
                ])
            }
        }

        /// A client that draws at the output's scale is shown pixel for pixel.
        @Test func scale2IsSharp() throws {
            try ShellUnderTest.with(size: "1180x820", scale: 2, config: fast) { shell in
                let client = try TestClient(shell, ["--sharp", "--colour", "204080", "--edge", "ffcc00"])
                #expect(try shell.state().screen?.size == Size(590, 410))
                try shell.wait("it to draw anew") {
                    try shell.picture().runs(row: 600).map(\.length) == [3, 1174, 3]
                }
                let runs = try shell.picture().runs(row: 600)
                #expect(runs.map(\.colour) == [.init(0xffcc00), .init(0x204080), .init(0xffcc00)])
                #expect(try client.report.size == Size(590, 410))
            }
        }

        @Test(arguments: [1.5, 2.0]) func textIsSharp(scale: Double) throws {
            try ShellUnderTest.with(size: "1180x820", scale: scale, config: fast) { shell in
                let app = try shell.open("foot", of: "foot", ["sh", "-c", "seq -w 4000; exec sleep 1000"])
                let screen = try #require(try shell.state().screen)
                #expect(abs(screen.size.width - 1180 / scale) < 1 && abs(screen.size.height - 820 / scale) < 1)
                try shell.expectShown(app.id)
                // If it were drawn at half the resolution and stretched, no two neighbours would differ much. The terminal may be
                // shown before it has written its lines.
                try shell.wait("sharp text") {
                    let picture = try shell.picture()
                    var steps = 0
                    for y in 100..<700 {
                        for x in 0..<100 where picture[x, y].distance(to: picture[x + 1, y]) > 120 { steps += 1 }
                    }
                    return steps > 1500
                }
            }
        }

        @Test func anotherScaleWhileItRuns() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell, ["--sharp"])
                try shell.perform(.resizeScreen(scale: 2))
                #expect(try shell.state().screen?.scale == 2)
                try shell.wait("it to draw anew") { try shell.picture().runs(row: 600).map(\.length) == [3, 2354, 3] }
                #expect(try a.report.size == Size(1180, 820))
                try shell.perform(.resizeScreen(scale: 1))
                try shell.wait("it to draw anew") { try shell.picture().runs(row: 600).map(\.length) == [3, 1174, 3] }
                #expect(try a.report.size == Size(1180, 820))
            }
        }

        /// Panels keep their exclusive zone; windows share the rest, and get it back.
        @Test(arguments: [
            ("top", Rect(0, 40, 1180, 780)), ("bottom", Rect(0, 0, 1180, 780)), ("left", Rect(40, 0, 1140, 820)),
            ("right", Rect(0, 0, 1140, 820)),
        ])
        func panels(edge: String, rest: Rect) throws {
            try ShellUnderTest.with(config: fast) { shell in
                let a = try TestClient(shell), b = try TestClient(shell, to: .splitView(.right))
                let panel = try shell.start(["python3", "\(TestClient.folder)/panel.py", edge, "40", "884422"])
                try shell.wait("room for the panel") { try shell.state().screen?.usable == rest }
                try shell.settle()
                let frames = try (#require(a.report.frame), #require(b.report.frame))
                #expect(rest.contains(frames.0) && rest.contains(frames.1))
                #expect(try a.report.size == frames.0.size && b.report.size == frames.1.size)
                let bar = Rect(
                    edge == "right" ? 1140 : 0, edge == "bottom" ? 780 : 0, rest.width < 1180 ? 40 : 1180,
                    rest.height < 820 ? 40 : 820)
                #expect(try shell.picture().singleColour(in: bar) == .init(0x884422))
                let marks = try (a.mark(), b.mark())
                try shell.tap(bar.center)
                try shell.click(bar.center)
                try shell.wait("the panel's finger and button") {
                    let text = shell.text(of: panel.output)
                    return text.contains("down") && text.contains("button")
                }
                _ = try (a.mark(), b.mark())
                #expect(try a.events(since: marks.0, "wl_touch.down").isEmpty && b.events(since: marks.1, "wl_touch.down").isEmpty)
                shell.signal(panel.process, SIGKILL)
                try shell.wait("the room back") { try shell.state().screen?.usable == ShellUnderTest.whole }
                try shell.settle()
                #expect(try a.report.frame == ShellUnderTest.leftHalf && b.report.frame == ShellUnderTest.rightHalf)
            }
        }
    }
}
