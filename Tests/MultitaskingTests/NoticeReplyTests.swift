import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

@Suite("X-03: a person answers a notification")
struct NoticeReplyTests {
    private let wall: Int64 = 1_800_000_000

    private var content: NoticeContent {
        var content = NoticeContent(app: "mail", name: "Mail", title: "Anna", body: "Lunch?")
        content.hasDefault = true
        content.buttons = [
            NoticeButton(key: "archive", label: "Archive"),
            NoticeButton(key: "inline-reply", label: "Answer", reply: NoticeReply(placeholder: "Say something", submit: "Go")),
        ]
        return content
    }

    private func world(_ id: UInt32 = 1) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        notify(&world, id)
        world.wait(1000)
        return world
    }

    private func notify(_ world: inout CoreWorld, _ id: UInt32) {
        world.send(.notice(.notify(NoticeID(id), content, sender: ":1.5", at: wall)))
    }

    private func control(_ world: CoreWorld, _ id: ControlID) throws -> ViewControl {
        try #require(world.controls.first { $0.id == id }, "no \(id)")
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol, _ text: String = "") {
        for pressed in [true, false] { world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: [], text: text)) }
    }

    private func type(_ world: inout CoreWorld, _ text: String) {
        for scalar in text.unicodeScalars { press(&world, KeySymbol(rawValue: scalar.value), String(scalar)) }
    }

    private func told(_ world: CoreWorld) -> [NoticeEffect] {
        world.effects.compactMap {
            if case .notice(.replied(let id, let to, let text)) = $0 { .replied(id, to: to, text: text) } else { nil }
        }
    }

    @Test("X-03: by finger and the on-screen keyboard: the field opens, takes what is typed, and the answer is sent once")
    func byFinger() throws {
        var world = world()
        world.act(.notice(.expand(NoticeID(1))))
        world.wait(500)
        world.tap(at: try control(world, "notice/button/1").frame.center)
        world.wait(500)
        // The input method types into the shell, and no app gets the keys.
        #expect(world.effects.contains(.textEntry(true)) && world.system.keyboard == .shell)
        #expect(try control(world, "notice/reply").name == .verbatim("Say something"))
        #expect(try control(world, "notice/send").press == nil)
        world.send(.typed("Yes, at one"))
        world.send(.erased(4))
        #expect(try control(world, "notice/reply").name == .verbatim("Yes, at"))
        #expect(try control(world, "notice/send").name == .verbatim("Go"))
        // However long a person thinks, it stays.
        world.wait(25_000)
        world.tap(at: try control(world, "notice/send").frame.center)
        #expect(told(world) == [.replied(NoticeID(1), to: ":1.5", text: "Yes, at")])
        world.wait(1000)
        #expect(!world.interface.openNames.contains("notice") && world.system.keyboard == .window(one))
        #expect(world.effects.contains(.textEntry(false)))
        #expect(world.finish() == [])
    }

    @Test("X-03, X-02: by keys: typing, Return sends; Escape leaves the field, and what was written comes back with it")
    func byKeys() throws {
        var world = world()
        world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
        type(&world, "no wa")
        press(&world, .backspace)
        press(&world, .escape)
        #expect(world.interface.notices.draft == nil && world.interface.openNames.contains("notice") && told(world) == [])
        #expect(world.system.keyboard == .window(one))
        world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
        #expect(try control(world, "notice/reply").name == .verbatim("no w"))
        type(&world, "ay")
        // Space is a letter here, and Tab goes to the button that sends.
        press(&world, .space, " ")
        press(&world, .tab)
        #expect(world.interface.focus?.area == .notice)
        type(&world, "!")
        press(&world, .enter)
        #expect(told(world) == [.replied(NoticeID(1), to: ":1.5", text: "no way !")])
        #expect(world.finish() == [])
    }

    @Test(
        "X-03: from the list the banner comes with the field; an answer that its sender takes back, a lock and another banner lose no window its keys"
    )
    func elsewhere() throws {
        var world = world()
        world.wait(10_000)
        world.act(.notifications)
        world.wait(1000)
        world.tap(at: try control(world, "notifications/item/1/button/1").frame.center)
        world.wait(1000)
        #expect(world.interface.openNames.contains("notice") && !world.interface.openNames.contains("notifications"))
        world.send(.typed("half"))
        notify(&world, 2)
        world.wait(20_000)
        #expect(world.interface.notices.draft?.text == "half")
        world.lock()
        #expect(world.interface.notices.draft == nil)
        world.unlock()
        world.wait(1000)
        #expect(world.act(.notice(.reply(notice: NoticeID(1), text: nil))).refusals != [])
        #expect(world.act(.notice(.reply(notice: NoticeID(1), text: String(repeating: "x", count: 5000)))).refusals != [])
        world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
        #expect(world.interface.notices.draft?.text == "half")
        world.send(.notice(.close(NoticeID(1))))
        world.wait(1000)
        #expect(world.interface.notices.draft == nil && world.system.keyboard == .window(one))
        world.act(.notice(.reply(notice: NoticeID(2), text: "by script")))
        #expect(told(world) == [.replied(NoticeID(2), to: ":1.5", text: "by script")])
        #expect(world.finish() == [])
    }

    @Test("S-07: the control centre offers the focuses of the configuration, and the list says which one holds")
    func focus() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        world.tap(at: try control(world, "control-centre/do-not-disturb").frame.center)
        world.wait(500)
        world.tap(at: try control(world, "control-centre/focus").frame.center)
        #expect(world.system.notices.choices.isQuiet)
        world.act(.notice(.quiet(false)))
        var wishes = NoticeChoices.Wishes(), work = NoticeFocus(name: "Work")
        work.apps = ["files"]
        wishes.focuses = [work, NoticeFocus(name: "Night")]
        world.send(.notice(.fixed(wishes)))
        world.tap(at: try control(world, "control-centre/focus/Work").frame.center)
        #expect(world.system.notices.focus(at: world.now)?.name == "Work")
        #expect(try control(world, "control-centre/focus/Work").isChosen)
        world.act(.dismiss)
        world.act(.dismiss)
        world.wait(10_000)
        notify(&world, 2)
        #expect(!world.interface.openNames.contains("notice"))
        world.act(.notifications)
        world.wait(1000)
        #expect(try control(world, "notifications/focus").name == .message(.focusOn, ["Work"]))
        world.tap(at: try control(world, "notifications/focus").frame.center)
        #expect(world.system.notices.focus(at: world.now) == nil)
        #expect(world.act(.notice(.focus("Sleep"))).refusals != [])
        #expect(world.finish() == [])
    }

    @Test("X-03: what belongs together stands together in the list, and unfolds by itself")
    func threads() throws {
        var world = world()
        for id in 2...7 {
            var content = self.content
            content.buttons = []
            content.thread = id % 2 == 0 ? "anna" : "ben"
            world.send(.notice(.notify(NoticeID(UInt32(id)), content, sender: ":1.5", at: wall)))
        }
        world.wait(60_000)
        world.act(.notifications)
        world.wait(1000)
        world.act(.notice(.unfold(group: "mail")))
        world.wait(500)
        func shown() -> [String] {
            world.controls.map(\.id.rawValue).filter { $0.hasPrefix("notifications/item/") && !$0.contains("button") }
        }
        #expect(Set(shown()) == ["notifications/item/7", "notifications/item/6", "notifications/item/1"])
        world.tap(at: try control(world, "notifications/group/mail/ben/more").frame.center)
        world.wait(500)
        #expect(
            shown().contains("notifications/item/5") && shown().contains("notifications/item/3")
                && !shown().contains("notifications/item/4"))
        #expect(world.finish() == [])
    }
}
