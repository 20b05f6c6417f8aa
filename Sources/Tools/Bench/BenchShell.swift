import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Processes
import Windows

/// The program under measurement: this program, headless, with its own runtime directory and default settings.
final class BenchShell {
    let client: ControlClient
    let process: Int32
    /// Seconds from the start of the program to the first answer on its control socket.
    let startSeconds: Double
    private let room: String
    private let launcher: Launcher

    /// - Parameters:
    ///   - apps: the number of desktop entries to install besides the machine's.
    ///   - hasBus: whether the shell starts a session bus of its own.
    init(program: String, size: String, scale: String = "1", apps: Int = 0, idiom: String = "pad", hasBus: Bool = false) throws {
        var template = Array("/tmp/mullion-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure("/tmp: \(String(cString: strerror(errno)))") }
        room = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try "launch = []\n".write(toFile: "\(room)/config.toml", atomically: false, encoding: .utf8)
        launcher = try Launcher()
        if apps > 0 { try BenchShell.install(apps, in: "\(room)/.local/share/applications") }
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = room
        environment["HOME"] = room
        environment["XDG_CONFIG_HOME"] = nil
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        environment["GSK_RENDERER"] = "cairo"
        environment["DBUS_SESSION_BUS_ADDRESS"] = hasBus ? "" : "unix:path=\(room)/no-bus"
        let begin = Clocks.monotonicSeconds
        process = try launcher.launch(
            [
                program, "run", "--headless", "--fresh", "--once", "--size", size, "--scale", scale, "--idiom", idiom, "--remote-view",
                "off", "--socket", "bench",
                "--config", "\(room)/config.toml",
            ], environment: environment, log: "\(room)/log")
        let path = ControlPath.path(runtime: room, name: "bench")
        while true {
            if let client = try? ControlClient(path: path) {
                self.client = client
                break
            }
            guard Clocks.monotonicSeconds - begin < 15 else { throw BenchFailure("the shell does not start; see \(room)/log") }
            usleep(500)
        }
        startSeconds = Clocks.monotonicSeconds - begin
    }

    /// Installs apps with realistic names and icons. The icons come from the machine's own theme.
    private static func install(_ count: Int, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let icons = [
            "accessories-calculator", "accessories-text-editor", "applications-games", "applications-graphics", "camera-photo",
            "folder", "help-browser", "mail-unread", "multimedia-player", "network-workgroup", "preferences-desktop-font",
            "printer", "system-file-manager", "user-home", "utilities-terminal", "video-display", "web-browser", "x-office-calendar",
        ]
        for index in 1...count {
            let entry = "[Desktop Entry]\nType=Application\nName=Application \(index)\nIcon=\(icons[index % icons.count])\nExec=true\n"
            try entry.write(toFile: "\(folder)/bench.app\(index).desktop", atomically: false, encoding: .utf8)
        }
    }

    func end() {
        _ = try? client.ask(.quit)
        launcher.endAll(patience: 3000)
        try? FileManager.default.removeItem(atPath: room)
    }

    /// The session bus that the shell started.
    var busAddress: String { "unix:path=\(room)/mullion-bench/bus" }

    // MARK: Driving

    /// Starts an app and waits for its window. Returns nil if it is not installed.
    func open(_ command: [String], to destination: Destination? = nil) throws -> WindowID? {
        guard Executable.find(command[0], path: ProcessInfo.processInfo.environment["PATH"]) != nil else { return nil }
        let newest = try client.state().windows.map(\.id).max()
        try client.perform(.launch(command: command, to: destination))
        _ = try client.ask(.wait(.init(until: .window(after: newest), timeout: 15000)))
        try client.waitUntilIdle(timeout: 15000)
        return try client.state().windows.map(\.id).max()
    }

    /// The same for an app that never becomes idle. Returns false if it is not installed.
    func openRestless(_ command: [String]) throws -> Bool {
        guard Executable.find(command[0], path: ProcessInfo.processInfo.environment["PATH"]) != nil else { return false }
        let newest = try client.state().windows.map(\.id).max()
        let before = try statistics.frameCallbacks
        try client.perform(.launch(command: command))
        _ = try client.ask(.wait(.init(until: .window(after: newest), timeout: 15000)))
        // A visible app gets a callback per frame; a hidden one must get none.
        sleep(1)
        guard try statistics.frameCallbacks > before + 10 else { throw BenchFailure("\(command[0]) does not move") }
        return true
    }

    var statistics: StatisticsReport {
        get throws { try client.ask(.get(.statistics), for: StatisticsReport.self) }
    }

    /// The CPU milliseconds of the frames that `body` made the shell paint.
    func frames(_ body: () throws -> Void) throws -> [Double] {
        let before = try statistics.framesDrawn
        try body()
        try client.waitUntilIdle(timeout: 10000)
        let after = try statistics
        let count = Int(min(600, after.framesDrawn - before))
        return after.recentFrames.suffix(count).map { Double($0) / 1e6 }
    }

    /// Voluntary and involuntary context switches of the shell so far: how often it woke up.
    var wakeups: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return 0 }
        return text.split(separator: "\n").filter { $0.contains("voluntary_ctxt_switches") && !$0.contains("non") }
            .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
    }

    /// Proportional set size, in MiB.
    var memory: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }
}

public struct BenchFailure: Error, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
