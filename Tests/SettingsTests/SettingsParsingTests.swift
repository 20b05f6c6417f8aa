import Geometry
import Multitasking
import Settings
import Testing
import Windows

@Suite struct SettingsParsingTests {
    private func parse(_ text: String) throws -> Settings { try Settings.parse(text, file: "config.toml") }

    private func refusal(_ text: String) -> SettingsError? {
        do {
            _ = try Settings.parse(text, file: "config.toml")
            return nil
        } catch {
            return error
        }
    }

    @Test func emptyTextIsTheStandard() throws {
        #expect(try parse("") == Settings())
        #expect(try parse("# nothing\r\n\r\n") == Settings())
        #expect(try parse("\u{feff}scale = 2").scale == 2)
    }

    @Test func everyKeyIsRead() throws {
        let settings = try parse(
            """
            idiom = "pad"
            size = "2360x1640"
            scale = 2
            headless = true
            remote-view = 6080
            socket = "wayland-5"
            launch = ["foot -e top", ["mpv", "a film.mkv"]]
            tell-control-socket = true
            new-windows = "always"
            prompts = ["Org.Example.Ask"]
            picture-in-picture = [{ app-id = "org.Example" }, { title = "Call" }]
            wallpaper = "#0a0B0c"
            reduced-motion = true
            animation-speed = 0.5
            log-level = "debug"
            [keys]
            full-screen = ["Super+Space", "F5"]
            close = []
            "launch foot -e top" = "Super+Return"
            """)
        #expect(settings.size == Size(2360, 1640))
        #expect(settings.scale == 2)
        #expect(settings.headless)
        #expect(settings.remoteView == .port(6080))
        #expect(settings.socket == "wayland-5")
        #expect(settings.launch == [["foot", "-e", "top"], ["mpv", "a film.mkv"]])
        #expect(settings.tellsControlSocket && !Settings().tellsControlSocket)
        #expect(settings.preferences.newWindows == .always)
        #expect(
            settings.preferences.pictureInPicture
                == [PictureInPictureRule(appID: "org.example", title: ""), PictureInPictureRule(appID: "", title: "call")])
        #expect(settings.preferences.prompts == ["Org.Example.Ask"])
        #expect(settings.wallpaper == .colour(Colour(red: 10, green: 11, blue: 12)))
        #expect(settings.preferences.reducedMotion)
        #expect(settings.animationSpeed == 0.5)
        #expect(settings.logLevel == .debug)
        let keys = settings.preferences.keys
        #expect(keys.filter { $0.action == .fullScreen() }.map(\.chord) == ["Super+space", "F5"])
        #expect(!keys.contains { $0.action == .close() })
        #expect(keys.contains(KeyBinding("Super+Return", .launch(command: ["foot", "-e", "top"]))))
        #expect(keys.contains(KeyBinding("Super+n", .openWaiting())))
    }

    @Test func tablesOfWindowsMayStandOnTheirOwn() throws {
        let settings = try parse("[[picture-in-picture]]\napp-id = 'a'\n[[picture-in-picture]]\ntitle = 'b'\n")
        #expect(
            settings.preferences.pictureInPicture
                == [PictureInPictureRule(appID: "a", title: ""), PictureInPictureRule(appID: "", title: "b")])
    }

    @Test func rulesForTheIdiom() throws {
        let settings = try parse(
            """
            idiom = 'automatic'
            idiom-rules = [
                { idiom = 'mac', output = 'HDMI', model = 'BRAVIA', diagonal = 40 },
                { idiom = 'phone', tablet-mode = true, keyboard = false, touch = true, pointer = false, small-screen = true },
            ]
            """)
        #expect(settings.idiom == Settings.automaticIdiom)
        #expect(
            settings.preferences.idiomRules == [
                IdiomRule("mac", output: "HDMI", model: "BRAVIA", diagonal: 40),
                IdiomRule("phone", tabletMode: true, keyboard: false, touch: true, pointer: false, smallScreen: true),
            ])
        #expect(Settings().idiom == nil && Settings().preferences.idiomRules == IdiomRule.standard)
    }

    @Test func aKeyGivenAwayLeavesItsStandardAction() throws {
        let keys = try parse("[keys]\nclose = 'Super+Left'").preferences.keys
        #expect(keys.filter { $0.chord == "Super+Left" }.map(\.action) == [.close()])
        #expect(!keys.contains { $0.chord == "Super+w" })
    }

    /// A default key can be assigned to something else.
    @Test func everyStandardActionHasAName() {
        for binding in KeyBinding.standard {
            #expect(ActionNames.all.contains { $0.action == binding.action }, "\(binding.action)")
        }
        #expect(Set(ActionNames.all.map(\.name)).count == ActionNames.all.count)
        #expect(Set(ActionNames.all.map(\.action)).count == ActionNames.all.count)
        #expect(ActionNames.action("launch ") == nil)
    }

    @Test("the file takes every scale that the screen may have", arguments: [Screen.scales.lowerBound, 4.5, Screen.scales.upperBound])
    func scales(_ scale: Double) throws {
        #expect(try parse("scale = \(scale)").scale == scale)
    }

    /// Text, line, column, and a part of the message.
    @Test(arguments: [
        ("scael = 2", 1, 1, "did you mean \"scale\""),
        ("\n\nnonsense = 2", 3, 1, "known here: idiom"),
        ("scale = 'x'", 1, 9, "scale: a number from 0.5 to 8.0 is expected"),
        ("scale = 9", 1, 9, "from 0.5 to 8.0"),
        ("scale = 1e9", 1, 9, "from 0.5 to 8.0"),
        ("scale = nan", 1, 9, "nan is no value"),
        ("scale = 1_", 1, 9, "is no value"),
        ("scale = 01", 1, 9, "is no value"),
        ("idiom = pad", 1, 9, "text stands in quotes, \"pad\""),
        ("headless = 1", 1, 12, "true or false"),
        ("tell-control-socket = 'yes'", 1, 23, "tell-control-socket: true or false is expected"),
        ("idiom = 'desk'", 1, 9, "\"pad\", \"phone\", \"mac\", \"tv\", \"watch\", \"round-watch\" or \"vision\" is expected"),
        ("idiom-rules = ['mac']", 1, 16, "a list of rules is expected"),
        ("idiom-rules = [{ keyboard = true }]", 1, 16, "idiom is missing"),
        ("idiom-rules = [{ idiom = 'desk' }]", 1, 26, "is expected"),
        ("idiom-rules = [{ idiom = 'mac', keybord = true }]", 1, 33, "did you mean \"keyboard\""),
        ("size = '1180'", 1, 8, "1180x820"),
        ("size = '1180x82000'", 1, 8, "8192"),
        ("size = 1180", 1, 8, "1180x820"),
        ("remote-view = 70000", 1, 15, "65535"),
        ("remote-view = 'on'", 1, 15, "\"auto\", \"off\""),
        ("socket = '../x'", 1, 10, "file name"),
        ("launch = ['foot', []]", 1, 19, "launch[1]: a command needs a program"),
        ("launch = 'foot'", 1, 10, "list of commands"),
        ("lock = 'swaylock'", 1, 8, "[lock]"),
        ("[lock]\ncommand = []", 2, 11, "a command needs a program"),
        ("[lock]\ncommand = 3", 2, 11, "a command is expected"),
        ("[lock]\nlocker = 'swaylock'", 2, 1, "command"),
        ("new-windows = 'never'", 1, 15, "\"asked\" or \"always\""),
        ("wallpaper = 'blue'", 1, 13, "#232b3a"),
        ("wallpaper = '#+12345'", 1, 13, "#232b3a"),
        ("log-level = 'loud'", 1, 13, "\"trace\""),
        ("keys = 1", 1, 8, "[keys]"),
        ("[keys]\nclos = 'Super+H'", 2, 1, "did you mean \"close\""),
        ("[keys]\nquit = 'Hyper+H'", 2, 8, "is no key"),
        ("[keys]\nquit = [\n  'Super+J',\n  'Super+Foo',\n]", 4, 3, "\"Super+Foo\" is no key"),
        ("[keys]\nquit = 'Left'", 2, 8, "take the key away"),
        ("[keys]\nclose = 'Super+J'\nquit = 'Super+J'", 3, 8, "has an action above already"),
        ("keys.quit = 5", 1, 13, "a key such as"),
        ("prompts = ['x', '']", 1, 17, "a list of app ids"),
        ("picture-in-picture = [{ app-id = 'x' }, {}]", 1, 41, "every window"),
        ("picture-in-picture = [\n  { app = 'x' }]", 2, 5, "known here: app-id, title"),
        ("[[picture-in-picture]]\ntitle = 'a'\n[[picture-in-picture]]\ntitle = 1", 4, 9, "picture-in-picture[1].title"),
        ("scale = 1\nscale = 2", 2, 9, "cannot redefine"),
        ("scale = ", 1, 9, "a value is expected"),
        ("scale", 1, 6, "\"=\" is expected after the key"),
        ("scale = 1 2", 1, 11, "nothing may follow"),
        ("= 3", 1, 1, "a key is expected"),
        ("[keys\nhome = 'x'", 1, 6, "\"]\" is expected"),
        ("socket = 'a\nb'", 1, 10, "no closing"),
        ("scale = 1\n\0idiom = 'pad'", 2, 1, "control character U+0"),
        ("launch = [['a' 'b']]", 1, 16, "comma"),
    ])
    func mistakesAreNamedWithTheirPlace(text: String, line: Int, column: Int, part: String) throws {
        let error = try #require(refusal(text))
        #expect(error.file == "config.toml")
        #expect(error.line == line, "\(error)")
        #expect(error.column == column, "\(error)")
        #expect(error.message.contains(part), "\(error)")
        #expect(error.description.hasPrefix("config.toml:\(line):\(column): "))
    }

    @Test func deepAndLongTextsAreRefused() {
        #expect(refusal(String(repeating: "[", count: 5000)) != nil)
        #expect(refusal("launch = " + String(repeating: "[", count: 5000))?.message.contains("deep") == true)
        #expect(refusal("#" + String(repeating: "x", count: Settings.largestFile))?.line == 0)
        #expect(refusal(String(repeating: "k", count: 100_000) + " = 1") != nil)
    }

    /// A parser that crashes on a typo would take every open window with it.
    @Test func noTextEndsTheProgram() {
        let whole = """
            idiom = "pad"
            size = '1180x820'
            scale = 1.5e0 # comment
            launch = [["a", 'b'], "c"]
            picture-in-picture = [{ app-id = "x\\u0041", "title" = \"\"\"y\"\"\" }]
            [keys]
            quit . x = "Super+H"
            [[a.b]]
            c = -0.5e+3
            """
        let characters = Array(whole)
        let parts = [
            "[", "]", "{", "}", "=", "\"", "'", "\\", "\n", "\r", ".", ",", "#", "-", "_", "0", "x", "é", "\u{85}",
            "\"\"\"", "[[", "]]", "inf", "\\u0000", "\\U", "\t", "+", ":", "T", "\u{feff}", "\u{2028}",
        ]
        var state: UInt64 = 20_26
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for round in 0..<20000 {
            var text = characters
            for _ in 0...random(3) {
                let place = random(text.count)
                switch random(3) {
                case 0: text.remove(at: place)
                case 1: text.insert(contentsOf: parts[random(parts.count)], at: place)
                default: text.replaceSubrange(place..<min(text.count, place + random(20)), with: parts[random(parts.count)])
                }
            }
            if round % 4 == 0 { text = Array(text.prefix(random(text.count))) }
            _ = refusal(String(text))
        }
    }

    @Test(
        "X-02: what is wrong below [input] is named with its line",
        arguments: [
            ("keyboard-layouts = \"us;kr\"", "up to four layouts"), ("keyboard-layouts = 3", "up to four layouts"),
            ("key-repeat-rate = 500", "from 0.0 to 100.0"), ("pointer-speed = \"fast\"", "from -1.0 to 1.0"),
            ("tap-to-click = 1", "true or false"), ("speed = 1", "unknown key"),
        ])
    func input(line: String, reason: String) throws {
        do {
            _ = try Settings.parse("[input]\n" + line, file: "config.toml")
            Issue.record("it is taken")
        } catch {
            #expect(error.description.contains(reason) && error.line == 2, "\(error.description)")
        }
        let settings = try Settings.parse("[input]\nkeyboard-layouts = \"de,us\"\ntap-to-click = false", file: "config.toml")
        #expect(settings.preferences.input.layouts == "de,us" && !settings.preferences.input.tapToClick)
        #expect(
            settings.preferences.fixed == [.keyboardLayouts, .tapToClick] && settings.preferences.fixedLines["input.tap-to-click"] == 3)
    }
}
