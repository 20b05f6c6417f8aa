import Geometry
import Stage
import Windows

/// Spaces side by side, panned along the bottom edge.
extension Screenful {
    /// The neighbours that are visible while the space in front is panned. `step`: the neighbour that it goes to; until
    /// that is known, the visible one moves along.
    func neighbours(_ dx: Double, _ step: Int?) -> [(space: Space, side: Double)] {
        guard let index = workspace.spaces.firstIndex(where: { $0.id == workspace.current }) else { return [] }
        let visible = dx < 0 ? 1 : -1
        var steps = [visible]
        if let step, step != visible { steps.append(step) }
        return steps.filter { workspace.spaces.indices.contains(index + $0) }.map { (workspace.spaces[index + $0], Double($0)) }
    }

    /// The limits of a pan: past the first and the last space, the space in front resists the finger.
    var panLimits: (low: Double, high: Double) {
        let far = 100 * (workspace.screen?.size.width ?? 0)
        return (workspace.hasNeighbour(1) ? -far : 0, workspace.hasNeighbour(-1) ? far : 0)
    }

    mutating func push(by dx: Double, to step: Int? = nil, at now: Moment) {
        let found = neighbours(dx, step)
        // It leaves on the side opposite the one from which the next space enters.
        let exit = step.flatMap { step in found.last.map { found.count > 1 || $0.side == Double(step) ? -Double(step) : Double(step) } }
        stage.pan(workspace, neighbours: found, by: dx, exit: exit ?? (dx < 0 ? -1 : 1), at: now)
    }
}
