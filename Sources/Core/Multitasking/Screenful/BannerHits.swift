import Geometry
import Interface
import Modals
import Stage
import Windows

/// The banner in sight: what is under a finger there, and its window.
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

    /// The part of the banner in sight that is under a finger or the pointer.
    func bannerHit(_ point: Point, precise: Bool, _ views: Views, at now: Moment) -> Hit? {
        guard interface.isNoticeOpen || interface.isBannerOpen else { return nil }
        let canvas = interface.isNoticeOpen ? views.noticeBanner() : views.banner()
        guard canvas.covers(point) else { return nil }
        let seenSince = interface.isNoticeOpen ? interface.notices.banner?.seenSince : interface.banner?.seenSince
        // A person who was about to touch the app below means the app.
        guard now - (seenSince ?? now) >= Banners.touchGuard, let control = canvas.hit(point, precise: precise), control.isOperable
        else { return .panel }
        return .view(control.id)
    }
}
