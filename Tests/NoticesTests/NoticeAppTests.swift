import Geometry
import Testing

@testable import Notices

/// A notification that an app names itself, as `org.gtk.Notifications` and the portal have it.
private func chat(
    _ id: String = "chat-1", service: NoticeOrigin.Service = .gtk, tap: NoticeTarget? = NoticeTarget(action: "app.open", parameter: "7")
) -> NoticeContent {
    var content = NoticeContent(app: "org.example.Chat", name: "Chat", title: "Anna", body: "Lunch?")
    content.hasDefault = true
    content.origin = NoticeOrigin(service, app: "org.example.Chat", id: id, tap: tap)
    content.buttons = [
        NoticeButton(key: "app.read", label: "Read", target: NoticeTarget(action: "app.read")),
        NoticeButton(key: "call", label: "Call", target: NoticeTarget(action: "call")),
    ]
    return content
}

@Suite struct NoticeAppTests {
    @Test("X-03: an app that names its notifications is told by its actions, and hears of no end")
    func actions() {
        var room = NoticeRoom()
        room.notify(1, chat())
        let turn = room.perform(.open(NoticeID(1)))
        #expect(
            turn.effects == [
                .activate(chat().origin!, NoticeTarget(action: "app.open", parameter: "7"), reply: nil, to: ":1.1"), .forget(NoticeID(1)),
            ])
        #expect(turn.opens == "org.example.Chat" && turn.calls == "org.example.Chat" && turn.isTold)
        room.notify(2, chat())
        #expect(
            room.perform(.press(notice: NoticeID(2), button: "app.read")).effects == [
                .activate(chat().origin!, NoticeTarget(action: "app.read"), reply: nil, to: ":1.1"), .forget(NoticeID(2)),
            ])
        room.notify(3, chat())
        #expect(room.perform(.dismiss(NoticeID(3))).effects == [.forget(NoticeID(3))])
        // Without an action, a tap shows the app.
        room.notify(4, chat(tap: nil))
        #expect(room.perform(.open(NoticeID(4))).effects.first == .activate(chat(tap: nil).origin!, nil, reply: nil, to: ":1.1"))
    }

    @Test("X-03: one name of an app is one notification, whoever sends it, and no number of another service means it")
    func names() {
        var room = NoticeRoom()
        room.notify(1, chat())
        #expect(room.notices.target(of: chat(), replaces: nil, sender: ":1.9") == NoticeID(1))
        #expect(room.notices.target(of: chat("chat-2"), replaces: nil, sender: ":1.1") == nil)
        #expect(room.notices.target(of: chat(service: .portal), replaces: nil, sender: ":1.1") == nil)
        #expect(room.notices.target(of: mail(), replaces: NoticeID(1), sender: ":1.1") == nil)
        #expect(room.notices.notice(named: chat().origin!)?.id == NoticeID(1))
    }

    @Test("X-03: after its app ended and after a restart, a notification keeps the buttons for which the app can be started")
    func lasting() {
        var room = NoticeRoom()
        room.notify(1, chat())
        room.notify(2, mail())
        room.handle(.senderGone(":1.1"))
        #expect(room.notices[NoticeID(1)]?.content.buttons.map(\.key) == ["app.read"])
        var next = NoticeRoom()
        next.handle(.restored(Array(room.notices.all.values), [], nil, at: next.wall))
        #expect(next.notices[NoticeID(1)]?.content.buttons.map(\.key) == ["app.read"])
        #expect(
            next.perform(.press(notice: NoticeID(1), button: "app.read")).effects.first
                == .activate(
                    chat().origin!, NoticeTarget(action: "app.read"), reply: nil, to: nil))
        // The bus has no such app, and starts none: the shell does.
        #expect(next.handle(.absent(app: "org.example.Chat")).opens == "org.example.Chat")
    }

    @Test("X-03: an answer reaches its sender once, by each service, and an empty one is none")
    func replies() {
        var room = NoticeRoom()
        var content = mail()
        content.buttons = [NoticeButton(key: "inline-reply", label: "Reply", reply: NoticeReply(placeholder: "Say"))]
        room.notify(1, content)
        #expect(room.perform(.reply(notice: NoticeID(1), text: "")).effects == [])
        // A press alone sends nothing: it opens the field.
        #expect(room.perform(.press(notice: NoticeID(1), button: "inline-reply")).effects == [])
        #expect(
            room.perform(.reply(notice: NoticeID(1), text: "Yes")).effects == [
                .replied(NoticeID(1), to: ":1.1", text: "Yes"), .closed(NoticeID(1), to: ":1.1", .dismissed), .forget(NoticeID(1)),
            ])
        var app = chat(service: .portal)
        app.buttons.append(
            NoticeButton(key: "app.answer", label: "Answer", target: NoticeTarget(action: "app.answer"), reply: NoticeReply()))
        room.notify(2, app)
        #expect(
            room.perform(.reply(notice: NoticeID(2), text: "Later")).effects.first
                == .activate(
                    app.origin!, NoticeTarget(action: "app.answer"), reply: "Later", to: ":1.1"))
        #expect(room.perform(.reply(notice: NoticeID(2), text: "Twice")).effects == [])
    }
}

@Suite struct FocusTests {
    /// Work: Monday to Friday, 9 to 17. Night: every day, 22 to 7.
    private var wishes: NoticeChoices.Wishes {
        var work = NoticeFocus(name: "Work"), night = NoticeFocus(name: "Night"), wishes = NoticeChoices.Wishes()
        work.apps = ["mail"]
        work.people = ["anna"]
        work.times = [FocusTime(days: [0, 1, 2, 3, 4], from: 9 * 60, to: 17 * 60)]
        night.times = [FocusTime(from: 22 * 60, to: 7 * 60)]
        night.letsUrgentThrough = false
        wishes.focuses = [work, night]
        return wishes
    }

    /// Monday, 4 January 2027, midnight UTC.
    private let monday: Int64 = 1_799_020_800

    private func start(at time: Int64, _ zone: NoticeZone = NoticeZone()) -> NoticeRoom {
        var room = NoticeRoom()
        room.wall = time
        room.handle(.fixed(wishes))
        room.tick(zone)
        return room
    }

    @Test("S-07: a focus lets its apps and people through, and what cannot wait")
    func through() {
        func shows(_ content: NoticeContent, at hour: Int64) -> Bool {
            var room = start(at: monday + hour * 3600)
            return !room.notify(1, content).banners.isEmpty
        }
        #expect(shows(mail("Ben", app: "news"), at: 8))
        #expect(!shows(mail("Ben", app: "news"), at: 9))
        #expect(shows(mail("Ben"), at: 9))
        #expect(shows(mail("Dr. Anna Berg", app: "chat"), at: 9))
        #expect(shows(mail("Ben", level: .timeSensitive, app: "news"), at: 9))
        #expect(!shows(mail("Ben", level: .timeSensitive, app: "news"), at: 23))
        #expect(shows(mail("Fire", level: .critical, app: "news"), at: 23))
        #expect(shows(mail("Ben", app: "news"), at: 17))
    }

    @Test("S-07: a focus begins and ends by the clock on the wall, over midnight, the week and summer time")
    func times() {
        func name(_ hours: Double, _ zone: NoticeZone = NoticeZone()) -> String? {
            start(at: monday + Int64(clamping: hours * 3600), zone).notices.focus(at: .zero)?.name
        }
        #expect(name(6.9) == "Night" && name(7) == nil && name(8.9) == nil && name(9) == "Work" && name(17) == nil && name(22) == "Night")
        // Saturday is no working day; the night of Sunday ends on Monday.
        #expect(name(5 * 24 + 10) == nil && name(6 * 24 + 23) == "Night" && name(7 * 24 + 6) == "Night")
        #expect(name(8, NoticeZone(offset: 3600)) == "Work")
        // The shell asks for the clock at the next change.
        let room = start(at: monday + 8 * 3600 + 30)
        #expect(room.told.last == .wake(at: monday + 9 * 3600))
    }

    @Test("S-07: a person begins and ends a focus, and the times hold again afterwards")
    func chosen() {
        var room = start(at: monday + 10 * 3600)
        #expect(room.perform(.focus(nil)).effects.contains(.keepChoices))
        #expect(room.notices.focus(at: room.now) == nil)
        room.pass(6 * 3600)
        #expect(room.notices.focus(at: room.now) == nil)
        // The next day it begins again.
        room.pass(18 * 3600)
        #expect(room.notices.focus(at: room.now)?.name == "Work")
        room.perform(.focus("Night"))
        #expect(room.notices.focus(at: room.now)?.name == "Night")
        // It stays until the person ends it, over a restart, too.
        room.pass(8 * 3600)
        var next = NoticeRoom()
        next.wall = room.wall
        next.handle(.restored([], [], room.notices.choices.chosen, at: room.wall))
        next.handle(.fixed(wishes))
        #expect(next.notices.focus(at: next.now)?.name == "Night")
        next.perform(.focus(nil))
        #expect(next.notices.focus(at: next.now) == nil)
        // A focus that the file does not know any more holds no more.
        next.perform(.focus("Work"))
        next.handle(.fixed(NoticeChoices.Wishes()))
        #expect(next.notices.focus(at: next.now) == nil && !next.notices.isQuiet(at: next.now))
    }

    @Test("S-07: what waits for a summary is told once, at its time")
    func summary() {
        var room = NoticeRoom()
        room.wall = monday + 7 * 3600
        room.tick()
        room.perform(.choose(app: "news", what: .manner(.summary)))
        #expect(room.notify(1, mail("One", app: "news")).banners == [])
        #expect(room.told.last == .wake(at: monday + 8 * 3600))
        room.notify(2, mail("Two", app: "news"))
        #expect(!room.notify(3, mail("Now", level: .timeSensitive, app: "news")).banners.isEmpty)
        room.pass(3600)
        let turn = room.tick()
        #expect(turn.banners.count == 1)
        let told = turn.banners.first.flatMap { room.notices[$0] }
        #expect(told?.content.summary == NoticeSummary(count: 3, groups: ["news"]))
        room.pass(10 * 3600)
        #expect(room.tick().banners == [])
        room.notify(4, mail("Four", app: "news"))
        room.pass(14 * 3600)
        #expect(room.tick().banners.first.flatMap { room.notices[$0] }?.content.summary?.count == 1)
    }

    @Test("S-07: words that are no focus harm nothing, and people are found whatever their case")
    func odd() {
        var room = start(at: -5)
        room.handle(.clock(NoticeLimits.latestTime, NoticeZone(offset: 50_400)))
        room.perform(.focus("Nobody"))
        #expect(room.notices.focus(at: room.now)?.name != "Nobody")
        room.handle(.clock(0, NoticeZone(offset: -43_200)))
        #expect(room.notices.violations() == [])
    }
}
