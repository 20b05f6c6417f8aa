import Geometry

/// Two windows side by side, both interactive (W-04).
public struct Split: Hashable, Codable, Sendable {
    /// The left or top one.
    public var first: WindowID
    public var second: WindowID
    /// The first window's share of the available length.
    public var fraction: Double
    /// The axis on a portrait screen. On a landscape screen it is always left and right.
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

/// A screenful between which the user switches.
public struct Space: Hashable, Codable, Sendable {
    public enum Content: Hashable, Codable, Sendable {
        case full(WindowID)
        case split(Split)
        /// Windows at free positions, back to front (W-25).
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
    /// Pushed past the edge. A handle stays visible (W-02).
    public var isHidden = false

    public init() {}

    public var front: WindowID? { stack.first }
}

/// One small window that floats above everything (W-06).
public struct PictureInPicture: Hashable, Codable, Sendable {
    public var window: WindowID
    public var corner: Corner
    /// The width that the user chose, in points. `Workspace.pipFrame` limits it to the screen, so that the choice
    /// survives a rotation.
    public var width: Double
    /// Width over height.
    public var aspect: Double
    /// The edge past which it was pushed. A tab stays visible.
    public var stashed: Side?

    public init(window: WindowID, corner: Corner, width: Double, aspect: Double) {
        self.window = window
        self.corner = corner
        self.width = width
        self.aspect = aspect
    }
}

/// The place of a window in the arrangement.
public enum Place: Hashable, Codable, Sendable {
    case full(SpaceID)
    case split(SpaceID, Side)
    /// The position from the front.
    case slideOver(Int)
    case pictureInPicture
    /// Belongs to its parent and is centred on it.
    case dialog(of: WindowID)
    /// Opened without being asked for. Hidden until the user opens it (W-19).
    case waiting
    /// Not mapped by its client.
    case unmapped
}

/// Where the user wants a window.
public enum Destination: Hashable, Codable, Sendable {
    case fullScreen
    case splitView(Side)
    case slideOver
    case pictureInPicture
}

/// Why an action of the user is not possible. Shown as it is.
public struct Refusal: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
