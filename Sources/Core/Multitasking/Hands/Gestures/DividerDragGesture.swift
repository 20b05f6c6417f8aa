import Geometry
import Stage
import Windows

/// The divider of a Split View follows the finger; both windows are resized on the way (W-04).
struct DividerDragGesture: Gesture {
    var contact: Int32
    /// The distance from the finger to the divider's middle.
    var offset: Vector

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var grab: Grab { .divider(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let split = screenful.workspace.currentSpace?.split else { return }
        let wanted = screenful.workspace.dividerFraction(at: trace.point + offset, axis: split.axis(on: screen.size), on: screen)
        turn.ask(.stepDivider(wanted: wanted))
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.workspace.endDividerDrag()
        guard let split = screenful.workspace.currentSpace?.split else { return }
        let axis = split.axis(on: end.screen.size), room = end.screen.usable
        let speed = axis == .horizontal ? end.velocity.dx : end.velocity.dy
        let length = axis == .horizontal ? room.width : room.height
        let here = screenful.workspace.dividerFraction(at: end.trace.point + offset, axis: axis, on: end.screen)
        // A throw moves the divider further, but only by a resting place or two.
        let most = screenful.measures.dividerThrow
        let carried = max(-most, min(most, projectedDistance(velocity: speed) / max(1, length)))
        try? screenful.workspace.dropDivider(max(0, min(1, here + carried)))
    }
}

extension Hands {
    mutating func beginDivider(
        _ contact: Int32, _ trace: Trace, on screen: Screen, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        guard let bar = screenful.stage.dividerBar(screenful.workspace, at: now) else { return }
        catchDivider(bar, screen, &screenful, at: now)
        guard (try? screenful.workspace.beginDividerDrag()) != nil else { return }
        grab = .divider(DividerDragGesture(contact: contact, offset: bar.center - trace.start))
        turn.ask(.settle())
    }

    /// Catches a moving divider under the finger: both windows get the sizes that they are drawn with.
    private mutating func catchDivider(_ bar: Rect, _ screen: Screen, _ screenful: inout Screenful, at now: Moment) {
        guard let split = screenful.workspace.currentSpace?.split,
            screenful.stage.isInFlight(.divider(over: nil), screenful.workspace, at: now)
        else { return }
        try? screenful.workspace.setDivider(
            screenful.workspace.dividerFraction(at: bar.center, axis: split.axis(on: screen.size), on: screen))
        screenful.stage.stop([split.first, split.second], screenful.workspace, at: now, spring: screenful.catching)
    }
}
