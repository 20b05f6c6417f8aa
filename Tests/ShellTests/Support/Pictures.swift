import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension Picture.Pixel {
    /// 0xRRGGBB
    init(_ hex: UInt32) { self.init(raw: 0xff00_0000 | hex) }
}

extension Picture {
    /// Whether it has more than one colour, so that a program has drawn something.
    func isDrawn(in rect: Rect? = nil) -> Bool { singleColour(in: rect, tolerance: 12) == nil }

    /// The number of pixels that differ, except at the rim. Fast if the pictures are equal.
    func pixelsDifferent(from other: Picture, rim: Int) -> Int {
        guard width == other.width, height == other.height else { return width * height }
        guard width > 2 * rim, height > 2 * rim else { return 0 }
        return pixels.withUnsafeBufferPointer { mine in
            other.pixels.withUnsafeBufferPointer { theirs in
                var count = 0
                for y in rim..<height - rim {
                    let from = y * width + rim, length = width - 2 * rim
                    guard memcmp(mine.baseAddress! + from, theirs.baseAddress! + from, length * 4) != 0 else { continue }
                    for x in from..<from + length where mine[x] != theirs[x] { count += 1 }
                }
                return count
            }
        }
    }

    /// The runs of one colour along a row of pixels.
    func runs(row y: Int, tolerance: Int = 0) -> [(colour: Pixel, length: Int)] {
        var runs: [(colour: Pixel, length: Int)] = []
        for x in 0..<width {
            let pixel = self[x, y]
            if let last = runs.last, last.colour.distance(to: pixel) <= tolerance {
                runs[runs.count - 1].length += 1
            } else {
                runs.append((pixel, 1))
            }
        }
        return runs
    }
}

extension ShellUnderTest {
    /// Checks pixel by pixel that the output shows this window as the window itself looks, except for its rim, where
    /// the shell draws dots, corners and shadows. `still`: its picture does not change, unlike a video's.
    func expectShown(_ id: WindowID, still: Bool = true, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        let state = try state()
        guard let window = state[id], let rect = window.picture, let scale = window.scale, let frame = window.shownFrame else {
            Issue.record("\(id) is not seen", sourceLocation: sourceLocation)
            return
        }
        #expect(frame.inset(by: -1).contains(rect), "\(window.appID) leaves its place", sourceLocation: sourceLocation)
        let own = try picture(of: id)
        let mean = own.meanColour()
        #expect(own.isDrawn() || mean?.alpha ?? 0 > 0, "\(window.appID) has drawn nothing", sourceLocation: sourceLocation)
        // Translucent parts show what is behind them, and scaled parts are filtered.
        guard still, abs(scale - 1) < 0.001, mean?.alpha == 255, state.screen?.scale == 1 else { return }
        // The two are captured one after the other, and a caret may blink or a message fade in between. A wrongly
        // drawn window stays wrong. A busy machine may draw some seconds later.
        var different = Int.max, attempt = 0
        let end = ContinuousClock.now + .seconds(8)
        while different >= 600, attempt == 0 || ContinuousClock.now < end {
            if attempt > 0 { usleep(100_000) }
            attempt += 1
            let own = try picture(of: id)
            let shown = try picture().cropped(to: rect.rounded)
            guard own.width == shown.width, own.height == shown.height else { continue }
            different = shown.pixelsDifferent(from: own, rim: 30)
        }
        #expect(different < 600, "\(window.appID) looks different on the output in \(different) pixels", sourceLocation: sourceLocation)
    }

    /// Checks that each window is where it should be, and its client has acked that.
    func expectPlaces(
        _ places: [WindowID: WindowReport.PlaceName], answered: Bool = true, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func haveAnswered() throws -> Bool {
            let state = try self.state()
            return places.keys.allSatisfy { id in state[id].map { $0.answered == $0.configured } ?? true }
        }
        // An app may get a last configure that nothing waits for, such as a change of activation.
        if answered { try wait("their answers", until: haveAnswered) }
        let state = try state()
        for (id, place) in places {
            guard let window = state[id] else {
                Issue.record("\(id) is gone", sourceLocation: sourceLocation)
                continue
            }
            #expect(window.place == place, "\(window.appID)", sourceLocation: sourceLocation)
            guard answered else { continue }
            #expect(!window.late, "\(window.appID) is late", sourceLocation: sourceLocation)
            #expect(window.answered == window.configured, "\(window.appID) has not answered", sourceLocation: sourceLocation)
        }
    }
}

/// One line of a configure log: "seq=3 size=1180x820 states=activated,maximized".
struct ConfigureLine: Hashable {
    var size: Size
    var states: Set<String>

    init?(_ line: String) {
        var size: Size?
        var states: Set<String>?
        for field in line.split(separator: " ") {
            if field.hasPrefix("size=") {
                let sides = field.dropFirst(5).split(separator: "x").compactMap { Double($0) }
                if sides.count == 2 { size = Size(sides[0], sides[1]) }
            }
            if field.hasPrefix("states=") { states = Set(field.dropFirst(7).split(separator: ",").map(String.init)) }
        }
        guard let size, let states else { return nil }
        self.size = size
        self.states = states
    }

    /// Everything but the size and the activation, which must be the same everywhere (W-10).
    var rest: Set<String> { states.subtracting(["activated"]) }
}

extension ShellUnderTest {
    func configures(of id: WindowID) throws -> [ConfigureLine] {
        try client.configureLog(of: id).map { line in
            guard let parsed = ConfigureLine(line) else { throw Failure("a line of the configure log is not understood: \(line)") }
            return parsed
        }
    }
}
