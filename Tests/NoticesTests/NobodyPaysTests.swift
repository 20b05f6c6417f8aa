import Callers
import Geometry
import Testing

@testable import Notices

/// P-06: what one sender, app or sandbox does removes nothing of another's.
@Suite struct NobodyPaysTests {
    /// An ordinary sender, and what it told that must still be there, by the numbers that it knows.
    private struct Ordinary {
        var sender: String
        var owner: Owner
        var app: String
        var entries: [UInt32: NoticeContent] = [:]
        var schedules: [String: Int64] = [:]
    }

    /// The service as its senders know it.
    private struct Service {
        var room = NoticeRoom()

        mutating func notify(_ content: NoticeContent, replaces: UInt32 = 0, from sender: String) -> (number: UInt32, turn: Notices.Turn) {
            var content = content.confined
            content.claimed = replaces == 0 ? nil : replaces
            var next = room.notices.last + 1
            while room.notices.isTaken(next) { next += 1 }
            let id = room.notices.target(of: content, replaces: replaces == 0 ? nil : NoticeID(replaces), sender: sender) ?? NoticeID(next)
            return (replaces == 0 ? id.raw : replaces, room.notify(id.raw, content, from: sender))
        }

        mutating func withdraw(_ number: UInt32, from sender: String) {
            guard let notice = room.notices.notice(numbered: number, by: sender), notice.sender == sender else { return }
            room.handle(.close(notice.id))
        }

        mutating func schedule(_ schedule: NoticeSchedule) -> Bool {
            guard room.notices.objection(to: schedule) == nil else { return false }
            room.handle(.schedule(schedule, at: room.wall))
            return true
        }
    }

    @Test(
        "whatever others send, replace, withdraw, schedule or leave: an ordinary sender's entries stay complete, and its first banner comes",
        arguments: 0..<8)
    func complete(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 15_485_863 &+ 11), service = Service()
        service.room.notices.bounds = NoticeBounds(count: 100, bytes: 20_000)
        let kept = service.room.notices.bounds.kept
        var ordinary = [
            Ordinary(sender: ":1.1", owner: .app("mail"), app: "mail"),
            Ordinary(sender: ":1.2", owner: .sandbox("org.chat"), app: "org.chat"),
            Ordinary(sender: ":1.3", owner: .program("/usr/bin/cal"), app: ""),
        ]
        let loud: [(owner: Owner, app: String)] = [
            (.nameless, ""), (.sandbox("org.loud"), "org.loud"), (.portal("org.loud2"), "org.loud2"), (.program("/usr/bin/loud"), ""),
        ]
        let words = ["volume", "call", "", "", ""]
        func expectComplete(_ what: String) {
            for one in ordinary {
                for (number, content) in one.entries {
                    let notice = service.room.notices.notice(numbered: number, by: one.sender)
                    if notice?.sender != one.sender || notice?.content != content { Issue.record("\(one.owner) lost \(number) by \(what)") }
                }
                let names = service.room.notices.schedules.values.filter { $0.payer == one.owner }.map(\.name)
                if Set(names) != Set(one.schedules.keys) { Issue.record("\(one.owner) lost a schedule by \(what)") }
                let listed = Set(service.room.notices.listed.filter { $0.sender == one.sender }.map(\.number.raw))
                if !listed.isSuperset(of: one.entries.keys) { Issue.record("what \(one.owner) told is not listed any more, by \(what)") }
            }
        }
        for _ in 0..<250 {
            service.room.pass(Int64.random(in: 0...2, using: &dice))
            service.room.told = []
            if Int.random(in: 0..<6, using: &dice) == 0 {
                // An ordinary sender tells something, renews it, or takes it back.
                let place = Int.random(in: 0..<ordinary.count, using: &dice)
                var one = ordinary[place],
                    content = NoticeContent(app: one.app, name: "Own \(place)", title: "\(Int.random(in: 0..<99, using: &dice))")
                content.owner = one.owner
                content.key = words.randomElement(using: &dice)!
                switch Int.random(in: 0..<5, using: &dice) {
                case 0...2 where one.entries.count < kept - 1:
                    let replaces =
                        Bool.random(using: &dice)
                        ? one.entries.keys.sorted().randomElement(using: &dice) ?? 0 : UInt32.random(in: 0..<4, using: &dice)
                    let number = service.notify(content, replaces: replaces, from: one.sender).number
                    content = content.confined
                    content.claimed = replaces == 0 ? nil : replaces
                    // Its own name replaces its own.
                    for (other, before) in one.entries where !content.key.isEmpty && before.key == content.key && other != number {
                        if service.room.notices.notice(numbered: other, by: one.sender)?.sender != one.sender { one.entries[other] = nil }
                    }
                    one.entries[number] = content
                    if let stored = service.room.notices.notice(numbered: number, by: one.sender)?.content { one.entries[number] = stored }
                case 3:
                    guard let number = one.entries.keys.sorted().randomElement(using: &dice) else { break }
                    service.withdraw(number, from: one.sender)
                    one.entries[number] = nil
                default:
                    let name = "n\(Int.random(in: 0..<3, using: &dice))", due = service.room.wall + 1_000_000
                    if service.schedule(NoticeSchedule(name: name, content: content, due: due)) { one.schedules[name] = due }
                }
                ordinary[place] = one
                expectComplete("its own")
                continue
            }
            let (owner, app) = loud.randomElement(using: &dice)!, sender = ":1.\(Int.random(in: 10..<30, using: &dice))"
            let victim = ordinary.randomElement(using: &dice)!
            // A sandbox may name any app, any name and any number; a program outside one has its own name.
            var content = NoticeContent(
                app: owner.isConfined && Bool.random(using: &dice) ? victim.app : app,
                name: owner.isConfined ? "Own \(Int.random(in: 0..<3, using: &dice))" : "Loud", title: "loud")
            content.owner = owner
            content.key = words.randomElement(using: &dice)!
            content.body = String(repeating: "x", count: Int.random(in: 0...600, using: &dice))
            content.level = NoticeLevel.allCases.randomElement(using: &dice)!
            content.isTransient = Int.random(in: 0..<8, using: &dice) == 0
            content.progress = Int.random(in: 0..<5, using: &dice) == 0 ? 40 : nil
            content.timeout = Int.random(in: 0..<5, using: &dice) == 0 ? 1 : nil
            if Int.random(in: 0..<5, using: &dice) == 0 {
                content.category = ["call.incoming", "call.ongoing", "alarm.ringing"].randomElement(using: &dice)!
            }
            // The adapter gives a sandbox the app that is vouched for; what it claims is left out.
            if owner.isConfined { content.app = owner.vouchedApp ?? "" }
            let number =
                Bool.random(using: &dice)
                ? victim.entries.keys.sorted().randomElement(using: &dice) ?? 1 : UInt32.random(in: 0..<50, using: &dice)
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...4:
                for _ in 0..<Int.random(in: 1...12, using: &dice) {
                    _ = service.notify(content, replaces: Bool.random(using: &dice) ? number : 0, from: sender)
                }
            case 5: service.withdraw(number, from: sender)
            case 6: service.room.handle(.senderGone(sender))
            case 7:
                _ = service.schedule(
                    NoticeSchedule(
                        name: "n\(Int.random(in: 0..<3, using: &dice))", content: content,
                        due: service.room.wall + Int64.random(in: 0...50, using: &dice), holder: owner == .nameless ? sender : nil))
            case 8: service.room.tick()
            default: service.room.handle(.cancel(group: content.group, name: "n\(Int.random(in: 0..<3, using: &dice))"))
            }
            expectComplete("\(owner)")
            for case .closed(let number, let to, _) in service.room.told {
                #expect(!ordinary.contains { $0.sender == to }, "\(to) is told that \(number) ended")
            }
        }
        // After minutes of quiet, an ordinary sender's banner comes, whatever the others do at the same time.
        service.room.pass(300)
        service.room.tick()
        for step in 0..<40 {
            var content = NoticeContent(name: "Loud", title: "\(step)")
            content.owner = loud[step % loud.count].owner
            _ = service.notify(content, from: ":1.\(step + 10)")
        }
        for one in ordinary {
            var content = NoticeContent(app: one.app, name: "x", title: "for a person")
            content.owner = one.owner
            #expect(service.notify(content, from: one.sender).turn.banners.count == 1)
        }
    }
}
