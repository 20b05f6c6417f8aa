import Callers
import Geometry
import Testing

@testable import Notices

/// Whose a notification is decides who pays for it, and what it may say (P-06).
@Suite struct NoticeOwnerTests {
    private func content(_ owner: Owner, app: String = "", name: String = "", _ title: String = "Title") -> NoticeContent {
        var content = NoticeContent(app: app, name: name, title: title)
        content.owner = owner
        return content
    }

    @Test("P-06: a nameless sandbox that invents ten thousand names displaces its own only, and not by bytes either")
    func flood() {
        var room = NoticeRoom()
        for id in 1...60 { room.notify(UInt32(id), content(.app("mail"), app: "mail"), from: ":1.1") }
        for id in 61...90 { room.notify(UInt32(id), content(.program("/usr/bin/cal"), app: "cal"), from: ":1.2") }
        room.told = []
        for id in 100..<900 {
            var forged = content(.nameless, app: "app\(id)", name: "Name \(id)", "\(id)")
            if id % 3 == 0 { forged.body = String(repeating: "x", count: 8000) }
            room.notify(UInt32(id), forged, from: ":1.\(id % 24 + 10)")
        }
        #expect((1...90).allSatisfy { room.notices[NoticeID($0)] != nil })
        let nameless = room.notices.all.values.filter { $0.payer == .nameless }
        #expect(nameless.count <= Quota.notices.share.nameless && room.notices[NoticeID(899)] != nil)
        #expect(nameless.reduce(0) { $0 + $1.content.bytes } <= Quota.noticeBytes.share.nameless)
        for effect in room.told {
            if case .forget(let id) = effect { #expect(id.raw >= 100, "nothing of others leaves the disk") }
            if case .closed(let id, _, _) = effect { #expect(id.raw >= 100) }
        }
        // They stand together, and a restart changes nothing of that.
        #expect(Set(nameless.map(\.group)).count == 1 && nameless.allSatisfy { $0.content.app.isEmpty && $0.content.name.isEmpty })
        var next = NoticeRoom()
        next.handle(.restored(room.notices.all.values.elements, [], nil, at: room.wall))
        #expect(next.notices.all.count == room.notices.all.count)
        for id in 900..<1500 { next.notify(UInt32(id), content(.nameless), from: ":1.3") }
        #expect((1...90).allSatisfy { next.notices[NoticeID($0)] != nil })
    }

    @Test("P-06: in a full list who sends pays with its own; what is kept for an owner stays, whatever names others invent")
    func full() {
        var room = NoticeRoom()
        room.notices.bounds = NoticeBounds(count: 100)
        let kept = room.notices.bounds.kept
        for id in 1...80 { room.notify(UInt32(id), content(.app("chat"), app: "chat"), from: ":1.1") }
        for id in 81...86 { room.notify(UInt32(id), content(.app("mail"), app: "mail"), from: ":1.2") }
        // One program outside any sandbox, under three hundred names.
        for id in 100..<400 { room.notify(UInt32(id), content(.program("/usr/bin/python3 loud"), app: "a\(id)"), from: ":1.\(id)") }
        #expect((81...86).allSatisfy { room.notices[NoticeID($0)] != nil })
        let chat = room.notices.all.values.count { $0.payer == .app("chat") }
        #expect(chat >= 80 - kept, "only what is kept for the newcomer is made room for: \(chat)")
        #expect(room.notices.all.count <= 100)
        // A third owner that begins now has its place.
        for id in 500..<(500 + kept) { room.notify(UInt32(id), content(.app("late"), app: "late"), from: ":1.9") }
        #expect(room.notices.all.values.count { $0.payer == .app("late") } == kept)
        #expect((81...86).allSatisfy { room.notices[NoticeID($0)] != nil })
    }

    @Test("P-06: random senders under invented names: nobody loses what is kept for it by another's", arguments: 0..<8)
    func anySenders(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 104_729 &+ 3), room = NoticeRoom()
        room.notices.bounds = NoticeBounds(count: 60, bytes: 12_000)
        let owners: [Owner] = [.nameless, .sandbox("org.a"), .app("mail"), .program("/usr/bin/x")]
        func have(_ owner: Owner) -> Int { room.notices.all.values.count { $0.payer == owner } }
        for step in 1...500 {
            let owner = owners.randomElement(using: &dice)!
            var sent = content(owner, app: "app\(Int.random(in: 0..<50, using: &dice))", name: "n\(step)")
            sent.body = String(repeating: "y", count: Int.random(in: 0...300, using: &dice))
            let before = Dictionary(uniqueKeysWithValues: owners.map { ($0, have($0)) })
            room.notify(UInt32(step), sent, from: ":1.\(step)")
            for other in owners where other != owner {
                let after = have(other), lost = before[other]! - after
                #expect(lost <= 0 || owner != .nameless, "a nameless sandbox displaced \(other)")
                #expect(
                    lost <= 0 || after >= min(before[other]!, room.notices.bounds.kept) || room.notices.index.bytes > 11_000,
                    "\(other) lost what is kept for it")
            }
            #expect(room.notices.index.bytes - (room.notices.index.nameless?.bytes ?? 0) <= 12_000)
        }
    }

    @Test("P-06: a nameless sandbox is a program: no name, no icon, no person, no call, and Do Not Disturb, a film and a focus hold")
    func nameless() {
        var forged = content(.nameless, app: "firefox", name: "Firefox", "Mother")
        forged.icon = "firefox"
        forged.site = "bank.example"
        forged.level = .critical
        forged.category = "call.incoming"
        forged.stays = true
        forged.sound = "phone-incoming-call"
        var room = NoticeRoom()
        #expect(room.notify(1, forged).sounds == ["message-new-instant"])
        let seen = room.notices[NoticeID(1)]!.content
        #expect(
            seen.app == "" && seen.name == "" && seen.icon == nil && seen.site == nil && seen.level == .active && !seen.stays
                && seen.sound == nil)
        #expect(room.notices.people(most: 9) == [] && room.notices.badge(of: "firefox") == 0)
        #expect(!seen.group.contains("irefox") && seen.title == "Mother")
        func shows(_ change: (inout NoticeRoom) -> Void) -> Bool {
            var room = NoticeRoom()
            change(&room)
            return !room.notify(1, forged).banners.isEmpty
        }
        #expect(shows { _ in })
        #expect(!shows { $0.perform(.quiet(true)) } && !shows { $0.surroundings.isBusy = true })
        var focus = NoticeFocus(name: "Work")
        focus.people = ["Mother"]
        focus.apps = ["firefox", ""]
        #expect(!focus.lets(seen) && !focus.lets(forged))
        // A person turns them off, all at once.
        room.perform(.choose(app: seen.group, what: .manner(.off)))
        #expect(room.notify(2, forged, from: ":1.2").banners.isEmpty && room.notices.all.isEmpty)
    }

    @Test("P-06: a sandbox with a name has its app's name and icon, whatever it says")
    func named() {
        var forged = content(.sandbox("org.a"), app: "org.a", name: "Firefox")
        forged.icon = "firefox"
        forged.level = .timeSensitive
        let seen = forged.confined
        #expect(seen.app == "org.a" && seen.name == "" && seen.icon == nil && seen.level == .timeSensitive && seen.confined == seen)
        var own = content(.app("foot"), app: "foot", name: "Build")
        own.icon = "hammer"
        #expect(own.confined == own, "outside any sandbox a program's word counts")
    }

    @Test("P-06: nameless sandboxes replace and withdraw nothing of each other, nor of others")
    func replacing() {
        var room = NoticeRoom(), volume = content(.nameless)
        volume.key = "volume"
        room.notify(1, volume, from: ":1.1")
        #expect(room.notices.target(of: volume, replaces: nil, sender: ":1.2") == nil)
        #expect(room.notices.target(of: volume, replaces: NoticeID(1), sender: ":1.2") == nil)
        #expect(room.notices.target(of: volume, replaces: nil, sender: ":1.1") == NoticeID(1))
        room.handle(.senderGone(":1.1"))
        #expect(room.notices.target(of: volume, replaces: NoticeID(1), sender: ":1.2") == nil)
        // A script that calls twice.
        room.notify(2, content(.app("foot"), app: "x"), from: ":1.5")
        room.handle(.senderGone(":1.5"))
        #expect(room.notices.target(of: content(.program("/usr/bin/cron"), app: "x"), replaces: NoticeID(2), sender: ":1.6") == NoticeID(2))
        #expect(room.notices.target(of: content(.sandbox("x"), app: "x"), replaces: NoticeID(2), sender: ":1.6") == nil)
    }

    @Test("S-12, P-06: nameless sandboxes have a few schedules together, which end with them; everybody else can set an alarm")
    func schedules() {
        var room = NoticeRoom()
        func add(_ owner: Owner, app: String, _ name: String, holder: String? = nil) -> Bool {
            let schedule = NoticeSchedule(name: name, content: content(owner, app: app), due: room.wall + 1000, holder: holder)
            guard room.notices.objection(to: schedule) == nil else { return false }
            room.handle(.schedule(schedule, at: room.wall))
            return true
        }
        let taken = (0..<600).count { add(.nameless, app: "app\($0)", "n\($0)", holder: ":1.\($0 % 2)") }
        #expect(taken == Quota.schedules.share.nameless && room.told.allSatisfy { if case .keepSchedule = $0 { false } else { true } })
        // Two sandboxes may use one name; neither replaces the other's.
        #expect(Set(room.notices.schedules.values.map(\.key)).count == taken)
        // One program that invents apps has one share.
        #expect((0..<600).count { add(.program("/usr/bin/python3 loud"), app: "other\($0)", "n") } == Quota.schedules.share.each)
        for number in 0..<12 { for name in 0..<64 { _ = add(.app("app \(number)"), app: "app \(number)", "\(name)") } }
        #expect(add(.app("clock"), app: "clock", "alarm"), "the table is full, and there is room for an alarm")
        #expect(!add(.sandbox("clock"), app: "clock", "alarm"), "a sandbox does not replace another app's")
        room.handle(.senderGone(":1.0"))
        #expect(room.notices.schedules.values.count { $0.payer == .nameless } == taken / 2)
        var next = NoticeRoom()
        next.handle(.restored([], room.notices.schedules.values.elements, nil, at: room.wall))
        #expect(!next.notices.schedules.values.contains { $0.payer == .nameless })
        #expect(next.notices.schedules.count == room.notices.schedules.count - taken / 2)
    }

    @Test("S-07, P-06: invented names bring no more banners")
    func banners() {
        var room = NoticeRoom(), count = 0
        for id in 1...40 {
            count += room.notify(UInt32(id), content(.program("/usr/bin/python3 loud"), app: "app\(id)"), from: ":1.\(id)").banners.count
        }
        #expect(count == 4)
        #expect(room.notify(100, content(.app("mail"), app: "mail"), from: ":1.99").banners.count == 1)
    }
}
