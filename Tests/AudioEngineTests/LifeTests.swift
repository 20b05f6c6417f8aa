import AudioEngine
import AudioSessions
import Clocks
import Glibc
import MullionTesting
import Testing

extension SoundTests {
    /// The effect on sound when other programs die or pause.
    @Suite struct LifeTests {
        /// A recording with lost samples proves nothing. Then it is repeated, at most three times.
        private func heard(_ listen: () throws -> [SoundRecording.Block]) throws -> [SoundRecording.Block] {
            for _ in 0..<2 {
                let blocks = try listen()
                if blocks.missed == 0 { return blocks }
            }
            return try listen()
        }

        @Test("A frozen player: no other stream loses a sample", arguments: [256, 1024])
        func frozen(quantum: Int) throws {
            try SoundTests.with(quantum: quantum) { room in
                room.use("speaker")
                let silent = try room.play(0)
                try room.playNumbered()
                let blocks = try heard {
                    let speaker = try room.record("speaker")
                    room.run(seconds: 0.4)
                    room.sound.launcher.signal(silent, SIGSTOP)
                    room.run(seconds: 1)
                    room.sound.launcher.signal(silent, SIGCONT)
                    room.run(seconds: 0.4)
                    return try speaker.finish()
                }
                #expect(blocks.samples.count > 48000)
                #expect(SoundTests.jumps(blocks.samples) == 0, "the recorder itself missed \(blocks.missed)")
            }
        }

        @Test("WirePlumber killed: sound goes on, with a gap of a quantum at most; started again: streams old and new sound")
        func managerKilled() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.playNumbered()
                let before = try room.record("speaker")
                room.run(seconds: 0.3)
                try room.sound.end(room.sound.manager, SIGKILL)
                room.run(seconds: 0.7)
                // The anchor's links go with it, and the graph is rebuilt: at most a quantum.
                #expect(try SoundTests.jumps(before.finish().samples) <= 1025)
                try startManager(room)
                try room.wait("the old stream sounds") { try isHeard(room) }
                try room.play(0.25)
                try room.wait("the new stream sounds, too") { try room.count("speaker:playback_FL") == 2 }
                #expect(try room.sound.run(["pw-metadata", "0", "default.audio.sink"]).contains("mullion.output"))
            }
        }

        @Test("WirePlumber killed and started again: each of several streams sounds on, left and right, lowered as it was")
        func managerKilledBesideSeveral() throws {
            try SoundTests.with { room in
                room.use("speaker")
                for level: Float in [0.25, 0.125, 0.0625] { try room.play(level) }
                let first = try #require(room.streams.keys.min())
                for round in 0..<3 {
                    try room.sound.end(room.sound.manager, SIGKILL)
                    room.run(seconds: 0.2)
                    try startManager(room)
                    let gain = round % 2 == 0 ? 0.2 : 1
                    room.engine.perform(.level(first, gain: gain, ramp: 0))
                    let wanted = Float(0.25 * gain + 0.1875)
                    for isRight in [false, true] {
                        try room.wait("all three are heard, \(isRight ? "right" : "left"), in round \(round)", within: 5) {
                            let speaker = try room.record("speaker", isRight: isRight)
                            room.run(seconds: 0.1)
                            return try speaker.finish().samples.last.map { abs($0 - wanted) < 1e-4 } ?? false
                        }
                    }
                }
            }
        }

        @Test("WirePlumber killed and started again while a stream is lowered: it is as loud as before when the other sound has ended")
        func managerKilledWhileLowered() throws {
            let rounds = SoundTests.isSlow ? 12 : 2
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0.25)
                let stream = try #require(room.streams.keys.first)
                for round in 0..<rounds {
                    room.engine.perform(.level(stream, gain: 0.2, ramp: 0.25))
                    room.run(seconds: round % 3 == 0 ? 0.1 : 0.6)
                    try room.sound.end(room.sound.manager, SIGKILL)
                    room.run(seconds: 0.1 * Double(round % 4))
                    try room.sound.startManager(waitsForSink: false, turn: { room.turn() })
                    room.run(seconds: [0, 0.05, 0.1, 0.2, 0.4, 0.8][round % 6])
                    room.engine.perform(.level(stream, gain: 1, ramp: 0.5))
                    try room.wait("it is as loud as before, in round \(round)", within: 10) {
                        let speaker = try room.record("speaker")
                        room.run(seconds: 0.1)
                        return try speaker.finish().samples.last.map { abs($0 - 0.25) < 1e-3 } ?? false
                    }
                    try room.wait("WirePlumber is back") {
                        try room.sound.run(["pw-metadata", "0", "default.audio.sink"]).contains("value:")
                    }
                    #expect(room.sound.isRunning(room.sound.server))
                }
            }
        }

        @Test("WirePlumber killed and started again while two streams are lowered: both are as loud as they should be, and PipeWire lives")
        func managerKilledWhileTwoAreLowered() throws {
            let rounds = SoundTests.isSlow ? 16 : 3
            var wrong: [String] = [], died = 0
            for round in 0..<rounds {
                try SoundTests.with { room in
                    room.use("speaker")
                    for level: Float in [0.25, 0.125] { try room.play(level) }
                    for stream in room.streams.keys { room.engine.perform(.level(stream, gain: 0.2, ramp: 0.25)) }
                    room.run(seconds: round % 3 == 0 ? 0.1 : 0.6)
                    try room.sound.end(room.sound.manager, SIGKILL)
                    room.run(seconds: 0.1 * Double(round % 4))
                    try room.sound.startManager(waitsForSink: false, turn: { room.turn() })
                    room.run(seconds: [0, 0.05, 0.1, 0.2, 0.4, 0.8][round % 6])
                    let raises = round % 2 == 0
                    if raises { for stream in room.streams.keys { room.engine.perform(.level(stream, gain: 1, ramp: 0.5)) } }
                    room.run(seconds: 3)
                    guard room.sound.isRunning(room.sound.server) else { return died += 1 }
                    let wanted: Float = raises ? 0.375 : 0.075
                    let speaker = try room.record("speaker")
                    room.run(seconds: 0.2)
                    let level = try speaker.finish().samples.last ?? -1
                    if abs(level - wanted) > 1e-3 { wrong.append("round \(round): \(level) instead of \(wanted)") }
                }
            }
            print("two lowered: \(wrong.count) wrong, \(died) dead, of \(rounds)")
            #expect(wrong.isEmpty, "\(wrong)")
            #expect(died == 0, "PipeWire died in \(died) of \(rounds)")
        }

        @Test(
            "WirePlumber killed and restarted while a program is the output: it plays on with a gap of at most two quanta",
            arguments: [256, 1024])
        func managerKilledBesideProgram(quantum: Int) throws {
            try SoundTests.with(devices: [.speaker], quantum: quantum) { room in
                room.awaited = "program"
                try room.playNumbered()
                let sink = try SoundRecording(room.sound, newSink: "program")
                try room.wait("it plays") { sink.hasBegun }
                room.run(seconds: 0.3)
                try room.sound.end(room.sound.manager, SIGKILL)
                room.run(seconds: 0.3)
                try startManager(room)
                let started = Clocks.monotonicSeconds
                room.run(seconds: 1)
                let blocks = try sink.finish()
                #expect(blocks.last { $0.soundingCount > 0 }.map { $0.time > started + 0.5 } == true)
                let holes = SoundTests.holes(blocks.samples)
                print("WirePlumber anew at \(quantum): longest silence \(holes.longest), lost \(holes.lost)")
                #expect(holes.longest <= 2 * quantum && holes.lost <= 2 * quantum)
            }
        }

        @Test("PipeWire killed and started again: the engine is back by itself, with anchors and sound")
        func serverKilled() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0.25)
                try room.sound.end(room.sound.server, SIGKILL)
                try room.wait("it hears of the loss") { room.events.contains(.serverChanged(isRunning: false)) }
                try? room.sound.end(room.sound.manager, SIGKILL)
                room.events = []
                room.outputs = []
                try room.sound.startServer()
                try startManager(room)
                try room.wait("it is back") { room.events.contains(.serverChanged(isRunning: true)) && !room.outputs.isEmpty }
                try room.wait("the anchor is the default") {
                    try room.sound.run(["pw-metadata", "0", "default.audio.sink"]).contains("mullion.output")
                }
                try room.play(0.25)
                try room.wait("sound is back") { try isHeard(room) }
            }
        }

        @Test(
            "After a crash of the shell, sound continues; the next one takes over anchors, links and gains, and restores everything at its end"
        )
        func crash() throws {
            try SoundTests.with { room in
                room.use("speaker")
                room.gain = 0.25
                try room.play(0.5)
                let speaker = try room.record("speaker")
                room.run(seconds: 0.3)
                room.gain = 1
                try room.restart(inOrder: false)
                room.use("speaker")
                room.run(seconds: 0.5)
                let samples = try speaker.finish().samples.drop { $0 == 0 }
                let others = samples.filter { abs($0 - 0.125) > 1e-4 && abs($0 - 0.5) > 1e-4 }
                #expect(others.isEmpty, "\(others.count) of \(samples.count): \(others.prefix(3))")
                #expect(samples.last.map { abs($0 - 0.5) < 1e-4 } == true)
                room.engine.close()
                try room.sound.wait("the default is a device again") {
                    let metadata = try room.sound.run(["pw-metadata", "0", "default.audio.sink"])
                    return metadata.contains("headphones") || metadata.contains("speaker")
                }
                #expect(try !room.sound.run(["pw-cli", "ls", "Node"]).contains("mullion.output"))
            }
        }

        @Test("A microphone's frames reach the app that records, every one, whatever others do")
        func recording() throws {
            try SoundTests.with { room in
                room.use("speaker")
                room.engine.perform(.useInput(PortID("microphone")))
                let voice = try speak("numbered", room)
                let blocks = try heard {
                    let recording = try SoundRecording(room.sound, sink: nil)
                    try room.wait("the microphone is heard") { try room.isMicrophoneHeard }
                    room.run(seconds: 0.5)
                    for _ in 0..<3 {
                        let player = try room.play(0.25)
                        room.use("headphones")
                        room.run(seconds: 0.2)
                        room.use("speaker")
                        try room.sound.end(player)
                        room.run(seconds: 0.1)
                    }
                    return try recording.finish()
                }
                #expect(blocks.samples.count > 48000)
                #expect(SoundTests.jumps(blocks.samples) == 0, "the recorder itself missed \(blocks.missed)")
                #expect(room.sound.isRunning(voice))
            }
        }

        @Test("A-20: a muted microphone is silence at once, and the recording goes on")
        func muted() throws {
            try SoundTests.with { room in
                room.engine.perform(.useInput(PortID("microphone")))
                try speak("0.5", room)
                let recording = try SoundRecording(room.sound, sink: nil)
                try room.wait("the microphone is heard") { try room.isMicrophoneHeard }
                room.run(seconds: 0.4)
                room.engine.perform(.muteInput(true))
                room.run(seconds: 0.6)
                let samples = try recording.finish().samples
                #expect(samples.contains { $0 == 0.5 })
                let last = try #require(samples.lastIndex { $0 != 0 })
                #expect(samples.count - last > 48000 / 4)
            }
        }

        /// Something for the microphone to record that goes to no output.
        @discardableResult
        private func speak(_ signal: String, _ room: EngineRoom) throws -> Int32 {
            room.connects = false
            defer { room.connects = true }
            let voice = try room.sound.start([SoundRoom.probe(), "play", "voice", signal])
            try room.wait("the voice is there") { room.streams.values.contains { $0.name == "voice" } }
            try room.sound.feed("microphone", from: "voice")
            return voice
        }

        private func isHeard(_ room: EngineRoom) throws -> Bool {
            try room.count("speaker:playback_FL") == 1
        }

        private func startManager(_ room: EngineRoom) throws { try room.sound.startManager(turn: { room.turn() }) }
    }
}

extension EngineRoom {
    fileprivate var isMicrophoneHeard: Bool {
        get throws {
            let lines = try sound.run(["pw-link", "-l"]).split(separator: "\n").map(String.init)
            guard let port = lines.firstIndex(of: "microphone:capture_FL"), port + 1 < lines.count else { return false }
            return lines[port + 1].contains("|-> recorder")
        }
    }
}

extension SoundRoom {
    /// Plays a program's sound into a microphone.
    func feed(_ source: String, from program: String) throws {
        try wait("\(program) feeds \(source)") {
            let ports = try run(["pw-link", "-o"])
            guard ports.contains("\(program):output_FL") else { return false }
            for side in ["FL", "FR"] { _ = try run(["pw-link", "\(program):output_\(side)", "\(source):input_\(side)"]) }
            return true
        }
    }
}
