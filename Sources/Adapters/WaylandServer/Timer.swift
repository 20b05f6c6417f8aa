import CWlroots

/// Runs a closure once, some time after it was armed. An unarmed timer costs nothing.
public final class Timer {
    private var raw: OpaquePointer!
    private let body: () -> Void

    /// Returns nil if out of memory.
    public init?(_ loop: OpaquePointer, _ body: @escaping () -> Void) {
        self.body = body
        raw = wl_event_loop_add_timer(
            loop,
            { data in
                let timer = Unmanaged<Timer>.fromOpaque(data!).takeUnretainedValue()
                withExtendedLifetime(timer) { timer.body() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        guard raw != nil else { return nil }
    }

    /// - Parameter nanoseconds: the delay, rounded up to milliseconds. Replaces an earlier one.
    public func arm(in nanoseconds: Int64) {
        let milliseconds = max(nanoseconds, 0) / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        wl_event_source_timer_update(raw, Int32(clamping: max(milliseconds, 1)))
    }

    public func disarm() { wl_event_source_timer_update(raw, 0) }

    deinit {
        if let raw { wl_event_source_remove(raw) }
    }
}

/// Runs a closure at the end of the current turn of the event loop, once no matter how often it was requested.
public final class AfterTurn {
    private let loop: OpaquePointer
    private var raw: OpaquePointer?
    private let body: () -> Void

    public init(_ loop: OpaquePointer, _ body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
    }

    public func ask() {
        guard raw == nil else { return }
        raw = wl_event_loop_add_idle(
            loop,
            { data in
                let me = Unmanaged<AfterTurn>.fromOpaque(data!).takeUnretainedValue()
                me.raw = nil
                withExtendedLifetime(me) { me.body() }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let raw { wl_event_source_remove(raw) }
    }
}
