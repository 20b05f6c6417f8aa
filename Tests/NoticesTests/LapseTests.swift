import Geometry
import Testing

@testable import Notices

/// What holds only as long as somebody stands for it.
@Suite("X-03: notifications whose sender is gone")
struct LapseTests {
    private func call(_ category: String = "call.incoming", app: String = "phone") -> NoticeContent {
        var content = NoticeContent(app: app, name: "Phone", title: "Anna", body: "Incoming call", level: .timeSensitive)
        content.category = category
        content.buttons = [NoticeButton(key: "answer", label: "Answer"), NoticeButton(key: "decline", label: "Decline")]
        content.stays = category == "call.incoming"
        return content
    }

    private func job(_ progress: Int) -> NoticeContent {
        var content = NoticeContent(app: "files", name: "Files", title: "Copying", body: "40 of 100")
        content.progress = progress
        return content
    }

    @Test("an incoming call becomes a missed one, in the list, without buttons")
    func incoming() {
        var room = NoticeRoom()
        room.notify(1, call(), from: ":1.5")
        room.told = []
        room.handle(.senderGone(":1.5"))
        let missed = room.notices[NoticeID(1)]?.content
        #expect(missed?.lapse == .missedCall && missed?.category == "call.missed" && missed?.stays == false)
        #expect(missed?.buttons == [] && missed?.body == "" && missed?.title == "Anna")
        #expect(room.told.contains(.keep(NoticeID(1))))
    }

    @Test("a call that goes on ends with its sender, one that was missed before stays as it is; an alarm no longer stays on the screen")
    func others() {
        var room = NoticeRoom()
        room.notify(1, call("call.ongoing"), from: ":1.5")
        room.notify(2, call("call.missed"), from: ":1.5")
        var alarm = call("alarm.ringing")
        alarm.stays = true
        room.notify(3, alarm, from: ":1.5")
        room.told = []
        room.handle(.senderGone(":1.5"))
        #expect(room.notices[NoticeID(1)] == nil && room.told.contains(.forget(NoticeID(1))))
        #expect(room.notices[NoticeID(2)]?.content.lapse == nil && room.notices[NoticeID(2)]?.content.body == "Incoming call")
        #expect(room.notices[NoticeID(3)]?.content.stays == false)
    }

    @Test("a call by the portal ends when the app leaves the bus, not when the portal does")
    func portal() {
        var room = NoticeRoom()
        var content = call(app: "org.example.Phone")
        content.origin = NoticeOrigin(.portal, app: "org.example.Phone", id: "call")
        content.buttons = [NoticeButton(key: "app.answer", label: "Answer", target: NoticeTarget(action: "app.answer"))]
        room.notify(1, content, from: ":1.9")
        room.handle(.owner(app: "org.example.Phone", process: 42))
        #expect(room.notices[NoticeID(1)]?.content.process == 42)
        room.handle(.owner(app: "org.example.Other", process: nil))
        room.handle(.senderGone(":1.9"))
        #expect(room.notices[NoticeID(1)]?.content.lapse == nil && room.notices[NoticeID(1)]?.content.buttons.count == 1)
        room.handle(.owner(app: "org.example.Phone", process: nil))
        #expect(room.notices[NoticeID(1)]?.content.lapse == .missedCall && room.notices[NoticeID(1)]?.content.buttons == [])
        #expect(room.notices[NoticeID(1)]?.content.process == nil)
    }

    @Test("a bar goes with a sender that stood for it; a brief sender's goes after ten seconds, unless another one renews it")
    func bars() {
        var room = NoticeRoom()
        room.notify(1, job(40), from: ":1.5")
        room.pass(3)
        room.handle(.clock(room.wall, NoticeZone()))
        room.handle(.senderGone(":1.5"))
        #expect(room.notices[NoticeID(1)]?.content.progress == nil && room.notices[NoticeID(1)]?.content.lapse == .stopped)

        // notify-send, again and again.
        for step in 0..<4 {
            var content = job(10 * step)
            content.key = "copy"
            let sender = ":1.\(20 + step)"
            room.notify(2, content, from: sender)
            room.told = []
            room.handle(.senderGone(sender))
            #expect(room.notices[NoticeID(2)]?.content.progress == 10 * step)
            if step == 0 { #expect(room.told.contains(.wake(at: room.wall + 10))) }
            room.pass(8)
            room.tick()
            #expect(room.notices[NoticeID(2)]?.content.progress == 10 * step)
        }
        room.pass(2)
        room.tick()
        #expect(room.notices[NoticeID(2)]?.content.progress == nil && room.notices[NoticeID(2)]?.content.lapse == .stopped)

        room.notify(3, job(100), from: ":1.40")
        room.pass(20)
        room.tick()
        room.handle(.senderGone(":1.40"))
        #expect(room.notices[NoticeID(3)]?.content.progress == 100 && room.notices[NoticeID(3)]?.content.lapse == nil)
    }

    @Test("what was kept over a restart is nobody's: calls and bars lapse at once")
    func restored() {
        var room = NoticeRoom()
        room.notify(1, call(), from: ":1.5")
        room.notify(2, job(40), from: ":1.5")
        let kept = Array(room.notices.all.values)
        var next = NoticeRoom()
        next.handle(.restored(kept, [], nil, at: next.wall))
        #expect(next.notices[NoticeID(1)]?.content.lapse == .missedCall)
        #expect(next.notices[NoticeID(2)]?.content.lapse == .stopped && next.notices[NoticeID(2)]?.content.progress == nil)
    }

    @Test(
        "what tells of the machine's last run does not outlive it; what people wrote and what was scheduled does", arguments: [true, false])
    func reboot(isNewRun: Bool) {
        var room = NoticeRoom()
        func content(_ category: String, app: String = "", level: NoticeLevel = .active, _ change: (inout NoticeContent) -> Void = { _ in })
            -> NoticeContent
        {
            var content = NoticeContent(app: app, name: "N", title: "T", level: level)
            content.category = category
            change(&content)
            return content
        }
        let ending = [
            content("system"), content("device.added"), content("network.connected"), content("battery.low", level: .critical),
            content("", level: .timeSensitive), content("", app: "files") { $0.progress = 40 },
            content("", app: "updates") { $0.isOfThisBoot = true }, content("alarm.ringing", app: "clocks", level: .timeSensitive),
            content("call.ongoing", app: "phone"),
        ]
        let staying = [
            content("", app: "mail"), content("im.received", app: "chat", level: .timeSensitive), content("call.incoming", app: "phone"),
            content("", app: "calendar", level: .timeSensitive), content(""), content("transfer.complete", app: "files"),
            content("", level: .timeSensitive) { $0.unsent = "Yes" },
        ]
        for (index, one) in (ending + staying).enumerated() { room.notify(UInt32(index + 1), one, from: nil) }
        room.handle(
            .schedule(
                NoticeSchedule(
                    name: "s", content: content("alarm.ringing", level: .timeSensitive), due: room.wall + 1, repeats: nil, payload: ""),
                at: room.wall))
        room.pass(1)
        room.tick()
        let kept = Array(room.notices.all.values)
        #expect(kept.count == ending.count + staying.count + 1)
        var next = NoticeRoom()
        next.handle(.restored(kept, [], nil, at: next.wall, endedRuns: isNewRun ? kept.map(\.id) : []))
        let left = Set(next.notices.all.keys.map(\.raw))
        for index in ending.indices where left.contains(UInt32(index + 1)) == isNewRun {
            Issue.record("\(ending[index].category) \(index)")
        }
        for index in staying.indices { #expect(left.contains(UInt32(ending.count + index + 1)), "\(staying[index])") }
        #expect(left.count == (isNewRun ? staying.count + 1 : kept.count))
        #expect(next.told.filter { if case .forget = $0 { true } else { false } }.count == (isNewRun ? ending.count : 0))
    }

    @Test("an app is in front by the process of its window, whatever the window calls itself")
    func inFront() {
        var room = NoticeRoom()
        room.surroundings.activeApp = "chat.py"
        room.surroundings.activeProcess = 42
        var content = mail(app: "org.example.Chat")
        #expect(room.notify(1, content).banners == [NoticeID(1)])
        content.process = 41
        #expect(room.notify(2, content).banners == [NoticeID(2)])
        content.process = 42
        #expect(room.notify(3, content).banners == [] && room.notices[NoticeID(3)]?.isRead == true)
        room.surroundings = Notices.Surroundings()
        room.notify(4, content)
        #expect(room.notices.badge(of: "org.example.Chat") == 3)
        _ = room.notices.read(process: 42)
        #expect(room.notices.badge(of: "org.example.Chat") == 0 && room.notices.violations() == [])
    }

    @Test("no notification rings, runs or asks for an answer without a sender, whatever happens in whatever order")
    func sequences() {
        let steps: [@Sendable (inout NoticeRoom) -> Void] = [
            { $0.notify(1, LapseTests().call(), from: ":1.1") },
            { $0.notify(1, LapseTests().job(40), from: ":1.2") },
            { $0.notify(2, LapseTests().job(60), from: ":1.1") },
            { $0.handle(.senderGone(":1.1")) },
            { $0.handle(.senderGone(":1.2")) },
            { $0.handle(.close(NoticeID(1))) },
            { $0.perform(.snooze(NoticeID(1))) },
            {
                $0.pass(11)
                $0.tick()
            },
            { $0.told += $0.notices.keepUnsent(NoticeID(2), "Yes").effects },
        ]
        func go(_ room: NoticeRoom, _ path: [Int]) {
            for notice in room.notices.all.values where notice.sender == nil {
                let content = notice.content
                let runs = (content.progress ?? 100) < 100 && notice.lapses == nil
                if content.category == "call.incoming" || runs { Issue.record("\(path): \(content)") }
            }
            guard path.count < 4 else { return }
            for (index, step) in steps.enumerated() {
                var next = room
                step(&next)
                go(next, path + [index])
            }
        }
        go(NoticeRoom(), [])
    }
}
