import Desktop
import Foundation
import Testing
import Windows

@Suite struct DesktopEntryTests {
    @Test func everyFieldIsRead() throws {
        let entry = try #require(
            DesktopEntry(
                id: "org.example.Films",
                text: """
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
        ("app %", ["app", "%"]),
        (#"sh -c "exec app %u""#, ["sh", "-c", "exec app "]), ("sh -c 'exec app %F'", ["sh", "-c", "exec app "]),
        (#""100%%" "%c" '%c' --x=%c"#, ["100%", "'Name'", "Name", "--x=Name"]),
        (#"sh -c "app %i""#, ["sh", "-c", "app --icon 'icon'"]), (#"app "a\\b""#, ["app", #"a\b"#]), (#"app "%f""#, ["app", ""]),
    ])
    func commandsAreSplit(exec: String, words: [String]) throws {
        let text = "[Desktop Entry]\nType=Application\nName=Name\nIcon=icon\nExec=\(exec)\n"
        #expect(DesktopEntry(id: "x", text: text)?.command == words)
    }

    /// Where a command takes files, as GLib puts them.
    @Test(arguments: [
        ("app %f", ["app", "/a b"]), ("app --open=%f -x", ["app", "--open=/a b", "-x"]), ("app %u", ["app", "file:///a%20b"]),
        (#"sh -c "exec app %f; true""#, ["sh", "-c", "exec app '/a b'; true"]), (#"app "%f""#, ["app", "'/a b'"]),
        (#"sh -c "app %F""#, ["sh", "-c", "app '/a b' '/it'\\''s'"]), ("app '--open=%f'", ["app", "--open=/a b"]),
        ("app --all=%F.", ["app", "--all=/a b", "/it's."]), ("app %F -x", ["app", "/a b", "/it's", "-x"]), ("app 100%%f", []),
        ("sh -c 'app %f'", ["sh", "-c", "app '/a b'"]),
    ])
    func filesStandWhereTheCodeStood_W18(exec: String, words: [String]) throws {
        let text = "[Desktop Entry]\nType=Application\nName=Name\nExec=\(exec)\n"
        let entry = try #require(DesktopEntry(id: "x", text: text))
        #expect(entry.takesFiles == !words.isEmpty)
        let app = App(id: "x", name: "x", command: entry.command, filePlace: entry.filePlace)
        #expect(app.commands(opening: ["/a b", "/it's"]).first ?? [] == words)
    }

    @Test(arguments: [("/opt/app", "/opt/app"), ("", nil), ("relative", nil), (#"/opt/my\sapp"#, "/opt/my app")])
    func theFolderIsRead_X03(path: String, folder: String?) {
        let text = "[Desktop Entry]\nType=Application\nName=Name\nExec=app %k\nPath=\(path)\n"
        #expect(DesktopEntry(id: "x", text: text)?.directory == folder)
        #expect(DesktopEntry(id: "x", text: text, path: "/a b.desktop")?.command == ["app", "/a b.desktop"])
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
        #expect(
            DesktopEntries.folders(environment: ["HOME": "/h"])
                == ["/h/.local/share", "/usr/local/share", "/usr/share"])
        #expect(
            DesktopEntries.folders(environment: ["XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a:rel:/b"])
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
