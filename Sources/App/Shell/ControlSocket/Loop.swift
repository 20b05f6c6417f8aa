import Compositor
import Control
import Geometry
import Journal

/// The compositor's event loop for the control socket.
final class Loop: LoopSources {
    private let compositor: Compositor

    init(_ compositor: Compositor) { self.compositor = compositor }

    var realTime: Moment { Compositor.now() }

    func watch(fd: Int32, read: Bool, write: Bool, _ body: @escaping () -> Void) -> any LoopFile {
        Watched(compositor.watch(fd: fd, read: read, write: write) { _ in body() })
    }

    func timer(_ body: @escaping () -> Void) -> any LoopTimer { Timed(compositor.timer(body)) }

    private final class Watched: LoopFile {
        let source: EventSource
        init(_ source: EventSource) { self.source = source }
        func update(read: Bool, write: Bool) { source.watch(read: read, write: write) }
        func remove() { source.cancel() }
    }

    private final class Timed: LoopTimer {
        let source: EventSource
        init(_ source: EventSource) { self.source = source }
        func arm(_ deadline: Moment?) { source.arm(deadline) }
        func remove() { source.cancel() }
    }
}
