import Geometry

/// One finger, or the pointer's button, from press to release.
public struct Trace: Hashable, Codable, Sendable {
    public private(set) var start: Point
    public private(set) var point: Point
    /// When it was pressed.
    public private(set) var began: Moment?
    /// The greatest distance from its start, in points.
    public private(set) var farthest = 0.0
    private var tracker = VelocityTracker()

    public init(_ point: Point, at now: Moment) {
        start = point
        self.point = point
        began = now
        tracker.add(point, at: now)
    }

    public mutating func move(to new: Point, at now: Moment) {
        point = new
        farthest = max(farthest, translation.length)
        tracker.add(new, at: now)
    }

    /// Restarts the measurement here, so that what a finger takes hold of does not jump by the distance before that
    /// decision.
    public mutating func restart() { start = point }

    public var translation: Vector { point - start }

    public func velocity(at now: Moment) -> Vector { tracker.velocity(at: now) }

    /// Whether it moved far enough for a drag, mostly along `axis` if that is given.
    public func isDrag(slop: Double, along axis: DragAxis) -> Bool {
        let t = translation
        guard t.length > slop else { return false }
        switch axis {
        case .any: return true
        case .horizontal: return abs(t.dx) > abs(t.dy)
        case .vertical: return abs(t.dy) > abs(t.dx)
        case .down: return t.dy > abs(t.dx)
        }
    }

    public enum DragAxis: Hashable, Sendable { case any, horizontal, vertical, down }
}

/// Two fingers: their spread, and the movement of their centre.
public struct Pinch: Hashable, Codable, Sendable {
    public let startDistance: Double
    public let startCenter: Point

    public init(_ a: Point, _ b: Point) {
        startDistance = max(20, a.distance(to: b))
        startCenter = Rect(a.x, a.y, b.x - a.x, b.y - a.y).center
    }

    public func scale(_ a: Point, _ b: Point) -> Double { a.distance(to: b) / startDistance }

    public func center(_ a: Point, _ b: Point) -> Point { Rect(a.x, a.y, b.x - a.x, b.y - a.y).center }
}

/// The inverse of `rubberBand`, for a finger that catches something past its limit.
public func unbanded(_ value: Double, low: Double, high: Double, give: Double = 0.35) -> Double {
    if value < low { return low - (low - value) / give }
    if value > high { return high + (value - high) / give }
    return value
}

/// Resists increasingly past a limit, like a rubber band.
public func rubberBand(_ value: Double, low: Double, high: Double, give: Double = 0.35) -> Double {
    if value < low { return low - (low - value) * give }
    if value > high { return high + (value - high) * give }
    return value
}
