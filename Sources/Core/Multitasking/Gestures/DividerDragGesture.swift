import Geometry
import Stage
import Windows

/// The divider of a Split View follows the finger; both windows are resized on the way (W-04).
struct DividerDragGesture: Gesture {
    var contact: Int32
    /// From the finger to the divider's middle.
    var offset: Vector

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var grab: Grab { .divider(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let split = system.workspace.currentSpace?.split else { return }
        let wanted = system.workspace.dividerFraction(at: trace.point + offset, axis: split.axis(on: screen.size), on: screen)
        system.stepDivider(wanted: wanted, at: now, &effects)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.workspace.endDividerDrag()
        guard let split = system.workspace.currentSpace?.split else { return }
        let axis = split.axis(on: end.screen.size), room = end.screen.usable
        let speed = axis == .horizontal ? end.velocity.dx : end.velocity.dy
        let length = axis == .horizontal ? room.width : room.height
        let here = system.workspace.dividerFraction(at: end.trace.point + offset, axis: axis, on: end.screen)
        // A throw carries on, but no further than to the next resting place or two.
        let most = system.measures.dividerThrow
        let carried = max(-most, min(most, projectedDistance(velocity: speed) / max(1, length)))
        try? system.workspace.dropDivider(max(0, min(1, here + carried)))
    }
}

extension System {
    mutating func beginDivider(_ contact: Int32, _ trace: Trace, on screen: Screen, at now: Moment, _ effects: inout [Effect]) {
        guard let bar = stage.dividerBar(workspace, at: now) else { return }
        catchDivider(bar, screen, at: now)
        guard (try? workspace.beginDividerDrag()) != nil else { return }
        grab = .divider(DividerDragGesture(contact: contact, offset: bar.center - trace.start))
        reconcile(at: now, &effects)
    }

    /// A divider that is still on its way stays under the finger: both windows are told the sizes that they are drawn with.
    private mutating func catchDivider(_ bar: Rect, _ screen: Screen, at now: Moment) {
        guard let split = workspace.currentSpace?.split, isInFlight(.divider(over: nil), at: now) else { return }
        try? workspace.setDivider(workspace.dividerFraction(at: bar.center, axis: split.axis(on: screen.size), on: screen))
        stage.stop([split.first, split.second], workspace, at: now, spring: catching)
    }

    // MARK: Live resize

    mutating func stepDivider(wanted: Double? = nil, at now: Moment, _ effects: inout [Effect]) {
        guard workspace.dividerDrag != nil, let split = workspace.currentSpace?.split else { return }
        while true {
            switch workspace.stepDividerDrag(wanted: wanted, at: now) {
            case .wait: return
            case .told(let deadline):
                workspace.hold([split.first, split.second])
                effects.append(.hold(split.first))
                effects.append(.hold(split.second))
                effects.append(.startTimer(.dividerPatience, at: deadline))
                reconcile(at: now, &effects)
                // Nobody to wait for: both are shown at once.
            case .shown:
                // An answer may free the next step at once.
                releaseHeld(&effects)
                effects.append(.stopTimer(.dividerPatience))
                stage.snap([split.first, split.second], workspace, at: now)
                revision &+= 1
            }
        }
    }
}
