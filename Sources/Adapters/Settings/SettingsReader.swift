import AudioSessions
import Geometry
import Multitasking
import Notices
import Seat
import Windows

extension Settings {
    /// The largest file that is read, in bytes. No user writes as much, and reading it does not stall the event loop.
    public static let largestFile = 1 << 18

    /// Parses settings from TOML. Missing keys keep their defaults.
    ///
    /// - Parameter file: the name of the file in errors.
    /// - Throws: `SettingsError` naming line and column for text that is no TOML, an unknown key, a
    ///   value of the wrong kind or out of range, and a chord that two actions want.
    public static func parse(
        _ text: String, file: String, idioms: [String] = Idiom.all.map(\.name)
    ) throws(SettingsError) -> Settings {
        try SettingsReader(file: file, document: document(text, file: file), idioms: idioms).settings()
    }

    /// Throws `SettingsError` for text that is no TOML.
    static func document(_ text: String, file: String) throws(SettingsError) -> TOMLDocument {
        if text.utf8.count > largestFile {
            throw SettingsError(file: file, line: 0, column: 0, message: "larger than \(largestFile) bytes")
        }
        try refuseControlCharacters(text, file: file)
        do {
            return try TOMLDocument(text)
        } catch {
            throw SettingsError(
                file: file, line: error.position.line, column: error.position.column, message: error.message)
        }
    }

    /// Control characters are never needed in TOML outside of escapes.
    private static func refuseControlCharacters(_ text: String, file: String) throws(SettingsError) {
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                line += 1
                column = 1
                continue
            }
            if (scalar.value < 0x20 && scalar != "\t" && scalar != "\r") || scalar.value == 0x7f {
                throw SettingsError(
                    file: file, line: line, column: column,
                    message: "control character U+\(String(scalar.value, radix: 16, uppercase: true)): remove it")
            }
            column += 1
        }
    }
}

/// Converts a TOML table to settings, or to an error with a position.
struct SettingsReader {
    typealias Path = [TOMLDocument.Step]

    let file: String
    let document: TOMLDocument
    let idioms: [String]

    /// Every key of the file, in the order of `docs/config.md`.
    private enum Key: String, CaseIterable {
        case idiom
        case idiomRules = "idiom-rules"
        case size
        case scale
        case headless
        case remoteView = "remote-view"
        case socket
        case launch
        case tellControlSocket = "tell-control-socket"
        case newWindows = "new-windows"
        case prompts
        case pictureInPicture = "picture-in-picture"
        case wallpaper, accent, appearance, input
        case darkWallpaper = "dark-wallpaper"
        case increasedContrast = "increased-contrast"
        case reduceTransparency = "reduce-transparency"
        case textSize = "text-size"
        case language
        case direction
        case dock
        case onScreenKeyboard = "on-screen-keyboard"
        case statusBar = "status-bar"
        case reducedMotion = "reduced-motion"
        case animationSpeed = "animation-speed"
        case logLevel = "log-level"
        case audio
        case life
        case lock
        case privileges
        case notifications
        case keys
    }

    /// The settings that a key fixes on the screen.
    private static let fixes: [Key: FixedSettings] = [
        .scale: .scale, .appearance: .appearance, .textSize: .textSize, .reducedMotion: .reducedMotion, .wallpaper: .wallpaper,
        .accent: .accent, .darkWallpaper: .darkWallpaper, .increasedContrast: .increasedContrast, .reduceTransparency: .reduceTransparency,
        .language: .language,
        .direction: .direction, .statusBar: .statusBar, .animationSpeed: .animationSpeed,
    ]

    /// A value with its path, so that an error can name its position.
    struct Value {
        var path: Path
        var toml: TOML
    }

    func settings() throws(SettingsError) -> Settings {
        var settings = Settings()
        let root = Value(path: [], toml: document.root)
        for (key, value) in try entries(root, known: Key.allCases.map(\.rawValue)) {
            guard let key = Key(rawValue: key) else { continue }
            switch key {
            case .idiom: settings.idiom = try choice(value, of: [Settings.automaticIdiom] + idioms)
            case .idiomRules: settings.preferences.idiomRules = try idiomRules(value)
            case .size: settings.size = try size(value)
            case .scale:
                settings.scale = try number(value, in: Settings.scales)
            case .headless: settings.headless = try flag(value)
            case .remoteView: settings.remoteView = try remoteView(value)
            case .socket: settings.socket = try socket(value)
            case .launch: settings.launch = try commands(value)
            case .tellControlSocket: settings.tellsControlSocket = try flag(value)
            case .newWindows: settings.preferences.newWindows = try choice(value)
            case .prompts: settings.preferences.prompts = try appIDs(value)
            case .pictureInPicture: settings.preferences.pictureInPicture = try rules(value)
            case .wallpaper:
                settings.preferences.appearance.wallpaper = try wallpaper(value)
            case .darkWallpaper: settings.preferences.appearance.darkWallpaper = try darkWallpaper(value)
            case .input: settings.preferences.input = try input(value, &settings.preferences)
            case .accent:
                settings.preferences.appearance.accent = try choice(value)
            case .appearance:
                let choice: AppearanceChoice = try choice(value)
                settings.preferences.appearance.isDark = choice == .dark
            case .increasedContrast:
                settings.preferences.appearance.increasedContrast = try flag(value)
            case .reduceTransparency:
                settings.preferences.appearance.reducesTransparency = try flag(value)
            case .textSize:
                settings.preferences.appearance.textScale = try number(value, in: Settings.textSizes)
            case .language:
                let choice: LanguageChoice = try choice(value)
                settings.preferences.appearance.language = choice == .auto ? "" : choice.rawValue
            case .direction:
                let choice: DirectionChoice = try choice(value)
                settings.preferences.appearance.direction = choice == .auto ? "" : choice.rawValue
            case .statusBar:
                settings.preferences.showsStatus = try flag(value)
            case .onScreenKeyboard: settings.onScreenKeyboard = try choice(value)
            case .dock:
                settings.preferences.appearance.dock = try names(value)
                // An empty list leaves the choice to the person.
                if !settings.preferences.appearance.dock.isEmpty { settings.preferences.fixed.insert(.dock) }
            case .reducedMotion:
                settings.preferences.reducedMotion = try flag(value)
            case .animationSpeed:
                settings.animationSpeed = try number(value, in: Settings.animationSpeeds)
            case .logLevel: settings.logLevel = try choice(value)
            case .audio: settings.preferences.audio = try audio(value, server: &settings.soundServer, fixed: &settings.preferences.fixed)
            case .life:
                settings.preferences.life = try life(value, restores: &settings.restoresWindows)
                settings.preferences.fixedApps = settings.preferences.life.kept
            case .lock: settings.preferences.lock = try lock(value, fixed: &settings.preferences.fixed)
            case .privileges: settings.privileges = try privileges(value)
            case .notifications: settings.notifications = try notifications(value)
            case .keys: settings.preferences.keys = try keys(value)
            }
            if let fixes = Self.fixes[key] { settings.preferences.fixed.insert(fixes) }
            settings.preferences.fixedLines[key.rawValue] = document.position(of: value.path).line
        }
        for path in [
            ["audio", "key-clicks"], ["life", "keep"], ["lock", "after"], ["lock", "on-sleep"], ["lock", "power-button"], ["lock", "keys"],
        ]
        where settings.preferences.fixedLines[path[0]] != nil {
            settings.preferences.fixedLines[path.joined(separator: ".")] = document.position(of: path.map { .key($0) }).line
        }
        return settings
    }

    // MARK: Kinds of values

    func flag(_ value: Value) throws(SettingsError) -> Bool {
        guard case .flag(let flag) = value.toml else { throw error(value, "true or false is expected") }
        return flag
    }

    func number(_ value: Value, in range: ClosedRange<Double>) throws(SettingsError) -> Double {
        let expected = "a number from \(range.lowerBound) to \(range.upperBound) is expected"
        let number: Double?
        switch value.toml {
        case .number(let given): number = given
        case .integer(let given): number = Double(given)
        default: number = nil
        }
        guard let number, range.contains(number) else { throw error(value, expected) }
        return number
    }

    func text(_ value: Value, _ expected: String) throws(SettingsError) -> String {
        guard case .text(let text) = value.toml else { throw error(value, expected) }
        return text
    }

    func choice(_ value: Value, of names: [String]) throws(SettingsError) -> String {
        let expected = Self.oneOf(names.map { "\"\($0)\"" }) + " is expected"
        let text = try text(value, expected)
        guard names.contains(text) else { throw error(value, expected) }
        return text
    }

    func choice<Choice>(_ value: Value) throws(SettingsError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        let text = try choice(value, of: Choice.allCases.map(\.rawValue))
        guard let choice = Choice(rawValue: text) else { throw error(value, "\"\(text)\" is not known") }
        return choice
    }

    private func size(_ value: Value) throws(SettingsError) -> Size {
        let sides = Settings.outputSides
        let expected =
            "a size in pixels is expected, such as \"1180x820\", "
            + "each side from \(sides.lowerBound) to \(sides.upperBound)"
        guard let size = Size(parsing: try text(value, expected)) else { throw error(value, expected) }
        return size
    }

    private func remoteView(_ value: Value) throws(SettingsError) -> RemoteViewChoice {
        let expected = "\"auto\", \"off\" or a port from 1 to 65535 is expected"
        if case .integer(let port) = value.toml {
            guard RemoteViewChoice.ports.contains(port) else { throw error(value, expected) }
            return .port(port)
        }
        let text = try text(value, expected)
        guard let choice = RemoteViewChoice(text) else { throw error(value, expected) }
        return choice
    }

    private func socket(_ value: Value) throws(SettingsError) -> String {
        let expected = "a file name of at most 64 letters, digits, dots, dashes and underscores is expected"
        let text = try text(value, expected)
        guard Settings.isSocketName(text) else { throw error(value, expected) }
        return text
    }

    /// As a choice has it.
    func wallpaper(_ value: Value) throws(SettingsError) -> String {
        let expected = "\"standard\", a colour such as \"#232b3a\" or the absolute path of a picture is expected"
        let text = try text(value, expected)
        guard let wallpaper = WallpaperChoice(text) else { throw error(value, expected) }
        return wallpaper == .standard ? "" : text
    }

    func names(_ value: Value) throws(SettingsError) -> [String] {
        let expected = "a list of desktop entries is expected, such as [\"firefox\", \"foot\"]"
        var names: [String] = []
        for entry in try elements(value, expected) { names.append(try text(entry, expected)) }
        return names
    }

    private func appIDs(_ value: Value) throws(SettingsError) -> [String] {
        let expected = "a list of app ids is expected, such as [\"org.example.askpass\"]"
        var ids: [String] = []
        for entry in try elements(value, expected) {
            let id = try text(entry, expected)
            guard !id.isEmpty else { throw error(entry, expected) }
            ids.append(id)
        }
        return ids
    }

    private func commands(_ value: Value) throws(SettingsError) -> [[String]] {
        let expected = "a list of commands is expected, such as [\"foot\", [\"foot\", \"-e\", \"top\"]]"
        var commands: [[String]] = []
        for entry in try elements(value, expected) { commands.append(try command(entry, expected)) }
        return commands
    }

    /// A program and its arguments: a list of words, or words between spaces.
    func command(_ value: Value, _ expected: String) throws(SettingsError) -> [String] {
        var command: [String] = []
        if case .array = value.toml {
            for word in try elements(value, expected) { command.append(try text(word, expected)) }
        } else {
            command = try text(value, expected).split(separator: " ").map(String.init)
        }
        guard let program = command.first, !program.isEmpty else { throw error(value, "a command needs a program") }
        guard !command.contains(where: { $0.unicodeScalars.contains("\0") }) else {
            throw error(value, "a command can hold no NUL character")
        }
        return command
    }

    private func rules(_ value: Value) throws(SettingsError) -> [PictureInPictureRule] {
        let expected = "a list of windows is expected, such as [{ app-id = \"org.example\", title = \"Call\" }]"
        var rules: [PictureInPictureRule] = []
        for entry in try elements(value, expected) {
            guard case .table = entry.toml else { throw error(entry, expected) }
            var rule = PictureInPictureRule(appID: "", title: "")
            for (key, part) in try entries(entry, known: ["app-id", "title"]) {
                let text = try text(part, "text is expected")
                if key == "app-id" { rule.appID = text.lowercased() } else { rule.title = text.lowercased() }
            }
            if rule.appID.isEmpty, rule.title.isEmpty {
                throw error(entry, "app-id, title or both are expected: this would take every window")
            }
            rules.append(rule)
        }
        return rules
    }

    /// Rules that name an idiom for the hardware, the first that holds deciding (W-25).
    private func idiomRules(_ value: Value) throws(SettingsError) -> [IdiomRule] {
        let expected = "a list of rules is expected, such as [{ idiom = \"mac\", tablet-mode = false }]"
        var rules: [IdiomRule] = []
        for entry in try elements(value, expected) {
            guard case .table(let table) = entry.toml else { throw error(entry, expected) }
            guard table["idiom"] != nil else { throw error(entry, "idiom is missing: \(expected)") }
            var rule = IdiomRule("")
            for (key, part) in try entries(
                entry, known: ["idiom", "tablet-mode", "keyboard", "touch", "pointer", "small-screen", "output", "model", "diagonal"]
            ) {
                switch key {
                case "idiom": rule.idiom = try choice(part, of: idioms)
                case "tablet-mode": rule.tabletMode = try flag(part)
                case "keyboard": rule.keyboard = try flag(part)
                case "touch": rule.touch = try flag(part)
                case "pointer": rule.pointer = try flag(part)
                case "small-screen": rule.smallScreen = try flag(part)
                case "output": rule.output = try text(part, "text is expected, such as \"HDMI\"")
                case "model": rule.model = try text(part, "text is expected: a part of the screen's maker and model")
                default: rule.diagonal = try number(part, in: Settings.diagonals)
                }
            }
            rules.append(rule)
        }
        return rules
    }

    private func audio(_ value: Value, server: inout SoundServerChoice, fixed: inout FixedSettings) throws(SettingsError)
        -> AudioPreferences
    {
        let expected = "a rule is expected, such as [[audio.rule]] with app = \"mpv\" and kind = \"music\""
        guard case .table = value.toml else { throw error(value, expected) }
        var audio = AudioPreferences()
        for (name, list) in try entries(value, known: ["server", "alarm-apps", "ringer-apps", "key-clicks", "rule"]) {
            switch name {
            case "server": server = try choice(list)
            case "key-clicks":
                audio.keyClicks = try flag(list)
                fixed.insert(.keyClicks)
            case "alarm-apps": audio.alarmApps = try apps(list).sorted()
            case "ringer-apps": audio.ringerApps = try apps(list).sorted()
            default: for entry in try elements(list, expected) { audio.rules.append(try rule(entry, expected)) }
            }
        }
        return audio
    }

    private func rule(_ value: Value, _ expected: String) throws(SettingsError) -> AudioPreferences.Rule {
        guard case .table = value.toml else { throw error(value, expected) }
        var app = "", kind = SoundKind?.none
        for (key, part) in try entries(value, known: ["app", "kind"]) {
            if key == "app" { app = try text(part, "the name of an app is expected") } else { kind = try choice(part) }
        }
        guard !app.isEmpty, let kind else { throw error(value, "app and kind are both expected") }
        return AudioPreferences.Rule(app: app, kind: kind)
    }

    private func life(_ value: Value, restores: inout Bool) throws(SettingsError) -> LifecyclePreferences {
        guard case .table = value.toml else { throw error(value, "a table is expected: [life]") }
        var life = LifecyclePreferences()
        for (name, entry) in try entries(value, known: ["freeze", "grace", "keep", "restore"]) {
            switch name {
            case "freeze": life.freezes = try flag(entry)
            case "restore": restores = try flag(entry)
            case "grace": life.grace = try number(entry, in: Settings.graces)
            default: life.kept = try names(entry)
            }
        }
        return life
    }

    private func keys(_ value: Value) throws(SettingsError) -> [KeyBinding] {
        let expected = "a key such as \"Super+Left\" is expected, or a list of them; an empty list takes the keys away"
        guard case .table = value.toml else { throw error(value, "a table of actions is expected: [keys]") }
        var own: [KeyBinding] = []
        var named: [Action] = []
        let names = ActionNames.all.map(\.name)
        for (name, bound) in try entries(value, known: names, accept: { ActionNames.action($0) != nil }) {
            guard let action = ActionNames.action(name) else { continue }
            named.append(action)
            for entry in bound.toml.isArray ? try elements(bound, expected) : [bound] {
                let chord = try chord(entry, try text(entry, expected))
                if own.contains(where: { $0.chord == chord }) {
                    throw error(entry, "\(chord) has an action above already: a key has one")
                }
                own.append(KeyBinding(chord, action))
            }
        }
        // An action in the file loses its default keys, and a key in the file loses its default action.
        let standard = KeyBinding.standard.filter { binding in
            !named.contains(binding.action) && !own.contains { $0.chord == binding.chord }
        }
        return standard + own
    }

    private func chord(_ value: Value, _ text: String) throws(SettingsError) -> KeyChord {
        guard let chord = KeyChord(parsing: text) else {
            throw error(
                value,
                "\"\(text)\" is no key: Super, Ctrl, Alt and Shift may stand before a letter, a digit, "
                    + "F1 to F12, or a name such as Left, Tab, Return, space, minus, with + between them")
        }
        // Keys of remote controls and the like type nothing; they are numbered from here on.
        let isFunctionKey = (0xffbe...0xffd5).contains(chord.symbol) || chord.symbol >= 0x1008_0000
        if chord.modifiers.isSubset(of: .shift), !isFunctionKey {
            throw error(value, "\(chord) would take the key away from every app: add Super, Ctrl or Alt")
        }
        return chord
    }

    // MARK: Structure

    func elements(_ value: Value, _ expected: String) throws(SettingsError) -> [Value] {
        guard case .array(let array) = value.toml else { throw error(value, expected) }
        return array.enumerated().map { Value(path: value.path + [.index($0.offset)], toml: $0.element) }
    }

    /// The entries of a table in the order of the file. Refuses names that are neither known nor accepted.
    func entries(
        _ value: Value, known: [String], accept: (String) -> Bool = { _ in false }
    ) throws(SettingsError) -> [(String, Value)] {
        guard case .table(let table) = value.toml else { throw error(value, "a table is expected") }
        var entries = table.map { ($0.key, Value(path: value.path + [.key($0.key)], toml: $0.value)) }
        entries.sort {
            let (a, b) = (document.keyPosition(of: $0.1.path), document.keyPosition(of: $1.1.path))
            return (a.line, a.column, $0.0) < (b.line, b.column, $1.0)
        }
        for (key, entry) in entries where !known.contains(key) && !accept(key) {
            let place = document.keyPosition(of: entry.path)
            let advice =
                LikelyWord.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
                ?? "known here: \(known.joined(separator: ", "))"
            throw SettingsError(
                file: file, line: place.line, column: place.column, message: "unknown key \"\(key)\": \(advice)")
        }
        return entries
    }

    func error(_ value: Value, _ message: String) -> SettingsError { document.error(in: file, at: value.path, message) }

    private static func oneOf(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension TOMLDocument {
    /// The position of a key's name rather than its value.
    fileprivate func keyPosition(of path: [Step]) -> Position {
        keys[path] ?? position(of: path)
    }

    /// An error that names a value by its path, such as `split.snaps[1]`.
    ///
    /// - Parameter atKey: whether the position is that of the value's key.
    func error(in file: String, at path: [Step], _ message: String, atKey: Bool = false) -> SettingsError {
        let place = atKey ? keyPosition(of: path) : position(of: path)
        let name = path.map { step in
            switch step {
            case .key(let key): ".\(key)"
            case .index(let index): "[\(index)]"
            }
        }.joined().dropFirst()
        return SettingsError(file: file, line: place.line, column: place.column, message: name.isEmpty ? message : "\(name): \(message)")
    }
}

extension Settings {
    /// Whether a text can be the name of a Wayland socket: a plain file name that is short enough for a socket
    /// address.
    public static func isSocketName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != "." && text != ".."
            && text.unicodeScalars.allSatisfy {
                switch $0 {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
                default: false
                }
            }
    }
}
