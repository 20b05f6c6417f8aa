import Compositor
import Descriptors
import Glibc
import LinuxLibrary
import Notices

/// The clock on the wall: wakes at a time, after the clock was set, and after the machine slept past that time (S-12).
final class WallClock {
    private let file: Descriptor
    private var source: EventSource?
    private let compositor: Compositor
    private let ticked: () -> Void
    private var time: Int64?

    /// `ticked`: the time may have come, or is another one than before.
    init?(_ compositor: Compositor, ticked: @escaping () -> Void) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        // It wakes a machine that sleeps, where the kernel lets this process do that (CAP_WAKE_ALARM).
        var file = Descriptor(timerfd_create(Self.alarmClock, flags), owner: "clock of notifications")
        if !file.isOpen { file = Descriptor(timerfd_create(CLOCK_REALTIME, flags), owner: "clock of notifications") }
        guard file.isOpen else { return nil }
        self.file = file
        self.compositor = compositor
        self.ticked = ticked
        source = compositor.watch(fd: self.file.number) { [unowned self] _ in read() }
        arm()
    }

    private static let alarmClock: Int32 = 8 // CLOCK_REALTIME_ALARM

    func wait(until time: Int64?) {
        self.time = time
        arm()
    }

    func cancel() {
        source?.cancel()
        source = nil
    }

    private func read() {
        var count: UInt64 = 0
        // Fails with ECANCELED after the clock was set. Either way, due deliveries are looked for again.
        _ = Glibc.read(file.number, &count, 8)
        time = nil
        arm()
        ticked()
    }

    private func arm() {
        // Without a time, only a change of the clock wakes it.
        var spec = itimerspec()
        spec.it_value.tv_sec = Int(clamping: max(1, min(time ?? Self.never, Self.never)))
        timerfd_settime(file.number, Int32(TFD_TIMER_ABSTIME) | Int32(bitPattern: 1 << 1), &spec, nil) // TFD_TIMER_CANCEL_ON_SET
    }

    /// The year 2200.
    private static let never: Int64 = 7_258_118_400
}

extension WallClock {
    /// How far local time is ahead of UTC, and its next two changes.
    static func zone(at time: Int64) -> NoticeZone {
        // The zone may have been changed since the last time.
        tzset()
        func offset(_ time: Int64) -> Int64 {
            var seconds = time_t(time), parts = tm()
            localtime_r(&seconds, &parts)
            return Int64(parts.tm_gmtoff)
        }
        // From a day ago: what was due while the machine slept over the change is computed from before it.
        let begin = time - 8 * 86_400
        var zone = NoticeZone(offset: offset(begin)), here = zone.offset, last = begin
        for day in stride(from: begin + 86_400, to: begin + 420 * 86_400, by: 86_400) where zone.changes.count < 4 {
            let there = offset(day)
            if there != here {
                var low = last, high = day
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == here { low = middle } else { high = middle }
                }
                zone.changes.append(.init(at: high, offset: there))
                here = there
            }
            last = day
        }
        return zone
    }
}
