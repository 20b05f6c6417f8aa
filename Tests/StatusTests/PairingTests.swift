import Geometry
import Status
import Testing

/// The room of Bluetooth's devices alone, and the one that turns the screen.
@Suite("X-09: Bluetooth and rotation") struct PairingTests {
    private let now = Moment.zero
    private let buds = NearDevice(path: "/d/1", name: "Buds", icon: "audio-headphones")
    private let keys = NearDevice(path: "/d/2", name: "Keys", icon: "input-keyboard", isPaired: true)
    private let mouse = NearDevice(path: "/d/3", name: "Mouse", isPaired: true, isConnected: true, battery: 255)

    private func room() -> Pairing {
        var room = Pairing()
        _ = room.handle(.seen(true), in: true, at: now)
        _ = room.handle(.devices([buds, keys, mouse, NearDevice(path: "/d/4", name: "")]), in: true, at: now)
        return room
    }

    private func wish(_ action: PairingAction, code: String = "") -> Pairing.Event { .wish(action, code: Secret(code)) }

    @Test("the list: connected devices, paired ones, others; one without a name is no row, and a battery of 255 % is none")
    func list() {
        #expect(room().devices.map(\.name) == ["Mouse", "Keys", "Buds"])
        #expect(room().devices[0].battery == nil)
    }

    @Test("a new device is paired, trusted and connected; a paired one is connected, and a connected one disconnected")
    func picks() {
        var room = room()
        #expect(room.handle(wish(.pick("/d/1")), in: true, at: now) == [.pair("/d/1"), .changed])
        #expect(room.handle(wish(.pick("/d/2")), in: true, at: now) == [.refuse("another device is being connected")])
        #expect(room.handle(.done(path: "/d/1", failure: nil), in: true, at: now) == [.trust("/d/1"), .connect("/d/1"), .changed])
        #expect(room.handle(.done(path: "/d/1", failure: nil), in: true, at: now) == [.changed])
        #expect(room.busy == nil)
        #expect(room.handle(wish(.pick("/d/2")), in: true, at: now) == [.connect("/d/2"), .changed])
        #expect(room.handle(.done(path: "/d/2", failure: "page timeout"), in: true, at: now) == [.changed])
        #expect(room.trouble == .notConnected(name: "Keys", "page timeout"))
        #expect(room.handle(wish(.pick("/d/3")), in: true, at: now) == [.disconnect("/d/3"), .changed])
        #expect(room.handle(wish(.pick("/d/9")), in: true, at: now) == [.refuse("no device \"/d/9\" is in the list")])
        #expect(room.handle(wish(.forget("/d/1")), in: true, at: now) == [.refuse("no paired device \"/d/1\" is in the list")])
        #expect(room.handle(wish(.forget("/d/3")), in: true, at: now) == [.forget("/d/3"), .changed])
    }

    @Test("the six digits: a person says whether they are the same")
    func digits() {
        var room = room()
        _ = room.handle(wish(.pick("/d/1")), in: true, at: now)
        let asked = Pairing.Event.asked(3, path: "/d/1", name: "Buds", .sameDigits(42), isPaired: false)
        #expect(room.handle(asked, in: true, at: now) == [.asks, .changed])
        #expect(room.handle(wish(.answer, code: "1"), in: true, at: now) == [.refuse("no device asks for a code")])
        #expect(room.handle(wish(.confirm(true)), in: true, at: now) == [.answer(3, .yes), .settled, .changed])
        _ = room.handle(asked, in: true, at: now)
        #expect(room.handle(wish(.cancel), in: true, at: now) == [.answer(3, .no), .settled, .cancel("/d/1"), .changed])
    }

    @Test("a device that a person refuses, and one that offers nothing to connect to, leave no trouble behind")
    func noTrouble() {
        var room = room()
        _ = room.handle(wish(.pick("/d/1")), in: true, at: now)
        _ = room.handle(.asked(3, path: "/d/1", name: "Buds", .sameDigits(42), isPaired: false), in: true, at: now)
        #expect(room.handle(wish(.confirm(false)), in: true, at: now) == [.answer(3, .no), .settled, .changed])
        #expect(room.handle(.done(path: "/d/1", failure: "Authentication Failed"), in: true, at: now) == [])
        #expect(room.trouble == nil && room.busy == nil)
        _ = room.handle(wish(.pick("/d/1")), in: true, at: now)
        _ = room.handle(.done(path: "/d/1", failure: nil), in: true, at: now)
        #expect(room.handle(.done(path: "/d/1", failure: "br-connection-profile-unavailable"), in: true, at: now) == [.changed])
        #expect(room.trouble == nil && room.busy == nil)
        // A person who picks it is told.
        _ = room.handle(wish(.pick("/d/2")), in: true, at: now)
        _ = room.handle(.done(path: "/d/2", failure: "br-connection-profile-unavailable"), in: true, at: now)
        #expect(room.trouble == .notConnected(name: "Keys", "br-connection-profile-unavailable"))
    }

    @Test("a code that a person types: digits are up to six, and other codes up to sixteen signs")
    func codes() {
        var room = room()
        _ = room.handle(wish(.pick("/d/1")), in: true, at: now)
        _ = room.handle(.asked(1, path: "/d/1", name: "Buds", .digits, isPaired: false), in: true, at: now)
        for bad in ["", "12x", "1234567", "１２"] {
            _ = room.handle(wish(.answer, code: bad), in: true, at: now)
            #expect(room.trouble == .badCode && room.question != nil, "\(bad)")
        }
        #expect(room.handle(wish(.answer, code: "007"), in: true, at: now) == [.answer(1, .code(Secret("007"))), .settled, .changed])
        _ = room.handle(.asked(2, path: "/d/1", name: "Buds", .code, isPaired: false), in: true, at: now)
        #expect(room.handle(wish(.answer, code: "abc"), in: true, at: now) == [.answer(2, .code(Secret("abc"))), .settled, .changed])
        // A code for a keyboard is shown, and again with each key that was typed there.
        #expect(
            room.handle(.asked(3, path: "/d/1", name: "Buds", .shows("000042", typed: 0), isPaired: false), in: true, at: now)
                == [.answer(3, .yes), .asks, .changed])
        #expect(
            room.handle(.asked(4, path: "/d/1", name: "Buds", .shows("000042", typed: 1), isPaired: false), in: true, at: now)
                == [.answer(4, .yes), .asks, .changed])
        #expect(room.handle(.done(path: "/d/1", failure: nil), in: true, at: now).contains(.settled))
    }

    @Test("no device asks out of nowhere: without the page it is refused, and a paired one may come back")
    func nowhere() {
        var room = Pairing()
        func asked(_ asks: Pairing.Asks, isPaired: Bool) -> Pairing.Event { .asked(1, path: "/d/5", name: "X", asks, isPaired: isPaired) }
        #expect(room.handle(asked(.sameDigits(1), isPaired: false), in: true, at: now) == [.answer(1, .no)])
        #expect(room.handle(asked(.permission, isPaired: false), in: true, at: now) == [.answer(1, .no)])
        #expect(room.handle(asked(.permission, isPaired: true), in: true, at: now) == [.answer(1, .yes)])
        _ = room.handle(.seen(true), in: true, at: now)
        #expect(room.handle(asked(.permission, isPaired: false), in: true, at: now) == [.asks, .changed])
        #expect(room.handle(.locked, in: false, at: now) == [.answer(1, .no), .settled, .changed])
        #expect(room.handle(asked(.sameDigits(1), isPaired: false), in: false, at: now) == [.answer(1, .no)])
    }

    @Test("every sequence of five events: no question waits unseen, and every request is answered")
    func everySequence() {
        let steps: [(Pairing.Event, Bool)] = [
            (.seen(true), true), (.seen(false), true), (.devices([buds, keys]), true), (.devices(nil), true), (wish(.pick("/d/1")), true),
            (wish(.pick("/d/2")), true), (wish(.confirm(true)), true), (wish(.answer, code: "1"), true), (wish(.cancel), true),
            (.asked(1, path: "/d/1", name: "Buds", .sameDigits(1), isPaired: false), true),
            (.asked(2, path: "/d/1", name: "Buds", .shows("1", typed: 0), isPaired: false), true),
            (.asked(3, path: "/d/2", name: "Keys", .code, isPaired: true), true), (.withdrawn(1), true),
            (.done(path: "/d/1", failure: nil), true), (.done(path: "/d/1", failure: "no"), true), (.locked, false),
        ]
        var seen: Set<Pairing> = [Pairing()], open = [Pairing()]
        for _ in 0..<5 {
            var next: [Pairing] = []
            for room in open {
                for (step, isOpen) in steps {
                    var after = room
                    let outcomes = after.handle(step, in: isOpen, at: now)
                    #expect(after.violations(in: isOpen) == [], "\(step)")
                    if let old = room.question, after.question?.request != old.request, !old.asks.isShown, step != .withdrawn(old.request),
                        step != .devices(nil), step != .done(path: old.path, failure: nil), step != .done(path: old.path, failure: "no")
                    {
                        #expect(outcomes.contains { if case .answer(old.request, _) = $0 { true } else { false } }, "\(step)")
                    }
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            open = next
        }
        #expect(seen.count > 20)
    }

    // MARK: Rotation

    @Test("the screen turns with the device while a person can see it and has not locked it, and the sensor is read only then")
    func turning() {
        var room = Turning()
        let on = Turning.Context(turns: true, isLocked: false), locked = Turning.Context(turns: true, isLocked: true)
        #expect(room.handle(.settled, in: on, at: now) == [], "there is no sensor")
        #expect(room.handle(.sensor(true), in: on, at: now) == [.changed, .sense(true)])
        #expect(room.handle(.held(.left), in: on, at: now) == [.turn(1)])
        #expect(room.handle(.held(.left), in: on, at: now) == [])
        #expect(HeldWay.allCases.map(\.turns) == [0, 1, 2, 3])
        #expect(room.handle(.settled, in: locked, at: now) == [.sense(false)])
        #expect(room.handle(.held(.over), in: locked, at: now) == [])
        #expect(room.handle(.settled, in: on, at: now) == [.sense(true), .turn(2)])
        #expect(room.handle(.settled, in: .init(turns: false, isLocked: false), at: now) == [.sense(false)])
        #expect(room.handle(.sensor(false), in: on, at: now) == [.changed])
    }
}
