import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

@Suite("M-08: one line over a window, and one over the screen")
struct ModalLineTests {
    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol) {
        for pressed in [true, false] { world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: [])) }
    }

    private func answers(_ world: CoreWorld) -> [ModalAnswer] {
        world.effects.compactMap { if case .viewAnswered(_, let answer) = $0 { answer } else { nil } }
    }

    private func reason(_ trouble: SharingTrouble) -> Text { .message(trouble == .full ? .sharingFull : .sharingForbidden) }

    /// The message of the shell's alert that is open.
    private func alert(_ world: CoreWorld) -> Text? {
        guard world.interface.isPopoverOpen, case .alert(_, let message)? = world.interface.popover?.content else { return nil }
        return message
    }

    @Test(
        "M-08, M-11: one alert of the shell waits for the other, and a person reads each, by Escape or the button",
        arguments: [true, false])
    func alertsWait(byKey: Bool) {
        var world = CoreWorld()
        world.open(1)
        for trouble in [SharingTrouble.full, .forbidden, .full] { world.send(.sharingFailed(.save, trouble)) }
        world.send(.storeTrouble(.lost))
        for message in [reason(.full), reason(.forbidden), .message(.sessionLostWhole)] {
            #expect(alert(world) == message)
            if byKey { press(&world, .escape) } else { world.act(.dismiss) }
            world.wait(1000)
        }
        #expect(!world.interface.isPopoverOpen && world.finish() == [])
    }

    @Test(
        "M-08: an alert that stays comes back after a lock, a change of the idiom and what a program opens; another one ends with what closes it"
    )
    func whatCloses() {
        var world = CoreWorld()
        world.open(1)
        world.send(.storeTrouble(.diskFull))
        world.send(.sharingFailed(.save, .full))
        let waits = alert(world)
        #expect(waits == .message(.notKeptFull))
        world.act(.home)
        world.rest()
        #expect(alert(world) == waits, "it stays")
        world.act(.dismiss)
        world.wait(1000)
        #expect(alert(world) == reason(.full))
        world.act(.focus(window: one))
        world.rest()
        #expect(alert(world) == nil)
        #expect(world.finish() == [])
    }

    @Test("M-08: the line knows no end of alerts: as many as a person reads wait, and not one more")
    func flood() {
        var world = CoreWorld()
        for _ in 0..<3 {
            for number in 0..<50 { world.send(.sharingFailed(.app("app\(number)"), .failed)) }
        }
        var read = 0
        while alert(world) != nil, read < 100 {
            read += 1
            world.act(.dismiss)
            world.wait(1000)
        }
        #expect(read == 8 && world.finish() == [])
    }

    private func askForReply(_ world: inout CoreWorld) {
        var content = NoticeContent(app: "mail", name: "Mail", title: "Anna", body: "Lunch?")
        content.buttons = [NoticeButton(key: "inline-reply", label: "Answer", reply: NoticeReply(placeholder: "", submit: ""))]
        world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: 1_800_000_000)))
        world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
        world.rest()
    }

    @Test("M-08: an answer in the banner is above an app's alert: Tab reaches it, Escape leaves it, and then the alert has the keys")
    func replyAboveView() {
        var world = CoreWorld()
        world.open(1)
        world.send(
            .viewAsked(
                ModalView(
                    ModalID(1), .alert, over: one, of: "app1", title: "Delete?",
                    choices: [.init("Delete", .destructive), .init("Keep", .cancel)])))
        askForReply(&world)
        #expect(world.interface.notices.draft != nil)
        world.send(.typed("Yes"))
        press(&world, .tab)
        #expect(world.interface.focus?.area == .notice)
        press(&world, .escape)
        if world.interface.notices.draft != nil { press(&world, .escape) }
        #expect(world.interface.notices.draft == nil && answers(world).isEmpty)
        press(&world, .escape)
        #expect(answers(world) == [.chose(1)])
        #expect(world.finish() == [])
    }

    @Test("M-08: a banner is one at a time: the one of a window makes room for an answer")
    func oneBanner() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.create(2, WindowFacts(appID: "files", lineage: [502, 1], client: 52))
        world.map(2)
        #expect(world.interface.openNames.contains("banner"))
        askForReply(&world)
        #expect(!world.interface.openNames.contains("banner") && world.interface.openNames.contains("notice"))
        #expect(world.finish() == [])
    }

    @Test("M-08: windows that wait come before notifications, one after the other")
    func banners() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.act(.controlCentre)
        world.send(
            .notice(
                .notify(
                    NoticeID(1), NoticeContent(app: "mail", name: "Mail", title: "Anna", body: "Lunch?"), sender: ":1.5", at: 1_800_000_000)
            ))
        world.create(2, WindowFacts(appID: "files", lineage: [502, 1], client: 52))
        world.map(2)
        #expect(!world.interface.openNames.contains("notice") && !world.interface.openNames.contains("banner"))
        world.act(.dismiss)
        #expect(world.interface.openNames.contains("banner"))
        world.act(.bannerLater)
        #expect(world.interface.openNames.contains("notice"))
        world.act(.bannerLater)
        world.rest()
        #expect(!world.interface.openNames.contains("notice"))
        #expect(world.finish() == [])
    }
}
