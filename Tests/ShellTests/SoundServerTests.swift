import Foundation
import MullionTesting
import Testing

/// Sound where no server runs: the shell brings its own.
@Suite(.enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed")) struct SoundServerTests {
    @Test("Where no sound server runs the shell starts one of its own, and ends it")
    func own() throws {
        let shell = try ShellUnderTest(audio: "auto")
        defer { shell.clear() }
        try shell.wait("the log says that it is the shell's own", within: 20) {
            shell.log.contains("one of its own at") && shell.log.contains("sound by PipeWire")
        }
        let folder = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/sound"
        try shell.wait("an app that it launches plays there", within: 20) {
            try shell.run(["env", "PIPEWIRE_RUNTIME_DIR=\(folder)", "pw-metadata", "0", "default.audio.sink"]).output.contains("mullion.output")
        }
        try shell.quit()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("X-06: a volume can be set right after the start, before it is known where sound goes", arguments: ["auto", "off"])
    func early(audio: String) throws {
        let shell = try ShellUnderTest(audio: audio)
        defer { shell.clear() }
        let (status, output) = try shell.run([ShellUnderTest.program(), "ctl", "audio", "volume", "40"], within: 20)
        if audio == "off" {
            #expect(status != 0 && output.contains("there is no output whose volume could change"), "\(output)")
        } else {
            #expect(status == 0, "\(output)")
            #expect(try shell.run([ShellUnderTest.program(), "ctl", "audio", "volume"]).output == "40\n")
        }
        try shell.quit()
    }

    @Test("Without the programs the shell runs without sound, and says what is missing")
    func missing() throws {
        let shell = try ShellUnderTest(environment: ["PATH": "/nowhere"], audio: "private")
        defer { shell.clear() }
        try shell.wait("the log says it") { shell.log.contains("no sound: there is no sound server, and pipewire and wireplumber") }
        try shell.quit()
    }
}
