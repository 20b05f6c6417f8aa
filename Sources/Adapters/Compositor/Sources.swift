import CWlroots
import Geometry

/// A file descriptor, timer or signal in the event loop. Lives until it is cancelled: the loop holds it.
public final class EventSource {
    private var source: OpaquePointer?
    /// Released when the source ends, because its captured objects may retain the source.
    private var body: ((Int32) -> Void)?

    fileprivate init(_ body: @escaping (Int32) -> Void) { self.body = body }

    private static let callback: mw_callback = { user, events in
        let me = Unmanaged<EventSource>.fromOpaque(user!).takeUnretainedValue()
        me.body?(events)
    }

    public func cancel() {
        guard let source else { return }
        self.source = nil
        body = nil
        mw_remove_source(source)
        // Balances the retain in `adopt`.
        Unmanaged.passUnretained(self).release()
    }

    /// One-shot. A moment in the past fires at once; nil disarms.
    public func arm(_ deadline: Moment?) {
        // For C, 0 disarms.
        if let source { mw_arm(source, deadline.map { max(1, $0.nanoseconds) } ?? 0) }
    }

    public func watch(read: Bool, write: Bool) {
        if let source { mw_update_fd(source, read, write) }
    }

    fileprivate func adopt(_ make: (UnsafeMutableRawPointer, mw_callback) -> OpaquePointer?) -> EventSource {
        // C holds the object as long as the source exists.
        let user = Unmanaged.passRetained(self).toOpaque()
        source = make(user, EventSource.callback)
        if source == nil { Unmanaged<EventSource>.fromOpaque(user).release() }
        return self
    }
}

extension Compositor {
    /// The callback gets a mask of EPOLLIN, EPOLLOUT and EPOLLHUP.
    public func watch(fd: Int32, read: Bool = true, write: Bool = false, _ body: @escaping (Int32) -> Void) -> EventSource {
        EventSource(body).adopt { mw_add_fd(server, fd, read, write, $1, $0) }
    }

    public func timer(_ body: @escaping () -> Void) -> EventSource {
        EventSource { _ in body() }.adopt { mw_add_timer(server, $1, $0) }
    }

    public func signal(_ number: Int32, _ body: @escaping () -> Void) -> EventSource {
        EventSource { _ in body() }.adopt { mw_add_signal(server, number, $1, $0) }
    }
}
