import AudioSessions
import Callers
import Geometry
import Interface
import Modals
import Notices
import Seat
import Windows

/// The events of the room `Notices`, and the effect of its outcomes.
extension System {
    /// An app that a person wants to see, with the windows of a process if it is known.
    struct Wanted {
        var app: String
        var process: Int32?
        /// It hears of it over the bus, and is started that way if it is gone.
        var isTold: Bool
    }

    /// The surroundings of a notification that comes now (S-07).
    var noticeSurroundings: Notices.Surroundings {
        let workspace = screenful.workspace, heard = screenful.heard
        let active = screenful.isLocked || workspace.showsHome ? nil : workspace.focus.map(workspace.root)
        let app = active.flatMap { workspace[$0]?.app }, process = active.flatMap { workspace[$0]?.facts.lineage.first }
        // A film behind a lock has no viewer.
        let isFilm =
            !screenful.isLocked && workspace.shownWindows.contains { workspace[$0]?.commit.wantsFullscreen ?? false }
            && heard.playing?.status == .playing
        let isCall = heard.call.map { $0.state != .ended } ?? false, isAside = screenful.interface.isOverviewOpen
        return Notices.Surroundings(
            activeApp: isAside ? nil : app, activeProcess: isAside ? nil : process, isLocked: screenful.isLocked,
            isBusy: isFilm || isCall || heard.isRecording || seat.sharing.isShared)
    }

    mutating func handle(_ event: NoticeEvent, at now: Moment, _ turn: inout Turn) {
        let written = writtenAnswers, timed = screenful.interface.noticeInSight.flatMap { notices[$0]?.expires == nil ? nil : $0 }
        let wanted = notices(.outside(event), at: now, &turn)
        keepUnsent(written, at: now, &turn)
        switch event {
        case .absent(let app, let reply):
            // A person wants to reach it.
            if !screenful.isLocked { try? open(wanted, at: now, &turn) }
            if let reply, workspace.app(app) == nil { keepUnsent(reply, to: NoticeContent(app: app, title: ""), at: now, &turn) }
        case .owner(let app, let process):
            if let id = screenful.interface.noticeInSight { renewBanner(id, at: now, &turn) }
            reach(app, process, at: now, &turn)
        case .notify(let id, _, _, _): renewBanner(id, isSentAnew: true, at: now, &turn)
        case .pictured(let id, _): renewBanner(id, at: now, &turn)
        case .senderGone, .clock: if let id = screenful.interface.noticeInSight { renewBanner(id, at: now, &turn) }
        default: break
        }
        // Its sender named a time, which is over: its buttons have no receiver. It stays while a person reads it.
        if case .clock = event, let timed, let notice = notices[timed], notice.expires == nil, notice.content.unsent == nil,
            case let context = bannerContext, !context.isHeld, !context.isExpanded
        {
            banners(.leaves, at: now, &turn)
        }
        // A call whose caller is gone does not stay for an answer.
        if let id = screenful.interface.noticeInSight, notices[id]?.content.lapse == .missedCall { banners(.leaves, at: now, &turn) }
    }

    /// Passes an event to the room, and carries out its outcomes. Returns the app that a person wants to see.
    @discardableResult
    mutating func notices(_ event: Notices.Event, at now: Moment, _ turn: inout Turn) -> Wanted? {
        // The room alone has its storage while it changes, so that ten thousand notifications are not copied.
        screenful.sight.notices = Notices()
        let outcomes = notices.handle(event, in: noticeSurroundings, at: now)
        screenful.sight.notices = notices
        screenful.drawsAnew()
        return carryOut(outcomes, at: now, &turn)
    }

    private mutating func carryOut(_ outcomes: [Notices.Outcome], at now: Moment, _ turn: inout Turn) -> Wanted? {
        // An idiom that offers no list keeps notifications without showing or sounding them.
        let disturbs = screenful.workspace.offers(.notifications)
        var wanted: Wanted?, told: WindowID?, effects: [NoticeEffect] = []
        for outcome in outcomes {
            switch outcome {
            case .banner(let id):
                guard disturbs, let payer = notices[id]?.payer else { break }
                if screenful.isLocked {
                    lockCards(.comes(id), at: now, &turn)
                } else {
                    banners(.noticeComes(id, payer: payer), at: now, &turn)
                }
            case .sound(let name): if disturbs, Sound.isName(name) { turn.ask(.sound(.systemSound(name, .alert))) }
            case .calls(let app, let process):
                // Only the app that the shell tells something has to run.
                told = workspace.windows(of: app, process: process).first
                turn.ask(.life(.launches(app: app)))
                if let told { turn.ask(.life(.reaches(told))) } else { reaches = Reach(app: app, opens: false, at: now) }
            case .opens(let app, let process, let isTold):
                wanted = Wanted(app: app, process: process, isTold: isTold)
                if reaches?.app == app, reaches?.at == now {
                    reaches!.opens = true
                } else if told == nil, workspace.windows(of: app, process: process).isEmpty {
                    reaches = Reach(app: app, opens: true, at: now)
                }
            case .effect(.activate(let origin, let target, let reply, let sender, _)):
                let runs = told != nil || !workspace.windows(of: workspace.appID(named: origin.app)).isEmpty
                effects.append(.activate(origin, target, reply: reply, to: sender, isStarted: runs))
            case .effect(let effect): effects.append(effect)
            }
        }
        turn.send(effects)
        return wanted
    }

    // MARK: Apps that a person wants to reach

    /// An app that a person wants to reach while its windows are unknown.
    struct Reach: Hashable, Codable, Sendable {
        var app: String
        /// Whether it comes forward, or is only told.
        var opens: Bool
        var at: Moment

        /// How long a tap waits until the bus has said whose windows are meant, in seconds.
        static let patience = 10.0
    }

    /// The process that owns the name of an app which a person wants to reach: its windows are the app's.
    private mutating func reach(_ app: String, _ process: Int32?, at now: Moment, _ turn: inout Turn) {
        guard let wish = reaches, workspace.appID(named: app) == workspace.appID(named: wish.app), let process else { return }
        reaches = nil
        guard now - wish.at < Reach.patience, let window = workspace.windows(of: wish.app, process: process).first else { return }
        turn.ask(.life(.reaches(window)))
        guard wish.opens, !screenful.isLocked, screenful.workspace.offers(.switching) else { return }
        screenful.closeViews(at: now)
        try? screenful.show(window, at: now)
    }

    /// A tap brings the app forward, or starts it. The effects that tell the app of the tap follow.
    private mutating func open(_ wanted: Wanted?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        screenful.closeViews(at: now)
        guard let wanted else { return }
        let windows = workspace.windows(of: wanted.app, process: wanted.process), isGone = windows.isEmpty
        guard workspace.app(wanted.app) != nil || !isGone, screenful.workspace.offers(isGone ? .opening : .switching) else { return }
        // The bus starts it to deliver the call. If the bus cannot, `NoticeEvent.absent` comes.
        guard !(wanted.isTold && isGone) else { return }
        // Its windows may have another app id than it says.
        if !isGone, workspace.windows(of: wanted.app).isEmpty { return try screenful.show(windows[0], at: now) }
        try screenful.openApp(wanted.app, to: nil, at: now, &turn)
    }

    /// A job that a person started has ended, and its app marked it as important (S-07).
    mutating func tellEnd(of name: String, _ text: String, by window: WindowID, at now: Moment, _ turn: inout Turn) {
        let app = workspace[window]?.facts.sandbox == nil ? workspace[window]?.app ?? "" : workspace.trustedApp(of: window)
        var content = NoticeContent(app: app, name: workspace.app(app)?.name ?? app, title: name, body: text)
        content.owner = workspace.owner(of: window)
        content.level = NoticeClaims(category: "transfer.complete", isImportantEnd: true).resultingLevel
        content.category = "transfer.complete"
        notices(.told(content), at: now, &turn)
    }

    // MARK: Acts of a person

    mutating func perform(_ act: NoticeAct, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        if screenful.isLocked { return try answerOverLocker(act, at: now, &turn) }
        if let objection = objection(to: act) { throw Refusal(objection) }
        switch act {
        case .press(let id, let key):
            let buttons = notices[id]?.content.buttons ?? []
            guard buttons.contains(where: { $0.key == key }) else {
                let names = buttons.map { "\"\($0.key)\"" }.joined(separator: ", ")
                throw Refusal("\(id) has no button \"\(key)\"" + (names.isEmpty ? "" : "; it has \(names)"))
            }
            if let drive = notices[id]?.content.drive { return try use(drive, of: id, ejects: key == "eject", at: now, &turn) }
            try requireApp(of: id)
            if let button = notices[id]?.content.replyButton(key) { return beginReply(id, by: button, at: now, &turn) }
            carryOut(act, at: now, &turn)
        case .reply(let id, let text): try sendReply(id, text, at: now, &turn)
        case .leaveReply: screenful.interface.leaveReply()
        case .open(let id):
            if let drive = notices[id]?.content.drive { return try use(drive, of: id, ejects: false, at: now, &turn) }
            try requireApp(of: id)
            if notices[id]?.content.summary != nil {
                notices(.act(.dismiss(id)), at: now, &turn)
                screenful.closeViews(at: now)
                return screenful.interface.presentPanel(.notifications, at: now, spring: screenful.spring)
            }
            try open(notices(.act(act), at: now, &turn), at: now, &turn)
        case .expand(let id):
            guard screenful.interface.noticeInSight == id else { throw Refusal("\(id) has no banner") }
            screenful.interface.expandNotice()
            banners(.renewed, at: now, &turn)
        case .unfold(let key):
            screenful.interface.notices.unfold(key, of: key.isEmpty ? notices.groups.count : notices.ids(of: key).count)
            screenful.keepListScroll(at: now)
        case .settings(let group):
            if group != nil, !screenful.interface.isNoticeListOpen {
                screenful.interface.presentPanel(.notifications, at: now, spring: screenful.spring)
            }
            screenful.interface.showNoticeSettings(group)
        case .editFocus(let name): editFocus(name, at: now)
        case .moreFocusApps: screenful.interface.controlPart += 1
        default: carryOut(act, at: now, &turn)
        }
    }

    private mutating func carryOut(_ act: NoticeAct, at now: Moment, _ turn: inout Turn) {
        notices(.act(act), at: now, &turn)
        if case .newFocus(let name) = act, screenful.interface.isControlCentreOpen { editFocus(name.rawValue, at: now) }
        if case .deleteFocus(let name) = act, screenful.interface.editedFocus?.name == name { screenful.interface.leaveFocus() }
    }

    private mutating func editFocus(_ name: String, at now: Moment) {
        let isFixed = notices.choices.isFixed(focus: name)
        screenful.interface.editFocus(name, isFixed: isFixed, at: now, spring: screenful.spring)
    }

    /// Why an act means nothing now; nil: it means something.
    private func objection(to act: NoticeAct) -> String? {
        let choices = notices.choices
        switch act {
        case .copyUnsent(let id) where notices[id] != nil: return notices[id]?.content.unsent == nil ? "\(id) keeps no answer" : nil
        case .open(let id), .press(let id, _), .dismiss(let id), .snooze(let id), .expand(let id), .reply(let id, _), .copyUnsent(let id):
            return notices[id] == nil ? "there is no \(id)" : nil
        case .unfold(let key):
            let group = String(key.prefix { $0 != "\n" })
            return (key.isEmpty ? notices.groups.count > 1 : !notices.ids(of: group).isEmpty) ? nil : "\"\(group)\" has no notifications"
        case .clear(let group), .settings(let group?):
            return !notices.ids(of: group).isEmpty || workspace.app(group) != nil ? nil : "\"\(group)\" has no notifications"
        case .quiet: return choices.isQuietFixed ? "the configuration file says whether notifications disturb" : nil
        case .choose(let app, let choice):
            return choices.isFixed(choice, of: app) ? "the configuration file says what \"\(app)\" may do" : nil
        case .focus, .newFocus, .deleteFocus, .setFocus, .editFocus: return choices.objection(to: act)
        case .moreFocusApps: return screenful.interface.isControlCentreOpen ? nil : "no focus is shown"
        case .clearAll, .settings, .leaveReply: return nil
        }
    }

    /// A tap on a notification brings its app forward: the idiom has to offer that.
    private func requireApp(of id: NoticeID) throws(Refusal) {
        guard let content = notices[id]?.content, !content.app.isEmpty else { return }
        let windows = workspace.windows(of: content.app, process: content.process)
        guard !(workspace.focus.map { windows.contains(workspace.root(of: $0)) } ?? false) else { return }
        try screenful.workspace.requireOffer(of: windows.isEmpty ? .openApp(app: content.app) : .focus(window: windows[0]))
    }
}
