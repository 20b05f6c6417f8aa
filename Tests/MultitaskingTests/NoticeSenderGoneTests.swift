import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

@Suite("X-03, S-07: notifications of apps that are gone, frozen, or named otherwise than their windows")
struct NoticeSenderGoneTests {
    private let wall: Int64 = 1_800_000_000

    private var message: NoticeContent {
        var content = NoticeContent(app: "mail", name: "Mail", title: "Anna", body: "Lunch?")
        content.hasDefault = true
        content.buttons = [NoticeButton(key: "inline-reply", label: "Answer", reply: NoticeReply())]
        return content
    }

    private func world(_ content: NoticeContent) -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: wall)))
        world.wait(1000)
        return world
    }

    private func control(_ world: CoreWorld, _ id: ControlID) throws -> ViewControl {
        try #require(world.controls.first { $0.id == id }, "no \(id) in \(world.controls.map(\.id))")
    }

    @Test("an answer in the field is kept when its sender leaves: the banner says so, offers no field, and copies the text")
    func answer() throws {
        var world = world(message)
        world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
        world.send(.typed("Yes, at one"))
        world.send(.notice(.senderGone(":1.5")))
        world.wait(300)
        #expect(!world.controls.contains { $0.id == "notice/reply" || $0.id == "notice/send" })
        #expect(try control(world, "notice/note").name == .message(.noticeUnsent, ["Yes, at one"]))
        // The keys are the window's again, and nothing more is typed.
        #expect(world.system.keyboard == .window(one))
        world.tap(at: try control(world, "notice/copy").frame.center)
        #expect(world.effects.contains(.notice(.copy("Yes, at one"))))
        // It is in the list, where it can be copied later.
        world.act(.notifications)
        world.wait(1000)
        #expect(try control(world, "notifications/item/1/note").name == .message(.noticeUnsent, ["Yes, at one"]))
        #expect(try control(world, "notifications/item/1/button/0").press == .notice(.copyUnsent(NoticeID(1))))
        #expect(world.finish() == [])
    }

    @Test("the same for an answer whose field was closed, and for one whose message is withdrawn")
    func others() throws {
        for isWithdrawn in [false, true] {
            for isClosed in [false, true] {
                var world = world(message)
                world.act(.notice(.press(notice: NoticeID(1), button: "inline-reply")))
                world.send(.typed("Yes"))
                if isClosed { world.act(.notice(.leaveReply)) }
                world.send(.notice(isWithdrawn ? .close(NoticeID(1)) : .senderGone(":1.5")))
                world.wait(300)
                let kept = world.system.notices.all.values.filter { $0.content.unsent == "Yes" }
                #expect(kept.count == 1 && kept.first?.content.title == "Anna" && kept.first?.content.app == "mail")
                #expect(kept.first?.content.buttons == [])
                #expect(world.interface.notices.draft == nil && world.interface.notices.drafts.isEmpty)
                #expect(world.finish() == [])
            }
        }
    }

    @Test("an answer by the bus to an app that is not there and cannot be started is told, too")
    func absent() throws {
        var world = CoreWorld()
        world.open(1)
        world.send(.notice(.absent(app: "org.example.Chat", reply: "Yes")))
        #expect(world.system.notices.all.values.map(\.content.unsent) == ["Yes"])
        world.wait(1000)
        #expect(try control(world, "notice/open").name == .verbatim("org.example.Chat"))
        #expect(world.finish() == [])
    }

    @Test("a call whose sender leaves leaves the screen at once, and is a missed one in the list")
    func call() throws {
        var content = NoticeContent(app: "phone", name: "Phone", title: "Anna", body: "Incoming call", level: .timeSensitive)
        (content.category, content.stays) = ("call.incoming", true)
        content.buttons = [NoticeButton(key: "answer", label: "Answer")]
        var world = world(content)
        world.wait(30_000)
        #expect(world.interface.openNames.contains("notice"))
        world.send(.notice(.senderGone(":1.5")))
        #expect(!world.interface.openNames.contains("notice"))
        world.act(.notifications)
        world.wait(1000)
        #expect(try control(world, "notifications/item/1/note").name == .message(.noticeMissedCall))
        #expect(!world.controls.contains { $0.id == "notifications/item/1/button/0" })
        #expect(world.finish() == [])
    }

    @Test("a banner goes with the time that its script named; one that a person reads stays", arguments: [false, true])
    func time(isRead: Bool) throws {
        var content = NoticeContent(app: "", name: "backup", title: "Start now?", body: "It takes an hour.")
        (content.buttons, content.timeout) = ([NoticeButton(key: "yes", label: "Yes")], 2)
        var world = world(content)
        if isRead { world.act(.notice(.expand(NoticeID(1)))) }
        world.send(.notice(.clock(wall + 3, NoticeZone())))
        world.wait(300)
        #expect(world.effects.contains(.notice(.closed(NoticeID(1), to: ":1.5", .expired))))
        #expect(world.interface.openNames.contains("notice") == isRead)
        #expect(world.finish() == [])
    }

    @Test("a bar in the banner goes with its sender, and a word says so")
    func bar() throws {
        var content = NoticeContent(app: "files", name: "Files", title: "Copying", body: "Movies")
        content.progress = 40
        var world = world(content)
        world.send(.notice(.clock(wall + 5, NoticeZone())))
        world.send(.notice(.senderGone(":1.5")))
        world.wait(300)
        #expect(try control(world, "notice/note").name == .message(.noticeStopped))
        #expect(world.finish() == [])
    }

    /// A window whose app id is not the application id by which its program notifies, behind another window.
    private func chat(_ process: Int32 = 77) -> CoreWorld {
        var world = CoreWorld()
        world.open(2, WindowFacts(appID: "chat.py", title: "Chat", lineage: [process, 1], client: 7))
        world.wait(500)
        world.open(3, WindowFacts(appID: "editor", title: "Editor", lineage: [78, 1], client: 8))
        world.wait(500)
        return world
    }

    private func named(_ service: NoticeOrigin.Service, process: Int32?) -> NoticeContent {
        var content = NoticeContent(app: "org.example.Chat", name: "org.example.Chat", title: "Anna")
        content.origin = NoticeOrigin(service, app: "org.example.Chat", id: "one", tap: NoticeTarget(action: "app.open"))
        content.process = process
        return content
    }

    @Test(
        "a tap brings forward the window of the process that sent it, whatever app id it has",
        arguments: [NoticeOrigin.Service.gtk, .portal])
    func tap(_ service: NoticeOrigin.Service) {
        var world = chat()
        world.send(.notice(.notify(NoticeID(1), named(service, process: 77), sender: ":1.5", at: wall)))
        world.act(.notice(.open(NoticeID(1))))
        #expect(world.workspace.focus == two)
        // The bus does not start the app a second time.
        #expect(world.effects.contains { if case .notice(.activate(_, _, _, _, isStarted: true)) = $0 { true } else { false } })
        #expect(world.finish() == [])
    }

    @Test("a tap on a notification of the last session finds the window when the bus says whose name it is")
    func later() {
        var world = chat()
        world.send(.notice(.notify(NoticeID(1), named(.gtk, process: nil), sender: nil, at: wall)))
        world.act(.notice(.open(NoticeID(1))))
        #expect(world.workspace.focus == WindowID(3))
        world.send(.notice(.owner(app: "org.example.Other", process: 77)))
        #expect(world.workspace.focus == WindowID(3))
        world.send(.notice(.owner(app: "org.example.Chat", process: 77)))
        #expect(world.workspace.focus == two)
        // Once.
        world.act(.focus(window: WindowID(3)))
        world.send(.notice(.owner(app: "org.example.Chat", process: 77)))
        #expect(world.workspace.focus == WindowID(3))
        #expect(world.finish() == [])
    }

    @Test("an answer of the bus that comes too late, or is about another process, brings nothing forward")
    func tooLate() {
        for (wait, process) in [(11_000.0, Int32(77)), (10, 79)] {
            var world = chat()
            world.send(.notice(.notify(NoticeID(1), named(.gtk, process: nil), sender: nil, at: wall)))
            world.act(.notice(.open(NoticeID(1))))
            world.wait(wait)
            world.send(.notice(.owner(app: "org.example.Chat", process: process)))
            #expect(world.workspace.focus == WindowID(3))
            #expect(world.finish() == [])
        }
    }

    @Test("a heading is never empty")
    func heading() throws {
        for content in [
            NoticeContent(title: ""), NoticeContent(name: "Portal", title: ""), NoticeContent(app: "org.example.Chat", title: ""),
        ] {
            let world = world(content)
            let name = try control(world, "notice/open").name
            #expect(name != .verbatim(""))
            let empty = world.system.items(at: world.now).filter {
                if case .art(.text(.verbatim(""), _, _, _, _), _) = $0.kind { true } else { false }
            }
            #expect(empty.isEmpty, "\(empty)")
        }
    }
}
