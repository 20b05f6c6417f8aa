import Geometry

/// Windows at depths (V-01, V-02). Where the idiom has none, every window is seen as it stands.
extension Workspace {
    /// How a window is seen from where a person is; its dialogs are seen with it.
    public func perspective(of id: WindowID) -> Perspective {
        guard let measures = idiom.depth, let free = arrangement.free, let screen else { return .none }
        let root = root(of: id)
        guard free.spaces.contains(root) else { return .none }
        return ground(on: screen).perspective(at: free.seenDepth(of: root, measures), measures)
    }

    /// How a window at a depth is seen.
    public func perspective(at depth: Double) -> Perspective {
        guard let measures = idiom.depth, let screen else { return .none }
        return ground(on: screen).perspective(at: depth, measures)
    }

    /// The depth that a person gave a window, in points; nil if windows have none here.
    public func depth(of id: WindowID) -> Double? {
        guard let measures = idiom.depth, let free = arrangement.free, free.contains(id) else { return nil }
        return measures.clamped(free.frames[id]?.depth ?? 0)
    }

    /// Moves a window nearer or farther. Its client is not told: its size stays (W-10).
    public mutating func setDepth(_ id: WindowID, _ depth: Double) throws(Refusal) {
        _ = try require(id)
        let root = root(of: id)
        guard let measures = idiom.depth else { throw Refusal("in the idiom \(idiom.name) windows have no depth") }
        guard isFree(root), depth.isFinite else { throw Refusal("\(root) does not stand at a depth") }
        if fullSpace == root { arrangement.free?.leaveFullSpace() }
        arrangement.free?.frames[root, default: FreeFrame()].depth = measures.clamped(depth)
    }

    /// How clearly a window is seen, from 0 to 1: the active one wholly, others are translucent, and less so while a person looks at
    /// them (V-02).
    public func presence(of id: WindowID) -> Double {
        guard let measures = idiom.depth, let free = arrangement.free else { return 1 }
        let root = root(of: id)
        if !free.spaces.contains(root) || focus.map({ self.root(of: $0) }) == root { return 1 }
        return min(1, measures.opacity + (gazed == root ? measures.gaze : 0))
    }

    /// How much haze lies over a window because it is far away, from 0 to 1.
    public func haze(over id: WindowID) -> Double {
        guard let measures = idiom.depth, measures.farthest > 0, let depth = depth(of: root(of: id)) else { return 0 }
        return arrangement.free?.alone == root(of: id) ? 0 : max(0, min(1, depth / measures.farthest)) * measures.haze
    }

    /// The windows of a space, back to front, as a person sees them.
    public func farToNear(_ windows: [WindowID]) -> [WindowID] {
        guard let measures = idiom.depth, let free = arrangement.free else { return windows }
        let isFull = free.alone.map(windows.contains) ?? false
        return free.farToNear(isFull ? windows.filter(free.isInFullSpace) : windows, measures)
    }

    /// The window that has a Full Space; nil in the Shared Space.
    public var fullSpace: WindowID? { arrangement.free?.alone }

    /// Gives a window the screen, with the other windows of its app as they stand (V-01).
    mutating func enterFullSpace(_ id: WindowID) {
        let app = windows[id]?.app ?? ""
        arrangement.free?.enterFullSpace(id, with: app.isEmpty ? [] : windows.values.filter { $0.app == app && $0.id != id }.map(\.id))
    }

    /// Before a window comes into sight: one of the app that has a Full Space does not lead back to the Shared Space.
    mutating func joinFullSpace(_ id: WindowID) {
        guard let alone = fullSpace, id != alone, let app = windows[alone]?.app, !app.isEmpty, windows[id]?.app == app else { return }
        if arrangement.free?.companions.contains(id) == false { arrangement.free?.companions.append(id) }
    }

    /// A person looks at a window, or at none. Nothing is sent to any client.
    ///
    /// - Returns: whether another window is looked at now.
    public mutating func look(at id: WindowID?) -> Bool {
        let root = id.map { self.root(of: $0) }
        guard idiom.depth != nil || gazed != nil, root != gazed else { return false }
        gazed = idiom.depth == nil ? nil : root
        return true
    }

    /// Where a new window stands in the Shared Space: in the middle if that is free, else where it covers least of the others.
    func roomInSpace(for id: WindowID, _ size: Size, in room: Rect, _ measures: DepthMeasures) -> Point {
        let below = measures.barGap + measures.control + 12, margin = 16.0
        let inner = room.inset(by: Insets(margin, margin, below, margin))
        let others = shownRoots.filter { $0 != id }.compactMap { other -> Rect? in
            frames()[other].map { perspective(of: other).seen($0) }
        }
        let middle = Rect(center: inner.center, size: size)
        func along(_ from: Double, _ length: Double, _ side: Double) -> [Double] {
            let slack = length - side
            return slack > 0 ? [from + slack / 2, from, from + slack, from + slack / 4, from + slack * 3 / 4] : [from + slack / 2]
        }
        var best = (cost: Double.infinity, covered: Double.infinity, place: middle.origin)
        for y in along(inner.y, inner.height, size.height) {
            for x in along(inner.x, inner.width, size.width) {
                let rect = Rect(origin: Point(x, y), size: size)
                let covered = others.reduce(0) { $0 + $1.intersection(rect).width * $1.intersection(rect).height }
                let cost = covered + rect.center.distance(to: middle.center) * size.height / 8
                if cost < best.cost - 0.5 { best = (cost, covered, rect.origin) }
            }
        }
        // Where it would cover much of the others anyway, it stands before the person, a step beside those that do already: windows
        // that fled from each other would pile up in the corners, far from where a person looks.
        if best.covered > size.width * size.height / 3 {
            // Far enough apart for the bars below them.
            let step = max(32, idiom.free.cascade * 2), ways = [Vector(0, 0), Vector(1, 1), Vector(-1, 1), Vector(1, -1), Vector(-1, -1)]
            func isTaken(_ point: Point) -> Bool {
                others.contains { abs($0.center.x - point.x) < step / 2 && abs($0.center.y - point.y) < step / 2 }
            }
            let centers = (0..<8).flatMap { ring in ways.map { middle.center + $0 * (Double(ring) * step) } }
            let places = centers.map { Rect(center: $0, size: size).clamped(to: inner) }
            if let place = places.first(where: { !isTaken($0.center) }) { best.place = place.origin }
        }
        return Rect(origin: best.place, size: size).rounded.origin
    }
}
