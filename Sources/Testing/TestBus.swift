import Foundation
import Glibc

/// A private session bus in its own folder.
public final class TestBus {
    public let folder: String
    private var daemon = Process()
    public var address: String { "unix:path=\(folder)/bus" }

    /// The environment of programs in this session.
    public var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": address,
            "LANG": "C.UTF-8", "G_DEBUG": "", "PYTHONUNBUFFERED": "1",
        ]
    }

    public init(started: Bool = true) throws {
        // A short path, because it contains a socket.
        folder = "/tmp/mullion-bus-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
            <limit name="max_completed_connections">100000</limit><limit name="max_connections_per_user">100000</limit>
            <limit name="max_match_rules_per_connection">50000</limit><limit name="max_replies_per_connection">50000</limit>
            <limit name="max_names_per_connection">50000</limit></busconfig>
            """
        try configuration.write(toFile: folder + "/session.conf", atomically: true, encoding: .utf8)
        if started { try start() }
    }

    /// Starts it and waits until it can be connected to.
    public func start() throws {
        // A process starts once.
        daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--config-file=\(folder)/session.conf", "--nofork", "--nopidfile"]
        daemon.standardOutput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        for _ in 0..<1000 where !accepts { usleep(10_000) }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    public func stop() {
        guard daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// From now on it answers nothing, until `stop`.
    public func hang() {
        kill(daemon.processIdentifier, SIGSTOP)
        // A process stops a moment after the signal.
        for _ in 0..<1000 where !isStopped { usleep(1000) }
    }

    private var isStopped: Bool {
        (try? String(contentsOfFile: "/proc/\(daemon.processIdentifier)/stat", encoding: .utf8))?.contains(") T ") ?? false
    }

    private var accepts: Bool {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/bus").utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        } == 0
    }

    /// The memory of the bus itself, in kilobytes.
    public var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(daemon.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
