import Compositor
import Descriptors
import Glibc
import LinuxLibrary

/// Ticks at the beginning of each minute of the clock on the wall, and when that clock was set.
final class MinuteClock {
    private let file: Descriptor
    private var source: EventSource?

    init?(_ compositor: Compositor, ticked: @escaping () -> Void) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        file = Descriptor(timerfd_create(CLOCK_REALTIME, flags), owner: "clock of the status bar")
        guard file.isOpen else { return nil }
        source = compositor.watch(fd: file.number) { [unowned self] _ in
            var count: UInt64 = 0
            // Fails with ECANCELED after the clock was set.
            _ = Glibc.read(self.file.number, &count, 8)
            arm()
            ticked()
        }
        arm()
    }

    func cancel() {
        source?.cancel()
        source = nil
    }

    private func arm() {
        var spec = itimerspec()
        spec.it_value.tv_sec = (time(nil) / 60 + 1) * 60
        timerfd_settime(file.number, Int32(TFD_TIMER_ABSTIME) | Int32(bitPattern: 1 << 1), &spec, nil) // TFD_TIMER_CANCEL_ON_SET
    }
}
