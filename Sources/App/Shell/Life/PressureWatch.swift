import Descriptors
import Glibc
import Lifecycle
import LinuxLibrary

/// Reports how much the machine lacks memory, as the kernel measures it: the time in which programs wait for memory
/// (`/proc/pressure/memory`).
///
/// The kernel wakes the shell by itself where it accepts triggers. Linux before 6.4 accepts them of root alone. There the
/// shell reads the file, as long as it is asked to.
public final class PressureWatch {
    public enum Means: String {
        case triggers, readings
        /// The kernel does not measure it.
        case none
    }

    enum Report {
        case pressure(MemoryPressure)
        case stalled(MemoryStall)
    }

    let means: Means
    private let polled: Descriptor
    private let some: Descriptor
    private let full: Descriptor
    private let timer: Descriptor
    private let file: Descriptor
    private let window: Double
    private let report: (Report) -> Void

    private enum Tag {
        static let some: UInt64 = 0, full: UInt64 = 1, timer: UInt64 = 2
    }

    /// The file that the kernel measures into. `MULLION_PRESSURE` names another one, which is read: for tests.
    private static var path: String { getenv("MULLION_PRESSURE").map { String(cString: $0) } ?? "/proc/pressure/memory" }

    /// - Parameters:
    ///   - window: seconds between two readings. Users other than root get triggers only for multiples of two seconds.
    ///   - some: the share of that time in which any program waits, from which on it is reported.
    ///   - full: the same for all programs.
    init(window: Double, some: Double, full: Double, report: @escaping (Report) -> Void) {
        self.report = report
        self.window = window
        let micros = Int(window * 1e6)
        let path = Self.path
        polled = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), owner: "watch of memory pressure")
        self.some = Self.open(path, "some \(Int(Double(micros) * some)) \(micros)")
        self.full = Self.open(path, "full \(Int(Double(micros) * full)) \(micros)")
        let hasTriggers = self.some.isOpen && self.full.isOpen
        let readable = hasTriggers ? -1 : Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // A kernel without the measurement has the file and refuses to read it.
        let isMeasured = readable >= 0 && Self.read(readable) != nil
        if readable >= 0, !isMeasured { close(readable) }
        file = isMeasured ? Descriptor(readable, owner: "memory pressure") : .none
        means = hasTriggers ? .triggers : isMeasured ? .readings : .none
        timer = isMeasured
            ? Descriptor(timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)), owner: "clock of memory pressure") : .none
        watch(self.some, Tag.some, EPOLLPRI)
        watch(self.full, Tag.full, EPOLLPRI)
        watch(timer, Tag.timer, EPOLLIN)
    }

    /// What this machine has, for `mullion doctor`.
    public static func detect() -> Means { PressureWatch(window: 2, some: 1, full: 1, report: { _ in }).means }

    /// Readable when `drain()` has something to report; nil if nothing is measured.
    var descriptor: Int32? { means == .none ? nil : polled.number }

    /// Whether the file is read. Triggers cost nothing until memory is short, so they stay.
    func read(_ isNeeded: Bool) {
        guard timer.isOpen else { return }
        let seconds = isNeeded ? timespec(tv_sec: Int(window), tv_nsec: Int(window.truncatingRemainder(dividingBy: 1) * 1e9)) : timespec()
        var time = itimerspec(it_interval: seconds, it_value: seconds)
        timerfd_settime(timer.number, 0, &time, nil)
        if isNeeded, let stall = Self.read(file.number) { report(.stalled(stall)) }
    }

    private static func open(_ path: String, _ trigger: String) -> Descriptor {
        guard path == "/proc/pressure/memory" else { return .none }
        let file = Descriptor(Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC), owner: "memory pressure")
        guard file.isOpen else { return .none }
        // The kernel wants the NUL as well.
        let isAccepted = trigger.withCString { write(file.number, $0, strlen($0) + 1) } > 0
        return isAccepted ? file : .none
    }

    private func watch(_ file: borrowing Descriptor, _ tag: UInt64, _ kind: EPOLL_EVENTS) {
        guard file.isOpen else { return }
        var event = epoll_event(events: kind.rawValue, data: epoll_data_t(u64: tag))
        epoll_ctl(polled.number, EPOLL_CTL_ADD, file.number, &event)
    }

    func drain() {
        var events = [epoll_event](repeating: epoll_event(), count: 3)
        let count = epoll_wait(polled.number, &events, Int32(events.count), 0)
        guard count > 0 else { return }
        let tags = events[..<Int(count)].map(\.data.u64)
        if tags.contains(Tag.timer) {
            var times: UInt64 = 0
            _ = Glibc.read(timer.number, &times, 8)
            if let stall = Self.read(file.number) { report(.stalled(stall)) }
        }
        if tags.contains(Tag.full) {
            report(.pressure(.critical))
        } else if tags.contains(Tag.some) {
            report(.pressure(.some))
        }
    }

    /// The two lines of the file: `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`, and the same for `full`.
    private static func read(_ file: Int32) -> MemoryStall? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        var totals: [Substring: UInt64] = [:]
        for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let name = words.first, let total = words.last(where: { $0.hasPrefix("total=") }) else { continue }
            totals[name] = UInt64(total.dropFirst(6))
        }
        guard let some = totals["some"] else { return nil }
        return MemoryStall(some: some, full: totals["full"] ?? 0)
    }
}
