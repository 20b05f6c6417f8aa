import AudioBus
import AudioSessions
import Compositor
import Geometry
import Glibc
import Multitasking
import Processes

/// Effects of sound, handed to the adapter that carries each out.
extension Shell {
    func perform(_ effect: AudioEffect) {
        switch effect {
        // The sound server: AudioEngine.
        case .level, .connect, .useOutput, .useInput, .outputLevel, .muteInput: audioEngine?.perform(effect)
        // Players on the session bus, apps that declare sessions.
        case .command, .tell, .answer: audioBus?.perform(effect)
        // Short sounds and haptics.
        case .playSound(let name, let kind): shortSounds.play(name, kind, environment: environment)
        case .haptic(let name): audioBus?.haptic(name) { [weak self] in self?.shortSounds.noHaptics($0) }
        // The core has turned these into effects of its own.
        case .refuse, .startTimer, .stopTimer: break
        }
    }
}

/// Sound on the session bus.
extension Shell {
    /// A machine without a session bus (a container, a bare console) gets one for this shell and its apps: without it
    /// no player hears a key and no app can say what its sound is for. Where one is named, or lies where libraries look,
    /// that one is used.
    func startSessionBus() {
        guard (environment[Self.busVariable] ?? "").isEmpty, access("\(runtime.path)/bus", F_OK) != 0 else { return }
        guard Executable.find("dbus-daemon", path: environment["PATH"]) != nil else {
            return log.notice("there is no session bus and no dbus-daemon to start one: no media players, no audio sessions")
        }
        let folder = "\(runtime.path)/mullion-\(compositor.socket)"
        let path = "\(folder)/bus"
        mkdir(folder, 0o700)
        unlink(path)
        do {
            let command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=\(path)"]
            _ = try launcher.launch(
                Executable.bound(command, path: environment["PATH"]), environment: environment, log: programLog)
        } catch {
            return log.notice("no session bus: \(error.message)")
        }
        ownBus = path
        environment[Self.busVariable] = "unix:path=\(path)"
        log.info("a session bus of its own at \(path), as there was none")
    }

    func removeSessionBus() {
        if let ownBus { unlink(ownBus) }
    }

    private static let busVariable = "DBUS_SESSION_BUS_ADDRESS"

    func startAudioBus() {
        // A bus that was started a moment ago is there in a moment.
        let bus = AudioBus(environment: environment, firstPause: ownBus == nil ? 3_000_000_000 : 50_000_000)
        audioBus = bus
        bus.onEvent = { [unowned self] event in receive(.audio(event)) }
        bus.summary = { [unowned self] in system.audio.summary }
        bus.state = { [unowned self] in system.audio.state(of: $0) }
        bus.mayOpen = { [unowned self] in system.audio.mayOpen($0) }
        bus.onNote = { [unowned self] note in log.notice("\(note)") }
        audioBusFollower = BusFollower(bus, compositor)
    }

    /// Apps with sessions can read the route and the volume. Whatever the event was, what changed in sound is told.
    func tellAudioBus() {
        guard let audioBus, audioBus.hasSessions, toldSound != system.soundRevision else { return }
        toldSound = system.soundRevision
        audioBus.show(system.audio.summary)
    }

    func stopAudioBus() {
        audioBusFollower?.end()
        audioBus?.close()
        audioBus = nil
    }
}
