import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

@Suite("X-03: long lists of notifications")
struct LongNoticeListTests {
    private func notify(_ world: inout CoreWorld, _ id: UInt32, app: String) {
        world.send(
            .notice(
                .notify(
                    NoticeID(id), NoticeContent(app: app, name: app, title: "Title \(id)", body: "Body"), sender: ":1.5", at: 1_800_000_000)
            ))
    }

    @Test("P-07: buttons of a notification that begin alike keep their ends where they are cut")
    func similarButtons() {
        let labels = ["Accept the invitation 1", "Accept the invitation 2", "Decline"]
        var world = CoreWorld(size: Size(390, 844), idiom: .phone), content = NoticeContent(app: "mail", name: "Mail", title: "Board")
        content.buttons = labels.map { NoticeButton(key: $0, label: $0) }
        world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: 1_800_000_000)))
        world.wait(20_000)
        world.act(.notifications)
        world.rest()
        let texts = texts(world).map(\.text)
        for text in [Text.similar(labels[0]), .similar(labels[1]), .verbatim(labels[2])] { #expect(texts.contains(text), "\(text)") }
    }

    @Test("P-07: titles and headings that begin alike keep their ends where they are cut")
    func similarTitles() {
        let titles = ["Minutes of the whole staff, draft 1", "Minutes of the whole staff, draft 2", "Lunch"]
        let apps = ["LibreOffice Writer", "LibreOffice Calc", "Mail"]
        var world = CoreWorld(size: Size(390, 844), idiom: .phone)
        for (index, title) in titles.enumerated() {
            let content = NoticeContent(app: apps[index], name: apps[index], title: title)
            world.send(.notice(.notify(NoticeID(UInt32(index + 1)), content, sender: ":1.5", at: 1_800_000_000)))
        }
        world.wait(20_000)
        world.act(.notifications)
        world.rest()
        let texts = texts(world).map(\.text)
        for name in titles.prefix(2) + apps.prefix(2) { #expect(texts.contains(.similar(name)), "\(name)") }
        for name in [titles[2], apps[2]] { #expect(texts.contains(.verbatim(name)), "\(name)") }
    }

    private func rows(_ world: CoreWorld) -> Int {
        world.controls.count { $0.id.path.hasPrefix("item/") && !$0.id.path.contains("/button") }
    }

    /// The words of an item, and where they are.
    private func texts(_ world: CoreWorld) -> [(text: Text, frame: Rect, alignment: TextAlignment)] {
        world.system.items(at: world.now).compactMap { item in
            if case .art(.text(let text, _, _, let alignment, _), _) = item.kind { (text, item.frame, alignment) } else { nil }
        }
    }

    @Test(
        "X-05: the age leaves a title its line, at each size of text; large text has it below the title", arguments: [1, 1.3, 1.6, 2],
        [30, 300, 30_000, 3_000_000] as [Double])
    func ageBesideTitle(size: Double, seconds: Double) throws {
        for screen in [Size(390, 844), Size(1180, 820)] {
            var world = CoreWorld(size: screen, keepsHistory: false)
            world.act(.textSize(size))
            notify(&world, 1, app: "mail")
            world.wait(seconds * 1000)
            world.act(.notifications)
            world.wait(1000)
            let texts = texts(world), age = texts.first { isAge($0.text) }
            let title = try #require(texts.first { $0.text == .verbatim("Title 1") }).frame, ageFrame = try #require(age).frame
            #expect(!title.intersects(ageFrame))
            let line = ageFrame.minY >= title.maxY - 1 ? title.width : title.width + ageFrame.width + 8
            #expect(title.width >= line * 0.65, "\(title) \(ageFrame)")
            #expect(world.system.violations() == [])
        }
    }

    @Test(
        "P-04: the buttons above the list lie in its panel, on each watch and phone and at each size of text",
        arguments: [1, 1.5, 2] as [Double])
    func headInPanel(size: Double) throws {
        for (idiom, screen) in [
            (Idiom.watch, Size(198, 242)), (.watch, Size(272, 340)), (.phone, Size(390, 844)), (.phone, Size(320, 568)),
        ] {
            var world = CoreWorld(size: screen, idiom: idiom, keepsHistory: false)
            world.act(.textSize(size))
            notify(&world, 1, app: "mail")
            world.wait(1000)
            world.act(.notifications)
            world.wait(1000)
            let panel = try #require(world.controls.first { $0.id == "notifications" }).frame
            for id in ["notifications/quiet", "notifications/clear-all"] as [ControlID] {
                let control = try #require(world.controls.first { $0.id == id })
                #expect(panel.contains(control.frame), "\(id) \(control.frame) in \(panel) of \(screen)")
            }
        }
    }

    private func isAge(_ text: Text) -> Bool {
        if case .message(let message, _) = text {
            [.noticeNow, .noticeMinutes, .noticeHours, .noticeDays].contains(message)
        } else {
            false
        }
    }

    @Test("X-03: the dot of what is unread touches no words: on the desk it is on the bell, and in the list before the title")
    func unreadDot() throws {
        for idiom in [Idiom.mac, .pad, .phone] {
            var world = CoreWorld(idiom: idiom)
            world.open(1)
            world.act(.notice(.quiet(true)))
            notify(&world, 1, app: "mail")
            world.wait(1000)
            func dots() -> [Rect] {
                world.system.items(at: world.now).filter { $0.kind == .fill(.badge) && $0.frame.width <= 10 }.map(\.frame)
            }
            let dot = try #require(dots().first)
            #expect(dots().count == 1 && !texts(world).contains { $0.frame.inset(by: -4).intersects(dot) }, "\(idiom.name)")
            if let bell = world.controls.first(where: { $0.id == "menu-bar/notifications" }) {
                #expect(bell.frame.contains(dot))
            } else {
                #expect(idiom.name != "mac")
            }
            world.act(.notifications)
            world.wait(1000)
            let title = try #require(texts(world).first { $0.text == .verbatim("Title 1") }).frame, inList = try #require(dots().first)
            #expect(dots().count == 1 && inList.maxX + 6 <= title.minX && abs(inList.center.y - title.center.y) < 8, "\(idiom.name)")
        }
    }

    @Test("X-03: a long list shows a hundred at a time")
    func pages() throws {
        var world = CoreWorld(keepsHistory: false)
        world.open(1)
        for id in 1...250 { notify(&world, UInt32(id), app: "mail") }
        for id in 251...370 { notify(&world, UInt32(id), app: "app \(id)") }
        world.wait(60_000)
        world.act(.notifications)
        world.wait(1000)
        let views = try #require(world.system.views(at: world.now))
        // A hundred apps, and a press shows the others.
        let whole = views.noticeListPlan.length
        world.act(.notice(.unfold(group: "")))
        world.wait(1000)
        let all = try #require(world.system.views(at: world.now)).noticeListPlan.length
        #expect(all > whole * 1.15)
        var lengths = [all]
        for _ in 1...4 {
            world.act(.notice(.unfold(group: "mail")))
            world.wait(1000)
            lengths.append(try #require(world.system.views(at: world.now)).noticeListPlan.length)
        }
        // A hundred, two hundred, all, and the newest one only.
        #expect(lengths[1] > lengths[0] && lengths[2] - lengths[1] > (lengths[1] - lengths[0]) * 0.9)
        #expect(lengths[3] > lengths[2] && lengths[4] == lengths[0])
        // What is out of sight costs nothing.
        #expect(rows(world) < 20)
        world.act(.notifications)
        world.wait(1000)
        #expect(world.system.notices.unreadCount == 0)
        world.act(.notifications)
        world.wait(1000)
        #expect(try #require(world.system.views(at: world.now)).noticeListPlan.length == whole, "pages are forgotten with the list")
        #expect(world.system.violations() == [])
    }
}
