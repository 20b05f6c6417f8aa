import Geometry
import Interface
import Modals
import Stage
import Windows

/// The banner of a window that waits (W-19).
extension Screenful {
    /// Opens the window that the banner names.
    mutating func openBanner(_ banner: Interface.Banner, to destination: Destination?, at now: Moment) throws(Refusal) {
        if workspace.waiting.contains(banner.window) {
            try workspace.admitWaiting(banner.window, to: destination ?? .fullScreen)
        } else if workspace.pip?.window == banner.window {
            try workspace.setPipStashed(nil)
        } else {
            try show(banner.window, at: now)
        }
    }

    /// The part of the banner under a finger or the pointer.
    func bannerHit(_ point: Point, precise: Bool, _ views: Views, at now: Moment) -> Hit? {
        guard let banner = interface.banner, banner.isOpen else { return nil }
        let canvas = views.banner()
        if now - (banner.seenSince ?? now) >= Banners.touchGuard, let control = canvas.hit(point, precise: precise), control.isOperable {
            return .view(control.id)
        }
        return canvas.covers(point) ? .panel : nil
    }
}
