import Geometry
import Interface
import Stage
import Windows

/// The list of the open panel under a finger.
extension Screenful {
    func listReach(at now: Moment) -> Double { views(at: now)?.listPlan?.reach ?? 0 }

    /// Keeps the end of the list at its place after rows went.
    mutating func keepListScroll(at now: Moment) {
        scrollList(to: interface.listScroll.target, at: now)
    }

    mutating func scrollList(to place: Double, velocity: Double? = nil, at now: Moment) {
        let reach = listReach(at: now), spring = momentum
        interface.listScroll.retarget(max(0, min(reach, place)), at: now, spring: spring, velocity: velocity)
        keepFocusInSight(at: now)
    }

    /// Scrolls a row into sight that gets the keyboard's focus.
    mutating func showRow(_ control: ViewControl, at now: Moment) {
        if let target = views(at: now)?.listScroll(showing: control) { scrollList(to: target, at: now) }
    }
}
