import AudioEngine
import FoundationEssentials
import Processes

/// PipeWire, WirePlumber and pipewire-pulse for this shell alone, in a folder of its runtime directory.
final class OwnSound {
    /// The required programs. Without pipewire-pulse, PulseAudio clients are silent.
    static let programs = ["pipewire", "wireplumber"]

    let folder: String
    var socket: String { "\(folder)/pipewire-0" }
    private let environment: [String: String]
    private var processes: [Int32: String] = [:]
    private var launch: (([String], [String: String]) throws -> Int32)?
    private var pauses = RestartPauses()
    /// Programs to start again, and when, in seconds of the monotonic clock.
    private var due: [String: Double] = [:]
    /// Seconds of a clock that never jumps.
    private let now: () -> Double

    init(folder: String, environment: [String: String], now: @escaping () -> Double) {
        self.folder = folder
        self.now = now
        self.environment = environment
    }

    /// The environment variables with which apps find it.
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
            try start(name)
        }
    }

    private func start(_ program: String) throws {
        var environment = environment
        environment["PIPEWIRE_RUNTIME_DIR"] = folder
        environment["PULSE_RUNTIME_PATH"] = "\(folder)/pulse"
        environment["PIPEWIRE_REMOTE"] = nil
        if program == "wireplumber", !hasBus { environment["XDG_CONFIG_HOME"] = "\(folder)/config" }
        pauses.started(program, at: now())
        if let process = try launch?([program], environment) { processes[process] = program }
    }

    /// When a program is to be started again, in seconds of its clock; nil if all run.
    var deadline: Double? { due.values.min() }

    /// The log message for a program that ended; nil if the process is none of these.
    func ended(_ exit: ProcessExit) -> String? {
        guard let program = processes.removeValue(forKey: exit.pid) else { return nil }
        return "\(program) of the own sound server ended\(again(program))"
    }

    /// Starts the programs that are due. Returns the log messages.
    func startDue() -> [String] {
        let moment = now()
        return due.filter { $0.value <= moment }.keys.sorted().compactMap { program in
            due[program] = nil
            do {
                try start(program)
                return nil
            } catch {
                return "\(program) of the own sound server does not start: \(error)\(again(program))"
            }
        }
    }

    private func again(_ program: String) -> String {
        let pause = pauses.ended(program, at: now())
        due[program] = now() + pause
        return pause == 0 ? "; it is started again" : "; it is started again in \(pause) s"
    }

    /// Whether the named bus really exists.
    private var hasBus: Bool {
        (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(separator: ";").contains { address in
            guard let path = address.split(separator: ",").first, path.hasPrefix("unix:path=") else { return true }
            return AudioEngine.isServed(String(path.dropFirst("unix:path=".count)))
        }
    }

    /// Configures WirePlumber to run without a session bus if there is none. Otherwise it would exit.
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
