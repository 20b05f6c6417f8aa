import LifeBus
import Logging

/// The life of apps on the session bus (`org.mullion.Life1`).
final class LifeOnBus: Adapter {
    private unowned let shell: Shell
    private var bus: LifeBus?
    private var follower: BusFollower?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        // A bus that was just started is ready in a moment.
        let isNew = shell.adapter(SessionBus.self).ownSocket != nil
        let bus = LifeBus(environment: shell.environment, firstPause: isNew ? 50_000_000 : 3_000_000_000)
        self.bus = bus
        bus.host = shell.adapter(AppLives.self)
        bus.onNote = { [unowned shell] note in shell.log.notice("\(note)") }
        follower = BusFollower(bus, shell.compositor)
    }

    func stop() {
        follower?.end()
        bus?.close()
        bus = nil
    }
}
