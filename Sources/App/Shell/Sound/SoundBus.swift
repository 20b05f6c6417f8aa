import AudioBus
import AudioSessions
import Geometry
import Logging
import Multitasking

/// Media players on the session bus, and apps that declare audio sessions there.
final class SoundBus: EventObserver {
    private unowned let shell: Shell
    private var bus: AudioBus?
    private var follower: BusFollower?
    /// The system's `soundRevision` that was last published to apps with sessions.
    private var lastRevision: UInt64 = 0

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.soundApps]

    func start() {
        // A bus that was just started is ready in a moment.
        let isNew = shell.adapter(SessionBus.self).ownSocket != nil
        let bus = AudioBus(environment: shell.environment, firstPause: isNew ? 50_000_000 : 3_000_000_000)
        self.bus = bus
        bus.onEvent = { [unowned shell] event in shell.receive(.audio(event)) }
        bus.summary = { [unowned shell] in shell.system.audio.summary }
        bus.state = { [unowned shell] in shell.system.audio.state(of: $0) }
        bus.owner = { [unowned shell] in shell.adapter(Clients.self).owner(of: $0) }
        bus.mayOpen = { [unowned shell] in shell.system.audio.mayOpen($0) }
        bus.onNote = { [unowned shell] note in shell.log.notice("\(note)") }
        follower = BusFollower(bus, shell.compositor)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        if case .audio(let effect) = effect { bus?.perform(effect) }
    }

    /// Publishes route, volume and the profile of feedback to apps whenever they changed, after any event.
    func didCarryOut(_ event: Event) {
        guard let bus, bus.hasSessions || bus.servesFeedback, lastRevision != shell.soundRevision else { return }
        lastRevision = shell.soundRevision
        bus.show(shell.system.audio.summary)
    }

    /// Haptics are a service on the bus. Calls `missing` with the reason if there is none.
    func haptic(_ name: String, missing: @escaping (String) -> Void) { bus?.haptic(name, missing: missing) }

    func stop() {
        follower?.end()
        bus?.close()
        bus = nil
    }
}
