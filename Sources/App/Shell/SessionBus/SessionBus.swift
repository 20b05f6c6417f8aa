import FoundationEssentials
import Glibc
import Logging
import Processes

/// The session bus. A machine without one (a container, a bare console) gets one for this shell and its apps: without it
/// no player hears a key and no app can say what its sound is for. Where one is named, or lies where libraries look,
/// that one is used.
final class SessionBus: Adapter {
    private unowned let shell: Shell
    /// What this program was started with.
    private let started = ProcessInfo.processInfo.environment
    /// Socket of the bus that the shell started itself.
    private(set) var ownSocket: String?

    private static let variable = "DBUS_SESSION_BUS_ADDRESS"

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        let environment = shell.environment
        guard (environment[Self.variable] ?? "").isEmpty, access("\(shell.runtime.path)/bus", F_OK) != 0 else { return }
        guard Executable.find("dbus-daemon", path: environment["PATH"]) != nil else {
            return shell.log.notice("there is no session bus and no dbus-daemon to start one: no media players, no audio sessions")
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

    /// A bus that is there belongs to the session that started it: it is told only if that is this shell's own. A shell in
    /// a window of another desktop, or beside one, would send that desktop's programs to itself.
    var isOfThisSession: Bool {
        if ownSocket != nil || shell.compositor.backendName == "drm" { return true }
        return started["XDG_SESSION_DESKTOP"] == "mullion" && (started["WAYLAND_DISPLAY"] ?? "").isEmpty && (started["DISPLAY"] ?? "").isEmpty
    }
}
