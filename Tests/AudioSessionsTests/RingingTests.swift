import AudioSessions
import Geometry
import Testing

@Suite("S-07: a person silences what rings")
struct RingingTests {
    private func isHeard(_ world: World, _ stream: UInt64) -> Bool { (world.level(stream) ?? 0) > 0 && world.isConnected(stream) ?? false }

    @Test("an alarm or a call that rings is not heard any more, and goes on")
    func silence() {
        for (kind, declares) in [(SoundKind.alarm, false), (.alarm, true), (.callRinging, true)] {
            var world = World()
            if declares { world.declare(1, kind) }
            world.stream(1, app: 1, declares ? nil : kind)
            world.send(.screenLocked(true))
            world.wait(1)
            #expect(world.audio.summary.isRinging && isHeard(world, 1), "\(kind) \(declares)")
            world.send(.action(.silenceRinging))
            world.wait(1)
            #expect(!world.audio.summary.isRinging && !isHeard(world, 1), "\(kind) \(declares)")
            #expect(world.begins.isEmpty, "it is not told")
            world.send(.action(.silenceRinging))
            #expect(world.last.contains { if case .refuse = $0 { true } else { false } }, "nothing rings any more")
            #expect(world.audio.violations() == [])
        }
    }

    @Test("the next sound of the same ring is silent, a later one is heard")
    func again() {
        var world = World()
        world.stream(1, app: 1, .alarm)
        world.wait(1)
        world.send(.action(.silenceRinging))
        for number in 2...4 {
            world.send(.streamGone(StreamID(UInt64(number - 1))))
            world.wait(3)
            world.stream(UInt64(number), app: 1, .alarm)
            world.wait(1)
            #expect(!isHeard(world, UInt64(number)), "\(number)")
        }
        world.send(.streamGone(StreamID(4)))
        world.wait(AudioSessions.ringingPause + 1)
        world.stream(5, app: 1, .alarm)
        world.wait(1)
        #expect(isHeard(world, 5) && world.audio.summary.isRinging && world.audio.violations() == [])
    }

    @Test("a call that is accepted is heard, and music is not silenced with it")
    func others() {
        var world = World()
        world.declare(1, .callRinging)
        world.stream(1, app: 1)
        world.stream(2, app: 2, .music)
        world.wait(1)
        world.send(.action(.silenceRinging))
        #expect(!isHeard(world, 1))
        world.ask(1, .call(.accepted))
        world.wait(2)
        #expect(isHeard(world, 1))
        var other = World()
        other.stream(1, app: 1, .music)
        other.send(.action(.silenceRinging))
        #expect(isHeard(other, 1) && !other.audio.summary.isRinging)
    }
}
