import AudioEngine
import AudioSessions
import Clocks
import FoundationEssentials
import Glibc
import MullionTesting
import Processes
import Testing

extension SoundTests {
    /// What the engine reports about streams and devices, and what it does with them.
    @Suite struct GraphTests {
        @Test("A native PipeWire stream is reported with the process that plays")
        func facts() throws {
            try SoundTests.with { room in
                let process = try room.play(
                    ["pw-cat", "-p", "--media-role", "Game", try room.sound.steady(0.1, seconds: 10)], app: "pw-cat")
                let facts = try #require(room.stream("pw-cat").flatMap { room.streams[$0] })
                #expect(facts.app.lineage.first == process && facts.app.lineage.contains(getpid()))
                #expect(facts.role == "Game" && facts.direction == .output && facts.isRunning && !facts.app.isSandboxed)
            }
        }

        @Test(
            "A pipewire-pulse stream is reported with the process that plays",
            .enabled(if: Executable.find("mpv", path: nil) != nil, "mpv is not installed: apt-get install mpv"))
        func factsThroughPulse() throws {
            try SoundTests.with { room in
                try room.sound.startPulse()
                let player = try room.play(
                    ["mpv", "--no-video", "--no-config", "--ao=pulse", try room.sound.steady(0.1, seconds: 10)], app: "mpv")
                #expect(room.stream("mpv").flatMap { room.streams[$0]?.app.lineage.first } == player)
            }
        }

        @Test("A program that an interpreter runs is known by its own name")
        func script() throws {
            try SoundTests.with { room in
                // The probe as an interpreter: what follows it names the script.
                let interpreter = "\(room.sound.room)/python3.11"
                try FileManager.default.copyItem(atPath: SoundRoom.probe(), toPath: interpreter)
                try room.play([interpreter, "play", "tune.py", "0.1", "autoconnect"], app: "tune")
            }
        }

        @Test("A-07: the system volume of an output, and changes by other programs")
        func levels() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0.5)
                let speaker = try room.record("speaker")
                room.run(seconds: 0.2)
                room.events = []
                room.engine.perform(.outputLevel(PortID("speaker"), level: 0.5, isMuted: false))
                room.run(seconds: 0.4)
                #expect(!room.events.contains { if case .outputLevelChanged = $0 { true } else { false } }, "its own writing is no news")
                _ = try room.sound.run(["pw-cli", "s", try room.sound.node("speaker"), "Props", "{ channelVolumes: [ 0.027, 0.027 ] }"])
                try room.wait("the change is told") {
                    room.events.contains { event in
                        guard case .outputLevelChanged(let port, let level, false) = event else { return false }
                        return port == PortID("speaker") && abs(level - 0.3) < 0.001
                    }
                }
                room.run(seconds: 0.2)
                let samples = try speaker.finish().samples
                #expect(samples.contains { abs($0 - 0.0625) < 1e-4 })
                #expect(samples.last.map { abs($0 - 0.0135) < 1e-4 } == true)
            }
        }

        @Test("A-10: a device made the default in a mixer is a pick; apps stay with the anchor")
        func picked() throws {
            try SoundTests.with { room in
                room.use("speaker")
                _ = try room.sound.run([
                    "pw-metadata", "0", "default.configured.audio.sink", "{ \"name\": \"headphones\" }", "Spa:String:JSON",
                ])
                try room.wait("the pick is told") { room.events.contains(.action(.pickOutput(PortID("headphones")))) }
                try room.wait("the anchor is the default again") {
                    try room.sound.run(["pw-metadata", "0", "default.audio.sink"]).contains("mullion.output")
                }
            }
        }

        @Test("A-09: a stream that names a device is taken off it, and the session manager does not bring it back")
        func named() throws {
            try SoundTests.with { room in
                room.use("headphones")
                try room.play(["pw-cat", "-p", "--target", "speaker", try room.sound.steady(0.1, seconds: 20)], app: "pw-cat")
                try room.wait("it is where all others are") {
                    try room.count("speaker:playback_FL") == 0 && room.count("headphones:playback_FL") == 1
                        && room.count("mullion.output:playback_FL") == 1
                }
                room.run(seconds: 0.5)
                #expect(try room.count("speaker:playback_FL") == 0)
            }
        }

        @Test("How much of a stream's beginning is missing at the output: what the anchor took before it was linked")
        func beginning() throws {
            try SoundTests.with(quantum: 256) { room in
                room.use("speaker")
                let speaker = try room.record("speaker")
                try room.playNumbered()
                room.run(seconds: 0.3)
                let first = try #require(try speaker.finish().samples.first { $0 > 0.05 })
                print("first sample heard:", SoundTests.place(first))
                #expect(SoundTests.place(first) < 48000 / 2)
            }
        }

        @Test("Without a device there is a null output, which is removed when a device appears")
        func standIn() throws {
            let sound = try SoundRoom(devices: [.microphone], waitsForSink: false)
            defer { sound.clear() }
            let room = try EngineRoom(sound, starts: false)
            room.engine.makesStandIn = true
            try room.start()
            #expect(room.outputs.map(\.id) == [PortID("mullion.nowhere")])
            #expect(room.outputs.first?.kind == .virtual)
            try sound.makeSink("speaker", kind: "speaker")
            try room.wait("the device alone is there") { room.outputs.map(\.id) == [PortID("speaker")] }
        }

        @Test("32 streams play and nothing changes: at most 1 ms of processor a second")
        func idle() throws {
            try SoundTests.with { room in
                room.use("speaker")
                for _ in 0..<32 { try room.sound.start([SoundRoom.probe(), "play", "player", "0.01", "autoconnect"]) }
                try room.wait("all play") { room.streams.count { $0.value.isRunning } == 32 }
                try room.wait("all are linked") { try room.count("speaker:playback_FL") == 32 }
                room.run(seconds: 1)
                // On an overloaded machine streams fall behind and stop, which is a change.
                let perSecond = try undisturbed(quantum: 1024, isRight: { $0 <= 0.001 }) { Self.cost(of: room.engine, seconds: 4) }
                #expect(room.engine.deadline == nil)
                #expect(perSecond <= 0.001)
            }
        }

        /// Seconds of CPU time per second. The turns of this loop count too, so it waits only for the engine.
        private static func cost(of engine: AudioEngine, seconds: Double) -> Double {
            let before = Clocks.threadNanoseconds, start = Clocks.monotonicSeconds
            while Clocks.monotonicSeconds < start + seconds {
                var item = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&item, 1, Int32(seconds * 1000)) > 0 { engine.process() }
            }
            return Double(Clocks.threadNanoseconds - before) / 1e9 / (Clocks.monotonicSeconds - start)
        }
    }
}
