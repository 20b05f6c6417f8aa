import Compositor
import Logging
import Multitasking
import Settings

/// Watches the configuration file.
final class Configuration: Adapter {
    private unowned let shell: Shell
    private var source: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        guard shell.store.descriptor >= 0 else {
            return shell.log.warning("the configuration is not watched: the machine has no file watches left")
        }
        source = shell.compositor.watch(fd: shell.store.descriptor) { [unowned self] _ in
            if shell.store.drain() { _ = reload() }
        }
    }

    /// Returns nil if the file is in effect, or the error in it.
    func reload() -> SettingsError? {
        let before = shell.store.settings
        switch shell.store.reload() {
        case .unchanged: return nil
        case .invalid(let error):
            shell.log.error("\(error); the last good configuration stays")
            return error
        case .changed(let settings):
            shell.log.info("the configuration changed")
            shell.receive(.configured(settings.core(environment: shell.environment)))
            shell.settingsChanged(from: before)
            return nil
        }
    }

    func stop() {
        source?.cancel()
        source = nil
    }
}
