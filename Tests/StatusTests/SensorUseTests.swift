import Geometry
import Status
import Testing

/// which programs used the microphone, the camera and the screen.
@Suite struct SensorUseTests {
    private func moment(_ seconds: Double) -> Moment { .milliseconds(seconds * 1000) }

    private func app(_ id: String, _ process: Int32 = 7, of window: String? = nil) -> SensorUse.User {
        SensorUse.User(SensorUse.Program(id: id, lineage: [process]), id: window)
    }

    @Test("a use that ends is of the past without its processes, and one that begins again is not")
    func past() {
        var room = SensorUse()
        #expect(room.handle(.uses(.camera, [app("a"), app("b")]), in: (), at: moment(1)) == [.changed])
        #expect(room.handle(.uses(.camera, [app("a"), app("b")]), in: (), at: moment(2)) == [])
        #expect(room.cameras.map(\.id) == ["a", "b"] && room.past.isEmpty)
        _ = room.handle(.uses(.camera, [app("b")]), in: (), at: moment(3))
        _ = room.handle(.uses(.microphone, [app("a", 8)]), in: (), at: moment(4))
        #expect(
            room.past.map(\.sensor) == [.camera] && room.past[0].program == SensorUse.Program(id: "a") && room.past[0].ended == moment(3))
        // Another process of the same app.
        _ = room.handle(.uses(.microphone, [app("a", 9)]), in: (), at: moment(5))
        #expect(room.past.count == 1)
        _ = room.handle(.uses(.microphone, []), in: (), at: moment(6))
        _ = room.handle(.uses(.camera, [app("a")]), in: (), at: moment(7))
        #expect(room.past.map(\.sensor) == [.camera, .microphone] && room.past.map(\.program.id) == ["b", "a"])
        _ = room.handle(.uses(.camera, [app("b")]), in: (), at: moment(8))
        #expect(room.past.map(\.program.id) == ["a", "a"] && room.past.map(\.sensor) == [.camera, .microphone])
    }

    @Test("a program whose window goes first keeps the name of the window's app")
    func window() {
        var room = SensorUse()
        _ = room.handle(.uses(.camera, [app("sh", 7, of: "foot")]), in: (), at: moment(1))
        #expect(room.handle(.uses(.camera, [app("sh", 7)]), in: (), at: moment(2)) == [])
        _ = room.handle(.uses(.camera, []), in: (), at: moment(3))
        #expect(room.past.map(\.program.id) == ["foot"])
    }

    @Test("ten thousand programs, and those without a name, leave a short list")
    func many() {
        var room = SensorUse()
        for index in 0..<10_000 {
            _ = room.handle(.uses(.screen, [app(index % 3 == 0 ? "" : "app\(index)")]), in: (), at: moment(Double(index)))
            #expect(room.violations(in: ()).isEmpty)
        }
        _ = room.handle(.uses(.screen, (0..<10_000).map { app("x\($0)") }), in: (), at: moment(20_000))
        _ = room.handle(.uses(.screen, []), in: (), at: moment(20_001))
        #expect(room.past.count == SensorUse.most && !room.past.contains { $0.program.id.isEmpty })
    }

    @Test("every sequence of five events keeps what holds always")
    func sequences() {
        let lists: [[SensorUse.User]] = [[], [app("a")], [app("b")], [app("a"), app("b")]]
        let events = SensorUse.Sensor.allCases.prefix(2).flatMap { sensor in lists.map { SensorUse.Event.uses(sensor, $0) } }
        func go(_ room: SensorUse, _ depth: Int) {
            guard depth > 0 else { return }
            for event in events {
                var next = room
                _ = next.handle(event, in: (), at: moment(Double(6 - depth)))
                #expect(next.violations(in: ()).isEmpty)
                go(next, depth - 1)
            }
        }
        go(SensorUse(), 5)
    }
}
