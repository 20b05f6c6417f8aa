import Glibc

/// A stream's gain on its way, in steps that do not click.
///
/// Each step is one message, which the stream takes up at its next quantum: so they come a little farther apart than
/// quanta are, and none is larger than 1.4 dB, or 0.03 near silence.
struct Gain: Equatable {
    /// What the stream has.
    private(set) var current = 1.0
    private(set) var target = 1.0
    private var start = 1.0
    /// Nanoseconds of the monotonic clock.
    private var begin: UInt64 = 0
    private var length: UInt64 = 0

    /// 1.4 dB.
    static let ratio = 1.1749
    /// Below it steps are equal, not proportional; nobody hears proportions there.
    static let floor = 0.03

    var isMoving: Bool { current != target }

    /// `seconds` 0: at once.
    mutating func move(to gain: Double, over seconds: Double, at now: UInt64) {
        guard gain.isFinite, seconds.isFinite else { return }
        target = min(max(gain, 0), 1)
        if seconds <= 0 {
            current = target
            return
        }
        start = current
        begin = now
        length = UInt64(min(seconds, 60) * 1e9)
    }

    /// A step to where it should be at that moment: when the one after it is due, since it is heard until then. False if it
    /// has arrived.
    mutating func step(to moment: UInt64) -> Bool {
        guard isMoving else { return false }
        let limited = limit(wanted(at: moment))
        current = abs(limited - target) < 1e-4 ? target : limited
        return true
    }

    /// As many dB in each part of the time.
    private func wanted(at moment: UInt64) -> Double {
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
