import Foundation
import MullionTesting
import Processes
import Testing

/// Sound without a server on the machine: the shell starts a private one.
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
            try shell.run(["env", "PIPEWIRE_RUNTIME_DIR=\(folder)", "pw-metadata", "0", "default.audio.sink"]).output.contains(
                "mullion.output")
        }
        try shell.quit()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("What the shell brings for itself, a session bus and a sound server, ends with it though it is killed")
    func boundToTheShell() throws {
        try ShellUnderTest.require("setpriv", of: "util-linux")
        let shell = try ShellUnderTest(environment: ["DBUS_SESSION_BUS_ADDRESS": ""], audio: "auto")
        defer { shell.clear() }
        func status(_ process: Int32, _ field: String) -> String? {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
            return text.split(separator: "\n").first { $0.hasPrefix("\(field):\t") }.map { String($0.dropFirst(field.count + 2)) }
        }
        let wanted: Set = ["dbus-daemon", "pipewire", "wireplumber"]
        var own: [Int32] = []
        try shell.wait("its bus and its sound server", within: 20) {
            own = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
                .filter { status($0, "PPid") == "\(shell.process)" && wanted.contains(status($0, "Name") ?? "") }
            return Set(own.compactMap { status($0, "Name") }) == wanted
        }
        kill(shell.process, SIGKILL)
        // Only children of this process can be waited for.
        try shell.wait("them to end", within: 20) { own.allSatisfy { status($0, "State")?.hasPrefix("Z") ?? true } }
    }

    @Test("A session manager that ends seven times in a row at its start keeps sound away only until it can run")
    func endsAtItsStart() throws {
        let programs = NSTemporaryDirectory() + "mullion-restarts-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: programs) }
        let real = try #require(Executable.find("wireplumber", path: ProcessInfo.processInfo.environment["PATH"]))
        let script = """
            #!/bin/sh
            echo >> "\(programs)/count"
            [ "$(wc -l < "\(programs)/count")" -gt 7 ] || exit 1
            exec "\(real)"
            """
        try Data(script.utf8).write(to: URL(filePath: "\(programs)/wireplumber"))
        chmod("\(programs)/wireplumber", 0o755)
        let path = "\(programs):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let shell = try ShellUnderTest(environment: ["PATH": path], audio: "private")
        defer { shell.clear() }
        let folder = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/sound"
        // Pauses of 0, 0.25, 0.5, 1, 2, 4 and 8 s.
        try shell.wait("sound is there", within: 60) {
            try shell.run(["env", "PIPEWIRE_RUNTIME_DIR=\(folder)", "pw-metadata", "0", "default.audio.sink"]).output.contains(
                "mullion.output")
        }
        #expect(shell.log.contains("wireplumber of the own sound server ended; it is started again in 8.0 s"))
        try shell.quit()
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
