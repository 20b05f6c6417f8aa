import AudioSessions
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// the bell of apps.
@Suite struct BellTests {
    private let one = WindowID(1), two = WindowID(2)

    /// Two apps full screen: the second one is in front.
    private func world() -> CoreWorld {
        var world = CoreWorld()
        for number in [1, 2] {
            world.open(UInt32(number), WindowFacts(appID: "app\(number)", client: UInt64(number)))
        }
        return world
    }

    private func rings(_ world: inout CoreWorld, _ id: WindowID?, client: UInt64) -> Bool {
        world.wait(1000)
        return world.send(.bellRung(id, client: client)).contains(.audio(.playSound("bell-window-system", .feedback)))
    }

    @Test("A-21: the bell of a window in sight sounds, one out of sight is silent")
    func inSight() {
        var world = world()
        #expect(rings(&world, two, client: 2))
        #expect(!rings(&world, one, client: 1))
        // Without a window, those of the client count.
        #expect(rings(&world, nil, client: 2))
        #expect(!rings(&world, nil, client: 1))
        #expect(!rings(&world, WindowID(99), client: 2))
        world.act(.home)
        #expect(!rings(&world, two, client: 2))
        world.act(.home)
        world.act(.previousSpace)
        #expect(rings(&world, one, client: 1))
        #expect(world.finish() == [])
    }

    @Test("A-21: the bell of a dialog sounds")
    func dialog() {
        var world = world()
        world.create(3, WindowFacts(client: 2, parent: two))
        world.map(3)
        #expect(rings(&world, WindowID(3), client: 2))
        #expect(world.finish() == [])
    }

    @Test("A-21: no bell sounds while the session is locked")
    func locked() {
        var world = world()
        world.lock()
        #expect(!rings(&world, two, client: 2))
        world.unlock()
        #expect(rings(&world, two, client: 2))
        #expect(world.finish() == [])
    }

    @Test("A-21: a flood of bells changes nothing but the first one")
    func flood() {
        var world = world()
        #expect(rings(&world, two, client: 2))
        let before = world.system
        for _ in 0..<100 { #expect(world.send(.bellRung(two, client: 2)).isEmpty) }
        #expect(world.system == before)
        #expect(world.finish() == [])
    }
}
