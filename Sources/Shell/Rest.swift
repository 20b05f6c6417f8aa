import CMemory
import Compositor
import Geometry

extension Shell {
    /// Seconds without a painted frame.
    private static let quiet = 0.5

    /// When the shell comes to rest for the first time, it lets go of what starting alone needed: most of the code that
    /// it and its libraries run is run once.
    func restAfterStart() {
        var timer: EventSource?
        timer = compositor.timer { [unowned self] in
            guard Compositor.now() - lastPainted >= Self.quiet else {
                timer?.arm(lastPainted + Self.quiet)
                return
            }
            let bytes = mm_rest()
            log.debug("at rest: \(bytes >> 10) KiB of code and constants let go")
            timer?.arm(nil)
        }
        timer?.arm(Compositor.now() + Self.quiet)
        if let timer { sources.append(timer) }
    }
}
