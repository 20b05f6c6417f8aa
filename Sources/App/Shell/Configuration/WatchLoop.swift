import Compositor
import Geometry
import Logging
import Store
import Watching

/// Has the event loop notice changes of files. Where the machine has no watches left, it tries again, more and more rarely.
final class WatchLoop {
    private unowned let shell: Shell
    private let watch: PathWatch
    private let what: String
    private let changed: () -> Void
    private let renew: () -> Void
    private var source: EventSource?
    private var timer: EventSource?
    private var backOff = BackOff(first: 1, most: 60)

    /// - Parameters:
    ///   - what: the watched files, for the log.
    ///   - changed: the watch's descriptor is readable.
    ///   - renew: sets the watches again, and reads files that changed without them.
    init(_ shell: Shell, _ watch: PathWatch, _ what: String, changed: @escaping () -> Void, renew: @escaping () -> Void) {
        (self.shell, self.watch, self.what, self.changed, self.renew) = (shell, watch, what, changed, renew)
        listen()
        guard !watch.isComplete else { return }
        shell.log.warning("changes of \(what) may go unnoticed: the machine has no file watches left (fs.inotify); it is tried again")
        timer = shell.compositor.timer { [unowned self] in tryAgain() }
        timer?.arm(Compositor.now() + backOff.wait())
    }

    private func listen() {
        guard watch.descriptor >= 0 else { return }
        source = shell.compositor.watch(fd: watch.descriptor) { [unowned self] _ in changed() }
    }

    private func tryAgain() {
        if watch.retry() { listen() }
        if watch.descriptor >= 0 { renew() }
        guard !watch.isComplete else { return shell.log.notice("changes of \(what) are noticed again") }
        timer?.arm(Compositor.now() + backOff.wait())
    }

    func cancel() {
        source?.cancel()
        timer?.cancel()
        (source, timer) = (nil, nil)
    }
}
