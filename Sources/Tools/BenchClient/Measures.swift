import CBenchClient
import Clocks
import Glibc

/// Durations of one measurement.
final class Samples {
    /// Milliseconds.
    private var values: [Double] = []
    private static let most = 4096

    init() { values.reserveCapacity(Self.most) }

    func add(_ nanoseconds: Int64) {
        if values.count < Self.most { values.append(Double(nanoseconds) / 1e6) }
    }

    func summary(_ name: String) -> String {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return "\"\(name)_p50\": null, \"\(name)_p99\": null, \"\(name)_count\": 0" }
        return "\"\(name)_p50\": \(digits(sorted[sorted.count / 2], 4)), "
            + "\"\(name)_p99\": \(digits(sorted[sorted.count * 99 / 100], 4)), \"\(name)_count\": \(sorted.count)"
    }
}

/// Presentation feedback for commits.
final class Presented {
    let samples = Samples()
    fileprivate(set) var discarded = 0
}

/// A commit that waits for presentation feedback.
final class Feedback {
    /// In the clock of presentation times, which may differ from the others.
    private let committed: Int64
    private let tally: Presented

    private init(_ committed: Int64, _ tally: Presented) {
        self.committed = committed
        self.tally = tally
    }

    static func expect(_ object: OpaquePointer, of client: Client, for tally: Presented) {
        let feedback = Feedback(Clocks.nanoseconds(client.presentationClock), tally)
        wp_presentation_feedback_add_listener(object, client.listeners.feedback, Unmanaged.passRetained(feedback).toOpaque())
    }

    static func take(_ data: UnsafeMutableRawPointer?) -> Feedback { Unmanaged<Feedback>.fromOpaque(data!).takeRetainedValue() }

    func presented(at seconds: Int64, _ nanoseconds: UInt32) {
        tally.samples.add(seconds &* 1_000_000_000 &+ Int64(nanoseconds) &- committed)
    }

    func discarded() { tally.discarded += 1 }
}

extension Client {
    private var measured: Window {
        guard let window = windowInSight else { fail("no window to measure with") }
        return window
    }

    /// Measures the time from a commit to its frame callback, and to its presentation.
    func measureLatency(_ count: Int, pauses: Bool) {
        let window = measured
        let answered = Samples(), presented = Presented()
        var lost = 0
        // The same pauses under every compositor.
        var random: UInt32 = 1
        for _ in 0..<max(0, count) {
            if pauses {
                random = random &* 1_664_525 &+ 1_013_904_223
                wait(0.015 + 0.030 * Double(random >> 8) / Double(1 << 24))
            }
            while !window.paint() { wait(0.0005) }
            let before = window.frames
            window.askFrame()
            let feedback = presentation.flatMap { wp_presentation_feedback($0, window.surface) }
            let committed = Clocks.monotonicNanoseconds
            if let feedback { Feedback.expect(feedback, of: self, for: presented) }
            wl_surface_commit(window.surface)
            if waitFrames(window, moreThan: before, 0.5) {
                answered.add(window.lastFrame - committed)
            } else {
                lost += 1
            }
        }
        wait(0.2)
        answer(
            "{\(answered.summary("frame")), \(presented.samples.summary("presented")), \"lost\": \(lost), "
                + "\"discarded\": \(presented.discarded)}")
    }

    /// Measures how many commits the compositor handles, fifty between two syncs.
    func measureThroughput(_ seconds: Double) {
        let window = measured
        let buffer = window.firstBuffer, surface = window.surface
        var commits = 0
        let begin = Clocks.monotonicNanoseconds
        let end = begin + Int64(seconds * 1e9)
        while Clocks.monotonicNanoseconds < end {
            for _ in 0..<50 {
                wl_surface_attach(surface, buffer, 0, 0)
                wl_surface_damage_buffer(surface, 0, 0, 64, 64)
                wl_surface_commit(surface)
            }
            commits += 50
            wl_display_roundtrip(display)
        }
        answer("{\"commits\": \(commits), \"seconds\": \(digits(Double(Clocks.monotonicNanoseconds - begin) / 1e9, 4))}")
    }
}
