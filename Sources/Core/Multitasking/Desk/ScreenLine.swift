import Geometry
import Interface
import Notices
import Windows

/// The shell's own alerts, and the banners at the upper edge, in the order in which they are shown.
struct ScreenLine: Hashable, Codable, Sendable {
    struct Alert: Hashable, Codable, Sendable {
        var content: Interface.Popover
        /// It comes back until a person has answered it. Any other one ends with whatever closes it.
        var stays: Bool
    }

    enum Banner: Hashable, Codable, Sendable {
        case window(Interface.Banner)
        case notice(NoticeID)

        var window: Interface.Banner? { if case .window(let banner) = self { banner } else { nil } }
        var notice: NoticeID? { if case .notice(let id) = self { id } else { nil } }
    }

    /// Oldest first. The first one is in sight, or comes as soon as it can: an alert waits for an alert (M-11).
    var alerts: [Alert] = []
    var isAlertShown = false
    /// In the order in which they are shown: windows that wait, then notifications.
    var banners: [Banner] = []
    /// The timer that runs for the banner in sight.
    var timer: DeskTimer?

    static let mostAlerts = 8

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

    /// The shell has to tell or ask a person something. It takes the place of a menu at once, and waits for another alert and for the
    /// unlocking. `stays`: it waits until nothing else of the shell is open, and comes back until it is answered.
    mutating func alert(_ content: Interface.Popover, stays: Bool = false, at now: Moment) {
        leaveSeenAlert()
        guard line.alerts.count < ScreenLine.mostAlerts, !line.alerts.contains(where: { $0.content == content }) else { return }
        line.alerts.append(.init(content: content, stays: stays))
        // One in sight that is no longer in the line makes room at once.
        if !stays, !isAlertOpen || !line.isAlertShown { showAlert(at: now) }
    }

    /// Shows the next one. Programs that start and a locker close views; an alert that stays comes back then.
    mutating func followAlerts(at now: Moment) {
        leaveSeenAlert()
        if !interface.isPopoverOpen { showAlert(at: now) }
    }

    private mutating func showAlert(at now: Moment) {
        guard !isLocked, let next = line.alerts.first else { return }
        present(next.content, at: now)
        line.isAlertShown = true
    }

    private var isFirstAlertOpen: Bool { interface.isPopoverOpen && interface.popover?.content == line.alerts.first?.content }

    /// The one in sight was closed.
    private mutating func leaveSeenAlert() {
        guard line.isAlertShown, !isFirstAlertOpen else { return }
        line.isAlertShown = false
        if !line.alerts[0].stays { line.alerts.removeFirst() }
    }

    /// Removes alerts that the next one makes superfluous, whether they are in sight or wait.
    mutating func leaveAlert(_ isMeant: (Interface.Popover) -> Bool) {
        let isFirst = line.isAlertShown && isFirstAlertOpen && isMeant(line.alerts[0].content)
        line.alerts.removeAll { isMeant($0.content) }
        guard isFirst else { return }
        line.isAlertShown = false
    }

    /// Withdraws outdated alerts, in sight or not.
    mutating func withdraw(_ alerts: [Interface.Popover], at now: Moment) {
        let isInSight = isAlertOpen && interface.popover.map { alerts.contains($0.content) } ?? false
        leaveAlert(alerts.contains)
        if isInSight { interface.close(.popover, at: now, spring: spring) }
    }

    /// A person closes the popover that is open. If it is an alert, it is answered.
    mutating func closePopover(at now: Moment) {
        if line.isAlertShown, isFirstAlertOpen {
            line.alerts.removeFirst()
            line.isAlertShown = false
        }
        interface.close(.popover, at: now, spring: spring)
    }

    // MARK: Windows of the last session (W-20)

    /// Whether a person still has to say if the windows of the last session come back.
    var asksWindowsAside: Bool { line.alerts.contains { if case .windowsAside = $0.content { true } else { false } } }

    /// The shell crashed several times. A person decides whether the windows are restored.
    mutating func windowsSetAside(_ count: Int, at now: Moment) {
        guard count > 0 else { return }
        windowsAside = count
        // Where a person may not open apps, they stay closed.
        if offers(.opening), !asksWindowsAside { alert(.windowsAside(count), stays: true, at: now) }
    }

    /// A person has said it.
    mutating func windowsAsideAnswered(at now: Moment) {
        if case .windowsAside = interface.popover?.content { interface.close(.popover, at: now, spring: spring) }
        leaveSeenAlert()
        line.alerts.removeAll { if case .windowsAside = $0.content { true } else { false } }
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
