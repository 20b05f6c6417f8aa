import Compositor
import Geometry
import LinuxLibrary
import Multitasking

/// How the shell gives memory back when nothing moves.
///
/// After the start, and after windows have come and gone, parts of the heap are free, the wallpaper is in memory, and pages of
/// windows' buffers are mapped. When nothing was painted for a while, the shell returns free pages of the heap to the kernel,
/// moves the wallpaper to a file that the kernel can write back, and unmaps the buffers, which belong to their clients.
/// It waits for a window to come or go, because anything else happens far too often.
extension Shell {
    /// Seconds without a painted frame.
    private static let quiet = 0.5
    /// Seconds between pieces of a picture that are written.
    private static let pause = 0.01

    func restWhenQuiet() {
        guard !isRestDue, let restTimer else { return }
        isRestDue = true
        restTimer.arm(Compositor.now() + Self.quiet)
    }

    func rest() {
        guard let restTimer else { return }
        guard Compositor.now() - lastPainted >= Self.quiet else { return restTimer.arm(lastPainted + Self.quiet) }
        if compositor.storePictures(in: storeFolders) { return restTimer.arm(Compositor.now() + Self.pause) }
        restTimer.arm(nil)
        isRestDue = false
        compositor.rest()
        malloc_trim(0)
        log.debug("at rest: \(compositor.storedBytes >> 10) KiB of pictures in a file")
    }

    /// Where there is a disk below them; the file has no name there.
    private var storeFolders: [String] {
        guard let home = environment["HOME"] else { return [environment["XDG_CACHE_HOME"]].compactMap(\.self) }
        return [environment["XDG_CACHE_HOME"] ?? "\(home)/.cache", home]
    }
}

extension Event {
    /// A window comes or goes.
    var isOfComingOrGoing: Bool {
        switch self {
        case .windowMapped, .windowsMapped, .windowUnmapped, .windowDestroyed: true
        default: false
        }
    }
}
