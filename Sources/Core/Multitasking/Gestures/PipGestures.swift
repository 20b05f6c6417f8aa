import Geometry
import Stage
import Windows

/// Picture in Picture goes with the finger, to a corner or out of sight (W-06). A tap shows its controls.
struct PipGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .picture(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.stage.hold(window, at: start.offset(by: trace.translation), now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        if end.isTap {
            try? system.togglePipControls(at: now)
            return
        }
        guard let frame = system.stage.frame(of: window, at: now) else { return }
        let room = end.screen.usable, measures = system.measures
        let middle = frame.center + end.projected
        let isTop = middle.y < room.center.y
        // Pushed out by the finger itself; a throw alone stops at the corner.
        let outside = max(room.minX - frame.minX, frame.maxX - room.maxX) / max(1, frame.width)
        let isLeft = frame.minX < room.minX
        let isOutward = isLeft ? end.velocity.dx < -measures.pipOutwardSpeed : end.velocity.dx > measures.pipOutwardSpeed
        if outside > measures.pipOutside || (outside > measures.pipOutsideThrown && isOutward) {
            try? system.workspace.setPipCorner(Corner(top: isTop, left: isLeft))
            try? system.workspace.setPipStashed(isLeft ? .left : .right)
        } else {
            try? system.workspace.setPipCorner(Corner(top: isTop, left: middle.x < room.center.x))
        }
    }
}

/// The app of a picture has a handle of its own. A picture keeps its shape, so whichever edge it is, the corner that is
/// farthest from the finger stays where it is.
struct PipStretchGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect
    /// The corner that stays, as shares of the picture's size.
    var fixed: Point
    /// From there to the finger.
    var way: Vector

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .stretch(self) }

    /// How much larger the picture is than it was, with the finger at a point.
    private func factor(_ point: Point) -> Double {
        let now = point - start.map(fixed, from: Rect(0, 0, 1, 1))
        return max(0, (now.dx * way.dx + now.dy * way.dy) / max(1, way.dx * way.dx + way.dy * way.dy))
    }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let limits = system.workspace.idiom.pipWidths(on: screen)
        let width = start.width * factor(trace.point)
        let size = start.size * (rubberBand(width, low: limits.lowerBound, high: limits.upperBound) / max(1, start.width))
        let corner = start.map(fixed, from: Rect(0, 0, 1, 1))
        let frame = Rect(corner.x - fixed.x * size.width, corner.y - fixed.y * size.height, size.width, size.height)
        system.stage.hold(window, at: frame, now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        try? system.workspace.setPipWidth(max(1, start.width * factor(end.trace.point)))
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

    private func points(_ system: System) -> (Point, Point)? {
        guard let a = system.contact(first), let b = system.contact(second) else { return nil }
        return (a.trace.point, b.trace.point)
    }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let (a, b) = points(system) else { return }
        let limits = system.workspace.idiom.pipWidths(on: screen)
        let width = rubberBand(start.width * pinch.scale(a, b), low: limits.lowerBound, high: limits.upperBound)
        let size = start.size * (width / max(1, start.width))
        let anchor = Rect(0, 0, 1, 1).map(pinch.startCenter, from: start), center = pinch.center(a, b)
        let frame = Rect(center.x - anchor.x * size.width, center.y - anchor.y * size.height, size.width, size.height)
        system.stage.hold(window, at: frame, now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let (a, b) = points(system), let frame = system.stage.frame(of: window, at: now) else { return }
        let width = start.width * pinch.scale(a, b), room = end.screen.usable
        if width > system.workspace.idiom.pipWidths(on: end.screen).upperBound * system.measures.pipFills {
            // Spread until it fills the screen.
            try? system.workspace.move(window, to: .fullScreen)
        } else {
            try? system.workspace.setPipWidth(width)
            try? system.workspace.setPipCorner(Corner(top: frame.center.y < room.center.y, left: frame.center.x < room.center.x))
        }
    }
}

/// A stashed picture comes back from the screen's edge.
struct PipRevealGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var grab: Grab { .revealPip(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let pip = system.workspace.pip else { return }
        var home = pip
        home.stashed = nil
        let reach = system.workspace.pipFrame(home, on: screen).x - start.x
        let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
        let moved = pulled <= 0 ? 0 : min(abs(reach), pulled + abs(reach) - start.width)
        system.stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard let side = system.workspace.pip?.stashed else { return }
        let t = end.trace.translation
        let isInward = (side == .right ? -t.dx : t.dx) > system.measures.revealDistance
        if isInward || t.length < system.workspace.idiom.slop { try? system.workspace.setPipStashed(nil) }
    }
}

extension System {
    mutating func beginStretch(_ window: WindowID, contact: Int32, at now: Moment) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let start = stage.take(window, at: now) else { return }
        contacts[index].trace.restart()
        let point = contacts[index].trace.point
        let fixed = Point(point.x < start.center.x ? 1 : 0, point.y < start.center.y ? 1 : 0)
        let way = point - start.map(fixed, from: Rect(0, 0, 1, 1))
        grab = .stretch(PipStretchGesture(contact: contact, window: window, start: start, fixed: fixed, way: way))
        revision &+= 1
    }

    mutating func beginPinch(_ first: Int32, _ second: Int32, _ window: WindowID, at now: Moment, _ effects: inout [Effect]) {
        guard let a = contacts.firstIndex(where: { $0.id == first }), let b = contact(second), let start = stage.take(window, at: now)
        else { return }
        contacts[a].owner = .shell
        let pinch = Pinch(contacts[a].trace.point, b.trace.point)
        grab = .pinch(PipPinchGesture(first: first, second: second, window: window, start: start, pinch: pinch))
        revision &+= 1
    }
}
