@testable import AudioSessions
import Geometry
import Testing

@Suite("Streams of apps that declare nothing")
struct StreamTests {
    @Test("a stream that appears gets its level at once and is connected")
    func appears() {
        var world = World()
        world.stream(1, app: 1)
        #expect(world.last == [.level(StreamID(1), gain: 1, ramp: 0), .connect(StreamID(1), true)])
        #expect(world.audio.summary.route.output == World.speaker.id)
    }

    @Test("A-17: a prompt lowers music by 14 dB and gives it back")
    func prompt() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .prompt)
        #expect(isClose(world.level(1), light) && world.level(2) == 1)
        world.stream(3, app: 3, .gameAmbient)
        #expect(isClose(world.level(3), light))
        world.send(.streamGone(StreamID(2)))
        #expect(world.level(1) == 1 && world.level(3) == 1)
    }

    @Test("A-18: a call pauses a player after the fade and plays it again")
    func call() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        #expect(world.implied(app: 1)?.kind == .music)
        world.stream(2, app: 2, .callActive)
        #expect(world.level(1) == 0 && world.isConnected(1) == true)
        world.wait(0.2)
        #expect(world.log.contains(.command(PlayerID("mpv"), .pause)))
        world.player("mpv", app: 1, .paused)
        world.stream(1, app: 1, running: false)
        world.wait(2)
        #expect(world.isConnected(1) == true)
        world.send(.streamGone(StreamID(2)))
        #expect(world.last.contains(.command(PlayerID("mpv"), .play)) && world.level(1) == 1)
    }

    @Test("A-09: what plays is silent before the output changes")
    func unplug() {
        var world = World(outputs: [World.speaker, World.headphones])
        #expect(world.audio.summary.route.output == World.headphones.id)
        world.stream(1, app: 1, .music)
        world.player("mpv", app: 1, .playing)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        #expect(world.last.first == .connect(StreamID(1), false))
        let pause = world.last.firstIndex(of: .command(PlayerID("mpv"), .pause))
        let output = world.last.firstIndex(of: .useOutput(World.speaker.id))
        #expect(pause != nil && output != nil && pause! < output!)
    }
}
