import Geometry
import Interface
import Locking
import MullionTesting
import Multitasking
import Status
import Testing
import Windows

@Suite("X-10: the greeter fits every screen") struct GreeterLayoutTests {
    private static let places: [(idiom: Idiom, size: Size)] = [
        (.pad, Size(1180, 820)), (.pad, Size(820, 1180)), (.phone, Size(390, 844)), (.phone, Size(844, 390)), (.phone, Size(320, 568)),
        (.mac, Size(1440, 900)), (.tv, Size(1920, 1080)), (.watch, Size(198, 242)), (.watch, Size(176, 215)), (.roundWatch, Size(227, 227)),
        (.vision, Size(1180, 820)), (.car, Size(1280, 480)),
    ]

    private static func world(_ place: (idiom: Idiom, size: Size), _ count: Int, textScale: Double = 1) -> CoreWorld {
        var world = CoreWorld(
            size: place.size, idiom: place.idiom, preferences: Preferences(appearance: Appearance(textScale: textScale)),
            keepsHistory: false)
        world.send(.status(.ends(MachineEnd.allCases)))
        world.send(.lockScreen(.greeter(.begins)))
        let people = (0..<count).map { GreeterPerson(name: "person\($0)", title: "Person with a Long Name \($0)") }
        let sessions = ["mullion", "other", "third"].map { GreeterSession(id: $0, title: "Session \($0)", command: [$0]) }
        var memory = GreeterMemory()
        memory.person = "person2"
        world.send(.lockScreen(.greeter(.found(GreeterFacts(people: people, sessions: sessions, memory: memory, hasReader: true)))))
        return world
    }

    @Test(
        "controls stay on the screen and lie beside each other on each page; each person is reached by keys, and the field can be left",
        arguments: places.indices, [1.0, 1.5, 2])
    func fits(number: Int, textScale: Double) throws {
        let place = Self.places[number]
        var world = Self.world(place, 12, textScale: textScale)
        check(world, place.size, "people")
        func has(_ id: ControlID) -> Bool { world.system.controls(at: world.now).contains { $0.id == id && $0.isOperable } }
        #expect(has("lock/greeter/aids") && has("lock/greeter/power") && has("lock/greeter/sessions"))
        for page in GreetPage.allCases where page != .people {
            tap(ControlID(.lock, "greeter/\(page.rawValue)"), &world)
            #expect(world.system.greeter.page == page)
            check(world, place.size, "\(page)")
            tap("lock/close", &world)
            #expect(world.system.greeter.page == .people)
        }
        // The focus begins at the person of the last time, and the list follows it.
        key(.downArrow, &world)
        #expect(world.system.interface.focus == "lock/greeter/person/person2")
        for number in 3..<12 {
            key(number.isMultiple(of: 2) ? .downArrow : .tab, &world)
            let focus: ControlID = ControlID(.lock, "greeter/person/person\(number)")
            #expect(world.system.interface.focus == focus && has(focus), "P-03: the focus is out of sight")
        }
        check(world, place.size, "people, scrolled")
        key(.enter, &world)
        #expect(world.system.greeter.person == .listed("person11"))
        check(world, place.size, "field")
        #expect(has("lock/close") || has("lock/key/close"))
        key(.escape, &world)
        #expect(world.system.greeter.person == nil && world.system.violations().isEmpty)
    }

    @Test("a session that starts has one word on the screen, and nothing to press")
    func starting() {
        for place in Self.places {
            var world = Self.world(place, 2)
            key(.downArrow, &world)
            key(.enter, &world)
            let number = world.system.lockScreen.lastNumber
            world.send(.lockScreen(.talk(number, .ends(.allowed))))
            let controls = world.system.controls(at: world.now)
            #expect(world.system.greeter.starting != nil && !controls.contains { $0.isOperable }, "\(controls.map(\.id))")
            #expect(world.system.isLocked)
            _ = world.wait(9000)
            tap("lock/close", &world)
            #expect(world.system.greeter.starting == nil)
        }
    }

    private func key(_ symbol: KeySymbol, _ world: inout CoreWorld) { world.send(.lockScreen(.input(.key(symbol, text: nil)))) }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) {
        guard let control = world.system.controls(at: world.now).last(where: { $0.id == id }) else {
            Issue.record("\(id) is not there")
            return
        }
        world.send(.lockScreen(.input(.down(1, at: control.frame.center))))
        world.send(.lockScreen(.input(.up(1))))
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
