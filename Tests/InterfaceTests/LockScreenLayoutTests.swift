import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Status
import Testing
import Windows

@Suite("X-10: the lock screen fits every screen") struct LockScreenLayoutTests {
    private static let places: [(idiom: Idiom, size: Size)] = [
        (.pad, Size(1180, 820)), (.pad, Size(820, 1180)), (.phone, Size(390, 844)), (.phone, Size(844, 390)), (.phone, Size(320, 568)),
        (.mac, Size(1440, 900)), (.tv, Size(1920, 1080)), (.watch, Size(198, 242)), (.watch, Size(176, 215)), (.roundWatch, Size(227, 227)),
        (.vision, Size(1180, 820)), (.car, Size(1280, 480)),
    ]

    @Test(
        "controls stay on the screen and lie beside each other, and the password can be written and sent",
        arguments: places.indices, [1.0, 1.5, 2])
    func fits(number: Int, textScale: Double) throws {
        let place = Self.places[number]
        for keys in [LockKeys.auto, .digits, .letters, .signs] {
            var preferences = Preferences(appearance: Appearance(textScale: textScale))
            if LockKeys.chosen.contains(keys) { preferences.lock.keys = keys }
            var world = CoreWorld(size: place.size, idiom: place.idiom, preferences: preferences, keepsHistory: false)
            _ = world.act(.lockScreen(.lock))
            try #require(world.system.lockScreen.isUp)
            check(world, place.size, "\(keys), clock")
            #expect(world.system.controls(at: world.now).contains { $0.id == "lock/open" })
            world.send(.lockScreen(.input(.key(.enter, text: nil))))
            if keys == .signs {
                guard let more = world.system.controls(at: world.now).first(where: { $0.id == "lock/key/signs" }) else { continue }
                world.send(.lockScreen(.input(.down(1, at: more.frame.center))))
                world.send(.lockScreen(.input(.up(1))))
            }
            world.send(.lockScreen(.input(.key(.space, text: "a"))))
            check(world, place.size, "\(keys), field")
            let ids = Set(world.system.controls(at: world.now).map(\.id))
            #expect(ids.isSuperset(of: ["lock/field", "lock/submit"]) && (ids.contains("lock/close") || ids.contains("lock/key/close")))
        }
    }

    @Test("every screen shows the time, also beside an emergency call; notifications are whole rows, or their number")
    func timeAndRows() throws {
        for place in Self.places {
            var preferences = Preferences()
            preferences.lock.emergency = "calls"
            var world = CoreWorld(size: place.size, idiom: place.idiom, preferences: preferences, keepsHistory: false)
            world.send(.appsChanged([App(id: "calls", name: "Calls", command: ["calls"])]))
            world.send(.status(.time(TimeOfDay(hour: 10, minute: 9))))
            for number in 1...9 as ClosedRange<UInt32> {
                let app = "app\(number)"
                world.act(.notice(.choose(app: app, what: .onLock(.content))))
                world.send(
                    .notice(.notify(NoticeID(number), NoticeContent(app: app, name: app, title: "T"), sender: ":1.\(number)", at: 0)))
            }
            world.act(.lockScreen(.lock))
            let all = world.system.controls(at: world.now)
            #expect(all.contains { $0.id == "lock/time" }, "\(place.idiom.name)")
            let rows = all.filter { $0.id.rawValue.hasPrefix("lock/notice") }
            // A round screen has no room for their number beside an emergency call.
            let isRound = place.idiom.round != nil
            #expect(rows.allSatisfy { $0.frame.height >= 16 } && rows.isEmpty == isRound, "\(place.idiom.name): \(rows.map(\.frame))")
            for control in all where control.id == "lock/time" || control.id == "lock/open" {
                #expect(rows.allSatisfy { $0.frame.intersection(control.frame).height < 2 }, "\(place.idiom.name): \(control.id)")
            }
        }
    }

    private func check(_ world: CoreWorld, _ size: Size, _ what: String) {
        let controls = world.system.controls(at: world.now).filter(\.isOperable), screen = Rect(origin: .zero, size: size)
        for (index, control) in controls.enumerated() {
            #expect(
                screen.inset(by: -1).contains(control.frame.origin) && control.frame.maxX <= screen.maxX + 1
                    && control.frame.maxY <= screen.maxY + 1,
                "\(what): \(control.id) at \(control.frame)")
            for other in controls[(index + 1)...] {
                let both = control.frame.intersection(other.frame)
                #expect(both.width < 2 || both.height < 2, "\(what): \(control.id) \(control.frame) and \(other.id) \(other.frame)")
            }
        }
    }
}
