import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Journal
import Processes
import Windows

/// The audit itself could not go on; says nothing about a rule.
struct Trouble: Error, CustomStringConvertible {
    let why: Phrase
    var description: String { why.english }

    init(_ why: Phrase) { self.why = why }
}

/// A fresh home, runtime directory, session bus, sound server and shell for one app, isolated from the machine's session.
final class Room {
    static let socket = "mullion-audit"

    /// Removed at the end.
    let path: String
    let environment: [String: String]
    private(set) var client: ControlClient
    private(set) var shell: Int32
    private let program: String
    private let manner: Manner
    private let launcher: Launcher
    private var exits: [Int32: ProcessExit] = [:]
    /// How far the logs of apps were read.
    private var offsets: [String: Int] = [:]
    private var eventOffset = 0
    /// How far ends of programs were read, which no check skips.
    private var endOffset = 0
    /// The kinds of requests that apps made since the start, as "wl_seat.get_touch".
    private(set) var requests: Set<String> = []

    var busAddress: String { "unix:path=\(path)/run/bus" }
    private var recording: String { "\(path)/session.jsonl" }

    /// How the shell and the apps run.
    struct Manner: Hashable {
        var idiom = "pad"
        var size = Size.zero
        /// The locale of apps.
        var locale = "C.UTF-8"
        /// Whether a sound server runs.
        var hasSound = true
        /// When the clock of apps starts, and the library that says so; nil for the machine's time.
        var clock: FixedClock?
    }

    /// - Parameter program: this program.
    init(program: String, _ manner: Manner) throws {
        self.program = program
        self.manner = manner
        path = try Room.makeFolder()
        let path = path
        environment = Room.environment(path: path, manner)
        launcher = try Launcher()
        try Room.write(Room.configuration(grace: 3600), to: "\(path)/config.toml")
        do {
            try Room.startBus(launcher, environment, path)
            (shell, client) = try Room.startShell(launcher, program, manner, environment, path)
        } catch {
            launcher.endAll(patience: 300)
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        skipEvents()
    }

    private static func makeFolder() throws -> String {
        var template = Array("/tmp/mullion-audit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble(.verbatim("/tmp: \(String(cString: strerror(errno)))")) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for folder in ["run", "home", "config", "data", "data/applications", "cache", "state", "pictures"] {
            guard mkdir("\(path)/\(folder)", 0o700) == 0 else {
                throw Trouble(.verbatim("\(path)/\(folder): \(String(cString: strerror(errno)))"))
            }
        }
        return path
    }

    /// Nothing of the session in which the audit runs.
    private static func environment(path: String, _ manner: Manner) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = [
            "HOME": "\(path)/home", "XDG_RUNTIME_DIR": "\(path)/run", "XDG_CONFIG_HOME": "\(path)/config", "XDG_DATA_HOME": "\(path)/data",
            "XDG_CACHE_HOME": "\(path)/cache", "XDG_STATE_HOME": "\(path)/state", "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)/run/bus",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)/run/no-bus", "LANG": manner.locale, "TZ": "UTC", "SHELL": "/bin/sh", "PS1": "$ ",
            "XDG_CURRENT_DESKTOP": "Mullion", "XDG_SESSION_TYPE": "wayland",
            // Drawing without a GPU, the same on every machine.
            "GSK_RENDERER": "cairo", "LIBGL_ALWAYS_SOFTWARE": "1", "GSETTINGS_BACKEND": "keyfile", "MOZ_ENABLE_WAYLAND": "1",
            "GNOME_ACCESSIBILITY": "1", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_ACCESSIBILITY": "1",
            // Many checks take their evidence from the messages between apps and the shell.
            "WAYLAND_DEBUG": "client",
            // The same means on every machine.
            "MULLION_SCOPES": "processes",
        ]
        environment["PATH"] = (own["PATH"].map { "\($0):" } ?? "") + "/usr/local/bin:/usr/bin:/bin:/usr/games"
        for name in ["LD_LIBRARY_PATH", "XDG_DATA_DIRS", "USER", "LOGNAME"] { environment[name] = own[name] }
        if let clock = manner.clock { environment.merge(clock.environment) { $1 } }
        return environment
    }

    /// - Parameter grace: seconds until an app in the background is frozen.
    private static func configuration(grace: Double) -> String {
        "launch = []\nanimation-speed = 4\n[life]\ngrace = \(grace)\n"
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func startBus(_ launcher: Launcher, _ environment: [String: String], _ path: String) throws {
        let command = Executable.bound(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=unix:path=\(path)/run/bus"],
            path: environment["PATH"])
        let process = try launcher.launch(command, environment: environment, log: "\(path)/bus.log")
        let deadline = Clocks.monotonicSeconds + 10
        while access("\(path)/run/bus", F_OK) != 0 {
            guard Clocks.monotonicSeconds < deadline, !launcher.drain().contains(where: { $0.pid == process }) else {
                throw Trouble(.busDoesNotStart(log: String(text(of: "\(path)/bus.log").suffix(400))))
            }
            Pause.sleep(0.01)
        }
    }

    private static func startShell(
        _ launcher: Launcher, _ program: String, _ manner: Manner, _ environment: [String: String], _ path: String
    ) throws -> (Int32, ControlClient) {
        let process = try launcher.launch(
            Executable.bound(
                [
                    program, "run", "--headless", "--once", "--remote-view", "off", "--audio", manner.hasSound ? "private" : "off",
                    "--idiom", manner.idiom, "--size", manner.size.words, "--scale", "1", "--socket", socket, "--config",
                    "\(path)/config.toml",
                    "--record", "\(path)/session.jsonl",
                ], path: environment["PATH"]), environment: environment, log: "\(path)/shell.log")
        let control = ControlPath.path(runtime: "\(path)/run", name: socket)
        let deadline = Clocks.monotonicSeconds + 30
        while true {
            if let client = try? ControlClient(path: control) {
                client.timeout = 20
                return (process, client)
            }
            guard Clocks.monotonicSeconds < deadline, Interruption.number == nil, !launcher.drain().contains(where: { $0.pid == process })
            else {
                throw Trouble(.shellDoesNotStart(log: String(text(of: "\(path)/shell.log").suffix(600))))
            }
            Pause.sleep(0.02)
        }
    }

    /// Starts another session with the same home, as after a restart of the device. The state that the first one kept is on the disk;
    /// its bus, its services and its runtime directory are gone.
    ///
    /// - Parameter processes: end with the shell, at once, as at a loss of power; nil if the shell has ended by itself.
    func restart(killing processes: [Int32]?) throws {
        if let processes {
            // The shell was started by way of a program that may still be its parent.
            let own = try client.ask(.get(.version), for: VersionReport.self).process
            for pid in [own] + processes.reversed() { kill(pid, SIGKILL) }
        }
        let deadline = Clocks.monotonicSeconds + 10
        while isAlive {
            if Clocks.monotonicSeconds > deadline { launcher.signal(shell, SIGKILL) }
            guard Clocks.monotonicSeconds < deadline + 5 else { throw Trouble(.shellStays) }
            Pause.sleep(0.02)
        }
        // The session's bus, and whatever apps and services left behind.
        for exit in launcher.endAll(patience: processes == nil ? 500 : 0) { exits[exit.pid] = exit }
        Confinement.end(patience: processes == nil ? 1 : 0)
        try? FileManager.default.removeItem(atPath: "\(path)/run")
        guard mkdir("\(path)/run", 0o700) == 0 else { throw Trouble(.verbatim("\(path)/run: \(String(cString: strerror(errno)))")) }
        // The logs of apps were in it.
        offsets = [:]
        try Room.startBus(launcher, environment, path)
        (shell, client) = try Room.startShell(launcher, program, manner, environment, path)
        skipEvents()
        // Programs that ended with the last session did not crash.
        endOffset = eventOffset
    }

    /// Whether the shell still runs.
    var isAlive: Bool {
        for exit in launcher.drain() { exits[exit.pid] = exit }
        return exits[shell] == nil
    }

    /// Whether the shell ends in this time. The connection to it breaks a moment before its process is gone.
    func hasEnded(within seconds: Double) -> Bool {
        let deadline = Clocks.monotonicSeconds + seconds
        while isAlive {
            guard Clocks.monotonicSeconds < deadline else { return false }
            Pause.sleep(0.02)
        }
        return true
    }

    /// Seconds in the background until an app is frozen.
    func setGrace(_ seconds: Double) throws {
        try Room.write(Room.configuration(grace: seconds), to: "\(path)/config.toml")
        try client.ask(.reload)
    }

    /// Ends the programs that the shell launched, but for the sound server and the shell's own programs.
    func endApps() {
        let own: Set<String> = ["mullion", "pipewire", "pipewire-pulse", "wireplumber", "Xwayland", "setpriv"]
        for pid in ProcessTree.descendants(of: shell).reversed() where !own.contains(Confinement.name(of: pid) ?? "") { kill(pid, SIGKILL) }
    }

    /// Ends the shell and everything else that runs here. The folder goes, unless it is to be kept.
    func end() {
        _ = try? client.ask(.quit)
        let deadline = Clocks.monotonicSeconds + 3
        while isAlive, Clocks.monotonicSeconds < deadline { Pause.sleep(0.02) }
        launcher.endAll(patience: 300)
        Confinement.end()
        // A process that was being killed may still have made a file.
        for _ in 0..<3 where access(path, F_OK) == 0 { try? FileManager.default.removeItem(atPath: path) }
    }

    // MARK: Evidence

    /// Runs a tool of the machine to its end. nil if it is not installed or does not end.
    func tool(_ command: [String], within seconds: Double = 15) -> (status: Int32, output: String)? {
        let log = "\(path)/tool.log"
        unlink(log)
        guard let process = start(command, log: log) else { return nil }
        let deadline = Clocks.monotonicSeconds + seconds
        while exits[process] == nil {
            for exit in launcher.drain() { exits[exit.pid] = exit }
            guard Clocks.monotonicSeconds < deadline else {
                launcher.signal(process, SIGKILL)
                return nil
            }
            Pause.sleep(0.01)
        }
        guard case .exited(let status)? = exits[process]?.reason else { return nil }
        return (status, Room.text(of: log))
    }

    /// Starts a program of the audit's own, which finds the sound server as apps do. nil if it is not installed.
    func start(_ command: [String], log: String? = nil) -> Int32? {
        var environment = environment
        environment["PIPEWIRE_RUNTIME_DIR"] = "\(path)/run/mullion-\(Room.socket)/sound"
        return try? launcher.launch(command, environment: environment, log: log ?? "\(path)/own.log")
    }

    /// Ends a program that `start` started.
    func stop(_ process: Int32) { launcher.signal(process, SIGKILL) }

    /// The last lines of the shell's log.
    var lastWords: String { Room.text(of: "\(path)/shell.log").split(separator: "\n").suffix(2).joined(separator: "\n") }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// At most this much of a log is read at once; further output of an app is left out.
    private static let mostTrace = 24 << 20

    private var logs: [String] {
        let folder = "\(path)/run/mullion-\(Room.socket)/programs"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" } + ["\(path)/bus.log"]
    }

    /// Bytes that apps have written to their logs.
    var logBytes: Int { logs.reduce(0) { $0 + Room.size(of: $1) } }

    private static func size(of file: String) -> Int {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the messages between apps and the shell since the last call, as far as their libraries print them.
    func trace() -> Trace {
        var text = ""
        for log in logs {
            let from = offsets[log] ?? 0, to = Room.size(of: log)
            guard to > from else { continue }
            // The last line may not be complete yet.
            let bytes = Room.read(log, from: max(from, to - Room.mostTrace), to: to)
            guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            offsets[log] = to - (bytes.count - end - 1)
            text += String(decoding: bytes[...end], as: UTF8.self)
        }
        let trace = Trace(text: text)
        for line in trace.lines where line.isRequest { requests.insert("\(line.interface).\(line.name)") }
        return trace
    }

    func skipTrace() { _ = trace() }

    private static func read(_ file: String, from: Int, to: Int) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        lseek(descriptor, off_t(from), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: to - from), done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done) }
            guard count > 0 else { break }
            done += count
        }
        return Array(bytes.prefix(done))
    }

    func skipEvents() { eventOffset = Room.size(of: recording) }

    /// The events that the shell handled since the last call, from its recording.
    func events() -> [JSON] { events(from: &eventOffset) }

    /// The events of programs that ended since the last call.
    func takeEnds() -> [JSON] { events(from: &endOffset).filter { $0["launchEnded"] != nil } }

    /// Whether there are any.
    var hasEnds: Bool {
        var offset = endOffset
        return events(from: &offset).contains { $0["launchEnded"] != nil }
    }

    private func events(from offset: inout Int) -> [JSON] {
        let to = Room.size(of: recording)
        // Another shell began a recording of its own.
        if offset > to { offset = 0 }
        guard to > offset else { return [] }
        let bytes = Room.read(recording, from: offset, to: to)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        offset += end + 1
        return bytes[...end].split(separator: UInt8(ascii: "\n")).compactMap { line in
            // Lines of digests are skipped before they are parsed.
            line.starts(with: Array("{\"event\"".utf8)) ? (try? JSON(parsing: line))?["event"] : nil
        }
    }
}
