import Geometry
import Stage
import Windows

/// A Slide Over card by its upper strip: to the other side, out of sight, or down and out of its stack (W-01, W-17).
struct CardGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .card(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let t = trace.translation, measures = system.measures
        if t.dy > measures.cardPull, abs(t.dy) > abs(t.dx) * measures.cardPullSlope {
            // Pulled out of the stack: now it may go anywhere.
            let size = start.size * min(1, measures.liftShare * screen.size.height / max(1, start.height))
            let anchor = Rect(0, 0, 1, 1).map(trace.start, from: system.workspace.cardAround(start))
            let lift = LiftGesture(contact: contact, window: window, size: size, anchor: anchor)
            system.grab = lift.grab
            _ = system.stage.take(window, at: now, catching: system.lifting)
            return lift.moved(trace, on: screen, in: &system, at: now, &effects)
        }
        system.stage.hold(window, at: start.offset(by: Vector(t.dx, max(0, t.dy) * measures.cardGive)), now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        if end.isTap, !system.contacts.contains(where: { $0.id == contact && $0.hasCaught }) {
            return system.openControls(of: window, at: now)
        }
        guard let frame = system.stage.frame(of: window, at: now) else { return }
        let room = end.screen.usable, middle = frame.center.x + end.projected.dx
        let part = frame.width * system.measures.cardOutside
        let isOutside = system.workspace.slideOver.side == .right ? middle > room.maxX - part : middle < room.minX + part
        if isOutside {
            try? system.workspace.setSlideOverHidden(true)
        } else {
            try? system.workspace.setSlideOverSide(middle < room.center.x ? .left : .right)
        }
    }
}

/// A Slide Over card by its lower strip: through the stack (W-03).
struct FlipGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .flip(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.flip(window, from: start, by: trace.translation.dx, at: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let dx = end.trace.translation.dx, way = dx + end.projected.dx
        guard abs(way) > system.measures.flipDistance, abs(dx) > system.workspace.idiom.slop, system.workspace.slideOver.stack.count > 1
        else { return system.stage.endComing(at: now) }
        // A throw the other way brings the card from the other end.
        if (way < 0) != (dx < 0) { system.flip(window, from: start, by: way < 0 ? -1 : 1, at: now) }
        system.stage.flipped(window, by: way, at: now)
        try? system.workspace.flipSlideOver(forward: way < 0)
    }
}

/// A hidden Slide Over card comes back from the screen's edge.
struct CardRevealGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .reveal(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let workspace = system.workspace
        let home = workspace.cardContent(workspace.slideOverCard(on: screen, side: workspace.slideOver.side, isHidden: false))
        let reach = home.x - start.x
        // The card's edge comes with the finger; the gap behind the screen's edge is not felt.
        let gap = abs(reach) - home.width
        let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
        let moved = rubberBand(pulled <= 0 ? 0 : pulled + gap, low: 0, high: abs(reach), give: system.measures.cardResistance)
        system.stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let t = end.trace.translation
        let inward = system.workspace.slideOver.side == .right ? -t.dx : t.dx
        if inward > system.measures.revealDistance || t.length < system.workspace.idiom.slop { try? system.workspace.setSlideOverHidden(false) }
    }
}
