import Desktop
import Foundation
import Testing

@Suite struct DesktopEntryTests {
    @Test func everyFieldIsRead() throws {
        let entry = try #require(DesktopEntry(id: "org.example.Films", text: """
            # comment
            [Desktop Entry]
            Type=Application
            Name=Films
            Name[ko]=영화
            Name[ja]=映画
            Exec=films --open %U
            TryExec=films
            Icon=org.example.Films
            Categories=AudioVideo;Video;
            OnlyShowIn=Mullion;GNOME;
            StartupWMClass=films-window
            Terminal=true
            NoDisplay=true

            [Desktop Action new]
            Name=Another
            Exec=films --new
            """, languages: ["ko_KR", "ja"]))
        #expect(entry.name == "영화")
        #expect(entry.command == ["films", "--open"])
        #expect(entry.tryExec == "films")
        #expect(entry.icon == "org.example.Films")
        #expect(entry.categories == ["AudioVideo", "Video"])
        #expect(entry.onlyShowIn == ["Mullion", "GNOME"])
        #expect(entry.windowClass == "films-window")
        #expect(entry.needsTerminal && entry.isHidden)
        #expect(!entry.isShown(in: ["GNOME"]))
    }

    /// Exec values and the words they mean.
    @Test(arguments: [
        ("foot", ["foot"]),
        ("foot  -e\ttop ", ["foot", "-e", "top"]),
        (#""a b" c"#, ["a b", "c"]),
        (#"sh -c "echo \\"x\\" \\$HOME \\\\""#, ["sh", "-c", #"echo "x" $HOME \"#]),
        ("app %f %F %u %U %k %v %m", ["app"]),
        ("app --title=%c 100%%", ["app", "--title=Name", "100%"]),
        ("app %i", ["app", "--icon", "icon"]),
        (#"app """#, ["app", ""]),
        ("app %", ["app"]),
    ])
    func commandsAreSplit(exec: String, words: [String]) throws {
        let text = "[Desktop Entry]\nType=Application\nName=Name\nIcon=icon\nExec=\(exec)\n"
        #expect(DesktopEntry(id: "x", text: text)?.command == words)
    }

    @Test(arguments: [
        "", "[Desktop Entry]", "garbage\n=\n[[[", "[Desktop Entry]\nType=Link\nName=a\nExec=b",
        "[Desktop Entry]\nType=Application\nName=a", "[Desktop Entry]\nType=Application\nExec=a",
        "[Desktop Entry]\nType=Application\nName=a\nExec=\"b", "[Desktop Entry]\nType=Application\nName=a\nExec=%U",
        "[Desktop Entry]\nType=Application\nName=a\nExec=b\nHidden=true",
        "[Other]\nType=Application\nName=a\nExec=b",
    ])
    func whatIsNoAppIsPassedOver(text: String) {
        #expect(DesktopEntry(id: "x", text: text) == nil)
    }

    @Test func desktopsDecideWhatIsShown() throws {
        var entry = DesktopEntry(id: "x", name: "x", command: ["x"])
        #expect(entry.isShown(in: []))
        entry.notShowIn = ["Mullion"]
        #expect(!entry.isShown(in: ["Mullion"]))
        entry.notShowIn = []
        entry.onlyShowIn = ["KDE"]
        #expect(!entry.isShown(in: ["Mullion"]))
    }
}

@Suite struct DesktopEntriesTests {
    @Test func personsOwnEntriesGoFirstAndFoldersJoinIds() throws {
        let root = NSTemporaryDirectory() + "mullion-desktop-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        func put(_ path: String, _ name: String, more: String = "") throws {
            let file = URL(filePath: "\(root)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try "[Desktop Entry]\nType=Application\nName=\(name)\nExec=x\n\(more)".write(
                to: file, atomically: true, encoding: .utf8)
        }
        try put("own/applications/a.desktop", "Own A")
        try put("own/applications/gone.desktop", "Gone", more: "Hidden=true\n")
        try put("system/applications/a.desktop", "System A")
        try put("system/applications/gone.desktop", "Gone")
        try put("system/applications/kde/b.desktop", "b")
        try put("system/applications/note.txt", "Note")
        let entries = DesktopEntries.installed(
            environment: ["XDG_DATA_HOME": "\(root)/own", "XDG_DATA_DIRS": "\(root)/system:\(root)/none"])
        #expect(entries.map(\.id) == ["kde-b", "a"])
        #expect(entries.map(\.name) == ["b", "Own A"])
    }

    @Test func foldersAndLanguagesFollowTheEnvironment() {
        #expect(DesktopEntries.folders(environment: ["HOME": "/h"])
            == ["/h/.local/share", "/usr/local/share", "/usr/share"])
        #expect(DesktopEntries.folders(environment: ["XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a:rel:/b"])
            == ["/d", "/a", "/b"])
        #expect(DesktopEntries.languages(environment: ["LANG": "ko_KR.UTF-8"]) == ["ko_KR"])
        #expect(DesktopEntries.languages(environment: ["LANGUAGE": "ja:en", "LC_ALL": "C", "LANG": "de_DE"]) == ["ja", "en"])
        let tongues: [([String: String], [String])] = [
            ([:], []), (["LANG": "ko_KR.UTF-8"], ["ko"]), (["LANG": "ko_KR.UTF-8", "LC_ALL": "ja_JP.UTF-8"], ["ja"]),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": ""], ["ko"]), (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "C"], []),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "de:ja:ko"], ["de", "ja", "ko", "en"]), (["LANG": "C.UTF-8"], []),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "de"], ["de", "ko"]), (["LANG": "KO"], ["ko"]), (["LANG": "kok_IN"], ["kok"]),
            (["LANG": "ko@hanja"], ["ko"]), (["LANG": "ko-KR"], ["ko"]),
        ]
        for (environment, names) in tongues { #expect(DesktopEntries.tongues(environment: environment) == names, "\(environment)") }
    }
}
