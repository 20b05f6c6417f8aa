import AudioSessions
import Status

/// A person's choice. It survives restarts and reloads of the configuration file (decision 0137).
public enum Choice: Hashable, Codable, Sendable {
    case darkAppearance(Bool)
    case reducedMotion(Bool)
    /// Whether the keys of on-screen keyboards click (A-21).
    case keyClicks(Bool)
    /// 1 is the default size (X-05).
    case textSize(Double)
    case increasedContrast(Bool)
    case reducedTransparency(Bool)
    /// 2 is twice as fast.
    case animationSpeed(Double)
    case accent(Accent)
    /// "standard", a colour such as "#232b3a", or the absolute path of a picture.
    case wallpaper(String)
    /// "auto", or the code of a language of the shell.
    case language(String)
    /// "auto", "left-to-right" or "right-to-left".
    case direction(String)
    /// Whether the time and the state of the device are shown.
    case statusBar(Bool)
    /// The wallpaper while the look is dark, in the same words; "same": no other one.
    case darkWallpaper(String)
    /// The wallpaper of one screen, by the screen's identity, in the same words; empty: the screen has the one of all screens.
    case screenWallpaper(screen: String, isDark: Bool, String)
    case input(InputPreferences.Part)
    case lock(LockPreferences.Part)
    case nightLight(NightLightPreferences.Part)
    /// The tiles of the control centre.
    case controls(ControlOrder)
    /// Whether an app opens when a session begins.
    case startsAtLogin(app: String, Bool)
    /// Whether an app may know where the device is.
    case location(app: String, Bool)
    /// The app that opens one kind of thing.
    case defaultApp(DefaultKind, app: String)
    /// The order of the home screen.
    case home(HomeOrder)
    /// The apps in the dock; none: an empty dock.
    case dock([String])
    /// Whether an app runs in the background (S-06).
    case keepRunning(app: String, Bool)
    /// `settled`: what the hardware and the configuration named then. The choice holds until they name another one (W-25).
    case idiom(String, settled: String)
    /// Counter-clockwise quarter turns of the screen, 0 to 3.
    case rotation(Int)
    /// Whether the screen stays as it is when the device is turned.
    case rotationLock(Bool)
    /// Pixels per point.
    case scale(Double)
    /// How dark the surroundings of windows are, 0 to 1 (V-01).
    case surroundings(Double)
    /// Whether a person called the on-screen keyboard.
    case screenKeyboard(Bool)
    case audio(AudioChoice)
    /// The keys that a person gave to an app, or refused to it, wherever the person is.
    case shortcuts(app: String, [AppShortcut])

    /// The key of the choice. Another choice of the same key replaces this one. On the disk, so it never changes.
    public var key: String {
        switch self {
        case .darkAppearance: "dark-appearance"
        case .reducedMotion: "reduced-motion"
        case .keyClicks: "key-clicks"
        case .textSize: "text-size"
        case .increasedContrast: "increased-contrast"
        case .reducedTransparency: "reduce-transparency"
        case .animationSpeed: "animation-speed"
        case .accent: "accent"
        case .wallpaper: "wallpaper"
        case .language: "language"
        case .direction: "direction"
        case .statusBar: "status-bar"
        case .darkWallpaper: "dark-wallpaper"
        case .screenWallpaper(let screen, let isDark, _): (isDark ? "dark-wallpaper/" : "wallpaper/") + screen
        case .input(let part): part.key
        case .lock(let part): part.key
        case .nightLight(let part): part.key
        case .controls: "controls"
        case .startsAtLogin(let app, _): "start/\(app)"
        case .location(let app, _): "location/\(app)"
        case .defaultApp(let kind, _): "default/\(kind.rawValue)"
        case .home: "home"
        case .dock: "dock"
        case .keepRunning(let app, _): "keep-running/\(app)"
        case .idiom: "idiom"
        case .rotation: "rotation"
        case .rotationLock: "rotation-lock"
        case .scale: "scale"
        case .surroundings: "surroundings"
        case .screenKeyboard: "screen-keyboard"
        case .audio(let choice): "audio/\(choice.key)"
        case .shortcuts(let app, _): "shortcuts/\(app)"
        }
    }

    /// Whether a person can have chosen it. Data from the disk may be anything.
    public var isPossible: Bool {
        switch self {
        case .darkAppearance, .reducedMotion, .keyClicks, .screenKeyboard, .rotationLock, .increasedContrast, .reducedTransparency, .accent,
            .statusBar:
            true
        case .textSize(let scale): (1...2).contains(scale)
        case .animationSpeed(let speed): (0.5...2).contains(speed)
        case .wallpaper(let wallpaper): Choice.isWallpaper(wallpaper)
        case .darkWallpaper(let wallpaper): wallpaper == "same" || Choice.isWallpaper(wallpaper)
        case .screenWallpaper(let screen, let isDark, let wallpaper):
            (1...256).contains(screen.utf8.count)
                && (wallpaper.isEmpty && !isDark || isDark && wallpaper == "same" || Choice.isWallpaper(wallpaper))
        case .input(let part): part.isPossible
        case .lock(let part): part.isPossible
        case .nightLight(let part): part.isPossible
        case .controls(let order): order.isPossible
        case .startsAtLogin(let app, _), .defaultApp(_, let app), .location(let app, _): (1...256).contains(app.utf8.count)
        case .language(let language): ["auto", "en", "ja", "ko"].contains(language)
        case .direction(let direction): ["auto", "left-to-right", "right-to-left"].contains(direction)
        case .home(let order): order.isPossible
        case .dock(let apps): apps.count <= 256
        case .keepRunning(let app, _): !app.isEmpty
        case .idiom(let name, let settled): !name.isEmpty && !settled.isEmpty
        case .rotation(let turns): (0...3).contains(turns)
        case .scale(let scale): Screen.scales.contains(scale)
        case .surroundings(let share): (0...1).contains(share)
        case .audio(let choice): choice.isPossible
        case .shortcuts(let app, let all): !app.isEmpty && AppShortcut.arePossible(all)
        }
    }

    /// "standard", six hexadecimal digits after a number sign, or an absolute path.
    private static func isWallpaper(_ text: String) -> Bool {
        if text == "standard" { return true }
        if text.hasPrefix("#") {
            return text.utf8.count == 7
                && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        }
        return text.hasPrefix("/") && text.utf8.count <= 4096
    }
}

/// The screen in use, as far as a person chooses something for it alone.
public struct OwnScreen: Hashable, Codable, Sendable {
    /// Its identity, and its name for a person.
    public var id: String
    public var title: String
    /// Whether it has a wallpaper of its own.
    public var hasWallpaper = false

    public init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

/// The colour of what is chosen, switched on or can be pressed.
public enum Accent: String, Hashable, Codable, Sendable, CaseIterable {
    case blue, purple, pink, red, orange, green, graphite
}

/// The kinds of things for which a person chooses an app. The desktop keeps them in `mimeapps.list`.
public enum DefaultKind: String, Hashable, Codable, Sendable, CaseIterable {
    case web, mail, pictures, music, videos, documents, folders

    /// The types that the app opens from then on. An app can be chosen if it opens the first one.
    public var types: [String] {
        switch self {
        case .web: ["x-scheme-handler/https", "x-scheme-handler/http", "text/html", "application/xhtml+xml"]
        case .mail: ["x-scheme-handler/mailto"]
        case .pictures: ["image/jpeg", "image/png", "image/gif", "image/webp", "image/tiff", "image/bmp", "image/svg+xml"]
        case .music: ["audio/mpeg", "audio/flac", "audio/ogg", "audio/x-vorbis+ogg", "audio/mp4", "audio/x-wav"]
        case .videos: ["video/mp4", "video/webm", "video/x-matroska", "video/mpeg", "video/quicktime", "video/ogg"]
        case .documents: ["text/plain"]
        case .folders: ["inode/directory"]
        }
    }
}

/// An event from outside that concerns choices.
public enum ChoiceEvent: Hashable, Codable, Sendable {
    /// The choices of the last session. Comes once, before anything else counts.
    case restored([Choice])
}

/// A change to the choices that are kept for the next session.
public enum ChoiceEffect: Hashable, Codable, Sendable {
    case keep(Choice)
    case forget(key: String)
}

/// The settings that the configuration file fixes. They win over a person's choice.
public struct FixedSettings: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let appearance = FixedSettings(rawValue: 1)
    public static let reducedMotion = FixedSettings(rawValue: 2)
    public static let textSize = FixedSettings(rawValue: 4)
    public static let dock = FixedSettings(rawValue: 8)
    public static let scale = FixedSettings(rawValue: 16)
    public static let keyClicks = FixedSettings(rawValue: 32)
    public static let increasedContrast = FixedSettings(rawValue: 64)
    public static let reduceTransparency = FixedSettings(rawValue: 128)
    public static let language = FixedSettings(rawValue: 256)
    public static let direction = FixedSettings(rawValue: 512)
    public static let wallpaper = FixedSettings(rawValue: 1024)
    public static let animationSpeed = FixedSettings(rawValue: 2048)
    public static let statusBar = FixedSettings(rawValue: 4096)
    public static let accent = FixedSettings(rawValue: 8192)
    public static let keyboardLayouts = FixedSettings(rawValue: 16384)
    public static let keyRepeatDelay = FixedSettings(rawValue: 32768)
    public static let keyRepeatRate = FixedSettings(rawValue: 65536)
    public static let pointerSpeed = FixedSettings(rawValue: 131072)
    public static let naturalScrolling = FixedSettings(rawValue: 262144)
    public static let tapToClick = FixedSettings(rawValue: 524288)
    public static let darkWallpaper = FixedSettings(rawValue: 1_048_576)
    public static let lockAfter = FixedSettings(rawValue: 2_097_152)
    public static let lockOnSleep = FixedSettings(rawValue: 4_194_304)
    public static let lockKeys = FixedSettings(rawValue: 8_388_608)
    public static let lockPowerButton = FixedSettings(rawValue: 16_777_216)
    /// Something that the file names one by one, such as an app.
    public static let all = FixedSettings(rawValue: .max)
}
