import AudioSessions
import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

/// A person presses a key again and again, and sees each time what came of it.
@Suite("X-03, A-07: values that change at each press of a key") struct ScriptValueTests {
    private let wall: Int64 = 1_800_000_000

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.send(.audio(.devicesChanged(outputs: [AudioOutput(id: PortID("speaker"), kind: .speaker, name: "Speaker")], inputs: [])))
        world.wait(5000)
        return world
    }

    /// A script: each call is a connection of its own, which is gone at once.
    private func tell(_ value: Int?, key: String = "", transient: Bool = false, id: UInt32 = 1, call: Int, _ world: inout CoreWorld) {
        var content = NoticeContent(app: "", name: "volume", title: "Volume", body: value.map { "\($0) %" } ?? "")
        content.key = key
        content.progress = value
        content.isTransient = transient
        world.send(.notice(.notify(NoticeID(id), content, sender: ":1.\(call)", at: wall + Int64(call))))
        world.send(.notice(.senderGone(":1.\(call)")))
    }

    private func value(_ world: CoreWorld) -> Int? {
        guard world.interface.notices.isBannerOpen else { return nil }
        return world.interface.notices.banner?.content.notice.content.progress
    }

    @Test(
        "each value shows the banner anew, by a name or by a number, also when its banner went before", arguments: ["volume", ""],
        [false, true])
    func again(key: String, transient: Bool) {
        // Without a name, a transient one is over with its banner, and its number means nothing any more.
        if key.isEmpty, transient { return }
        var world = world()
        for (call, value) in [50, 56, 62].enumerated() {
            tell(value, key: key, transient: transient, call: call + 5, &world)
            #expect(self.value(world) == value)
            world.wait(7000)
            #expect(self.value(world) == nil, "it goes by itself")
        }
        // The same value, as at the end of the scale.
        tell(62, key: key, transient: transient, call: 20, &world)
        #expect(self.value(world) == 62)
        world.wait(7000)
        #expect(world.finish() == [])
    }

    @Test("while the banner is there it shows the last value, and stays from then on", arguments: [false, true])
    func fast(transient: Bool) {
        var world = world()
        for step in 0..<20 {
            tell(5 * step, key: "volume", transient: transient, call: step + 5, &world)
            #expect(value(world) == 5 * step)
            world.wait(200)
        }
        tell(95, key: "volume", transient: transient, call: 40, &world)
        world.wait(5500)
        #expect(value(world) == 95)
        world.wait(1000)
        #expect(value(world) == nil && world.system.notices.all.count == (transient ? 0 : 1))
        world.wait(30_000)
        #expect(value(world) == nil, "no banner waits in the line")
        #expect(world.finish() == [])
    }

    @Test("the steps of a job that its app reports itself show no banner again, and make no sound")
    func job() {
        var world = world()
        var content = NoticeContent(app: "files", name: "Files", title: "Copying", body: "Photos")
        content.progress = 10
        world.send(.notice(.notify(NoticeID(1), content, sender: ":1.9", at: wall)))
        world.wait(7000)
        content.progress = 20
        let effects = world.send(.notice(.notify(NoticeID(1), content, sender: ":1.9", at: wall + 7)))
        #expect(!world.interface.notices.isBannerOpen)
        #expect(!effects.contains { if case .audio(.playSound) = $0 { true } else { false } })
        #expect(world.finish() == [])
    }

    @Test("a value sounds once, and its steps leave the app's other banners their turn")
    func quiet() {
        var world = world(), sounds = 0
        for step in 0..<10 {
            var content = NoticeContent(app: "", name: "volume", title: "Volume", body: "")
            (content.key, content.progress) = ("volume", step)
            let effects = world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: wall)))
            sounds += effects.count { if case .audio(.playSound) = $0 { true } else { false } }
        }
        #expect(sounds <= 1)
        world.wait(8000)
        world.send(
            .notice(
                .notify(NoticeID(2), NoticeContent(app: "", name: "volume", title: "Battery", body: "Low"), sender: ":1.5", at: wall + 9)))
        #expect(world.interface.notices.isBannerOpen && world.interface.notices.banner?.content.notice.id == NoticeID(2))
    }

    @Test(
        "A-07: each press of a volume key shows the level anew: while it is there, while it goes, and after it went",
        arguments: [300.0, 1400, 1550, 1700, 4000])
    func volumeKey(pause: Double) {
        var world = world()
        func press(_ world: inout CoreWorld) {
            for isPressed in [true, false] { world.send(.key(code: 115, symbol: .raiseVolume, pressed: isPressed, modifiers: [])) }
        }
        for _ in 0..<20 {
            press(&world)
            #expect(world.interface.volume?.isOpen == true)
            world.wait(pause)
        }
        press(&world)
        world.wait(1300)
        #expect(world.interface.volume?.isOpen == true, "its time began again")
        world.wait(400)
        #expect(world.interface.volume?.isOpen != true)
        #expect(world.finish() == [])
    }
}
