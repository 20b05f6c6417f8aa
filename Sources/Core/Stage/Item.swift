import Geometry
import Windows

/// One thing to draw. A list of them, back to front, is a whole picture of the screen.
public struct Item: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case fill(Paint)
        /// A window's own picture, stretched over `frame`.
        case window(WindowID)
        /// Its popups and menus, placed as if its picture covered `frame`.
        case popups(WindowID)
        /// Panels, wallpapers and the like: wlr-layer-shell's layers, 0 background to 3 overlay.
        case layer(Int)
        case shadow(blur: Double)
        case dragIcon
        /// The locker's surface.
        case lock
        /// A picture of the shell's own, painted for `size` points and stretched over `frame`.
        case art(Art, size: Size)
    }

    public var key: Key
    public var kind: Kind
    public var frame: Rect
    /// Nothing of it is drawn outside this rectangle.
    public var clip: Rect?
    /// Of the clip, or of the fill or shadow itself.
    public var radius: Double
    public var opacity: Double

    /// Stays the same for the same thing, so that only what changed is painted.
    public struct Key: Hashable, Sendable {
        public var part: Part
        public var window: WindowID?
        /// Of a view of the shell's own: a number made of its name.
        public var view: UInt64 = 0

        /// One number for the drawing side.
        public var number: UInt64 {
            view != 0 ? view | 1 << 63 : UInt64(part.rawValue) << 32 | UInt64(window?.raw ?? 0)
        }
    }

    public enum Part: UInt32, Hashable, Sendable {
        case wallpaper, layer0, layer1, layer2, layer3
        case spaceBackdrop, letterbox, window, popups, shadow, card, grip, gripDot0, gripDot1, gripDot2
        case dividerPill, dividerPillBack
        case dot0, dot1, dot2, dot3, dot4, dot5
        case slideOverHandle, slideOverHandlePill, pipTab, pipTabPill
        case dropPreview, dropOutline
        case dragIcon
        case cardShadow, cardBackdrop, cardLetterbox, cardWindow
        case view, indicator
        case locked, lock
    }

    /// One thing of a view of the shell's own. `view`: a number that stays the same for the same thing.
    public init(
        view: UInt64, _ kind: Kind, _ frame: Rect, clip: Rect? = nil, radius: Double = 0, opacity: Double = 1
    ) {
        key = Key(part: .view, window: nil, view: view)
        self.kind = kind
        self.frame = frame
        self.clip = clip
        self.radius = radius
        self.opacity = opacity
    }

    /// All there is to see of a locked session.
    public static func locked(_ bounds: Rect) -> [Item] {
        [Item(.locked, .fill(.locked), bounds), Item(.lock, .lock, bounds)]
    }

    init(_ part: Part, _ kind: Kind, _ frame: Rect, radius: Double = 0, opacity: Double = 1) {
        self.init(part, nil, kind, frame, radius: radius, opacity: opacity)
    }

    init(
        _ part: Part, _ window: WindowID?, _ kind: Kind, _ frame: Rect, clip: Rect? = nil, radius: Double = 0,
        opacity: Double = 1
    ) {
        key = Key(part: part, window: window)
        self.kind = kind
        self.frame = frame
        self.clip = clip
        self.radius = radius
        self.opacity = opacity
    }
}

/// Colours by purpose; what they look like is chosen where they are painted.
public enum Paint: String, Hashable, Codable, Sendable, CaseIterable {
    case wallpaper
    /// Behind the two windows of a Split View: the divider.
    case divider
    /// Around a window that is smaller than its place (W-11).
    case letterbox
    case card
    /// Marks that a finger can take something here.
    case pill
    /// The dots at the top of a window, over an app's own picture of a colour that nobody knows.
    case grip
    /// The same where what lies under them is known to be light, or dark.
    case gripOnLight, gripOnDark
    case handle
    /// Where a dragged window will go.
    case preview
    /// Dims what is behind a menu, a panel or the app switcher.
    case scrim
    /// Under the dock's icons, over any wallpaper.
    case dock
    /// Menus, panels and alerts.
    case panel
    /// The hairline around a ground of glass.
    case rim
    /// A field, a button or a key on a panel.
    case control
    /// What a finger presses or the pointer is over.
    case pressed
    /// Around what the keyboard is at.
    case focus
    case accent
    case badge
    /// Between rows.
    case separator
    /// Where an app's window will be, while it starts.
    case launching
    /// The line at the bottom of the screen: swipe up from here.
    case indicator
    /// Behind what can be pressed on an app's own picture.
    case controls
    /// Behind the dots at the top of a window: a title shows through it; solid with more contrast.
    case dots
    /// The same where what lies under them is known to be light, or dark.
    case dotsOnLight, dotsOnDark
    /// Marks on a card that a finger can take something here.
    case mark
    /// The locked screen, where its locker shows nothing.
    case locked
    /// What a slider's knob runs on.
    case track
    case knob
    /// A microphone is in use.
    case recording
}
