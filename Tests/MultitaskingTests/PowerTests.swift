import AudioSessions
import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("Sleep and shutdown of the machine")
struct PowerTests {
    private let first = AppProcess(101)

    private func readies(_ world: CoreWorld) -> Int { world.effects.count { $0 == .power(.ready) } }

    private func asked(_ world: CoreWorld) -> [SaveToken] {
        world.effects.compactMap { if case .life(.saveState(_, let token)) = $0 { token } else { nil } }
    }

    /// A world in which sleep does not lock.
    private func unlocked() -> CoreWorld {
        var world = CoreWorld(), preferences = Preferences()
        preferences.lock.onSleep = false
        world.send(.configured(preferences))
        return world
    }

    /// Window 1 hands over its state.
    private func world() -> CoreWorld {
        var world = unlocked()
        world.open(1)
        world.send(.life(.stateOffered(StateID(1), first)))
        return world
    }

    @Test("the machine waits until sound has faded, and no longer if nobody has state")
    func nobody() {
        var world = unlocked()
        world.open(1)
        world.send(.power(.sleeps))
        world.wait(290)
        #expect(readies(world) == 0)
        world.wait(20)
        #expect(readies(world) == 1)
        world.wait(5000)
        #expect(readies(world) == 1 && world.finish().isEmpty)
    }

    @Test("X-10: it waits until the screen has shown a locked frame, and a screen that shows none delays it by half a second")
    func locks() {
        for isSeen in [true, false] {
            var world = CoreWorld()
            world.open(1)
            world.send(.power(.sleeps))
            #expect(world.system.isLocked && world.system.lockScreen.isUp)
            world.send(.lock(.noted))
            world.wait(400)
            #expect(readies(world) == 0)
            world.send(.lock(.frameSubmitted))
            world.wait(100)
            #expect(readies(world) == 0)
            if isSeen { world.send(.lock(.frameSeen)) } else { world.wait(500) }
            #expect(readies(world) == 1)
            world.unlockOwn()
            #expect(!world.system.isLocked)
            #expect(world.finish() == [])
        }
    }

    @Test("S-13: it waits until every window has handed over its state")
    func saved() throws {
        var world = world()
        world.send(.power(.sleeps))
        world.wait(1000)
        #expect(readies(world) == 0)
        world.send(.life(.stateSaved(StateID(1), try #require(asked(world).last))))
        #expect(readies(world) == 1 && world.finish().isEmpty)
    }

    @Test("one who never answers delays it by two seconds, and a shutdown by four", arguments: [PowerEvent.sleeps, .shutsDown])
    func silent(event: PowerEvent) {
        var world = world()
        world.send(.power(event))
        world.wait(event == .sleeps ? 1990 : 3990)
        #expect(readies(world) == 0)
        world.wait(20)
        #expect(readies(world) == 1 && world.finish().isEmpty)
    }

    @Test("a window that closes is not waited for")
    func closed() {
        var world = world()
        world.send(.power(.sleeps))
        world.wait(500)
        world.destroy(WindowID(1))
        #expect(readies(world) == 1 && world.finish().isEmpty)
    }

    @Test("a sleep that is called off ends the wait, and the next one asks again")
    func calledOff() {
        var world = world()
        world.send(.power(.sleeps))
        world.send(.power(.woke))
        world.wait(3000)
        #expect(readies(world) == 0)
        let before = asked(world).count
        world.send(.power(.sleeps))
        world.wait(2100)
        #expect(asked(world).count == before + 1 && readies(world) == 1 && world.finish().isEmpty)
    }

    @Test("before the machine is switched off, frozen apps are thawed, and nobody is frozen any more")
    func shutdown() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(11_000)
        #expect(world.system.lifecycle.phase(first) == .frozen)
        world.send(.power(.shutsDown))
        #expect(world.effects.contains(.life(.thaw(first))))
        #expect(world.system.lifecycle.phase(first) == .background)
        world.wait(60_000)
        #expect(world.system.lifecycle.phase(first) == .background && readies(world) == 1)
        world.send(.power(.staysOn))
        world.wait(11_000)
        #expect(world.system.lifecycle.phase(first) == .frozen && world.finish().isEmpty)
    }

    @Test("apps that are frozen stay so while the machine sleeps")
    func sleep() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.wait(11_000)
        world.send(.power(.sleeps))
        world.wait(1000)
        world.send(.power(.woke))
        #expect(world.system.lifecycle.phase(first) == .frozen && !world.effects.contains(.life(.thaw(first))) && world.finish().isEmpty)
    }

    @Test("sound ends for the sleep, also behind a locker, and goes on when the machine wakes")
    func sound() {
        var world = CoreWorld()
        let app = AudioApp(id: "app1", lineage: [101, 1])
        world.open(1)
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: app, ruled: .music))))
        world.lock()
        world.send(.power(.sleeps))
        #expect(world.effects.contains { if case .audio(.level(StreamID(1), gain: 0, _)) = $0 { true } else { false } })
        world.wait(400)
        world.send(.power(.woke))
        world.unlock()
        #expect(world.system.audio.summary.apps.contains { $0.app == app && $0.isSounding } && world.finish().isEmpty)
    }

    @Test("A-17: a session without the seat is silent, also after sleep, and sounds again when it has the seat")
    func away() {
        var world = unlocked()
        let app = AudioApp(id: "app1", lineage: [101, 1])
        world.open(1)
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: app, ruled: .music))))
        func sounds() -> Bool { world.system.audio.summary.apps.contains { $0.app == app && $0.isSounding } }
        world.send(.sessionActive(true))
        #expect(sounds())
        world.send(.sessionActive(false))
        #expect(world.effects.contains { if case .audio(.level(StreamID(1), gain: 0, _)) = $0 { true } else { false } })
        world.wait(400)
        world.send(.power(.sleeps))
        world.wait(400)
        world.send(.power(.woke))
        #expect(!sounds())
        world.send(.sessionActive(true))
        #expect(sounds() && world.finish().isEmpty)
    }
}
