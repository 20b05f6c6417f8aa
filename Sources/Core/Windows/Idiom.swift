import Geometry

/// What a device family offers and its measures, as data: the rooms ask it and never ask which family it is.
public struct Idiom: Hashable, Codable, Sendable {
    public var name: String

    /// Split View exists (W-04).
    public var hasSplitView: Bool
    /// Slide Over exists (W-01); not on a small screen.
    public var hasSlideOver: Bool
    /// Picture in Picture exists (W-06).
    public var hasPictureInPicture: Bool

    /// Windows have multitasking controls, and an app may have several (W-07 to W-09). Without, one app at a time is
    /// shown, and people go between those they like and those they used last (S-11).
    public var hasWindowControls: Bool

    /// Windows stand free: as large as they choose, at places of their own, in layers (W-25). Without, each fills the
    /// place that the arrangement gives it.
    public var hasFreeWindows: Bool {
        get { freeWindows ?? false }
        set { freeWindows = newValue ? true : nil }
    }

    /// Recordings made before there was such a thing say nothing of it.
    private var freeWindows: Bool?

    /// Points between the two windows of a Split View.
    public var dividerThickness: Double
    /// Where the divider comes to rest, as the first window's share.
    public var dividerSnaps: [Double]
    /// Let go nearer to an edge than this share, the divider leaves one window.
    public var dividerEdge: Double

    public var slideOverWidth: Double
    /// Between the card and the screen's edges.
    public var slideOverMargin: Double
    /// The card's own strips above and below the app's content, by which it is moved and flipped.
    public var slideOverTopStrip: Double
    public var slideOverBottomStrip: Double

    public var pipMargin: Double
    /// Width of Picture in Picture as a share of the screen's shorter side: smallest, first, largest.
    public var pipSmallest: Double
    public var pipFirst: Double
    public var pipLargest: Double

    /// The least size of something a finger has to hit.
    public var target: Double
    /// How far from the screen's edge a finger has to start for an edge gesture.
    public var edge: Double
    /// How far a finger moves before it is a drag and no longer a tap.
    public var slop: Double

    /// The distances, speeds and times of gestures.
    public var gestures = GestureMeasures()

    /// The least and the greatest width of Picture in Picture, in points.
    public func pipWidths(on screen: Screen) -> ClosedRange<Double> {
        let side = min(screen.size.width, screen.size.height)
        return side * pipSmallest...side * max(pipSmallest, pipLargest)
    }

    /// A finger from the top edge pulls, and does not go along the edge, if it goes down at least this much of what it goes
    /// sideways.
    public var pullSlope: Double { 0.5 }
    /// The same where the shell has something to drag at the edge itself: the dots, the strip of a Slide Over card.
    public var pullSlopeOnHandles: Double { 2 }
    /// A finger that rests so long on the dots or the strip, in seconds, takes the window, and pulls no more.
    public var handleRest: Double { 0.35 }
    /// How far a finger from the top edge comes down before the panel opens.
    public var pullDistance: Double { 48 }

    // MARK: Small screens

    /// A screen whose shorter side has fewer points is small: a phone's.
    public static let smallSide = 400.0
    /// The same of a screen as long and narrow as phones are, from this ratio of its sides on.
    public static let narrowSide = 500.0, narrowRatio = 1.7

    /// The screen is a small one.
    public var isSmall: Bool { small ?? false }

    /// Recordings made before there was such a thing say nothing of it.
    private var small: Bool?

    /// The same idiom with what a screen of this size has room for.
    public func fitted(to size: Size) -> Idiom {
        let short = min(size.width, size.height), long = max(size.width, size.height)
        let isSmall = short < Idiom.smallSide || (short < Idiom.narrowSide && long >= short * Idiom.narrowRatio)
        guard hasWindowControls, isSmall else { return self }
        var fitted = self
        fitted.small = true
        fitted.hasSlideOver = false
        return fitted
    }

    /// The most columns of the home screen, and the least points of each.
    public func homeColumns(on size: Size) -> (most: Int, width: Double) {
        isSmall ? (size.isLandscape ? 8 : 4, 74) : (8, 148)
    }

    /// The most apps in the dock; nil: as many as fit.
    public var dockPlaces: Int? { isSmall ? 4 : nil }

    public static let pad = Idiom(
        name: "pad", hasSplitView: true, hasSlideOver: true, hasPictureInPicture: true, hasWindowControls: true,
        dividerThickness: 10, dividerSnaps: [1.0 / 3, 1.0 / 2, 2.0 / 3], dividerEdge: 1.0 / 6,
        slideOverWidth: 375, slideOverMargin: 10, slideOverTopStrip: 24, slideOverBottomStrip: 18,
        pipMargin: 14, pipSmallest: 0.22, pipFirst: 0.42, pipLargest: 0.8,
        target: 44, edge: 16, slop: 10)

    /// One app at a time, no multitasking windows at all: the dock holds the favourites, the app switcher those used
    /// last (S-11). Its rules are here; its faces are not, so it is not offered yet.
    public static let watch: Idiom = {
        var watch = pad
        watch.name = "watch"
        watch.hasSplitView = false
        watch.hasSlideOver = false
        watch.hasPictureInPicture = false
        watch.hasWindowControls = false
        return watch
    }()

    /// Several windows of several apps in layers, each as large as its app makes it (W-25). Clients are free here to do
    /// with their windows what the conformance tests expect of a desktop (docs/conformance.md). The edges of the screen
    /// are the apps'. Its faces are not made, so it is not offered yet.
    public static let mac: Idiom = {
        var mac = pad
        mac.name = "mac"
        mac.hasSplitView = false
        mac.hasSlideOver = false
        mac.hasPictureInPicture = false
        mac.hasWindowControls = false
        mac.hasFreeWindows = true
        mac.edge = 0
        return mac
    }()

    /// Every idiom that this build offers.
    public static let all: [Idiom] = [.pad]

    public static func named(_ name: String) -> Idiom? { all.first { $0.name == name } }
}

/// The screen the shell is on, in logical points after rotation.
public struct Screen: Hashable, Codable, Sendable {
    public var size: Size
    /// Pixels per point.
    public var scale: Double
    /// Space that panels (layer-shell exclusive zones) keep for themselves.
    public var reserved: Insets

    public init(size: Size, scale: Double = 1, reserved: Insets = .zero) {
        self.size = size
        self.scale = scale
        self.reserved = reserved
    }

    public var bounds: Rect { Rect(origin: .zero, size: size) }
    /// Where windows may be.
    public var usable: Rect { bounds.inset(by: reserved) }
}
