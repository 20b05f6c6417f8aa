import Geometry

/// Two windows side by side, both interactive (W-04).
public struct Split: Hashable, Codable, Sendable {
    /// The left or top one.
    public var first: WindowID
    public var second: WindowID
    /// The first window's share of the room.
    public var fraction: Double
    /// How they follow one another on an upright screen. On a wide one it is always left and right.
    public var portraitAxis: Axis

    public init(first: WindowID, second: WindowID, fraction: Double = 0.5, portraitAxis: Axis = .horizontal) {
        self.first = first
        self.second = second
        self.fraction = fraction
        self.portraitAxis = portraitAxis
    }

    public func axis(on screen: Size) -> Axis { screen.isLandscape ? .horizontal : portraitAxis }

    public func other(than window: WindowID) -> WindowID { window == first ? second : first }
}

/// A screenful that people switch between.
public struct Space: Hashable, Codable, Sendable {
    public enum Content: Hashable, Codable, Sendable {
        case full(WindowID)
        case split(Split)
        /// Windows at places of their own, back to front (W-25).
        case free([WindowID])
    }

    public let id: SpaceID
    public var content: Content
    /// When it was last in front; larger is later.
    public var lastUse: UInt64

    public var windows: [WindowID] {
        switch content {
        case .full(let window): [window]
        case .split(let split): [split.first, split.second]
        case .free(let windows): windows
        }
    }

    public func contains(_ window: WindowID) -> Bool {
        switch content {
        case .full(let w): w == window
        case .split(let split): split.first == window || split.second == window
        case .free(let windows): windows.contains(window)
        }
    }

    public var split: Split? {
        if case .split(let split) = content { split } else { nil }
    }

    public var free: [WindowID]? {
        if case .free(let windows) = content { windows } else { nil }
    }
}

/// The stack of windows that floats over the spaces (W-01 to W-03, W-05).
public struct SlideOver: Hashable, Codable, Sendable {
    /// Front first.
    public var stack: [WindowID] = []
    public var side: Side = .right
    /// Pushed past the edge; a handle stays (W-02).
    public var isHidden = false

    public init() {}

    public var front: WindowID? { stack.first }
}

/// One small window that floats above everything (W-06).
public struct PictureInPicture: Hashable, Codable, Sendable {
    public var window: WindowID
    public var corner: Corner
    /// As a person wants it, in points; `Workspace.pipFrame` keeps it within what the screen has room for, so that
    /// nothing is forgotten when the screen turns.
    public var width: Double
    /// Width over height.
    public var aspect: Double
    /// Pushed past this edge; a tab stays.
    public var stashed: Side?

    public init(window: WindowID, corner: Corner, width: Double, aspect: Double) {
        self.window = window
        self.corner = corner
        self.width = width
        self.aspect = aspect
    }
}

/// Where a window is.
public enum Place: Hashable, Codable, Sendable {
    case full(SpaceID)
    case split(SpaceID, Side)
    /// Counted from the front.
    case slideOver(Int)
    case pictureInPicture
    /// Belongs to its parent and stands in its middle.
    case dialog(of: WindowID)
    /// Opened unasked; nobody sees it until a person asks (W-19).
    case waiting
    /// Not shown by its client yet.
    case unmapped
}

/// Where a person wants a window to be.
public enum Destination: Hashable, Codable, Sendable {
    case fullScreen
    case splitView(Side)
    case slideOver
    case pictureInPicture
}

/// Why a person's wish cannot be granted; said to them as it is.
public struct Refusal: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
