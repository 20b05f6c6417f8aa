import AudioSessions
import Geometry
import Notices
import Stage
import Status
import Windows

/// One thing that a person can set, for the settings on the screen, `mullion ctl settings` and a search. `Views.settings` is the only list
/// of them.
public struct Setting: Sendable {
    public enum Value: Hashable, Sendable {
        case flag(Bool)
        case name(String)
        case number(Double)

        /// As a script writes it.
        public var text: String {
            switch self {
            case .flag(let isOn): isOn ? "on" : "off"
            case .name(let name): name
            case .number(let number): Setting.text(number)
            }
        }
    }

    public enum Kind: Sendable {
        case flag
        /// One of these names. `other`: or a text of this kind, in the words of an error.
        case names([(name: String, title: Text)], other: String? = nil)
        case number(ClosedRange<Double>, step: Double, Unit = .percent)
    }

    /// How a person reads a number.
    public enum Unit: Sendable {
        case percent, milliseconds, timesPerSecond
        /// From -1 to 1.
        case signedPercent
        /// Of the day.
        case hours
    }

    /// The name for scripts. The configuration file has the same one, if it can fix it.
    public var key: String
    public var page: ControlPage
    public var title: Text
    public var kind: Kind
    public var value: Value
    /// The part of the configuration that fixes it; empty: none can.
    var fixes: FixedSettings = []
    /// The choices of a person that it stands for, which a reset drops.
    public var choice: String?
    /// Words below its title.
    var detail: Text?
    /// Why it cannot be set to a text that is no name of the list.
    var objection: (@Sendable (String) -> String?)?
    var act: @Sendable (Value) -> Action

    /// The action that sets it. Throws a reason that names what is allowed.
    public func action(_ text: String) throws(Refusal) -> Action {
        switch kind {
        case .flag:
            guard let isOn = ["on": true, "true": true, "off": false, "false": false][text] else {
                throw Refusal("\(key) is on or off, not \"\(text)\"")
            }
            return act(.flag(isOn))
        case .names(let names, let other):
            let expected = "\(key) is \(Setting.some(names.map(\.name)))" + (other.map { " or \($0)" } ?? "") + ", not \"\(text)\""
            if names.contains(where: { $0.name == text }) { return act(.name(text)) }
            guard other != nil, !text.isEmpty else { throw Refusal(expected) }
            if let objection = objection?(text) { throw Refusal(objection) }
            let action = act(.name(text))
            if case .choose(let choice) = action, !choice.isPossible { throw Refusal(expected) }
            return action
        case .number(let range, _, _):
            guard let number = Double(text), number.isFinite, range.contains(number) else {
                throw Refusal("\(key) is from \(Setting.text(range.lowerBound)) to \(Setting.text(range.upperBound)), not \"\(text)\"")
            }
            return act(.number(number))
        }
    }

    /// The texts that it can be set to.
    public var allowed: String {
        switch kind {
        case .flag: "on, off"
        case .names(let names, let other): names.map(\.name).joined(separator: ", ") + (other != nil ? ", …" : "")
        case .number(let range, _, _): "\(Setting.text(range.lowerBound)) to \(Setting.text(range.upperBound))"
        }
    }

    /// The names of a list; of a long one, the first.
    static func some(_ names: [String]) -> String {
        names.prefix(24).joined(separator: ", ") + (names.count > 24 ? " (and \(names.count - 24) more)" : "")
    }

    /// As a person reads it.
    func words(_ number: Double) -> String {
        guard case .number(_, _, let unit) = kind else { return Setting.text(number) }
        let hundredths = Int(clamping: (number * 100).rounded())
        switch unit {
        case .percent: return "\(hundredths)%"
        case .signedPercent: return hundredths > 0 ? "+\(hundredths)%" : "\(hundredths)%"
        case .milliseconds: return "\(Int(clamping: number.rounded())) ms"
        case .timesPerSecond: return "\(Int(clamping: number.rounded()))/s"
        case .hours:
            let minutes = Int(clamping: (number * 60).rounded()) % 1440
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
    }

    public static func text(_ number: Double) -> String {
        let hundredths = Int(clamping: (number * 100).rounded())
        if hundredths % 100 == 0 { return "\(hundredths / 100)" }
        let part = abs(hundredths % 100), sign = hundredths < 0 && hundredths > -100 ? "-" : ""
        return "\(sign)\(hundredths / 100).\(part < 10 ? "0" : "")\(part % 10 == 0 ? "\(part / 10)" : "\(part)")"
    }
}

/// Facts for the settings besides those that other views show.
public struct SettingFacts: Hashable, Codable, Sendable {
    public var animationSpeed = 1.0
    public var showsStatus = true
    public var input = InputPreferences()
    /// The layouts of keyboards that the system has, by the names of XKB.
    public var layouts: [NamedLayout] = []
    /// The layouts of real keyboards with their letters, the one in use first; the last ones may be for keys on the screen alone.
    public var keyboards: [ScreenLetters] = []
    /// Whether there is a real keyboard.
    public var hasKeyboard = false
    /// The name of the person.
    public var person = ""
    public var lock = LockPreferences()
    public var controls = ControlOrder()
    public var nightLight = NightLightPreferences()
    public var startApps: [String] = []
    /// The kinds of things for which a person chose an app.
    public var ownDefaults: [DefaultKind] = []
    /// The apps that asked where the device is, and a person's answers.
    public var location: [String: Bool] = [:]
    /// The keys that a person gave to apps, or refused to them.
    public var shortcuts: [String: [AppShortcut]] = [:]
    /// The screen in use.
    public var screen: OwnScreen?
    /// The apps that the desktop names for kinds of things, the first choice first, installed or not.
    public var defaultApps: [DefaultKind: [String]] = [:]
    /// The lines of the configuration file that fix something, by key.
    public var lines: [String: Int] = [:]
    /// Pictures that can be the wallpaper, by their paths.
    public var wallpapers: [String] = []
    /// The titles of settings and pages in every language, for the search.
    public var words: [Message: [String]] = [:]
    public var machine = MachineFacts()

    public init() {}
}

/// A layout of keyboards with its name.
public struct NamedLayout: Hashable, Codable, Sendable {
    public var name: String
    public var title: String

    public init(name: String, title: String) {
        self.name = name
        self.title = title
    }
}

/// The facts of the page about the device.
public struct MachineFacts: Hashable, Codable, Sendable {
    /// Of Mullion, of the system, of the kernel; empty: not known.
    public var version = "", system = "", kernel = "", processor = ""
    /// In bytes; 0: not known.
    public var memory: Int64 = 0
    /// Whether anything is kept.
    public var keeps = false

    public init() {}
}

extension Views {
    /// Every setting, in the order of the pages.
    public var settings: [Setting] { Views.settingTables.flatMap(settingTable) }

    /// Each table by one of its pages.
    private static let settingTables: [ControlPage] = [
        .look, .display, .lock, .sounds, .language, .keyboard, .controls, .defaultApps, .noticeApps, .background, .privacy,
    ]

    public func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }

    /// Those of a page, without those of others: with thousands of apps the whole table is long.
    func settings(on page: ControlPage) -> [Setting] { settingTable(page).filter { $0.page == page } }

    /// The settings of this page, and of those that share its table.
    private func settingTable(_ page: ControlPage) -> [Setting] {
        switch page {
        case .look: lookSettings
        case .display, .idioms: displaySettings
        case .lock: lockSettings
        case .sounds: soundSettings
        case .language: languageSettings
        case .keyboard, .pointer: inputSettings
        case .controls: controlSettings
        case .defaultApps, .startApps: defaultSettings
        case .noticeApps: noticeSettings
        case .background: appSettings
        case .privacy: locationSettings
        default: []
        }
    }

    private var lookSettings: [Setting] {
        [
            Setting(
                key: "appearance", page: .look, title: .message(.appearance),
                kind: .names([("light", .message(.lightAppearance)), ("dark", .message(.darkAppearance))]),
                value: .name(appearance.isDark ? "dark" : "light"), fixes: .appearance, choice: "dark-appearance"
            ) { .darkAppearance($0 == .name("dark")) },
            Setting(
                key: "accent", page: .look, title: .message(.accentColour),
                kind: .names(Accent.allCases.map { ($0.rawValue, .message($0.title)) }), value: .name(appearance.accent.rawValue),
                fixes: .accent, choice: "accent"
            ) { .choose(.accent(Accent(rawValue: $0.text) ?? .blue)) },
        ] + wallpaperSettings + [
            number("text-size", .look, .textSize, 1...2, 0.05, appearance.textScale, .textSize, "text-size") { .textSize($0) },
            flag("increased-contrast", .look, .increasedContrast, appearance.increasedContrast, .increasedContrast, "increased-contrast") {
                .choose(.increasedContrast($0))
            },
            flag(
                "reduce-transparency", .look, .reduceTransparency, appearance.reducesTransparency, .reduceTransparency,
                "reduce-transparency"
            ) { .choose(.reducedTransparency($0)) },
            flag("reduced-motion", .look, .reducedMotion, reducedMotion, .reducedMotion, "reduced-motion") { .reducedMotion($0) },
            number("animation-speed", .look, .animationSpeed, 0.5...2, 0.25, facts.animationSpeed, .animationSpeed, "animation-speed") {
                .choose(.animationSpeed($0))
            },
        ]
    }

    private var displaySettings: [Setting] {
        var out: [Setting] = []
        if idioms.count > 1 {
            out.append(
                Setting(
                    key: "idiom", page: .idioms, title: .message(.idiom), kind: .names(idioms.map { ($0.name, look(of: $0).title) }),
                    value: .name(workspace.family.name)
                ) { .idiom($0.text) })
        }
        if let brightness = status.brightness {
            out.append(number("brightness", .display, .brightness, 0...1, 0.05, brightness, [], nil) { .device(.brightness($0)) })
        }
        if device.hasTurnSensor {
            out.append(
                flag("rotation-lock", .display, .rotationLock, device.locksRotation, [], "rotation-lock") { .device(.rotationLock($0)) })
        }
        out += nightLightSettings
        out.append(flag("status-bar", .display, .statusBar, facts.showsStatus, .statusBar, "status-bar") { .choose(.statusBar($0)) })
        if let scale = workspace.screen?.scale {
            out.append(
                number("scale", .display, .scale, 0.5...4, 0.25, min(4, max(0.5, scale)), .scale, "scale") { .resizeScreen(scale: $0) })
        }
        return out
    }

    private var soundSettings: [Setting] {
        var out: [Setting] = []
        for kind in [VolumeClass.media, .ringer, .alarm, .call] {
            guard let volume = audio.volumes[kind] else { continue }
            out.append(
                number("volume.\(kind.rawValue)", .sounds, message(of: kind), 0...1, 0.05, volume.level, [], nil) {
                    .audio(.setVolume($0, kind))
                })
        }
        if audio.isServerRunning { out.append(flag("silence", .sounds, .silence, audio.isSilenced, [], nil) { .audio(.silence($0)) }) }
        out.append(flag("key-clicks", .sounds, .keyClicks, audio.hasKeyClicks, .keyClicks, "key-clicks") { .keyClicks($0) })
        return out
    }

    private var languageSettings: [Setting] {
        [
            Setting(
                key: "language", page: .language, title: .message(.language),
                kind: .names([
                    ("auto", .message(.automatic)), ("en", .verbatim("English")), ("ja", .verbatim("日本語")), ("ko", .verbatim("한국어")),
                ]), value: .name(appearance.language.isEmpty ? "auto" : appearance.language), fixes: .language, choice: "language"
            ) { .choose(.language($0.text)) },
            Setting(
                key: "direction", page: .language, title: .message(.direction),
                kind: .names([
                    ("auto", .message(.automatic)), ("left-to-right", .message(.leftToRight)), ("right-to-left", .message(.rightToLeft)),
                ]), value: .name(appearance.direction.isEmpty ? "auto" : appearance.direction), fixes: .direction, choice: "direction"
            ) { .choose(.direction($0.text)) },
        ]
    }

    private var noticeSettings: [Setting] {
        [flag("do-not-disturb", .noticeApps, .doNotDisturb, notices.choices.isQuiet, [], nil) { .notice(.quiet($0)) }]
            + workspace.apps.filter { $0.id != App.settings }.map { app in
                Setting(
                    key: "notifications/\(app.id)", page: .noticeApps, title: .verbatim(app.name),
                    kind: .names(NoticeManner.allCases.map { ($0.rawValue, .message($0.title)) }),
                    value: .name(notices.choices.manner(of: app.id).rawValue)
                ) { .notice(.choose(app: app.id, what: .manner(NoticeManner(rawValue: $0.text) ?? .banners))) }
            }
    }

    private var appSettings: [Setting] {
        workspace.apps.filter { $0.id != App.settings }.map { app in
            var setting = Setting(
                key: "background/\(app.id)", page: .background, title: .verbatim(app.name), kind: .flag,
                value: .flag(kept.contains(app.id)),
                choice: "keep-running/\(app.id)"
            ) { .keepRunning(app: app.id, $0 == .flag(true)) }
            if fixedApps.contains(app.id) { setting.fixes = .all }
            return setting
        }
    }

    /// Whether apps may know where the device is: those that a person decided on.
    var locationSettings: [Setting] {
        let apps = facts.location.keys.map { (id: $0, name: source(of: SensorUse.Program(id: $0)).name) }
        return apps.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { app in
            Setting(
                key: "location/\(app.id)", page: .privacy, title: .verbatim(app.name), kind: .flag,
                value: .flag(facts.location[app.id] ?? false), choice: "location/\(app.id)"
            ) { .device(.location(.allow(app: app.id, $0 == .flag(true)))) }
        }
    }

    func flag(
        _ key: String, _ page: ControlPage, _ title: Message, _ isOn: Bool, _ fixes: FixedSettings, _ choice: String?,
        _ act: @escaping @Sendable (Bool) -> Action
    ) -> Setting {
        Setting(key: key, page: page, title: .message(title), kind: .flag, value: .flag(isOn), fixes: fixes, choice: choice) {
            act($0 == .flag(true))
        }
    }

    func number(
        _ key: String, _ page: ControlPage, _ title: Message, _ range: ClosedRange<Double>, _ step: Double, _ value: Double,
        _ fixes: FixedSettings, _ choice: String?, unit: Setting.Unit = .percent, _ act: @escaping @Sendable (Double) -> Action
    ) -> Setting {
        Setting(
            key: key, page: page, title: .message(title), kind: .number(range, step: step, unit), value: .number(value), fixes: fixes,
            choice: choice
        ) { if case .number(let number) = $0 { act(number) } else { act(value) } }
    }

    /// Whether the configuration file fixes a setting, so that a person cannot choose it here.
    public func isFixed(_ setting: Setting) -> Bool { setting.fixes == .all || !fixed.isDisjoint(with: setting.fixes) }

    /// The line of the configuration file that fixes a setting; nil: none does.
    public func line(fixing setting: Setting) -> (key: String, line: Int)? {
        guard isFixed(setting) else { return nil }
        let isInput = setting.page == .keyboard || setting.page == .pointer
        let key =
            setting.page == .lock
            ? "lock.\(setting.key.dropFirst(5))"
            : setting.fixes == .all
                ? "life.keep" : setting.fixes == .keyClicks ? "audio.key-clicks" : isInput ? "input.\(setting.key)" : setting.key
        return (key, facts.lines[key] ?? 0)
    }
}

extension Accent {
    var title: Message {
        switch self {
        case .blue: .colourBlue
        case .purple: .colourPurple
        case .pink: .colourPink
        case .red: .colourRed
        case .orange: .colourOrange
        case .green: .colourGreen
        case .graphite: .colourGraphite
        }
    }
}

extension NoticeManner {
    var title: Message {
        switch self {
        case .banners: .mannerBanners
        case .quietly: .mannerQuietly
        case .summary: .mannerSummary
        case .off: .mannerOff
        }
    }
}
