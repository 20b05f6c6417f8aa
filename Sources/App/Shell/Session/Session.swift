import Compositor
import Geometry
import Glibc
import Multitasking

/// The session's end and its refusals: signals, a time to end at, the person's wish to quit.
final class Session: Adapter {
    private unowned let shell: Shell
    private var sources: [EventSource] = []

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.session]

    func start() {
        for number in Self.endings {
            sources.append(shell.compositor.signal(number) { [unowned shell] in shell.quit() })
        }
        // A client that goes away while it is written to is no reason to end.
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

    /// Libraries start threads of their own (Pango does), and a thread that does not hold a signal back is ended by it
    /// before the loop hears of it. So they are held back before there is any.
    static func holdSignals() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in endings { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
