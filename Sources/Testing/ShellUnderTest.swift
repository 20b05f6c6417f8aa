import Chrome
import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Journal
import Multitasking
import Processes
import Windows

/// The real program, headless, in its own folder, isolated from the machine's session.
///
/// Use `ShellUnderTest.with`, which quits it properly, and prints its log if the test fails.
public final class ShellUnderTest {
    /// The folder of everything it reads and writes. Removed at the end.
    public let room: String
    public let client: ControlClient
    /// For clients that the test starts itself.
    public private(set) var environment: [String: String]
    /// The shell's process.
    public let process: Int32
    private let launcher: Launcher
    private var exits: [Int32: ProcessExit] = [:]

    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        public init(_ description: String) { self.description = description }
    }

    /// The name of the Wayland socket.
    public static let socket = "wayland-test"

    public var runtime: String { "\(room)/run" }
    public var configPath: String { "\(room)/config.toml" }
    public var recordingPath: String { "\(room)/session.jsonl" }
    public var controlPath: String { ControlPath.path(runtime: runtime, name: ShellUnderTest.socket) }

    // MARK: Starting

    /// Nothing is launched, and no app is frozen because a test takes long on a busy machine.
    /// The locker is a client. The shell starts one that does nothing, where none holds the session.
    public static let otherLocker = standardConfig + "[lock]\ncommand = [\"sleep\", \"60\"]\non-sleep = false\n"

    public static let standardConfig = "launch = []\nanimation-speed = 2\n[life]\ngrace = 600\n"

    /// Runs a shell during `body`. Afterwards the shell must still run, quit cleanly, and its recording must replay
    /// to the same state (X-07). If anything fails, the error includes the end of its log. `size`: of the screen in
    /// pixels. `config`: the configuration file. `options`: more options for `mullion run`. `files`: files in the
    /// folder before the start, by path. `{room}` in texts and variables stands for the folder's path.
    /// `showsInstalledApps`: whether the home screen has the machine's apps, as it has for a person.
    /// `endsBySignal`: whether SIGTERM ends it: an idiom that does not offer logging out refuses the action.
    public static func with<R>(
        size: String? = "1180x820", scale: Double? = 1, config: String = standardConfig, options: [String] = [],
        environment: [String: String] = [:], files: [String: String] = [:], audio: String = "off", showsInstalledApps: Bool = false,
        showsStatus: Bool = false, showsSettings: Bool = false, endsBySignal: Bool = false, _ body: (ShellUnderTest) throws -> R
    ) throws -> R {
        let shell = try ShellUnderTest(
            size: size, scale: scale, config: config, options: options, environment: environment, files: files, audio: audio,
            showsInstalledApps: showsInstalledApps, showsStatus: showsStatus, showsSettings: showsSettings)
        defer { shell.clear() }
        do {
            let result = try body(shell)
            try shell.quit(bySignal: endsBySignal)
            return result
        } catch {
            throw Failure("\(error)\(shell.ending.map { "; \($0)" } ?? "")\nThe shell's log ends with:\n\(shell.log.suffix(4000))")
        }
    }

    /// The factor for timeouts, which are meant for an idle machine. Only a failing test waits that long.
    public static let patience = 5.0

    /// - Parameters:
    ///   - showsInstalledApps: whether the home screen has the machine's apps. Every start reads their entries and draws their
    ///     icons, so most tests do without.
    ///   - showsStatus: whether the time and the state of the device are shown. They take a strip of the screen, and the time is no two
    ///     tests' same.
    ///   - kind: the command of the program: `run`, or `greeter`.
    ///   - records: false disables the recording, for measurements. `quit` needs the recording.
    public init(
        size: String? = "1180x820", scale: Double? = 1, config: String = standardConfig, options: [String] = [],
        environment extra: [String: String] = [:], files: [String: String] = [:], audio: String = "off",
        showsInstalledApps: Bool = false, showsStatus: Bool = false, showsSettings: Bool = false, records: Bool = true,
        kind: String = "run"
    ) throws {
        let program = try ShellUnderTest.program()
        let room = try ShellUnderTest.makeRoom()
        self.room = room
        func own(_ text: String) -> String { text.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: room) }
        environment = ShellUnderTest.environment(room: room).merging(extra.mapValues(own)) { $1 }
        launcher = try Launcher()
        do {
            try Data(own(config).utf8).write(to: URL(filePath: "\(room)/config.toml"))
            // A test that names its own data folders names its apps as well.
            if !showsInstalledApps, extra["XDG_DATA_DIRS"] == nil { try HiddenApps.hide(in: "\(room)/data") }
            for (path, text) in files { try ShellUnderTest.write(own(text), to: "\(room)/\(path)") }
            var command = [
                program, kind, "--once", "--headless", "--remote-view", "off", "--socket",
                ShellUnderTest.socket, "--config", "\(room)/config.toml", "--audio", audio, "--check-laws",
            ]
            // Omitted options follow the configuration.
            if let size { command += ["--size", size] }
            if let scale { command += ["--scale", "\(scale)"] }
            if !showsStatus { command.append("--no-status-bar") }
            if !showsSettings { command.append("--no-settings-icon") }
            if records { command += ["--record", "\(room)/session.jsonl"] }
            process = try launcher.launch(command + options, environment: environment, log: "\(room)/shell.log")
            client = try ShellUnderTest.connect(room: room, launcher: launcher)
        } catch {
            launcher.endAll(patience: 200)
            let log = ShellUnderTest.text(of: "\(room)/shell.log")
            try? FileManager.default.removeItem(atPath: room)
            throw Failure("\(error); the shell's log:\n\(log.suffix(4000))")
        }
        environment["WAYLAND_DISPLAY"] = ShellUnderTest.socket
        environment["XAUTHORITY"] = (try? client.ask(.get(.version), for: VersionReport.self))?.x11Authority
        environment[ControlPath.variable] = controlPath
    }

    /// The program in MULLION_BINARY, or the one next to the tests.
    public static func program() throws -> String {
        if let named = ProcessInfo.processInfo.environment["MULLION_BINARY"], !named.isEmpty { return named }
        guard let path = OwnProgram.companion("mullion") else {
            throw Failure(
                "there is no mullion beside \(OwnProgram.path): build it (swift build --product mullion), or name it in MULLION_BINARY")
        }
        return path
    }

    /// Creates parent folders as needed.
    public static func write(_ text: String, to path: String) throws {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        try FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func makeRoom() throws -> String {
        var template = Array("/tmp/mullion-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("/tmp: \(String(cString: strerror(errno)))") }
        let room = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for folder in ["run", "home", "config", "data", "cache", "state"] {
            guard mkdir("\(room)/\(folder)", 0o700) == 0 else {
                throw Failure("\(room)/\(folder): \(String(cString: strerror(errno)))")
            }
        }
        return room
    }

    /// Nothing of the session in which the tests run, and no sound, bus or GPU.
    private static func environment(room: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = [
            "HOME": "\(room)/home", "XDG_RUNTIME_DIR": "\(room)/run", "XDG_CONFIG_HOME": "\(room)/config",
            "XDG_DATA_HOME": "\(room)/data", "XDG_CACHE_HOME": "\(room)/cache", "XDG_STATE_HOME": "\(room)/state",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(room)/run/no-bus",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(room)/run/no-bus",
            "LANG": "C.UTF-8", "SHELL": "/bin/sh", "PS1": "$ ",
            "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none",
            "NO_AT_BRIDGE": "1", "QT_QPA_PLATFORM": "wayland", "MOZ_ENABLE_WAYLAND": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
        ]
        // Prefer the system's programs: a version manager's wrapper for Python takes ten times as long to start.
        environment["PATH"] = "/usr/bin:/bin" + (own["PATH"].map { ":\($0)" } ?? "")
        for name in ["LD_LIBRARY_PATH", "XDG_DATA_DIRS", "USER", "LOGNAME", "ASAN_OPTIONS", "LSAN_OPTIONS", "MULLION_SLOW_TESTS"] {
            environment[name] = own[name]
        }
        return environment
    }

    private static func connect(room: String, launcher: Launcher) throws -> ControlClient {
        let path = ControlPath.path(runtime: "\(room)/run", name: socket)
        let deadline = Clocks.monotonicSeconds + 20 * patience
        while true {
            if let client = try? ControlClient(path: path) {
                client.timeout *= patience
                return client
            }
            if let exit = launcher.drain().first { throw Failure("the shell did not start: \(exit.reason)") }
            guard Clocks.monotonicSeconds < deadline else { throw Failure("the shell did not answer at \(path) in 20 s") }
            usleep(20_000)
        }
    }

    // MARK: Ending

    /// Quits the shell. Throws if it was already gone, does not quit, fails, or its recording replays to another
    /// state.
    public func quit(bySignal: Bool = false) throws {
        if let ending { throw Failure(ending) }
        try checkDescriptors()
        try checkLaws()
        if bySignal { signal(process, SIGTERM) } else { try client.ask(.quit) }
        try awaitEnd()
    }

    /// Waits until the shell has ended by itself or as it was told to, and checks that it ended in order and that its recording replays to
    /// the same state.
    public func awaitEnd() throws {
        let deadline = Clocks.monotonicSeconds + 10 * ShellUnderTest.patience
        while ending == nil {
            guard Clocks.monotonicSeconds < deadline else { throw Failure("the shell did not end in 10 s") }
            usleep(10_000)
        }
        guard exits[process]?.reason == .exited(0) else { throw Failure(ending ?? "") }
        guard let recording = FileManager.default.contents(atPath: recordingPath) else {
            throw Failure("there is no recording at \(recordingPath)")
        }
        let replay = try Replay(of: recording)
        guard replay.isComplete, replay.isSame else { throw Failure("the recording replays differently:\n\(replay.summary)") }
    }

    /// Throws if the shell broke a law of its state after an event, or of the messages to clients (P-05). The laws of a person (P-01 to
    /// P-04) are checked at rest, by the tests of the core and by the walk.
    public func checkLaws() throws {
        // The laws of hundreds of windows take a debug build longer than the client waits.
        guard try client.state().windows.count < 100 else { return }
        let report = try client.ask(.get(.violations), for: ViolationReport.self), broken = report.system + report.wire
        guard broken.isEmpty else { throw Failure("the shell broke laws:\n\(broken.joined(separator: "\n"))") }
    }

    /// Throws if the shell's open descriptors differ from its report, or if it lost one or tried to close one that it
    /// did not own.
    public func checkDescriptors() throws {
        // Clients may connect or disconnect between two looks.
        for attempt in 1... {
            let before = openFiles(), report = try client.ask(.get(.descriptors), for: DescriptorReport.self), after = openFiles()
            guard report.lost.isEmpty, report.refusals == 0 else { throw Failure("the shell lost descriptors: \(report)") }
            guard before[0] == "/dev/null" else { throw Failure("the shell's standard input is \(before[0] ?? "closed")") }
            let said = Dictionary(uniqueKeysWithValues: report.open.map { ($0.number, $0.file ?? "") })
            if before == said || after == said { return }
            guard attempt < 50 else { throw Failure("open descriptors are \(after), but the shell reports \(said)") }
            usleep(20_000)
        }
    }

    /// The shell's open descriptors according to the kernel, by number.
    private func openFiles() -> [Int32: String] {
        let folder = "/proc/\(process)/fd"
        var files: [Int32: String] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let number = Int32(name) else { continue }
            files[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
        return files
    }

    /// Ends remaining processes and removes the folder.
    public func clear() {
        launcher.endAll(patience: 300)
        try? FileManager.default.removeItem(atPath: room)
    }

    /// How it ended; nil while it runs.
    public var ending: String? {
        for exit in launcher.drain() { exits[exit.pid] = exit }
        switch exits[process]?.reason {
        case .exited(let status): return "the shell ended with status \(status)"
        case .signalled(let number): return "the shell was ended by signal \(number)"
        case nil: return nil
        }
    }

    /// The log so far.
    public var log: String { ShellUnderTest.text(of: "\(room)/shell.log") }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Apps

    /// Whether a program is installed. Tests of real apps are skipped otherwise.
    public static func has(_ program: String) -> Bool {
        Executable.find(program, path: ProcessInfo.processInfo.environment["PATH"]) != nil
    }

    /// Launches a program through the shell, and waits until its window is open and at rest.
    @discardableResult
    public func open(
        _ command: [String], appID: String? = nil, title: String? = nil, to: Destination? = nil, timeout: Double = 15_000
    ) throws -> WindowReport {
        // Placeholders have numbers of their own.
        let newest = try client.state().windows.filter { $0.placeholder == nil }.map(\.id).max() ?? WindowID(0)
        try client.perform(.launch(command: command, to: to))
        let window = try waitForWindow(appID: appID, title: title, after: newest, timeout: timeout)
        try client.waitUntilIdle(timeout: 8000 * ShellUnderTest.patience)
        guard let report = try client.state()[window.id] else { throw Failure("\(command[0]) closed its window at once") }
        return report
    }

    /// Starts a program without the shell. Its output goes to a file in the folder.
    @discardableResult
    public func start(_ command: [String]) throws -> (process: Int32, output: String) {
        let output = "\(room)/output-\(UInt32.random(in: 0...UInt32.max))"
        return (try launcher.launch(command, environment: environment, log: output), output)
    }

    /// Runs such a program to its end. Throws on timeout.
    public func run(_ command: [String], within seconds: Double = 15) throws -> (status: Int32, output: String) {
        let (process, output) = try start(command)
        let deadline = Clocks.monotonicSeconds + seconds * ShellUnderTest.patience
        while true {
            for exit in launcher.drain() { exits[exit.pid] = exit }
            if let exit = exits[process] {
                switch exit.reason {
                case .exited(let status): return (status, ShellUnderTest.text(of: output))
                case .signalled(let number): return (128 + number, ShellUnderTest.text(of: output))
                }
            }
            guard Clocks.monotonicSeconds < deadline else {
                launcher.signal(process, SIGKILL)
                throw Failure("\(command[0]) did not end in \(seconds) s:\n\(ShellUnderTest.text(of: output).suffix(1000))")
            }
            usleep(5000)
        }
    }

    /// Waits for a mapped window that was created after `after`. The timeout is in milliseconds on an idle machine.
    public func waitForWindow(
        appID: String? = nil, title: String? = nil, after: WindowID? = nil, timeout: Double = 10_000
    ) throws -> WindowReport {
        try client.waitForWindow(appID: appID, title: title, after: after, timeout: timeout * ShellUnderTest.patience)
    }

    public func waitUntilGone(_ window: WindowID, timeout: Double = 5000) throws {
        try client.waitUntilGone(window, timeout: timeout * ShellUnderTest.patience)
    }

    public func signal(_ process: Int32, _ number: Int32) { launcher.signal(process, number) }

    /// Whether the shell is built with the address sanitizer.
    public static let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

    /// By how many bytes a shell may grow during a test. The sanitizer delays the reuse of freed memory.
    public static let memoryMargin: UInt64 = isSanitized ? 512 << 20 : 64 << 20

    // MARK: Looking

    public func window(_ id: WindowID) throws -> WindowReport {
        guard let window = try client.state()[id] else { throw Failure("there is no \(id)") }
        return window
    }

    /// A picture of the screen, or of a single window, in pixels.
    public func picture(of window: WindowID? = nil) throws -> Picture {
        let path = "\(room)/picture.png"
        try client.ask(.screenshot(ScreenshotRequest(window: window, path: path)))
        defer { unlink(path) }
        return try PNG.read(path)
    }

    /// Saves a picture in the folder that MULLION_PICTURES names, if any.
    public func keepPicture(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["MULLION_PICTURES"], !folder.isEmpty else { return }
        try PNG.write(try picture(), to: "\(folder)/\(name).png")
    }

    /// Waits until the condition holds. Throws on timeout; `what` describes the condition.
    public func wait(_ what: String, within seconds: Double = 10, until condition: () throws -> Bool) throws {
        let deadline = Clocks.monotonicSeconds + seconds * ShellUnderTest.patience
        while try !condition() {
            guard Clocks.monotonicSeconds < deadline else { throw Failure("waited \(seconds) s in vain: \(what)") }
            usleep(15_000)
        }
    }
}
