import Compositor
import Logging
import Multitasking
import Settings

/// Watches the configuration file.
final class Configuration: Adapter {
    private unowned let shell: Shell
    private var source: EventSource?
    private var idiomSource: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        shell.receive(.idiomsKnown(shell.idioms.idioms))
        if shell.idioms.descriptor >= 0 {
            idiomSource = shell.compositor.watch(fd: shell.idioms.descriptor) { [unowned self] _ in
                if shell.idioms.drain() { reloadIdioms() }
            }
        }
        guard shell.store.descriptor >= 0 else {
            return shell.log.warning("the configuration is not watched: the machine has no file watches left")
        }
        source = shell.compositor.watch(fd: shell.store.descriptor) { [unowned self] _ in
            if shell.store.drain() { _ = reload() }
        }
    }

    /// Returns nil if all data files are in effect, or the first error in them.
    @discardableResult
    private func reloadIdioms() -> SettingsError? {
        let isChanged = shell.idioms.reload()
        for error in shell.idioms.errors { shell.log.error("\(error); the last good idiom stays") }
        if isChanged { shell.receive(.idiomsKnown(shell.idioms.idioms)) }
        return shell.idioms.errors.first
    }

    /// Returns nil if the file is in effect, or the error in it.
    func reload() -> SettingsError? {
        let idiomError = reloadIdioms(), before = shell.store.settings
        switch shell.store.reload() {
        case .unchanged: return idiomError
        case .invalid(let error):
            shell.log.error("\(error); the last good configuration stays")
            return error
        case .changed(let settings):
            shell.log.info("the configuration changed")
            shell.receive(.configured(settings.core(environment: shell.environment, only: shell.options.onlyIdiom)))
            shell.settingsChanged(from: before)
            return idiomError
        }
    }

    func stop() {
        source?.cancel()
        idiomSource?.cancel()
        (source, idiomSource) = (nil, nil)
    }
}
