import Glibc
import LinuxLibrary
import Synchronization

/// Runs jobs that may block (slow system calls, files, encoding) on a thread of its own, one after the other, and hands
/// their outcomes back to the thread of the event loop. The thread starts with the first job.
public final class Worker<Outcome: Sendable>: Sendable {
    public typealias Job = @Sendable () -> Outcome?

    private struct State {
        var jobs: [Job] = []
        var outcomes: [Outcome] = []
        var thread: pthread_t?
        var isFinished = false
    }

    private let state = Mutex(State())
    /// A job waits.
    private let work: Wakener
    /// Readable while there are outcomes.
    private let done: Wakener

    /// - Parameter owner: names the owner of its two descriptors in reports.
    public init(owner: StaticString) {
        work = Wakener(flags: 0, owner: owner)
        done = Wakener(flags: EFD_NONBLOCK, owner: owner)
    }

    /// Readable while there are outcomes. The event loop watches it.
    public var descriptor: Int32 { done.file.number }

    public func add(_ job: @escaping Job) {
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.thread == nil
        }
        if isFirst { start() }
        work.wake()
    }

    /// The outcomes since the last call, in the order of their jobs.
    public func outcomes() -> [Outcome] {
        done.clear()
        return state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Waits until all jobs are done. No job may follow.
    public func finish() {
        guard
            let thread = state.withLock({ state in
                state.isFinished = true
                defer { state.thread = nil }
                return state.thread
            })
        else { return }
        work.wake()
        pthread_join(thread, nil)
    }

    private func start() {
        // The shell takes signals on its own thread.
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let box = Unmanaged.passRetained(Turns { [self] in turn() })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                // `argument` is the box above, given to this thread alone.
                let turns = Unmanaged<Turns>.fromOpaque(argument!).takeRetainedValue()
                while turns.next() {}
                return nil
            }, box.toOpaque())
        if status == 0 {
            state.withLock { $0.thread = thread }
        } else {
            box.release()
            // Rather slow than never.
            while state.withLock({ !$0.jobs.isEmpty }), turn() {}
        }
    }

    /// False: that was the last one.
    private func turn() -> Bool {
        guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
            if state.withLock(\.isFinished) { return false }
            work.wait()
            return true
        }
        if let outcome = job() {
            state.withLock { $0.outcomes.append(outcome) }
            done.wake()
        }
        return true
    }
}

/// One turn of the thread, which repeats it until it returns false.
private final class Turns: Sendable {
    let next: @Sendable () -> Bool
    init(_ next: @escaping @Sendable () -> Bool) { self.next = next }
}

/// An event descriptor. It never changes, and the kernel takes reads and writes of it from any thread.
private struct Wakener: ~Copyable, @unchecked Sendable {
    let file: Descriptor

    init(flags: Int, owner: StaticString) {
        file = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | flags)), owner: owner)
    }

    func wake() {
        var one: UInt64 = 1
        _ = write(file.number, &one, 8)
    }

    func wait() {
        var count: UInt64 = 0
        _ = read(file.number, &count, 8)
    }

    func clear() { wait() }
}
