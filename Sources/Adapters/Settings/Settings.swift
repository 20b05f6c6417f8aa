import Geometry
import Interface
import Multitasking
import Notices
import Seat
import Windows

/// All settings, with their default values.
///
/// `SettingsReader.swift` defines the keys of the file, and `docs/config.md` describes them.
public struct Settings: Equatable, Codable, Sendable {
    /// The device family that determines rules and measures: its name, `automatic`, or nil for the choice by the hardware once it
    /// has a tablet switch.
    public var idiom: String?
    /// The size of a nested or headless output in pixels; nil leaves it to the backend.
    public var size: Size?
    /// Pixels per point.
    public var scale = 1.0
    /// Renders to memory even if a display is available.
    public var headless = false
    public var remoteView = RemoteViewChoice.automatic
    /// Name of the Wayland socket in the runtime directory; nil takes the first free one.
    public var socket: String?
    /// Settings for the core: new windows (W-19), Picture in Picture (W-06), reduced motion (X-05), keys (X-02).
    public var preferences = Preferences()
    /// 2 is twice as fast.
    public var animationSpeed = 1.0
    public var onScreenKeyboard = KeyboardChoice.auto
    /// Commands to launch at the start if the command line has none; nil leaves the choice to Mullion.
    public var launch: [[String]]?
    /// Whether launched programs get the control socket's path (`MULLION_CONTROL`).
    public var tellsControlSocket = false
    /// Whether to keep windows on disk, and restore those of the last session (W-20).
    public var restoresWindows = true
    public var soundServer = SoundServerChoice.auto
    public var logLevel = LogLevel.info
    public var privileges = Privileges()
    /// The file's settings for notifications. They win over a person's choices.
    public var notifications = NoticeChoices.Wishes()

    public init() {}

    public var wallpaper: WallpaperChoice { WallpaperChoice(preferences.appearance.wallpaper) ?? .standard }
    public var language: LanguageChoice { LanguageChoice(rawValue: preferences.appearance.language) ?? .auto }
    public var direction: DirectionChoice { DirectionChoice(rawValue: preferences.appearance.direction) ?? .auto }
}

/// The background of the home screen.
public enum WallpaperChoice: Hashable, Codable, Sendable {
    /// Mullion's own, light or dark.
    case standard
    case colour(Colour)
    /// An absolute path.
    case picture(String)

    /// From a text as the file and a person's choice have it; nil: it is none.
    public init?(_ text: String) {
        if text == "standard" {
            self = .standard
        } else if let colour = Colour(text) {
            self = .colour(colour)
        } else if text.hasPrefix("/") {
            self = .picture(text)
        } else {
            return nil
        }
    }
}

/// The language of the shell's own texts (X-04).
public enum LanguageChoice: String, Codable, CaseIterable, Sendable {
    /// Follows the environment.
    case auto
    case english = "en"
    case korean = "ko"
    case japanese = "ja"
}

/// When the on-screen keyboard is available.
public enum KeyboardChoice: String, Codable, CaseIterable, Sendable {
    /// Only on hardware with a touch screen.
    case auto
    case on, off
}

/// The sound server of the shell and its apps.
public enum SoundServerChoice: String, Codable, CaseIterable, Sendable {
    /// The machine's server, or a private one if there is none.
    case auto
    /// Always a private one.
    case own = "private"
    /// None: apps use any server that they find, and the shell does not manage sound.
    case off
}

/// The reading direction.
public enum DirectionChoice: String, Codable, CaseIterable, Sendable {
    /// Follows the language of the environment.
    case auto
    case leftToRight = "left-to-right"
    case rightToLeft = "right-to-left"
}

/// Light or dark, as named in the file.
enum AppearanceChoice: String, CaseIterable {
    case light, dark
}

/// Whether a browser on this machine can show the screen.
public enum RemoteViewChoice: Hashable, Codable, Sendable {
    /// On a free port, if the shell runs headless.
    case automatic
    /// On this loopback port, with any backend.
    case port(Int)
    case off

    /// Parses `auto`, `off` or a port number from the command line; nil for anything else.
    public init?(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "off": self = .off
        default:
            guard let port = Int(text), Self.ports.contains(port) else { return nil }
            self = .port(port)
        }
    }

    public static let ports = 1...65535
}

/// The lowest severity that is logged.
public enum LogLevel: String, Codable, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical
}

/// An opaque colour with 8 bits per channel.
public struct Colour: Hashable, Codable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#rrggbb`; nil for anything else.
    public init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.first == "#", digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }
}

extension Size {
    /// Parses `1180x820` from the command line or the file; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1],
            Settings.outputSides.contains(width), Settings.outputSides.contains(height)
        else { return nil }
        self.init(Double(width), Double(height))
    }
}

extension Settings {
    /// The range of output sides in pixels. Below, no window fits; above, memory does not suffice.
    public static let outputSides = 64...8192
    public static let scales = Screen.scales, scalesInWords = Screen.scalesInWords
    /// The diagonals that a screen may have, in inches.
    public static let diagonals = 0.0...500.0
    /// The idiom that the rules for the hardware choose.
    public static let automaticIdiom = "automatic"
    public static let animationSpeeds = 0.1...10.0
    /// How many seconds an app runs in the background before it is frozen.
    public static let graces = 0.0...3600.0
    public static let textSizes = Appearance.textScales
}
