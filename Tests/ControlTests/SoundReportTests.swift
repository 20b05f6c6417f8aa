import AudioSessions
import Control
import Geometry
import Journal
import Testing

/// what `mullion ctl audio` shows.
@Suite struct SoundReportTests {
    private let ports = [("a#1", "speaker", "Speaker"), ("a#2", "headphones", "Headphones"), ("b", "bluetoothA2DP", "Kitchen Speaker")]
        .map { id, kind, name in SoundReport.Port(id: id, kind: kind, name: name, level: 1, muted: false) }

    @Test(
        "an output is found by number, name, a part of it, kind or id",
        arguments: [
            ("2", "a#2"), ("Headphones", "a#2"), ("kitchen", "b"), ("a#1", "a#1"), ("headphones", "a#2"), ("Speaker", "a#1"),
        ])
    func found(wish: String, id: String) throws {
        #expect(try SoundReport.find(wish, among: ports, what: "output").id == id)
    }

    @Test("an unknown name is refused with a list of the known ones")
    func unknown() {
        #expect(throws: ControlError("no output is called \"garden\"; there is 1 Speaker, 2 Headphones, 3 Kitchen Speaker")) {
            try SoundReport.find("garden", among: ports, what: "output")
        }
        #expect(throws: ControlError("\"speak\" may be more than one output; there is 1 Speaker, 2 Headphones, 3 Kitchen Speaker")) {
            try SoundReport.find("speak", among: ports, what: "output")
        }
        #expect(throws: ControlError("there is no input at all")) { try SoundReport.find("1", among: [], what: "input") }
    }

    @Test("a report is written and read again, with the place in what plays as it is now")
    func written() throws {
        var audio = AudioSessions()
        _ = audio.handle(.serverChanged(isRunning: true), at: .zero)
        _ = audio.handle(
            .devicesChanged(outputs: [AudioOutput(id: PortID("a"), kind: .speaker, name: "Speaker", level: 0.5)], inputs: []), at: .zero)
        var info = NowPlayingInfo()
        info.title = "Nocturne"
        info.duration = 100
        info.position = 10
        _ = audio.handle(
            .playerAppeared(
                PlayerID("org.mpris.MediaPlayer2.x"),
                PlayerFacts(
                    app: AudioApp(id: "x"), name: "X", status: .playing, commands: [.seek, .pause], info: info)), at: .zero)
        let report = SoundReport(audio.summary, audio.report.sessions, at: Moment(nanoseconds: 5_000_000_000))
        #expect(report.playing?.position == 15 && report.playing?.commands == [.pause, .seek])
        #expect(report.volumes["media"]?.level == 0.5 && report.output == "a")
        #expect(try JSON(encoding: report).decoded(as: SoundReport.self) == report)
        #expect(try JSON(encoding: report)["volumes"]?["media"]?["muted"] != nil)
    }
}
