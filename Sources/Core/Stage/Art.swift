import Geometry
import Windows

/// A small picture of the shell's own, as a value that names the content, not the way to paint it. `Chrome` paints it once per size
/// and look and keeps the pixels, so moving or fading it only costs copying.
public enum Art: Hashable, Codable, Sendable {
    /// Fills the screen.
    case wallpaper
    /// The wallpaper, blurred and tinted with `paint`: opaque, as large as the screen. A view's background is the part
    /// of it behind the view.
    case glass(Paint)
    /// The same of the screen at the time when the shell's views opened. `opening` counts how often they did.
    case glassOver(Paint, opening: Int)
    /// An app's icon, or a tile with the initials of `title` if there is none.
    case icon(AppIcon)
    /// The artwork of the playing item: a file or data URL that covers its box, or a note symbol if there is none.
    /// `radius`: of the corners, in points.
    case artwork(String, radius: Double)
    /// A small picture of a notification: a file that covers its box, or nothing if it cannot be shown. `radius` as above.
    case picture(String, radius: Double)
    /// The placeholder of a window without a program: its last picture, or its app's icon (W-20).
    case placeholder(WindowID)
    /// Text of at most `lines` lines in its box, truncated with an ellipsis.
    case text(Text, TextStyle, Tone, TextAlignment, lines: Int)
    case symbol(Symbol, Tone)
    /// An outline of `width` points inside the edge of the box.
    case outline(Paint, radius: Double, width: Double)
    /// A triangle that fills its box and points to this side.
    case arrow(Side, Paint)
    /// The part of its box outside of the disc.
    case aroundDisc(Paint)
}

public struct AppIcon: Hashable, Codable, Sendable {
    /// As in a desktop entry: an icon name or an absolute path.
    public var name: String?
    /// The app's name.
    public var title: String

    public init(name: String?, title: String) {
        self.name = name
        self.title = title
    }
}

/// The text styles. Sizes are in points at text size 1, and scale with the user's text size.
public enum TextStyle: String, Hashable, Codable, Sendable, CaseIterable {
    /// The time on a locked screen.
    case clock
    case largeTitle, title, headline, body, callout, caption, badge

    public var size: Double {
        switch self {
        case .clock: 76
        case .largeTitle: 28
        case .title: 20
        case .headline, .body: 15
        case .callout: 13
        case .caption: 12
        case .badge: 11
        }
    }

    public var isBold: Bool {
        switch self {
        case .clock, .largeTitle, .title, .headline, .badge: true
        case .body, .callout, .caption: false
        }
    }

    /// The line height in points at text size 1, on the 4-point grid.
    public var lineHeight: Double {
        switch self {
        case .clock: 92
        case .largeTitle: 36
        case .title: 28
        case .headline, .body: 20
        case .callout, .caption, .badge: 16
        }
    }
}

/// Leading is left, or right in right-to-left languages. Several lines begin at the top of their box.
public enum TextAlignment: String, Hashable, Codable, Sendable {
    case leading, center, trailing
    /// Leading, and in the middle of the box's height, however many lines the text has.
    case leadingMiddle
}

/// Colours of text and symbols by purpose.
public enum Tone: String, Hashable, Codable, Sendable, CaseIterable {
    /// On panels, menus and cards.
    case primary
    case secondary
    /// For controls that close or end something.
    case destructive
    case accent
    /// On a fill of the accent colour or of a badge.
    case onAccent
    /// Over the wallpaper or a dimmed screen, with a soft shadow.
    case onWallpaper
    /// The same, but weaker.
    case onWallpaperSecondary
    /// On `Paint.cardOnLight` and `.cardOnDark`.
    case onLight, onDark
}

/// Drawn as strokes and fills on a square grid, never with a font.
public enum Symbol: String, Hashable, Codable, Sendable, CaseIterable {
    case fullScreen, leaveFullScreen, splitLeft, splitRight, splitTop, splitBottom, slideOver, pictureInPicture
    case newWindow, allWindows, list, close, minimize, search, clear, add
    /// Three dots: the multitasking controls.
    case controls
    /// The picture and the window in front change places.
    case swap
    /// Cards below each other: the list of notifications.
    case notices
    case bell, gear, moon, send, sun, rotate, textSize, motion, chevronForward, chevronBack, chevronUp, check, warning, window, trash, copy,
        save,
        mail, keyboard, lock, deleteBack
    /// The status of the device: wireless networks by their strength, and batteries by their level.
    case wireless0, wireless1, wireless2, wireless3, wirelessOff, wired, cellular
    case battery0, battery1, battery2, battery3, battery4, bolt, screenShared
    /// Icons of apps in the background.
    case tray
    case drive, aeroplane, rotationLock, power, leave, eye, eyeClosed, nightLight, flashLight, record, camera, alarm, location
    /// Device families.
    case tablet, phone, desktop, television, watch, headgear

    // MARK: Sound
    case speaker, speakerQuiet, speakerMuted, bellMuted, microphone, microphoneMuted
    case play, pause, stop, nextTrack, previousTrack
    /// An arrow in a circle, with room for the number of seconds.
    case skipForward, skipBackward
    /// Outputs.
    case headphones, headset, bluetooth, display, usb, lineOut, network, receiver
    /// Bars next to each other: the mixer.
    case levels
    case note
    /// A key, and the sound that it makes.
    case keyClicks
    case call, endCall
}
