import Geometry
import Stage
import Windows

/// Spaces side by side, panned along the bottom edge.
extension Desk {
    /// The neighbours that are visible while the space in front is panned. `step`: the neighbour that it goes to; until
    /// that is known, the visible one moves along.
    func neighbours(_ dx: Double, _ step: Int?) -> [(space: Space, side: Double)] {
        let count = workspace.spaces.count
        guard count > 1, let index = workspace.spaces.firstIndex(where: { $0.id == workspace.current }) else { return [] }
        var found = [(space: workspace.spaces[(index + (dx < 0 ? 1 : count - 1)) % count], side: dx < 0 ? 1.0 : -1)]
        // With two spaces, the other one is on one side only: where it is visible.
        if let step, count > 2, (step > 0) != (dx < 0) {
            found.append((workspace.spaces[(index + step + count) % count], Double(step)))
        }
        return found
    }

    mutating func push(by dx: Double, to step: Int? = nil, at now: Moment) {
        let found = neighbours(dx, step)
        // It leaves on the side opposite the one from which the next space enters.
        let exit = step.flatMap { step in found.last.map { found.count > 1 || $0.side == Double(step) ? -Double(step) : Double(step) } }
        stage.pan(workspace, neighbours: found, by: dx, exit: exit ?? (dx < 0 ? -1 : 1), at: now)
    }
}
