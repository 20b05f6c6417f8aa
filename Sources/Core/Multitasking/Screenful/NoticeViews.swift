import Geometry
import Interface
import Stage
import Windows

/// The list of notifications under a finger.
extension Screenful {
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
        if let target = views(at: now)?.noticeScroll(showing: control) { scrollNotices(to: target, at: now) }
    }
}
