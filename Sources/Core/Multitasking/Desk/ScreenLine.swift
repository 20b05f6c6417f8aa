import Geometry
import Interface
import Modals
import Notices
import Windows

/// The banners at the upper edge, in the order in which they are shown.
struct ScreenLine: Hashable, Codable, Sendable {
    enum Banner: Hashable, Codable, Sendable {
        case window(Interface.Banner)
        case notice(NoticeID)

        var window: Interface.Banner? { if case .window(let banner) = self { banner } else { nil } }
        var notice: NoticeID? { if case .notice(let id) = self { id } else { nil } }
    }

    /// In the order in which they are shown: windows that wait, then notifications.
    var banners: [Banner] = []
    /// The timer that runs for the banner in sight.
    var timer: DeskTimer?

    mutating func append(_ banner: Interface.Banner) {
        banners.insert(.window(banner), at: banners.firstIndex { $0.notice != nil } ?? banners.count)
    }
}

// MARK: Alerts

extension Desk {
    /// Whether one of the shell's own alerts is open. Nothing of the shell stands over it (M-11).
    var isAlertOpen: Bool { interface.isPopoverOpen && interface.popover?.content.isAlert ?? false }

    func requireNoAlert() throws(Refusal) {
        if isAlertOpen { throw Refusal("an alert is open") }
    }

    /// The shell has to tell or ask a person something (`Alerts.Event.told`).
    mutating func alert(_ content: Interface.Popover, stays: Bool = false, at now: Moment) { alerts(.told(content, stays: stays), at: now) }

    var alertContext: Alerts.Context {
        Alerts.Context(open: interface.isPopoverOpen ? interface.popover?.content : nil, isLocked: isLocked)
    }

    mutating func alerts(_ event: Alerts.Event, at now: Moment) {
        for outcome in alerts.handle(event, in: alertContext, at: now) {
            switch outcome {
            case .presents(let content): present(content, at: now)
            case .closes: interface.close(.popover, at: now, spring: spring)
            }
        }
    }

    /// The shell crashed several times. A person decides whether the windows are restored (W-20).
    mutating func windowsSetAside(_ count: Int, at now: Moment) {
        guard count > 0 else { return }
        windowsAside = count
        // Where a person may not open apps, they stay closed.
        if offers(.opening) { alerts(.windowsSetAside(count), at: now) }
    }
}

// MARK: Banners

extension Desk {
    /// Whether one is shown, timed or due.
    var hasBanners: Bool {
        isBannerOpen || isNoticeOpen || line.timer != nil || !line.banners.isEmpty || !interface.lockCards.isEmpty
            || interface.lockCards.awaited != nil
    }

    /// Shows the next banner, hides what is gone, and marks as read what a person sees. The time of one that the keyboard or a finger is on
    /// begins again when that ends.
    mutating func followBanners(at now: Moment, _ turn: inout Turn) {
        leaveLostBanners(at: now)
        leaveLostNotices(at: now, &turn)
        let isNew = showNextBanner(at: now)
        let wanted: DeskTimer? = isBannerTimed ? .banner : isNoticeTimed ? .notice : nil
        guard isNew || wanted != line.timer else { return }
        if let running = line.timer, running != wanted { turn.send(.stopTimer(.desk(running))) }
        if let wanted { turn.send(.startTimer(.desk(wanted), at: now + (wanted == .banner ? Desk.bannerTime : noticeTime))) }
        line.timer = wanted
    }

    /// There is one place, and it is free only while none of the shell's own views covers the apps.
    private mutating func showNextBanner(at now: Moment) -> Bool {
        guard !line.banners.isEmpty, !isLocked, !isBannerOpen, !isNoticeOpen, !interface.isModal else { return false }
        switch line.banners.removeFirst() {
        case .window(let banner): presentBanner(banner, at: now)
        case .notice(let id): if let notice = notices.room[id] { presentNotice(notice, at: now) }
        }
        return true
    }

    /// The one in sight makes room.
    mutating func clearBannerPlace(at now: Moment, _ turn: inout Turn) {
        if isBannerOpen { closeBanner(at: now) }
        if isNoticeOpen { hideNotice(at: now, &turn) }
    }

    /// A person puts off the notification of the banner in sight.
    mutating func leaveBanner(at now: Moment, _ turn: inout Turn) {
        if isNoticeOpen { hideNotice(at: now, &turn) } else { closeBanner(isPutOff: true, at: now) }
    }
}
