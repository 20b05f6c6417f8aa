import Compositor
import Geometry
import Glibc
import Logging
import Multitasking

/// Ends the session: on signals, after a set time, and when the user quits.
final class Session: Adapter {
    private unowned let shell: Shell
    private var sources: [EventSource] = []

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.session]

    func start() {
        for number in Self.endings {
            sources.append(
                shell.compositor.signal(number) { [unowned shell] in
                    shell.log.info("signal \(number) ends the session")
                    shell.quit()
                })
        }
        // Writing to a client that disconnects must not end the shell.
        signal(SIGPIPE, SIG_IGN)
        guard let seconds = shell.options.quitAfter else { return }
        let timer = shell.compositor.timer { [unowned shell] in shell.quit() }
        timer.arm(Compositor.now() + seconds)
        sources.append(timer)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .session(let effect) = effect else { return }
        switch effect {
        case .quit: shell.quit()
        case .refuse(let refusal): shell.refused(refusal)
        }
    }

    func stop() {
        for source in sources { source.cancel() }
        sources.removeAll()
    }

    private static let endings = [SIGTERM, SIGINT, SIGHUP]

    /// Blocks the signals that the loop handles. Libraries (such as Pango) start threads, and a signal kills the
    /// process if any thread does not block it. So call this before there are threads.
    static func holdSignals() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in endings { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
