import Descriptors
import Glibc
import Lifecycle
import LinuxLibrary

/// Reports how much the machine lacks memory, as the kernel measures it: the share of time in which programs wait for
/// memory (`/proc/pressure/memory`).
final class PressureWatch {
    private let polled: Descriptor
    private let some: Descriptor
    private let full: Descriptor
    private let report: (MemoryPressure) -> Void

    private enum Tag {
        static let some: UInt64 = 0, full: UInt64 = 1
    }

    /// Any program waited for 150 ms in a second; all of them waited for 100 ms.
    private static let thresholds = (some: "some 150000 1000000", full: "full 100000 1000000")

    init(report: @escaping (MemoryPressure) -> Void) {
        self.report = report
        polled = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "watch of memory pressure")
        some = Self.open(Self.thresholds.some)
        full = Self.open(Self.thresholds.full)
        watch(some, Tag.some)
        watch(full, Tag.full)
    }

    /// Readable when `drain()` has something to report; nil if this kernel does not measure it.
    var descriptor: Int32? { some.isOpen || full.isOpen ? polled.number : nil }

    private static func open(_ threshold: String) -> Descriptor {
        let file = Descriptor(Glibc.open("/proc/pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC), owner: "memory pressure")
        guard file.isOpen else { return .none }
        // The kernel wants the NUL as well.
        let isAccepted = threshold.withCString { write(file.number, $0, strlen($0) + 1) } > 0
        return isAccepted ? file : .none
    }

    private func watch(_ file: borrowing Descriptor, _ tag: UInt64) {
        guard file.isOpen else { return }
        var event = epoll_event(events: EPOLLPRI.rawValue, data: epoll_data_t(u64: tag))
        epoll_ctl(polled.number, EPOLL_CTL_ADD, file.number, &event)
    }

    func drain() {
        var events = [epoll_event](repeating: epoll_event(), count: 2)
        let count = epoll_wait(polled.number, &events, Int32(events.count), 0)
        guard count > 0 else { return }
        let tags = events[..<Int(count)].map(\.data.u64)
        report(tags.contains(Tag.full) ? .critical : .some)
    }
}
