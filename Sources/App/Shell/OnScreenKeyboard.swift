import Compositor
import FoundationEssentials
import Geometry
import Processes
import Settings

/// The on-screen keyboard: squeekboard, which speaks to fields by input-method and makes room for itself by layer-shell.
/// It is a program like any other; the shell starts it, and starts it again if it ends.
final class OnScreenKeyboard {
    private(set) var process: Int32?
    private let start: () throws -> Int32
    /// Ends that were not asked for.
    private var failures = 0

    private static let patience = 3

    /// Throws if it cannot be started.
    init(start: @escaping () throws -> Int32) throws {
        self.start = start
        process = try start()
    }

    enum Ending {
        case another
        case restarted
        case gaveUp(String)
    }

    func ended(_ exit: ProcessExit) -> Ending {
        guard exit.pid == process else { return .another }
        process = nil
        failures += 1
        guard failures <= OnScreenKeyboard.patience else { return .gaveUp("the on-screen keyboard ended \(failures) times; it stays away") }
        do {
            process = try start()
            return .restarted
        } catch {
            return .gaveUp("the on-screen keyboard does not start again: \(error)")
        }
    }
}

extension Shell {
    /// As the configuration says; by itself on hardware, where fingers are.
    func startKeyboard() {
        switch store.settings.onScreenKeyboard {
        case .off: return
        case .auto: guard compositor.backendName == "drm" else { return }
        case .on: break
        }
        guard Executable.find("squeekboard", path: environment["PATH"]) != nil else {
            if store.settings.onScreenKeyboard == .on { log.warning("no on-screen keyboard: squeekboard is not installed") }
            return
        }
        do {
            let settings = try keyboardSettings()
            keyboard = try OnScreenKeyboard { [unowned self] in
                var environment = self.environment
                // It shows itself only where GNOME's setting for it is on; a person's own settings stay as they are.
                environment["GSETTINGS_BACKEND"] = "keyfile"
                environment["XDG_CONFIG_HOME"] = settings
                environment["WAYLAND_DISPLAY"] = compositor.socket
                return try launcher.launch(keyboardCommand, environment: environment, log: programLog)
            }
        } catch {
            log.error("no on-screen keyboard: \(error)")
        }
    }

    /// It needs a session bus; where there is none it gets one of its own.
    private var keyboardCommand: [String] {
        let hasBus = !(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty
            || FileManager.default.fileExists(atPath: "\(runtime.path)/bus")
        guard !hasBus, Executable.find("dbus-run-session", path: environment["PATH"]) != nil else { return ["squeekboard"] }
        return ["dbus-run-session", "--", "squeekboard"]
    }

    /// A folder of settings for the keyboard alone.
    private func keyboardSettings() throws -> String {
        let folder = "\(runtime.path)/mullion-\(compositor.socket)/keyboard"
        try FileManager.default.createDirectory(atPath: "\(folder)/glib-2.0/settings", withIntermediateDirectories: true)
        let text = "[org/gnome/desktop/a11y/applications]\nscreen-keyboard-enabled=true\n"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/glib-2.0/settings/keyfile"))
        return folder
    }
}
