import AudioSessions
import Control
import Foundation
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The apps in Examples in a running shell, with real sound in the shell's private sound server.
    @Suite(.serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"))
    struct ExampleTests {
        /// Two minutes of a 440 Hz tone, as a WAV file with 8000 samples per second.
        private func tone(in shell: ShellUnderTest) throws -> String {
            let count = 8000 * 120
            var data = Data()
            func number<T: FixedWidthInteger>(_ value: T) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
            data.append(contentsOf: "RIFF".utf8)
            number(UInt32(36 + 2 * count))
            data.append(contentsOf: "WAVEfmt ".utf8)
            number(UInt32(16))
            for value: UInt16 in [1, 1] { number(value) }
            for value: UInt32 in [8000, 16000] { number(value) }
            for value: UInt16 in [2, 16] { number(value) }
            data.append(contentsOf: "data".utf8)
            number(UInt32(2 * count))
            let period = (0..<200).map { Int16(6000 * sin(Double($0) / 8000 * 440 * 2 * .pi)) }
            for index in 0..<count { number(period[index % 200]) }
            let path = "\(shell.room)/tone.wav"
            try data.write(to: URL(filePath: path))
            return path
        }

        @Test("A-15, A-17, A-18: a podcast pauses for a prompt and for a call and goes on after both; paused by a person, it stays so")
        func podcast() throws {
            let shell = try ShellUnderTest(environment: ["DBUS_SESSION_BUS_ADDRESS": ""], audio: "private")
            defer { shell.clear() }
            try shell.waitForLog("sound by PipeWire")
            var heard = 0, spoken = 0, called = 0
            let podcast = try ExampleApp(shell, "podcast", [tone(in: shell)])
            try podcast.tell("play")
            try podcast.hears(["playing"], after: &heard)

            let navigator = try ExampleApp(shell, "navigator")
            try navigator.tell("say turn left")
            try navigator.hears(["speaking", "silent"], after: &spoken)
            try podcast.hears(["interrupted standard", "paused", "interruption over, may resume", "playing"], after: &heard)

            let phone = try ExampleApp(shell, "phone")
            try phone.tell("ring")
            try phone.hears(["ringing"], after: &called)
            try podcast.hears(["interrupted standard", "paused"], after: &heard)
            // The user answers with the shell's controls.
            try shell.client.perform(.audio(.answerCall))
            try phone.hears(["accepted", "talking"], after: &called)
            try shell.client.perform(.audio(.endCall))
            try phone.hears(["ended"], after: &called)
            try podcast.hears(["interruption over, may resume", "playing"], after: &heard)

            try shell.client.perform(.audio(.remote(.pause, .key)))
            try podcast.hears(["command pause", "paused"], after: &heard)
            try navigator.tell("say turn right")
            try navigator.hears(["speaking", "silent"], after: &spoken)
            // A key reaches it again. If it had resumed by itself, this would change nothing.
            try shell.client.perform(.audio(.remote(.play, .key)))
            try shell.wait("the podcast to go on", within: 20) { podcast.lines.last == "playing" }
            let since = Array(podcast.lines[heard...])
            // The end of the prompt may be reported before or after the key.
            #expect(
                since.last == "playing" && since.contains("command play") && since.filter { $0 == "playing" }.count == 1, "\(since)")
            try shell.quit()
        }

        private func sound(_ shell: ShellUnderTest) throws -> SoundReport { try shell.client.ask(.get(.audio), for: SoundReport.self) }

        @Test("A-19: a call that rings does not stop a recording, one that is accepted does; what was recorded is kept")
        func recorder() throws {
            let shell = try ShellUnderTest(environment: ["DBUS_SESSION_BUS_ADDRESS": ""], audio: "private")
            defer { shell.clear() }
            try shell.waitForLog("sound by PipeWire")
            var heard = 0, called = 0
            let recorder = try ExampleApp(shell, "recorder", ["\(shell.room)/recordings"])
            try recorder.tell("record")
            try recorder.hears(["refused cannotStartRecording"], after: &heard)

            let server = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/sound"
            let microphone =
                "{ factory.name=support.null-audio-sink media.class=Audio/Source/Virtual node.name=microphone "
                + "node.description=Microphone object.linger=true audio.position=[MONO] priority.session=1000 }"
            let made = try shell.run(["env", "PIPEWIRE_RUNTIME_DIR=\(server)", "pw-cli", "create-node", "adapter", microphone])
            try #require(made.status == 0, "\(made.output)")
            try shell.wait("the microphone", within: 20) { try sound(shell).inputs.contains { $0.name == "Microphone" } }
            try recorder.tell("record")
            try recorder.hears(["recording"], after: &heard)
            let file = try #require(recorder.lines.last?.dropFirst("recording ".count))

            let phone = try ExampleApp(shell, "phone")
            try phone.tell("ring")
            try phone.hears(["ringing"], after: &called)
            try shell.wait("the call to ring", within: 20) { try sound(shell).call?.state == .ringing }
            #expect(recorder.lines.count == heard, "it goes on while the call rings")
            try phone.tell("accept")
            try phone.hears(["accepted"], after: &called)
            try recorder.hears(["interrupted standard", "saved"], after: &heard)
            let size = try FileManager.default.attributesOfItem(atPath: String(file))[.size] as? Int ?? 0
            #expect(size > 0)
            try phone.tell("end")
            try recorder.hears(["interruption over"], after: &heard)
            #expect(
                !recorder.lines.dropFirst(heard).contains { $0.hasPrefix("recording") },
                "the microphone is not opened again by itself (A-20)")
            try shell.quit()
        }
    }
}
