import Geometry
import Interface
import Multitasking
import Seat

/// Everything a person can set, with the values that hold when nothing is said.
///
/// Keys of the file are named in `SettingsReader.swift` and described in `docs/config.md`.
public struct Settings: Equatable, Codable, Sendable {
    /// Name of the device family whose rules and measures hold.
    public var idiom = "pad"
    /// Wanted size of the output in pixels, for nested and headless outputs; nil leaves it to the backend.
    public var size: Size?
    /// Pixels per point.
    public var scale = 1.0
    /// Draw to memory even where a display could be had.
    public var headless = false
    public var remoteView = RemoteViewChoice.automatic
    /// Name of the Wayland socket in the runtime directory; nil takes the first free one.
    public var socket: String?
    /// What the core has to know: new windows (W-19), Picture in Picture (W-06), reduced motion (X-05), keys (X-02).
    public var preferences = Preferences()
    /// 2 is twice as fast.
    public var animationSpeed = 1.0
    public var wallpaper = WallpaperChoice.standard
    public var onScreenKeyboard = KeyboardChoice.auto
    public var language = LanguageChoice.auto
    public var direction = DirectionChoice.auto
    /// Commands opened at the start when none is given on the command line; nil leaves the choice to Mullion.
    public var launch: [[String]]?
    /// Whether programs that the shell launches are told where the control socket is (`MULLION_CONTROL`).
    public var tellsControlSocket = false
    public var soundServer = SoundServerChoice.auto
    public var logLevel = LogLevel.info
    public var privileges = Privileges()

    public init() {}
}

/// What lies behind the home screen.
public enum WallpaperChoice: Hashable, Codable, Sendable {
    /// Mullion's own, light or dark.
    case standard
    case colour(Colour)
    /// An absolute path.
    case picture(String)
}

/// The language of the shell's own texts (X-04).
public enum LanguageChoice: String, Codable, CaseIterable, Sendable {
    /// As the environment says.
    case auto
    case english = "en"
    case korean = "ko"
    case japanese = "ja"
}

/// When the on-screen keyboard is there.
public enum KeyboardChoice: String, Codable, CaseIterable, Sendable {
    /// On hardware, where fingers are.
    case auto
    case on, off
}

/// Which sound server the shell and its apps use.
public enum SoundServerChoice: String, Codable, CaseIterable, Sendable {
    /// The machine's, or where there is none, one of its own.
    case auto
    /// One of its own, whatever there is.
    case own = "private"
    /// None: apps use what they find, and the shell does nothing about sound.
    case off
}

/// Which way people read.
public enum DirectionChoice: String, Codable, CaseIterable, Sendable {
    /// As the language of the environment has it.
    case auto
    case leftToRight = "left-to-right"
    case rightToLeft = "right-to-left"
}

/// Light or dark, as the file names it.
enum AppearanceChoice: String, CaseIterable {
    case light, dark
}

/// Whether the screen can be seen in a browser on this machine.
public enum RemoteViewChoice: Hashable, Codable, Sendable {
    /// On a free port, when the shell runs headless.
    case automatic
    /// On this loopback port, whatever the backend.
    case port(Int)
    case off

    /// Reads `auto`, `off` or a port number, as the command line gives it; nil is anything else.
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

/// From which weight on a log line is written.
public enum LogLevel: String, Codable, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical
}

/// An opaque colour of 8 bits a channel.
public struct Colour: Hashable, Codable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rrggbb`; nil is anything else.
    public init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.first == "#", digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
              let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }
}

extension Size {
    /// Reads `1180x820`, as the command line and the file give it; nil is anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1],
              Settings.outputSides.contains(width), Settings.outputSides.contains(height)
        else { return nil }
        self.init(Double(width), Double(height))
    }
}

extension Settings {
    /// Sides of an output in pixels: below, no window fits; above, no memory does.
    public static let outputSides = 240...8192
    public static let scales = 0.5...4.0
    public static let animationSpeeds = 0.1...10.0
    public static let textSizes = Appearance.textScales
}
