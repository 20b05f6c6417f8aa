import Geometry
import Interface
import Modals
import Notices
import Stage
import Windows

/// The views of notifications under a finger: the card over a locker, the list.
extension Screenful {
    // MARK: Over a locker

    /// The action of a tap on the card; nil: the tap missed the buttons, or came too early to be meant for the card.
    func pressOverLocker(at point: Point, at now: Moment) -> Action? {
        guard isLocked, now - interface.lockCards.frontSince >= Banners.touchGuard, let views = views(at: now) else { return nil }
        return views.lockCard().hit(point, precise: false)?.press
    }

    // MARK: The list

    func noticeReach(at now: Moment) -> Double { interface.isNoticeListOpen ? views(at: now)?.noticeListPlan.reach ?? 0 : 0 }

    /// Keeps the end of the list at its place after rows went.
    mutating func keepNoticeScroll(at now: Moment) {
        scrollNotices(to: interface.notices.scroll.target, at: now)
    }

    mutating func scrollNotices(to place: Double, velocity: Double? = nil, at now: Moment) {
        let reach = noticeReach(at: now), spring = momentum
        interface.notices.scroll.retarget(max(0, min(reach, place)), at: now, spring: spring, velocity: velocity)
        keepFocusInSight(at: now)
    }

    /// Scrolls a row into sight that gets the keyboard's focus.
    mutating func showNotice(_ control: ViewControl, at now: Moment) {
        guard interface.isNoticeListOpen, ["item/", "group/", "setting/"].contains(where: control.id.path.hasPrefix),
            control.id.area == .notifications,
            let window = views(at: now)?.noticeListPlan.window
        else { return }
        let target = interface.notices.scroll.target
        if control.frame.minY < window.minY + 4 {
            scrollNotices(to: target - (window.minY + 8 - control.frame.minY), at: now)
        } else if control.frame.maxY > window.maxY - 4 {
            scrollNotices(to: target + control.frame.maxY - window.maxY + 8, at: now)
        }
    }
}
