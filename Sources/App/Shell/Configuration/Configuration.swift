import Compositor
import Control
import Geometry
import Logging
import Multitasking
import Settings

/// Watches the files that a person edits: the configuration and the data files of idioms.
final class Configuration: Adapter {
    private unowned let shell: Shell
    private var loops: [WatchLoop] = []
    /// Looks at a file that is wrong a second time, because it may be about to be replaced.
    private var second: EventSource?
    /// The faults of the files that were reported last.
    private var said: [FileFault] = []
    private var unkept: String?

    /// In seconds.
    private static let patience = 0.5

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        shell.receive(.idiomsKnown(shell.idioms.idioms))
        second = shell.compositor.timer { [unowned self] in
            reloadAll()
            report()
        }
        // The idioms first: the configuration may name a new one.
        loops = [
            WatchLoop(
                shell, shell.idioms.watch, "the idioms",
                changed: { [unowned self] in
                    if shell.idioms.drain() { reload(patiently: true) }
                }, renew: { [unowned self] in reload(patiently: false) }),
            WatchLoop(
                shell, shell.store.watch, "the configuration",
                changed: { [unowned self] in
                    if shell.store.drain() { reload(patiently: true) }
                }, renew: { [unowned self] in reload(patiently: false) }),
        ]
        log()
    }

    func allStarted() { if !faults.isEmpty { tell() } }

    /// Everything that is wrong in the files.
    private var faults: [FileFault] { [shell.store.fault].compactMap(\.self) + shell.idioms.faults }

    /// Returns nil if all files are in effect, or the first error in them.
    func reload() -> SettingsError? {
        reload(patiently: false)
        return faults.first?.error
    }

    private func reload(patiently: Bool) {
        reloadAll()
        // A file that is being replaced is not there for a moment, or half.
        if patiently, faults != said, !faults.isEmpty { second?.arm(Compositor.now() + Self.patience) } else { report() }
    }

    private func reloadAll() {
        if shell.idioms.reload() { shell.receive(.idiomsKnown(shell.idioms.idioms)) }
        let before = shell.store.settings
        guard case .changed(let settings) = shell.store.reload() else { return }
        shell.log.info("the configuration changed")
        shell.receive(.configured(settings.core(environment: shell.environment, shell.options)))
        shell.settingsChanged(from: before)
    }

    private func report() {
        guard faults != said else { return }
        log()
        if shell.isSetUp { tell() }
    }

    private func log() {
        for fault in faults where !said.contains(fault) { shell.log.error("\(fault.description)") }
        for fault in said where !faults.contains(where: { $0.error.file == fault.error.file }) {
            shell.log.notice("\(fault.error.file) is correct again")
        }
        said = faults
        if let why = shell.store.unkept, why != unkept {
            shell.log.warning("for the next start, this version of the configuration is not kept: \(why)")
        }
        unkept = shell.store.unkept
    }

    private func tell() { shell.receive(.filesWrong(faults.map(\.trouble))) }

    /// The state of the files, and whether the shell notices their changes.
    var state: ConfigurationReport {
        ConfigurationReport(
            file: shell.store.path, isWatched: shell.store.watch.isComplete && shell.idioms.watch.isComplete,
            faults: faults.map { fault in
                ConfigurationReport.Fault(
                    file: fault.error.file, line: fault.error.line, column: fault.error.column, message: fault.error.message,
                    inEffect: fault.inEffect.rawValue)
            })
    }

    func stop() {
        for loop in loops { loop.cancel() }
        loops = []
        second?.cancel()
        second = nil
    }
}
