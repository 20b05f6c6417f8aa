import AudioSessions
import Geometry

/// A device family as data: how it arranges windows, what it offers, and its measures. The core modules read these values
/// and never ask which family it is, so that a new one needs a data file alone (docs/idioms.md).
public struct Idiom: Hashable, Codable, Sendable {
    /// Its name in the configuration and in `mullion ctl`: lower-case letters, digits and hyphens.
    public var name: String
    /// Its name for a person, shown as it stands; empty: that of its device, in the person's language.
    public var title = ""
    /// The kind of device that a person recognises it as.
    public var device = Device.tablet
    /// How it arranges windows.
    public var arrangement: ArrangementKind
    /// Where a person may put windows. The arrangement must have every one of these places.
    public var places: Places
    /// The chrome around the windows of apps.
    public var dressing: Dressing
    /// How many windows of an app a person opens (W-07 to W-09, S-11).
    public var windowsOfApp: WindowsOfApp
    /// The menu items and gestures for new windows that apps may offer (W-21, W-22).
    public var capabilities: WindowCapabilities
    /// The functions that a person can use beyond the app in front.
    public var offers = Offers.all

    /// The minimum size of a touch target, in points.
    public var target: Double
    /// The width of the strip at a screen edge where an edge gesture starts, in points; 0: the edges belong to the apps.
    public var edge: Double
    /// How far a finger moves before a tap becomes a drag, in points.
    public var slop: Double
    /// Windows that are narrower than this many points are compact: sheets stand at the bottom, and popovers become sheets
    /// (M-06).
    public var compactWidth = 480.0

    /// An app that needs more room than its place has is drawn smaller, but not below this share of its size: from there on a part of
    /// it is in sight, and a person moves the rest there (W-11). 0: it is always drawn whole.
    public var leastScale = 0.0
    /// An app that is drawn below this share of its size is one card: all of it is in sight first, and a person makes it larger and
    /// moves it (S-11). 0: none is.
    public var zoomsBelow = 0.0

    /// How dialogs stand on windows.
    public var dialogs = ModalStyle.sheets
    /// In a compact place, sheets reach from edge to edge (M-06).
    public var sheetsFillWidth = false
    /// The strips at the edges of the upright screen where a cut-out or the case hides what is drawn: top, right, bottom, left, in
    /// points. They turn with the screen.
    public var cutOuts = Insets.zero
    /// The radius of the screen's corners, in points.
    public var cornerRadius = 0.0
    /// The window of a call, and of a playing video, becomes the picture when a person leaves it for another app (S-10). Otherwise
    /// only a video does, when a person goes to the home screen.
    public var keepsInSight = false

    @Indirect public var split = SplitMeasures()
    @Indirect public var slideOver = SlideOverMeasures()
    @Indirect public var picture = PictureMeasures()
    @Indirect public var free = FreeMeasures()
    /// Windows at depths; nil: all stand on the screen. The arrangement `free` has them.
    @Indirect public var depth: DepthMeasures?
    /// How the shell closes a window.
    public var closing = Closing.asks
    @Indirect public var home = HomeMeasures()
    @Indirect public var switcher = SwitcherMeasures()
    /// The screen is a disc; nil: it has corners.
    @Indirect public var round: RoundMeasures?
    /// It is worn on a wrist, which can be lowered; nil: it is not.
    @Indirect public var wrist: WristRules?
    /// The line at the lower edge, by which a finger goes home; nil: there is none.
    @Indirect public var homeLine: HomeLine?
    /// Where the time and the state of the device are shown.
    @Indirect public var status = StatusMeasures()
    /// The differences on a screen as small as a phone's; nil: there are none.
    @Indirect public var smallScreen: SmallScreen?
    /// The functions of the screen's edges.
    @Indirect public var zones = EdgeZones()
    @Indirect public var pull = PullMeasures()
    /// Which views lie above windows.
    @Indirect public var layers = LayerRules()
    /// The keys that do something else here than usual.
    @Indirect public var keys: [IdiomKey] = []
    /// The distances, speeds and times of gestures.
    @Indirect public var gestures = GestureMeasures()
    /// The rules for the life of apps.
    @Indirect public var life = LifecycleRules()
    /// The rules for sound.
    public var sound = SoundRules()
    /// The size of the shell's own views.
    @Indirect public var views = ViewMeasures()
    @Indirect public var remote = RemoteRules()
    @Indirect public var rest = RestRules()

    public init(
        name: String, arrangement: ArrangementKind, places: Places, dressing: Dressing, windowsOfApp: WindowsOfApp,
        capabilities: WindowCapabilities = [], target: Double = 44, edge: Double = 16, slop: Double = 10
    ) {
        self.name = name
        self.arrangement = arrangement
        self.places = places
        self.dressing = dressing
        self.windowsOfApp = windowsOfApp
        self.capabilities = capabilities
        self.target = target
        self.edge = edge
        self.slop = slop
    }

    /// The minimum and maximum width of Picture in Picture, in points.
    public func pipWidths(on screen: Screen) -> ClosedRange<Double> {
        let side = min(screen.size.width, screen.size.height)
        return side * picture.smallest...side * max(picture.smallest, picture.largest)
    }

    /// The same idiom, reduced to the features that a screen of this size has room for.
    public func fitted(to size: Size) -> Idiom {
        guard let small = smallScreen, small.includes(size) else { return self }
        var fitted = self
        fitted.places = places.intersection(small.places)
        fitted.capabilities = capabilities.intersection(small.capabilities)
        fitted.home = small.home
        return fitted
    }

    /// Whether a window of this size is narrow, as in Slide Over, in a third of the screen or on a phone (M-06).
    public func isCompact(_ size: Size) -> Bool { size.width < compactWidth }
}

/// The types of arrangement (`Arranging`).
public enum ArrangementKind: String, NamedChoice, Hashable, Sendable {
    /// Spaces of one window or of a pair, with Slide Over and Picture in Picture in front of them.
    case pad
    /// Windows of several apps, stacked freely (W-25).
    case free
    /// One window at a time.
    case single

    /// The places that it has.
    public var places: Places {
        switch self {
        case .pad: .all
        case .free, .single: [.fullScreen, .pictureInPicture]
        }
    }
}

/// The chrome of the shell around the windows of apps, by which a person gets hold of them.
public enum Dressing: String, NamedChoice, Hashable, Sendable {
    /// Nothing.
    case bare
    /// Three dots at the top, which open the multitasking controls (W-07).
    case dots
    /// A title bar, for clients that draw none.
    case titleBar = "title-bar"
    /// A bar below each window, outside of it, with controls at its side (V-02).
    case barBelow = "bar-below"
}

/// How the shell closes a window.
public enum Closing: String, NamedChoice, Hashable, Sendable {
    /// Its app is asked to close it.
    case asks
    /// It is put away, and its app runs on without it (V-03). A window that is put away already is closed by its app.
    case putsAway = "puts-away"
}

/// How many windows of an app a person opens.
public enum WindowsOfApp: String, NamedChoice, Hashable, Sendable {
    /// One: opening the app again shows its window.
    case one
    /// Several, between which the app shelf chooses (W-08).
    case several
}
