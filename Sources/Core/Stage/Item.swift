import Geometry
import Windows

/// One thing to draw. A list of items, back to front, describes a whole frame.
public struct Item: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case fill(Paint)
        /// A window's own picture, stretched over `frame`.
        case window(WindowID)
        /// A window's popups and menus, positioned as if its picture covered `frame`.
        case popups(WindowID)
        /// A layer of wlr-layer-shell, from 0 background to 3 overlay.
        case layer(Int)
        case shadow(blur: Double)
        case dragIcon
        /// The lock surface.
        case lock
        /// A picture of the shell's own, painted for `size` points and stretched over `frame`.
        case art(Art, size: Size)
    }

    public var key: Key
    public var kind: Kind
    public var frame: Rect
    /// Clips drawing to this rectangle.
    public var clip: Rect?
    /// The corner radius of the clip, or of the fill or shadow itself.
    public var radius: Double
    public var opacity: Double
    /// How far from its edges it fades in, in points (V-06).
    public var feather = 0.0
    /// How many times finer than the screen a picture of the shell's own is painted, because it is drawn larger than its size.
    public var detail = 1.0

    /// Stable for the same thing, so that only changes are painted.
    public struct Key: Hashable, Sendable {
        public var part: Part
        public var window: WindowID?
        /// For a view of the shell's own: a hash of its name.
        public var view: UInt64 = 0

        /// A single number for the drawing side.
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
        case dimming
        case sheetTitle, sheetClose, barMinimize, barZoom, popoverArrow
        case barCloseDisc, barMinimizeDisc, barZoomDisc

        /// The disc behind a control of a title bar.
        var disc: Part {
            switch self {
            case .barMinimize: .barMinimizeDisc
            case .barZoom: .barZoomDisc
            default: .barCloseDisc
            }
        }
        case pinchDimming, pinchShadow, pinched
        /// `dimmedSheetRule`: its neighbourhood says nothing of how light the app is.
        case sheetRule, popoverRule, dimmedSheetRule
        /// Far away windows look pale, and the surroundings of the windows can be dimmed (V-02).
        case haze, surroundings
        /// The area that a round screen does not show.
        case aroundDisc
    }

    /// An item of one of the shell's own views. `view`: a stable number for the same thing.
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

    /// All items of a locked session.
    public static func locked(_ bounds: Rect) -> [Item] {
        [Item(.locked, .fill(.locked), bounds), Item(.lock, .lock, bounds)]
    }

    /// The ground of the shell's own lock screen: the wallpaper, dimmed.
    public static func ownLock(_ screen: Screen) -> [Item] {
        [
            Item(.locked, .fill(.locked), screen.bounds), Item(.lock, .lock, screen.bounds),
            Item(.wallpaper, .art(.wallpaper, size: screen.size), screen.bounds),
            Item(.dimming, .fill(.locked), screen.bounds, opacity: 0.25),
        ]
    }

    /// An app over the lock screen: its window on black, and its popups.
    public static func overLock(_ over: WindowOverLock) -> [Item] {
        [
            Item(.letterbox, .fill(.letterbox), over.area),
            Item(.window, over.window, .window(over.window), over.frame, clip: over.area),
            Item(.popups, over.window, .popups(over.window), over.frame, clip: over.area),
        ]
    }

    init(_ part: Part, _ kind: Kind, _ frame: Rect, radius: Double = 0, opacity: Double = 1) {
        self.init(part, nil, kind, frame, radius: radius, opacity: opacity)
    }

    init(
        _ part: Part, _ window: WindowID?, _ kind: Kind, _ frame: Rect, clip: Rect? = nil, radius: Double = 0,
        opacity: Double = 1, feather: Double = 0
    ) {
        key = Key(part: part, window: window)
        self.kind = kind
        self.frame = frame
        self.clip = clip
        self.radius = radius
        self.opacity = opacity
        self.feather = feather
    }
}

/// Colours by purpose. The painter decides their appearance.
public enum Paint: String, Hashable, Codable, Sendable, CaseIterable {
    case wallpaper
    /// The divider: behind the two windows of a Split View.
    case divider
    /// Around a window that is smaller than its place (W-11).
    case letterbox
    case card
    /// The same on an app's light or dark picture, whatever the shell's own look is.
    case cardOnLight, cardOnDark
    /// Marks something that a finger can drag.
    case pill
    /// The dots at the top of a window, above an app's own content of unknown brightness.
    case grip
    /// The same above content known to be light or dark.
    case gripOnLight, gripOnDark
    case handle
    /// The future place of a dragged window.
    case preview
    /// Dims the screen behind a menu, a panel or the app switcher.
    case scrim
    /// Below the dock's icons, over any wallpaper.
    case dock
    /// Menus, panels and alerts.
    case panel
    /// The hairline around a glass background.
    case rim
    /// A field, button or key on a panel.
    case control
    /// A pressed control, or the one under the pointer.
    case pressed
    /// Around the control with the keyboard focus.
    case focus
    case accent
    case badge
    /// Between rows.
    case separator
    /// The same on a card on an app's light or dark picture.
    case separatorOnLight, separatorOnDark
    /// The future place of a window whose app is starting.
    case launching
    /// The line at the bottom of the screen, where upward swipes start.
    case indicator
    /// Behind controls on an app's own content.
    case controls
    /// Behind the dots at the top of a window. Translucent, so that a title shows through; opaque with increased
    /// contrast.
    case dots
    /// The same above content known to be light or dark.
    case dotsOnLight, dotsOnDark
    /// Marks on a card that a finger can drag.
    case mark
    /// The locked screen where the locker shows nothing.
    case locked
    /// The track of a slider's knob.
    case track
    case knob
    /// A microphone is in use.
    case recording
    /// Over a window that is far away.
    case haze
}
