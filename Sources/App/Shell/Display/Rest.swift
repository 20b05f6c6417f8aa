import Compositor
import Geometry
import LinuxLibrary

/// Returns memory to the kernel when the screen is idle.
///
/// After the start, and after windows were opened and closed, parts of the heap are free, the wallpaper is in memory,
/// and pages of windows' buffers are mapped. When nothing was painted for a while, the shell returns free heap pages
/// to the kernel, moves the wallpaper to a file so that the kernel can reclaim its pages, and unmaps the buffers,
/// which belong to their clients. It does this only after a window was opened or closed, because other changes happen
/// far too often.
final class Rest {
    private unowned let shell: Shell
    private var timer: EventSource?
    /// Whether the timer is armed.
    private var isDue = false
    /// The time of the last painted frame, on the machine's clock.
    private var lastPainted = Moment.zero

    /// Seconds without a painted frame before memory is returned.
    private static let quiet = 0.5
    /// Seconds between writing pieces of a picture.
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

    /// Folders that are probably on a disk. The file has no name there.
    private var storeFolders: [String] {
        let environment = shell.environment
        guard let home = environment["HOME"] else { return [environment["XDG_CACHE_HOME"]].compactMap(\.self) }
        return [environment["XDG_CACHE_HOME"] ?? "\(home)/.cache", home]
    }
}
