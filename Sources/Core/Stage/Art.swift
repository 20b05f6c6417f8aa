import Geometry

/// A small picture of the shell's own, as a value: what it shows, not how. `Chrome` paints it, once for each size and
/// look, and keeps the pixels; moving or fading it costs nothing but copying.
public enum Art: Hashable, Codable, Sendable {
    /// Fills the screen.
    case wallpaper
    /// The wallpaper blurred, with the colour of `paint` over it: opaque, fills the screen. A view's ground is a piece of it,
    /// cut out where the view stands.
    case glass(Paint)
    /// An app's icon, or a tile with the initials of `title` where there is none.
    case icon(AppIcon)
    /// The picture of what plays: a file or data URL, covering its box; a note where there is none. `radius`: of the
    /// corners, in points.
    case artwork(String, radius: Double)
    /// Fitted into its box: at most `lines` lines, then an ellipsis.
    case text(Text, TextStyle, Tone, TextAlignment, lines: Int)
    case symbol(Symbol, Tone)
    /// A line of `width` points around the box, inside it.
    case outline(Paint, radius: Double, width: Double)
}

public struct AppIcon: Hashable, Codable, Sendable {
    /// As in a desktop entry: a name of the icon theme or an absolute path.
    public var name: String?
    /// The app's name.
    public var title: String

    public init(name: String?, title: String) {
        self.name = name
        self.title = title
    }
}

/// The type scale. Sizes are points at the text size 1; a person's larger text multiplies them.
public enum TextStyle: String, Hashable, Codable, Sendable, CaseIterable {
    case largeTitle, title, headline, body, callout, caption, badge

    public var size: Double {
        switch self {
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
        case .largeTitle, .title, .headline, .badge: true
        case .body, .callout, .caption: false
        }
    }

    /// Points from one line to the next at the text size 1, on the 4-point grid.
    public var lineHeight: Double {
        switch self {
        case .largeTitle: 36
        case .title: 28
        case .headline, .body: 20
        case .callout, .caption, .badge: 16
        }
    }
}

/// Leading is left, or right where people read from right to left.
public enum TextAlignment: String, Hashable, Codable, Sendable {
    case leading, center, trailing
}

/// Colours of text and symbols by purpose.
public enum Tone: String, Hashable, Codable, Sendable, CaseIterable {
    /// On panels, menus and cards.
    case primary
    case secondary
    /// What closes or ends something.
    case destructive
    case accent
    /// On a fill of the accent or of a badge.
    case onAccent
    /// Over the wallpaper or a dimmed screen, with a soft shadow of its own.
    case onWallpaper
    /// The same, less strong.
    case onWallpaperSecondary
}

/// Drawn with strokes and fills on a square grid, never from a font.
public enum Symbol: String, Hashable, Codable, Sendable, CaseIterable {
    case fullScreen, splitLeft, splitRight, splitTop, splitBottom, slideOver, pictureInPicture
    case newWindow, allWindows, close, search, clear, add
    /// Three dots: the multitasking controls.
    case controls
    case bell, gear, moon, sun, rotate, textSize, motion, chevronForward, chevronBack, check, warning, window, trash

    // MARK: Sound
    case speaker, speakerQuiet, speakerMuted, bellMuted, microphone, microphoneMuted
    case play, pause, stop, nextTrack, previousTrack
    /// An arrow in a circle, with room for the number of seconds.
    case skipForward, skipBackward
    /// Where sound can go.
    case headphones, headset, bluetooth, display, usb, lineOut, network, receiver
    /// Levels beside each other: the mixer.
    case levels
    case note
    case call, endCall
}
