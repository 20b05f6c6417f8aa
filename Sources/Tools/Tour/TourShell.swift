import Clocks
import Control
import Desktop
import FoundationEssentials
import Geometry
import Glibc
import Processes

/// The shell under test: this program, headless, in its own folder.
final class TourShell {
    static let socket = "tour"
    /// The size of the screen in points, at scale 1.
    static let size = Size(1180, 820)

    /// A folder for everything that the user's own settings could affect. Removed at the end.
    let room: String
    private(set) var client: ControlClient
    let environment: [String: String]
    let recording: String
    private let program: String
    private let isLasting: Bool
    private let isKiosk: Bool
    private let launcher: Launcher
    private var exits: [Int32: ProcessExit] = [:]
    /// The shell's, or its supervisor's.
    private(set) var process: Int32

    /// Starts the shell and waits until it answers. On failure, throws with the end of its log. `chapter`: for a second
    /// shell as that chapter needs it.
    /// `checksLaws`: it answers which laws do not hold, and its home screen has only apps of a walk.
    init(program: String, out: String, chapter: Chapter? = nil, checksLaws: Bool = false) throws {
        let name = chapter?.id, isLasting = chapter?.isLasting ?? false, size = chapter?.size ?? TourShell.size
        self.program = program
        self.isLasting = isLasting
        isKiosk = chapter?.isKiosk ?? false
        room = try TourShell.makeRoom(chapter?.settings ?? [], idioms: chapter?.idiomFiles ?? [:])
        let prefix = name.map { "\(out)/\($0)-" } ?? "\(out)/"
        recording = "\(prefix)session.jsonl"
        // The shell's own programs get a private bus; apps have none.
        environment = TourShell.environment(room: room, hasBus: name != nil)
        if checksLaws { try TourShell.hideApps(in: "\(room)/data/applications", but: App.walkerEntries) }
        launcher = try Launcher()
        let log = "\(prefix)shell.log"
        for old in [log, recording] { unlink(old) }
        process = try launcher.launch(
            [program, "run", "--headless"] + (isLasting ? [] : ["--fresh", "--once"])
                + (isLasting || chapter?.hasSound ?? false ? ["--audio", "private"] : []) + [
                    "--size", "\(Int(clamping: size.width))x\(Int(clamping: size.height))", "--scale", "1", "--remote-view", "off",
                    "--socket",
                    TourShell.socket, "--config", "\(room)/config.toml", "--record", recording, "--quit-after", "1500",
                ] + (checksLaws ? ["--check-laws"] : []), environment: environment, log: log)
        endWithTour(process)
        let path = TourShell.control(in: room)
        let deadline = Clocks.monotonicSeconds + 15
        while true {
            if let client = try? ControlClient(path: path) {
                self.client = client
                break
            }
            exits = TourShell.drained(launcher, exits)
            guard exits[process] == nil, Clocks.monotonicSeconds < deadline else {
                let tail = (try? String(contentsOfFile: log, encoding: .utf8))?.suffix(2000) ?? ""
                throw Trouble("the shell does not start; its log ends with:\n\(tail)")
            }
            TourShell.sleep(0.03)
        }
    }

    /// The file of the program, for scripts that call it.
    var executable: String {
        guard let path = realpath(program, nil) else { return program }
        defer { free(path) }
        return String(cString: path)
    }

    private static func control(in room: String) -> String { ControlPath.path(runtime: "\(room)/run", name: TourShell.socket) }

    /// The process of the shell itself.
    var shellProcess: Int32 {
        get throws { isLasting ? try client.ask(.get(.version), for: VersionReport.self).process : process }
    }

    /// Kills the shell and not its supervisor. Returns the seconds until another one answers.
    func crash() throws -> Double {
        let old = try shellProcess, began = Clocks.monotonicSeconds
        kill(old, SIGKILL)
        while Clocks.monotonicSeconds < began + 15 {
            if let next = try? ControlClient(path: TourShell.control(in: room)),
                let found = try? next.ask(.get(.version), for: VersionReport.self), found.process != old
            {
                client = next
                return Clocks.monotonicSeconds - began
            }
            TourShell.sleep(0.005)
        }
        throw Trouble("no other shell answers")
    }

    private static func makeRoom(_ settings: [String], idioms: [String: String]) throws -> String {
        var template = Array("/tmp/mullion-tour-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble("/tmp: \(String(cString: strerror(errno)))") }
        let room = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for folder in ["run", "home", "config", "config/foot", "data", "data/applications", "cache", "state", "profile", "www", "idioms"] {
            guard mkdir("\(room)/\(folder)", 0o700) == 0 else {
                throw Trouble("\(room)/\(folder): \(String(cString: strerror(errno)))")
            }
        }
        // Only what the tour needs, and readable colours for the terminal.
        for (file, text) in [
            ("config.toml", TourShell.configuration(pace: TourShell.usualPace, settings)),
            (
                "config/foot/foot.ini",
                """
                font=monospace:size=11
                [colors]
                background=17384f
                foreground=e6eef4
                [key-bindings]
                fullscreen=F11
                maximize=F10
                minimize=F9

                """
            ),
            ("home/.shrc", "PS1='$ '\necho 'A terminal'\n"),
        ] {
            try text.write(toFile: "\(room)/\(file)", atomically: false, encoding: .utf8)
        }
        for (id, lines) in entries { try install(id, lines, room) }
        for (name, text) in idioms { try text.write(toFile: "\(room)/idioms/\(name).toml", atomically: false, encoding: .utf8) }
        return room
    }

    /// Animations are faster than normal.
    static let usualPace = 3.0

    /// Default settings, except for the dock, which must be the same on every machine.
    private static func configuration(pace: Double, _ lines: [String] = [], without key: String? = nil) -> String {
        let dock = "dock = [\"foot\", \"org.gtk.Demo4\", \"featherpad\", \"mpv\"]"
        let usual = ["launch = []", dock, "animation-speed = \(pace)"].filter { line in
            !lines.contains { $0.prefix { $0 != "=" } == line.prefix { $0 != "=" } } && key.map { line.hasPrefix("\($0) =") } != true
        }
        return (usual + lines).joined(separator: "\n") + "\n"
    }

    /// Changes the configuration while the shell runs: the animation speed, where 1 is normal, and the given lines. `without`: the
    /// setting that is left to the person, because the file's would win.
    func configure(pace: Double = usualPace, _ lines: [String] = [], without key: String? = nil) throws {
        try TourShell.configuration(pace: pace, lines, without: key)
            .write(toFile: "\(room)/config.toml", atomically: true, encoding: .utf8)
        try client.ask(.reload)
    }

    func setPace(_ pace: Double) throws { try configure(pace: pace) }

    /// Desktop entries of the user: one app that is slow to show its window, and one that fails. All others are
    /// installed ones.
    private static let entries: KeyValuePairs = [
        "slow-terminal": """
        Name=Slow Terminal
        Exec=sh -c "sleep 0.9; exec foot --app-id slow-terminal"
        Icon=utilities-terminal
        Actions=wide;

        [Desktop Action wide]
        Name=Open a Wide One
        Exec=foot --app-id slow-terminal --title Wide
        """,
        "broken-app": """
        Name=Broken App
        Exec=sh -c "exit 3"
        Icon=dialog-error
        """,
    ]

    /// Installs an app for the tour's user.
    func install(_ id: String, _ lines: String) throws { try TourShell.install(id, lines, room) }

    private static func install(_ id: String, _ lines: String, _ room: String) throws {
        try "[Desktop Entry]\nType=Application\n\(lines)\n"
            .write(toFile: "\(room)/data/applications/\(id).desktop", atomically: true, encoding: .utf8)
    }

    /// The apps in the folder Examples, and something for the podcasts to play.
    func installExamples() throws {
        let sound = "\(room)/home/The Harbour at Night.wav"
        try TourShell.tone(seconds: 120).write(to: URL(filePath: sound))
        try install("org.mullion.Notes", "Name=Notes\nExec=mullion-notes\nIcon=accessories-text-editor")
        try install("org.mullion.Exporter", "Name=Exporter\nExec=mullion-exporter 20\nIcon=document-save")
        try install("org.mullion.Podcast", "Name=Podcasts\nExec=mullion-podcast \"\(sound)\"\nIcon=multimedia-player")
    }

    /// A file to play. Returns its path.
    func makeTone() throws -> String {
        let path = "\(room)/home/tone.wav"
        try TourShell.tone(seconds: 120).write(to: URL(filePath: path))
        return path
    }

    /// A soft tone as a WAV file of one channel, 8000 samples a second.
    private static func tone(seconds: Int) -> Data {
        let count = seconds * 8000
        var data = Data()
        func number<T: FixedWidthInteger>(_ value: T) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        data.append(contentsOf: "RIFF".utf8)
        number(UInt32(36 + 2 * count))
        data.append(contentsOf: "WAVEfmt ".utf8)
        number(UInt32(16))
        for value: UInt16 in [1, 1] { number(value) }
        for value: UInt32 in [8000, 16000] { number(value) }
        for value: UInt16 in [2, 16] { number(value) }
        data.append(contentsOf: "data".utf8)
        number(UInt32(2 * count))
        for index in 0..<count { number(Int16(clamping: 3000 * sin(Double(index) / 8000 * 330 * 2 * .pi))) }
        return data
    }

    /// Hides the machine's apps. Their data (icons, schemas, themes) stays where programs look for it.
    private static func hideApps(in folder: String, but shown: Set<String>) throws {
        for id in DesktopEntries.installed(environment: ProcessInfo.processInfo.environment).map(\.id) where !shown.contains(id) {
            try "[Desktop Entry]\nHidden=true\n".write(toFile: "\(folder)/\(id).desktop", atomically: false, encoding: .utf8)
        }
    }

    func uninstall(_ id: String) { unlink("\(room)/data/applications/\(id).desktop") }

    /// The environment of the shell and its apps: nothing of the user's session, and no sound, bus or GPU.
    private static func environment(room: String, hasBus: Bool) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = [
            "HOME": "\(room)/home", "XDG_RUNTIME_DIR": "\(room)/run", "XDG_CONFIG_HOME": "\(room)/config",
            "XDG_DATA_HOME": "\(room)/data", "XDG_CACHE_HOME": "\(room)/cache", "XDG_STATE_HOME": "\(room)/state",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(room)/run/no-bus", "LANG": "C.UTF-8", "SHELL": "/bin/sh",
            "ENV": "\(room)/home/.shrc",
            "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none",
            "NO_AT_BRIDGE": "1", "QT_QPA_PLATFORM": "wayland", "MOZ_ENABLE_WAYLAND": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
        ]
        if hasBus { environment["DBUS_SESSION_BUS_ADDRESS"] = nil }
        for name in ["PATH", "LD_LIBRARY_PATH", "XDG_DATA_DIRS", "USER", "LOGNAME"] { environment[name] = own[name] }
        return environment
    }

    // MARK: External programs

    /// The same environment plus the shell's sockets, for tools that a user runs in a terminal.
    var outside: [String: String] {
        var environment = environment
        environment["WAYLAND_DISPLAY"] = TourShell.socket
        return environment
    }

    var hasSound: Bool { ["pipewire", "wireplumber", "pipewire-pulse"].allSatisfy(has) }

    static func isInstalled(_ program: String) -> Bool {
        Executable.find(program, path: ProcessInfo.processInfo.environment["PATH"]) != nil
    }

    func has(_ program: String) -> Bool { Executable.find(program, path: environment["PATH"]) != nil }

    /// Runs a tool to its end. Throws on timeout or failure.
    @discardableResult
    func run(_ command: [String], package: String, within seconds: Double = 10) throws -> String {
        let (status, output) = try result(of: command, package: package, within: seconds)
        guard status == 0 else { throw Trouble("\(command[0]) ended with status \(status): \(output.suffix(400))") }
        return output
    }

    /// Runs a tool to its end and returns its status. Throws on timeout.
    func result(of command: [String], package: String, within seconds: Double = 10) throws -> (status: Int32, output: String) {
        let (pid, file) = try start(command, package: package)
        defer { unlink(file) }
        let deadline = Clocks.monotonicSeconds + seconds
        while exits[pid] == nil {
            exits = TourShell.drained(launcher, exits)
            guard Clocks.monotonicSeconds < deadline else {
                launcher.signal(pid, SIGKILL)
                throw Trouble("\(command[0]) did not end in \(seconds) s")
            }
            TourShell.sleep(0.01)
        }
        let output = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        switch exits[pid]!.reason {
        case .exited(let status): return (status, output)
        case .signalled(let number): return (128 + number, output)
        }
    }

    /// Starts a tool in the background. Its output goes to the file.
    func start(_ command: [String], package: String) throws -> (pid: Int32, file: String) {
        guard has(command[0]) else { throw Missing(what: command[0], package: package) }
        let file = "\(room)/output-\(UInt32.random(in: 0...UInt32.max))"
        return (try launcher.launch(command, environment: outside, log: file), file)
    }

    func end(_ pid: Int32) { launcher.signal(pid, SIGTERM) }

    private static func drained(_ launcher: Launcher, _ exits: [Int32: ProcessExit]) -> [Int32: ProcessExit] {
        var exits = exits
        for exit in launcher.drain() { exits[exit.pid] = exit }
        return exits
    }

    // MARK: Ending

    /// nil while it runs.
    var ending: String? {
        exits = TourShell.drained(launcher, exits)
        return exits[process].map { exit in
            switch exit.reason {
            case .exited(let status): "the shell ended with status \(status)"
            case .signalled(let number): "the shell was ended by signal \(number)"
            }
        }
    }

    /// Asks the shell to quit, so that the recording is complete. Returns false if it had to be killed.
    func quit() -> Bool {
        if isKiosk { launcher.signal(process, SIGTERM) } else { _ = try? client.ask(.quit) }
        let deadline = Clocks.monotonicSeconds + 8
        while ending == nil, Clocks.monotonicSeconds < deadline { TourShell.sleep(0.02) }
        let wasOrderly = exits[process]?.reason == .exited(0)
        launcher.endAll(patience: 500)
        return wasOrderly
    }

    /// Ends remaining processes and removes the folder.
    func clear() {
        launcher.endAll(patience: 500)
        try? FileManager.default.removeItem(atPath: room)
    }

    static func sleep(_ seconds: Double) { usleep(UInt32(clamping: max(0, seconds) * 1e6)) }
}

/// The shell's process id. A signal handler reads it, so it must be a plain value.
nonisolated(unsafe) private var shellUnderTour: Int32 = 0

/// Ends the shell, and so all apps, if the tour is interrupted.
private func endWithTour(_ process: Int32) {
    shellUnderTour = process
    for number in [SIGINT, SIGTERM, SIGHUP] {
        signal(number) { number in
            kill(shellUnderTour, SIGTERM)
            _exit(128 + number)
        }
    }
}

extension String {
    /// Without surrounding whitespace.
    var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return String(rest.prefix((rest.lastIndex { !$0.isWhitespace }).map { rest.distance(from: rest.startIndex, to: $0) + 1 } ?? 0))
    }
}
