import AudioSessions
import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

@Suite("S-07: what cannot wait, behind a lock")
struct LockedNoticeTests {
    private let wall: Int64 = 1_800_000_000

    private func content(_ category: String = "", _ level: NoticeLevel = .active, app: String = "clock", title: String = "Secret title")
        -> NoticeContent
    {
        var content = NoticeContent(app: app, name: "Clocks", title: title, body: "Secret text", level: level)
        content.category = category
        content.stays = category == "call.incoming" || category == "alarm.ringing" || level == .critical
        return content
    }

    private func locked() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.lock()
        return world
    }

    @discardableResult
    private func notify(_ world: inout CoreWorld, _ id: UInt32, _ content: NoticeContent) -> [Effect] {
        world.send(.notice(.notify(NoticeID(id), content, sender: ":1.5", at: wall)))
    }

    private func sounds(_ effects: [Effect]) -> [String] {
        effects.compactMap { if case .audio(.playSound(let name, _)) = $0 { name } else { nil } }
    }

    /// What the card says: its app, and its words.
    private func words(_ world: CoreWorld) -> [Text] {
        ["lock/card/app", "lock/card/words"].compactMap { id in
            world.system.controls(at: world.now).first { $0.id == ControlID(stringLiteral: id) }?.name
        }
    }

    private func buttons(_ world: CoreWorld) -> [String] {
        world.system.controls(at: world.now).filter { $0.press != nil }.map(\.id.description)
    }

    /// The words of everything on the screen.
    private func texts(_ world: CoreWorld) -> String {
        world.system.items(at: world.now).map { item in
            if case .art(.text(let text, _, _, _, _), _) = item.kind { "\(text)" } else { "" }
        }.joined(separator: "\n")
    }

    private func tap(_ world: inout CoreWorld, _ id: ControlID) throws {
        let control = try #require(world.system.controls(at: world.now).first { $0.id == id }, "no \(id)")
        world.send(.lock(.tapped(at: control.frame.center)))
    }

    @Test("alarms, calls, dangers, reminders and messages sound, each in its way, and show no content")
    func sound() {
        for (kind, content, sound, says) in [
            ("alarm", content("alarm.ringing", .timeSensitive), "alarm-clock-elapsed", Message.lockAlarm),
            ("call", content("call.incoming", .timeSensitive), "phone-incoming-call", .lockCall),
            ("battery", content("battery", .critical), "dialog-warning", .lockDanger),
            ("urgent", content("", .timeSensitive), "message-new-instant", .lockOther),
        ] {
            var world = locked()
            #expect(sounds(notify(&world, 1, content)) == [sound], "\(kind)")
            #expect(words(world) == [.verbatim("Clocks"), .message(says)], "\(kind)")
            #expect(!texts(world).contains("Secret"), "\(kind)")
            #expect(world.finish() == [])
        }
        var world = locked()
        #expect(sounds(notify(&world, 1, content())) == ["message-new-instant"])
        #expect(words(world).isEmpty && buttons(world).isEmpty, "a message is counted")
        #expect(texts(world).contains("noticesWait") && !texts(world).contains("Secret"))
    }

    @Test("a reminder that was scheduled sounds and shows when it is due")
    func reminder() {
        var world = CoreWorld()
        world.send(.notice(.clock(wall, NoticeZone())))
        let schedule = NoticeSchedule(name: "tea", content: content(app: "tea"), due: wall + 60)
        world.send(.notice(.schedule(schedule, at: wall)))
        world.lock()
        let effects = world.send(.notice(.clock(wall + 60, NoticeZone())))
        #expect(sounds(effects) == ["message-new-instant"])
        #expect(words(world).last == .message(.lockReminder))
        // It goes by itself, and waits in the list.
        world.wait(8900)
        #expect(!words(world).isEmpty)
        world.wait(200)
        #expect(words(world).isEmpty && world.system.notices.unreadCount == 1)
        #expect(world.finish() == [])
    }

    @Test("the choice of a person decides what the card says, and the choice of sounds what is heard")
    func choices() {
        for (choice, hides, expected) in [
            (NoticeOnLock.content, false, [Text.verbatim("Clocks"), .verbatim("Secret title")]),
            (.content, true, [.verbatim("Clocks"), .message(.lockAlarm)]),
            (.count, false, [.verbatim("Clocks"), .message(.lockAlarm)]), (.nothing, false, []),
        ] {
            var world = CoreWorld()
            world.act(.notice(.choose(app: "clock", what: .onLock(choice))))
            world.lock()
            var alarm = content("alarm.ringing", .timeSensitive)
            alarm.hidesContentOnLock = hides
            #expect(sounds(notify(&world, 1, alarm)) == ["alarm-clock-elapsed"], "\(choice): sounds are chosen by themselves")
            #expect(words(world) == expected, "\(choice) \(hides)")
            #expect(!texts(world).contains("Secret text"))
        }
        var world = CoreWorld()
        world.act(.notice(.choose(app: "clock", what: .sounds(false))))
        world.act(.notice(.choose(app: "off", what: .manner(.quietly))))
        world.lock()
        #expect(sounds(notify(&world, 1, content("alarm.ringing", .timeSensitive))).isEmpty)
        #expect(sounds(notify(&world, 2, content("alarm.ringing", .timeSensitive, app: "off"))).isEmpty)
        var world2 = CoreWorld()
        world2.act(.notice(.quiet(true)))
        world2.lock()
        #expect(sounds(notify(&world2, 1, content("alarm.ringing", .timeSensitive))).isEmpty, "Do Not Disturb holds behind a lock, too")
        #expect(sounds(notify(&world2, 2, content("battery", .critical))) == ["dialog-warning"])
    }

    @Test("a card is put off, hidden or stopped by a tap; nothing is opened, and what was hidden stays in the list")
    func taps() throws {
        var world = locked()
        notify(&world, 1, content("battery", .critical))
        let at = try #require(world.system.controls(at: world.now).first { $0.id == "lock/card/dismiss" }?.frame.center)
        world.send(.lock(.tapped(at: at)))
        #expect(!words(world).isEmpty, "a tap in the same moment was meant for the locker")
        world.wait(600)
        let from = world.effects.count
        try tap(&world, "lock/card/dismiss")
        #expect(words(world).isEmpty && world.system.notices.listed.map(\.id) == [NoticeID(1)] && world.system.notices.unreadCount == 1)
        #expect(!world.effects[from...].contains { if case .notice(.closed) = $0 { true } else { false } })
        notify(&world, 2, content("alarm.ringing", .timeSensitive))
        world.wait(600)
        try tap(&world, "lock/card/later")
        #expect(words(world).isEmpty && world.system.notices[NoticeID(2)]?.snoozed != nil)
        // It comes again in an hour, and is heard.
        #expect(sounds(world.send(.notice(.clock(wall + 3700, NoticeZone())))) == ["alarm-clock-elapsed"])
        world.wait(600)
        try tap(&world, "lock/card/dismiss")
        #expect(world.effects.contains(.notice(.closed(NoticeID(2), to: ":1.5", .dismissed))), "an alarm ends")
        notify(&world, 3, content("call.incoming", .timeSensitive))
        #expect(buttons(world) == ["lock/card/dismiss"], "a call cannot be put off")
        #expect(!world.effects.contains { if case .program = $0 { true } else { false } })
        #expect(world.finish() == [])
    }

    @Test("a tap on the words of the card does nothing, and scripts reach nothing but its buttons")
    func nothingElse() throws {
        var world = locked()
        notify(&world, 1, content("alarm.ringing", .timeSensitive))
        notify(&world, 2, content("", .active, app: "mail"))
        world.wait(600)
        try tap(&world, "lock/card/words")
        #expect(!words(world).isEmpty)
        for act: NoticeAct in [
            .open(NoticeID(1)), .press(notice: NoticeID(1), button: "a"), .dismiss(NoticeID(2)), .snooze(NoticeID(2)), .clearAll,
            .reply(notice: NoticeID(1), text: "x"),
        ] {
            #expect(world.act(.notice(act)).refusals == [WhileLocked.refusal], "\(act)")
        }
        #expect(world.act(.press(view: "dock/mail")).refusals == [WhileLocked.refusal])
        #expect(world.act(.press(view: "lock/card/dismiss")).refusals == [])
        #expect(words(world).isEmpty)
        #expect(world.finish() == [])
    }

    @Test("what rings when the session is locked becomes a card, and what rings on becomes a banner when it is unlocked")
    func over() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        notify(&world, 1, content("call.incoming", .timeSensitive))
        #expect(world.interface.openNames.contains("notice"))
        world.lock()
        #expect(words(world).last == .message(.lockCall) && !world.interface.openNames.contains("notice"))
        notify(&world, 2, content("", .timeSensitive, app: "mail"))
        #expect(words(world).last == .message(.lockCall), "what stays comes first")
        world.unlock()
        #expect(world.interface.openNames.contains("notice") && world.interface.lockCards.isEmpty)
        #expect(world.interface.notices.banner?.content.notice.id == NoticeID(1))
        // A card goes with its notification.
        world.send(.notice(.close(NoticeID(1))))
        world.lock()
        notify(&world, 3, content("call.incoming", .timeSensitive))
        world.send(.notice(.close(NoticeID(3))))
        #expect(words(world).isEmpty)
        #expect(world.finish() == [])
    }

    @Test("the locker loses taps only where the card is, and only while it is there")
    func part() throws {
        var world = locked()
        func parts(_ effects: [Effect]) -> [Rect?] {
            effects.compactMap { if case .client(.lock(.ownPart(let part))) = $0 { .some(part) } else { nil } }
        }
        let came = parts(notify(&world, 1, content("alarm.ringing", .timeSensitive)))
        let card = try #require(world.system.controls(at: world.now).first { $0.id == "lock/card" }?.frame)
        #expect(came == [card])
        #expect(card.height < 200 && world.system.workspace.screen!.bounds.contains(card.center))
        let moved = parts(world.send(.screenChanged(Screen(size: Size(820, 1180)))))
        #expect(moved.count == 1 && moved[0]?.center.x == 410)
        #expect(parts(world.send(.notice(.close(NoticeID(1))))) == [nil])
        notify(&world, 2, content("alarm.ringing", .timeSensitive))
        let from = world.effects.count
        world.unlock()
        #expect(parts(Array(world.effects[from...])) == [nil])
    }

    @Test("one that is shown once is over where it has no card, and with its card where it has one")
    func transient() {
        var world = locked(), once = content()
        once.isTransient = true
        #expect(notify(&world, 1, once).contains(.notice(.closed(NoticeID(1), to: ":1.5", .expired))))
        once.level = .timeSensitive
        #expect(!notify(&world, 2, once).contains(.notice(.closed(NoticeID(2), to: ":1.5", .expired))))
        #expect(!buttons(world).contains("lock/card/later"))
        world.wait(9100)
        #expect(world.effects.contains(.notice(.closed(NoticeID(2), to: ":1.5", .expired))))
        #expect(world.finish() == [])
    }

    @Test(
        "a card fits on every screen, in large letters and beside a ringing that can be silenced",
        arguments: [Size(1180, 820), Size(360, 640), Size(820, 1180), Size(198, 242)])
    func fits(size: Size) throws {
        for scale in [1.0, 2.0] {
            var world = CoreWorld()
            world.act(.textSize(scale))
            world.send(.screenChanged(Screen(size: size)))
            world.lock()
            notify(&world, 1, content("alarm.ringing", .timeSensitive))
            let screen = Rect(0, 0, size.width, size.height)
            let controls = world.system.controls(at: world.now).filter { $0.id.description.hasPrefix("lock/card") }
            #expect(controls.contains { $0.press != nil })
            for control in controls {
                #expect(
                    screen.contains(Point(control.frame.minX + 1, control.frame.minY + 1))
                        && screen.contains(Point(control.frame.maxX - 1, control.frame.maxY - 1)),
                    "\(control.id) \(control.frame) on \(size) at \(scale)")
            }
        }
    }
}
