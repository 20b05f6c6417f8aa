import Geometry
import Stage
import Windows

/// Along the bottom edge from one space to the next.
struct SpacePanGesture: Gesture {
    var contact: Int32
    /// How far the space was from its place already.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var grab: Grab { .pan(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.push(by: start + trace.translation.dx, at: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        // From the space that the last swipe went to, whether or not that has arrived.
        let t = end.trace.translation.dx, way = t + end.projected.dx
        guard abs(way) > end.screen.usable.width * system.measures.panShare, way * t > 0 else { return }
        let step = way < 0 ? 1 : -1
        system.push(by: start + t, to: step, at: now)
        try? system.workspace.showNeighbour(step)
    }
}

extension System {
    mutating func beginPan(_ contact: Int32, _ way: Vector, at now: Moment) {
        stage.takeSpace(workspace, at: now, catching: way == .zero ? nil : catching)
        let start = stage.panned(workspace, at: now)
        grab = .pan(SpacePanGesture(contact: contact, start: start))
        if way == .zero { push(by: start, at: now) }
    }

    /// The neighbours that are seen when the space in front is pushed along the edge. `step`: the neighbour that it goes to;
    /// until that is known, the one that is seen comes along.
    func neighbours(_ dx: Double, _ step: Int?) -> [(space: Space, side: Double)] {
        let count = workspace.spaces.count
        guard count > 1, let index = workspace.spaces.firstIndex(where: { $0.id == workspace.current }) else { return [] }
        var found = [(space: workspace.spaces[(index + (dx < 0 ? 1 : count - 1)) % count], side: dx < 0 ? 1.0 : -1)]
        // Of two spaces the other one is on one side alone: where it is seen.
        if let step, count > 2, (step > 0) != (dx < 0) {
            found.append((workspace.spaces[(index + step + count) % count], Double(step)))
        }
        return found
    }

    mutating func push(by dx: Double, to step: Int? = nil, at now: Moment) {
        let found = neighbours(dx, step)
        // It leaves to the other side than the one from where the next one comes.
        let exit = step.flatMap { step in found.last.map { found.count > 1 || $0.side == Double(step) ? -Double(step) : Double(step) } }
        stage.pan(workspace, neighbours: found, by: dx, exit: exit ?? (dx < 0 ? -1 : 1), at: now)
    }
}
