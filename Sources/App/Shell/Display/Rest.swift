import Compositor
import Geometry
import LinuxLibrary
import Stage

/// Returns memory to the kernel when the screen is idle.
///
/// After the start, and after windows were opened and closed, parts of the heap are free, the wallpaper is in memory,
/// and pages of windows' buffers are mapped. When nothing was painted for a while, the shell returns free heap pages
/// to the kernel, moves the wallpaper to a file so that the kernel can reclaim its pages, and unmaps the buffers,
/// which belong to their clients. It does this only after a window was opened or closed, because other changes happen
/// far too often.
///
/// Views and gestures leave pictures behind: of windows that were shown small, of texts and icons, of another rotation. A person may
/// look at them again at once, so they go only when nothing of the shell's own has moved for longer, even if an app draws all the time.
final class Rest {
    private unowned let shell: Shell
    private var timer: EventSource?
    /// Whether the timer is armed.
    private var isDue = false
    /// Frees pictures.
    private var calmTimer: EventSource?
    private var isCalmDue = false
    /// When the shell last drew its own list of items.
    private var lastListed = Moment.zero
    /// The time of the last painted frame, on the machine's clock.
    private var lastPainted = Moment.zero

    /// Seconds between writing pieces of a picture.
    private static let pause = 0.01

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        _ = mallopt(M_MMAP_THRESHOLD, PictureMemory.mappedFrom)
        timer = shell.compositor.timer { [unowned self] in rest() }
        calmTimer = shell.compositor.timer { [unowned self] in calmDown() }
    }

    func stop() {
        timer?.cancel()
        calmTimer?.cancel()
        (timer, calmTimer) = (nil, nil)
    }

    func painted(at when: Moment) { lastPainted = when }

    /// The shell drew its own list, not just what an app changed.
    func listed(at when: Moment) {
        lastListed = when
        guard !isCalmDue, let calmTimer else { return }
        isCalmDue = true
        calmTimer.arm(when + PictureMemory.calm)
    }

    private func calmDown() {
        guard let calmTimer else { return }
        let next = lastListed + PictureMemory.calm
        guard Compositor.now() >= next else { return calmTimer.arm(next) }
        if shell.compositor.storePictures(in: storeFolders) { return calmTimer.arm(Compositor.now() + Self.pause) }
        isCalmDue = false
        shell.compositor.freePictures()
        malloc_trim(0)
    }

    func whenQuiet() {
        guard !isDue, let timer else { return }
        isDue = true
        timer.arm(Compositor.now() + PictureMemory.quiet)
    }

    private func rest() {
        guard let timer else { return }
        let compositor = shell.compositor
        guard Compositor.now() - lastPainted >= PictureMemory.quiet else { return timer.arm(lastPainted + PictureMemory.quiet) }
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
