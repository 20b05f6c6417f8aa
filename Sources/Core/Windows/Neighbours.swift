import Geometry

/// Spaces side by side, panned along the bottom edge.
extension Workspace {
    /// The neighbours that are visible while the space in front is panned. `step`: the neighbour that it goes to; until
    /// that is known, the visible one moves along.
    public func neighbours(_ dx: Double, _ step: Int?) -> [(space: Space, side: Double)] {
        guard let index = spaces.firstIndex(where: { $0.id == current }) else { return [] }
        let visible = dx < 0 ? 1 : -1
        var steps = [visible]
        if let step, step != visible { steps.append(step) }
        return steps.filter { spaces.indices.contains(index + $0) }.map { (spaces[index + $0], Double($0)) }
    }

    /// The limits of a pan: past the first and the last space, the space in front resists the finger.
    public var panLimits: (low: Double, high: Double) {
        let far = 100 * (screen?.size.width ?? 0)
        return (hasNeighbour(1) ? -far : 0, hasNeighbour(-1) ? far : 0)
    }
}
