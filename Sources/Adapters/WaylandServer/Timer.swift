import CWlroots

/// Runs a closure once, some time after it was armed. It costs nothing while it is not armed.
public final class Timer {
    private var raw: OpaquePointer!
    private let body: () -> Void

    /// nil: out of memory.
    public init?(_ loop: OpaquePointer, _ body: @escaping () -> Void) {
        self.body = body
        raw = wl_event_loop_add_timer(loop, { data in
            let timer = Unmanaged<Timer>.fromOpaque(data!).takeUnretainedValue()
            withExtendedLifetime(timer) { timer.body() }
            return 0
        }, Unmanaged.passUnretained(self).toOpaque())
        guard raw != nil else { return nil }
    }

    /// - Parameter nanoseconds: until it runs; rounded up to milliseconds. Replaces what was armed before.
    public func arm(in nanoseconds: Int64) {
        let milliseconds = max(nanoseconds, 0) / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        wl_event_source_timer_update(raw, Int32(clamping: max(milliseconds, 1)))
    }

    public func disarm() { wl_event_source_timer_update(raw, 0) }

    deinit {
        if let raw { wl_event_source_remove(raw) }
    }
}

/// Runs a closure when the present turn of the event loop is over, once for however often it was asked.
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
        raw = wl_event_loop_add_idle(loop, { data in
            let me = Unmanaged<AfterTurn>.fromOpaque(data!).takeUnretainedValue()
            me.raw = nil
            withExtendedLifetime(me) { me.body() }
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let raw { wl_event_source_remove(raw) }
    }
}
