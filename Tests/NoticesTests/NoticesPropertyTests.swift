import Geometry
import Testing

@testable import Notices

/// A generator that gives the same numbers for the same seed.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

@Suite struct NoticesPropertyTests {
    /// Whatever happens in whatever order: the invariants hold, every sender hears of each end once, and what the disk has follows.
    @Test("S-07, S-12: random days keep every law", arguments: 0..<6)
    func randomDays(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 7919 &+ 1), room = NoticeRoom(), last: UInt32 = 0
        let apps = ["mail", "music", "", "files"], senders = [":1.1", ":1.2", ":1.3"]
        var open: [NoticeID: String] = [:], disk: Set<NoticeID> = [], schedules: Set<String> = []
        func check(_ effects: [NoticeEffect]) {
            for effect in effects {
                switch effect {
                case .closed(let id, let sender, _):
                    #expect(open.removeValue(forKey: id) == sender, "\(id) ended twice, or for somebody else")
                case .invoked(let id, let sender, _): #expect(open[id] == sender)
                case .keep(let id): disk.insert(id)
                case .forget(let id): disk.remove(id)
                case .keepSchedule(let key): schedules.insert(key)
                case .forgetSchedule(let key): schedules.remove(key)
                case .replied(let id, let sender, _): #expect(open[id] == sender)
                case .tapped, .activate, .keepChoices, .keepRead, .wake, .copy: break
                }
            }
        }
        func any() -> NoticeID { room.notices.all.keys.randomElement(using: &dice) ?? NoticeID(1) }
        for _ in 0..<600 {
            room.pass(Int64.random(in: 0...40, using: &dice))
            room.surroundings = .init(
                activeApp: Bool.random(using: &dice) ? apps.randomElement(using: &dice) : nil,
                isLocked: Int.random(in: 0..<5, using: &dice) == 0,
                isBusy: Int.random(in: 0..<5, using: &dice) == 0)
            switch Int.random(in: 0..<13, using: &dice) {
            case 0...4:
                var content = mail(
                    "\(Int.random(in: 0..<9, using: &dice))", level: NoticeLevel.allCases.randomElement(using: &dice)!,
                    app: apps.randomElement(using: &dice)!)
                content.isTransient = Int.random(in: 0..<6, using: &dice) == 0
                content.isResident = Int.random(in: 0..<6, using: &dice) == 0
                content.key = Int.random(in: 0..<6, using: &dice) == 0 ? "key" : ""
                if Int.random(in: 0..<4, using: &dice) == 0 {
                    content.category = ["call.incoming", "call.ongoing", "alarm.ringing"].randomElement(using: &dice)!
                }
                content.progress = Int.random(in: 0..<4, using: &dice) == 0 ? 40 : nil
                if Bool.random(using: &dice) { content.buttons = [NoticeButton(key: "a", label: "A")] }
                let sender = senders.randomElement(using: &dice)!
                let replaces = Bool.random(using: &dice) ? any() : nil
                let id = room.notices.target(of: content, replaces: replaces, sender: sender)
                last = max(last, room.notices.last) + (id == nil ? 1 : 0)
                let number = id ?? NoticeID(last)
                open[number] = sender
                check(room.notify(number.raw, content, from: sender).effects)
            case 5: check(room.perform(.open(any())).effects)
            case 6:
                check(
                    room.perform([.dismiss(any()), .press(notice: any(), button: "a"), .snooze(any())].randomElement(using: &dice)!).effects
                )
            case 7: check(room.handle(.close(any())).effects)
            case 8:
                let sender = senders.randomElement(using: &dice)!
                open = open.filter { $0.value != sender }
                check(room.handle(.senderGone(sender)).effects)
            case 9:
                check(
                    room.perform(
                        [
                            .clear(group: "mail"), .clearAll, .quiet(nil),
                            .choose(app: "music", what: .manner(.allCases.randomElement(using: &dice)!)),
                        ].randomElement(using: &dice)!
                    ).effects)
            case 10:
                let due = room.wall + Int64.random(in: -100...4000, using: &dice)
                let repeats = [nil, NoticeRepeat.daily, .every(seconds: 600)].randomElement(using: &dice)!
                check(
                    room.handle(
                        .schedule(
                            NoticeSchedule(
                                name: "\(Int.random(in: 0..<5, using: &dice))", content: mail("later"), due: due, repeats: repeats),
                            at: room.wall)
                    ).effects)
            case 11:
                room.wall += Int64.random(in: -5000...5000, using: &dice)
                check(room.tick().effects)
            default: check(room.notices.bannerEnded(any()).effects)
            }
            let kept = Set(room.notices.all.values.filter { !$0.content.isTransient }.map(\.id))
            #expect(kept == disk)
            #expect(Set(room.notices.schedules.keys) == schedules)
        }
        // A restart brings back the same list and the same schedules.
        var next = NoticeRoom()
        next.handle(
            .restored(
                room.notices.all.values.filter { !$0.content.isTransient }, room.notices.schedules.values.elements,
                room.notices.choices.chosen, at: room.wall))
        #expect(Set(next.notices.all.keys) == disk)
        #expect(Set(next.notices.schedules.keys) == schedules)
        #expect(next.notices.choices.chosen == room.notices.choices.chosen)
    }
}
