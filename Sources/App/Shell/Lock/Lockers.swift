import Geometry
import Glibc
import Multitasking
import Processes

/// Starts the configured locker when the core says so: the session is locked, and no locker holds it.
final class Lockers: Adapter {
    private unowned let shell: Shell
    /// The locker that was started last, while it runs.
    private var process: Int32?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.locker]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .startLocker(let command) = effect else { return }
        // One that did not take the session in time. It must not unlock on its way out.
        if let process { shell.launcher.signal(process, SIGKILL) }
        process = nil
        do {
            process = try shell.launcher.launch(
                command, environment: shell.environment, log: shell.programLog, directory: shell.environment["HOME"])
            shell.log.notice("the session is locked and no locker holds it: \(command[0]) starts")
        } catch {
            shell.log.error("the locker cannot be started: \(error)")
            shell.receive(.lock(.startedEnded))
        }
    }

    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.pid == process else { return false }
        process = nil
        switch exit.reason {
        case .exited(let status): shell.log.notice("the locker ended with status \(status)")
        case .signalled(let number): shell.log.notice("the locker was ended by signal \(number)")
        }
        shell.receive(.lock(.startedEnded))
        return true
    }
}
