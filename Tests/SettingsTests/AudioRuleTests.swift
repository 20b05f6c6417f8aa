import AudioSessions
import Foundation
import Settings
import Testing

@Suite struct AudioRuleTests {
    private func parse(_ text: String) throws -> AudioPreferences { try Settings.parse(text, file: "config.toml").preferences.audio }

    @Test("A-26: rules say what an app's sound is, in their order; who may sound alarms and ring is named")
    func rules() throws {
        let audio = try parse(
            """
            audio.alarm-apps = ["org.example.Clock"]
            audio.ringer-apps = []
            [[audio.rule]]
            app = "mpv"
            kind = "podcast"
            [[audio.rule]]
            app = "org.example.Game"
            kind = "gameAmbient"
            """)
        #expect(audio.rules == [.init(app: "mpv", kind: .podcast), .init(app: "org.example.Game", kind: .gameAmbient)])
        #expect(audio.alarmApps == ["org.example.Clock"])
        #expect(audio.ringerApps.isEmpty)
        #expect(try parse("") == AudioPreferences())
        for kind in SoundKind.allCases {
            #expect(try parse("audio = { rule = [{ app = 'a', kind = '\(kind.rawValue)' }] }").rules.first?.kind == kind)
        }
    }

    @Test(
        "A-26: a wrong rule is refused with its place",
        arguments: [
            ("audio = 1", 1, "audio"), ("[[audio.rule]]\napp = 'a'", 1, "app and kind"),
            ("[[audio.rule]]\nkind = 'music'", 1, "app and kind"), ("[[audio.rule]]\napp = 'a'\nkind = 'loud'", 3, "music"),
            ("[[audio.rule]]\napp = 3\nkind = 'music'", 2, "name of an app"), ("[audio]\nrules = []", 2, "did you mean"),
            ("[audio]\nrule = ['a']", 2, "rule"),
        ])
    func wrong(text: String, line: Int, word: String) {
        #expect { try parse(text) } throws: { error in
            guard let error = error as? SettingsError else { return false }
            return error.line == line && "\(error)".contains(word)
        }
    }
}
