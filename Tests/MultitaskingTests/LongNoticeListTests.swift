import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

@Suite("X-03: long lists of notifications")
struct LongNoticeListTests {
    private func notify(_ world: inout CoreWorld, _ id: UInt32, app: String) {
        world.send(.notice(.notify(NoticeID(id), NoticeContent(app: app, name: app, title: "Title \(id)", body: "Body"), sender: ":1.5", at: 1_800_000_000)))
    }

    private func rows(_ world: CoreWorld) -> Int { world.controls.count { $0.id.path.hasPrefix("item/") && !$0.id.path.contains("/button") } }

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
