import Glibc

/// A ramp of a stream's gain, in steps too small to click.
///
/// Each step is one message, which the stream applies at its next quantum. So steps are slightly farther apart than
/// quanta. No step is larger than 1.4 dB, or 0.03 near silence.
struct Gain: Equatable {
    /// The gain that the stream has now.
    private(set) var current = 1.0
    private(set) var target = 1.0
    private var start = 1.0
    /// Nanoseconds of the monotonic clock.
    private var begin: Int64 = 0
    private var length: Int64 = 0

    /// 1.4 dB.
    static let ratio = 1.1749
    /// Below this gain, steps are equal instead of proportional, because a listener cannot hear the proportions there.
    static let floor = 0.03

    var isMoving: Bool { current != target }

    /// - Parameter seconds: 0 applies the gain at once.
    mutating func move(to gain: Double, over seconds: Double, at now: Int64) {
        guard gain.isFinite, seconds.isFinite else { return }
        target = min(max(gain, 0), 1)
        if seconds <= 0 {
            current = target
            return
        }
        start = current
        begin = now
        length = Int64(min(seconds, 60) * 1e9)
    }

    /// Steps to the gain that is right when the next step is due, because this one is heard until then. Returns false
    /// if the ramp has ended.
    mutating func step(to moment: Int64) -> Bool {
        guard isMoving else { return false }
        let limited = limit(wanted(at: moment))
        current = abs(limited - target) < 1e-4 ? target : limited
        return true
    }

    /// Ends the ramp at once.
    mutating func finish() { current = target }

    /// Linear in dB over time.
    private func wanted(at moment: Int64) -> Double {
        let done = moment <= begin ? 0 : Double(moment - begin) / Double(max(1, length))
        guard done < 1 else { return target }
        let (a, b) = (max(start, Gain.floor), max(target, Gain.floor))
        return a * pow(b / a, done)
    }

    private func limit(_ wanted: Double) -> Double {
        if target > current { return min(max(wanted, current), max(current * Gain.ratio, current + Gain.floor), target) }
        return max(min(wanted, current), min(current / Gain.ratio, current - Gain.floor), target, 0)
    }
}
