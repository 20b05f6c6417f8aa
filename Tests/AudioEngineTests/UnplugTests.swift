import AudioEngine
import AudioSessions
import Glibc
import MullionTesting
import Processes
import Testing

extension SoundTests {
    /// what played on unplugged headphones is silent, whatever the session manager does.
    @Suite struct UnplugTests {
        @Test(
            "A-09: headphones removed while native and PulseAudio programs play: 0 samples on the speaker",
            arguments: [256, 512, 1024, 2048])
        func nothingOnTheSpeaker(quantum: Int) throws {
            try unplug(quantum: quantum, times: SoundTests.isSlow ? 100 : 3, isLoaded: false)
        }

        @Test("A-09: the same while the processor is busy", .enabled(if: TestSeed.isSlow, "make test-slow"), arguments: [256, 1024])
        func nothingOnTheSpeakerUnderLoad(quantum: Int) throws {
            try unplug(quantum: quantum, times: 100, isLoaded: true)
        }

        private func unplug(quantum: Int, times: Int, isLoaded: Bool) throws {
            try SoundTests.with(quantum: quantum) { room in
                let sound = room.sound
                try sound.startPulse()
                room.use("headphones")
                let file = try sound.steady(0.25, seconds: SoundTests.isSlow ? 300 : 60)
                try room.play(["pw-cat", "-p", file], app: "pw-cat")
                try room.play(["pw-cat", "-p", "--target", "headphones", file], app: "pw-cat")
                let hasPlayer = Executable.find("mpv", path: sound.environment["PATH"]) != nil
                if hasPlayer {
                    for output in ["pulse", "pipewire"] {
                        try room.play(["mpv", "--no-video", "--no-config", "--loop", "--ao=\(output)", file], app: "mpv")
                    }
                }
                let hogs = try isLoaded ? (0..<4).map { _ in try sound.start(["sh", "-c", "kill -STOP $$; while :; do :; done"]) } : []
                defer { for hog in hogs { sound.launcher.signal(hog, SIGKILL) } }
                let speaker = try room.record("speaker")
                for _ in 0..<times {
                    let headphones = try room.record("headphones")
                    // Busy while they are unplugged. If it were so all the time, all other tests would wait for these.
                    for hog in hogs { sound.launcher.signal(hog, SIGCONT) }
                    room.run(seconds: 0.2)
                    _ = try sound.run(["pw-cli", "destroy", "headphones"])
                    // By default, it would be on the speaker after 40 ms.
                    room.run(seconds: 0.6)
                    for hog in hogs { sound.launcher.signal(hog, SIGSTOP) }
                    #expect(try headphones.finish().soundingCount > 0)
                    #expect(!room.outputs.contains { $0.id == PortID("headphones") })
                    try sound.makeSink("headphones", kind: "headphone")
                    try room.wait("all sound on the new headphones") {
                        try room.count("headphones:playback_FL") == (hasPlayer ? 4 : 2)
                    }
                }
                let blocks = try speaker.finish()
                #expect(blocks.samples.count > 48000 / 2 * times)
                #expect(blocks.soundingCount == 0)
            }
        }

        @Test("A-09: an unconnected stream is silent, although the session manager has linked it")
        func unconnected() throws {
            try SoundTests.with { room in
                room.connects = false
                room.use("speaker")
                let speaker = try room.record("speaker"), headphones = try room.record("headphones")
                try room.play(0.25)
                room.run(seconds: 0.5)
                #expect(try room.sound.run(["pw-link", "-l", "mullion.output:playback_FL"]).contains("player:output_FL"))
                #expect(try speaker.finish().soundingCount == 0)
                #expect(try headphones.finish().soundingCount == 0)
            }
        }

        @Test("A-08: headphones plugged in while music plays: not a sample of it is lost", arguments: [256, 1024])
        func plugging(quantum: Int) throws {
            try SoundTests.with(devices: [.speaker], quantum: quantum) { room in
                room.use("speaker")
                room.awaited = "plugged"
                try room.playNumbered()
                // A round in which a recorder itself missed samples, on a busy machine, says nothing about the shell.
                let wanted = SoundTests.isSlow ? 15 : 4
                var measured = 0
                for _ in 0..<(4 * wanted) where measured < wanted {
                    room.use("speaker")
                    try room.wait("it is heard on the speaker alone") { try room.count("speaker:playback_FL") == 1 }
                    let speaker = try room.record("speaker")
                    room.run(seconds: 0.3)
                    let headphones = try SoundRecording(room.sound, newSink: "plugged")
                    try room.wait("the headphones hear it") { headphones.hasBegun }
                    try room.wait("the speaker does not") { try room.count("speaker:playback_FL") == 0 }
                    room.run(seconds: 0.2)
                    let before = try speaker.finish(), after = try headphones.finish()
                    let last = try #require(before.samples.last { $0 > 0.05 }), first = try #require(after.samples.first { $0 > 0.05 })
                    // Positions in the file, modulo two seconds.
                    let lost = (SoundTests.place(first) - SoundTests.place(last) - 1 + 96000 + 48000) % 96000 - 48000
                    print("plugged in at \(quantum): lost \(lost), recorders missed \(before.missed), \(after.missed)")
                    if before.missed == 0, after.missed == 0 {
                        measured += 1
                        #expect(lost <= 0, "\(lost) samples lost")
                    }
                    try room.wait("the headphones are gone") { !room.outputs.contains { $0.id == PortID("plugged") } }
                }
                #expect(measured > 0, "the machine was busy all the time")
            }
        }

        @Test("A-08, A-10: another output: nothing of the music is lost, and the gap is at most a quantum", arguments: [256, 1024])
        func moving(quantum: Int) throws {
            try SoundTests.with(quantum: quantum) { room in
                room.use("speaker")
                try room.playNumbered()
                let (before, after) = try undisturbed(
                    quantum: quantum,
                    isRight: { SoundTests.holes($0.1.samples).lost == 0 && SoundTests.holes($0.1.samples).longest <= quantum }
                ) {
                    room.use("speaker")
                    room.run(seconds: 0.3)
                    let speaker = try room.record("speaker"), headphones = try room.record("headphones")
                    room.run(seconds: 0.5)
                    room.use("headphones")
                    room.run(seconds: 0.5)
                    return (try speaker.finish(), try headphones.finish())
                }
                let last = try #require(before.samples.last { $0 > 0.05 }), first = try #require(after.samples.first { $0 > 0.05 })
                // Positions in the file, modulo two seconds.
                let lost = (SoundTests.place(first) - SoundTests.place(last) - 1 + 96000 + 48000) % 96000 - 48000
                #expect(lost <= 0, "\(lost) samples lost")
                let end = try #require(before.last { $0.soundingCount > 0 }), start = try #require(after.first { $0.soundingCount > 0 })
                let gap = start.time - end.time - Double(quantum) / 48000
                print("moved at \(quantum): lost \(lost), wall gap \(gap * 1000) ms, recorders missed \(before.missed), \(after.missed)")
                #expect(gap <= Double(quantum) / 48000 + 0.03)
                // When the old device leaves the graph, the new one drives it: a quantum of silence, during which the
                // music waits.
                let holes = SoundTests.holes(after.samples)
                #expect(holes.longest <= quantum)
                #expect(holes.lost == 0)
            }
        }
    }
}

extension SoundRecording.Block {
    var soundingCount: Int { samples.count { abs($0) > 1e-6 } }
}
