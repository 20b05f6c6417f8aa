import Geometry
import Testing

@testable import Notices

@Suite("S-07: focuses that a person makes")
struct OwnFocusTests {
    /// Monday, 4 January 2027, 8 o'clock UTC.
    private let monday: Int64 = 1_799_020_800 + 8 * 3600

    private func start() -> NoticeRoom {
        var room = NoticeRoom()
        room.wall = monday
        room.tick()
        return room
    }

    @Test(
        "S-07: a name lets titles through that have it as whole words, and no longer name that contains it",
        arguments: [
            ("Anna", "Anna", true), ("Anna", "New message from anna", true), ("Anna", "Anna: lunch?", true), ("Anna", "(Anna)", true),
            ("Anna", "Johanna", false),
            ("Anna", "Annabelle and Anna", true), ("Anna", "Annabelle", false), ("Anna Li", "Anna Lind", false), ("민수", "민수님", true),
            ("田中", "田中さん", true),
            ("Ann", "Ann2", false), ("Zoë", "zoë!", true),
        ])
    func wholeWords(name: String, title: String, comes: Bool) {
        var focus = NoticeFocus(name: "work")
        focus.people = [name]
        #expect(focus.lets(NoticeContent(app: "mail", title: title)) == comes)
    }

    @Test("S-07: a focus that a person ended, and whose times were changed then, begins at its next time")
    func changedTimes() {
        var room = start()
        room.perform(.newFocus(.work))
        room.perform(.setFocus(focus: "work", what: .time(FocusTime(from: 7 * 60, to: 18 * 60))))
        #expect(room.notices.focus(at: room.now)?.name == "work")
        room.perform(.focus(nil))
        // Now it is 8: the new times begin at 10, before the old ones end.
        room.perform(.setFocus(focus: "work", what: .time(FocusTime(from: 10 * 60, to: 12 * 60))))
        #expect(room.notices.focus(at: room.now) == nil)
        room.pass(2 * 3600)
        room.tick()
        #expect(room.notices.focus(at: room.now)?.name == "work")
        // New times that hold already do not bring back what a person has just ended.
        room.perform(.focus(nil))
        room.perform(.setFocus(focus: "work", what: .time(FocusTime(from: 9 * 60, to: 13 * 60))))
        #expect(room.notices.focus(at: room.now) == nil)
        room.pass(24 * 3600)
        room.tick()
        #expect(room.notices.focus(at: room.now)?.name == "work")
    }

    @Test("S-07: a focus of a person's own lets through what the person says, at its times, and is kept at once")
    func made() {
        var room = start()
        #expect(room.perform(.newFocus(.work)).effects.contains(.keepChoices))
        #expect(room.perform(.setFocus(focus: "work", what: .app(id: "mail", comes: true))).effects.contains(.keepChoices))
        #expect(
            room.perform(.setFocus(focus: "work", what: .time(FocusName.work.usualTime))).effects == [
                .keepChoices, .wake(at: monday + 3600),
            ])
        #expect(!room.notify(1, mail("Ben", app: "news")).banners.isEmpty)
        room.pass(3600)
        #expect(room.notices.focus(at: room.now)?.name == "work")
        #expect(room.notify(2, mail("Ben", app: "news")).banners.isEmpty && !room.notify(3, mail("Anna")).banners.isEmpty)
        #expect(!room.notify(4, mail("Call", level: .timeSensitive, app: "news")).banners.isEmpty)
        room.perform(.setFocus(focus: "work", what: .urgent(false)))
        room.perform(.setFocus(focus: "work", what: .app(id: "mail", comes: false)))
        room.pass(60)
        #expect(
            room.notify(5, mail("Call", level: .timeSensitive, app: "news")).banners.isEmpty && room.notify(6, mail("Ben")).banners.isEmpty)
        // As it was in the next session.
        var next = NoticeRoom()
        next.wall = room.wall
        next.handle(.restored([], [], room.notices.choices.chosen, at: room.wall))
        next.tick()
        #expect(next.notices.focus(at: next.now) == room.notices.focus(at: room.now))
        next.perform(.focus("work"))
        next.perform(.deleteFocus("work"))
        #expect(next.notices.focus(at: next.now) == nil && next.notices.choices.focuses == [] && next.notices.choices.chosen.focuses == nil)
    }

    @Test("S-07: those who wrote or called are offered by name, newest first and each once, and come through once they are chosen")
    func people() {
        var room = start()
        func from(_ name: String, _ category: String) -> NoticeContent {
            var content = NoticeContent(app: "chat", name: "Chat", title: name)
            content.category = category
            return content
        }
        let all = [
            ("Anna", "im.received"), ("Disk full", "device"), ("Ben", "email.arrived"), ("anna", "im"), ("Cem", "call.unanswered"),
            (" ", "im"), ("Dora", "image"), ("Ana", ""),
        ]
        for (index, (name, category)) in all.enumerated() { room.notify(UInt32(index + 1), from(name, category)) }
        #expect(room.notices.people(most: 9) == ["Cem", "anna", "Ben"] && room.notices.people(most: 2) == ["Cem", "anna"])
        room.perform(.newFocus(.work))
        #expect(room.perform(.setFocus(focus: "work", what: .person(name: "Anna", comes: true))).effects == [.keepChoices])
        room.perform(.focus("work"))
        room.pass(100)
        #expect(
            !room.notify(20, from("Anna", "im.received")).banners.isEmpty && room.notify(21, from("Ben", "im.received")).banners.isEmpty)
        // As the next session reads it.
        var next = NoticeRoom()
        next.wall = room.wall
        next.handle(.restored([], [], room.notices.choices.chosen, at: room.wall))
        #expect(next.notices.choices.focuses.map(\.people) == [["Anna"]])
        room.perform(.setFocus(focus: "work", what: .person(name: "anna", comes: false)))
        #expect(room.notify(22, from("Anna", "im.received")).banners.isEmpty && room.notices.choices.focuses[0].people == [])
        for name in ["", "  ", "Anna\nBen", String(repeating: "a", count: 257)] {
            #expect(room.notices.choices.objection(to: .setFocus(focus: "work", what: .person(name: name, comes: true))) != nil)
        }
        var wishes = NoticeChoices.Wishes()
        wishes.focuses = [NoticeFocus(name: "Work")]
        room.handle(.fixed(wishes))
        #expect(
            room.notices.choices.objection(to: .setFocus(focus: "Work", what: .person(name: "Anna", comes: true)))?.contains(
                "configuration file") == true)
    }

    @Test("S-07: the file's focus wins over one of the same name, which comes back when the file names it no more")
    func file() {
        var room = start(), wishes = NoticeChoices.Wishes()
        room.perform(.newFocus(.work))
        room.perform(.newFocus(.sleep))
        wishes.focuses = [NoticeFocus(name: "Work")]
        room.handle(.fixed(wishes))
        let choices = room.notices.choices
        #expect(choices.focuses.map(\.name) == ["Work", "sleep"] && !choices.freeFocusNames.contains(.work))
        for act in [NoticeAct.deleteFocus("work"), .deleteFocus("Work"), .setFocus(focus: "Work", what: .urgent(false))] {
            #expect(choices.objection(to: act)?.contains("configuration file") == true)
        }
        #expect(choices.objection(to: .newFocus(.sleep)) != nil && choices.objection(to: .newFocus(.reading)) == nil)
        room.handle(.fixed(NoticeChoices.Wishes()))
        #expect(room.notices.choices.focuses.map(\.name) == ["work", "sleep"])
    }

    @Test("S-07: what cannot be is refused, and left out of a damaged store")
    func impossible() {
        var room = start()
        room.perform(.newFocus(.work))
        let choices = room.notices.choices
        for time in [
            FocusTime(from: 60, to: 60), FocusTime(from: -1, to: 60), FocusTime(from: 0, to: 1440), FocusTime(days: [7], from: 0, to: 60),
        ] {
            #expect(choices.objection(to: .setFocus(focus: "work", what: .time(time))) != nil)
        }
        #expect(choices.objection(to: .setFocus(focus: "work", what: .app(id: "", comes: true))) != nil)
        #expect(
            choices.objection(to: .setFocus(focus: "gone", what: .urgent(true))) != nil && choices.objection(to: .editFocus("gone")) != nil)
        var kept = NoticeChoices.Wishes(), broken = NoticeFocus(name: "work"), strange = NoticeFocus(name: "x")
        broken.times = [FocusTime(days: [Int.max], from: Int.min, to: Int.max)]
        broken.apps = (0..<1000).map { "app\($0)" }
        broken.people = ["", "Anna\n"] + (0..<1000).map { "person \($0)" }
        strange.times = [FocusTime(from: 0, to: 60)]
        kept.focuses = [broken, broken, strange]
        room.handle(.restored([], [], kept, at: monday))
        let focuses = room.notices.choices.focuses
        #expect(focuses.map(\.name) == ["work"] && focuses[0].times == [] && focuses[0].apps.count == 256)
        #expect(focuses[0].people.count == 256 && focuses[0].people[0] == "person 0")
    }

    @Test("S-07: a time moves by half an hour over midnight, its ends stay different, and a day is left")
    func times() {
        let night = FocusTime(from: 23 * 60 + 30, to: 0)
        #expect(night.moved(from: 30).from == 30 && night.moved(to: -30).to == 23 * 60)
        #expect(FocusTime(from: 0, to: 60).moved(to: -30).to == 30)
        let day = FocusTime(days: [2], from: 0, to: 60)
        #expect(day.toggling(2) == nil && day.toggling(0)?.days == [0, 2])
        #expect(
            FocusTime(days: [0, 1, 2, 3, 4, 5], from: 0, to: 60).toggling(6)?.days == []
                && FocusTime(from: 0, to: 60).toggling(6)?.days == [0, 1, 2, 3, 4, 5])
    }
}
