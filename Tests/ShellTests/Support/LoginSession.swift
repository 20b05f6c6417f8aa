import Foundation
import Glibc
import MullionTesting
import Processes

/// What a login gives a user: a runtime directory, a service manager (systemd) in its control group, and a bus. All of it is real
/// and ends with this object.
final class LoginSession {
    /// The runtime directory.
    let folder: String
    private let launcher: Launcher
    private let slice: String

    var bus: String { "unix:path=\(folder)/bus" }

    /// It needs root, to make control groups and to mount them where systemd looks for them.
    static var isPossible: Bool {
        guard getuid() == 0, let root = ControlGroups.folders(.unified).first else { return false }
        return access("\(root)/cgroup.procs", W_OK) == 0 && access("/usr/lib/systemd/systemd", X_OK) == 0
    }

    init() throws {
        guard Self.isPossible, let root = ControlGroups.folders(.unified).first else {
            throw ShellUnderTest.Failure("no service manager of a user can be run here")
        }
        let number = "\(getpid())x\(UInt32.random(in: 0 ... .max))"
        folder = "/tmp/mullion-login-\(number)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o700)
        // By this path libsystemd, and with it the portal, sees that a unit belongs to a user.
        slice = "\(root)/mulliontest\(number).slice"
        let group = "\(slice)/user@0.service"
        let script = """
            mkdir -p \(group) && echo $$ > \(group)/cgroup.procs || exit 1
            mount -t tmpfs none /run/systemd && mkdir /run/systemd/system || exit 1
            mount -t cgroup2 none /sys/fs/cgroup || exit 1
            exec systemd --user --unit=basic.target
            """
        launcher = try Launcher()
        try launcher.launch(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
            environment: ["XDG_RUNTIME_DIR": folder, "HOME": folder, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/systemd"],
            log: "\(folder)/log")
        // The bus starts with who speaks on it first, and then the manager joins it.
        for _ in 0..<500 {
            if (try? RawSocket(path: "\(folder)/systemd/private")) != nil, (try? RawSocket(path: "\(folder)/bus")) != nil,
                try launcher.status(["busctl", "--address=\(bus)", "status", "org.freedesktop.systemd1"]) == 0
            {
                return
            }
            guard launcher.drain().isEmpty else { break }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        end()
        throw ShellUnderTest.Failure("the service manager does not start: \(log)")
    }

    /// With all that it started.
    func end() {
        launcher.endAll(patience: 2000)
        let script = "echo 1 > \(slice)/cgroup.kill; sleep 0.1; find \(slice) -depth -type d -exec rmdir {} ';'; rm -rf \(folder)"
        _ = try? launcher.status(["sh", "-c", script])
    }
}

extension Launcher {
    /// Runs a program to its end. Returns its status.
    fileprivate func status(_ command: [String]) throws -> Int32? {
        let process = try launch(command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], log: "/dev/null")
        for _ in 0..<1000 {
            for exit in drain() where exit.pid == process {
                if case .exited(let status) = exit.reason { return status }
                return nil
            }
            usleep(5000)
        }
        return nil
    }
}
