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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let t = trace.translation, measures = screenful.measures
        if t.dy > measures.cardPull, abs(t.dy) > abs(t.dx) * measures.cardPullSlope {
            // Pulled out of the stack, the card may now go anywhere.
            let size = start.size * min(1, measures.liftShare * screen.size.height / max(1, start.height))
            let anchor = Rect(0, 0, 1, 1).map(trace.start, from: screenful.workspace.cardAround(start))
            let lift = LiftGesture(contact: contact, window: window, size: size, anchor: anchor)
            hands.grab = lift.grab
            _ = screenful.stage.take(window, at: now, catching: screenful.lifting)
            return lift.moved(trace, on: screen, by: &hands, on: &screenful, at: now, &turn)
        }
        screenful.stage.hold(window, at: start.offset(by: Vector(t.dx, max(0, t.dy) * measures.cardGive)), now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if end.isTap, !hands.contacts.contains(where: { $0.id == contact && $0.hasCaught }) {
            return screenful.openControls(of: window, at: now)
        }
        guard let frame = screenful.stage.frame(of: window, at: now) else { return }
        let room = end.screen.usable, middle = frame.center.x + end.projected.dx
        let part = frame.width * screenful.measures.cardOutside
        let isOutside = screenful.workspace.slideOver.side == .right ? middle > room.maxX - part : middle < room.minX + part
        if isOutside {
            try? screenful.workspace.setSlideOverHidden(true)
        } else {
            try? screenful.workspace.setSlideOverSide(middle < room.center.x ? .left : .right)
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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        screenful.stage.flip(window, from: start, by: trace.translation.dx, screenful.workspace, at: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let dx = end.trace.translation.dx, way = dx + end.projected.dx
        guard abs(way) > screenful.measures.flipDistance, abs(dx) > screenful.workspace.idiom.slop,
            screenful.workspace.slideOver.stack.count > 1
        else { return screenful.stage.endComing(at: now) }
        // A throw in the opposite direction brings the card from the other end.
        if (way < 0) != (dx < 0) { screenful.stage.flip(window, from: start, by: way < 0 ? -1 : 1, screenful.workspace, at: now) }
        screenful.stage.flipped(window, by: way, at: now)
        try? screenful.workspace.flipSlideOver(forward: way < 0)
    }
}

/// Pulls a hidden Slide Over card back in from the screen's edge.
struct CardRevealGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .reveal(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let workspace = screenful.workspace
        let home = workspace.cardContent(workspace.slideOverCard(on: screen, side: workspace.slideOver.side, isHidden: false))
        let reach = home.x - start.x
        // The card's edge follows the finger directly; the gap beyond the screen's edge takes no extra motion.
        let gap = abs(reach) - home.width
        let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
        let moved = rubberBand(pulled <= 0 ? 0 : pulled + gap, low: 0, high: abs(reach), give: screenful.measures.cardResistance)
        screenful.stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let t = end.trace.translation
        let inward = screenful.workspace.slideOver.side == .right ? -t.dx : t.dx
        if inward > screenful.measures.revealDistance || t.length < screenful.workspace.idiom.slop {
            try? screenful.workspace.setSlideOverHidden(false)
        }
    }
}
