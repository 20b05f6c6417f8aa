import Clocks
import FoundationEssentials
import Glibc
import Processes

/// A private sound server with the sinks that a test needs: PipeWire, WirePlumber and pipewire-pulse in a folder. The
/// levels and samples of its sinks can be measured.
public final class SoundRoom {
    /// The folder of everything. Removed at the end.
    public let room: String
    public let environment: [String: String]
    public let launcher: Launcher
    public private(set) var server: Int32 = 0
    public private(set) var manager: Int32 = 0
    public private(set) var pulse: Int32 = 0
    private var exits: Set<Int32> = []

    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        public init(_ description: String) { self.description = description }
    }

    /// A sink or source that exists from the beginning.
    public struct Device: Sendable {
        public var name: String
        public var properties: [String: String]

        public init(_ name: String, _ properties: [String: String] = [:]) {
            self.name = name
            self.properties = properties
        }

        public static let speaker = Device("speaker", ["device.form-factor": "speaker", "priority.session": "1000"])
        public static let headphones = Device("headphones", ["device.form-factor": "headphone", "priority.session": "1100"])
        public static let microphone = Device(
            "microphone", ["media.class": "Audio/Source/Virtual", "device.form-factor": "microphone", "priority.session": "1000"])
    }

    /// Missing programs; empty if all are installed.
    public static var missing: [String] {
        ["pipewire", "wireplumber", "pipewire-pulse", "pw-cat", "pw-link", "pw-cli"].filter {
            Executable.find($0, path: ProcessInfo.processInfo.environment["PATH"]) == nil
        }
    }

    /// - Parameter quantum: in frames of 48 kHz, for the whole graph.
    public init(devices: [Device] = [.speaker, .headphones, .microphone], quantum: Int = 1024, waitsForSink: Bool = true) throws {
        var template = Array("/tmp/mullion-sound-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("/tmp: \(String(cString: strerror(errno)))") }
        room = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        launcher = try Launcher()
        let own = ProcessInfo.processInfo.environment
        var environment = [
            "HOME": room, "XDG_RUNTIME_DIR": "\(room)/run", "XDG_STATE_HOME": "\(room)/state", "XDG_CONFIG_HOME": "\(room)/config",
            "XDG_DATA_HOME": "\(room)/data", "XDG_CACHE_HOME": "\(room)/cache", "PIPEWIRE_CONFIG_DIR": "\(room)/pipewire",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(room)/run/no-bus", "LANG": "C.UTF-8",
        ]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = own[name] }
        self.environment = environment
        for folder in ["run", "state", "config", "pipewire"] { mkdir("\(room)/\(folder)", 0o700) }
        try configure(devices: devices, quantum: quantum)
        try startServer()
        try startManager(waitsForSink: waitsForSink)
    }

    deinit { clear() }

    public func clear() {
        for process in launcher.running { launcher.signal(process, SIGCONT) }
        launcher.endAll(patience: 300)
        try? FileManager.default.removeItem(atPath: room)
    }

    public var socket: String { "\(room)/run/pipewire-0" }

    // MARK: Servers

    private func configure(devices: [Device], quantum: Int) throws {
        func object(_ device: Device) -> String {
            var properties = [
                "factory.name": "support.null-audio-sink", "node.name": device.name, "node.description": device.name,
                "media.class": "Audio/Sink", "object.linger": "true", "audio.position": "[ FL FR ]",
                "monitor.channel-volumes": "true", "session.suspend-timeout-seconds": "0", "device.api": "test",
                // Every device has one, above that of virtual sinks.
                "priority.driver": "1000",
            ]
            properties.merge(device.properties) { $1 }
            let list = properties.sorted { $0.key < $1.key }.map { key, value in
                "\(key) = \(value.hasPrefix("[") ? value : "\"\(value)\"")"
            }
            return "{ factory = adapter args = { \(list.joined(separator: " ")) } }"
        }
        let libraries = "context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }\n"
        func modules(_ names: [String], _ more: String = "") -> String {
            "context.modules = [\n" + names.map { "{ name = libpipewire-module-\($0) }\n" }.joined() + more + "]\n"
        }
        let rt = "{ name = libpipewire-module-rt args = { nice.level = -11 } flags = [ ifexists nofail ] }\n"
        let server = """
            context.properties = {
                core.daemon = true core.name = pipewire-0 link.max-buffers = 16
                default.clock.rate = 48000 default.clock.allowed-rates = [ 48000 ]
                default.clock.quantum = \(quantum) default.clock.min-quantum = \(quantum) default.clock.max-quantum = \(quantum)
            }

            """ + libraries
            + modules(
                [
                    "protocol-native", "profiler", "metadata", "spa-node-factory", "client-node", "adapter", "link-factory",
                    "session-manager",
                ], rt + "{ name = libpipewire-module-access args = { } }\n")
            + "context.objects = [\n"
            + "{ factory = spa-node-factory args = { factory.name = support.node.driver node.name = Dummy-Driver node.group = pipewire.dummy priority.driver = 20000 } }\n"
            + devices.map { object($0) + "\n" }.joined() + "]\n"
        let client =
            "context.properties = { }\n" + libraries
            + modules(["protocol-native", "client-node", "adapter", "metadata", "session-manager"], rt) + "stream.properties = { }\n"
        let pulse =
            "context.properties = { }\n" + libraries
            + modules(
                ["protocol-native", "client-node", "adapter", "metadata"],
                rt + "{ name = libpipewire-module-protocol-pulse args = { } }\n")
            + "pulse.cmd = [ ]\nstream.properties = { }\npulse.properties = { server.address = [ \"unix:native\" ] }\n"
        for (name, text) in [
            ("pipewire.conf", server), ("client.conf", client), ("client-rt.conf", client), ("pipewire-pulse.conf", pulse),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(room)/pipewire/\(name)"))
        }
        // Stock WirePlumber without the parts that need a session bus or hardware, by configuration fragments.
        try write(
            "default_access.properties[\"enable-flatpak-portal\"] = false\nalsa_monitor.enabled = false\nv4l2_monitor.enabled = false\n"
                + "libcamera_monitor.enabled = false\n", to: "config/wireplumber/main.lua.d/51-test.lua")
        try write("bluez_monitor.enabled = false\n", to: "config/wireplumber/bluetooth.lua.d/51-test.lua")
        try write(
            "wireplumber.profiles = { main = { hardware.audio = disabled hardware.bluetooth = disabled hardware.video-capture = disabled "
                + "support.dbus = disabled } }\n", to: "config/wireplumber/wireplumber.conf.d/51-test.conf")
    }

    private func write(_ text: String, to path: String) throws {
        let whole = "\(room)/\(path)"
        try FileManager.default.createDirectory(
            atPath: String(whole[..<(whole.lastIndex(of: "/") ?? whole.startIndex)]), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: whole))
    }

    public func startServer() throws {
        server = try launcher.launch(["pipewire"], environment: environment, log: "\(room)/pipewire.log")
        try wait("PipeWire listens") { SoundRoom.listens(at: socket) }
    }

    /// Waits until it has chosen a default sink, because clients that start earlier find none.
    public func startManager(waitsForSink: Bool = true, turn: () -> Void = { usleep(5000) }) throws {
        var environment = environment
        // It uses the stock configuration plus this fragment.
        environment["PIPEWIRE_CONFIG_DIR"] = nil
        manager = try launcher.launch(["wireplumber"], environment: environment, log: "\(room)/wireplumber.log")
        guard waitsForSink else { return }
        try wait("WirePlumber has chosen a default sink", turn: turn) {
            try run(["pw-metadata", "0", "default.audio.sink"]).contains("value:")
        }
    }

    public func startPulse() throws {
        pulse = try launcher.launch(["pipewire-pulse"], environment: environment, log: "\(room)/pulse.log")
        try wait("pipewire-pulse listens") { SoundRoom.listens(at: "\(room)/run/pulse/native") }
    }

    public func end(_ process: Int32, _ number: Int32 = SIGTERM) throws {
        launcher.signal(process, number)
        try wait("\(process) ends") { !isRunning(process) }
    }

    public func isRunning(_ process: Int32) -> Bool {
        for exit in launcher.drain() { exits.insert(exit.pid) }
        return !exits.contains(process)
    }

    private static func listens(at path: String) -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    // MARK: Programs

    @discardableResult
    public func start(_ command: [String]) throws -> Int32 {
        try launcher.launch(command, environment: environment, log: "\(room)/programs.log")
    }

    /// Runs a program and returns its output.
    public func run(_ command: [String]) throws -> String {
        let output = "\(room)/output-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(output) }
        let process = try launcher.launch(command, environment: environment, log: output)
        try wait("\(command.joined(separator: " ")) ends") { !isRunning(process) }
        return text(of: output)
    }

    public func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits until the condition holds; throws after half a minute. `turn` runs in between.
    public func wait(_ what: String, within seconds: Double = 30, turn: () -> Void = { usleep(5000) }, until condition: () throws -> Bool)
        throws
    {
        let end = Clocks.monotonicSeconds + seconds
        while try !condition() {
            guard Clocks.monotonicSeconds < end else {
                throw Failure(
                    "waited \(seconds) s in vain: \(what)\n\(text(of: "\(room)/wireplumber.log").suffix(600))\n\(text(of: "\(room)/programs.log").suffix(600))"
                )
            }
            turn()
        }
    }

    // MARK: Sounds

    /// The program that plays and records measurable samples.
    public static func probe() throws -> String {
        if let named = ProcessInfo.processInfo.environment["MULLION_SOUND_PROBE"] { return named }
        guard let path = OwnProgram.companion("mullion-sound-probe") else {
            throw Failure("there is no probe beside \(OwnProgram.path): build it (swift build --product mullion-sound-probe)")
        }
        return path
    }

    /// A stereo file in which all samples have this value.
    public func steady(_ value: Float, seconds: Int = 60) throws -> String {
        try wav("steady-\(value)-\(seconds)", frames: seconds * 48000) { _ in value }
    }

    /// A stereo file in which every sample encodes its position: 0.1 + 0.8 * (n mod 96000) / 96000.
    public func numbered(seconds: Int = 60) throws -> String {
        try wav("numbered-\(seconds)", frames: seconds * 48000) { 0.1 + 0.8 * Float($0 % 96000) / 96000 }
    }

    private func wav(_ name: String, frames: Int, _ value: (Int) -> Float) throws -> String {
        let path = "\(room)/\(name).wav"
        if access(path, F_OK) == 0 { return path }
        // RIFF WAVE with 32-bit floats, in native byte order: this runs only on little-endian machines.
        var words = [UInt32](repeating: 0, count: 14 + frames * 2)
        words[0...13] = [
            0x4646_4952, UInt32(frames * 8 + 48), 0x4556_4157, 0x2074_6d66, 16, 0x0002_0003, 48000, 48000 * 8, 0x0020_0008,
            0x7463_6166, 4, UInt32(frames), 0x6174_6164, UInt32(frames * 8),
        ]
        words.withUnsafeMutableBufferPointer { words in
            for frame in 0..<frames {
                let pattern = value(frame).bitPattern
                words[14 + 2 * frame] = pattern
                words[15 + 2 * frame] = pattern
            }
        }
        try words.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        return path
    }
}
