import AudioSessions
import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

/// A shell on a sound server with a speaker that can be recorded, and with a session bus of its own.
final class SoundStage {
    let sound: SoundRoom
    let shell: ShellUnderTest
    /// The players' file: samples that all have this value.
    static let value: Float = 0.25
    let file: String

    /// - Parameters:
    ///   - files: further files. `{sound}` in them stands for the path of the players' file.
    ///   - apps: exactly these are installed; nil: those of the machine.
    ///   - config: the configuration of the shell.
    ///   - hasMicrophone: without one, a recorder of the speaker is no recording of a person, during which notifications are silent.
    init(
        files: [String: String] = [:], apps: [TestApp]? = nil, size: String = "1180x820", config: String = ShellUnderTest.standardConfig,
        hasMicrophone: Bool = true
    ) throws {
        sound = try SoundRoom(devices: hasMicrophone ? [.speaker, .microphone] : [.speaker])
        try sound.startPulse()
        let steady = try sound.steady(SoundStage.value, seconds: 150)
        file = steady
        var own = files, environment: [String: String] = [:]
        if let apps {
            environment["XDG_DATA_DIRS"] = "{room}/system"
            for app in apps { own[app.path] = app.entry }
        }
        own = own.mapValues { $0.split(separator: "{sound}", omittingEmptySubsequences: false).joined(separator: steady) }
        shell = try ShellUnderTest(
            size: size, config: config,
            environment: environment.merging([
                "DBUS_SESSION_BUS_ADDRESS": "", "PIPEWIRE_RUNTIME_DIR": "\(sound.room)/run",
                "PIPEWIRE_CONFIG_DIR": "\(sound.room)/pipewire", "PULSE_SERVER": "unix:\(sound.room)/run/pulse/native",
            ]) { $1 }, files: own, audio: "auto")
        try shell.client.ask(.wait(WaitRequest(until: .sound, timeout: 30_000)))
    }

    func end() throws {
        try shell.quit()
        shell.clear()
        sound.clear()
    }

    func report() throws -> SoundReport { try shell.client.ask(.get(.audio), for: SoundReport.self) }

    func session(_ app: String) throws -> SessionsReport.Session? { try report().sessions.first { $0.app.id == app } }

    /// What the speaker plays at the end of a period.
    func level(_ seconds: Double = 0.4) throws -> Float {
        let recording = try SoundRecording(sound, sink: "speaker")
        try sound.wait("the recorder runs") { recording.hasBegun }
        usleep(UInt32(clamping: seconds * 1e6))
        return try recording.finish().samples.last ?? 0
    }

    /// The loudest and the softest sample of a period, without the first of the recorder.
    func range(_ seconds: Double) throws -> ClosedRange<Float> {
        let recording = try SoundRecording(sound, sink: "speaker")
        try sound.wait("the recorder runs") { recording.hasBegun }
        usleep(UInt32(clamping: seconds * 1e6))
        let samples = try recording.finish().samples.dropFirst(4800)
        return (samples.min() ?? 0)...(samples.max() ?? 0)
    }

    /// Whether the speaker keeps a level for a second. A busy machine may be too late with some samples, so a tenth of them may differ.
    func stays(at level: Float) throws -> Bool {
        let recording = try SoundRecording(sound, sink: "speaker")
        try sound.wait("the recorder runs") { recording.hasBegun }
        usleep(1_000_000)
        let samples = try recording.finish().samples.dropFirst(4800)
        let others = samples.count { abs($0 - level) >= 0.003 }
        return !samples.isEmpty && others * 10 <= samples.count
    }

    func waitForLevel(_ what: String, _ level: Float) throws {
        var last: Float = -1
        do {
            try shell.wait(what, within: 20) {
                last = try self.level()
                return abs(last - level) < 0.003
            }
        } catch { throw ShellUnderTest.Failure("\(error): \(last), not \(level); \(try report())") }
    }

    /// As a key of a keyboard or a headset, by its Linux code.
    func key(_ code: Int) throws {
        for pressed in ["true", "false"] {
            let (status, output) = try shell.run([
                ShellUnderTest.program(), "ctl", "send", "{\"input\":{\"key\":{\"key\":\(code),\"pressed\":\(pressed)}}}",
            ])
            try #require(status == 0, "\(output)")
        }
    }

    /// KEY_PLAYPAUSE, KEY_MEDIA; and as a headset's by Bluetooth: KEY_PLAYCD, KEY_PAUSECD.
    static let (playPause, media, play, pause) = (164, 226, 200, 201)

    func waitForStatus(_ status: PlaybackStatus, _ what: String) throws {
        try shell.wait(what, within: 30) { try report().playing?.status == status }
    }
}
