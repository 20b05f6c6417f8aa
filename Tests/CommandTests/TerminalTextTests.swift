import AudioSessions
import Control
import Geometry
import Testing

@testable import mullion

/// What apps say of themselves is shown on terminals.
@Suite struct TerminalTextTests {
    static let evil = "a\u{1b}]0;owned\u{7}b\r\nc\u{9b}31m\u{2028}d"

    /// What `mullion ctl audio` prints when everything is called so.
    private func shown(_ name: String) -> String {
        var summary = AudioSummary()
        var info = NowPlayingInfo()
        (info.title, info.artist) = (name, name)
        let app = AudioApp(id: name)
        summary.playing = AudioSummary.Playing(app: app, name: name, info: info, status: .playing, commands: [.play], since: .zero)
        summary.call = AudioSummary.Call(app: app, state: .ringing)
        summary.outputs = [AudioOutput(id: PortID(name), kind: .usb, name: name)]
        summary.apps = [AudioSummary.AppVolume(app: app, kind: .music, level: 1, isSounding: true)]
        return AudioText(SoundReport(summary, at: .zero)).text
    }

    @Test("what plays, apps and outputs are shown without what a terminal would obey")
    func audio() {
        let text = shown(Self.evil)
        #expect(text.contains("a ]0;owned b  c 31m d"))
        #expect(text.count(where: { $0 == "\n" }) == shown("plain").count(where: { $0 == "\n" }), "\(text)")
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }

    @Test("letters, accents and other scripts stay as they are")
    func harmless() {
        let text = "Ça va? 日本語 🎧 a\u{308} \u{202e}x"
        #expect(text.onOneLine == text)
    }
}
