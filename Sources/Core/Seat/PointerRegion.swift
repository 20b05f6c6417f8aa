import Geometry

/// The region of a surface to which an app confines the pointer (pointer-constraints-v1), in surface coordinates.
public struct PointerRegion: Hashable, Sendable {
    /// A rectangle of whole points. Includes its left and top edges, but not its right and bottom ones.
    public struct Box: Hashable, Sendable {
        public let x1, y1, x2, y2: Double

        public init(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int) {
            (self.x1, self.y1, self.x2, self.y2) = (Double(x1), Double(y1), Double(x2), Double(y2))
        }

        func contains(_ p: Point) -> Bool { p.x >= x1 && p.x < x2 && p.y >= y1 && p.y < y2 }

        /// Whether it ends above the point, or left of the point in the same band.
        func isBefore(_ p: Point) -> Bool { y2 <= p.y || (y1 <= p.y && x2 <= p.x) }
    }

    /// Disjoint, in bands from top to bottom. The boxes of a band have the same height and are sorted from left to
    /// right.
    private let boxes: [Box]

    /// - Parameter boxes: in bands from top to bottom, as in pixman regions.
    public init(_ boxes: [Box]) { self.boxes = boxes }

    /// The smallest step in Wayland's fixed-point coordinates.
    private static let last = 1.0 / 256

    public func contains(_ point: Point) -> Bool { box(at: point) != nil }

    /// The nearest point of the region; nil if it is empty.
    public func nearest(to point: Point) -> Point? {
        var best: (point: Point, distance: Double)?
        for box in boxes {
            let there = Point(
                clamp(point.x, box.x1, box.x2 - PointerRegion.last), clamp(point.y, box.y1, box.y2 - PointerRegion.last))
            let dx = there.x - point.x, dy = there.y - point.y
            let distance = (dx * dx + dy * dy).squareRoot()
            if distance < best?.distance ?? .infinity { best = (there, distance) }
        }
        return best?.point
    }

    /// Where the pointer ends up when it moves from `from` towards `to`: straight, and then along an edge that blocks
    /// it. nil if the region is empty, so that the pointer does not move.
    public func goal(from: Point, to: Point) -> Point? {
        guard contains(from) else { return nearest(to: to) }
        var at = walk(from, to)
        at = walk(at, Point(to.x, at.y))
        return walk(at, Point(at.x, to.y))
    }

    /// Moves straight through adjacent rectangles. A straight line crosses each rectangle at most once, so there are
    /// no more steps than rectangles. (wlroots' own algorithm does not terminate for some regions.)
    private func walk(_ from: Point, _ to: Point) -> Point {
        var reached = from, at = from
        for _ in boxes.indices {
            guard let box = box(at: at) else { break }
            let dx = to.x - at.x, dy = to.y - at.y
            let partX = part(at.x, dx, box.x1, box.x2), partY = part(at.y, dy, box.y1, box.y2), t = min(partX, partY, 1)
            at = Point(at.x + t * dx, at.y + t * dy)
            // At a blocking edge, stop a whole point before it, as other compositors (and WLCS) do.
            reached = Point(stop(at.x, box.x1, box.x2), stop(at.y, box.y1, box.y2))
            if t >= 1, reached == to { break }
            at = Point(
                partX <= t ? beyond(dx, to.x, box.x1, box.x2) : reached.x,
                partY <= t ? beyond(dy, to.y, box.y1, box.y2) : reached.y)
        }
        return reached
    }

    /// The share of the movement `by` until it reaches the edge `low` or `high`.
    private func part(_ from: Double, _ by: Double, _ low: Double, _ high: Double) -> Double {
        by > 0 ? (high - from) / by : by < 0 ? (from - low) / -by : .infinity
    }

    private func stop(_ at: Double, _ low: Double, _ high: Double) -> Double {
        clamp(at, low, max(low, at >= high ? high - 1 : high - PointerRegion.last))
    }

    /// The first position beyond the edge that is crossed, but no further than the movement goes.
    private func beyond(_ by: Double, _ to: Double, _ low: Double, _ high: Double) -> Double {
        by > 0 ? high : max(low - PointerRegion.last, to)
    }

    private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        value < low ? low : value > high ? high : value
    }

    /// Finds the rectangle of a point by binary search.
    private func box(at point: Point) -> Box? {
        var low = 0, high = boxes.count
        while low < high {
            let middle = (low + high) / 2
            if boxes[middle].isBefore(point) { low = middle + 1 } else { high = middle }
        }
        return low < boxes.count && boxes[low].contains(point) ? boxes[low] : nil
    }
}
