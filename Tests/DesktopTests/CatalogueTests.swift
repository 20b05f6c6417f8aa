import Desktop
import Foundation
import Testing
import Windows

/// Which apps there are, and what is known of them.
@Suite struct CatalogueTests {
    let place = Place()

    init() throws { try place.program("tool") }

    @Test func everythingThatTheCoreWantsToKnowIsThere_X03() throws {
        try place.app(
            "own/applications/org.example.Web", "Web", exec: "tool --new-tab %u",
            more: """
                GenericName=Web Browser
                Keywords=Internet;WWW\\;;
                Categories=Network;X-Special;WebBrowser;
                Icon=web
                MimeType=text/html;x-scheme-handler/HTTPS;
                StartupWMClass=web-window
                SingleMainWindow=true
                Actions=private;absent;broken;private;
                [Desktop Action private]
                Name=New Private Window
                Exec=tool --private
                [Desktop Action broken]
                Name=No command
                [Desktop Action unlisted]
                Name=Unlisted
                Exec=tool
                """)
        #expect(
            place.catalogue().apps == [
                App(
                    id: "org.example.Web", name: "Web",
                    keywords: ["Web Browser", "Internet", "WWW;", "Network", "WebBrowser"], icon: "web",
                    command: ["tool", "--new-tab"], windowClass: "web-window", isSingleWindow: true, takesFiles: true,
                    mimeTypes: ["text/html", "x-scheme-handler/https"], filePlace: FilePlace(index: 2, isMany: false, takesAddresses: true),
                    actions: [AppAction(id: "private", name: "New Private Window", command: ["tool", "--private"])])
            ])
    }

    @Test(arguments: [
        ("python3 {}/tune.py --quiet", "tune"), ("python3 -m tune", "tune"), ("tune.sh", nil), ("tool --tune", nil),
    ])
    func whatAnInterpreterRunsIsKnown(exec: String, script: String?) throws {
        for program in ["python3", "tune.sh"] { try place.program(program) }
        try place.app("own/applications/org.example.Tune", "Tune", exec: exec.replacing("{}", with: "/opt"), more: "Categories=Music;")
        let catalogue = place.catalogue()
        #expect(catalogue.apps.first?.script == script)
        #expect(catalogue.categories[(script ?? String(exec.prefix { $0 != " " })).lowercased()] == ["Music"])
        #expect(catalogue.categories["python3"] == nil)
    }

    @Test(arguments: [
        ("ko_KR.UTF-8", "영화", "새 창", ["비디오", "Player", "동영상", "film", "Films"]),
        ("ja_JP.UTF-8", "映画", "新しいウィンドウ", ["プレーヤー", "Player", "動画", "film", "Films"]),
        ("en_US.UTF-8", "Films", "New Window", ["Player", "film"]),
        ("de_DE", "Films", "New Window", ["Player", "film"]),
        ("sr_RS.UTF-8@latin", "Filmovi", "New Window", ["Player", "film", "Films"]),
    ])
    func namesAndWordsAreInThePersonsLanguage_X03_X04(
        language: String, name: String, action: String, keywords: [String]
    ) throws {
        try place.app(
            "own/applications/films", "Films",
            more: """
                Name[ko]=영화
                Name[ja]=映画
                Name[sr@latin]=Filmovi
                GenericName=Player
                GenericName[ko]=비디오
                GenericName[ja]=プレーヤー
                Keywords=film;
                Keywords[ko]=동영상;
                Keywords[ja]=動画;
                Actions=new;
                [Desktop Action new]
                Name=New Window
                Name[ko]=새 창
                Name[ja]=新しいウィンドウ
                Exec=tool --new
                """)
        place.more = ["LANG": language]
        let app = try #require(place.catalogue().apps.first)
        #expect(app.name == name)
        #expect(app.actions.map(\.name) == [action])
        #expect(app.keywords == keywords)
    }

    @Test func englishIsNotPassedOverForALanguageFurtherDown_X04() throws {
        try place.app("own/applications/a", "Clock", more: "Name[de]=Uhr\nName[ko]=시계")
        place.more = ["LANGUAGE": "en:ko", "LANG": "de_DE.UTF-8"]
        #expect(place.catalogue().apps.map(\.name) == ["Clock"])
    }

    @Test func theFirstFolderWinsAndTheRestIsHidden_X03() throws {
        try place.app("own/applications/a", "Own")
        try place.app("system/applications/a", "System")
        try place.app("system/applications/deleted", "Deleted")
        try place.app("own/applications/deleted", "Deleted", more: "Hidden=true")
        try place.app("system/applications/silent", "Silent")
        try place.app("own/applications/silent", "Silent", more: "NoDisplay=true")
        // Half of a file is no decision of the person.
        try place.app("system/applications/half", "Half")
        try place.write("own/applications/half.desktop", "[Desktop Entry]\n")
        try place.app("extra/applications/vendor/b", "b")
        try place.app("extra/applications/gnome", "Elsewhere", more: "OnlyShowIn=GNOME;")
        try place.app("extra/applications/here", "here", more: "OnlyShowIn=GNOME;Mullion;")
        try place.app("extra/applications/not-here", "Not here", more: "NotShowIn=Mullion;")
        let apps = place.catalogue().apps
        #expect(apps.map(\.id) == ["vendor-b", "half", "here", "a"])
        #expect(apps.map(\.name) == ["b", "Half", "here", "Own"])
        let gnome = AppCatalogue(environment: place.environment, desktops: ["GNOME"])
        #expect(gnome.apps.map(\.id) == ["vendor-b", "gnome", "half", "here", "not-here", "a"])
    }

    @Test("X-04: apps are called in the language of the shell, whatever the environment says, and at once in another one")
    func language() throws {
        try place.app("system/applications/clock", "Clock", more: "Name[ja]=時計\nName[ko]=시계\nName[de]=Uhr")
        try place.app("system/applications/plain", "Plain", more: "Name[de]=Schlicht")
        place.more = ["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de:ko"]
        let catalogue = AppCatalogue(environment: place.environment, language: "ja")
        #expect(Set(catalogue.apps.map(\.name)) == ["時計", "Plain"])
        catalogue.language = "en"
        #expect(catalogue.reload() && Set(catalogue.apps.map(\.name)) == ["Clock", "Plain"])
        catalogue.language = nil
        #expect(catalogue.reload() && Set(catalogue.apps.map(\.name)) == ["Uhr", "Schlicht"])
    }

    @Test func whatCannotRunIsNotInstalled_X03() throws {
        try place.program("other")
        try place.write("bin/text", "not executable")
        try place.folder("bin/folder")
        try place.app("own/applications/there", "there", more: "TryExec=other")
        try place.app("own/applications/no-try", "no", more: "TryExec=absent")
        try place.app("own/applications/no-exec", "no", exec: "absent")
        try place.app("own/applications/text", "no", exec: "text")
        try place.app("own/applications/folder", "no", exec: "folder")
        try place.app("own/applications/relative", "no", exec: "bin/tool")
        try place.app("own/applications/absolute", "yes", exec: "\"\(place.path("bin/tool"))\" -x")
        #expect(place.catalogue().apps.map(\.id) == ["there", "absolute"])
    }

    @Test(arguments: [
        (#"tool 'one word' it"#, ["tool", "one word", "it"]),
        (#"tool C:\\\\windows\\\\start.exe a\\ b"#, ["tool", #"C:\windows\start.exe"#, "a b"]),
        (#"tool '"' "'""#, ["tool", "\"", "'"]),
    ])
    func commandsFromTheWildAreUnderstood_X03(exec: String, words: [String]) throws {
        try place.app("own/applications/a", "A", exec: exec)
        #expect(place.catalogue().apps.map(\.command) == [words])
    }

    @Test func anAppThatOnlyTheBusStartsNeedsTheProgramForThat_X03() throws {
        try place.write(
            "own/applications/org.example.Bus.desktop",
            """
            [Desktop Entry]
            Type=Application
            Name=Bus
            DBusActivatable=true
            Actions=new;
            [Desktop Action new]
            Name=New
            """)
        #expect(place.catalogue().apps.isEmpty)
        try place.program("gapplication")
        let app = try #require(place.catalogue().apps.first)
        #expect(app.command == ["gapplication", "launch", "org.example.Bus"])
        #expect(app.actions.map(\.command) == [["gapplication", "action", "org.example.Bus", "new"]])
    }

    /// Programs that are there, and what is put in front.
    @Test(arguments: [
        (["xterm", "foot", "xdg-terminal-exec"], ["xdg-terminal-exec"]),
        (["foot", "xterm"], ["foot", "--app-id=top"]),
        (["kgx"], ["kgx", "-e"]),
        (["gnome-terminal"], ["gnome-terminal", "--"]),
        (["konsole", "xterm"], ["konsole", "-e"]),
        (["xterm"], ["xterm", "-class", "top", "-e"]),
    ])
    func appsForTheTerminalGetOne_X03(programs: [String], words: [String]) throws {
        try place.app(
            "own/applications/top", "Top", exec: "tool --all",
            more: """
                Terminal=true
                Actions=one;
                [Desktop Action one]
                Name=One
                Exec=tool --one
                """)
        #expect(place.catalogue().apps.isEmpty)
        for program in programs { try place.program(program) }
        let app = try #require(place.catalogue().apps.first)
        #expect(app.command == words + ["tool", "--all"])
        #expect(app.actions.map(\.command) == [words + ["tool", "--one"]])
    }

    @Test func theTerminalThatThePersonChoseGoesFirst_X03() throws {
        try place.app("own/applications/top", "Top", more: "Terminal=true")
        for program in ["foot", "lxterm", "qterminal"] { try place.program(program) }
        func command(choice: String) throws -> [String]? {
            try? place.remove("bin/x-terminal-emulator")
            try place.link("bin/x-terminal-emulator", to: place.path("bin/\(choice)"))
            return place.catalogue().apps.first?.command
        }
        #expect(try command(choice: "qterminal") == ["x-terminal-emulator", "-e", "tool"])
        #expect(try command(choice: "foot") == ["x-terminal-emulator", "--app-id=top", "tool"])
        #expect(try command(choice: "lxterm") == ["foot", "--app-id=top", "tool"])
        try place.remove("bin/foot")
        #expect(try command(choice: "lxterm") == ["x-terminal-emulator", "-e", "tool"])
    }
}

/// Files that somebody made to do harm, or that a disk has eaten.
@Suite struct HostileEntryTests {
    let place = Place()

    init() throws {
        try place.program("tool")
        try place.app("own/applications/good", "Good")
    }

    @Test func hugeAndBinaryFilesArePassedOver_X03() throws {
        let head = "[Desktop Entry]\nType=Application\nName=Bad\nExec=tool\n"
        try place.write("own/applications/huge.desktop", Data(head.utf8) + Data(repeating: 0x23, count: 10 << 20))
        let noise = Data((0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 167) })
        try place.write("own/applications/binary.desktop", noise)
        try place.write("own/applications/zero.desktop", Data(head.utf8) + Data([0]))
        try place.write("own/applications/empty.desktop", "")
        try place.folder("own/applications/folder.desktop")
        mkfifo(place.path("own/applications/pipe.desktop"), 0o600)
        try place.link("own/applications/device.desktop", to: "/dev/zero")
        try place.link("own/applications/dangling.desktop", to: "/nowhere")
        try place.link("own/applications/itself.desktop", to: "itself.desktop")
        #expect(place.catalogue().apps.map(\.id) == ["good"])
    }

    @Test func namesFitAMenu_X03() throws {
        try place.app("own/applications/lines", "Two\\nlines\\t\u{7}")
        try place.app("own/applications/long", String(repeating: "n", count: 3000))
        try place.app("own/applications/longer", String(repeating: "n", count: 30_000))
        try place.app("own/applications/blank", "  ")
        try place.write(
            "own/applications/latin.desktop",
            Data("[Desktop Entry]\r\nType=Application\r\nExec=tool\r\nName=Caf".utf8) + Data([0xE9]))
        let names = Dictionary(uniqueKeysWithValues: place.catalogue().apps.map { ($0.id, $0.name) })
        #expect(names["lines"]?.hasPrefix("Two lines ") == true)
        #expect(names["long"]?.count == 200)
        #expect(names["longer"] == nil && names["blank"] == nil)
        #expect(names["latin"] == "Caf\u{FFFD}")
    }

    @Test func foldersInCirclesEnd_X03() throws {
        try place.app("own/applications/sub/deep", "Deep")
        for name in ["a", "b", "c", "d", "e", "f"] { try place.link("own/applications/\(name)", to: ".") }
        for name in ["g", "h", "i"] { try place.link("own/applications/sub/\(name)", to: "..") }
        try place.link("own/applications/twice", to: "sub")
        try place.link("own/applications/everything", to: "/")
        #expect(place.catalogue().apps.map(\.id) == ["sub-deep", "good"])
    }

    @Test func tenThousandEntriesAreCutOff_X03() throws {
        for index in 0..<10_000 { try place.app("system/applications/x\(index)", "X") }
        let clock = ContinuousClock()
        var apps: [App] = []
        let time = clock.measure { apps = place.catalogue().apps }
        #expect(apps.count == 4096 && apps.first?.id == "good")
        #expect(time < .seconds(20), "\(time)")
    }

    @Test func actionsWithoutEndAreCutOff_X03() throws {
        let ids = (0..<1000).map { "a\($0)" }
        try place.app(
            "own/applications/many", "Many",
            more: "Actions=\(ids.joined(separator: ";"))\n"
                + ids.map { "[Desktop Action \($0)]\nName=\($0)\nExec=tool" }.joined(separator: "\n"))
        #expect(place.catalogue().apps.last?.actions.count == 32)
    }
}
