import Geometry
import Interface
import Modals
import Notices
import Stage
import Windows

/// The views of notifications: the banner in sight, the list, the pages of focuses.
extension Screenful {
    var isNoticeOpen: Bool { interface.notices.isBannerOpen }

    /// The notification of the banner in sight.
    var noticeInSight: NoticeID? { isNoticeOpen ? interface.notices.banner?.content.notice.id : nil }

    mutating func presentNotice(_ notice: Notice, at now: Moment) {
        let spring = self.spring
        interface.notices.way.set(0)
        interface.notices.banner.present(NoticeBanner(notice), at: now, spring: spring)
        interface.notices.banner?.see(true, at: now)
    }

    /// Hides the banner; the notification stays in the list.
    mutating func closeNotice(at now: Moment) {
        guard isNoticeOpen else { return }
        let spring = self.spring
        leaveReply()
        interface.notices.banner?.close(at: now, spring: spring)
        if interface.focus?.area == .notice { leaveBannerFocus() }
    }

    /// Shows all of the banner in sight, or less again.
    mutating func expandNotice() {
        interface.notices.banner?.content.isExpanded.toggle()
        leaveReply()
    }

    /// The part of the banner under a finger or the pointer.
    func noticeHit(_ point: Point, precise: Bool, _ views: Views, at now: Moment) -> Hit? {
        guard let banner = interface.notices.banner, banner.isOpen else { return nil }
        let canvas = views.noticeBanner()
        guard canvas.covers(point) else { return nil }
        // A person who was about to touch the app below means the app.
        guard now - (banner.seenSince ?? now) >= Banners.touchGuard, let control = canvas.hit(point, precise: precise), control.isOperable
        else { return .panel }
        return .view(control.id)
    }

    // MARK: Over a locker

    /// The action of a tap on the card; nil: the tap missed the buttons, or came too early to be meant for the card.
    func pressOverLocker(at point: Point, at now: Moment) -> Action? {
        guard isLocked, now - interface.lockCards.frontSince >= Banners.touchGuard, let views = views(at: now) else { return nil }
        return views.lockCard().hit(point, precise: false)?.press
    }

    // MARK: The list

    var isNoticeListOpen: Bool { interface.isPanelOpen && interface.panel?.content == .notifications }

    func noticeReach(at now: Moment) -> Double { isNoticeListOpen ? views(at: now)?.noticeListPlan.reach ?? 0 : 0 }

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
        guard isNoticeListOpen, ["item/", "group/", "setting/"].contains(where: control.id.path.hasPrefix),
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

    /// Shows the choices for an app instead of the list; nil: the list again.
    mutating func showNoticeSettings(_ group: String?) {
        interface.notices.settings = group
        interface.notices.scroll.set(0)
        interface.focus = nil
    }

    // MARK: Focuses

    var isFocusPageOpen: Bool { interface.isPanelOpen && interface.panel?.content == .controlCentre }

    /// Shows a focus on a page of the control centre; those of the configuration file cannot be changed there.
    mutating func editFocus(_ name: String, at now: Moment) {
        if !isFocusPageOpen { presentPanel(.controlCentre, at: now) }
        interface.editedFocus = EditedFocus(name)
        interface.controlPage = notices.choices.isFixed(focus: name) ? .focus : .focusMode
        interface.focus = nil
    }

    /// Finds the people to offer: the chosen ones, and then the latest senders. Neither a choice nor a new message moves them while a
    /// finger is there.
    mutating func findPeople() {
        guard let name = interface.editedFocus?.name, let focus = notices.choices.focuses.first(where: { $0.name == name }) else {
            return
        }
        interface.editedFocus!.people = focus.people + notices.people(most: NoticeLimits.people).filter { !focus.lets(person: $0) }
    }

    mutating func leaveFocus() {
        interface.editedFocus = nil
        if interface.controlPage.parent != .main { interface.controlPage = .focus }
        interface.focus = nil
    }
}
