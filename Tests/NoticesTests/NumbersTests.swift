import Callers
import Geometry
import Testing

@testable import Notices

@Suite("X-03: the numbers by which senders know their notifications")
struct NumbersTests {
    /// Sends a call as the adapter does. Returns the notification's number in the list.
    @discardableResult
    private func send(
        _ room: inout NoticeRoom, _ title: String, _ number: UInt32, as name: String = "script", from sender: String, progress: Int? = nil,
        timeout: Int? = nil,
        app: String = ""
    ) -> (id: NoticeID, turn: Notices.Turn) {
        var content = NoticeContent(app: app, name: name, title: title)
        content.claimed = number == 0 ? nil : number
        (content.progress, content.timeout, content.owner) = (progress, timeout, .user)
        var next = room.notices.last + 1
        while room.notices.isTaken(next) { next += 1 }
        let id = room.notices.target(of: content, replaces: number == 0 ? nil : NoticeID(number), sender: sender) ?? NoticeID(next)
        return (id, room.notify(id.raw, content, from: sender))
    }

    @Test("a script that chooses a number itself has one notification, over restarts, and each hears of its end by that number")
    func chosen() {
        var room = NoticeRoom()
        let first = send(&room, "one", 991, from: ":1.1").id
        room.handle(.senderGone(":1.1"))
        #expect(send(&room, "two", 991, from: ":1.2").id == first)
        #expect(send(&room, "three", 991, from: ":1.3").id == first, "the last call counts, also while another one waits for the end")
        #expect(room.notices.all.count == 1 && room.notices[first]?.content.title == "three")
        #expect(room.notices.last == first.raw, "no number that a sender chose uses up those of the shell")
        room.perform(.dismiss(first))
        #expect(room.told.contains(.closed(NoticeID(991), to: ":1.3", .dismissed)))
        var kept = NoticeRoom()
        let id = send(&kept, "one", 991, from: ":1.1").id
        var again = NoticeRoom()
        again.handle(.restored(Array(kept.notices.all.values), [], nil, at: again.wall))
        #expect(send(&again, "two", 991, from: ":1.1").id == id)
    }

    @Test("several programs with one number stay apart, and none gets it as a new one")
    func apart() {
        var room = NoticeRoom()
        let mine = send(&room, "mine", 7, as: "a", from: ":1.1").id, other = send(&room, "other", 7, as: "b", from: ":1.2").id
        #expect(mine != other && room.notices.all.count == 2)
        for _ in 0..<8 { send(&room, "new", 0, as: "c", from: ":1.3") }
        #expect(room.notices.all.keys.allSatisfy { $0.raw != 7 })
        #expect(room.notices.notice(numbered: 7, by: ":1.1")?.id == mine && room.notices.notice(numbered: 7, by: ":1.2")?.id == other)
        #expect(room.notices.notice(numbered: 7, by: ":1.3") == nil)
    }

    @Test("a bar that a person swept away comes back as one quiet entry, and its end may show a banner")
    func swept() {
        var room = NoticeRoom()
        let id = send(&room, "Copying", 0, from: ":1.1", progress: 10).id
        room.perform(.dismiss(id))
        var found: Set<NoticeID> = []
        for step in 2...9 {
            let (id, turn) = send(&room, "Copying", id.raw, from: ":1.1", progress: step * 10)
            found.insert(id)
            #expect(turn.banners == [] && turn.sounds == [])
        }
        #expect(found.count == 1 && room.notices.all.count == 1)
        #expect(send(&room, "Copied", id.raw, from: ":1.1").turn.banners == Array(found))
    }

    @Test("a sender that names a time hears of its end after it, once, and the entry stays", arguments: [1, 2, 30])
    func timeout(seconds: Int) {
        var room = NoticeRoom()
        let id = send(&room, "done", 0, from: ":1.1", timeout: seconds).id
        #expect(room.told.contains(.wake(at: room.wall + Int64(seconds) + 1)))
        room.pass(Int64(seconds))
        room.tick()
        #expect(!room.told.contains { if case .closed = $0 { true } else { false } })
        room.pass(1)
        room.tick()
        room.pass(100)
        room.tick()
        #expect(room.told.filter { if case .closed = $0 { true } else { false } } == [.closed(id, to: ":1.1", .expired)])
        #expect(room.notices.listed.map(\.id) == [id])
        room.perform(.dismiss(id))
        #expect(room.told.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    @Test("what an app can be asked by a tap hours later has no end by itself; a newer call begins the time anew")
    func lasting() {
        var room = NoticeRoom(), content = mail()
        content.timeout = 5
        room.notify(1, content)
        #expect(room.notices[NoticeID(1)]?.expires == nil)
        let id = send(&room, "one", 55, from: ":1.2", timeout: 5).id
        room.pass(4)
        send(&room, "two", 55, from: ":1.2", timeout: 5)
        room.pass(4)
        room.tick()
        #expect(room.notices[id]?.sender == ":1.2")
        room.pass(2)
        room.tick()
        #expect(room.told.contains(.closed(NoticeID(55), to: ":1.2", .expired)))
    }
}
