import AudioBus
import AudioSessions
import Compositor
import Geometry
import Multitasking

/// Effects of sound, handed to the adapter that carries each out.
extension Shell {
    func perform(_ effect: AudioEffect) {
        switch effect {
        // The sound server: AudioEngine.
        case .level, .connect, .useOutput, .useInput, .outputLevel, .muteInput: break
        // Players on the session bus, apps that declare sessions.
        case .command, .tell, .answer: audioBus?.perform(effect)
        // Short sounds and haptics.
        case .playSound, .haptic: break
        // The core has turned these into effects of its own.
        case .refuse, .startTimer, .stopTimer: break
        }
    }
}

/// Sound on the session bus.
extension Shell {
    func startAudioBus() {
        let bus = AudioBus(environment: environment)
        audioBus = bus
        bus.onEvent = { [unowned self] event in receive(.audio(event)) }
        bus.summary = { [unowned self] in system.audio.summary }
        bus.onNote = { [unowned self] note in log.notice("\(note)") }
        let timer = compositor.timer { bus.process() }
        sources.append(timer)
        let watch = BusWatching()
        bus.onChange = { [unowned self, unowned bus] in watch.follow(bus, timer, compositor) }
        audioBusWatch = watch
        watch.follow(bus, timer, compositor)
    }

    /// Apps with sessions can read the route and the volume. What may have changed them is told; equal states cost a
    /// comparison.
    func tellAudioBus(_ event: Event) {
        guard let audioBus, audioBus.hasSessions else { return }
        switch event {
        case .audio, .action, .timer, .key, .configured: audioBus.show(system.audio.summary)
        default: break
        }
    }

    func stopAudioBus() {
        audioBusWatch?.end()
        audioBus?.close()
        audioBus = nil
    }
}

/// The bus's connection in the event loop, which may be another one after a while.
final class BusWatching {
    private var source: EventSource?
    private var descriptor: Int32 = -1

    func follow(_ bus: AudioBus, _ timer: EventSource, _ compositor: Compositor) {
        timer.arm(bus.deadline.map(Moment.init(nanoseconds:)))
        if bus.descriptor != descriptor {
            end()
            descriptor = bus.descriptor
            if descriptor >= 0 {
                source = compositor.watch(fd: descriptor, read: bus.events.read, write: bus.events.write) { [unowned bus] _ in
                    bus.process()
                }
            }
        }
        source?.watch(read: bus.events.read, write: bus.events.write)
    }

    func end() {
        source?.cancel()
        source = nil
        descriptor = -1
    }
}
