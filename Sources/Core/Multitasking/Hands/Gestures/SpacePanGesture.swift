import Geometry
import Stage
import Windows

/// Pans along the bottom edge from one space to the next.
struct SpacePanGesture: Gesture {
    var contact: Int32
    /// The distance of the space from its place when the pan began.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var grab: Grab { .pan(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        screenful.push(by: banded(start + trace.translation.dx, screenful), at: now)
    }

    private func banded(_ way: Double, _ screenful: borrowing Screenful) -> Double {
        let limits = screenful.workspace.panLimits
        return rubberBand(way, low: limits.low, high: limits.high)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        // Start from the space that the last swipe went to, even if it has not arrived.
        let t = end.trace.translation.dx, way = t + end.projected.dx
        guard abs(way) > end.screen.usable.width * screenful.measures.panShare, way * t > 0 else { return }
        let step = way < 0 ? 1 : -1
        guard screenful.workspace.hasNeighbour(step) else { return }
        screenful.push(by: banded(start + t, screenful), to: step, at: now)
        try? screenful.workspace.showNeighbour(step, wraps: false)
    }
}

extension Hands {
    mutating func beginPan(_ contact: Int32, _ way: Vector, _ screenful: inout Screenful, at now: Moment) {
        screenful.stage.takeSpace(screenful.workspace, at: now, catching: way == .zero ? nil : screenful.catching)
        let here = screenful.stage.panned(screenful.workspace, at: now), limits = screenful.workspace.panLimits
        let start = unbanded(here, low: limits.low, high: limits.high)
        grab = .pan(SpacePanGesture(contact: contact, start: start))
        if way == .zero { screenful.push(by: here, at: now) }
    }
}
