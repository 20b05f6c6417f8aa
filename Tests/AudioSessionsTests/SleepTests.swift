import Geometry
import Testing

@testable import AudioSessions

@Suite("The machine sleeps and wakes")
struct SleepTests {
    @Test("a session is interrupted like one that is suspended, and resumes when the machine wakes")
    func declared() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.goesToSleep)
        #expect(world.last.contains(.tell(SessionID(1), .interruptionBegan(.appSuspended))) && world.level(1) == 0)
        world.wait(0.3)
        #expect(world.isConnected(1) == false && world.audio.violations().isEmpty)
        world.send(.wokeUp)
        #expect(world.lastShouldResume[SessionID(1)] == true && world.isConnected(1) == true && world.level(1) == 1)
        #expect(world.begins == world.ends && world.audio.violations().isEmpty)
    }

    @Test("a player that declares nothing is paused and goes on; one that was paused before stays so")
    func players() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.player("heard", app: 1, .playing)
        world.player("quiet", app: 2, .paused)
        world.send(.goesToSleep)
        world.wait(0.3)
        #expect(world.log.contains(.command(PlayerID("heard"), .pause)) && !world.log.contains(.command(PlayerID("quiet"), .pause)))
        world.player("heard", app: 1, .paused)
        world.send(.wokeUp)
        #expect(world.last.contains(.command(PlayerID("heard"), .play)) && !world.last.contains(.command(PlayerID("quiet"), .play)))
        #expect(world.audio.violations().isEmpty)
    }

    @Test("a recording gets nothing until the machine wakes")
    func recording() {
        var world = World()
        world.declare(1, .recording)
        world.stream(1, app: 1, direction: .input)
        world.send(.goesToSleep)
        world.wait(0.3)
        #expect(world.isConnected(1) == false)
        world.send(.wokeUp)
        #expect(world.isConnected(1) == true && world.audio.violations().isEmpty)
    }

    @Test("what starts while the machine prepares to sleep is heard when it is awake")
    func late() {
        var world = World()
        world.send(.goesToSleep)
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.stream(2, app: 2, .unknown)
        world.wait(0.3)
        #expect(world.level(1) == 0 && world.level(2) == 0 && world.audio.violations().isEmpty)
        world.send(.wokeUp)
        #expect(world.level(1) == 1 && world.level(2) == 1 && world.audio.violations().isEmpty)
    }

    @Test("A-09: headphones that were pulled while the machine slept: nothing goes on by the speaker")
    func unplugged() {
        var world = World(outputs: [World.speaker, World.headphones])
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.goesToSleep)
        world.wait(0.3)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
        world.send(.wokeUp)
        #expect(world.lastShouldResume[SessionID(1)] == false && world.isConnected(1) == false && world.audio.violations().isEmpty)
    }

    @Test("a frozen app stays silent when the machine wakes")
    func frozen() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.appFreezing(AudioPresence(app: "app1", lineage: [1001])))
        let told = world.begins
        world.send(.goesToSleep)
        world.send(.wokeUp)
        #expect(world.begins == told && world.isConnected(1) == false && world.audio.violations().isEmpty)
    }
}
