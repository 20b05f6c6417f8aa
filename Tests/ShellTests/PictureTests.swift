import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The appearance of the shell's own views (X-04, X-05), compared with the pictures in `References`.
    /// MULLION_RECORD_REFERENCES=1 records them again: check each one before committing it.
    @Suite(.serialized) struct PictureTests {
        /// How the shell is set up for one set of pictures.
        struct Look: Sendable, CustomTestStringConvertible {
            /// The prefix of the files' names.
            var name: String
            var scale = 1.0
            var config = ""
            /// What a person set. What the file says has a lock in the control centre.
            var chosen: [Action] = []
            var views: [String]

            var testDescription: String { name }

            static let all = ["home", "menu", "alert", "controls", "switcher", "shelf", "control-centre", "keys"]
        }

        @Test(arguments: [
            Look(name: "en-light", views: Look.all + ["search", "notifications"]),
            Look(name: "en-dark", chosen: [.darkAppearance(true)], views: Look.all),
            Look(name: "en-light-2x", scale: 2, views: Look.all),
            Look(name: "en-dark-2x", scale: 2, chosen: [.darkAppearance(true)], views: Look.all),
            Look(name: "ko-light", config: "language = \"ko\"\n", views: Look.all),
            Look(name: "ja-light", config: "language = \"ja\"\n", views: Look.all),
            Look(
                name: "rtl-light", config: "direction = \"right-to-left\"\n",
                views: ["home", "menu", "controls", "switcher", "shelf", "control-centre"]),
            Look(name: "large-light", chosen: [.textSize(1.5)], views: Look.all),
            Look(name: "contrast-light", config: "increased-contrast = true\n", views: ["controls", "control-centre"]),
        ])
        func asTheyAreMeant_X04(look: Look) throws {
            try Self.requireFonts()
            let config = "launch = []\nwallpaper = \"#4a6078\"\n" + look.config
            try ShellUnderTest.with(apps: Self.apps, scale: look.scale, config: config, files: Self.files) { shell in
                try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
                for action in [.reducedMotion(true)] + look.chosen { try shell.perform(action) }
                for view in look.views {
                    try prepare(view, shell)
                    try shell.stopClock()
                    try compare("\(look.name)-\(view)", shell)
                    try shell.startClock()
                    try shell.settle()
                    while try shell.state().open != [] { try shell.perform(.dismiss) }
                }
            }
        }

        // MARK: A phone

        @Test(
            "S-01, S-02, W-11, M-06: a phone as it is meant to look",
            arguments: [
                Look(name: "phone", views: ["home", "keys", "wide", "switcher", "sheet", "picture"])
            ])
        func phone(look: Look) throws {
            try Self.requireFonts()
            let config = "launch = []\nidiom = \"phone\"\nwallpaper = \"#4a6078\"\nreduced-motion = true\n" + look.config
            let size = Size(390 * look.scale, 844 * look.scale)
            try ShellUnderTest.with(
                apps: Self.apps, size: "\(Int(clamping: size.width))x\(Int(clamping: size.height))", scale: look.scale, config: config,
                files: Self.files
            ) { shell in
                try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
                for action in look.chosen { try shell.perform(action) }
                for view in look.views {
                    switch view {
                    case "home": if try !shell.state().home { try shell.perform(.home) }
                    case "keys": try shell.perform(.keyHelp)
                    case "wide":
                        // An app that needs 1000 points is shown in part.
                        let wide = try TestClient(
                            shell, ["--app-id", "test.bakery", "--title", "Bakery", "--colour", "cc7722", "--minimum", "1000x400"])
                        let room = try #require(try shell.state().screen?.usable)
                        #expect(try shell.window(wide.id).told?.width == 1000)
                        try shell.perform(.magnify(by: .right))
                        let picture = try #require(try shell.window(wide.id).picture)
                        #expect(abs(picture.width - 600) < 1 && abs(picture.x - (room.x - 195)) < 1, "\(picture)")
                    case "switcher":
                        try shell.openApp("test.diary")
                        try shell.openApp("test.atlas")
                        try shell.perform(.appSwitcher)
                    case "sheet":
                        let client = try TestClient(shell, ["--colour", "e8e4da", "--edge", "e8e4da", "--title", "Letter"])
                        try client.run(
                            """
                            made = type(window)(app, 'Delete'); made.toplevel.set_parent(window.toplevel); \
                            said = bind('mullion_window_manager_v1').get_window(made.toplevel); said.set_modal(1); app.windows.append(made)
                            """)
                        try shell.wait("the sheet") { try shell.state().windows.contains { $0.place == .dialog && $0.frame?.width == 390 } }
                    case "picture":
                        for window in try shell.state().windows where window.place == .dialog {
                            try shell.perform(.close(window: window.id))
                        }
                        try shell.openApp("test.ink")
                        try shell.perform(.pictureInPicture())
                    default: throw ShellUnderTest.Failure("no view is called \(view)")
                    }
                    try shell.settle()
                    try shell.stopClock()
                    try compare("\(look.name)-\(view)", shell, size: size)
                    try shell.startClock()
                    try shell.settle()
                    while try shell.state().open != [] { try shell.perform(.dismiss) }
                }
            }
        }

        @Test("tv: home, the app switcher and the control centre as they are meant to look from three metres away")
        func television() throws {
            try Self.requireFonts()
            let config = "launch = []\nwallpaper = \"#4a6078\"\nidiom = \"tv\"\n"
            try ShellUnderTest.with(apps: Self.apps, size: "1920x1080", config: config, files: Self.files) { shell in
                try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
                try shell.perform(.reducedMotion(true))
                for app in ["test.bakery", "test.diary", "test.atlas"] { try shell.openApp(app) }
                for (view, action) in [("home", Action.home), ("switcher", .appSwitcher), ("control-centre", .controlCentre)] {
                    try shell.perform(action)
                    try shell.settle()
                    try shell.stopClock()
                    try compare("tv-light-\(view)", shell, size: Size(1920, 1080))
                    try shell.startClock()
                    while try shell.state().open != [] { try shell.perform(.dismiss) }
                }
            }
        }

        // MARK: Modal views

        /// What programs ask, in the languages of the pictures.
        private static let words:
            [String: (alert: String, message: String, preferred: String, cancel: String, sheet: String, destructive: String)] = [
                "en": (
                    "Install the update?", "The tablet restarts afterwards. Unsaved work is kept.", "Install", "Later", "Delete the draft?",
                    "Delete"
                ),
                "ko": ("업데이트를 설치하시겠습니까?", "설치한 다음 태블릿을 다시 시작합니다. 저장하지 않은 작업은 유지됩니다.", "설치", "나중에", "초안을 삭제하시겠습니까?", "삭제"),
                "ja": ("アップデートをインストールしますか？", "インストール後にタブレットを再起動します。保存していない作業は保持されます。", "インストール", "あとで", "下書きを削除しますか？", "削除"),
            ]

        @Test(
            "M-02, M-05, M-09, M-11, X-04: modal views in the three languages as they are meant to look",
            arguments: [
                Look(
                    name: "en-light", views: ["modal-alert", "modal-sheet", "modal-share", "modal-card", "modal-popover", "modal-log-out"]),
                Look(
                    name: "en-dark", chosen: [.darkAppearance(true)],
                    views: ["modal-alert", "modal-sheet", "modal-share", "modal-card", "modal-popover"]),
                Look(
                    name: "ko-light", config: "language = \"ko\"\n",
                    views: ["modal-alert", "modal-sheet", "modal-share", "modal-card", "modal-log-out"]),
                Look(
                    name: "ja-light", config: "language = \"ja\"\n",
                    views: ["modal-alert", "modal-sheet", "modal-share", "modal-card", "modal-log-out"]),
                Look(name: "large-light", chosen: [.textSize(1.5)], views: ["modal-alert", "modal-sheet", "modal-share", "modal-log-out"]),
            ])
        func modal(look: Look) throws {
            try Self.requireFonts()
            let words = try #require(Self.words[String(look.name.prefix(2))] ?? Self.words["en"])
            let config = "launch = []\nwallpaper = \"#4a6078\"\nreduced-motion = true\n" + look.config
            let reader = TestApp("test.atlas", "Atlas", command: "true %F", icon: "{room}/icon0.svg", more: "MimeType=text/plain;")
            let mailer = TestApp(
                "test.ink", "Ink", command: "true %U", icon: "{room}/icon1.svg", more: "MimeType=text/plain;x-scheme-handler/mailto;")
            try ShellUnderTest.with(
                apps: [reader, mailer], scale: look.scale, config: config,
                files: Self.files.merging(["files/Note.txt": "Words of a note.\n"]) { $1 },
                environment: ["DBUS_SESSION_BUS_ADDRESS": ""]
            ) { shell in
                #expect(symlink("/usr/share/mime", "\(shell.room)/system/mime") == 0)
                for action in look.chosen { try shell.perform(action) }
                let program = try ShellUnderTest.program()
                let client = try TestClient(shell, ["--colour", "e8e4da", "--edge", "e8e4da", "--title", "Letter"])
                func ask(_ arguments: [String]) throws {
                    let list = ([program] + arguments).map { "'\($0)'" }.joined(separator: ", ")
                    try client.run("__import__('subprocess').Popen([\(list)], stdout=-3)")
                }
                func window(_ presentation: Int, isBare: Bool) throws {
                    // A decoration comes before the first buffer.
                    try client.run(
                        """
                        app.decorations = \(isBare ? "bind('zxdg_decoration_manager_v1')" : "None"); \
                        made = type(window)(app, '\(words.sheet)'); made.toplevel.set_parent(window.toplevel); \
                        said = bind('mullion_window_manager_v1').get_window(made.toplevel); said.set_modal(\(presentation)); \
                        said.set_anchor(700, 160, 80, 40); app.windows.append(made)
                        """)
                    try shell.wait("the window") { try shell.state().windows.contains { $0.place == .dialog } }
                }
                for view in look.views {
                    switch view {
                    case "modal-alert":
                        try ask([
                            "alert", words.alert, "--message", words.message, "--preferred", words.preferred, "--cancel", words.cancel,
                        ])
                    case "modal-sheet":
                        try ask([
                            "alert", words.sheet, "--message", words.message, "--sheet", "--destructive", words.destructive, "--cancel",
                            words.cancel,
                        ])
                    case "modal-share": try ask(["share", "\(shell.room)/files/Note.txt"])
                    case "modal-card": try window(1, isBare: true)
                    case "modal-popover": try window(3, isBare: false)
                    case "modal-log-out":
                        try client.run(
                            "told = bind('mullion_window_manager_v1').get_window(window.toplevel); told.set_unsaved('\(words.sheet)', None, '\(words.destructive)', None, '\(words.cancel)')"
                        )
                        _ = try client.mark()
                        try shell.client.perform(.quit)
                    default: throw ShellUnderTest.Failure("no view is called \(view)")
                    }
                    if view != "modal-card", view != "modal-popover" {
                        try shell.wait("the view", within: 20) { try !shell.state().open.isEmpty }
                    }
                    try shell.settle()
                    try shell.stopClock()
                    // The dots of the window below follow what is under them in their own time.
                    try compare("\(look.name)-\(view)", shell, below: 30)
                    try shell.startClock()
                    switch view {
                    case "modal-card", "modal-popover":
                        let modal = try #require(try shell.state().windows.first { $0.place == .dialog })
                        try shell.perform(.close(window: modal.id))
                        try shell.waitUntilGone(modal.id)
                    case "modal-log-out": try shell.perform(.dismiss)
                    default: try shell.press("Escape")
                    }
                    try shell.wait("its end") { try shell.state().open.isEmpty }
                    try shell.settle()
                }
            }
        }

        // MARK: The mac

        @Test(
            "W-25, X-04: a desk with free windows as it is meant to look",
            arguments: [
                Look(name: "mac-en-light", views: ["desk", "menu", "switch"]),
                Look(name: "mac-en-light-2x", scale: 2, views: ["desk", "menu"]),
                Look(name: "mac-ko-light", config: "language = \"ko\"\n", views: ["menu"]),
            ])
        func mac(look: Look) throws {
            try Self.requireFonts()
            let config = "launch = []\nidiom = \"mac\"\nwallpaper = \"#4a6078\"\nreduced-motion = true\n" + look.config
            let apps = Self.colours.prefix(4).enumerated().map { index, app in
                let id = "test.\(app.0.lowercased())"
                return TestApp(
                    id, app.0, command: TestApp.window(id, app.0, colour: app.1) + " --edge e8e4da --bare", icon: "{room}/icon\(index).svg")
            }
            try ShellUnderTest.with(apps: apps, scale: look.scale, config: config, files: Self.files) { shell in
                try shell.wait("the apps") { try shell.installed().count == apps.count }
                for action in look.chosen { try shell.perform(action) }
                for app in apps { try shell.openApp(app.id) }
                try shell.perform(.newWindow(app: "test.atlas"))
                try shell.wait("its second window") {
                    try shell.state().windows.filter { $0.app == "test.atlas" && $0.frame != nil && $0.place != .unmapped }.count == 2
                }
                try shell.settle()
                let bakery = try #require(try shell.state().windows.first { $0.app == "test.bakery" })
                try shell.perform(.minimize(window: bakery.id))
                for view in look.views {
                    switch view {
                    case "menu": try shell.perform(.barMenu("windows"))
                    case "switch": try shell.perform(.switchApps(1))
                    default: break
                    }
                    try shell.settle()
                    try shell.stopClock()
                    try compare("\(look.name)-\(view)", shell)
                    try shell.startClock()
                    while try shell.state().open != [] { try shell.perform(.dismiss) }
                }
            }
        }

        // MARK: Sound

        /// What plays, in the terms of `mpris.py`.
        private static let cards = [
            "playing": """
            {"title": "Low Tide at Noon", "artist": "The Harbour Quartet", "artwork": "file://{room}/cover.svg", "seconds": 225, \
            "position": 72, "can": ["GoNext", "GoPrevious", "Play", "Pause", "Seek"]}
            """,
            // No artist, no artwork, no duration, nothing to skip; and more text than there is room for.
            "playing-radio": """
            {"title": "A Programme of Harbour News, Weather, Tides and Music for Those Who Stay at Home", \
            "can": ["Play", "Pause"]}
            """,
        ]

        @Test(
            "A-07, A-13, A-25, X-04: the card of what plays, and the level that changed, as they are meant to look",
            .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"),
            arguments: [
                Look(name: "en-light", views: ["volume", "playing", "playing-radio"]),
                Look(name: "en-dark", chosen: [.darkAppearance(true)], views: ["volume", "playing"]),
                Look(name: "en-light-2x", scale: 2, views: ["playing"]),
                Look(name: "ko-light", config: "language = \"ko\"\n", views: ["playing"]),
                Look(name: "rtl-light", config: "direction = \"right-to-left\"\n", views: ["volume", "playing"]),
                Look(name: "large-light", chosen: [.textSize(1.5)], views: ["playing", "playing-radio"]),
            ])
        func sound(look: Look) throws {
            try Self.requireFonts()
            let config = "launch = []\nwallpaper = \"#4a6078\"\n" + look.config
            let app = TestApp("mpris.py", "Gramophone", colour: "aa3355", icon: "{room}/player.svg")
            let cover = """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#2a4d69"/>\
                <circle cx="46" cy="18" r="8" fill="#ffe0a0"/><path d="M0 40q16-10 32 0t32 0v24H0z" fill="#63ace5"/></svg>
                """
            try ShellUnderTest.with(
                apps: [app], scale: look.scale, config: config,
                files: ["player.svg": TestApp.svg("aa3355", mark: "ffffffcc"), "cover.svg": cover],
                environment: ["DBUS_SESSION_BUS_ADDRESS": ""], audio: "private"
            ) { shell in
                try shell.client.ask(.wait(WaitRequest(until: .sound, timeout: 60_000)))
                for action in [.reducedMotion(true)] + look.chosen { try shell.perform(action) }
                for view in look.views {
                    if let card = Self.cards[view] {
                        try shell.client.perform(.audio(.setVolume(0.6, .media)))
                        try withPlayer(card, shell) {
                            try shell.wait("no level is shown") { try shell.state().open == [] }
                            usleep(700_000)
                            try shell.perform(.controlCentre)
                            // The volume level is not visible any more.
                            try shell.wait("nothing else is open") { try shell.state().open == ["control-centre"] }
                            try shell.stopClock()
                            try compare("\(look.name)-\(view)", shell)
                            try shell.startClock()
                            try shell.perform(.dismiss)
                        }
                    } else {
                        try shell.stopClock()
                        try shell.client.perform(.audio(.setVolume(0.6, .media)))
                        try shell.step(500)
                        try compare("\(look.name)-\(view)", shell)
                        try shell.startClock()
                    }
                }
            }
        }

        private func withPlayer(_ card: String, _ shell: ShellUnderTest, _ body: () throws -> Void) throws {
            func isThere() throws -> Bool { try shell.client.ask(.get(.audio), for: SoundReport.self).playing != nil }
            let (player, _) = try shell.start([
                "env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus", "/usr/bin/python3",
                "\(TestClient.folder)/mpris.py", card.replacingOccurrences(of: "{room}", with: shell.room),
            ])
            defer { shell.signal(player, SIGKILL) }
            try shell.wait("the player", within: 20, until: isThere)
            try body()
            shell.signal(player, SIGKILL)
            try shell.wait("the player is gone", within: 20) { try !isThere() }
        }

        // MARK: What is seen

        static let colours = [
            ("Atlas", "2266aa"), ("Bakery", "cc7722"), ("Camera", "444444"), ("Diary", "aa3355"), ("Exhibition", "228866"),
            ("Forecast", "3399cc"), ("Gallery of Contemporary Pictures", "773399"), ("Harbour", "226677"), ("Ink", "222266"),
        ]

        static var apps: [TestApp] {
            colours.enumerated().map { index, app in
                TestApp(
                    "test.\(app.0.prefix { $0 != " " }.lowercased())", app.0, colour: app.1,
                    // The last one has no icon, so a tile is shown.
                    icon: index == colours.count - 1 ? nil : "{room}/icon\(index).svg",
                    more: index == 0 ? "Actions=route;\n[Desktop Action route]\nName=Plan a Route\nExec=true" : "")
            } + [TestApp("test.quitter", "Quitter", command: "sh {room}/fail.sh", icon: "{room}/icon3.svg")]
        }

        static var files: [String: String] {
            var files = ["fail.sh": "exit 3\n"]
            for (index, app) in colours.enumerated() { files["icon\(index).svg"] = TestApp.svg(app.1, mark: "ffffffcc") }
            return files
        }

        /// Brings it to the front, at rest.
        private func prepare(_ view: String, _ shell: ShellUnderTest) throws {
            if try shell.state().windows.isEmpty, !["home", "menu", "alert", "search", "notifications"].contains(view) {
                try shell.openApp("test.bakery")
                try shell.openApp("test.diary", to: .splitView(.right))
                try shell.openApp("test.harbour")
                try shell.openApp("test.harbour")
                try shell.openApp("test.forecast", to: .slideOver)
                try shell.openApp("test.atlas")
            }
            switch view {
            case "home": if try !shell.state().home { try shell.perform(.home) }
            case "menu": try shell.perform(.appMenu(app: "test.atlas"))
            case "alert":
                try shell.perform(.openApp(app: "test.quitter"))
                try shell.wait("an alert") { try shell.isOpen("alert") }
            case "search": try shell.perform(.search(text: "ar"))
            case "controls": try shell.perform(.controls())
            case "switcher": try shell.perform(.appSwitcher)
            case "shelf": try shell.perform(.appShelf(app: "test.harbour"))
            case "control-centre":
                // Glass shows the screen from when it opens, not from when the last view did.
                usleep(700_000)
                try shell.perform(.controlCentre)
            case "notifications": try shell.perform(.notifications)
            case "keys": try shell.perform(.keyHelp)
            default: throw ShellUnderTest.Failure("no view is called \(view)")
            }
            try shell.settle()
        }

        // MARK: Comparing

        private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "References")
            .path(percentEncoded: false)

        /// Fonts and Pango are those of the Debian release, and newer ones lay out text a little differently. What
        /// looks too different from Debian 12's picture has a picture of its own.
        private static let release: String? = {
            let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
            guard let line = lines.first(where: { $0.hasPrefix("VERSION_ID=") }) else { return nil }
            let number = line.dropFirst("VERSION_ID=".count).filter { $0 != "\"" }
            return number == "12" ? nil : "debian-\(number)"
        }()

        /// `below`: without so many rows of pixels at the top.
        func compare(_ name: String, _ shell: ShellUnderTest, below: Double = 0, size: Size = Size(1180, 820)) throws {
            let common = "\(Self.folder)/\(name).png"
            let own = Self.release.map { "\(Self.folder)/\($0)/\(name).png" }
            let whole = try shell.picture()
            #expect(Size(Double(whole.width), Double(whole.height)) == size)
            let picture = below == 0 ? whole : whole.cropped(to: Rect(0, below, size.width, size.height - below))
            if ProcessInfo.processInfo.environment["MULLION_RECORD_REFERENCES"] == "1" {
                guard let own else { return try PNG.write(picture, to: common) }
                if FileManager.default.fileExists(atPath: common), try Self.isAlike(picture, PNG.read(common)) { return }
                let folder = URL(filePath: own).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                return try PNG.write(picture, to: own)
            }
            let path = own.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? common
            guard FileManager.default.fileExists(atPath: path) else {
                Issue.record("there is no \(name).png; MULLION_RECORD_REFERENCES=1 writes it")
                return
            }
            let reference = try PNG.read(path)
            let difference = picture.difference(from: reference, tolerance: 24)
            let worst = Self.worstTile(picture, reference)
            if difference.count * 100 >= picture.pixels.count || worst.share > 0.3 { try shell.keepPicture(name) }
            #expect(
                difference.count * 100 < picture.pixels.count,
                "\(name): \(difference.count) pixels differ, in \(String(describing: difference.bounds))")
            // A small thing that is missing or misplaced is a large share of its surroundings.
            #expect(worst.share <= 0.3, "\(name): \(Int(clamping: worst.share * 100)) % of the pixels differ in \(worst.tile)")
        }

        private static func isAlike(_ a: Picture, _ b: Picture) -> Bool {
            a.difference(from: b, tolerance: 24).count * 100 < a.pixels.count && worstTile(a, b).share <= 0.3
        }

        /// The square of 32 pixels with the most differences.
        private static func worstTile(_ a: Picture, _ b: Picture) -> (share: Double, tile: Rect) {
            guard a.width == b.width, a.height == b.height else { return (1, .zero) }
            let side = 32, columns = (a.width + side - 1) / side
            var counts = [Int](repeating: 0, count: columns * ((a.height + side - 1) / side))
            guard let bounds = a.difference(from: b, tolerance: 24).bounds else { return (0, .zero) }
            for y in Int(clamping: bounds.minY)..<Int(clamping: bounds.maxY) {
                for x in Int(clamping: bounds.minX)..<Int(clamping: bounds.maxX) where a[x, y].raw != b[x, y].raw {
                    if a[x, y].distance(to: b[x, y]) > 24 { counts[y / side * columns + x / side] += 1 }
                }
            }
            let index = counts.indices.max { counts[$0] < counts[$1] } ?? 0
            let tile = Rect(Double(index % columns * side), Double(index / columns * side), Double(side), Double(side))
            return (Double(counts[index]) / Double(side * side), tile)
        }

        /// With other fonts everything looks different; then this reports what is missing.
        static func requireFonts() throws {
            try ShellUnderTest.require("fc-list", of: "fontconfig")
            let installed = try output(of: ["fc-list", ":", "family"])
            for (family, package) in [
                ("Inter", "fonts-inter"), ("Noto Sans CJK JP", "fonts-noto-cjk"), ("Noto Sans CJK KR", "fonts-noto-cjk"),
            ]
            where !installed.contains(family) {
                throw ShellUnderTest.Failure("the font \(family) is not installed: apt-get install \(package)")
            }
        }

        private static func output(of command: [String]) throws -> String {
            let process = Process(), pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }
}
