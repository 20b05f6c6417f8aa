import Compositor
import Geometry
import LinuxLibrary

/// How the shell gives memory back when nothing moves.
///
/// After the start, and after windows have come and gone, parts of the heap are free, the wallpaper is in memory, and pages of
/// windows' buffers are mapped. When nothing was painted for a while, the shell returns free pages of the heap to the kernel,
/// moves the wallpaper to a file that the kernel can write back, and unmaps the buffers, which belong to their clients.
/// It waits for a window to come or go, because anything else happens far too often.
final class Rest {
    private unowned let shell: Shell
    private var timer: EventSource?
    /// The timer is armed.
    private var isDue = false
    /// When something was painted last, on the machine's clock.
    private var lastPainted = Moment.zero

    /// Seconds without a painted frame.
    private static let quiet = 0.5
    /// Seconds between pieces of a picture that are written.
    private static let pause = 0.01

    init(_ shell: Shell) { self.shell = shell }

    func start() { timer = shell.compositor.timer { [unowned self] in rest() } }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    func painted(at when: Moment) { lastPainted = when }

    func whenQuiet() {
        guard !isDue, let timer else { return }
        isDue = true
        timer.arm(Compositor.now() + Self.quiet)
    }

    private func rest() {
        guard let timer else { return }
        let compositor = shell.compositor
        guard Compositor.now() - lastPainted >= Self.quiet else { return timer.arm(lastPainted + Self.quiet) }
        if compositor.storePictures(in: storeFolders) { return timer.arm(Compositor.now() + Self.pause) }
        timer.arm(nil)
        isDue = false
        compositor.rest()
        malloc_trim(0)
        shell.log.debug("at rest: \(compositor.storedBytes >> 10) KiB of pictures in a file")
    }

    /// Where there is a disk below them; the file has no name there.
    private var storeFolders: [String] {
        let environment = shell.environment
        guard let home = environment["HOME"] else { return [environment["XDG_CACHE_HOME"]].compactMap(\.self) }
        return [environment["XDG_CACHE_HOME"] ?? "\(home)/.cache", home]
    }
}
