import AudioSessions
import Geometry
import Interface
import Lifecycle
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

@Suite("X-03, S-07: notifications on the screen")
struct NoticeTests {
    private let wall: Int64 = 1_800_000_000

    private func isOpen(_ world: CoreWorld) -> Bool { world.interface.openNames.contains("notice") }

    private func content(_ title: String = "Anna", app: String = "mail") -> NoticeContent {
        var content = NoticeContent(app: app, name: "Mail", title: title, body: "Shall we have lunch at one?")
        content.hasDefault = true
        content.buttons = [NoticeButton(key: "reply", label: "Reply"), NoticeButton(key: "archive", label: "Archive")]
        return content
    }

    @discardableResult
    private func notify(_ world: inout CoreWorld, _ id: UInt32 = 1, _ content: NoticeContent? = nil) -> [Effect] {
        world.send(.notice(.notify(NoticeID(id), content ?? self.content(), sender: ":1.5", at: wall)))
    }

    private func control(_ world: CoreWorld, _ id: ControlID) throws -> ViewControl {
        try #require(world.controls.first { $0.id == id }, "no \(id)")
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol) {
        for pressed in [true, false] { world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: [])) }
    }

    private func told(_ effects: [Effect]) -> [NoticeEffect] {
        effects.compactMap { if case .notice(let effect) = $0 { effect } else { nil } }
    }

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        return world
    }

    @Test("X-03: a banner stays a while, and what it says stays in the list")
    func banner() throws {
        var world = world()
        let effects = notify(&world)
        #expect(isOpen(world) && world.workspace.focus == one && world.system.keyboard == .window(one))
        #expect(effects.contains(.audio(.playSound("message-new-instant", .alert))))
        world.wait(5900)
        #expect(isOpen(world))
        world.wait(200)
        #expect(!isOpen(world))
        #expect(world.system.notices.listed.map(\.id) == [NoticeID(1)])
        world.act(.notifications)
        world.wait(1000)
        #expect(try control(world, "notifications/item/1").press == .notice(.open(NoticeID(1))))
        // Who saw the list has read it.
        #expect(world.system.notices.badge(of: "mail") == 1)
        world.act(.notifications)
        world.wait(1000)
        #expect(world.system.notices.badge(of: "mail") == 0)
        #expect(world.finish() == [])
    }

    @Test("S-07: the end of an important task is told once, comes over a film, and a tap opens its app")
    func endOfTask() throws {
        var world = world()
        let app = AppProcess(101)
        for task in 1...2 { world.send(.life(.taskBegan(TaskID(UInt64(task)), app, name: "Export \(task)"))) }
        world.send(.life(.taskFinished(TaskID(1), text: "In sight")))
        #expect(world.system.notices.listed.isEmpty, "its app is in sight")
        world.open(2)
        world.wait(5000)
        world.send(.capture(.begins(client: 7, isOwnView: false)))
        world.send(.life(.taskFinished(TaskID(2), text: "Saved to Videos.")))
        let told = try #require(world.system.notices.listed.first)
        #expect(
            told.content.title == "Export 2" && told.content.body == "Saved to Videos." && told.content.level == .timeSensitive
                && isOpen(world))
        world.send(.life(.taskFinished(TaskID(2), text: "Again")))
        #expect(world.system.notices.listed.count == 1)
        world.act(.notice(.open(told.id)))
        world.wait(1000)
        #expect(world.workspace.focus == one && world.system.notices.listed.isEmpty)
        #expect(world.finish() == [])
    }

    @Test("S-07: while a program shares the screen, only what cannot wait has a banner, and the shell's own remote view is no sharing")
    func sharedScreen() {
        var world = world()
        world.send(.capture(.begins(client: 9, isOwnView: true)))
        notify(&world)
        #expect(isOpen(world))
        world.wait(7000)
        world.send(.capture(.begins(client: 7, isOwnView: false)))
        world.send(.capture(.begins(client: 8, isOwnView: false)))
        let effects = notify(&world, 2)
        #expect(!isOpen(world) && world.system.notices.listed.map(\.id) == [NoticeID(2), NoticeID(1)])
        #expect(!effects.contains { if case .audio(.playSound) = $0 { true } else { false } })
        var urgent = NoticeContent(app: "mail", name: "Mail", title: "Now", level: .timeSensitive)
        urgent.hasDefault = true
        world.send(.notice(.notify(NoticeID(3), urgent, sender: ":1.3", at: 1_000_000)))
        #expect(isOpen(world))
        world.wait(12_000)
        // Each end is of its own program, and a program that is gone shares nothing.
        world.send(.capture(.ends(client: 7)))
        #expect(world.system.isBusyForNotices)
        world.send(.clientGone(8))
        #expect(!world.system.isBusyForNotices)
        notify(&world, 4)
        #expect(isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("X-03: a tap tells the sender, and nobody else, and the banner goes")
    func tap() throws {
        var world = world()
        notify(&world)
        world.wait(1000)
        let before = world.effects.count
        world.tap(at: try control(world, "notice/open").frame.center)
        #expect(
            told(Array(world.effects[before...])) == [
                .invoked(NoticeID(1), to: ":1.5", button: "default"), .closed(NoticeID(1), to: ":1.5", .dismissed), .forget(NoticeID(1)),
            ])
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("X-03: a touch that was on its way to the app below opens nothing")
    func tooSoon() throws {
        var world = world()
        notify(&world)
        world.wait(300)
        world.tap(at: try control(world, "notice/open").frame.center)
        #expect(isOpen(world) && world.system.notices[NoticeID(1)] != nil)
        #expect(world.finish() == [])
    }

    @Test("X-03: a swipe up hides it, to the side removes it, down shows all of it")
    func swipes() throws {
        var world = world()
        notify(&world)
        world.wait(1000)
        var center = try control(world, "notice/open").frame.center
        world.drag(from: center, to: Point(center.x, center.y - 60), over: 120, resting: false)
        #expect(!isOpen(world) && world.system.notices.listed.count == 1)
        notify(&world, 2, content("Ben"))
        world.wait(1000)
        center = try control(world, "notice/open").frame.center
        world.drag(from: center, to: Point(center.x, center.y + 60), over: 200, resting: false)
        #expect(world.interface.notices.banner?.content.isExpanded == true)
        world.wait(20_000)
        // Who opened it reads it.
        #expect(isOpen(world))
        #expect(try control(world, "notice/button/0").name == .verbatim("Reply"))
        let before = world.effects.count
        world.tap(at: try control(world, "notice/button/1").frame.center)
        #expect(told(Array(world.effects[before...])).first == .invoked(NoticeID(2), to: ":1.5", button: "archive"))
        #expect(!isOpen(world))
        world.wait(6000)
        notify(&world, 3, content("Carl"))
        world.wait(1000)
        center = try control(world, "notice/open").frame.center
        world.drag(from: center, to: Point(center.x + 300, center.y), over: 150, resting: false)
        #expect(!isOpen(world) && world.system.notices[NoticeID(3)] == nil)
        #expect(world.finish() == [])
    }

    @Test("X-03: a small drag puts it back; held, it stays")
    func held() throws {
        var world = world()
        notify(&world)
        world.wait(1000)
        let center = try control(world, "notice/open").frame.center
        world.touch(down: center)
        world.slide(to: Point(center.x + 40, center.y))
        world.wait(20_000)
        #expect(isOpen(world))
        world.lift()
        world.wait(1000)
        #expect(isOpen(world) && world.system.notices[NoticeID(1)] != nil)
        world.wait(7000)
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("X-03: a long press and the right button show all of it")
    func expands() throws {
        var world = world()
        notify(&world)
        world.wait(1000)
        let center = try control(world, "notice/open").frame.center
        world.touch(down: center)
        world.wait(900)
        world.lift()
        #expect(world.interface.notices.banner?.content.isExpanded == true && world.system.notices[NoticeID(1)] != nil)
        world.point(at: try control(world, "notice/open").frame.center)
        world.send(.pointerButton(0x111, pressed: true))
        world.send(.pointerButton(0x111, pressed: false))
        #expect(world.interface.notices.banner?.content.isExpanded == false)
        #expect(world.finish() == [])
    }

    @Test("X-03: banners of windows and of notifications stand in one line")
    func oneLine() throws {
        var world = world()
        notify(&world)
        world.create(2, WindowFacts(appID: "files", lineage: [502, 1], client: 52))
        world.map(2)
        #expect(isOpen(world) && !world.interface.openNames.contains("banner"))
        world.wait(7000)
        #expect(!isOpen(world) && world.interface.openNames.contains("banner"))
        notify(&world, 2, content("Ben"))
        #expect(!isOpen(world))
        world.wait(9000)
        #expect(isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("X-03, X-02: keys reach the banner, every row and every button")
    func keys() throws {
        var world = world()
        notify(&world)
        world.wait(1000)
        world.act(.openWaiting())
        #expect(world.system.notices[NoticeID(1)] == nil)
        for id in 2...16 { notify(&world, UInt32(id), content("\(id)", app: id % 2 == 0 ? "mail" : "app\(id)")) }
        world.wait(60_000)
        world.act(.notifications)
        world.wait(1000)
        let panel = try #require(world.controls.first { $0.id == "notifications" }).frame
        var seen: Set<ControlID> = []
        for _ in 0..<70 {
            press(&world, .tab)
            guard let focus = world.interface.focus else { continue }
            seen.insert(focus)
            world.wait(800)
            // What has the focus is in sight.
            let frame = try control(world, focus).frame
            #expect(panel.inset(by: -1).contains(frame.center), "\(focus) is out of sight")
        }
        #expect(seen.contains("notifications/item/3") && seen.contains("notifications/item/15") && seen.contains("notifications/clear-all"))
        world.act(.keyFocus(view: "notifications/item/15"))
        press(&world, .delete)
        #expect(world.system.notices[NoticeID(15)] == nil)
        #expect(world.finish() == [])
    }

    @Test("X-03: the list scrolls, a row goes by a swipe to the side, groups unfold and clear")
    func list() throws {
        var world = world()
        for id in 1...40 { notify(&world, UInt32(id), content("\(id)", app: id % 2 == 0 ? "mail" : "app\(id)")) }
        world.wait(60_000)
        world.act(.notifications)
        world.wait(1000)
        let window = try #require(world.system.views(at: world.now)).noticeListPlan.window
        #expect(window.height < 800 && world.system.views(at: world.now)!.noticeListPlan.reach > 0)
        #expect(world.controls.allSatisfy { $0.frame.maxY <= window.maxY + 20 })
        world.drag(from: Point(window.center.x, window.maxY - 40), to: Point(window.center.x, window.minY + 40), over: 200, resting: false)
        world.wait(2000)
        #expect(world.interface.notices.scroll.value(at: world.now) > 100)
        world.act(.scroll(-100))
        world.wait(2000)
        #expect(world.interface.notices.scroll.value(at: world.now) == 0)
        let row = try control(world, "notifications/item/40").frame
        world.drag(from: row.center, to: Point(row.center.x - 250, row.center.y), over: 150, resting: false)
        #expect(world.system.notices[NoticeID(40)] == nil && world.interface.openNames.contains("notifications"))
        world.wait(1000)
        #expect(world.controls.contains { $0.id == "notifications/item/38" })
        #expect(!world.controls.contains { $0.id == "notifications/item/36" })
        world.act(.notice(.unfold(group: "mail")))
        world.act(.scroll(-100))
        world.wait(1000)
        let all = world.system.notices.listed.filter { $0.group == "mail" }.map(\.id.raw)
        #expect(all.count == 19)
        world.act(.notice(.clear(group: "mail")))
        #expect(world.system.notices.listed.allSatisfy { $0.group != "mail" })
        world.act(.notice(.clearAll))
        #expect(world.system.notices.all.isEmpty)
        world.wait(1000)
        #expect(world.controls.contains { $0.id == "notifications/empty" })
        #expect(world.finish() == [])
    }

    @Test(
        "X-03: in a car, the prompt of a navigation is a banner over the music; a tap as large as the idiom asks for tells the navigation")
    func car() throws {
        var world = CoreWorld(size: Size(1280, 480), idiom: .car)
        world.open(1, WindowFacts(appID: "map", title: "Map", client: 1))
        world.open(2, WindowFacts(appID: "music", title: "Music", client: 2))
        world.wait(5000)
        #expect(world.workspace.focus == two && !world.workspace.isShown(one))
        var prompt = content("In 300 metres, turn left", app: "map")
        prompt.buttons = []
        notify(&world, 1, prompt)
        world.wait(1000)
        #expect(isOpen(world) && world.system.keyboard == .window(two))
        let banner = try control(world, "notice/open")
        #expect(banner.target.height >= 76 && Rect(0, 0, 1280, 480).contains(banner.frame), "\(banner)")
        let before = world.effects.count
        world.tap(at: banner.frame.center)
        #expect(told(Array(world.effects[before...])).contains(.invoked(NoticeID(1), to: ":1.5", button: "default")))
        #expect(world.finish() == [])
    }

    @Test("S-07: an app in front and a film get no banner, and a locked screen counts")
    func quiet() throws {
        var world = world()
        let app = try #require(world.workspace[one]?.app)
        notify(&world, 1, content(app: app))
        #expect(!isOpen(world) && world.system.notices.badge(of: app) == 0)
        world.act(.notice(.quiet(nil)))
        notify(&world, 2)
        #expect(!isOpen(world))
        world.act(.notice(.quiet(false)))
        world.lock()
        notify(&world, 3)
        #expect(!isOpen(world))
        #expect(world.system.controls(at: world.now).contains { $0.id == "lock/notices" && $0.name == .message(.noticesWait, ["2"]) })
        #expect(world.act(.notice(.open(NoticeID(3)))).refusals == [WhileLocked.refusal])
        world.unlock()
        // It waits in the list; nothing comes late.
        world.wait(1000)
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("X-03: what an app may do is chosen in the list")
    func settings() throws {
        var world = world()
        notify(&world)
        world.wait(10_000)
        world.act(.notifications)
        world.wait(1000)
        world.tap(at: try control(world, "notifications/group/mail/settings").frame.center)
        world.wait(500)
        world.tap(at: try control(world, "notifications/setting/quietly").frame.center)
        #expect(world.system.notices.choices.manner(of: "mail") == .quietly)
        #expect(told(world.effects).contains(.keepChoices))
        #expect(try control(world, "notifications/setting/quietly").isChosen)
        world.act(.dismiss)
        #expect(world.controls.contains { $0.id == "notifications/item/1" })
        world.act(.dismiss)
        world.wait(1000)
        notify(&world, 2, content("Ben"))
        #expect(!isOpen(world))
        #expect(world.finish() == [])
    }

    @Test("S-12: a delivery shows a banner, marked late if it is")
    func schedule() throws {
        var world = world()
        let schedule = NoticeSchedule(name: "tea", content: NoticeContent(app: "mail", title: "Tea"), due: wall + 60)
        world.send(.notice(.schedule(schedule, at: wall)))
        #expect(told(world.effects).suffix(2) == [.keepSchedule("mail\ntea"), .wake(at: wall + 60)])
        world.send(.notice(.clock(wall + 300, NoticeZone())))
        #expect(isOpen(world) && world.system.notices.listed.first?.isLate == true)
        #expect(world.finish() == [])
    }

    @Test("X-03: on every idiom and the smallest screens, the banner and the list stay on the screen", arguments: Idiom.all.map(\.name))
    func smallScreens(name: String) throws {
        let idiom = try #require(Idiom.all.first { $0.name == name })
        // A television and a round watch have no such screens: their safe areas would leave no room.
        let isSafe = idiom.round != nil || idiom.views.growth != 1
        for size in isSafe ? [Size(480, 480), Size(1180, 820)] : [Size(180, 220), Size(320, 568), Size(1180, 820)] {
            var world = CoreWorld(size: size, idiom: idiom)
            world.act(.textSize(2))
            world.open(1)
            world.wait(5000)
            var long = content(String(repeating: "Word ", count: 40))
            long.body = String(repeating: "and more ", count: 100)
            notify(&world, 1, long)
            world.act(.notice(.expand(NoticeID(1))))
            world.wait(1000)
            let screen = Rect(origin: .zero, size: size)
            for control in world.controls where control.id.area == .notice {
                #expect(
                    screen.contains(control.frame.center) && control.frame.maxX <= size.width && control.frame.minX >= 0,
                    "\(control.id) on \(size)")
            }
            world.act(.notifications)
            world.wait(1000)
            #expect(world.controls.contains { $0.id == "notifications/item/1" })
            world.act(.notice(.settings(group: "mail")))
            for control in world.controls where control.id.area == .notifications {
                #expect(screen.contains(control.frame.center), "\(control.id) on \(size)")
            }
            world.act(.scroll(100))
            world.wait(3000)
            #expect(world.controls.contains { $0.id == "notifications/setting/lock-nothing" }, "the end of the choices on \(size)")
            #expect(world.finish() == [])
        }
    }
}
