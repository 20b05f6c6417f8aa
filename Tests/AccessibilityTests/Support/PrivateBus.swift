import Foundation
import Glibc

/// A session bus of the tests' own in a folder of its own, with the real accessibility bus of at-spi2-core to start on
/// it. Nothing of the machine's session is in its environment, nor in that of its clients.
final class PrivateBus {
    let folder: String
    private var daemon: Process?

    var address: String { "unix:path=\(folder)/bus" }

    /// What programs of this session know.
    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": address,
            "GSETTINGS_BACKEND": "memory", "LANG": "C.UTF-8",
        ]
    }

    init(started: Bool = true, activates: Bool = true) throws {
        // Short, since sockets lie in it.
        folder = "/tmp/mullion-a11y-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: folder + "/services", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        chmod(folder, 0o700)
        if activates {
            let service = "/usr/share/dbus-1/services/org.a11y.Bus.service"
            let installed = try String(contentsOfFile: service, encoding: .utf8)
            let plain = installed.split(separator: "\n").filter { !$0.hasPrefix("SystemdService") }
            try plain.joined(separator: "\n").write(
                toFile: folder + "/services/org.a11y.Bus.service", atomically: true, encoding: .utf8)
        }
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><servicedir>\(folder)/services</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        try configuration.write(toFile: folder + "/session.conf", atomically: true, encoding: .utf8)
        if started { try start() }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var accepts: Bool {
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(fd) }
        return withAddress { connect(fd, $0, $1) } == 0
    }

    /// Calls `body` with the address of the bus's socket.
    func withAddress<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/bus").utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Starts the bus and waits until it can be connected to.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=\(folder)/session.conf", "--nofork", "--nopidfile"]
        process.environment = environment.filter { $0.key != "DBUS_SESSION_BUS_ADDRESS" }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        daemon = process
        for _ in 0..<500 where !accepts { usleep(10_000) }
    }

    /// Ends the bus, the accessibility bus and its registry, at once.
    func stop() {
        guard let daemon else { return }
        self.daemon = nil
        for pid in members(of: daemon.processIdentifier) { kill(pid, SIGKILL) }
        daemon.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder + "/bus")
    }

    /// Sends a signal to what runs for this bus under this name; false: there is none.
    func send(_ signal: Int32, to name: String) -> Bool {
        guard let daemon else { return false }
        let found = members(of: daemon.processIdentifier).filter { pid in
            (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?.hasPrefix(name.prefix(15)) == true
        }
        for pid in found { kill(pid, signal) }
        return !found.isEmpty
    }

    /// Foundation puts what it starts into a process group of its own, and what the bus starts stays in it.
    private func members(of group: Int32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { $0 == group || getpgid($0) == group }
    }
}
