import Clocks
import Control
import FoundationEssentials
import Glibc
import Processes

/// The shell under attack: an already running one, or one that is started here, and restarted when it dies.
final class Target {
    /// The path of its Wayland socket.
    let socket: String
    private(set) var pid: Int32 = -1
    private let command: [String]
    private var room = ""
    private let launcher: Launcher?
    private(set) var ending: String?
    let known: ProtocolDescriptions

    struct Failure: Error, CustomStringConvertible { var description: String }

    /// Uses a running shell.
    init(socket: String, known: ProtocolDescriptions) throws {
        self.socket = socket
        self.known = known
        command = []
        launcher = nil
        guard let client = WireClient(path: socket, known: known), client.peer > 0 else {
            throw Failure(description: "nobody listens at \(socket)")
        }
        pid = client.peer
    }

    /// Starts `program`, with `beside` as the command that it launches.
    init(spawn program: String, beside: [String], known: ProtocolDescriptions, locks: Bool = false) throws {
        var template = Array("/tmp/mullion-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "/tmp: \(String(cString: strerror(errno)))") }
        room = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.known = known
        socket = "\(room)/run/wayland-fuzz"
        for folder in ["run", "home", "config", "data", "cache", "state"] { mkdir("\(room)/\(folder)", 0o700) }
        // A session that is locked stays locked, and nothing else would be visible any more.
        let lockers = locks ? "trusted" : "nobody"
        let config = """
            launch = []
            animation-speed = 4
            new-windows = "always"
            [keys]
            lock-screen = []
            [lock]
            command = ["sleep", "60"]
            [privileges]
            session-lock = "\(lockers)"
            picture-in-picture = "everyone"

            """
        try Data(config.utf8).write(to: URL(filePath: "\(room)/config.toml"))
        // Programs beside find the installed data; the shell finds only its own apps.
        let besides = beside.isEmpty ? [] : ["env", "XDG_DATA_DIRS=\(Target.installedData)"] + beside
        command =
            [
                program, "run", "--headless", "--fresh", "--once", "--remote-view", "off", "--socket", "wayland-fuzz", "--config",
                "\(room)/config.toml",
                "--size", "1180x820", "--scale", "1",
            ] + besides
        // Apps that end at once. Fingers open apps, and one that stays would count as a leak of the shell.
        for name in ["One", "Two", "Three"] {
            let entry = "[Desktop Entry]\nType=Application\nName=\(name)\nExec=true\n"
            try FileManager.default.createDirectory(atPath: "\(room)/share/applications", withIntermediateDirectories: true)
            try Data(entry.utf8).write(to: URL(filePath: "\(room)/share/applications/\(name).desktop"))
        }
        launcher = try Launcher()
        try start()
    }

    deinit {
        launcher?.endAll(patience: 300)
        if !room.isEmpty { try? FileManager.default.removeItem(atPath: room) }
    }

    var isOurs: Bool { launcher != nil }

    /// The folders in which installed programs look for their data.
    private static var installedData: String {
        ProcessInfo.processInfo.environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    }

    /// Whether the screen is locked, according to the control socket; nil if it does not answer.
    func isLocked() -> Bool? {
        let path = ControlPath.path(runtime: "\(room)/run", name: "wayland-fuzz")
        return try? ControlClient(path: path).state().locked
    }

    /// nil for a shell that was not started here: the person who locks that one should be able to unlock it.
    var asksForLock: (() -> Bool?)? { isOurs ? { [weak self] in self?.isLocked() } : nil }
    private var control: ControlClient?

    /// Makes input through the control socket; nil for a shell that a person may be using.
    var hands: ((InputRequest) -> Void)? { isOurs ? { [weak self] in self?.make($0) } : nil }

    private func make(_ input: InputRequest) {
        if control == nil { control = try? ControlClient(path: ControlPath.path(runtime: "\(room)/run", name: "wayland-fuzz")) }
        do {
            try control?.input(input)
        } catch {
            // The request was refused, or the shell is gone.
            control = nil
        }
    }

    /// The end of its log.
    var log: String {
        FileManager.default.contents(atPath: "\(room)/shell.log").map { String(decoding: $0.suffix(6000), as: UTF8.self) } ?? ""
    }

    private func start() throws {
        guard let launcher else { return }
        ending = nil
        var environment = [
            "HOME": "\(room)/home", "XDG_RUNTIME_DIR": "\(room)/run", "XDG_CONFIG_HOME": "\(room)/config",
            "XDG_DATA_HOME": "\(room)/data", "XDG_CACHE_HOME": "\(room)/cache", "XDG_STATE_HOME": "\(room)/state",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(room)/run/no-bus", "LANG": "C.UTF-8", "SHELL": "/bin/sh",
            "SWIFT_BACKTRACE": "enable=no", "GDK_BACKEND": "wayland",
            // Overwrite freed memory, so that a use after free crashes at once.
            "MALLOC_PERTURB_": "165", "LIBGL_ALWAYS_SOFTWARE": "1",
        ]
        for (name, value) in ProcessInfo.processInfo.environment
        where ["PATH", "LD_LIBRARY_PATH", "USER", "LOGNAME"].contains(name) || name.hasSuffix("SAN_OPTIONS") {
            environment[name] = value
        }
        environment["XDG_DATA_DIRS"] = "\(room)/share"
        if let own = ProcessInfo.processInfo.environment["MULLION_FUZZ_BACKTRACE"] { environment["SWIFT_BACKTRACE"] = own }
        unlink("\(room)/shell.log")
        pid = try launcher.launch(command, environment: environment, log: "\(room)/shell.log")
        let deadline = Clocks.monotonicSeconds + 30
        while !answers(within: 1) {
            look()
            guard ending == nil, Clocks.monotonicSeconds < deadline else {
                throw Failure(description: "the shell did not start: \(ending ?? "no answer")\n\(log)")
            }
            usleep(20_000)
        }
    }

    /// Starts a new shell in place of this one. Only for a shell that was started here.
    func restart() throws {
        control = nil
        launcher?.endAll(patience: 2000)
        _ = launcher?.drain()
        for left in ["wayland-fuzz", "wayland-fuzz.lock"] { unlink("\(room)/run/\(left)") }
        // A shell that died while its session was locked is followed by one that is not: the player counts from there.
        let kept = "\(room)/state/mullion"
        for note in (try? FileManager.default.contentsOfDirectory(atPath: kept)) ?? [] where note.hasPrefix("locked-") {
            unlink("\(kept)/\(note)")
        }
        try start()
    }

    /// Ends it properly and returns how it ended. Sanitizers report at the end.
    func end() -> String? {
        guard launcher != nil, ending == nil else { return ending }
        kill(pid, SIGTERM)
        let deadline = Clocks.monotonicSeconds + 30
        while ending == nil, Clocks.monotonicSeconds < deadline {
            look()
            usleep(20_000)
        }
        return ending ?? "does not end"
    }

    private func look() {
        for exit in launcher?.drain() ?? [] where exit.pid == pid {
            switch exit.reason {
            case .exited(let status): ending = "exited with status \(status)"
            case .signalled(let number): ending = "ended by signal \(number)"
            }
        }
        if launcher == nil, kill(pid, 0) != 0 { ending = "gone" }
    }

    /// Whether its process exists.
    var isAlive: Bool {
        look()
        return ending == nil
    }

    /// Connects another client and waits for an answer.
    func answers(within seconds: Double = 5) -> Bool {
        guard let client = WireClient(path: socket, known: known) else { return false }
        var sync = WireWriter(1, 0)
        sync.word(3)
        var registry = WireWriter(1, 1)
        registry.word(2)
        client.queue(registry.finished() + sync.finished(), files: [], raw: true)
        client.expect(callback: 3)
        client.flush(reads: true)
        let deadline = Clocks.monotonicSeconds + seconds
        while !client.done.contains(3), !client.ended, Clocks.monotonicSeconds < deadline { client.receive(within: 50) }
        return client.done.contains(3)
    }

    /// Whether it still has client memory mapped some seconds after the clients are gone.
    func keepsClientMemory() -> Bool {
        let deadline = Clocks.monotonicSeconds + 6
        while isAlive, mapsClientMemory {
            guard Clocks.monotonicSeconds < deadline else { return true }
            usleep(50_000)
        }
        return false
    }

    private var mapsClientMemory: Bool {
        let maps = FileManager.default.contents(atPath: "/proc/\(pid)/maps").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return maps.split(separator: "\n").contains { $0.contains(PassedFile.memoryPath) }
    }

    /// Problems with its descriptors, as text: it lost one, or tried to close one that it does not own.
    func descriptorTrouble() -> String? {
        let path = ControlPath.path(runtime: "\(room)/run", name: "wayland-fuzz")
        guard isOurs, let report = try? ControlClient(path: path).ask(.get(.descriptors), for: DescriptorReport.self) else { return nil }
        let lost = report.lost.map { "\($0.number) (\($0.owner ?? "nobody's"), now \($0.file ?? "closed"))" }
        guard !lost.isEmpty || report.refusals > 0 else { return nil }
        return "the shell lost descriptors: \(lost.joined(separator: ", ")); \(report.refusals) times it was to close another's"
    }

    /// Its private memory in bytes, and its number of open descriptors.
    func usage() -> (memory: Int, files: Int) {
        let statm = FileManager.default.contents(atPath: "/proc/\(pid)/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = statm.split(separator: " ").compactMap { Int($0) }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"))?.count ?? 0
        return (words.count > 2 ? (words[1] - words[2]) * 4096 : 0, files)
    }
}
