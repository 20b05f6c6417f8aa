import AudioBus
import AudioSessions
import Geometry
import Logging
import Multitasking

/// Players on the session bus, and apps that declare sessions there.
final class SoundBus: EventObserver {
    private unowned let shell: Shell
    private var bus: AudioBus?
    private var follower: BusFollower?
    /// The system's `soundRevision` that apps with sessions were last told of.
    private var told: UInt64 = 0

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.soundApps]

    func start() {
        // A bus that was started a moment ago is there in a moment.
        let isNew = shell.adapter(SessionBus.self).ownSocket != nil
        let bus = AudioBus(environment: shell.environment, firstPause: isNew ? 50_000_000 : 3_000_000_000)
        self.bus = bus
        bus.onEvent = { [unowned shell] event in shell.receive(.audio(event)) }
        bus.summary = { [unowned shell] in shell.system.audio.summary }
        bus.state = { [unowned shell] in shell.system.audio.state(of: $0) }
        bus.mayOpen = { [unowned shell] in shell.system.audio.mayOpen($0) }
        bus.onNote = { [unowned shell] note in shell.log.notice("\(note)") }
        follower = BusFollower(bus, shell.compositor)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        if case .audio(let effect) = effect { bus?.perform(effect) }
    }

    /// Apps with sessions can read the route and the volume. Whatever the event was, what changed in sound is told.
    func didCarryOut(_ event: Event) {
        guard let bus, bus.hasSessions, told != shell.system.soundRevision else { return }
        told = shell.system.soundRevision
        bus.show(shell.system.audio.summary)
    }

    /// Haptics are a service on the bus. `missing` is called with the reason if there is none.
    func haptic(_ name: String, missing: @escaping (String) -> Void) { bus?.haptic(name, missing: missing) }

    func stop() {
        follower?.end()
        bus?.close()
        bus = nil
    }
}
