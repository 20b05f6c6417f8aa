import Geometry

/// A surface of another program that stands on the screen by itself: a panel, a launcher, an on-screen keyboard, a
/// wallpaper (wlr-layer-shell).
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

/// What a panel's program asks for, as of its last commit.
public struct PanelFacts: Hashable, Codable, Sendable {
    /// From back to front; windows lie between `bottom` and `top`.
    public enum Layer: Int, Hashable, Codable, Sendable, CaseIterable {
        case background, bottom, top, overlay
    }

    public enum Keyboard: Int, Hashable, Codable, Sendable, CaseIterable {
        case never
        /// It has all keys for as long as it is there, if it lies above the windows.
        case always
        /// A person may choose it, as a window.
        case onDemand
    }

    /// Edges of the screen that it is tied to.
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
    /// In points; 0 along an axis whose both edges it is tied to: all there is.
    public var size: Size
    /// From the edges that it is tied to, in points.
    public var margins: Insets
    /// Points that it keeps for itself at its edge; 0: it keeps clear of those that do; -1: it lies over them.
    public var zone: Double
    public var keyboard: Keyboard
    /// It has something to show.
    public var isMapped: Bool
    /// It is on a screen that shows nothing: it gets a place, and takes neither room nor keys.
    public var isOffScreen: Bool

    public init(
        layer: Layer, anchors: Anchors = [], size: Size, margins: Insets = .zero, zone: Double = 0, keyboard: Keyboard = .never,
        isMapped: Bool = true, isOffScreen: Bool = false
    ) {
        self.layer = layer
        self.anchors = anchors
        self.size = size
        self.margins = margins
        self.zone = zone
        self.keyboard = keyboard
        self.isMapped = isMapped
        self.isOffScreen = isOffScreen
    }

    var isAboveWindows: Bool { layer == .top || layer == .overlay }
}

public struct Panel: Hashable, Codable, Sendable {
    public var facts: PanelFacts
    /// Where it stands, in points of the screen; nil before there was a screen.
    public var frame: Rect?
}
