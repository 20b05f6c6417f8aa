import Geometry
import Windows

/// How the arrow keys move the keyboard focus among the controls of a view: the only such rule.
///
/// It is the rule of Android's FocusFinder. A control comes into question if it reaches further in the direction than the focused
/// one, and begins no earlier. One within the beam of the focused control, as wide as that, comes before one beside the beam;
/// upwards and downwards only if it is nearer than the far side of the other one. Otherwise the smallest 13 x major² + minor² wins:
/// `major` is the gap in the direction, `minor` the distance of the centres across it.
///
/// That rule alone leaves some controls out, such as a small one inside a large one. `FocusMap` adds a way to each of them.
public enum FocusRule {
    /// The control to which an arrow key leads; nil: none lies there.
    public static func next(from source: Rect, _ way: Side, among places: [Rect]) -> Int? {
        var best: Int?
        for (index, place) in places.enumerated() where isCandidate(place, from: source, way) {
            guard let rival = best else {
                best = index
                continue
            }
            if isBetter(place, than: places[rival], from: source, way) { best = index }
        }
        return best
    }

    /// A rectangle as intervals along the direction and across it, so that every direction is the way to the right.
    private struct Interval {
        var near: Double, far: Double, low: Double, high: Double
        var middle: Double { (low + high) / 2 }

        init(_ rect: Rect, _ way: Side) {
            switch way {
            case .right: (near, far, low, high) = (rect.minX, rect.maxX, rect.minY, rect.maxY)
            case .left: (near, far, low, high) = (-rect.maxX, -rect.minX, rect.minY, rect.maxY)
            case .bottom: (near, far, low, high) = (rect.minY, rect.maxY, rect.minX, rect.maxX)
            case .top: (near, far, low, high) = (-rect.maxY, -rect.minY, rect.minX, rect.maxX)
            }
        }

        func sharesBeam(_ other: Interval) -> Bool { high > other.low && low < other.high }
    }

    static func isCandidate(_ place: Rect, from source: Rect, _ way: Side) -> Bool {
        let s = Interval(source, way), d = Interval(place, way)
        return (s.near < d.near || s.far <= d.near) && s.far < d.far
    }

    private static func isBetter(_ a: Rect, than b: Rect, from source: Rect, _ way: Side) -> Bool {
        let s = Interval(source, way), a = Interval(a, way), b = Interval(b, way)
        if beats(a, b, s, way) { return true }
        if beats(b, a, s, way) { return false }
        return cost(a, s) < cost(b, s)
    }

    /// Whether `a` is in the beam and `b` beside it, and near enough for that to count.
    private static func beats(_ a: Interval, _ b: Interval, _ s: Interval, _ way: Side) -> Bool {
        guard a.sharesBeam(s), !b.sharesBeam(s) else { return false }
        guard s.far <= b.near else { return true }
        return way.axis == .horizontal || gap(a, s) < max(1, b.far - s.far)
    }

    private static func gap(_ d: Interval, _ s: Interval) -> Double { max(0, d.near - s.far) }

    private static func cost(_ d: Interval, _ s: Interval) -> Double {
        let major = gap(d, s), minor = d.middle - s.middle
        return 13 * major * major + minor * minor
    }
}

/// Where each arrow key leads from each control of a view. From every control, the arrow keys reach every other one.
public struct FocusMap: Hashable, Sendable {
    private let places: [Rect]
    /// Controls that the keys to the left and right change, such as sliders.
    private let keepsSideways: Set<Int>
    /// For each control, the next ones in the order of `Side.allCases`.
    private var ways: [[Int?]]

    public init(_ places: [Rect], keepsSideways: Set<Int> = []) {
        self.places = places
        self.keepsSideways = keepsSideways
        ways = places.enumerated().map { index, place in
            Side.allCases.map { way in
                way.axis == .horizontal && keepsSideways.contains(index) ? nil : FocusRule.next(from: place, way, among: places)
            }
        }
        connect()
    }

    public func next(from index: Int, _ way: Side) -> Int? { ways[index][Side.allCases.firstIndex(of: way)!] }

    /// The controls that the arrow keys reach from here.
    public func reach(from start: Int) -> Set<Int> { reach(from: start, ways) }

    private func reach(from start: Int, _ ways: [[Int?]]) -> Set<Int> {
        var found: Set<Int> = [start], open = [start]
        while let here = open.popLast() {
            for next in ways[here].compactMap(\.self) where found.insert(next).inserted { open.append(next) }
        }
        return found
    }

    /// The controls from which the arrow keys reach this one.
    private func leading(to end: Int) -> Set<Int> {
        var sources = [[Int]](repeating: [], count: places.count)
        for (index, next) in ways.enumerated() { for target in next.compactMap(\.self) { sources[target].append(index) } }
        var found: Set<Int> = [end], open = [end]
        while let here = open.popLast() {
            for source in sources[here] where found.insert(source).inserted { open.append(source) }
        }
        return found
    }

    /// Adds ways until every control is reached from the first one, and the first one from every control.
    private mutating func connect() {
        guard !places.isEmpty else { return }
        for _ in places.indices {
            let reached = reach(from: 0)
            if reached.count == places.count { break }
            guard lead(from: reached, to: Set(places.indices).subtracting(reached)) else { break }
        }
        for _ in places.indices {
            let leading = leading(to: 0)
            guard let lost = places.indices.first(where: { !leading.contains($0) }) else { break }
            guard lead(from: reach(from: lost), to: leading) else { break }
        }
    }

    /// Makes one way from a control of one group to the nearest of the other. It takes the place of a way that leads nowhere, else of
    /// one without which everything that was reached still is.
    private mutating func lead(from group: Set<Int>, to others: Set<Int>) -> Bool {
        var pairs: [(cost: Double, from: Int, to: Int, way: Int)] = []
        for from in group.sorted() {
            for to in others.sorted() {
                let d = places[to].center - places[from].center
                // The direction in which the centre lies; for the same centre, down.
                let sides: [Side] =
                    abs(d.dx) > abs(d.dy)
                    ? [d.dx > 0 ? .right : .left, d.dy < 0 ? .top : .bottom] : [d.dy < 0 ? .top : .bottom, d.dx > 0 ? .right : .left]
                for (rank, side) in sides.enumerated() where side.axis == .vertical || !keepsSideways.contains(from) {
                    pairs.append((abs(d.dx) + abs(d.dy) + Double(rank) * 1e6, from, to, Side.allCases.firstIndex(of: side)!))
                }
            }
        }
        pairs.sort { ($0.cost, $0.from, $0.to, $0.way) < ($1.cost, $1.from, $1.to, $1.way) }
        if let free = pairs.first(where: { $0.cost < 1e6 && ways[$0.from][$0.way] == nil })
            ?? pairs.first(where: { ways[$0.from][$0.way] == nil })
        {
            ways[free.from][free.way] = free.to
            return true
        }
        let fromFirst = reach(from: 0)
        for pair in pairs {
            var tried = ways
            tried[pair.from][pair.way] = pair.to
            guard reach(from: group.contains(0) ? 0 : pair.from, tried).isSuperset(of: group),
                reach(from: 0, tried).isSuperset(of: fromFirst)
            else { continue }
            ways = tried
            return true
        }
        return false
    }
}

/// The steps by which arrow keys moved the focus, so that the opposite key leads back, and the same key there again.
public struct FocusTrail: Hashable, Codable, Sendable {
    private struct Step: Hashable, Codable, Sendable {
        var from: ControlID
        var to: ControlID
        var way: Side
    }

    private var steps: [Step] = []
    /// How many of the steps lead to where the focus is; the others were taken back.
    private var position = 0
    private static let most = 32

    public init() {}

    public mutating func note(from: ControlID, to: ControlID, _ way: Side) {
        steps.removeSubrange(position...)
        if steps.count == Self.most { steps.removeFirst() }
        steps.append(Step(from: from, to: to, way: way))
        position = steps.count
    }

    /// Where this key leads along the trail; nil: it leaves the trail.
    public mutating func follow(_ way: Side, from here: ControlID) -> ControlID? {
        if position > 0, steps[position - 1].way == way.opposite, steps[position - 1].to == here {
            position -= 1
            return steps[position].from
        }
        if position < steps.count, steps[position].way == way, steps[position].from == here {
            position += 1
            return steps[position - 1].to
        }
        return nil
    }

    public mutating func forget() {
        steps.removeAll()
        position = 0
    }
}
