import Geometry
import Interface
import Modals
import Notices
import Windows

/// The context of the banners, and the effect of their outcomes on the screen.
extension System {
    mutating func banners(_ event: Banners.Event, at now: Moment, _ turn: inout Turn) {
        var asked: WindowID?
        if case .windowWaits(let id, _, _) = event { asked = id }
        for outcome in banners.handle(event, in: bannerContext(asked), at: now) {
            switch outcome {
            case .presents(.window(let id, let isNew, _)):
                screenful.interface.presentBanner(Interface.Banner(window: id, isNew: isNew), at: now, spring: screenful.spring)
            case .presents(.notice(let id, _)):
                if let notice = notices[id] { screenful.interface.presentNotice(notice, at: now, spring: screenful.spring) }
            case .closes(.window): screenful.interface.closeBanner(at: now, spring: screenful.spring)
            case .closes(.notice(let id)):
                screenful.interface.closeNotice(at: now, spring: screenful.spring)
                // It stays as a card over the locker.
                if !screenful.interface.lockCards.contains(id) { notices(.bannerEnded(id), at: now, &turn) }
            case .passesOn(let id): screenful.interface.banner?.content.window = id
            case .timer(let moment): turn.setTimer(.screen(.banner), moment)
            }
        }
    }

    var bannerContext: Banners.Context { bannerContext(nil) }

    private func bannerContext(_ asked: WindowID?) -> Banners.Context {
        let interface = screenful.interface
        var context = Banners.Context()
        context.isLocked = screenful.isLocked
        context.isFree = !interface.isModal
        context.offersSwitching = screenful.workspace.offers(.switching)
        context.isCovered = interface.isPanelOpen
        var ids = banners.windows + (asked.map { [$0] } ?? []), numbers = banners.notices
        if interface.isNoticeOpen, let banner = interface.notices.banner?.content {
            context.open = .notice(banner.notice.id)
            context.isExpanded = banner.isExpanded
            context.isHeld = interface.focus?.area == .notice || interface.pressed?.area == .notice || hands.holdsNotice
            numbers.append(banner.notice.id)
        } else if interface.isBannerOpen, let id = interface.banner?.content.window {
            context.open = .window(id)
            context.isPressed = interface.pressed?.area == .banner
            context.isHeld = context.isPressed || interface.focus?.area == .banner
            ids.append(id)
            context.heir = workspace.isMapped(id) ? nil : banners.app.flatMap(heir)
            if let heir = context.heir { ids.append(heir) }
        }
        context.needed = Set(ids.filter { workspace[$0]?.isMapped ?? false && !workspace.isShown($0) })
        for id in numbers {
            guard let notice = notices[id], notice.snoozed == nil else { continue }
            context.there.insert(id)
            if !notice.isRead { context.due.insert(id) }
            if notice.content.stays { context.staying.insert(id) }
            if notice.content.level > .active || notice.content.body.count > 100 { context.long.insert(id) }
        }
        return context
    }

    /// Another window of the app that waits, as after a splash.
    private func heir(of app: String) -> WindowID? {
        workspace.waiting.last { bannerApp($0) == app && workspace[$0]?.isUnasked ?? false }
    }

    /// The app whose banners are counted; windows without a name count by their program.
    private func bannerApp(_ id: WindowID) -> String {
        guard let window = workspace[id] else { return "" }
        // The names that a sandbox gives its windows make no more banners of it (P-06).
        let owner = workspace.owner(of: id)
        if owner.isConfined { return owner.key }
        let name = window.app.isEmpty ? window.facts.appID : window.app
        return name.isEmpty ? "\(window.facts.client)" : name
    }

    /// A window came and waits. One that came back to its place after a restart is no news, and neither is a splash.
    mutating func announceNew(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard workspace.waiting.contains(id), let window = workspace[id], window.isUnasked, !window.facts.isSplash else { return }
        banners(.windowWaits(id, isNew: true, app: bannerApp(id)), at: now, &turn)
    }

    /// An app asked to come in front. If that was refused, it leaves a trace on the screen.
    mutating func announceRefused(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        banners(.windowWaits(id, isNew: false, app: bannerApp(id)), at: now, &turn)
    }

    // MARK: What a person sees

    /// Whether banners or cards have to be followed after an event that settles nothing.
    var hasBanners: Bool {
        screenful.interface.isBannerOpen || screenful.interface.isNoticeOpen || banners.isBusy || screenful.interface.lockCards.isBusy
    }

    /// Shows the next banner, hides what is gone, and marks as read what a person sees.
    mutating func followBanners(at now: Moment, _ turn: inout Turn) {
        if hasBanners || reading.isReading || !notices.all.isEmpty {
            followReading(at: now, &turn)
            followLockCards(at: now, &turn)
        }
        if hasBanners || !banners.isQuiet { banners(.settled, at: now, &turn) }
    }

    private mutating func followReading(at now: Moment, _ turn: inout Turn) {
        let surroundings = noticeSurroundings
        let context = Reading.Context(
            isListOpen: screenful.interface.isNoticeListOpen, app: surroundings.activeApp, process: surroundings.activeProcess)
        for outcome in reading.handle(.settled, in: context, at: now) {
            switch outcome {
            case .listOpened: screenful.interface.notices.scroll.set(0)
            case .listClosed:
                screenful.interface.notices.unfolded = [:]
                screenful.interface.notices.settings = nil
                if notices.unreadCount > 0 { notices(.readAll, at: now, &turn) }
            case .reads(let app, let process): if notices.unreadCount > 0 { notices(.read(app: app, process: process), at: now, &turn) }
            }
        }
    }

    /// The text of the banner in sight changed, or it was sent again with the same one.
    mutating func renewBanner(_ id: NoticeID, isSentAnew: Bool = false, at now: Moment, _ turn: inout Turn) {
        guard screenful.interface.noticeInSight == id, let notice = notices[id] else { return }
        guard isSentAnew || screenful.interface.notices.banner!.content.notice != notice else { return }
        screenful.interface.notices.banner!.content.notice = notice
        if let draft = screenful.interface.notices.draft, notice.content.replyButton(draft.button) == nil {
            screenful.interface.leaveReply()
        }
        banners(.renewed, at: now, &turn)
    }

    // MARK: Over a locker (S-07)

    var lockCardContext: LockCards.Context { lockCardContext(besides: nil) }

    private func lockCardContext(besides id: NoticeID?) -> LockCards.Context {
        var context = LockCards.Context(isLocked: screenful.isLocked)
        let waiting = screenful.isLocked ? banners.notices + (screenful.interface.noticeInSight.map { [$0] } ?? []) : []
        for id in screenful.interface.lockCards.ids + waiting + (id.map { [$0] } ?? []) {
            guard let notice = notices[id] else { continue }
            context.there.insert(id)
            if notices.saysOnLock(id) != nil { context.saying.insert(id) }
            if notice.staysOnLock { context.staying.insert(id) }
            if notice.snoozed == nil, !notice.isRead { context.due.insert(id) }
        }
        return context
    }

    /// A notification that can wait is only counted over a locker. One that is shown once and has no card is over.
    mutating func lockCards(_ event: LockCards.Event, at now: Moment, _ turn: inout Turn) {
        let coming: NoticeID? = if case .comes(let id) = event { id } else { nil }
        for outcome in screenful.interface.lockCards.handle(event, in: lockCardContext(besides: coming), at: now) {
            switch outcome {
            case .over(let id): notices(.bannerEnded(id), at: now, &turn)
            case .rings(let id): if let payer = notices[id]?.payer { banners(.noticeComes(id, payer: payer, isOwed: true), at: now, &turn) }
            case .timer(let moment): turn.setTimer(.screen(.lockCard), moment)
            }
        }
    }

    /// Cards go with their notifications. A notification that still rings becomes a card when the session is locked, and a banner when it
    /// is unlocked.
    private mutating func followLockCards(at now: Moment, _ turn: inout Turn) {
        let context = lockCardContext
        if context.isLocked {
            for id in banners.notices + (screenful.interface.noticeInSight.map { [$0] } ?? [])
            where context.staying.contains(id) && context.due.contains(id) && !screenful.interface.lockCards.contains(id) {
                lockCards(.comes(id), at: now, &turn)
            }
        }
        if screenful.interface.lockCards.isBusy { lockCards(.settled, at: now, &turn) }
    }

    /// Carries out an act on a card over the locker. A person without the password can put off or hide it, and end an alarm. Nothing is
    /// opened, and a hidden notification stays in the list.
    mutating func answerOverLocker(_ act: NoticeAct, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let answered: NoticeID? =
            switch act {
            case .dismiss(let id), .snooze(let id): id
            default: nil
            }
        guard let id = answered, screenful.interface.lockCards.contains(id), let notice = notices[id] else {
            throw Refusal(WhileLocked.refusal)
        }
        if screenful.heard.isRinging, notice.kind == .call || notice.kind == .alarm { turn.ask(.sound(.action(.silenceRinging))) }
        lockCards(.answered(id), at: now, &turn)
        let isActed: Bool = if case .snooze = act { true } else { notice.kind == .alarm }
        notices(isActed ? .act(act) : .bannerEnded(id), at: now, &turn)
    }
}
