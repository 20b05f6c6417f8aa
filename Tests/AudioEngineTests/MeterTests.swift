import AudioEngine
import AudioSessions
import Clocks
import Glibc
import MullionTesting
import Testing

extension SoundTests {
    /// Streams that run and carry silence.
    @Suite struct MeterTests {
        private func facts(_ room: EngineRoom, _ id: StreamID) -> StreamFacts? { room.streams[id] }

        @Test("A measured stream of zeros is reported as silent after a second, and one with sound is not")
        func silence() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0)
                let silent = try #require(room.streams.keys.first)
                try room.play(0.25)
                let loud = try #require(room.streams.keys.first { $0 != silent })
                for id in [silent, loud] { room.engine.perform(.measure(id, true)) }
                let began = Clocks.monotonicSeconds
                try room.wait("the silence", within: 10) { facts(room, silent)?.isSilent == true }
                #expect(Clocks.monotonicSeconds - began > 0.9)
                room.run(seconds: 0.5)
                #expect(facts(room, loud)?.isSilent == false)
                #expect(facts(room, silent)?.isRunning == true)
                room.engine.perform(.measure(silent, false))
                try room.wait("that nothing is known any more", within: 5) { facts(room, silent)?.isSilent == false }
            }
        }

        @Test("A stream with sound is never reported as silent, and no sample of it is lost while it is measured")
        func back() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.playNumbered()
                let id = try #require(room.streams.keys.first)
                let speaker = try room.record("speaker")
                room.engine.perform(.measure(id, true))
                room.run(seconds: 1.5)
                room.engine.perform(.measure(id, false))
                room.run(seconds: 0.5)
                #expect(try SoundTests.jumps(speaker.finish().samples) == 0)
                #expect(facts(room, id)?.isSilent == false)
            }
        }
    }
}
