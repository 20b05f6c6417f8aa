import Geometry

/// A layer surface of another program (wlr-layer-shell): a panel, a launcher, an on-screen keyboard, or a wallpaper.
public struct PanelID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public let raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(UInt32.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }

    public static func < (a: PanelID, b: PanelID) -> Bool { a.raw < b.raw }
    public var description: String { "panel \(raw)" }
}

/// A surface of another program above everything that the shell arranges, which takes input at a point.
public enum Overlay: Hashable, Codable, Sendable {
    /// A panel of the layers above the windows.
    case panel(PanelID)
    /// A menu of an X11 program that belongs to no window.
    case x11Menu
}

/// The requests of a panel's client in its last commit.
public struct PanelFacts: Hashable, Codable, Sendable {
    /// Back to front. Windows lie between `bottom` and `top`.
    public enum Layer: Int, Hashable, Codable, Sendable, CaseIterable {
        case background, bottom, top, overlay
    }

    public enum Keyboard: Int, Hashable, Codable, Sendable, CaseIterable {
        case never
        /// Exclusive: has the keyboard while it is mapped, if it lies above the windows.
        case always
        /// The user may give it the keyboard, like a window.
        case onDemand
    }

    /// The screen edges that it is anchored to.
    public struct Anchors: OptionSet, Hashable, Codable, Sendable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let top = Anchors(rawValue: 1)
        public static let bottom = Anchors(rawValue: 2)
        public static let left = Anchors(rawValue: 4)
        public static let right = Anchors(rawValue: 8)
        static let across: Anchors = [.left, .right]
        static let upright: Anchors = [.top, .bottom]
    }

    public var layer: Layer
    public var anchors: Anchors
    /// In points. 0 along an axis means: fill the space between both anchored edges.
    public var size: Size
    /// Distances from the anchored edges, in points.
    public var margins: Insets
    /// The exclusive zone in points. 0: it avoids the zones of others; -1: it overlaps them.
    public var zone: Double
    public var keyboard: Keyboard
    /// Whether it is mapped.
    public var isMapped: Bool
    /// Whether its output shows nothing. It gets a place, but no exclusive zone and no keyboard.
    public var isOffScreen: Bool
    /// The client that it belongs to, as in the facts of windows; 0: unknown.
    public var client: UInt64

    public init(
        layer: Layer, anchors: Anchors = [], size: Size, margins: Insets = .zero, zone: Double = 0, keyboard: Keyboard = .never,
        isMapped: Bool = true, isOffScreen: Bool = false, client: UInt64 = 0
    ) {
        self.layer = layer
        self.anchors = anchors
        self.size = size
        self.margins = margins
        self.zone = zone
        self.keyboard = keyboard
        self.isMapped = isMapped
        self.isOffScreen = isOffScreen
        self.client = client
    }

    var isSeen: Bool { isMapped && !isOffScreen }
    var isAboveWindows: Bool { layer == .top || layer == .overlay }
}

public struct Panel: Hashable, Codable, Sendable {
    public var facts: PanelFacts
    /// Its place in points of the screen; nil before there was a screen.
    public var frame: Rect?
}
