import Geometry

/// One finger, or the pointer's button, from down to up.
public struct Trace: Hashable, Codable, Sendable {
    public private(set) var start: Point
    public private(set) var point: Point
    /// When it came down; recordings made before this was kept do not say.
    public private(set) var began: Moment?
    /// The furthest it has been from its start, in points.
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

    /// Counts from here on: what a finger takes hold of does not jump by the way it went before that was known.
    public mutating func restart() { start = point }

    public var translation: Vector { point - start }

    public func velocity(at now: Moment) -> Vector { tracker.velocity(at: now) }

    /// Far enough for a drag, and mostly along an axis if one is given.
    public func isDrag(slop: Double, along axis: DragAxis) -> Bool {
        let t = translation
        guard t.length > slop else { return false }
        switch axis {
        case .any: return true
        case .horizontal: return abs(t.dx) > abs(t.dy)
        case .vertical: return abs(t.dy) > abs(t.dx)
        }
    }

    public enum DragAxis: Hashable, Sendable { case any, horizontal, vertical }
}

/// Two fingers: how much they spread and where their middle went.
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

/// What `rubberBand` makes this of: a finger that catches something past its limit has it there.
public func unbanded(_ value: Double, low: Double, high: Double, give: Double = 0.35) -> Double {
    if value < low { return low - (low - value) / give }
    if value > high { return high + (value - high) / give }
    return value
}

/// Gives way more and more past a limit, as a rubber band does.
public func rubberBand(_ value: Double, low: Double, high: Double, give: Double = 0.35) -> Double {
    if value < low { return low - (low - value) * give }
    if value > high { return high + (value - high) * give }
    return value
}
