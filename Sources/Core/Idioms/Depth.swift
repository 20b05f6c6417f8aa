import Geometry

/// Windows that stand at depths behind the screen, or before it (V-01, V-02). Lengths in points.
///
/// A depth of 0 is the screen itself; larger ones are farther away. All windows face the person, so that depth is a uniform
/// scale about the middle of the screen, some haze, and the order in which windows are drawn.
public struct DepthMeasures: Hashable, Codable, Sendable {
    /// How far a person is from the screen.
    public var distance = 1600.0
    /// The depths between which a person moves windows.
    public var nearest = -400.0
    public var farthest = 1600.0
    /// How far one notch of a wheel or one key moves a window.
    public var step = 200.0
    /// How much farther away a window is seen while it is not the active one, and its opacity then. Looked at, it is that much
    /// clearer.
    public var recede = 110.0
    public var opacity = 0.8
    public var gaze = 0.12
    /// The share of a window at the farthest depth that haze hides.
    public var haze = 0.4
    /// How far from its edges a window without focus fades in (V-06).
    public var feather = 24.0
    /// The bar below a window that moves it: its size, its distance from the window, and the side of the controls beside it.
    public var barWidth = 120.0
    public var barHeight = 8.0
    public var barGap = 14.0
    public var control = 32.0

    public init() {}

    public func clamped(_ depth: Double) -> Double { max(nearest, min(farthest, depth)) }

    /// The size at which a window at a depth is seen, as a share of its own.
    public func scale(at depth: Double) -> Double { distance / max(distance / 100, distance + depth) }
}

/// A uniform scale about a point: how a window at a depth is seen.
public struct Perspective: Hashable, Codable, Sendable {
    /// Where everything that is infinitely far away is seen.
    public var vanishing: Point
    public var scale: Double

    public init(vanishing: Point, scale: Double) {
        self.vanishing = vanishing
        self.scale = scale
    }

    /// Nothing is seen larger or smaller.
    public static let none = Perspective(vanishing: .zero, scale: 1)

    /// Where a rectangle is seen.
    public func seen(_ rect: Rect) -> Rect { scale == 1 ? rect : mapped(rect, scale) }

    /// The rectangle that is seen there.
    public func place(_ seen: Rect) -> Rect { scale == 1 ? seen : mapped(seen, 1 / scale) }

    private func mapped(_ rect: Rect, _ scale: Double) -> Rect {
        Rect(
            vanishing.x + (rect.x - vanishing.x) * scale, vanishing.y + (rect.y - vanishing.y) * scale, rect.width * scale,
            rect.height * scale)
    }
}
