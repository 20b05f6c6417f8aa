import CMemory
import Compositor
import Geometry
import Multitasking

/// What the shell does with its memory when nothing moves.
///
/// Starting, and windows that come and go, run much code and read many pictures that are not needed again soon. When it is
/// quiet after that, the shell lets go of what can be found again: code and constants, which lie in files; its wallpaper,
/// which is put into one; and the buffers of windows, which are their clients'. Anything else happens far too often.
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
        let bytes = mm_rest()
        log.debug("at rest: \(bytes >> 10) KiB of code and constants let go, \(compositor.storedBytes >> 10) KiB of pictures in a file")
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
