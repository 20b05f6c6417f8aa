import Desktop
import Foundation
import Testing

/// files of short sounds by their names.
@Suite struct SoundThemeTests {
    private func theme(_ files: [String: String], name: String = "freedesktop", _ body: (SoundTheme, String) -> Void) throws {
        let room = FileManager.default.temporaryDirectory.appending(path: "mullion-sounds-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: room) }
        for (path, text) in files {
            let url = URL(filePath: "\(room)/sounds/\(path)")
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        body(SoundTheme(environment: ["XDG_DATA_DIRS": room, "HOME": "/nonexistent"], name: name), room + "/sounds")
    }

    @Test("the sound, or the one that it is a special case of; the theme, then those it inherits")
    func found() throws {
        try theme(
            [
                "own/index.theme": "[Sound Theme]\nInherits=other\nDirectories=stereo\n[stereo]\nOutputProfile=stereo\n",
                "own/stereo/bell.oga": "x", "own/stereo/quiet.disabled": "",
                "other/index.theme": "[Sound Theme]\nDirectories=5.1, plain\n[5.1]\nOutputProfile=5.1\n[plain]\n",
                "other/plain/dialog.wav": "x", "other/5.1/bell.oga": "x", "other/plain/quiet.oga": "x",
                "freedesktop/index.theme": "[Sound Theme]\nDirectories=stereo\n[stereo]\n", "freedesktop/stereo/message-new.ogg": "x",
            ], name: "own"
        ) { theme, folder in
            #expect(theme.file("bell") == folder + "/own/stereo/bell.oga")
            #expect(theme.file("dialog-error-serious") == folder + "/other/plain/dialog.wav")
            #expect(theme.file("message-new-instant") == folder + "/freedesktop/stereo/message-new.ogg")
            #expect(theme.file("quiet") == nil, "the theme says that it is none")
            #expect(theme.file("nothing-like-it") == nil)
        }
    }

    @Test("names are no paths, and themes that inherit in a circle end")
    func hostile() throws {
        try theme([
            "freedesktop/index.theme": "[Sound Theme]\nInherits=b,../x\nDirectories=../..,stereo,/etc\n", "freedesktop/stereo/a.oga": "x",
            "b/index.theme": "[Sound Theme]\nInherits=freedesktop,b\nDirectories=s\n", "secret.oga": "x",
        ]) { theme, folder in
            #expect(theme.file("a") == folder + "/freedesktop/stereo/a.oga")
            for name in ["../../secret", "secret", "", ".", "/etc/passwd"] { #expect(theme.file(name) == nil, "\(name)") }
        }
    }
}
