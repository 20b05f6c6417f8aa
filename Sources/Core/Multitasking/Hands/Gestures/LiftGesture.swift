import Geometry
import Stage
import Windows

/// A window that is carried, shown small, to another place (W-17). A tap opens its controls (W-07).
struct LiftGesture: Gesture {
    var contact: Int32
    var window: WindowID
    /// Its size while it is carried.
    var size: Size
    /// The finger's position in the window, as a share of its size.
    var anchor: Point
    var target: DropTarget?

    init(contact: Int32, window: WindowID, size: Size, anchor: Point) {
        self.contact = contact
        self.window = window
        self.size = size
        self.anchor = anchor
    }

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .lift(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard trace.farthest > screenful.workspace.idiom.slop else { return }
        hands.takeFromClients(&turn)
        let p = trace.point, near = screenful.measures.dropDistance
        let frame = Rect(p.x - anchor.x * size.width, p.y - anchor.y * size.height, size.width, size.height)
        screenful.stage.hold(window, at: frame, now: now)
        // Dropped near where it was lifted, it goes back, unless it came back to that edge from elsewhere.
        var target: DropTarget? = screenful.workspace.dropTarget(p, window, screen)
        if trace.translation.length <= near {
            if case .split = target, trace.farthest > near {} else { target = nil }
        }
        guard target != self.target else { return }
        var next = self
        next.target = target
        hands.grab = next.grab
        screenful.stage.showPreview(
            target.flatMap { screenful.workspace.previewFrame($0, window, screen) }, at: now, spring: screenful.spring)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        // It stayed a tap: open the controls; a dialog's own, if the finger was on its dots (W-13).
        if end.isTap { return screenful.openControls(of: hands.contact(contact)?.hit.window ?? window, at: now) }
        if let target { try? screenful.workspace.drop(window, on: target) }
    }
}

extension Hands {
    /// Lifts a window by its grip, by its own title bar, or by a drag with Super held.
    mutating func beginLift(
        _ window: WindowID, contact: Int32, trace: Trace, _ screen: Screen, _ screenful: inout Screenful, at now: Moment
    ) {
        let window = screenful.workspace.moved(by: window)
        guard let frame = screenful.stage.frame(of: window, at: now) else { return }
        let scale = min(1, screenful.measures.liftShare * min(screen.size.width / frame.width, screen.size.height / frame.height))
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        grab = .lift(LiftGesture(contact: contact, window: window, size: frame.size * scale, anchor: anchor))
        _ = screenful.stage.take(window, at: now, catching: screenful.lifting)
    }
}
