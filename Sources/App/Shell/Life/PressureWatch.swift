import Compositor
import Descriptors
import Geometry
import Glibc
import Lifecycle
import LinuxLibrary
import Processes
import Windows

/// Reports how much memory the machine lacks, by the kernel's triggers or else by its counters, which are read while the core
/// asks for them. The core decides what follows.
final class PressureWatch {
    let means: MemoryPressureFile.Means
    /// The same in words for a person.
    let detail: String

    private let compositor: Compositor
    private let file: MemoryPressureFile
    private let rules: LifecycleRules
    private let report: (LifecycleEvent) -> Void
    private let polled: Descriptor
    private let some: Descriptor
    private let full: Descriptor
    private var source: EventSource?
    private var timer: EventSource?

    private enum Tag {
        static let some: UInt64 = 0, full: UInt64 = 1
    }

    init(_ compositor: Compositor, _ rules: LifecycleRules, environment: [String: String], report: @escaping (LifecycleEvent) -> Void) {
        self.compositor = compositor
        self.rules = rules
        self.report = report
        file = MemoryPressureFile(environment: environment)
        polled = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "watch of memory pressure")
        some = file.trigger(.some, share: rules.memorySome, period: rules.memoryPeriod)
        full = file.trigger(.full, share: rules.memoryFull, period: rules.memoryPeriod)
        means = some.isOpen && full.isOpen ? .triggers : file.totals() == nil ? .nothing : .counters
        detail = file.detail(means)
        switch means {
        case .triggers:
            add(some, Tag.some)
            add(full, Tag.full)
            source = compositor.watch(fd: polled.number) { [unowned self] _ in drain() }
        case .counters: timer = compositor.timer { [unowned self] in readCounters() }
        case .nothing: break
        }
    }

    private func add(_ file: borrowing Descriptor, _ tag: UInt64) {
        var event = epoll_event(events: EPOLLPRI.rawValue, data: epoll_data_t(u64: tag))
        epoll_ctl(polled.number, EPOLL_CTL_ADD, file.number, &event)
    }

    private func drain() {
        var events = [epoll_event](repeating: epoll_event(), count: 2)
        let count = epoll_wait(polled.number, &events, Int32(events.count), 0)
        guard count > 0 else { return }
        let tags = events[..<Int(count)].map(\.data.u64)
        report(.memoryPressure(tags.contains(Tag.full) ? .critical : .some))
    }

    /// Starts or stops reading the counters.
    func look(_ isWanted: Bool) {
        guard let timer else { return }
        if isWanted { readCounters() } else { timer.arm(nil) }
    }

    private func readCounters() {
        // Armed first: the report may lead to the end of the watch.
        timer?.arm(Compositor.now() + rules.memoryPeriod)
        if let totals = file.totals() { report(.memoryWaited(some: totals.some, full: totals.full)) }
    }

    func stop() {
        source?.cancel()
        timer?.cancel()
        (source, timer) = (nil, nil)
    }
}
