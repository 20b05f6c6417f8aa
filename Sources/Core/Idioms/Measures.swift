import Geometry

/// Two windows side by side (W-04). Lengths in points.
public struct SplitMeasures: Hashable, Codable, Sendable {
    /// The distance between the two windows.
    public var thickness = 10.0
    /// The rest positions of the divider, as the first window's share.
    public var snaps = [1.0 / 3, 1.0 / 2, 2.0 / 3]
    /// When released within this share of an edge, the divider leaves one window.
    public var edge = 1.0 / 6
    /// The radius of the windows' corners.
    public var radius = 10.0
    /// Whether the divider stands at the first rest position, where a person cannot move it.
    public var fixed = false

    public init() {}
}

/// The card of Slide Over (W-01). Lengths in points.
public struct SlideOverMeasures: Hashable, Codable, Sendable {
    public var width = 375.0
    /// The distance between the card and the screen's edges.
    public var margin = 10.0
    /// The card's own strips above and below the app's content, for moving and flipping it.
    public var topStrip = 24.0
    public var bottomStrip = 18.0

    public init() {}
}

/// Picture in Picture (W-06). The widths are shares of the screen's shorter side; lengths in points.
public struct PictureMeasures: Hashable, Codable, Sendable {
    public var margin = 14.0
    public var smallest = 0.22
    public var first = 0.42
    public var largest = 0.8
    /// The radius of its corners.
    public var radius = 12.0

    public init() {}
}

/// Freely stacked windows (W-25). Lengths in points.
public struct FreeMeasures: Hashable, Codable, Sendable {
    /// The height of a title bar of the shell.
    public var titleBar = 32.0
    /// The radius of the windows' corners: not less than toolkits round their own.
    public var radius = 12.0
    /// The band outside of a window where a pointer, and where a finger resizes it, and how long its corners are.
    public var pointerBand = 8.0
    public var fingerBand = 22.0
    public var corner = 44.0
    /// How near to an edge of the screen a window is dragged that shall fill a part of it, and the length of the edge's ends for a
    /// quarter.
    public var snap = 12.0
    public var snapCorner = 80.0
    /// How far a new window stands below and beside the last one at the same place.
    public var cascade = 32.0
    /// The smallest size to which a person can make a window.
    public var smallest = 160.0
    /// The height of the menu bar along the upper edge; 0: there is none.
    public var menuBar = 0.0
    /// Whether a person makes further spaces of windows, beside the one in front.
    public var spaces = false
    /// Where a pointer that rests opens the overview.
    public var hotCorner = HotCorner.none

    public init() {}
}

/// A corner of the screen where a pointer that rests opens the overview of windows.
public enum HotCorner: String, NamedChoice, Hashable, Sendable {
    case none
    case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
}

/// The grid of the home screen and the dock.
public struct HomeMeasures: Hashable, Codable, Sendable {
    /// The maximum number of columns, and the same on a screen that is wider than high.
    public var columns = 8, columnsAside = 8
    /// The minimum width of a column, in points.
    public var columnWidth = 148.0
    /// The maximum number of apps in the dock; nil for as many as fit.
    public var dockPlaces: Int?
    /// Whether it is shown while no window is open. Otherwise a desktop of layer surfaces may take its place.
    public var fillsEmptyScreen = true
    /// Whether the dock stands at the lower edge all the time, with a zone of its own (W-25).
    public var dockStands = false
    /// Whether the icon in the dock tells that an app starts. Elsewhere a card grows into the place of its window. On a desk the place is
    /// unknown until the window is there, and the card would cover other windows (W-25).
    public var iconsTellStarts: Bool { dockStands }
    /// The side of an icon in the grid, and in the dock.
    public var icon = 72.0
    public var dockIcon = 56.0
    /// The space around the grid, and whether a search field stands above it. A search that began in another way shows it.
    public var margin = 24.0
    public var hasSearch = true

    public init(columns: Int = 8, columnsAside: Int = 8, columnWidth: Double = 148, dockPlaces: Int? = nil) {
        self.columns = columns
        self.columnsAside = columnsAside
        self.columnWidth = columnWidth
        self.dockPlaces = dockPlaces
    }

    public func columns(on size: Size) -> Int { size.isLandscape ? columnsAside : columns }
}

/// The cards of the app switcher.
public struct SwitcherMeasures: Hashable, Codable, Sendable {
    /// The content of a card.
    public var shows = Shows.spaces
    /// The maximum number of rows.
    public var rows = 2
    /// Whether the row ends with the app that was used last, as a person swipes through apps along the lower edge. Otherwise it
    /// begins with it.
    public var lastUsedLast = false

    public init() {}

    public enum Shows: String, NamedChoice, Hashable, Sendable {
        /// A screenful, with all its windows.
        case spaces
        /// A window, also a minimized one.
        case windows
    }
}

/// The line at the lower edge. Lengths in points.
public struct HomeLine: Hashable, Codable, Sendable {
    /// Its width, and the largest share of the screen's width that it takes.
    public var width = 134.0, share = 0.36
    /// Below the words that apps have at their lower edge, as in a bar with tabs or in a status bar.
    public var height = 3.0
    /// The distance of its upper side from the edge.
    public var rise = 5.0

    public init() {}

    public func frame(on screen: Screen) -> Rect {
        let room = screen.usable
        let width = min(width, room.width * share).rounded()
        // Below apps, where the screen has a strip of its own for it.
        let floor = screen.cutOuts.bottom >= 2 * rise && screen.reserved.bottom <= screen.cutOuts.bottom ? screen.bounds.maxY : room.maxY
        return Rect((room.center.x - width / 2).rounded(), floor - rise, width, height)
    }
}

/// The differences on a screen as small as a phone's.
public struct SmallScreen: Hashable, Codable, Sendable {
    /// A screen with a shorter side below this many points is small.
    public var side = 400.0
    /// The same for a screen with the elongated shape of phones, from this aspect ratio on.
    public var narrowSide = 500.0, narrowRatio = 1.7
    /// The places that fit there.
    public var places: Places = [.fullScreen, .splitView, .pictureInPicture]
    /// There, items do not open in windows of their own (W-22).
    public var capabilities: WindowCapabilities = []
    public var home = HomeMeasures(columns: 4, columnsAside: 8, columnWidth: 74, dockPlaces: 4)

    public init() {}

    public func includes(_ size: Size) -> Bool {
        let short = min(size.width, size.height), long = max(size.width, size.height)
        return short < side || (short < narrowSide && long >= short * narrowRatio)
    }
}

/// A finger that pulls from the top edge.
public struct PullMeasures: Hashable, Codable, Sendable {
    /// It pulls instead of moving along the edge if its downward movement is at least this share of its sideways movement.
    public var slope = 0.5
    /// The same where something draggable is at the edge: the dots, or the strip of a Slide Over card.
    public var slopeOnHandles = 2.0
    /// How long a finger rests on the dots or the strip, in seconds, until it takes the window and no longer pulls.
    public var handleRest = 0.35
    /// How far it moves down before the panel opens, in points.
    public var distance = 48.0

    public init() {}
}
