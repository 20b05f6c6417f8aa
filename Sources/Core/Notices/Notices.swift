import Callers
import Geometry
import OrderedCollections

/// Notifications: which there are, which disturb a person and how much, and which are still to come (S-07, S-12, X-03).
///
/// `Banners` knows which banner is in sight.
public struct Notices: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    /// All of them, oldest first.
    public internal(set) var all: OrderedDictionary<NoticeID, Notice> = [:]
    /// By `NoticeSchedule.key`.
    public internal(set) var schedules: OrderedDictionary<String, NoticeSchedule> = [:]
    public internal(set) var choices = NoticeChoices()
    /// The greatest number so far. It grows over restarts, so that no program means another one's by an old number.
    public private(set) var last: UInt32 = 0
    /// How many banners each app may still show.
    var allowances: OrderedDictionary<String, Allowance> = [:]
    var index = NoticeIndex()
    /// How many it holds.
    var bounds = NoticeBounds()
    var zone = NoticeZone()
    /// The clock on the wall at a moment.
    private var wall: Int64 = 0
    private var wallAt = Moment.zero
    /// The time that the adapter waits for.
    private var awaited: Int64?
    /// The time of the next summary; nil: no notification waits for one.
    private var summaryAt: Int64?
    /// Sounds that may still follow each other.
    var sounds = Allowance(left: NoticeLimits.sounds, since: .zero)
    /// Bars that a person swept away, the newest last.
    var swept: [SweptBar] = []

    public init() {}

    struct Allowance: Hashable, Codable, Sendable {
        var left: Double
        var since: Moment
    }

    /// The surroundings of a notification.
    public struct Surroundings: Hashable, Sendable {
        /// The app that a person uses, if it is in sight.
        public var activeApp: String?
        /// The process of its window.
        public var activeProcess: Int32?
        public var isLocked = false
        /// A film in full screen, a call, a recording or a shared screen.
        public var isBusy = false

        public init(activeApp: String? = nil, activeProcess: Int32? = nil, isLocked: Bool = false, isBusy: Bool = false) {
            self.activeApp = activeApp
            self.activeProcess = activeProcess
            self.isLocked = isLocked
            self.isBusy = isBusy
        }
    }

    /// The result of an event or an act.
    struct Turn: Hashable, Sendable {
        var effects: [NoticeEffect] = []
        /// The notifications that may show a banner now.
        var banners: [NoticeID] = []
        var sounds: [String] = []
        /// The app that a person wants to see.
        var opens: String?
        /// The app that is told something, and must run for it.
        var calls: String?
        /// The app to open hears of it over the bus, and is started that way if it is gone.
        var isTold = false
        /// The process whose windows are those of the app to open or to tell, if it is known.
        var process: Int32?

        mutating func call(_ notice: Notice) {
            calls = notice.content.app.isEmpty ? nil : notice.content.app
            process = notice.content.process
        }
    }

    // MARK: Reading

    public subscript(_ id: NoticeID) -> Notice? { all[id] }

    /// Whether it is in the list: it is kept, and no person put it off.
    public func isListed(_ notice: Notice) -> Bool { notice.isListed }

    /// Newest first.
    public var listed: [Notice] { all.values.reversed().filter(isListed) }

    /// The clock on the wall now.
    public func clock(at now: Moment) -> Int64 { wall + Int64(clamping: max(0, now - wallAt)) }

    /// Seconds since it came.
    public func age(of notice: Notice, at now: Moment) -> Int64 { max(0, clock(at: now) - notice.arrived) }

    /// The number that a call replaces; nil: it gets a new one. Only the sender itself replaces what it sent. Once it is gone, its app
    /// does, as a script that calls `notify-send` twice.
    public func target(of content: NoticeContent, replaces id: NoticeID?, sender: String?) -> NoticeID? {
        let content = content.confined
        if let origin = content.origin {
            return notice(named: origin).flatMap { content.payer.speaks(for: $0.payer) || $0.sender == sender ? $0.id : nil }
        }
        if let id, let own = numbered(id.raw, content, sender) { return own }
        guard !content.key.isEmpty, index.hasName(content) else { return nil }
        return all.values.last { $0.content.key == content.key && owns($0, sender, content) }?.id
    }

    func owns(_ notice: Notice, _ sender: String?, _ content: NoticeContent) -> Bool {
        guard notice.content.origin == nil else { return false }
        if notice.sender != nil, notice.sender == sender { return true }
        guard content.payer.speaks(for: notice.payer) else { return false }
        return (notice.sender == nil || !content.key.isEmpty) && notice.group == content.group && notice.schedule == nil
    }

    // MARK: Events

    mutating func handle(_ event: NoticeEvent, in surroundings: Surroundings, at now: Moment) -> Turn {
        var turn = Turn()
        switch event {
        case .notify(let id, let content, let sender, let time):
            setClock(time, at: now)
            come(id, content, sender: sender, surroundings, at: now, &turn)
        case .pictured(let id, let image):
            guard var notice = all[id] else { break }
            notice.content.image = image
            put(notice)
            turn.effects.append(.keep(id))
        case .close(let id): end(id, .closed, &turn)
        case .senderGone(let sender):
            for (key, schedule) in schedules where schedule.holder == sender {
                schedules[key] = nil
                turn.effects.append(.forgetSchedule(key))
            }
            lose(sender: sender, at: now, &turn)
        case .owner(let app, let process): follow(owner: process, of: app, at: now, &turn)
        case .restored(let notices, let schedules, let wishes, let time, let endedRuns):
            setClock(time, at: now)
            restore(notices, endedRuns: endedRuns ?? [], schedules, wishes, &turn)
        case .absent(let app, _): turn.opens = app
        case .fixed(let wishes): choices.fix(wishes)
        case .schedule(let schedule, let time):
            setClock(time, at: now)
            add(schedule, &turn)
        case .cancel(let group, let name):
            let key = NoticeSchedule.key(group, name)
            if schedules.removeValue(forKey: key) != nil { turn.effects.append(.forgetSchedule(key)) }
        case .clock(let time, let zone):
            self.zone = zone
            // The adapter waits no more.
            awaited = nil
            setClock(time, at: now)
            deliver(surroundings, at: now, &turn)
        }
        follow(at: now, &turn)
        return turn
    }

    /// Adds a notification of the shell's own.
    mutating func tell(_ content: NoticeContent, in surroundings: Surroundings, at now: Moment) -> Turn {
        var turn = Turn()
        last &+= 1
        come(NoticeID(last), content, sender: nil, surroundings, at: now, &turn)
        follow(at: now, &turn)
        return turn
    }

    private mutating func setClock(_ time: Int64, at now: Moment) {
        wall = max(0, min(NoticeLimits.latestTime, time))
        wallAt = now
    }

    private mutating func come(
        _ id: NoticeID, _ content: NoticeContent, sender: String?, _ surroundings: Surroundings, at now: Moment, schedule: String? = nil,
        isLate: Bool = false, _ turn: inout Turn
    ) {
        last = max(last, id.raw)
        var content = content.confined
        if content.claimed == id.raw { content.claimed = nil }
        var notice = Notice(id: id, sender: sender, content: content, arrived: clock(at: now))
        guard choices.manner(of: content.group) != .off else {
            if all[id] != nil { return end(id, .other, &turn) }
            if let sender, content.origin == nil { turn.effects.append(.closed(notice.number, to: sender, .other)) }
            return
        }
        let before = all[id]
        notice.schedule = schedule
        notice.expires = notice.expiry
        notice.isLate = isLate
        // The picture comes later, and an old one is better than none.
        if notice.content.image == nil { notice.content.image = before?.content.image }
        let isActive = content.isOf(surroundings.activeApp, surroundings.activeProcess)
        let isInFront = !surroundings.isLocked && isActive && content.level <= .active
        notice.isRead = content.isFeedback || isInFront
        let shows = showsBanner(notice, replacing: before, surroundings, isInFront: isInFront, at: now)
        // A notification that is shown once and cannot be shown is over. One that is in sight, or is to come, has its new value.
        if content.isTransient, !shows, notice.isRead || !(before?.content.isTransient ?? false) {
            remove(id)
            if let sender, content.origin == nil { turn.effects.append(.closed(notice.number, to: sender, .expired)) }
            if before != nil { turn.effects.append(.forget(id)) }
            return
        }
        remove(id)
        put(notice)
        // A transient one may have replaced one that was kept.
        if !content.isTransient || before != nil { turn.effects.append(content.isTransient ? .forget(id) : .keep(id)) }
        if shows { disturb(notice, isNews: !(before.map { content.isNoNews(after: $0.content) } ?? false), at: now, &turn) }
        trim(besides: id, &turn)
    }

    /// - Parameter isNews: otherwise it makes no sound.
    private mutating func disturb(_ notice: Notice, isNews: Bool = true, at now: Moment, _ turn: inout Turn) {
        turn.banners.append(notice.id)
        let content = notice.content
        if isNews, !content.isSilent, choices.sounds(of: content.group), takeSound(content, at: now) {
            turn.sounds.append(content.sound ?? Self.sound(of: content))
        }
    }

    /// By the sound naming specification.
    private static func sound(of content: NoticeContent) -> String {
        content.category.hasPrefix("im") || content.category.hasPrefix("email")
            ? "message-new-instant"
            : content.category.hasPrefix("call")
                ? "phone-incoming-call"
                : content.category.hasPrefix("alarm")
                    ? "alarm-clock-elapsed" : content.level >= .critical ? "dialog-warning" : "message-new-instant"
    }

    // MARK: Acts of a person

    mutating func perform(_ act: NoticeAct, at now: Moment) -> Turn {
        var turn = Turn()
        switch act {
        case .open(let id): open(id, &turn)
        case .press(let id, let button): press(id, button, &turn)
        case .reply(let id, let text): return answer(id, text ?? "", by: nil)
        case .dismiss(let id):
            noteSwept([id])
            end(id, .dismissed, &turn)
        case .copyUnsent(let id): if let text = all[id]?.content.unsent { turn.effects.append(.copy(text)) }
        case .snooze(let id):
            guard var notice = all[id], !notice.content.isTransient else { return perform(.dismiss(id), at: now) }
            notice.snoozed = clock(at: now) + NoticeLimits.snooze
            notice.isRead = false
            put(notice)
            turn.effects.append(.keep(id))
        case .clear(let group):
            noteSwept(ids(of: group))
            end(all: ids(of: group).reversed(), .dismissed, &turn)
        case .clearAll:
            noteSwept(listed.map(\.id))
            end(all: listed.map(\.id), .dismissed, &turn)
        case .quiet(let wanted):
            choices.setQuiet(wanted ?? !choices.isQuiet)
            turn.effects.append(.keepChoices)
        case .focus(let name):
            choices.setFocus(name, at: clock(at: now), zone)
            turn.effects.append(.keepChoices)
        case .newFocus(let name):
            choices.makeFocus(name)
            turn.effects.append(.keepChoices)
        case .deleteFocus(let name):
            choices.deleteFocus(name)
            turn.effects.append(.keepChoices)
        case .setFocus(let name, let setting):
            choices.set(name, setting)
            if case .time = setting { choices.timesChanged(at: clock(at: now), zone) }
            turn.effects.append(.keepChoices)
        case .choose(let app, let choice):
            choices.choose(choice, for: app)
            turn.effects.append(.keepChoices)
            if choices.manner(of: app) == .off { end(all: ids(of: app).reversed(), .dismissed, &turn) }
        case .expand, .unfold, .settings, .leaveReply, .editFocus, .moreFocusApps: break
        }
        follow(at: now, &turn)
        return turn
    }

    private mutating func open(_ id: NoticeID, _ turn: inout Turn) {
        guard let notice = all[id] else { return }
        turn.opens = notice.content.app.isEmpty ? nil : notice.content.app
        turn.process = notice.content.process
        if let name = notice.schedule, let schedule = notice.payload, !notice.content.isNameless {
            turn.effects.append(.tapped(app: notice.content.app, name: name, payload: schedule))
        }
        if let origin = notice.content.origin {
            activate(origin, origin.tap, nil, notice, &turn)
        } else if let sender = notice.sender, notice.content.hasDefault {
            invoke(id, "default", sender, notice, &turn)
        }
        if !notice.content.isResident || notice.sender == nil { end(id, .dismissed, &turn) }
    }

    private mutating func press(_ id: NoticeID, _ button: String, _ turn: inout Turn) {
        guard let notice = all[id], let pressed = notice.content.buttons.first(where: { $0.key == button }), pressed.reply == nil else {
            return
        }
        if let origin = notice.content.origin {
            activate(origin, pressed.target, nil, notice, &turn)
        } else if let sender = notice.sender {
            invoke(id, button, sender, notice, &turn)
        } else {
            return
        }
        if !notice.content.isResident { end(id, .dismissed, &turn) }
    }

    /// Answers by a button that takes an answer, by default the first one. An empty answer is none.
    mutating func answer(_ id: NoticeID, _ text: String, by key: String?) -> Turn {
        var turn = Turn()
        guard let notice = all[id], !text.isEmpty, let button = notice.content.replyButton(key) else { return turn }
        if let origin = notice.content.origin {
            activate(origin, button.target, text, notice, &turn)
        } else if let sender = notice.sender {
            turn.call(notice)
            turn.effects.append(.replied(notice.number, to: sender, text: text))
        } else {
            return turn
        }
        if !notice.content.isResident { end(id, .dismissed, &turn) }
        return turn
    }

    private func activate(_ origin: NoticeOrigin, _ target: NoticeTarget?, _ text: String?, _ notice: Notice, _ turn: inout Turn) {
        turn.call(notice)
        // The app brings its own window forward, or is started to do so.
        turn.isTold = true
        turn.effects.append(.activate(origin, target, reply: text, to: notice.sender))
    }

    private func invoke(_ id: NoticeID, _ button: String, _ sender: String, _ notice: Notice, _ turn: inout Turn) {
        turn.call(notice)
        turn.effects.append(.invoked(notice.number, to: sender, button: button))
    }

    /// Its banner went. A notification that is shown only once is over.
    mutating func bannerEnded(_ id: NoticeID) -> Turn {
        var turn = Turn()
        if all[id]?.content.isTransient ?? false { end(id, .expired, &turn) }
        return turn
    }

    /// A person uses a window of this process: the notifications of its app become read.
    mutating func read(process: Int32) -> Turn {
        var turn = Turn()
        guard !index.unread.isEmpty else { return turn }
        for group in Set(all.values.lazy.filter { $0.content.process == process && !$0.isRead }.map(\.group)).sorted() {
            turn.effects += read(group).effects
        }
        return turn
    }

    /// A person sees all of them, or those of a group.
    mutating func read(_ group: String? = nil) -> Turn {
        var turn = Turn()
        guard group.map({ index.unread[$0] != nil }) ?? !index.unread.isEmpty else { return turn }
        for id in all.keys where !all[id]!.isRead && all[id]!.snoozed == nil && (group == nil || all[id]!.group == group) {
            var read = all[id]!
            read.isRead = true
            put(read)
            if !read.content.isTransient { turn.effects.append(.keepRead(id)) }
        }
        return turn
    }

    private mutating func restore(
        _ notices: [Notice], endedRuns: [NoticeID], _ kept: [NoticeSchedule], _ wishes: NoticeChoices.Wishes?, _ turn: inout Turn
    ) {
        let ended = Set(endedRuns)
        for notice in notices.suffix(bounds.count + bounds.nameless) where all[notice.id] == nil {
            last = max(last, notice.id.raw)
            var notice = notice
            notice.content = notice.content.confined
            // Its sender does not know this shell.
            notice.sender = nil
            notice.expires = nil
            notice.content.process = nil
            if ended.contains(notice.id), notice.endsWithBoot {
                turn.effects.append(.forget(notice.id))
                continue
            }
            notice.lapse(isBrief: false, at: clock(at: .zero))
            put(notice.withoutLostButtons())
        }
        for var schedule in kept where schedules[schedule.key] == nil {
            schedule.content.process = nil
            // A sandbox without a name has ended with the session.
            if schedule.payer == .nameless {
                turn.effects.append(.forgetSchedule(schedule.key))
            } else {
                schedules[schedule.key] = schedule
            }
        }
        if let wishes { choices.restore(wishes) }
    }

    // MARK: Schedules (S-12)

    /// Why a schedule is refused; nil if it is not.
    public func objection(to schedule: NoticeSchedule) -> String? {
        guard (0...NoticeLimits.latestTime).contains(schedule.due) else { return "the time lies outside the years 1970 to 9999" }
        if case .every(let seconds) = schedule.repeats, seconds < NoticeLimits.shortestRepeat {
            return "a schedule repeats after \(NoticeLimits.shortestRepeat) seconds at the earliest, not \(seconds)"
        }
        let payer = schedule.payer
        if let known = schedules[schedule.key] {
            return payer == known.payer || payer.speaks(for: known.payer)
                ? nil : "another program has a schedule \"\(schedule.name)\" in this app's name"
        }
        let own = schedules.values.count { $0.payer == payer }, named = schedules.values.count { $0.payer != .nameless }
        return Quota.schedules.share.objection(payer, own: own, named: named, "schedules")
    }

    private mutating func add(_ schedule: NoticeSchedule, _ turn: inout Turn) {
        guard objection(to: schedule) == nil else { return }
        var schedule = schedule
        schedule.content = schedule.content.confined
        schedules[schedule.key] = schedule
        // A sandbox without a name has nothing that outlives it.
        if schedule.payer != .nameless { turn.effects.append(.keepSchedule(schedule.key)) }
    }

    private mutating func deliver(_ surroundings: Surroundings, at now: Moment, _ turn: inout Turn) {
        let time = clock(at: now)
        for schedule in schedules.values.filter({ $0.due <= time }).sorted(by: { $0.due < $1.due }) {
            // One step for the store: the delivery and the rest of the schedule.
            if let next = schedule.next(after: time, zone) {
                schedules[schedule.key]!.due = next
                if schedule.payer != .nameless { turn.effects.append(.keepSchedule(schedule.key)) }
            } else {
                schedules[schedule.key] = nil
                turn.effects.append(.forgetSchedule(schedule.key))
            }
            last &+= 1
            let id = NoticeID(last)
            come(
                id, schedule.content, sender: nil, surroundings, at: now, schedule: schedule.name,
                isLate: time - schedule.due >= NoticeLimits.late, &turn)
            guard var notice = all[id] else { continue }
            notice.payload = schedule.payload
            put(notice)
        }
        endBars(at: time, &turn)
        endTimes(at: now, &turn)
        for number in index.snoozed.filter({ $0.value <= time }).keys.sorted() {
            guard var notice = all[NoticeID(UInt32(number))] else { continue }
            notice.snoozed = nil
            remove(notice.id)
            put(notice)
            turn.effects.append(.keep(notice.id))
            if showsBanner(notice, replacing: nil, surroundings, isInFront: false, at: now) { disturb(notice, at: now, &turn) }
        }
        if let due = summaryAt, due <= time {
            summaryAt = nil
            summarise(surroundings, at: now, &turn)
        }
    }

    /// Tells once what waits for it.
    private mutating func summarise(_ surroundings: Surroundings, at now: Moment, _ turn: inout Turn) {
        let waiting = listed.filter(waitsForSummary)
        guard !waiting.isEmpty else { return }
        for notice in waiting { all[notice.id]!.isSummarised = true }
        var groups: [String] = []
        for notice in waiting where !groups.contains(notice.group) { groups.append(notice.group) }
        var content = NoticeContent(title: "")
        content.owner = .shell
        content.summary = NoticeSummary(count: waiting.count, groups: groups)
        content.isTransient = true
        last &+= 1
        come(NoticeID(last), content, sender: nil, surroundings, at: now, &turn)
    }

    private func waitsForSummary(_ notice: Notice) -> Bool {
        !notice.isRead && !(notice.isSummarised ?? false) && isListed(notice) && choices.manner(of: notice.group) == .summary
    }

    /// Asks for the clock when the next one is due.
    private mutating func follow(at now: Moment, _ turn: inout Turn) {
        let time = clock(at: now)
        if summaryAt == nil, choices.hasSummaries, index.unread.keys.contains(where: { choices.manner(of: $0) == .summary }),
            all.values.contains(where: waitsForSummary)
        {
            summaryAt = choices.nextSummary(after: time, zone)
        }
        let edge = choices.focuses.isEmpty ? nil : choices.nextFocusEdge(after: time, zone)
        let next = [
            schedules.values.map(\.due).min(), index.snoozed.values.min(), index.lapsing.values.min(), index.expiring.values.min(), edge,
            summaryAt,
        ].compactMap(\.self).min()
        guard next != awaited else { return }
        awaited = next
        turn.effects.append(.wake(at: next))
    }
}
