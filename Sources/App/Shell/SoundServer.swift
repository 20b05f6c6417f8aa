import AudioEngine
import AudioSessions
import Compositor
import FoundationEssentials
import Geometry
import Processes
import Settings

/// The sound server: the machine's, or one of the shell's own.
extension Shell {
    func startSound() {
        let choice = store.settings.soundServer
        guard choice != .off else { return }
        var path = AudioEngine.path(environment: environment)
        if choice == .own || !AudioEngine.isServed(path) {
            guard let own = startOwnServer() else { return }
            path = own
        }
        let engine = AudioEngine(path: path, log: log)
        soundAwaitedUntil = Compositor.now() + 6
        audioEngine = engine
        engine.makesStandIn = ownSound != nil
        engine.onEvent = { [unowned self] event in
            // Where there is no device the stand-in comes two seconds after the server.
            if event == .serverChanged(isRunning: true) { soundAwaitedUntil = Compositor.now() + 5 }
            receive(.audio(described(event)))
        }
        let timer = compositor.timer { [unowned engine] in engine.process() }
        sources.append(timer)
        engine.onDeadline = { [unowned engine] in timer.arm(engine.deadline.map { Moment(nanoseconds: Int64($0)) }) }
        sources.append(compositor.watch(fd: engine.descriptor) { [unowned engine] _ in engine.process() })
        engine.start()
        engine.onDeadline()
    }

    func stopSound() {
        audioEngine?.close()
        audioEngine = nil
        ownSound = nil
    }

    /// What the engine cannot know of an app: the categories of its desktop entry.
    private func described(_ event: AudioEvent) -> AudioEvent {
        func described(_ facts: StreamFacts) -> StreamFacts {
            var facts = facts
            facts.appCategories = catalogue?.categories(of: facts.app.id) ?? []
            return facts
        }
        return switch event {
        case .streamAppeared(let id, let facts): .streamAppeared(id, described(facts))
        case .streamChanged(let id, let facts): .streamChanged(id, described(facts))
        default: event
        }
    }

    /// The socket of a server that is started for this shell and its apps; nil, with a line in the log, if there is none.
    private func startOwnServer() -> String? {
        let lacking = OwnSound.programs.filter { Executable.find($0, path: environment["PATH"]) == nil }
        guard lacking.isEmpty else {
            log.warning("no sound: there is no sound server, and \(lacking.joined(separator: " and ")) to start one is not installed")
            return nil
        }
        let own = OwnSound(folder: "\(runtime.path)/mullion-\(compositor.socket)/sound", environment: environment)
        do {
            try own.start { [unowned self] in
                try launcher.launch(Executable.bound($0, path: $1["PATH"]), environment: $1, log: programLog)
            }
        } catch {
            log.warning("no sound: \(error)")
            return nil
        }
        ownSound = own
        environment.merge(own.forApps) { $1 }
        log.notice("no sound server runs: one of its own at \(own.socket)")
        return own.socket
    }

    /// A program of the own sound server ended; it is started again, if not too often.
    func soundEnded(_ exit: ProcessExit) -> Bool {
        guard let message = ownSound?.ended(exit) else { return false }
        log.warning("\(message)")
        return true
    }
}

/// PipeWire, WirePlumber and pipewire-pulse for one shell, in a folder of its runtime directory.
final class OwnSound {
    /// Those that have to be there; without pipewire-pulse, programs that speak PulseAudio are silent.
    static let programs = ["pipewire", "wireplumber"]

    let folder: String
    var socket: String { "\(folder)/pipewire-0" }
    private let environment: [String: String]
    private var processes: [Int32: [String]] = [:]
    private var failures = 0
    private var launch: (([String], [String: String]) throws -> Int32)?

    private static let patience = 5

    init(folder: String, environment: [String: String]) {
        self.folder = folder
        self.environment = environment
    }

    /// What apps have to know of it.
    var forApps: [String: String] {
        ["PIPEWIRE_RUNTIME_DIR": folder, "PULSE_SERVER": "unix:\(folder)/pulse/native"]
    }

    func start(_ launch: @escaping ([String], [String: String]) throws -> Int32) throws {
        self.launch = launch
        guard socket.utf8.count < 108, "\(folder)/pulse/native".utf8.count < 108 else {
            throw ShellError("the runtime directory's path is too long for a sound server's socket")
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/pulse", withIntermediateDirectories: true)
        try configure()
        for name in ["pipewire", "wireplumber", "pipewire-pulse"] where Executable.find(name, path: environment["PATH"]) != nil {
            try start([name])
        }
    }

    private func start(_ command: [String]) throws {
        var environment = environment
        environment["PIPEWIRE_RUNTIME_DIR"] = folder
        environment["PULSE_RUNTIME_PATH"] = "\(folder)/pulse"
        environment["PIPEWIRE_REMOTE"] = nil
        if command == ["wireplumber"], !hasBus { environment["XDG_CONFIG_HOME"] = "\(folder)/config" }
        if let process = try launch?(command, environment) { processes[process] = command }
    }

    /// Nil if the program is none of these.
    func ended(_ exit: ProcessExit) -> String? {
        guard let command = processes.removeValue(forKey: exit.pid) else { return nil }
        failures += 1
        guard failures <= OwnSound.patience else { return "\(command[0]) ended; the sound server has ended \(failures) times and stays away" }
        do {
            try start(command)
            return "\(command[0]) of the own sound server ended and was started again"
        } catch {
            return "\(command[0]) of the own sound server does not start again: \(error)"
        }
    }

    /// A bus that is named and not there is none.
    private var hasBus: Bool {
        (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(separator: ";").contains { address in
            guard let path = address.split(separator: ",").first, path.hasPrefix("unix:path=") else { return true }
            return AudioEngine.isServed(String(path.dropFirst("unix:path=".count)))
        }
    }

    /// WirePlumber ends by itself where it expects a session bus and finds none.
    private func configure() throws {
        let files = [
            "main.lua.d/51-mullion.lua":
                "default_access.properties[\"enable-flatpak-portal\"] = false\n"
                + "if alsa_monitor then alsa_monitor.properties[\"alsa.reserve\"] = false end\n",
            "wireplumber.conf.d/51-mullion.conf":
                "wireplumber.profiles = { main = { support.dbus = disabled support.reserve-device = disabled "
                + "support.portal-permissionstore = disabled } }\n",
        ]
        for (name, text) in files {
            let path = "\(folder)/config/wireplumber/\(name)"
            try FileManager.default.createDirectory(
                atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
