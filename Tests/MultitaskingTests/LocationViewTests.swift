import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The location, as a person meets it: the question, the mark and the settings.
@Suite("X-09: the location in the shell's views") struct LocationViewTests {
    private func world(_ idiom: Idiom = .pad) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .always))
        world.send(.appsChanged([App(id: "maps", name: "Atlas", command: ["maps"])]))
        world.open(1)
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.send(.locating(.inUse(false)))
        world.rest()
        return world
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func answers(_ world: CoreWorld) -> [String] {
        world.effects.compactMap {
            if case .status(.answerLocation(let request, let isAllowed)) = $0 { "\(request) \(isAllowed)" } else { nil }
        }
    }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    @Test("the question names the app, and a finger answers it; the answer is a setting", arguments: [true, false])
    func question(isAllowed: Bool) throws {
        var world = world()
        world.send(.locating(.asked(7, app: "maps")))
        world.wait(1000)
        #expect(control("location", world)?.name == .message(.locationAsked, ["Atlas"]))
        try tap(isAllowed ? "location/allow" : "location/refuse", &world)
        #expect(answers(world) == ["7 \(isAllowed)"] && control("location", world) == nil)
        #expect(world.system.preferences.location == ["maps": isAllowed])
        world.send(.locating(.asked(8, app: "maps")))
        world.wait(1000)
        #expect(answers(world).last == "8 \(isAllowed)" && control("location", world) == nil)
        world.act(.controlPage(.privacy))
        world.wait(600)
        let toggle = try #require(control("control-centre/setting/location/maps", world))
        #expect(toggle.name == .verbatim("Atlas"))
        try tap(toggle.id, &world)
        #expect(world.system.preferences.location == ["maps": !isAllowed])
        world.act(.resetSettings(key: "location/maps"))
        #expect(world.system.preferences.location == [:])
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("Escape refuses for this time, a script answers, and the second question comes after the first")
    func others() {
        var world = world()
        world.send(.locating(.asked(1, app: "maps")))
        world.send(.locating(.asked(2, app: "sky")))
        world.wait(1000)
        world.act(.dismiss)
        world.wait(1000)
        #expect(answers(world) == ["1 false"] && world.system.preferences.location == [:])
        #expect(control("location", world)?.name == .message(.locationAsked, ["sky"]), "one that is not installed has its id")
        world.act(.device(.location(.allow(app: "sky", true))))
        world.wait(1000)
        #expect(answers(world) == ["1 false", "2 true"] && control("location", world) == nil)
        #expect(world.finish() == [])
    }

    @Test("the lock ends the question with no, and shows none after it")
    func lock() {
        var world = world()
        world.send(.locating(.asked(1, app: "maps")))
        world.wait(1000)
        world.lock()
        #expect(answers(world) == ["1 false"])
        world.send(.locating(.asked(2, app: "maps")))
        #expect(answers(world) == ["1 false", "2 false"])
        world.unlock()
        world.wait(1000)
        #expect(control("location", world) == nil)
        #expect(world.finish() == [])
    }

    @Test("the mark names the apps that asked; the list goes with the use, and the settings have the past")
    func mark() throws {
        var world = world()
        world.send(.locating(.asked(1, app: "maps")))
        world.wait(1000)
        try tap("location/allow", &world)
        world.send(.locating(.inUse(true)))
        world.rest()
        let name = Text.list([.message(.locationInUse), .verbatim("Atlas")], ": ")
        #expect(control("status/sensors", world)?.name == .list([name], ", "))
        world.act(.sensors)
        world.wait(600)
        #expect(control("sensors/location", world)?.name == name)
        world.send(.locating(.inUse(false)))
        world.rest()
        #expect(!world.interface.isSensorListOpen && control("status/sensors", world) == nil)
        world.act(.controlPage(.privacy))
        world.wait(600)
        let past = Text.list([.message(.location), .message(.noticeNow)], ", ")
        #expect(control("control-centre/privacy/location/maps", world)?.name == .list([.verbatim("Atlas"), past], ", "))
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("more questions than alerts can wait are refused at once")
    func tooMany() {
        var world = world()
        for number in 0..<UInt64(6) { world.send(.locating(.asked(number, app: "app\(number)"))) }
        #expect(answers(world) == ["4 false", "5 false"])
        for _ in 0..<4 {
            world.wait(1000)
            world.act(.dismiss)
        }
        world.wait(1000)
        #expect(answers(world).count == 6 && control("location", world) == nil)
        #expect(world.finish() == [])
    }
}
