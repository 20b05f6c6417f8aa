import Compositor
import FoundationEssentials
import Geometry
import Logging
import MessageBus
import Multitasking
import Processes
import Settings

/// The on-screen keyboard that the shell starts, and the wish of a person to see one.
final class ScreenKeyboard: Adapter {
    private unowned let shell: Shell
    private var keyboard: OnScreenKeyboard?
    private var service: KeyboardService?
    private var follower: BusFollower?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.screenKeyboard]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .showScreenKeyboard(let isShown) = effect else { return }
        service?.show(isShown)
    }

    func start() {
        startKeyboard()
        follow()
    }

    func stop() {
        follower?.end()
        follower = nil
        service?.close()
        service = nil
    }

    /// Follows the keyboard on the session bus: the shell's own, or another one of this session. In another desktop it belongs to that
    /// desktop.
    private func follow() {
        guard shell.store.settings.onScreenKeyboard != .off, keyboard != nil || shell.adapter(SessionBus.self).isOfThisSession,
            let address = BusAddress.session(shell.environment)
        else { return }
        let service = KeyboardService(address: address)
        self.service = service
        service.onChanged = { [unowned shell] in shell.receive(.screenKeyboard(isShown: $0)) }
        follower = BusFollower(service, shell.compositor)
    }

    /// Follows the configuration. By default, only on hardware with a touch screen.
    private func startKeyboard() {
        switch shell.store.settings.onScreenKeyboard {
        case .off: return
        case .auto: guard shell.compositor.backendName == "drm" else { return }
        case .on: break
        }
        guard Executable.find("squeekboard", path: shell.environment["PATH"]) != nil else {
            if shell.store.settings.onScreenKeyboard == .on { shell.log.warning("no on-screen keyboard: squeekboard is not installed") }
            return
        }
        do {
            let settings = try keyboardSettings()
            keyboard = try OnScreenKeyboard { [unowned self] in
                var environment = shell.environment
                // squeekboard shows itself only if a GNOME setting is on. Use private settings to leave the user's
                // own unchanged.
                environment["GSETTINGS_BACKEND"] = "keyfile"
                environment["XDG_CONFIG_HOME"] = settings
                environment["WAYLAND_DISPLAY"] = shell.compositor.socket
                return try shell.launcher.launch(keyboardCommand, environment: environment, log: shell.programLog)
            }
        } catch {
            shell.log.error("no on-screen keyboard: \(error)")
        }
    }

    func ended(_ exit: ProcessExit) -> Bool {
        switch keyboard?.ended(exit) ?? .another {
        case .another: return false
        case .restarted: shell.log.warning("the on-screen keyboard ended and was started again")
        case .gaveUp(let message):
            keyboard = nil
            shell.log.error("\(message)")
        }
        return true
    }

    /// squeekboard needs a session bus. Without one, it gets its own.
    private var keyboardCommand: [String] {
        let hasBus =
            !(shell.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty
            || FileManager.default.fileExists(atPath: "\(shell.runtime.path)/bus")
        guard !hasBus, Executable.find("dbus-run-session", path: shell.environment["PATH"]) != nil else { return ["squeekboard"] }
        return ["dbus-run-session", "--", "squeekboard"]
    }

    /// A folder with settings for the keyboard alone.
    private func keyboardSettings() throws -> String {
        let folder = "\(shell.runtime.path)/mullion-\(shell.compositor.socket)/keyboard"
        try FileManager.default.createDirectory(atPath: "\(folder)/glib-2.0/settings", withIntermediateDirectories: true)
        let text = "[org/gnome/desktop/a11y/applications]\nscreen-keyboard-enabled=true\n"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/glib-2.0/settings/keyfile"))
        return folder
    }
}
