import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

/// What a screen reader finds of notifications, of the menu bar and of input methods.
@Suite("X-05: notifications, menus of the bar, input methods")
struct NoticeSpokenTests {
    private func world(_ idiom: Idiom) -> CoreWorld {
        var world = CoreWorld(idiom: idiom)
        world.open(1)
        world.wait(5000)
        return world
    }

    private func content(_ title: String) -> NoticeContent {
        var content = NoticeContent(app: "mail", name: "Mail", title: title, body: "Lunch at one?")
        content.buttons = [NoticeButton(key: "yes", label: "Yes, gladly"), NoticeButton(key: "no", label: "No")]
        return content
    }

    @Test("a banner says its words once, and its buttons can be reached", arguments: [Idiom.pad, .phone, .mac, .watch, .vision])
    func banner(idiom: Idiom) throws {
        var world = world(idiom)
        world.send(.notice(.notify(NoticeID(1), content("Anna"), sender: ":1.1", at: 1_800_000_000)))
        world.wait(1000)
        let controls = world.controls.filter { $0.id.rawValue.hasPrefix("notice") }
        #expect(controls.count { if case .verbatim(let text) = $0.name { text.contains("Lunch") } else { false } } == 1)
        let banner = try #require(controls.first { $0.id == "notice/open" })
        #expect(banner.role == .alert)
        let actions = world.system.spokenActions(of: banner, at: world.now)
        #expect(actions.map(\.id) == ["button/0", "button/1", "later", "clear"] && actions.first?.name == .verbatim("Yes, gladly"))
        world.act(actions[1].action)
        #expect(world.system.notices[NoticeID(1)] == nil, "its sender is told, and it is over")
        #expect(world.finish() == [])
    }

    @Test("a long title leaves room for the words and the buttons", arguments: [Idiom.pad, .phone, .mac, .watch])
    func longTitle(idiom: Idiom) throws {
        for size in [Size(1180, 820), Size(390, 844), Size(198, 242), Size(320, 240)] {
            var world = CoreWorld(size: size, idiom: idiom)
            world.open(1)
            world.wait(5000)
            world.send(
                .notice(.notify(NoticeID(1), content(String(repeating: "A long title ", count: 19)), sender: ":1.1", at: 1_800_000_000)))
            world.wait(1000)
            world.act(.notice(.expand(NoticeID(1))))
            world.wait(1000)
            let ids = Set(world.controls.map(\.id.rawValue)), drawn = world.system.items(at: world.now).map(\.kind)
            #expect(
                drawn.contains { if case .art(.text(.verbatim("Lunch at one?"), _, _, _, _), _) = $0 { true } else { false } },
                "\(idiom.name) \(size): the words")
            #expect(ids.contains("notice/button/0") && ids.contains("notice/clear"), "\(idiom.name) \(size): \(ids.sorted())")
            #expect(world.finish() == [])
        }
    }

    @Test("titles of the menu bar are menus; what cannot be chosen is disabled, and what is chosen is marked")
    func menus() throws {
        var world = CoreWorld(idiom: .mac)
        world.create(1, WindowFacts(appID: "a", title: "A", client: 1, isBare: true))
        world.setNatural(Size(400, 300), of: WindowID(1))
        world.send(.activationAsked(WindowID(1), hasRecentSerial: true, launch: nil))
        world.map(1)
        world.rest()
        #expect(world.controls.filter { $0.role == .menu }.map(\.id.rawValue).contains("menu-bar/windows"))
        world.act(.tile(window: WindowID(1), to: .left))
        world.act(.barMenu("windows"))
        world.rest()
        let title = try #require(world.controls.last { $0.id == "menu-bar/windows" }), rows = world.controls.filter { $0.role == .menuItem }
        #expect(title.isChosen && !title.isDisabled && !rows.isEmpty)
        #expect(rows.first { $0.id == "menu-bar/windows/left" }?.isChosen == true)
        for row in rows { #expect(row.isDisabled == (row.press == nil)) }
        #expect(world.finish() == [])
    }

    @Test(
        "X-02: an input method that gets no text is named in the control centre, until it leaves",
        arguments: [Idiom.pad, .phone, .mac, .watch])
    func unheard(idiom: Idiom) throws {
        var world = world(idiom)
        func note() -> ViewControl? { world.controls.first { $0.id == "control-centre/unheard" } }
        world.act(.controlCentre)
        world.rest()
        #expect(note() == nil)
        for client in 100..<130 as Range<UInt64> {
            world.send(.inputMethodUnheard("method \(client)", client: client, present: "squeekboard"))
        }
        world.rest()
        #expect(try #require(note()).name == .message(.inputMethodUnheard, ["method 107", "squeekboard"]))
        for client in 100..<130 as Range<UInt64> { world.send(.clientGone(client)) }
        world.rest()
        #expect(note() == nil)
        #expect(world.finish() == [])
    }
}
