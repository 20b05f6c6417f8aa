import AudioEngine
import AudioSessions
import Clocks
import Compositor
import Geometry
import Logging
import Multitasking
import Processes
import Settings

/// The sound server: the machine's, or a private one of the shell.
final class SoundServer: Adapter {
    private unowned let shell: Shell
    private var engine: AudioEngine?
    private var own: OwnSound?
    /// When to stop waiting for the first output, on the machine's clock.
    private var awaitedUntil = Moment.zero
    private var sources: [EventSource] = []
    /// Starts programs of the private server again.
    private var restarts: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.soundServer]

    /// Whether the first output may still appear.
    var isAwaited: Bool { engine != nil && awaitedUntil > Compositor.now() }

    func start() {
        let choice = shell.store.settings.soundServer
        guard choice != .off else { return }
        var path = AudioEngine.path(environment: shell.environment)
        if choice == .own || !AudioEngine.isServed(path) {
            guard let own = startOwnServer() else { return }
            path = own
        }
        let engine = AudioEngine(path: path, log: shell.log)
        awaitedUntil = Compositor.now() + 6
        self.engine = engine
        engine.makesStandIn = own != nil
        engine.onEvent = { [unowned self] event in
            // Without a device, the null output appears two seconds after the server.
            if event == .serverChanged(isRunning: true) { awaitedUntil = Compositor.now() + 5 }
            shell.receive(.audio(event))
        }
        engine.onCameras = { [unowned shell] apps in shell.adapter(Cameras.self).streams(apps) }
        let timer = shell.compositor.timer { [unowned engine] in engine.process() }
        sources.append(timer)
        engine.onDeadline = { [unowned engine] in timer.arm(engine.deadline.map { Moment(nanoseconds: Int64($0)) }) }
        sources.append(shell.compositor.watch(fd: engine.descriptor) { [unowned engine] _ in engine.process() })
        engine.start()
        engine.onDeadline()
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        if case .audio(let effect) = effect { engine?.perform(effect) }
    }

    /// Handles the exit of a program of the private sound server. Starts it again, after a pause if it keeps ending.
    func ended(_ exit: ProcessExit) -> Bool {
        guard let message = own?.ended(exit) else { return false }
        shell.log.warning("\(message)")
        restart()
        return true
    }

    private func restart() {
        for message in own?.startDue() ?? [] { shell.log.warning("\(message)") }
        restarts?.arm(own?.deadline.map { Moment(nanoseconds: Int64(clamping: $0 * 1e9)) })
    }

    func stop() {
        for source in sources { source.cancel() }
        sources.removeAll()
        restarts = nil
        engine?.close()
        engine = nil
        own = nil
    }

    /// Starts a private server for the shell and its apps, and returns its socket. On failure, logs the reason and
    /// returns nil.
    private func startOwnServer() -> String? {
        let environment = shell.environment
        let lacking = OwnSound.programs.filter { Executable.find($0, path: environment["PATH"]) == nil }
        guard lacking.isEmpty else {
            shell.log.warning("no sound: there is no sound server, and \(lacking.joined(separator: " and ")) to start one is not installed")
            return nil
        }
        let own = OwnSound(folder: "\(shell.sessionFolder)/sound", environment: environment) { Clocks.monotonicSeconds }
        do {
            try own.start { [unowned shell] in
                try shell.launcher.launch(Executable.bound($0, path: $1["PATH"]), environment: $1, log: shell.programLog)
            }
        } catch {
            shell.log.warning("no sound: \(error)")
            return nil
        }
        self.own = own
        let restarts = shell.compositor.timer { [unowned self] in restart() }
        sources.append(restarts)
        self.restarts = restarts
        shell.environment.merge(own.forApps) { $1 }
        shell.log.notice("no sound server is running: starting one of its own at \(own.socket)")
        return own.socket
    }
}
