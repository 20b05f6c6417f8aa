import Clocks
import Glibc
import LinuxLibrary
import MessageBus

/// The event loop of the scopes.
extension AppScopes {
    /// Handles pending work, and returns the events of scopes since the last call. Never waits.
    public func drain() -> [ScopeReport] {
        guard !isStopped, !isDraining else { return [] }
        isDraining = true
        var expirations: UInt64 = 0
        _ = read(timer.number, &expirations, 8)
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        let count = epoll_wait(polled.number, &events, Int32(events.count), 0)
        for event in events.prefix(max(0, Int(count))) where event.data.u64 > Tag.first {
            if let scope = bySerial[event.data.u64] { processEnded(scope) }
        }
        for outcome in worker.outcomes() { take(outcome) }
        for scope in noticed() { lookAfter(scope) }
        manager?.process()
        guardLink.drain()
        let moment = Clocks.monotonicNanoseconds
        for scope in bySerial.values where scope.lookAt.map({ $0 <= moment }) ?? false { lookAfter(scope) }
        isDraining = false
        defer {
            reports = []
            follow()
        }
        return reports
    }

    private func take(_ outcome: Outcome) {
        switch outcome {
        case .made(let serial, let group, let unit, let means, let status):
            if let scope = bySerial[serial] { filled(scope, group, unit: unit, means, status: status) }
        case .asked(let serial, let request, let status, let isFrozen):
            if let scope = bySerial[serial] { asked(scope, request: request, status: status, isFrozen: isFrozen) }
        case .thawed(let serial, let request, let status):
            if let scope = bySerial[serial] { resumed(scope, request: request, status: status) }
        }
    }

    /// The scopes whose groups reported a change.
    private func noticed() -> [Scope] {
        var watches: Set<Int32> = []
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
            while true {
                let count = read(notices.number, buffer.baseAddress!, buffer.count)
                guard count > 0 else { return }
                var place = 0
                while place + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
                    watches.insert(event.wd)
                    place += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        if watches.isEmpty { return [] }
        // The kernel's event queue overflowed: look at all scopes.
        let isAll = watches.contains(-1)
        return bySerial.values.filter { scope in scope.watch.map { isAll || watches.contains($0) } ?? false }
    }

    /// Sets the timer and the bus watch for the events that the scopes now wait for.
    func follow() {
        guard !isDraining else { return }
        followBus()
        var deadline = bySerial.values.compactMap(\.lookAt).min()
        if let other = manager?.deadline { deadline = min(deadline ?? other, other) }
        if !reports.isEmpty { deadline = 1 }
        var time = itimerspec()
        if let deadline {
            let moment = max(1, deadline)
            time.it_value = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        }
        timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }

    /// Stops watching the bus. Call this before its file is closed: the kernel may reuse the number at once.
    func leaveBus() {
        if watchedBus.descriptor >= 0 { unwatch(watchedBus.descriptor) }
        watchedBus = (-1, 0)
    }

    private func followBus() {
        let connection = manager?.connection
        let wish = connection?.events ?? (read: false, write: false)
        let wanted = (
            descriptor: connection?.descriptor ?? -1,
            events: (wish.read ? EPOLLIN.rawValue : 0) | (wish.write ? EPOLLOUT.rawValue : 0)
        )
        guard wanted != watchedBus else { return }
        if wanted.descriptor >= 0 {
            var event = epoll_event()
            event.events = wanted.events
            event.data.u64 = Tag.bus
            let isKnown = wanted.descriptor == watchedBus.descriptor
            epoll_ctl(polled.number, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, wanted.descriptor, &event)
        }
        watchedBus = wanted
    }

    func watch(_ file: Int32, _ tag: UInt64) {
        guard file >= 0 else { return }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = tag
        epoll_ctl(polled.number, EPOLL_CTL_ADD, file, &event)
    }

    func unwatch(_ file: Int32) { epoll_ctl(polled.number, EPOLL_CTL_DEL, file, nil) }
}
