import FoundationEssentials
import Glibc
import Logging
import Processes

/// The session bus. If the environment names one, or the default location has one, the shell uses it. Otherwise (a
/// container, a bare console) it starts one for itself and its apps: without a bus, players cannot get media keys,
/// and apps cannot declare audio sessions.
final class SessionBus: Adapter {
    private unowned let shell: Shell
    /// The environment of this program at its start.
    private let started = ProcessInfo.processInfo.environment
    /// The socket of the bus that the shell started itself.
    private(set) var ownSocket: String?

    private static let variable = "DBUS_SESSION_BUS_ADDRESS"

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        let environment = shell.environment
        guard (environment[Self.variable] ?? "").isEmpty, access("\(shell.runtime.path)/bus", F_OK) != 0 else { return }
        guard Executable.find("dbus-daemon", path: environment["PATH"]) != nil else {
            return shell.log.notice(
                "there is no session bus, and no dbus-daemon to start one: media players and audio sessions are unavailable")
        }
        let path = "\(shell.sessionFolder)/bus"
        mkdir(shell.sessionFolder, 0o700)
        unlink(path)
        do {
            let command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=\(path)"]
            _ = try shell.launcher.launch(
                Executable.bound(command, path: environment["PATH"]), environment: environment, log: shell.programLog)
        } catch {
            return shell.log.notice("no session bus: \(error.message)")
        }
        ownSocket = path
        shell.environment[Self.variable] = "unix:path=\(path)"
        shell.log.info("a session bus of its own at \(path), as there was none")
    }

    func stop() {
        if let ownSocket { unlink(ownSocket) }
    }

    /// Whether the bus belongs to this session. If another session started it, the shell must not change its
    /// environment: a shell nested in another desktop, or beside one, would redirect that desktop's programs to
    /// itself.
    var isOfThisSession: Bool {
        if ownSocket != nil || shell.compositor.backendName == "drm" { return true }
        return started["XDG_SESSION_DESKTOP"] == "mullion" && (started["WAYLAND_DISPLAY"] ?? "").isEmpty
            && (started["DISPLAY"] ?? "").isEmpty
    }
}
