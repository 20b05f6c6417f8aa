import Compositor
import Descriptors
import Geometry
import Glibc
import Multitasking
import Processes

/// Keeps that the session is locked where the next shell finds it, and finds it at the start.
///
/// It starts right after the screen and before the first client is served, so that a session that was locked shows nothing from the
/// first frame on.
/// This does not depend on whether windows are kept: without their windows, a person's files are as open.
final class LockKeeping: Adapter {
    private unowned let shell: Shell
    private lazy var notes = LockNotes(folders: [shell.stateFolder, shell.runtime.path].compactMap(\.self))
    private let worker = Worker<(ticket: Int, isKept: Bool)>(owner: "note that the session is locked")
    private var source: EventSource?
    private var ticket = 0

    /// The longest wait for the disk, in milliseconds, with a picture of the session on the screen. A healthy disk needs a few.
    private static let patience: Int32 = 100

    init(_ shell: Shell) { self.shell = shell }

    var carriesOut: [Effect.Kind] { shell.options.greetd == nil ? [.lockNote] : [] }

    func start() {
        source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        // `Greeting` locks, and nothing of it is kept.
        guard shell.options.greetd == nil, notes.takeOver() else { return }
        shell.log.notice("the last shell ended while its session was locked: this one begins locked")
        shell.receive(.lockScreen(.triedBefore(notes.tries)))
        shell.receive(.lock(.found))
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        if case .noteTries(let count) = effect { return notes.keep(tries: count) }
        guard case .noteLock(let isLocked) = effect else { return }
        ticket += 1
        if isLocked { keep() } else { remove() }
    }

    private func keep() {
        FaultPoint.reach(.lockAsked)
        do {
            let job = try notes.add(), ticket = ticket
            worker.add { (ticket, job()) }
            FaultPoint.reach(.lockNoted)
            // No frame is drawn meanwhile. If the disk takes longer, the session is hidden first, and the locker waits.
            var item = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&item, 1, Self.patience) > 0 { drain() }
        } catch {
            shell.log.error("if the shell is killed now, the next one does not know that the session is locked: \(error)")
            shell.receive(.lock(.noted))
        }
    }

    private func drain() {
        // Notes of a lock that is over do not count.
        for outcome in worker.outcomes() where outcome.ticket == ticket {
            if !outcome.isKept { shell.log.error("if the machine fails now, the next shell may not know that the session is locked") }
            shell.receive(.lock(.noted))
        }
    }

    private func remove() {
        FaultPoint.reach(.lockEnds)
        for failure in notes.removeAll() { shell.log.error("the next shell begins locked, though this session is not: \(failure)") }
    }

    func stop() {
        source?.cancel()
        source = nil
        worker.finish()
        notes.leave()
    }
}
