import AudioSessions
import Callers
import Geometry
import Interface
import Notices
import Seat
import Stage
import Windows

/// Notifications on the screen. `Notices` decides which disturb; here is where and when they are seen.
extension Desk {
    /// How long a banner stays, in seconds.
    static let noticeTime = 6.0
    /// The same for one that says more, or is about time.
    static let longNoticeTime = 9.0
    /// How long a tap waits until the bus has said whose windows are meant, in seconds.
    static let reachTime = 10.0

    var isNoticeOpen: Bool { interface.notices.isBannerOpen }

    /// The surroundings of a notification that comes now (S-07).
    var noticeSurroundings: Notices.Surroundings {
        let active = isLocked || workspace.showsHome ? nil : workspace.focus.map(workspace.root)
        let app = active.flatMap { workspace[$0]?.app }, process = active.flatMap { workspace[$0]?.facts.lineage.first }
        // A film behind a lock has no viewer.
        let isFilm =
            !isLocked && workspace.shownWindows.contains { workspace[$0]?.commit.wantsFullscreen ?? false }
            && heard.playing?.status == .playing
        let isCall = heard.call.map { $0.state != .ended } ?? false
        return Notices.Surroundings(
            activeApp: interface.isOverviewOpen ? nil : app, activeProcess: interface.isOverviewOpen ? nil : process, isLocked: isLocked,
            isBusy: isFilm || isCall || heard.isRecording || notices.isScreenShared)
    }

    // MARK: Events

    mutating func handle(_ event: NoticeEvent, at now: Moment, _ turn: inout Turn) {
        let surroundings = noticeSurroundings, written = writtenAnswers
        let outcome = notices.room.handle(event, in: surroundings, at: now)
        take(outcome, at: now, &turn)
        keepUnsent(written, at: now, &turn)
        switch event {
        case .absent(let app, let reply):
            // A person wants to reach it.
            if !isLocked { try? openApp(of: outcome, at: now, &turn) }
            if let reply, workspace.app(app) == nil { keepUnsent(reply, to: NoticeContent(app: app, title: ""), at: now, &turn) }
        case .owner(let app, let process): reach(app, process, at: now, &turn)
        case .notify(let id, _, _, _): renewBanner(id, isSentAnew: true, at: now)
        case .pictured(let id, _): renewBanner(id, at: now)
        case .senderGone, .clock: if let id = interface.notices.banner?.content.notice.id { renewBanner(id, at: now) }
        default: break
        }
        leaveMissedCall(at: now, &turn)
    }

    /// The process that owns the name of an app which a person wants to reach: its windows are the app's.
    private mutating func reach(_ app: String, _ process: Int32?, at now: Moment, _ turn: inout Turn) {
        if let id = interface.notices.banner?.content.notice.id { renewBanner(id, at: now) }
        guard let wish = notices.reaches, workspace.appID(named: app) == workspace.appID(named: wish.app), let process else { return }
        notices.reaches = nil
        guard now - wish.at < Desk.reachTime, let window = workspace.windows(of: wish.app, process: process).first else { return }
        turn.ask(.life(.reaches(window)))
        guard wish.opens, !isLocked, offers(.switching) else { return }
        closeViews(at: now)
        try? show(window, at: now)
    }

    /// Hides the banner of a call once the caller is gone: it does not stay for an answer.
    private mutating func leaveMissedCall(at now: Moment, _ turn: inout Turn) {
        guard isNoticeOpen, let shown = interface.notices.banner?.content.notice, notices.room[shown.id]?.content.lapse == .missedCall
        else { return }
        hideNotice(at: now, &turn)
    }

    /// A job that a person started has ended, and its app marked it as important (S-07).
    mutating func tellEnd(of name: String, _ text: String, by window: WindowID, at now: Moment, _ turn: inout Turn) {
        let app = workspace[window]?.facts.sandbox == nil ? workspace[window]?.app ?? "" : workspace.trustedApp(of: window)
        var content = NoticeContent(app: app, name: workspace.app(app)?.name ?? app, title: name, body: text)
        content.owner = workspace.owner(of: window)
        content.level = NoticeClaims(category: "transfer.complete", isImportantEnd: true).resultingLevel
        content.category = "transfer.complete"
        take(notices.room.tell(content, in: noticeSurroundings, at: now), at: now, &turn)
    }

    /// Carries out the decisions of the room.
    mutating func take(_ outcome: Notices.Turn, at now: Moment, _ turn: inout Turn) {
        // An idiom that offers no list keeps notifications without showing or sounding them.
        let disturbs = offers(.notifications)
        if isLocked, disturbs { for id in outcome.banners { comeOverLocker(id, at: now, &turn) } }
        for id in outcome.banners where disturbs && !isLocked && !line.banners.contains(.notice(id)) && mayWait(id) {
            line.banners.append(.notice(id))
        }
        // One sound for notifications that come at once.
        if disturbs, let sound = outcome.sounds.first, Sound.isName(sound) { turn.ask(.sound(.systemSound(sound, .alert))) }
        // An app that is told something has to run for it, and only that one.
        let told = outcome.calls.flatMap { workspace.windows(of: $0, process: outcome.process).first }
        if let app = outcome.calls { turn.ask(.life(.launches(app: app))) }
        if let told { turn.ask(.life(.reaches(told))) }
        if let app = outcome.calls ?? outcome.opens, workspace.windows(of: app, process: outcome.process).isEmpty {
            notices.reaches = DeskNotices.Reach(app: app, opens: outcome.opens != nil, at: now)
        }
        turn.send(
            outcome.effects.map { effect in
                guard case .activate(let origin, let target, let reply, let sender, _) = effect else { return effect }
                return .activate(
                    origin, target, reply: reply, to: sender, isStarted: told != nil || !isGone(workspace.appID(named: origin.app)))
            })
    }

    /// Whether its banner may wait for its turn. One owner cannot fill the line.
    private func mayWait(_ id: NoticeID) -> Bool {
        guard let owner = notices.room[id]?.payer else { return false }
        let waiting = line.banners.compactMap { $0.notice.flatMap { notices.room[$0]?.payer } }
        return Quota.banners.share.allows(owner, own: waiting.count { $0 == owner }, named: waiting.count { $0 != .nameless })
    }

    mutating func perform(_ act: NoticeAct, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        if isLocked { return try answerOverLocker(act, at: now, &turn) }
        switch act {
        case .open(let id), .press(let id, _), .dismiss(let id), .snooze(let id), .expand(let id), .reply(let id, _), .copyUnsent(let id):
            guard notices.room[id] != nil else { throw Refusal("there is no \(id)") }
        case .unfold(let key):
            let group = String(key.prefix { $0 != "\n" })
            guard key.isEmpty ? notices.room.groups.count > 1 : !notices.room.ids(of: group).isEmpty else {
                throw Refusal("\"\(group)\" has no notifications")
            }
        case .clear(let group), .settings(let group?):
            guard !notices.room.ids(of: group).isEmpty || workspace.app(group) != nil else {
                throw Refusal("\"\(group)\" has no notifications")
            }
        case .quiet:
            guard !notices.room.choices.isQuietFixed else { throw Refusal("the configuration file says whether notifications disturb") }
        case .choose(let app, let choice):
            guard !notices.room.choices.isFixed(choice, of: app) else {
                throw Refusal("the configuration file says what \"\(app)\" may do")
            }
        case .focus, .newFocus, .deleteFocus, .setFocus, .editFocus:
            if let objection = notices.room.choices.objection(to: act) { throw Refusal(objection) }
        case .moreFocusApps:
            guard isFocusPageOpen else { throw Refusal("no focus is shown") }
        case .clearAll, .settings, .leaveReply: break
        }
        if case .copyUnsent(let id) = act, notices.room[id]?.content.unsent == nil { throw Refusal("\(id) keeps no answer") }
        if case .open(let id) = act { try requireApp(of: id) }
        if case .press(let id, let key) = act {
            let keys = notices.room[id]?.content.buttons.map(\.key) ?? []
            guard keys.contains(key) else {
                throw Refusal(
                    "\(id) has no button \"\(key)\"" + (keys.isEmpty ? "" : "; it has " + keys.map { "\"\($0)\"" }.joined(separator: ", ")))
            }
            try requireApp(of: id)
        }
        switch act {
        case .press(let id, let key) where notices.room[id]?.content.replyButton(key) != nil:
            try beginReply(id, by: notices.room[id]!.content.replyButton(key)!, at: now, &turn)
        case .reply(let id, let text): try sendReply(id, text, at: now, &turn)
        case .leaveReply: leaveReply()
        case .open(let id) where notices.room[id]?.content.summary != nil:
            take(notices.room.perform(.dismiss(id), at: now), at: now, &turn)
            closeViews(at: now)
            presentPanel(.notifications, at: now)
        case .expand(let id): try expand(id, at: now)
        case .unfold(let group):
            interface.notices.unfold(group, of: group.isEmpty ? notices.room.groups.count : notices.room.ids(of: group).count)
            keepNoticeScroll(at: now)
        case .settings(let group):
            interface.notices.settings = group
            interface.notices.scroll.set(0)
            interface.focus = nil
        case .editFocus(let name): editFocus(name, at: now)
        case .moreFocusApps: interface.controlPart += 1
        default:
            let outcome = notices.room.perform(act, at: now)
            take(outcome, at: now, &turn)
            if case .open = act { try openApp(of: outcome, at: now, &turn) }
            if case .newFocus(let name) = act, isFocusPageOpen { editFocus(name.rawValue, at: now) }
            if case .deleteFocus(let name) = act, interface.editedFocus?.name == name { leaveFocus() }
        }
    }

    private var isFocusPageOpen: Bool { interface.isPanelOpen && interface.panel?.content == .controlCentre }

    /// Shows a focus on a page of the control centre; those of the configuration file cannot be changed there.
    private mutating func editFocus(_ name: String, at now: Moment) {
        if !isFocusPageOpen { presentPanel(.controlCentre, at: now) }
        interface.editedFocus = EditedFocus(name)
        interface.controlPage = notices.room.choices.isFixed(focus: name) ? .focus : .focusMode
        interface.focus = nil
    }

    /// Finds the people to offer: the chosen ones, and then the latest senders. Neither a choice nor a new message moves them while a
    /// finger is there.
    mutating func findPeople() {
        guard let name = interface.editedFocus?.name, let focus = notices.room.choices.focuses.first(where: { $0.name == name }) else {
            return
        }
        interface.editedFocus!.people = focus.people + notices.room.people(most: NoticeLimits.people).filter { !focus.lets(person: $0) }
    }

    private mutating func leaveFocus() {
        interface.editedFocus = nil
        if interface.controlPage.parent != .main { interface.controlPage = .focus }
        interface.focus = nil
    }

    private func isGone(_ app: String, _ process: Int32? = nil) -> Bool { workspace.windows(of: app, process: process).isEmpty }

    /// A tap on a notification brings its app forward: the idiom has to offer that.
    private func requireApp(of id: NoticeID) throws(Refusal) {
        guard let content = notices.room[id]?.content, !content.app.isEmpty else { return }
        let windows = workspace.windows(of: content.app, process: content.process)
        guard !(workspace.focus.map { windows.contains(workspace.root(of: $0)) } ?? false) else { return }
        try requireOffer(of: windows.isEmpty ? .openApp(app: content.app) : .focus(window: windows[0]))
    }

    /// A tap brings the app forward, and starts it if it is gone. It is told after that.
    private mutating func openApp(of outcome: Notices.Turn, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        closeViews(at: now)
        guard let app = outcome.opens else { return }
        let isGone = isGone(app, outcome.process)
        guard workspace.app(app) != nil || !isGone, offers(isGone ? .opening : .switching) else { return }
        // It is told over the bus, which starts it. If that fails, `NoticeEvent.absent` starts it.
        guard !(outcome.isTold && isGone) else { return }
        // Its windows may have another app id than it says.
        if !isGone, self.isGone(app) { return try show(workspace.windows(of: app, process: outcome.process)[0], at: now) }
        try openApp(app, to: nil, at: now, &turn)
    }

    private mutating func expand(_ id: NoticeID, at now: Moment) throws(Refusal) {
        guard isNoticeOpen, interface.notices.banner?.content.notice.id == id else { throw Refusal("\(id) has no banner") }
        interface.notices.banner!.content.isExpanded.toggle()
        leaveReply()
        line.timer = nil
    }

    // MARK: The banner in sight

    /// Its text changed while it is shown, or it was sent again with the same one.
    mutating func renewBanner(_ id: NoticeID, isSentAnew: Bool = false, at now: Moment) {
        guard isNoticeOpen, interface.notices.banner?.content.notice.id == id, let notice = notices.room[id] else { return }
        guard isSentAnew || interface.notices.banner!.content.notice != notice else { return }
        interface.notices.banner!.content.notice = notice
        if let draft = interface.notices.draft, notice.content.replyButton(draft.button) == nil { leaveReply() }
        line.banners.removeAll { $0 == .notice(id) }
        // Its time begins anew.
        line.timer = nil
    }

    /// Hides the banner of a notification that is gone, and marks as read what a person sees.
    mutating func leaveLostNotices(at now: Moment, _ turn: inout Turn) {
        guard hasBanners || notices.wasListOpen || !notices.room.all.isEmpty else { return }
        readSeen(at: now, &turn)
        followLockCards(at: now, &turn)
        line.banners = line.banners.filter { banner in banner.notice.map { !isLocked && isDue($0) } ?? true }
        guard isNoticeOpen, let id = interface.notices.banner?.content.notice.id else { return }
        if isLocked || interface.isPanelOpen || notices.room[id] == nil || notices.room[id]?.snoozed != nil { hideNotice(at: now, &turn) }
    }

    private func isDue(_ id: NoticeID) -> Bool { notices.room[id].map { $0.snoozed == nil && !$0.isRead } ?? false }

    mutating func presentNotice(_ notice: Notice, at now: Moment) {
        let spring = self.spring
        interface.notices.way.set(0)
        interface.notices.banner.present(NoticeBanner(notice), at: now, spring: spring)
        interface.notices.banner?.see(true, at: now)
    }

    /// Whether the banner goes by itself: the person neither holds nor reads it, and it does not have to be answered.
    var isNoticeTimed: Bool {
        guard isNoticeOpen, let banner = interface.notices.banner?.content else { return false }
        let isHeld = interface.focus?.area == .notice || interface.pressed?.area == .notice || isNoticeGrabbed
        return !isHeld && !banner.notice.content.stays && !banner.isExpanded
    }

    private var isNoticeGrabbed: Bool { notices.isHeld }

    var noticeTime: Double {
        guard let content = interface.notices.banner?.content.notice.content else { return Desk.noticeTime }
        return content.level > .active || content.body.count > 100 ? Desk.longNoticeTime : Desk.noticeTime
    }

    /// Marks notifications as read: those that the person saw in the list, and those of an app that comes to the front.
    private mutating func readSeen(at now: Moment, _ turn: inout Turn) {
        let isListOpen = interface.isPanelOpen && interface.panel?.content == .notifications
        defer {
            notices.wasListOpen = isListOpen
            notices.active = noticeSurroundings.activeApp
        }
        if notices.wasListOpen, !isListOpen {
            interface.notices.unfolded = [:]
            interface.notices.settings = nil
            take(notices.room.read(), at: now, &turn)
        }
        if isListOpen, !notices.wasListOpen { interface.notices.scroll.set(0) }
        let surroundings = noticeSurroundings
        guard let app = surroundings.activeApp, !app.isEmpty, app != notices.active else { return }
        take(notices.room.read(app), at: now, &turn)
        if let process = surroundings.activeProcess { take(notices.room.read(process: process), at: now, &turn) }
    }

    /// Hides the banner; the notification stays in the list.
    mutating func hideNotice(at now: Moment, _ turn: inout Turn) {
        guard isNoticeOpen, let id = interface.notices.banner?.content.notice.id else { return }
        let spring = self.spring
        leaveReply()
        interface.notices.banner?.close(at: now, spring: spring)
        if interface.focus?.area == .notice { leaveBannerFocus() }
        // It stays as a card over the locker.
        if interface.lockCards.contains(id) { return }
        take(notices.room.bannerEnded(id), at: now, &turn)
    }

    /// It was shown long enough.
    mutating func noticeTimeOut(at now: Moment, _ turn: inout Turn) {
        line.timer = nil
        // A timer that was set before it was opened or renewed may still run.
        if isNoticeTimed { hideNotice(at: now, &turn) }
    }

    /// The part of the banner under a finger or the pointer.
    func noticeHit(_ point: Point, precise: Bool, _ views: Views, at now: Moment) -> Hit? {
        guard let banner = interface.notices.banner, banner.isOpen else { return nil }
        let canvas = views.noticeBanner()
        guard canvas.covers(point) else { return nil }
        // A person who was about to touch the app below means the app.
        guard now - (banner.seenSince ?? now) >= Desk.bannerGuard, let control = canvas.hit(point, precise: precise), control.isOperable
        else { return .panel }
        return .view(control.id)
    }

    // MARK: Over a locker

    /// Takes a notification that comes while the session is locked. One that can wait is only counted there. One that is shown once and
    /// has no card is over.
    private mutating func comeOverLocker(_ id: NoticeID, at now: Moment, _ turn: inout Turn) {
        guard let notice = notices.room[id] else { return }
        guard notices.room.saysOnLock(id) != nil else { return take(notices.room.bannerEnded(id), at: now, &turn) }
        let lost = interface.lockCards.come(id, until: notice.staysOnLock ? nil : now + Desk.longNoticeTime, at: now)
        if let lost { take(notices.room.bannerEnded(lost), at: now, &turn) }
    }

    /// Cards go with their notifications. A notification that still rings becomes a card when the session is locked, and a banner when it
    /// is unlocked.
    private mutating func followLockCards(at now: Moment, _ turn: inout Turn) {
        if isLocked {
            let open = isNoticeOpen ? interface.notices.banner?.content.notice.id : nil
            for id in line.banners.compactMap(\.notice) + (open.map { [$0] } ?? []) where notices.room[id]?.staysOnLock ?? false {
                if isDue(id) { comeOverLocker(id, at: now, &turn) }
            }
        }
        guard !interface.lockCards.isEmpty || interface.lockCards.awaited != nil else { return }
        for id in interface.lockCards.ids where !isLocked || notices.room.saysOnLock(id) == nil {
            interface.lockCards.remove(id, at: now)
            guard let notice = notices.room[id] else { continue }
            if !isLocked, notice.staysOnLock, isDue(id) {
                if !line.banners.contains(.notice(id)) { line.banners.append(.notice(id)) }
            } else {
                take(notices.room.bannerEnded(id), at: now, &turn)
            }
        }
        let room = notices.room
        interface.lockCards.follow(at: now, until: now + Desk.longNoticeTime) { room[$0]?.staysOnLock ?? false }
        guard interface.lockCards.next != interface.lockCards.awaited else { return }
        interface.lockCards.awaited = interface.lockCards.next
        turn.send(interface.lockCards.next.map { .startTimer(.desk(.lockCard), at: $0) } ?? .stopTimer(.desk(.lockCard)))
    }

    mutating func lockCardTimeOut(at now: Moment, _ turn: inout Turn) {
        interface.lockCards.awaited = nil
        for id in interface.lockCards.expire(at: now) { take(notices.room.bannerEnded(id), at: now, &turn) }
    }

    /// Carries out an act on a card over the locker. A person without the password can put off or hide it, and end an alarm. Nothing is
    /// opened, and a hidden notification stays in the list.
    private mutating func answerOverLocker(_ act: NoticeAct, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let answered: NoticeID? =
            switch act {
            case .dismiss(let id), .snooze(let id): id
            default: nil
            }
        guard let id = answered, interface.lockCards.contains(id), let notice = notices.room[id] else { throw Refusal(WhileLocked.refusal) }
        if heard.isRinging, notice.kind == .call || notice.kind == .alarm { turn.ask(.sound(.action(.silenceRinging))) }
        interface.lockCards.remove(id, at: now)
        if case .snooze = act { return take(notices.room.perform(act, at: now), at: now, &turn) }
        take(notice.kind == .alarm ? notices.room.perform(act, at: now) : notices.room.bannerEnded(id), at: now, &turn)
    }

    /// The action of a tap on the card; nil: the tap missed the buttons, or came too early to be meant for the card.
    func pressOverLocker(at point: Point, at now: Moment) -> Action? {
        guard isLocked, now - interface.lockCards.frontSince >= Desk.bannerGuard, let views = views(at: now) else { return nil }
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

    // MARK: Invariants

    func noticeViolations() -> [String] {
        var out = notices.room.violations()
        let waiting = Dictionary(grouping: line.banners.compactMap { $0.notice.flatMap { notices.room[$0]?.payer } }, by: \.self).mapValues(
            \.count)
        for (owner, count) in waiting where count > (owner == .nameless ? Quota.banners.share.nameless : Quota.banners.share.each) {
            out.append("\(count) banners of \(owner) wait")
        }
        if interface.notices.draft != nil, !isReplying { out.append("an answer without its banner") }
        out += interface.lockCards.violations()
        if !isLocked, !interface.lockCards.isEmpty { out.append("a card of the lock on an unlocked screen") }
        return out
    }
}

/// Notifications, and which of them are in sight.
struct DeskNotices: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    var room = Notices()
    /// Whether the list was open after the last event.
    var wasListOpen = false
    /// The app that was active after the last event.
    var active: String?
    /// Whether a finger has the banner.
    var isHeld = false
    /// The app that a person wants to reach while its windows are unknown.
    var reaches: Reach?
    /// The clients that share the screen.
    private(set) var sharers: [UInt64] = []

    var isScreenShared: Bool { !sharers.isEmpty }

    struct Reach: Hashable, Codable, Sendable {
        var app: String
        /// Whether it comes forward, or is only told.
        var opens: Bool
        var at: Moment
    }

    /// Notes captures of the screen. The shell's own remote view does not count, because its viewer is the person.
    mutating func captured(_ event: CaptureEvent) {
        switch event {
        case .begins(_, isOwnView: true): break
        case .begins(let client, isOwnView: false): if !sharers.contains(client) { sharers.append(client) }
        case .ends(let client): sharers.removeAll { $0 == client }
        }
    }
}
