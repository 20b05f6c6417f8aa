import Geometry
import Stage
import Windows

/// Moves Picture in Picture to a corner or past the edge (W-06). A tap shows its controls.
struct PipGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .picture(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        screenful.stage.hold(window, at: start.offset(by: trace.translation), now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if end.isTap {
            try? screenful.pictureTapped(at: now)
            return
        }
        guard let frame = screenful.stage.frame(of: window, at: now) else { return }
        let room = end.screen.usable, measures = screenful.measures
        let middle = frame.center + end.projected
        let isTop = middle.y < room.center.y
        // Only the finger itself pushes it past the edge; a throw stops at the corner.
        let outside = max(room.minX - frame.minX, frame.maxX - room.maxX) / max(1, frame.width)
        let isLeft = frame.minX < room.minX
        let isOutward = isLeft ? end.velocity.dx < -measures.pipOutwardSpeed : end.velocity.dx > measures.pipOutwardSpeed
        if outside > measures.pipOutside || (outside > measures.pipOutsideThrown && isOutward) {
            try? screenful.workspace.setPipCorner(Corner(top: isTop, left: isLeft))
            try? screenful.workspace.setPipStashed(isLeft ? .left : .right)
        } else {
            try? screenful.workspace.setPipCorner(Corner(top: isTop, left: middle.x < room.center.x))
        }
    }
}

/// An app's own resize handle on Picture in Picture. The window keeps its shape, so whichever edge is dragged, the corner
/// farthest from the finger stays where it is.
struct PipStretchGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect
    /// The corner that stays, as shares of the window's size.
    var fixed: Point
    /// The vector from that corner to the finger.
    var way: Vector

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .stretch(self) }

    /// The scale of the window with the finger at a point.
    private func factor(_ point: Point) -> Double {
        let now = point - start.map(fixed, from: Rect(0, 0, 1, 1))
        return max(0, (now.dx * way.dx + now.dy * way.dy) / max(1, way.dx * way.dx + way.dy * way.dy))
    }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let limits = screenful.workspace.idiom.pipWidths(on: screen)
        let width = start.width * factor(trace.point)
        let size = start.size * (rubberBand(width, low: limits.lowerBound, high: limits.upperBound) / max(1, start.width))
        let corner = start.map(fixed, from: Rect(0, 0, 1, 1))
        let frame = Rect(corner.x - fixed.x * size.width, corner.y - fixed.y * size.height, size.width, size.height)
        screenful.stage.hold(window, at: frame, now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        try? screenful.workspace.setPipWidth(max(1, start.width * factor(end.trace.point)))
    }
}

/// Two fingers move and resize Picture in Picture.
struct PipPinchGesture: Gesture {
    var first: Int32
    var second: Int32
    var window: WindowID
    var start: Rect
    var pinch: Pinch

    var contacts: [Int32] { [first, second] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .pinch(self) }

    private func points(in hands: Hands) -> (Point, Point)? {
        guard let a = hands.contact(first), let b = hands.contact(second) else { return nil }
        return (a.trace.point, b.trace.point)
    }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let (a, b) = points(in: hands) else { return }
        let limits = screenful.workspace.idiom.pipWidths(on: screen)
        let width = rubberBand(start.width * pinch.scale(a, b), low: limits.lowerBound, high: limits.upperBound)
        let size = start.size * (width / max(1, start.width))
        let anchor = Rect(0, 0, 1, 1).map(pinch.startCenter, from: start), center = pinch.center(a, b)
        let frame = Rect(center.x - anchor.x * size.width, center.y - anchor.y * size.height, size.width, size.height)
        screenful.stage.hold(window, at: frame, now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let (a, b) = points(in: hands), let frame = screenful.stage.frame(of: window, at: now) else { return }
        let width = start.width * pinch.scale(a, b), room = end.screen.usable
        if width > screenful.workspace.idiom.pipWidths(on: end.screen).upperBound * screenful.measures.pipFills {
            // Spread so far that it fills the screen.
            try? screenful.workspace.move(window, to: .fullScreen)
        } else {
            try? screenful.workspace.setPipWidth(width)
            try? screenful.workspace.setPipCorner(Corner(top: frame.center.y < room.center.y, left: frame.center.x < room.center.x))
        }
    }
}

/// Pulls a stashed Picture in Picture window back in from the screen's edge.
struct PipRevealGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .revealPip(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let pip = screenful.workspace.pip else { return }
        var home = pip
        home.stashed = nil
        let reach = screenful.workspace.pipFrame(home, on: screen).x - start.x
        let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
        let moved = pulled <= 0 ? 0 : min(abs(reach), pulled + abs(reach) - start.width)
        screenful.stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let side = screenful.workspace.pip?.stashed else { return }
        let t = end.trace.translation
        let isInward = (side == .right ? -t.dx : t.dx) > screenful.measures.revealDistance
        if isInward || t.length < screenful.workspace.idiom.slop { try? screenful.workspace.setPipStashed(nil) }
    }
}

extension Hands {
    mutating func beginStretch(_ window: WindowID, contact: Int32, _ screenful: inout Screenful, at now: Moment) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let start = screenful.stage.take(window, at: now) else {
            return
        }
        contacts[index].trace.restart()
        let point = contacts[index].trace.point
        let fixed = Point(point.x < start.center.x ? 1 : 0, point.y < start.center.y ? 1 : 0)
        let way = point - start.map(fixed, from: Rect(0, 0, 1, 1))
        grab = .stretch(PipStretchGesture(contact: contact, window: window, start: start, fixed: fixed, way: way))
    }

    mutating func beginPinch(
        _ first: Int32, _ second: Int32, _ window: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        guard let a = contacts.firstIndex(where: { $0.id == first }), let b = contact(second),
            let start = screenful.stage.take(window, at: now)
        else { return }
        contacts[a].owner = .shell
        let pinch = Pinch(contacts[a].trace.point, b.trace.point)
        grab = .pinch(PipPinchGesture(first: first, second: second, window: window, start: start, pinch: pinch))
    }
}
