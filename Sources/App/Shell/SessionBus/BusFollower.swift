import Compositor
import Geometry
import MessageBus

/// Runs a bus connection in the event loop: watches its descriptor and deadline, even when the connection is
/// replaced.
final class BusFollower {
    private let bus: any FollowedBus
    private let compositor: Compositor
    private let timer: EventSource
    private var source: EventSource?
    private var watched: Int32 = -1

    /// Starts at once. Ends with `end`, before or after the bus is closed.
    init(_ bus: any FollowedBus, _ compositor: Compositor) {
        self.bus = bus
        self.compositor = compositor
        timer = compositor.timer { [unowned bus] in bus.process() }
        bus.onChange = { [unowned self] in follow() }
        follow()
    }

    private func follow() {
        timer.arm(bus.deadline.map(Moment.init(nanoseconds:)))
        let events = bus.events
        if bus.descriptor != watched {
            source?.cancel()
            source = nil
            watched = bus.descriptor
            if watched >= 0 {
                source = compositor.watch(fd: watched, read: events.read, write: events.write) { [unowned bus] _ in bus.process() }
            }
        }
        source?.watch(read: events.read, write: events.write)
    }

    func end() {
        bus.onChange = nil
        source?.cancel()
        source = nil
        timer.cancel()
        watched = -1
    }
}
