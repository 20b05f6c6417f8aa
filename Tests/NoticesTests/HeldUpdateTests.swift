import Callers
import Geometry
import Testing

@testable import Notices

@Suite("X-03: in a flood the last value wins")
struct HeldUpdateTests {
    /// A sender whose calls are served at the pace of its owner, as the adapter does it.
    private struct Flooded {
        var room = NoticeRoom()
        var held = HeldUpdates()
        var rates = Rates()
        var refused = 0

        func content(_ title: String, _ owner: Owner, progress: Int?) -> NoticeContent {
            var content = NoticeContent(app: "", name: "script", title: title)
            (content.owner, content.progress) = (owner, progress)
            return content.confined
        }

        mutating func call(
            _ title: String, replaces: UInt32, _ owner: Owner = .program("/usr/bin/copy"), from sender: String = ":1.1",
            progress: Int? = nil
        ) -> UInt32? {
            var content = content(title, owner, progress: progress)
            content.claimed = replaces == 0 ? nil : replaces
            let number = replaces == 0 ? nil : NoticeID(replaces),
                known = room.notices.target(of: content, replaces: number, sender: sender)
            guard rates.take(.noticeCalls, for: owner, at: room.now) else {
                guard let known, held.hold(known, .init(content, replaces: number, sender: sender)) else {
                    refused += 1
                    return nil
                }
                return replaces
            }
            let id = known ?? NoticeID(room.notices.last + 1)
            held.drop(id)
            room.notify(id.raw, content, from: sender)
            return replaces == 0 ? id.raw : replaces
        }

        mutating func look() {
            for update in held.take({ rates.take(.noticeCalls, for: $0, at: room.now) }) {
                let id =
                    room.notices.target(of: update.content, replaces: update.replaces, sender: update.sender)
                    ?? NoticeID(room.notices.last + 1)
                room.notify(id.raw, update.content, from: update.sender)
                if update.isSenderGone { room.handle(.senderGone(update.sender)) }
            }
        }

        mutating func rest() {
            for _ in 0..<60 where !held.isEmpty {
                room.pass(1)
                look()
            }
            #expect(held.isEmpty)
        }
    }

    @Test("a bar that is renewed ten thousand times at once ends with its last step, and each call is answered with its number")
    func last() {
        var world = Flooded()
        let number = world.call("Copying", replaces: 0, progress: 0)!
        for step in 1...10_000 { #expect(world.call("Copying \(step)", replaces: number, progress: step / 101) == number) }
        #expect(world.room.notices.all.count == 1 && world.room.notices.all.values[0].content.title != "Copying 10000")
        world.rest()
        #expect(world.room.notices.all.values.map(\.content.title) == ["Copying 10000"])
        #expect(world.refused == 0)
    }

    @Test("what names nothing that is there is refused; an owner has a share of what waits, and nobody else's is taken")
    func refused() {
        var world = Flooded()
        let flood = Owner.program("/usr/bin/flood"), sandbox = Owner.sandbox("org.a")
        let numbers = (0..<200).compactMap { world.call("\($0)", replaces: 0, flood) },
            mine = world.call("mine", replaces: 0, sandbox, from: ":1.2")!
        #expect(numbers.count == 200 && world.call("new", replaces: 0, flood) == nil)
        let held = numbers.count { world.call("again \($0)", replaces: $0, flood) == $0 }
        #expect(held == Quota.noticeUpdates.share.each)
        for step in 0..<500 { #expect(world.call("mine \(step)", replaces: mine, sandbox, from: ":1.2") == mine) }
        world.rest()
        #expect(world.room.notices[NoticeID(mine)]?.content.title == "mine 499")
        #expect(numbers.count { world.room.notices[NoticeID($0)]!.content.title == "again \($0)" } == held)
    }

    @Test("scripts that leave the bus after each call, too; one that has left hears nothing more")
    func gone() {
        var world = Flooded(), sender = 0
        for step in 0...1000 {
            sender += 1
            #expect(world.call("\(step)", replaces: 991, from: ":1.\(sender)", progress: 50) == 991)
            world.held.senderGone(":1.\(sender)")
            world.room.handle(.senderGone(":1.\(sender)"))
        }
        world.rest()
        let all = world.room.notices.all.values
        #expect(all.map(\.content.title) == ["1000"] && all[0].sender == nil)
    }

    @Test("a served call, and an end, take what waits with them")
    func dropped() {
        var world = Flooded()
        let number = world.call("a", replaces: 0)!
        for step in 1...300 { _ = world.call("\(step)", replaces: number) }
        #expect(!world.held.isEmpty)
        world.room.pass(1)
        _ = world.call("newest", replaces: number)
        #expect(world.held.isEmpty)
        world.rest()
        #expect(world.room.notices.all.values.map(\.content.title) == ["newest"])
    }
}
