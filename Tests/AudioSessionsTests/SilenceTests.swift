import Geometry
import Testing

@testable import AudioSessions

/// A stream that runs on and carries only silence.
@Suite("Running silence is no sound (A-17, A-26)")
struct SilenceTests {
    @Test(
        "A-17: music is back when a prompt falls silent, and lowered again when it speaks",
        arguments: [SoundKind.prompt, .notification, .screenReader])
    func prompt(_ kind: SoundKind) {
        var world = World()
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, kind)
        #expect(world.last.contains(.measure(StreamID(2), true)))
        for _ in 0..<3 {
            #expect(isClose(world.level(1), light))
            world.stream(2, app: 2, kind, silent: true)
            #expect(isClose(world.level(1), 1))
            // What it says next is heard from its first word.
            #expect(world.isConnected(2) == true && isClose(world.level(2), 1))
            world.stream(2, app: 2, kind)
        }
        world.stream(2, app: 2, kind, running: false)
        #expect(world.last.contains(.measure(StreamID(2), false)))
        #expect(isClose(world.level(1), 1))
        #expect(world.audio.violations() == [])
    }

    @Test("A-18: a podcast goes on when the prompt that paused it falls silent")
    func podcast() {
        var world = World()
        world.stream(1, app: 1, .podcast)
        world.stream(2, app: 2, .prompt)
        world.wait(1)
        #expect(world.implied(app: 1)?.state == .interrupted)
        world.stream(2, app: 2, .prompt, silent: true)
        #expect(world.implied(app: 1)?.state == .active)
    }

    @Test(
        "streams of other kinds, those that do not run, inputs and those of declared sessions are not measured",
        arguments: SoundKind.allCases)
    func measured(_ kind: SoundKind) {
        var world = World()
        func isMeasured() -> Bool { world.log.contains { if case .measure(_, true) = $0 { true } else { false } } }
        world.stream(2, app: 2, kind, running: false)
        world.stream(3, app: 3, kind, direction: .input)
        world.declare(4, kind)
        world.stream(5, app: 4, kind)
        #expect(!isMeasured())
        world.stream(6, app: 6, kind)
        #expect(isMeasured() == [.prompt, .notification, .screenReader].contains(kind))
    }
}
