import Geometry

/// The features and measures of a device family, as data. The core modules read these and never ask which family it
/// is.
public struct Idiom: Hashable, Codable, Sendable {
    public var name: String

    /// Split View exists (W-04).
    public var hasSplitView: Bool
    /// Slide Over exists (W-01), but not on a small screen.
    public var hasSlideOver: Bool
    /// Picture in Picture exists (W-06).
    public var hasPictureInPicture: Bool

    /// Windows have multitasking controls, and an app may have several windows (W-07 to W-09). Otherwise one app at a
    /// time is shown, and users switch between favourites and recently used apps (S-11).
    public var hasWindowControls: Bool

    /// Windows are stacked freely, in sizes and positions of their own (W-25). Otherwise each fills its place in the
    /// arrangement.
    public var hasFreeWindows: Bool {
        get { freeWindows ?? false }
        set { freeWindows = newValue ? true : nil }
    }

    /// Optional, because older recordings lack it.
    private var freeWindows: Bool?

    /// The distance between the two windows of a Split View, in points.
    public var dividerThickness: Double
    /// The rest positions of the divider, as the first window's share.
    public var dividerSnaps: [Double]
    /// When released within this share of an edge, the divider leaves one window.
    public var dividerEdge: Double

    public var slideOverWidth: Double
    /// The distance between the card and the screen's edges.
    public var slideOverMargin: Double
    /// The card's own strips above and below the app's content, for moving and flipping it.
    public var slideOverTopStrip: Double
    public var slideOverBottomStrip: Double

    public var pipMargin: Double
    /// The width of Picture in Picture as a share of the screen's shorter side: minimum, initial, maximum.
    public var pipSmallest: Double
    public var pipFirst: Double
    public var pipLargest: Double

    /// The minimum size of a touch target.
    public var target: Double
    /// The width of the strip at a screen edge where an edge gesture starts.
    public var edge: Double
    /// How far a finger moves before a tap becomes a drag.
    public var slop: Double

    /// Apps out of sight are paused (S-05). Where windows stand beside each other none is (V-04).
    public var pausesHidden: Bool {
        get { pauses ?? !hasFreeWindows }
        set { pauses = newValue }
    }

    /// Optional, because older recordings lack it.
    private var pauses: Bool?

    /// The rules for the life of apps.
    public var life: LifecycleRules {
        var rules = LifecycleRules()
        rules.freezesHidden = pausesHidden
        return rules
    }

    /// The distances, speeds and times of gestures.
    @Indirect public var gestures = GestureMeasures()

    /// The minimum and maximum width of Picture in Picture, in points.
    public func pipWidths(on screen: Screen) -> ClosedRange<Double> {
        let side = min(screen.size.width, screen.size.height)
        return side * pipSmallest...side * max(pipSmallest, pipLargest)
    }

    /// A finger from the top edge pulls instead of moving along the edge if its downward movement is at least this
    /// share of its sideways movement.
    public var pullSlope: Double { 0.5 }
    /// The same where something draggable is at the edge: the dots, or the strip of a Slide Over card.
    public var pullSlopeOnHandles: Double { 2 }
    /// How long a finger rests on the dots or the strip, in seconds, until it takes the window and no longer pulls.
    public var handleRest: Double { 0.35 }
    /// How far a finger from the top edge moves down before the panel opens.
    public var pullDistance: Double { 48 }

    // MARK: Small screens

    /// A screen with a shorter side below this many points is small, such as a phone's.
    public static let smallSide = 400.0
    /// The same for a screen with the elongated shape of phones, from this aspect ratio on.
    public static let narrowSide = 500.0, narrowRatio = 1.7

    /// Whether the screen is small.
    public var isSmall: Bool { small ?? false }

    /// Optional, because older recordings lack it.
    private var small: Bool?

    /// The same idiom, reduced to what a screen of this size has room for.
    public func fitted(to size: Size) -> Idiom {
        let short = min(size.width, size.height), long = max(size.width, size.height)
        let isSmall = short < Idiom.smallSide || (short < Idiom.narrowSide && long >= short * Idiom.narrowRatio)
        guard hasWindowControls, isSmall else { return self }
        var fitted = self
        fitted.small = true
        fitted.hasSlideOver = false
        return fitted
    }

    /// Whether a window of this size is narrow, as in Slide Over, in a third of the screen or on a phone: its sheets stand
    /// at its bottom, and popovers become sheets (M-06).
    public func isCompact(_ size: Size) -> Bool { size.width < 480 }

    /// The maximum number of columns on the home screen, and the minimum width of each in points.
    public func homeColumns(on size: Size) -> (most: Int, width: Double) {
        isSmall ? (size.isLandscape ? 8 : 4, 74) : (8, 148)
    }

    /// The maximum number of apps in the dock; nil for as many as fit.
    public var dockPlaces: Int? { isSmall ? 4 : nil }

    public static let pad = Idiom(
        name: "pad", hasSplitView: true, hasSlideOver: true, hasPictureInPicture: true, hasWindowControls: true,
        dividerThickness: 10, dividerSnaps: [1.0 / 3, 1.0 / 2, 2.0 / 3], dividerEdge: 1.0 / 6,
        slideOverWidth: 375, slideOverMargin: 10, slideOverTopStrip: 24, slideOverBottomStrip: 18,
        pipMargin: 14, pipSmallest: 0.22, pipFirst: 0.42, pipLargest: 0.8,
        target: 44, edge: 16, slop: 10)

    /// One app at a time and no multitasking: the dock holds the favourites, the app switcher the recent apps (S-11).
    /// Its rules exist but not its views, so it is not offered yet.
    public static let watch: Idiom = {
        var watch = pad
        watch.name = "watch"
        watch.hasSplitView = false
        watch.hasSlideOver = false
        watch.hasPictureInPicture = false
        watch.hasWindowControls = false
        return watch
    }()

    /// Stacked windows of several apps, in the sizes that the apps choose (W-25). Clients may use their windows as
    /// the conformance tests expect of a desktop (docs/conformance.md). The screen edges belong to the apps. Its
    /// views do not exist, so it is not offered yet.
    public static let mac: Idiom = {
        var mac = pad
        mac.name = "mac"
        mac.hasSplitView = false
        mac.hasSlideOver = false
        mac.hasPictureInPicture = false
        mac.hasWindowControls = false
        mac.hasFreeWindows = true
        mac.pausesHidden = false
        mac.edge = 0
        return mac
    }()

    /// Every idiom that this build offers.
    public static let all: [Idiom] = [.pad]

    public static func named(_ name: String) -> Idiom? { all.first { $0.name == name } }
}

/// The screen of the shell, in logical points after rotation.
public struct Screen: Hashable, Codable, Sendable {
    public var size: Size
    /// Pixels per point.
    public var scale: Double
    /// The exclusive zones of panels (layer-shell).
    public var reserved: Insets
    /// Counter-clockwise quarter turns from upright, 0 to 3; nil while no adapter has reported them.
    public var turns: Int?

    public init(size: Size, scale: Double = 1, reserved: Insets = .zero, turns: Int? = nil) {
        self.size = size
        self.scale = scale
        self.reserved = reserved
        self.turns = turns
    }

    /// The quarter turns after "Rotate Screen": from upright to the side, and back.
    public var turned: Int { (turns ?? 0) ^ 1 }

    public var bounds: Rect { Rect(origin: .zero, size: size) }
    /// The area for windows.
    public var usable: Rect { bounds.inset(by: reserved) }
}
