import Geometry
import Testing

@testable import Notices

/// A list of notifications with a clock that a test moves.
struct NoticeRoom {
    var notices = Notices()
    var now = Moment.zero
    var wall: Int64 = 1_800_000_000
    var surroundings = Notices.Surroundings()
    var told: [NoticeEffect] = []

    @discardableResult
    mutating func handle(_ event: NoticeEvent) -> Notices.Turn {
        let turn = notices.handle(event, in: surroundings, at: now)
        told += turn.effects
        #expect(notices.violations() == [])
        return turn
    }

    @discardableResult
    mutating func perform(_ act: NoticeAct) -> Notices.Turn {
        let turn = notices.perform(act, at: now)
        told += turn.effects
        #expect(notices.violations() == [])
        return turn
    }

    @discardableResult
    mutating func notify(_ id: UInt32, _ content: NoticeContent, from sender: String? = ":1.1") -> Notices.Turn {
        handle(.notify(NoticeID(id), content, sender: sender, at: wall))
    }

    mutating func pass(_ seconds: Int64) {
        now = now + Double(seconds)
        wall += seconds
    }

    @discardableResult
    mutating func tick(_ zone: NoticeZone = NoticeZone()) -> Notices.Turn { handle(.clock(wall, zone)) }
}

func mail(_ title: String = "Anna", level: NoticeLevel = .active, app: String = "mail") -> NoticeContent {
    var content = NoticeContent(app: app, title: title, body: "Lunch?", level: level)
    content.hasDefault = true
    return content
}

@Suite struct NoticesTests {
    @Test("S-07: twenty apps at once make two sounds, and what cannot wait is heard")
    func sounds() {
        var room = NoticeRoom(), sounds = 0
        room.pass(60)
        room.tick()
        for app in 1...20 { sounds += room.notify(UInt32(app), mail(app: "app\(app)"), from: ":1.\(app)").sounds.count }
        #expect(sounds == 2)
        #expect(room.notify(30, mail(level: .timeSensitive, app: "clock")).sounds.count == 1)
        room.pass(10)
        #expect(room.notify(31, mail(app: "app31")).sounds.count == 1)
    }

    @Test("S-07: each level disturbs where it may", arguments: NoticeLevel.allCases)
    func levels(level: NoticeLevel) {
        func shows(_ change: (inout NoticeRoom) -> Void) -> Bool {
            var room = NoticeRoom()
            change(&room)
            return !room.notify(1, mail(level: level)).banners.isEmpty
        }
        #expect(shows { _ in } == (level > .passive))
        #expect(shows { $0.surroundings.isBusy = true } == (level >= .timeSensitive))
        #expect(shows { $0.perform(.quiet(true)) } == (level == .critical))
        #expect(shows { $0.surroundings.activeApp = "mail" } == (level >= .timeSensitive))
        #expect(shows { $0.surroundings.activeApp = "music" } == (level > .passive))
        #expect(shows { $0.surroundings.isLocked = true } == (level > .passive), "it is heard behind a lock")
        #expect(!shows { $0.perform(.choose(app: "mail", what: .manner(.quietly))) })
    }

    @Test("S-07: what a person just did, and still sees, is read already")
    func inFront() {
        var room = NoticeRoom()
        room.surroundings.activeApp = "mail"
        room.notify(1, mail())
        #expect(room.notices[NoticeID(1)]?.isRead == true)
        #expect(room.notices.badge(of: "mail") == 0)
        var done = mail("Copied", app: "files")
        done.isFeedback = true
        #expect(room.notify(2, done).banners.isEmpty)
        #expect(room.notices.badge(of: "files") == 0)
    }

    @Test("S-07: the claims of programs become levels")
    func claims() {
        func level(_ claims: NoticeClaims) -> NoticeLevel { claims.resultingLevel }
        #expect(level(NoticeClaims()) == .active)
        #expect(level(NoticeClaims(urgency: 0)) == .passive)
        #expect(level(NoticeClaims(urgency: 2)) == .timeSensitive)
        // A page that asks for interaction is no danger.
        #expect(level(NoticeClaims(urgency: 2, timeout: 0, isBrowser: true)) == .active)
        #expect(level(NoticeClaims(urgency: 2, category: "battery.low")) == .critical)
        #expect(level(NoticeClaims(urgency: 1, category: "call.incoming")) == .timeSensitive)
        #expect(level(NoticeClaims(category: "transfer.complete")) == .passive)
        #expect(level(NoticeClaims(category: "transfer.complete", isImportantEnd: true)) == .timeSensitive)
        #expect(level(NoticeClaims(level: "passive", isImportantEnd: true)) == .passive)
        #expect(level(NoticeClaims(level: "critical")) == .active)
        #expect(level(NoticeClaims(urgency: 1, category: "device.error", level: "critical")) == .critical)
        #expect(level(NoticeClaims(category: "transferred")) == .active)
        #expect(NoticeClaims(category: "call.incoming").stays)
        #expect(!NoticeClaims(category: "call.ended").stays)
    }

    @Test("a tap tells the sender alone, in order, and brings its app forward")
    func open() {
        var room = NoticeRoom()
        room.notify(1, mail())
        room.told = []
        let turn = room.perform(.open(NoticeID(1)))
        #expect(turn.opens == "mail")
        #expect(turn.calls == "mail")
        #expect(
            room.told == [
                .invoked(NoticeID(1), to: ":1.1", button: "default"), .closed(NoticeID(1), to: ":1.1", .dismissed), .forget(NoticeID(1)),
            ])
        #expect(room.notices.all.isEmpty)
    }

    @Test("a resident one stays, and a sender that is gone is told nothing")
    func resident() {
        var room = NoticeRoom(), content = mail()
        content.isResident = true
        content.buttons = [NoticeButton(key: "reply", label: "Reply")]
        room.notify(1, content)
        room.told = []
        room.perform(.press(notice: NoticeID(1), button: "reply"))
        room.perform(.press(notice: NoticeID(1), button: "none"))
        #expect(room.told == [.invoked(NoticeID(1), to: ":1.1", button: "reply")])
        room.handle(.senderGone(":1.1"))
        #expect(room.notices[NoticeID(1)]?.content.buttons == [])
        room.told = []
        #expect(room.perform(.open(NoticeID(1))).opens == "mail")
        #expect(room.told == [.forget(NoticeID(1))])
    }

    @Test("only the sender replaces its own; after it, its app")
    func replacing() {
        var room = NoticeRoom()
        room.notify(1, mail())
        let notices = room.notices, id = NoticeID(1)
        #expect(notices.target(of: mail(), replaces: id, sender: ":1.1") == id)
        #expect(notices.target(of: mail(), replaces: id, sender: ":1.2") == nil)
        #expect(notices.target(of: mail(app: "other"), replaces: id, sender: ":1.2") == nil)
        #expect(notices.target(of: mail(), replaces: NoticeID(9), sender: ":1.1") == nil)
        room.handle(.senderGone(":1.1"))
        #expect(room.notices.target(of: mail(), replaces: id, sender: ":1.2") == id)
        #expect(room.notices.target(of: mail(app: "other"), replaces: id, sender: ":1.2") == nil)
    }

    @Test("a replace key updates in place, and shows each value, which a job of the same sender without a key does not")
    func keys() {
        var room = NoticeRoom(), volume = mail("Volume")
        volume.key = "volume"
        room.notify(1, volume)
        #expect(room.notices.target(of: volume, replaces: nil, sender: ":1.7") == NoticeID(1))
        volume.progress = 50
        let turn = room.notify(1, volume)
        #expect(turn.banners == [NoticeID(1)] && turn.sounds.isEmpty)
        #expect(room.notices.all.count == 1)
        #expect(room.notices[NoticeID(1)]?.content.progress == 50)
        // Neither a step of a job nor the same text again is news; another text is.
        var job = mail("Copying")
        job.progress = 10
        room.notify(2, job)
        job.progress = 20
        #expect(room.notify(2, job).banners.isEmpty)
        job.progress = nil
        #expect(room.notify(2, job).banners.isEmpty)
        job.body = "Tea?"
        #expect(room.notify(2, job).banners == [NoticeID(2)])
        // A script has another connection each time, and means a person to see each value.
        room.handle(.senderGone(":1.1"))
        #expect(room.notify(2, job, from: ":1.2").banners == [NoticeID(2)])
    }

    @Test("a flood drops banners, and the oldest ones beyond the limit; nobody else's")
    func flood() {
        var room = NoticeRoom()
        room.notices.bounds = NoticeBounds(count: 100)
        room.notify(1, mail(app: "music"), from: ":1.9")
        var banners = 0
        for id in 2...301 { banners += room.notify(UInt32(id), mail("\(id)")).banners.count }
        #expect(banners == 4)
        #expect((99...100).contains(room.notices.listed.count))
        #expect(room.notices[NoticeID(1)] != nil)
        #expect(room.notices[NoticeID(301)] != nil)
        // Every one that went was told to its sender.
        #expect(room.told.count { if case .closed(_, ":1.1", .other) = $0 { true } else { false } } == 301 - room.notices.all.count)
        room.pass(5)
        #expect(room.notify(1002, mail("late")).banners.count == 1)
        #expect(room.notify(1003, mail("later")).banners.isEmpty)
    }

    @Test("their texts have a bound, too")
    func bytes() {
        var room = NoticeRoom(), long = mail()
        long.body = String(repeating: "x", count: 1000)
        room.notices.bounds = NoticeBounds(count: 100, bytes: 20_000)
        for id in 1...60 { room.notify(UInt32(id), long) }
        #expect((15...20).contains(room.notices.all.count) && room.notices.index.bytes <= 20_000)
        #expect(room.notices[NoticeID(60)] != nil && room.notices[NoticeID(1)] == nil)
    }

    @Test("X-03: groups stand in the order of their newest notification, also after that one went")
    func groups() {
        var room = NoticeRoom()
        for (id, app) in [(1, "a"), (2, "b"), (3, "a"), (4, "c"), (5, "b"), (6, "a")] { room.notify(UInt32(id), mail(app: app)) }
        func order() -> [String] { room.notices.groups.map(\.key) }
        #expect(order() == ["a", "b", "c"])
        room.perform(.dismiss(NoticeID(6)))
        #expect(order() == ["b", "c", "a"])
        room.perform(.snooze(NoticeID(5)))
        #expect(order() == ["c", "a", "b"] && room.notices.ids(of: "b") == [NoticeID(2)])
        room.pass(3700)
        room.tick()
        #expect(order() == ["b", "c", "a"] && room.notices.ids(of: "b") == [NoticeID(2), NoticeID(5)])
        room.perform(.clear(group: "b"))
        #expect(order() == ["c", "a"] && room.notices.newest(of: "a")?.id == NoticeID(3))
    }

    @Test("a transient one is over with its banner, or at once where it has none")
    func transient() {
        var room = NoticeRoom(), content = mail()
        content.isTransient = true
        #expect(room.notify(1, content).banners == [NoticeID(1)])
        #expect(room.notices.listed.isEmpty)
        let turn = room.notices.bannerEnded(NoticeID(1))
        #expect(turn.effects == [.closed(NoticeID(1), to: ":1.1", .expired)])
        room.told = []
        room.perform(.quiet(true))
        room.told = []
        room.notify(2, content)
        #expect(room.told == [.closed(NoticeID(2), to: ":1.1", .expired)])
    }

    @Test("the end of a banner is not the end of the notification")
    func bannerEnds() {
        var room = NoticeRoom()
        room.notify(1, mail())
        #expect(room.notices.bannerEnded(NoticeID(1)).effects == [])
        #expect(room.notices.listed.map(\.id) == [NoticeID(1)])
    }

    @Test("put off for an hour, it comes again")
    func snooze() {
        var room = NoticeRoom()
        room.notify(1, mail())
        #expect(room.perform(.snooze(NoticeID(1))).effects.last == .wake(at: room.wall + 3600))
        #expect(room.notices.listed.isEmpty)
        #expect(room.notices.badge(of: "mail") == 0)
        room.pass(3599)
        #expect(room.tick().banners.isEmpty)
        room.pass(1)
        #expect(room.tick().banners == [NoticeID(1)])
        #expect(room.notices.listed.map(\.id) == [NoticeID(1)])
    }

    @Test("off: it is not kept, and what was there goes")
    func off() {
        var room = NoticeRoom()
        room.notify(1, mail())
        room.perform(.choose(app: "mail", what: .manner(.off)))
        #expect(room.notices.all.isEmpty)
        room.told = []
        #expect(room.notify(2, mail()).banners.isEmpty)
        #expect(room.told == [.closed(NoticeID(2), to: ":1.1", .other)])
        #expect(room.notices.all.isEmpty)
    }

    @Test("the configuration file wins over a person's choice, where it says something")
    func fixed() {
        var room = NoticeRoom(), wishes = NoticeChoices.Wishes()
        wishes.apps["mail"] = NoticeChoices.AppWishes()
        wishes.apps["mail"]!.sounds = false
        room.handle(.fixed(wishes))
        room.perform(.choose(app: "mail", what: .sounds(true)))
        room.perform(.choose(app: "mail", what: .manner(.quietly)))
        #expect(!room.notices.choices.sounds(of: "mail"))
        #expect(room.notices.choices.manner(of: "mail") == .quietly)
        #expect(room.notices.choices.isFixed(.sounds(true), of: "mail"))
        // The file says nothing any more: the person's choice is there again.
        room.handle(.fixed(NoticeChoices.Wishes()))
        #expect(room.notices.choices.sounds(of: "mail"))
        #expect(room.notices.choices.manner(of: "mail") == .quietly)
    }

    @Test("a locked screen counts, and shows of an app what a person allowed")
    func lock() {
        var room = NoticeRoom(), secret = mail(app: "bank")
        secret.hidesOnLock = true
        room.notify(1, mail())
        room.notify(2, mail("Song", app: "music"))
        room.notify(3, secret)
        room.perform(.choose(app: "music", what: .onLock(.content)))
        #expect(room.notices.onLock().count == 2)
        #expect(room.notices.onLock().open.map(\.id) == [NoticeID(2)])
        room.perform(.choose(app: "mail", what: .onLock(.nothing)))
        #expect(room.notices.onLock().count == 1)
    }

    @Test("the list survives a restart, without buttons that nobody would answer, and numbers go on")
    func restore() {
        var room = NoticeRoom(), content = mail()
        content.buttons = [NoticeButton(key: "reply", label: "Reply")]
        room.notify(7, content)
        var next = NoticeRoom()
        next.handle(.restored(room.notices.all.values.elements, [], nil, at: room.wall + 60))
        #expect(next.notices.listed.map(\.content.title) == ["Anna"])
        #expect(next.notices.last == 7)
        #expect(next.notices[NoticeID(7)]?.sender == nil)
        #expect(next.notices[NoticeID(7)]?.content.buttons == [])
        #expect(next.notices.age(of: next.notices[NoticeID(7)]!, at: next.now) == 60)
        // Once more, nothing doubles.
        next.handle(.restored(room.notices.all.values.elements, [], nil, at: room.wall + 60))
        #expect(next.notices.all.count == 1)
    }
}

@Suite struct ScheduleTests {
    @Test("S-12: it is delivered at its time, once")
    func delivers() {
        var room = NoticeRoom()
        room.tick()
        let schedule = NoticeSchedule(name: "tea", content: mail("Tea"), due: room.wall + 300, payload: "kettle")
        #expect(room.handle(.schedule(schedule, at: room.wall)).effects == [.keepSchedule("mail\ntea"), .wake(at: room.wall + 300)])
        room.pass(299)
        room.tick()
        #expect(room.notices.all.isEmpty)
        room.pass(1)
        let turn = room.tick()
        #expect(turn.banners.count == 1)
        #expect(room.notices.all.values.first?.isLate == false)
        #expect(turn.effects.contains(.forgetSchedule("mail\ntea")))
        #expect(room.notices.schedules.isEmpty)
        room.pass(10)
        #expect(room.tick().banners.isEmpty)
        room.told = []
        room.perform(.open(room.notices.all.keys[0]))
        #expect(room.told.contains(.tapped(app: "mail", name: "tea", payload: "kettle")))
    }

    @Test("S-12: what passed while the machine was off is delivered at the start, marked late")
    func late() {
        var room = NoticeRoom()
        let schedule = NoticeSchedule(name: "tea", content: mail("Tea"), due: room.wall - 7200)
        room.handle(.restored([], [schedule], nil, at: room.wall))
        room.tick()
        #expect(room.notices.all.values.map(\.isLate) == [true])
    }

    @Test("S-12: repeated deliveries that were missed come once")
    func repeats() {
        var room = NoticeRoom()
        let start = room.wall
        room.handle(.schedule(NoticeSchedule(name: "drink", content: mail(), due: start + 60, repeats: .every(seconds: 3600)), at: start))
        room.pass(60)
        room.tick()
        #expect(room.notices.schedules.values.first?.due == start + 3660)
        room.pass(10 * 3600)
        room.tick()
        #expect(room.notices.all.count == 2)
        #expect(room.notices.schedules.values.first?.due == start + 60 + 11 * 3600)
    }

    @Test("S-12: a daily one keeps its time on the wall when summer time begins and ends")
    func summerTime() {
        // Berlin: on 2027-03-28 at 01:00 UTC, the clock goes from +1 h to +2 h; on 2027-10-31 at 01:00 UTC back.
        let zone = NoticeZone(offset: 3600, changes: [.init(at: 1_806_195_600, offset: 7200), .init(at: 1_824_944_400, offset: 3600)])
        let eight: Int64 = 1_806_130_800 // 2027-03-27 08:00 in Berlin, 07:00 UTC
        let schedule = NoticeSchedule(name: "wake", content: mail(), due: eight, repeats: .daily)
        let next = schedule.next(after: eight, zone)
        #expect(next == eight + 23 * 3600)
        var autumn = schedule
        autumn.due = 1_824_876_000 // 2027-10-30 08:00 in Berlin
        #expect(autumn.next(after: autumn.due, zone) == autumn.due + 25 * 3600)
        // A year of it missed is found at once.
        #expect(schedule.next(after: eight + 365 * 86_400, zone).map { ($0 + zone.offset(at: $0) - 28_800) % 86_400 } == 0)
        var weekly = schedule
        weekly.repeats = .weekly
        #expect(weekly.next(after: eight, zone) == eight + 7 * 86_400 - 3600)
    }

    @Test("S-12: a clock that goes back delivers nothing twice, one that goes ahead delivers what it passed")
    func clockMoves() {
        var room = NoticeRoom()
        let start = room.wall
        room.handle(.schedule(NoticeSchedule(name: "a", content: mail("a"), due: start + 100), at: start))
        room.wall = start + 5000
        room.tick()
        #expect(room.notices.all.count == 1)
        room.wall = start - 5000
        room.tick()
        #expect(room.notices.all.count == 1)
        #expect(room.notices.schedules.isEmpty)
        // Its age is never negative.
        #expect(room.notices.age(of: room.notices.all.values.first!, at: room.now) == 0)
    }

    @Test("S-12: times that nobody has, and too many schedules, are refused")
    func refusals() {
        var room = NoticeRoom()
        func schedule(_ due: Int64, _ name: String = "x") -> NoticeSchedule { NoticeSchedule(name: name, content: mail(), due: due) }
        #expect(room.notices.objection(to: schedule(-1)) != nil)
        #expect(room.notices.objection(to: schedule(.max)) != nil)
        #expect(room.notices.objection(to: schedule(253_402_300_799)) == nil)
        var hasty = schedule(room.wall)
        hasty.repeats = .every(seconds: 1)
        #expect(room.notices.objection(to: hasty) != nil)
        for index in 0..<64 { room.handle(.schedule(schedule(room.wall + 100, "\(index)"), at: room.wall)) }
        #expect(room.notices.objection(to: schedule(room.wall, "more")) != nil)
        // The same name replaces.
        #expect(room.notices.objection(to: schedule(room.wall + 7, "3")) == nil)
        room.handle(.schedule(schedule(room.wall + 7, "3"), at: room.wall))
        #expect(room.notices.schedules.count == 64)
        room.handle(.cancel(group: "mail", name: "3"))
        #expect(room.notices.schedules.count == 63)
        var forever = schedule(253_402_300_799)
        forever.repeats = .every(seconds: .max)
        #expect(forever.next(after: 253_402_300_799, NoticeZone()) == nil)
    }
}
