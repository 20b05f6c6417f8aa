import Control
import Geometry
import Journal
import Multitasking

/// Records every event to a file if the user asked for it.
final class Recording: EventObserver {
    private unowned let shell: Shell
    private let recorder: Recorder?

    /// Throws if the file cannot be created.
    init(_ shell: Shell) throws {
        self.shell = shell
        recorder = try shell.options.record.map { try Recorder(path: $0, version: Mullion.version, system: shell.system) }
        if let path = shell.options.record { shell.log.info("recording to \(path)") }
    }

    func willHandle(_ event: Event, at moment: Moment) { recorder?.begins(shell.system.masked(event), at: moment) }

    func didHandle(_ event: Event, _ effects: [Effect]) { recorder?.ended(effects, shell.system) }

    func stop() { recorder?.finish(shell.system) }
}
