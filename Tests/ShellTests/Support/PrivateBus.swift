import Foundation
import Glibc
import MullionTesting

/// A private session bus with only these services. It and the programs that it starts end with this object.
final class PrivateBus {
    let folder: String
    private let daemon = Process()

    var address: String { "unix:path=\(folder)/bus" }

    /// For programs that use it.
    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": address,
            "GSETTINGS_BACKEND": "memory", "LANG": "C.UTF-8",
        ]
    }

    /// `services`: texts of service files, by the services' names; `{bus}` in them is the folder. `policy`: more rules of who
    /// may do what.
    init(services: [String: String] = [:], policy: String = "") throws {
        try ShellUnderTest.require("dbus-daemon", of: "dbus-daemon")
        // A short path, because it contains sockets.
        folder = "/tmp/mullion-bus-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/services", withIntermediateDirectories: true)
        chmod(folder, 0o700)
        for (name, text) in services {
            try ShellUnderTest.write(text.replacingOccurrences(of: "{bus}", with: folder), to: "\(folder)/services/\(name).service")
        }
        try ShellUnderTest.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><servicedir>\(folder)/services</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/>\(policy)</policy></busconfig>
            """, to: "\(folder)/session.conf")
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--config-file=\(folder)/session.conf", "--nofork", "--nopidfile"]
        daemon.environment = environment.filter { $0.key != "DBUS_SESSION_BUS_ADDRESS" }
        daemon.standardOutput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        // Its socket file exists before it accepts connections.
        for _ in 0..<500 where (try? RawSocket(path: "\(folder)/bus")) == nil { usleep(10_000) }
    }

    deinit {
        // The programs that the bus starts stay in its process group.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in all.compactMap({ Int32($0) }) where getpgid(process) == daemon.processIdentifier { kill(process, SIGKILL) }
        if daemon.isRunning {
            kill(daemon.processIdentifier, SIGKILL)
            daemon.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
