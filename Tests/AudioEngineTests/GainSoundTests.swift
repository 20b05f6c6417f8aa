import AudioEngine
import AudioSessions
import Clocks
import Glibc
import MullionTesting
import Testing

extension SoundTests {
    /// ducking is exact and without clicks, and nothing stays ducked.
    @Suite struct GainSoundTests {
        @Test("A-17: lowered by 14 dB and restored, exact within 0.1 dB, in steps of at most 1.5 dB", arguments: [256, 1024])
        func duck(quantum: Int) throws {
            try SoundTests.with(quantum: quantum) { room in
                room.use("speaker")
                try room.play(0.5)
                let stream = try #require(room.stream(EngineRoom.player))
                let speaker = try room.record("speaker")
                room.run(seconds: 0.3)
                let asked = Clocks.monotonicSeconds
                room.engine.perform(.level(stream, gain: 0.2, ramp: 0.25))
                room.run(seconds: 0.8)
                room.engine.perform(.level(stream, gain: 1, ramp: 0.5))
                room.run(seconds: 1)
                let blocks = try speaker.finish()
                // Before the player's first sample, and where a busy machine dropped some.
                let isSounding = { (sample: Float) in sample != 0 }
                let samples = blocks.samples.filter(isSounding)
                #expect(samples.first == 0.5)
                let low = try #require(samples.min())
                #expect(abs(20 * log10(Double(low) / 0.1)) < 0.1)
                #expect(samples.last.map { abs(20 * log10(Double($0) / 0.5)) < 0.1 } == true)
                let neighbours = zip(blocks.samples, blocks.samples.dropFirst()).filter { isSounding($0) && isSounding($1) }
                let steps: [Double] = neighbours.map { abs(20 * log10(Double($1 / $0))) }
                let worst = steps.max() ?? 0
                #expect(worst <= 1.5, "a step of \(worst) dB")
                let first = try #require(blocks.first { $0.time > asked && ($0.samples.last(where: isSounding) ?? 1) < 0.499 })
                let arrived = try #require(blocks.first { abs(($0.samples.last ?? 1) - low) < 1e-4 })
                print(
                    "q \(quantum): first step after \((first.time - asked) * 1000) ms, there after \((arrived.time - asked) * 1000) ms, worst step \(worst) dB"
                )
                #expect(arrived.time - asked < 0.25 + 6 * Double(quantum) / 48000 + 0.2)
            }
        }

        @Test("A program that sets its own volume while it is lowered stays lowered, below the new volume")
        func ownVolume() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0.5)
                let stream = try #require(room.stream(EngineRoom.player))
                room.engine.perform(.level(stream, gain: 0.2, ramp: 0))
                room.run(seconds: 0.2)
                let node = try room.sound.node("player")
                for volume in [0.5, 0.5, 0.25, 0.5] {
                    _ = try room.sound.run(["pw-cli", "s", node, "Props", "{ channelVolumes: [ \(volume), \(volume) ] }"])
                    room.run(seconds: 0.2)
                }
                let speaker = try room.record("speaker")
                room.run(seconds: 0.3)
                let level = try #require(try speaker.finish().samples.last)
                #expect(abs(20 * log10(Double(level) / (0.5 * 0.5 * 0.2))) < 0.1, "\(level)")
            }
        }

        @Test("Nothing lowered is kept by WirePlumber; the next stream of the same kind begins at its full level")
        func nothingKept() throws {
            try SoundTests.with { room in
                room.use("speaker")
                let player = try room.play(0.5)
                let stream = try #require(room.stream(EngineRoom.player))
                room.engine.perform(.level(stream, gain: 0.1, ramp: 0.1))
                // It writes its state a second after a change.
                room.run(seconds: 2)
                try room.sound.end(player)
                room.run(seconds: 1.5)
                let state = try room.sound.run(["sh", "-c", "cat $XDG_STATE_HOME/wireplumber/*"])
                for line in state.split(separator: "\n") where line.contains("olume") && !line.contains("mullion") {
                    #expect(!line.contains("0.1") && !line.contains("0.05"), "\(line)")
                }
                try room.play(0.5)
                let speaker = try room.record("speaker")
                room.run(seconds: 0.3)
                #expect(try speaker.finish().samples.last == 0.5)
            }
        }

        @Test("A shell that ends in order leaves every stream at its own level")
        func givenBack() throws {
            try SoundTests.with { room in
                room.use("speaker")
                try room.play(0.5)
                let stream = try #require(room.stream(EngineRoom.player))
                room.engine.perform(.level(stream, gain: 0.1, ramp: 0))
                room.run(seconds: 0.3)
                room.engine.close()
                try room.sound.wait("WirePlumber has the stream") {
                    let links = try room.sound.run(["pw-link", "-lo"])
                    return links.contains("headphones:playback_FL") || links.contains("speaker:playback_FL")
                }
                let speaker = try SoundRecording(room.sound, sink: "speaker"),
                    headphones = try SoundRecording(room.sound, sink: "headphones")
                usleep(600_000)
                let levels = [try speaker.finish().samples.last, try headphones.finish().samples.last]
                #expect(levels.contains(0.5), "\(levels)")
            }
        }
    }
}

extension SoundRoom {
    /// The id of a node, for pw-cli.
    func node(_ name: String) throws -> String {
        var id = ""
        for line in try run(["pw-cli", "ls", "Node"]).split(separator: "\n") {
            let words = line.split(whereSeparator: { " ,\t".contains($0) })
            if words.first == "id", words.count > 1 { id = String(words[1]) }
            if line.contains("node.name = \"\(name)\"") { return id }
        }
        throw Failure("there is no node \(name)")
    }
}
