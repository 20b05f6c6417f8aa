import AudioEngine
import AudioSessions
import Clocks
import MullionTesting
import Processes
import Testing

extension SoundTests {
    /// The anchor as mixers see it: its level is the system volume (A-07).
    @Suite(.enabled(if: Executable.find("pactl", path: nil) != nil, "pactl is not installed: apt-get install pulseaudio-utils"))
    struct MixerTests {
        /// Applies wishes about the system volume as the core does.
        private final class Volume {
            let room: EngineRoom
            var level = 0.4
            var isMuted = false
            /// Events that were already checked.
            private var seen = 0
            private(set) var wishes = 0

            init(_ room: EngineRoom) {
                self.room = room
                room.use("speaker")
                tell()
            }

            func tell() { room.engine.perform(.outputLevel(PortID("speaker"), level: level, isMuted: isMuted)) }

            func turn() {
                room.turn()
                while seen < room.events.count {
                    defer { seen += 1 }
                    switch room.events[seen] {
                    case .action(.setVolume(let wish, .media)): level = wish
                    case .action(.mute(let wish)): isMuted = wish ?? !isMuted
                    default: continue
                    }
                    wishes += 1
                    tell()
                }
            }

            func wait(_ what: String, until condition: () throws -> Bool) throws {
                try room.sound.wait(what, turn: turn, until: condition)
            }

            /// The volume of a sink according to a mixer, such as "40%".
            func shown(_ sink: String) throws -> String {
                let text = try room.sound.run(["pactl", "get-sink-volume", sink])
                return text.split(separator: "/").dropFirst().first.map { $0.filter { !$0.isWhitespace } } ?? text
            }

            func isShownMuted(_ sink: String) throws -> Bool { try room.sound.run(["pactl", "get-sink-mute", sink]).contains("yes") }
        }

        private func with(_ body: (EngineRoom, Volume) throws -> Void) throws {
            try SoundTests.with { room in
                try room.sound.startPulse()
                try body(room, Volume(room))
            }
        }

        @Test("A-07: a mixer that sets the default output's volume or mute sets the system's, and shows the system's")
        func bothWays() throws {
            try with { room, volume in
                try volume.wait("pactl shows the system volume") { try volume.shown("@DEFAULT_SINK@") == "40%" }
                _ = try room.sound.run(["pactl", "set-sink-volume", "@DEFAULT_SINK@", "50%"])
                try volume.wait("the system is as loud") { abs(volume.level - 0.5) < 0.002 }
                try volume.wait("the device is") { try volume.shown("speaker") == "50%" }
                #expect(try volume.shown("@DEFAULT_SINK@") == "50%")

                _ = try room.sound.run(["pactl", "set-sink-mute", "@DEFAULT_SINK@", "1"])
                try volume.wait("the device is muted") { try volume.isMuted && volume.isShownMuted("speaker") }
                _ = try room.sound.run(["wpctl", "set-mute", "@DEFAULT_AUDIO_SINK@", "0"])
                try volume.wait("wpctl does it as well") { try !volume.isMuted && !volume.isShownMuted("speaker") }
                _ = try room.sound.run(["wpctl", "set-volume", "@DEFAULT_AUDIO_SINK@", "25%"])
                try volume.wait("wpctl sets it") { try volume.shown("speaker") == "25%" }

                volume.level = 0.75
                volume.isMuted = true
                volume.tell()
                try volume.wait("keys are seen in mixers") {
                    try volume.shown("@DEFAULT_SINK@") == "75%" && volume.isShownMuted("@DEFAULT_SINK@")
                }
                #expect(try room.sound.run(["wpctl", "get-volume", "@DEFAULT_AUDIO_SINK@"]).contains("0.75 [MUTED]"))
            }
        }

        @Test("A-07: a mixer of the device changes what the anchor shows; louder than all is all")
        func others() throws {
            try with { room, volume in
                try volume.wait("the anchor shows the system volume") { try volume.shown("@DEFAULT_SINK@") == "40%" }
                _ = try room.sound.run(["pactl", "set-sink-volume", "speaker", "60%"])
                try volume.wait("the anchor follows") { try volume.shown("@DEFAULT_SINK@") == "60%" }
                #expect(volume.wishes == 0, "that is no wish for the anchor")
                _ = try room.sound.run(["pactl", "set-sink-volume", "@DEFAULT_SINK@", "150%"])
                try volume.wait("both are at the end of the range") {
                    try volume.shown("@DEFAULT_SINK@") == "100%" && volume.shown("speaker") == "100%"
                }
            }
        }

        @Test("A-07: a slider that is dragged ends where it was let go, and nothing swings afterwards")
        func dragged() throws {
            try with { room, volume in
                try volume.wait("the anchor shows the system volume") { try volume.shown("@DEFAULT_SINK@") == "40%" }
                let drag = (0..<40).map { "pactl set-sink-volume @DEFAULT_SINK@ \(20 + $0 * 37 % 61)%" }.joined(separator: "; ")
                _ = try room.sound.start([
                    "sh", "-c", "\(drag); pactl set-sink-volume @DEFAULT_SINK@ 33%; touch '\(room.sound.room)/dragged'",
                ])
                try volume.wait("the finger is lifted") { try room.sound.run(["ls", room.sound.room]).contains("dragged") }
                try volume.wait("it is where the finger was") { abs(volume.level - 0.33) < 0.002 }
                let end = Clocks.monotonicSeconds + 1
                let wishes = volume.wishes
                while Clocks.monotonicSeconds < end { volume.turn() }
                #expect(volume.wishes == wishes && abs(volume.level - 0.33) < 0.002)
                #expect(try volume.shown("@DEFAULT_SINK@") == "33%" && volume.shown("speaker") == "33%")
            }
        }

        @Test("A-07: the audible level is the device's, whatever the anchor shows; it shows a muted microphone")
        func heard() throws {
            try with { room, volume in
                try room.play(0.5)
                let speaker = try room.record("speaker")
                _ = try room.sound.run(["pactl", "set-sink-volume", "@DEFAULT_SINK@", "50%"])
                try volume.wait("the device is as loud") { try volume.shown("speaker") == "50%" }
                let end = Clocks.monotonicSeconds + 0.3
                while Clocks.monotonicSeconds < end { volume.turn() }
                let samples = try speaker.finish().samples
                #expect(samples.last.map { abs($0 - 0.0625) < 1e-4 } == true, "once, not twice: \(samples.last ?? 0)")

                _ = try room.sound.run(["pactl", "set-source-mute", "@DEFAULT_SOURCE@", "1"])
                try volume.wait("the microphone's mute is wished") { room.events.contains(.action(.muteMicrophone(true))) }
                room.engine.perform(.muteInput(true))
                room.engine.perform(.muteInput(false))
                try volume.wait("it is seen there that it is not muted") {
                    try room.sound.run(["pactl", "get-source-mute", "@DEFAULT_SOURCE@"]).contains("no")
                }
            }
        }
    }
}
