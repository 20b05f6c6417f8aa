import Control
import FoundationEssentials
import Geometry
import Glibc
import Windows

/// Measures this machine and prints each figure beside its target. Timings are not tests, so nothing fails here.
public struct Bench {
    /// Seconds of the idle measurement.
    public var idleSeconds = 10.0
    let program: String

    /// - Parameter program: the file of `mullion`.
    public init(program: String) { self.program = program }

    /// A part of the measurement that can run alone.
    public enum Part: String, CaseIterable, Sendable {
        case core, sound, rest, frames, notices, idioms
    }

    public func run(_ parts: Set<Part> = Set(Part.allCases)) throws {
        if parts.contains(.core) { core() }
        if parts.contains(.sound) { sound() }
        if parts.contains(.rest) { try atRest() }
        if parts.contains(.frames) {
            for (size, limit) in [("1180x820", 8.0), ("2360x1640", 16.0)] {
                try gestures(size: size, limit: limit)
                try views(size: size, limit: limit)
            }
        }
        if parts.contains(.notices) { try notices() }
        if parts.contains(.idioms) { try idioms(limit: 8) }
    }

    private func core() {
        print("Core")
        for result in HomeBench.run() {
            line(
                result.name, milliseconds(result.milliseconds), target: "under \(decimal(result.target, 0)) ms",
                isMet: result.milliseconds < result.target)
        }
        for result in CoreBench.run() {
            let isTheFigure = result.name == "mixed"
            line(
                result.name, "\(decimal(result.eventsPerSecond / 1e6, 2)) M events/s",
                target: isTheFigure ? "over 1 M" : nil, isMet: result.eventsPerSecond > 1e6)
        }
    }

    private func sound() {
        print("The rules of sound, alone")
        for result in SoundBench.run() {
            line(
                result.name, "median \(decimal(result.median, 1)) us, 99 % \(decimal(result.most, 1)) us, \(result.effects) effects",
                target: "under 10 us", isMet: result.median < 10)
        }
    }

    func line(_ name: String, _ value: String, target: String? = nil, isMet: Bool = true) {
        let verdict = target.map { "   target \($0): \(isMet ? "met" : "MISSED")" } ?? ""
        print("  " + name.prefix(44) + String(repeating: " ", count: max(0, 44 - name.count)) + value + verdict)
    }

    func milliseconds(_ value: Double) -> String { "\(decimal(value, 2)) ms" }

    // MARK: Idle

    private func atRest() throws {
        print("At rest, 1180x820")
        let shell = try BenchShell(program: program, size: "1180x820")
        defer { shell.end() }
        line("start to first answer", milliseconds(shell.startSeconds * 1000))
        line("memory alone (PSS)", "\(decimal(shell.memory, 1)) MiB")
        for _ in 0..<4 {
            _ = try shell.open(["foot"])
            _ = try shell.open(["gtk4-demo"])
        }
        line("memory with 8 windows (PSS)", "\(decimal(shell.memory, 1)) MiB")
        let isAnimating = try shell.openRestless(["weston-smoke"])
        _ = try? shell.client.perform(.showSpace(SpaceID(1)))
        // Rest begins when the apps out of sight are frozen, which takes work once, and toolkits are idle: blinking
        // cursors, fading bars.
        usleep(UInt32(clamping: (LifecycleRules().grace + 4) * 1e6))
        let before = try shell.statistics, wakeups = shell.wakeups
        usleep(UInt32(clamping: idleSeconds * 1e6))
        // The query for the statistics itself wakes the shell once.
        let woken = shell.wakeups - wakeups
        let after = try shell.statistics
        let frames = after.framesDrawn - before.framesDrawn
        line("frames drawn in \(Int(clamping: idleSeconds)) s", "\(frames)", target: "0", isMet: frames == 0)
        let work = Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e6 / idleSeconds
        line("CPU per second", milliseconds(work), target: "under 1 ms", isMet: work < 1)
        line("wakeups per second", decimal(Double(woken) / idleSeconds, 1))
        let callbacks = after.frameCallbacks - before.frameCallbacks
        line(
            isAnimating ? "frame callbacks to a hidden animation" : "frame callbacks (weston-smoke is not installed)",
            "\(callbacks)", target: "0", isMet: callbacks == 0)
    }

    // MARK: Fingers

    private func gestures(size: String, limit: Double) throws {
        print("CPU of a frame, \(size), software drawing")
        let scale = size == "1180x820" ? "1" : "2"
        let shell = try BenchShell(program: program, size: size, scale: scale)
        defer { shell.end() }
        guard try shell.open(["foot"]) != nil, try shell.open(["gtk4-demo"], to: .splitView(.right)) != nil else {
            return line("needs foot and gtk4-demo", "skipped")
        }
        let room = Rect(origin: .zero, size: try shell.client.state().screen?.size ?? Size(1180, 820))
        let middle = room.center
        report(
            "divider drag", limit,
            try shell.frames {
                for (from, to) in [(middle.x, 400.0), (395, 780), (785, middle.x)] {
                    try shell.client.input(.drag(from: Point(from, middle.y), to: Point(to, middle.y), duration: 900, rest: 300))
                    try shell.client.waitUntilIdle()
                }
            })
        _ = try shell.open(["foot"], to: .slideOver)
        let top = try shell.client.state().windows.first { $0.place == .slideOver }?.frame?.minY ?? 0
        report(
            "Slide Over flick", limit,
            try shell.frames {
                for (from, to) in [(980.0, 300.0), (200, 900), (980, 300), (200, 900)] {
                    try shell.client.input(.drag(from: Point(from, top + 12), to: Point(to, top + 12), duration: 250))
                    try shell.client.waitUntilIdle()
                }
            })
        _ = try shell.open(["foot"], to: .pictureInPicture)
        try shell.client.perform(.pipCorner(.bottomRight))
        try shell.client.waitUntilIdle()
        report(
            "Picture in Picture drag", limit,
            try shell.frames {
                for (from, to) in [((1000.0, 700.0), (200.0, 150.0)), ((150, 100), (1000, 700))] {
                    try shell.client.input(.drag(from: Point(from.0, from.1), to: Point(to.0, to.1), duration: 700))
                    try shell.client.waitUntilIdle()
                }
            })
    }

    func report(_ name: String, _ limit: Double, _ frames: [Double]) {
        guard !frames.isEmpty else { return line(name, "no frame was drawn", target: "under \(Int(clamping: limit)) ms", isMet: false) }
        let sorted = frames.sorted()
        let median = sorted[sorted.count / 2], most = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        line(
            name,
            "median \(milliseconds(median)), 99 % \(milliseconds(most)), worst \(milliseconds(sorted.last!)) of \(frames.count)",
            target: "under \(Int(clamping: limit)) ms", isMet: sorted.last! < limit)
    }
}

/// A number with this many decimal places.
func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "-" }
    let unit = pow(10, Double(digits)), parts = Int(clamping: (abs(value) * unit).rounded())
    let (whole, rest) = parts.quotientAndRemainder(dividingBy: Int(clamping: unit))
    let fraction = String(rest)
    let sign = value < 0 && parts > 0 ? "-" : ""
    return digits > 0 ? "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction : "\(sign)\(whole)"
}
