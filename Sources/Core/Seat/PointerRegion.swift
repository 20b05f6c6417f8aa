import Geometry

/// The part of a surface that an app keeps the pointer in (pointer-constraints-v1), in the surface's own coordinates.
public struct PointerRegion: Hashable, Sendable {
    /// A rectangle of whole points: from its first edges up to its last ones, which are outside.
    public struct Box: Hashable, Sendable {
        public let x1, y1, x2, y2: Double

        public init(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int) {
            (self.x1, self.y1, self.x2, self.y2) = (Double(x1), Double(y1), Double(x2), Double(y2))
        }

        func contains(_ p: Point) -> Bool { p.x >= x1 && p.x < x2 && p.y >= y1 && p.y < y2 }

        /// It ends above or left of the point, among those of its height.
        func isBefore(_ p: Point) -> Bool { y2 <= p.y || (y1 <= p.y && x2 <= p.x) }
    }

    /// None overlap another. In bands from top to bottom, those of a band share their height and go from left to right.
    private let boxes: [Box]

    /// - Parameter boxes: in bands from top to bottom, as pixman keeps regions.
    public init(_ boxes: [Box]) { self.boxes = boxes }

    /// The last place before an edge, as Wayland counts.
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

    /// Where the pointer comes to that is at `from` and moves towards `to`: straight on, and then along the edge that is in
    /// the way. nil: the region is empty, so it does not move at all.
    public func goal(from: Point, to: Point) -> Point? {
        guard contains(from) else { return nearest(to: to) }
        var at = walk(from, to)
        at = walk(at, Point(to.x, at.y))
        return walk(at, Point(at.x, to.y))
    }

    /// Straight on, from one rectangle to the next, as far as they touch. A straight way is in each of them once: so there
    /// are no more steps than rectangles. (wlroots' own walk does not end in some regions.)
    private func walk(_ from: Point, _ to: Point) -> Point {
        var reached = from, at = from
        for _ in boxes.indices {
            guard let box = box(at: at) else { break }
            let dx = to.x - at.x, dy = to.y - at.y
            let partX = part(at.x, dx, box.x1, box.x2), partY = part(at.y, dy, box.y1, box.y2), t = min(partX, partY, 1)
            at = Point(at.x + t * dx, at.y + t * dy)
            // At an edge that is in the way it stops a whole point before, as under other shells (and in WLCS).
            reached = Point(stop(at.x, box.x1, box.x2), stop(at.y, box.y1, box.y2))
            if t >= 1, reached == to { break }
            at = Point(
                partX <= t ? beyond(dx, to.x, box.x1, box.x2) : reached.x,
                partY <= t ? beyond(dy, to.y, box.y1, box.y2) : reached.y)
        }
        return reached
    }

    /// How much of the way `by` is left at the edges `low` and `high`.
    private func part(_ from: Double, _ by: Double, _ low: Double, _ high: Double) -> Double {
        by > 0 ? (high - from) / by : by < 0 ? (from - low) / -by : .infinity
    }

    private func stop(_ at: Double, _ low: Double, _ high: Double) -> Double {
        clamp(at, low, max(low, at >= high ? high - 1 : high - PointerRegion.last))
    }

    /// The first place beyond the edge that is left, but no further than the way goes.
    private func beyond(_ by: Double, _ to: Double, _ low: Double, _ high: Double) -> Double {
        by > 0 ? high : max(low - PointerRegion.last, to)
    }

    private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        value < low ? low : value > high ? high : value
    }

    /// The rectangle that a point is in: as quick among many as among few.
    private func box(at point: Point) -> Box? {
        var low = 0, high = boxes.count
        while low < high {
            let middle = (low + high) / 2
            if boxes[middle].isBefore(point) { low = middle + 1 } else { high = middle }
        }
        return low < boxes.count && boxes[low].contains(point) ? boxes[low] : nil
    }
}
