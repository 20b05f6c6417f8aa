import Chrome
import Control
import Settings
import Geometry
import MullionTesting
import Testing
import Windows

extension Picture.Pixel {
    init(_ hex: UInt32) { self.init(raw: 0xff00_0000 | hex) }
}

extension Picture {
    /// More than a few colours: a program has drawn something here.
    func isDrawn(in rect: Rect) -> Bool { singleColour(in: rect, tolerance: 12) == nil }

    /// The runs of one colour along a row of pixels, as the colour and how many there are.
    func runs(row y: Int, from x0: Int = 0, to x1: Int? = nil) -> [(colour: Pixel, length: Int)] {
        var runs: [(colour: Pixel, length: Int)] = []
        for x in x0..<(x1 ?? width) {
            let pixel = self[x, y]
            if let last = runs.last, last.colour == pixel { runs[runs.count - 1].length += 1 } else { runs.append((pixel, 1)) }
        }
        return runs
    }
}

extension ShellUnderTest {
    /// The output shows this window as the window itself looks: compared pixel by pixel, without its rim, where the
    /// shell draws grips, corners and shadows.
    func expectShown(
        _ id: WindowID, tolerance: Int = 8, share: Double = 0.02, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let window = try window(id)
        guard let frame = window.picture?.rounded, let scale = window.scale else {
            Issue.record("\(id) is not seen", sourceLocation: sourceLocation)
            return
        }
        #expect(abs(scale - 1) < 0.001, "\(window.appID) is scaled", sourceLocation: sourceLocation)
        let pixels = try state().screen?.scale ?? 1
        let own = try picture(of: id)
        let rim = 24 * pixels
        let inner = Rect(0, 0, frame.width * pixels, frame.height * pixels).inset(by: rim)
        let shown = try picture().cropped(to: Rect(frame.x * pixels, frame.y * pixels, frame.width * pixels, frame.height * pixels))
        #expect(own.width == shown.width && own.height == shown.height, sourceLocation: sourceLocation)
        let difference = shown.difference(from: own, in: inner, tolerance: tolerance)
        let allowed = Int(share * inner.width * inner.height)
        #expect(difference.count <= allowed, "\(window.appID) looks different on the output in \(difference)",
                sourceLocation: sourceLocation)
        #expect(own.isDrawn(in: inner), "\(window.appID) has drawn nothing", sourceLocation: sourceLocation)
    }

    /// Each window of the arrangement in front has the place that it should, and its client drew it in that size.
    func expectArranged(_ places: [WindowID: WindowReport.PlaceName], _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        let state = try state()
        for (id, place) in places {
            guard let window = state[id] else {
                Issue.record("\(id) is gone", sourceLocation: sourceLocation)
                continue
            }
            #expect(window.place == place, "\(window.appID)", sourceLocation: sourceLocation)
            #expect(!window.late, "\(window.appID) is late", sourceLocation: sourceLocation)
            #expect(window.answered == window.configured, "\(window.appID) has not answered", sourceLocation: sourceLocation)
        }
    }
}

/// One line of a configure log.
struct ConfigureLine: Hashable, CustomStringConvertible {
    var size: Size
    var states: Set<String>
    var description: String { "\(size) \(states.sorted())" }

    /// "seq=3 size=1180x820 states=activated,maximized"
    init?(_ line: String) {
        var size: Size?
        var states: Set<String>?
        for field in line.split(separator: " ") {
            if field.hasPrefix("size=") { size = Size(parsing: String(field.dropFirst(5))) }
            if field.hasPrefix("states=") { states = Set(field.dropFirst(7).split(separator: ",").map(String.init)) }
        }
        guard let size, let states else { return nil }
        self.size = size
        self.states = states
    }

    /// All but size and whether it is active: what must be the same everywhere (W-10).
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
