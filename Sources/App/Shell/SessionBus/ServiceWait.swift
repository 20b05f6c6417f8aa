import Compositor
import Geometry

/// Work that waits until programs find a service of the shell on the session bus: toolkits look for it only once, when their app starts.
final class ServiceWait {
    /// How long a start waits for the bus, in seconds.
    private static let patience = 1.0

    private var isOver = false
    private var waiting: [() -> Void] = []
    private lazy var timer: EventSource = compositor.timer { [unowned self] in end() }
    private let compositor: Compositor

    init(_ compositor: Compositor) { self.compositor = compositor }

    /// Calls `body` when the service is there or the time is over, and at once if there will be no service.
    ///
    /// - Parameter mayCome: whether the bus is there, or was just started.
    func then(mayCome: Bool, _ body: @escaping () -> Void) {
        guard !isOver, mayCome else { return body() }
        if waiting.isEmpty { timer.arm(Compositor.now() + Self.patience) }
        waiting.append(body)
    }

    /// The service is there.
    func end() {
        isOver = true
        timer.arm(nil)
        let ready = waiting
        waiting = []
        for body in ready { body() }
    }

    /// The session ends: nothing of it is done any more.
    func cancel() {
        waiting = []
        timer.cancel()
    }
}
