import Seat
import Testing

@Suite("Gamepads as keys of a remote control") struct GamepadTests {
    private func report(_ pad: inout Gamepad, _ type: UInt16, _ code: UInt16, _ value: Int32) -> [Gamepad.Change] {
        #expect(pad.handle(.init(type: type, code: code, value: value)) == [], "nothing changes before the end of a report")
        return pad.handle(.init(type: 0, code: 0, value: 0))
    }

    @Test("buttons and the cross are keys, once each")
    func buttons() {
        var pad = Gamepad()
        #expect(report(&pad, 1, 0x130, 1) == [.init(key: 352, isPressed: true)])
        #expect(report(&pad, 1, 0x130, 2) == [])
        #expect(report(&pad, 1, 0x130, 0) == [.init(key: 352, isPressed: false)])
        #expect(report(&pad, 3, 0x10, -1) == [.init(key: 105, isPressed: true)])
        #expect(report(&pad, 3, 0x10, 1) == [.init(key: 105, isPressed: false), .init(key: 106, isPressed: true)])
        #expect(report(&pad, 3, 0x10, 0) == [.init(key: 106, isPressed: false)])
    }

    @Test("a stick has a dead zone, and does not flutter at its edge")
    func deadZone() {
        var pad = Gamepad(ranges: [0: .init(minimum: 0, maximum: 255)])
        #expect(report(&pad, 3, 0, 160) == [])
        #expect(report(&pad, 3, 0, 210) == [.init(key: 106, isPressed: true)])
        #expect(report(&pad, 3, 0, 190) == [], "still pushed")
        #expect(report(&pad, 3, 0, 128) == [.init(key: 106, isPressed: false)])
    }

    @Test("a thousand reports a second are two keys")
    func flood() {
        var pad = Gamepad(), count = 0
        for step in 0..<1000 {
            _ = pad.handle(.init(type: 3, code: 0, value: step < 500 ? Int32(step * 60) : Int32((1000 - step) * 60)))
            count += pad.handle(.init(type: 0, code: 0, value: 0)).count
        }
        #expect(count == 2)
    }

    @Test("law 4: a pad that vanishes, or that the kernel lost reports of, releases its keys")
    func vanishes() {
        var pad = Gamepad()
        _ = report(&pad, 1, 0x130, 1)
        _ = report(&pad, 3, 0x11, -1)
        #expect(pad.end() == [.init(key: 103, isPressed: false), .init(key: 352, isPressed: false)])
        #expect(pad.end() == [])
        _ = report(&pad, 1, 0x131, 1)
        #expect(pad.handle(.init(type: 0, code: 3, value: 0)) == [.init(key: 158, isPressed: false)])
    }

    @Test("a key that two buttons hold is released by the last")
    func shared() {
        var pad = Gamepad()
        _ = report(&pad, 1, 0x222, 1)
        #expect(report(&pad, 3, 0, -32768) == [])
        #expect(report(&pad, 1, 0x222, 0) == [])
        #expect(report(&pad, 3, 0, 0) == [.init(key: 105, isPressed: false)])
    }

    @Test("every key of a pad and of the table is one that a remote control has, and its meaning is known")
    func table() {
        #expect(Set(RemoteKeys.table.map(\.code)).count == RemoteKeys.table.count)
        for key in Gamepad.buttons.values where key > 138 { #expect(RemoteKeys.line(of: key) != nil, "\(key)") }
        #expect(RemoteKeys.line(of: 30) == nil && RemoteKeys.typed(352) == 28 && RemoteKeys.typed(30) == 30)
        #expect(RemoteKeys.line(of: 352)?.symbol == .enter)
    }
}
