import Clocks
import Control
import Geometry
import Glibc

/// A small event loop over poll(2), for tests without a compositor.
public final class PollLoop: LoopSources {
    private final class File: LoopFile {
        let fd: Int32
        var events: Int16
        let body: () -> Void
        var isRemoved = false

        init(fd: Int32, events: Int16, body: @escaping () -> Void) {
            self.fd = fd
            self.events = events
            self.body = body
        }

        static func events(_ read: Bool, _ write: Bool) -> Int16 {
            Int16((read ? POLLIN : 0) | (write ? POLLOUT : 0))
        }

        func update(read: Bool, write: Bool) { events = File.events(read, write) }
        func remove() { isRemoved = true }
    }

    private final class Timer: LoopTimer {
        let body: () -> Void
        var deadline: Moment?
        var isRemoved = false

        init(body: @escaping () -> Void) { self.body = body }

        func arm(_ deadline: Moment?) { self.deadline = deadline }
        func remove() { isRemoved = true }
    }

    private var files: [File] = []
    private var timers: [Timer] = []

    public init() {}

    public var realTime: Moment { Moment(nanoseconds: Clocks.monotonicNanoseconds) }

    public func watch(fd: Int32, read: Bool, write: Bool, _ body: @escaping () -> Void) -> any LoopFile {
        let file = File(fd: fd, events: File.events(read, write), body: body)
        files.append(file)
        return file
    }

    public func timer(_ body: @escaping () -> Void) -> any LoopTimer {
        let timer = Timer(body: body)
        timers.append(timer)
        return timer
    }

    /// Runs one turn: waits at most `seconds` for events, and handles them.
    public func turn(_ seconds: Double = 0.01) {
        files.removeAll { $0.isRemoved }
        timers.removeAll { $0.isRemoved }
        let watched = files
        var entries = watched.map { pollfd(fd: $0.fd, events: $0.events, revents: 0) }
        if poll(&entries, nfds_t(entries.count), Int32(clamping: seconds * 1000)) > 0 {
            for (file, entry) in zip(watched, entries) where entry.revents != 0 && !file.isRemoved { file.body() }
        }
        for timer in timers where !timer.isRemoved {
            guard let deadline = timer.deadline, deadline <= realTime else { continue }
            timer.deadline = nil
            timer.body()
        }
    }

    /// Runs until `condition` holds. Returns false on timeout.
    public func run(within seconds: Double = 5, until condition: () -> Bool) -> Bool {
        let end = realTime + seconds
        while !condition() {
            guard realTime < end else { return false }
            turn()
        }
        return true
    }
}
