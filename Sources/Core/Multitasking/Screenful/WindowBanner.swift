import Geometry
import Interface
import Modals
import Stage
import Windows

/// The banner of a window that waits (W-19).
extension Screenful {
    var isBannerOpen: Bool { interface.banner?.isOpen ?? false }

    mutating func presentBanner(_ banner: Interface.Banner, at now: Moment) {
        let spring = self.spring
        interface.banner.present(banner, at: now, spring: spring)
        interface.banner?.see(true, at: now)
    }

    /// Hides the banner; its window still waits.
    mutating func closeBanner(at now: Moment) {
        let spring = self.spring
        interface.banner?.close(at: now, spring: spring)
        if interface.focus?.area == .banner { leaveBannerFocus() }
    }

    /// The focus leaves the banner. `repairFocus` gives it back to where it was before (P-03).
    mutating func leaveBannerFocus() {
        unfoldBanner(from: interface.focus, to: nil)
        interface.focus = nil
    }

    /// A remote control has no long press: a notification shows its buttons while the focus is on it.
    mutating func unfoldBanner(from last: ControlID?, to next: ControlID?) {
        let wasThere = last?.area == .notice, isThere = next?.area == .notice
        guard workspace.idiom.views.alwaysFocuses, isNoticeOpen, wasThere != isThere, !isReplying,
            interface.notices.banner!.content.isExpanded != isThere
        else { return }
        interface.notices.banner!.content.isExpanded = isThere
    }

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
