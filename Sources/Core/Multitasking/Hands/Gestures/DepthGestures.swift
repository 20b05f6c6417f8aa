import Geometry
import Stage
import Windows

/// How a window at a depth is held: where on it, and at which depth. A wheel or a second finger moves it nearer and farther (V-01).
struct DepthHold: Hashable, Codable, Sendable {
    /// The point at which it is held, as shares of its size.
    var share: Vector
    /// Its own size, which its client knows.
    var size: Size
    var depth: Double
    /// Whether it was moved nearer or farther.
    var isDeeper = false
    var pinch: Pinch?

    /// A second finger: spread fingers bring the window nearer.
    struct Pinch: Hashable, Codable, Sendable {
        var contact: Int32
        /// How far apart the fingers were, and at which depth the window was then.
        var distance: Double
        var depth: Double
    }

    /// Where the window is seen while it is held at this point.
    func frame(at point: Point, on screenful: borrowing Screenful) -> Rect {
        let seen = size * screenful.workspace.perspective(at: depth).scale
        return Rect(point.x - seen.width * share.dx, point.y - seen.height * share.dy, seen.width, seen.height)
    }
}

extension MoveGesture {
    func movedAtDepth(_ trace: Trace, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard var hold, let measures = screenful.workspace.idiom.depth else { return }
        if let pinch = hold.pinch, let other = hands.contact(pinch.contact)?.trace.point {
            let scale = measures.scale(at: pinch.depth) * max(0.05, other.distance(to: trace.point)) / max(1, pinch.distance)
            hold.depth = measures.clamped(measures.distance / scale - measures.distance)
            hold.isDeeper = true
        }
        guard trace.farthest > screenful.workspace.idiom.slop || hold.isDeeper else { return }
        hands.takeFromClients(&turn)
        var next = self
        next.hold = hold
        hands.grab = next.grab
        let frame = hold.frame(at: trace.point, on: screenful)
        screenful.stage.hold(window, at: screenful.workspace.reachable(frame, of: window), now: now)
    }

    func endedAtDepth(_ hold: DepthHold, _ end: GestureEnd, on screenful: inout Screenful) {
        guard !end.isTap || hold.isDeeper else { return }
        let frame = screenful.workspace.reachable(hold.frame(at: end.trace.point, on: screenful), of: window)
        try? screenful.workspace.setDepth(window, hold.depth)
        screenful.workspace.place(window, at: screenful.workspace.perspective(at: hold.depth).place(frame).origin)
    }
}

extension Hands {
    mutating func beginMoveAtDepth(
        _ window: WindowID, contact: Int32, _ trace: Trace, _ shown: Rect, _ screenful: inout Screenful, at now: Moment
    ) {
        var size = screenful.stage.shown[window]?.place.size ?? shown.size
        // Out of its Full Space, a window has its own size again.
        if screenful.workspace.fullSpace == window { size = screenful.workspace.ownSize(of: window) ?? size }
        let share =
            shown.isEmpty
            ? Vector(0.5, 1)
            : Vector((trace.start.x - shown.x) / shown.width, (trace.start.y - shown.y) / shown.height)
        let hold = DepthHold(share: share, size: size, depth: screenful.workspace.depth(of: window) ?? 0)
        grab = .move(MoveGesture(contact: contact, window: window, start: shown, hold: hold))
    }

    /// A second finger joins the one that holds a window at a depth. Returns whether it did.
    mutating func joinMove(_ contact: inout Contact) -> Bool {
        guard case .move(var move) = grab, var hold = move.hold, hold.pinch == nil, move.contact != Contact.pointer,
            let first = self.contact(move.contact)?.trace.point
        else { return false }
        hold.pinch = .init(contact: contact.id, distance: first.distance(to: contact.trace.point), depth: hold.depth)
        move.hold = hold
        grab = .move(move)
        contact.owner = .shell
        return true
    }

    /// A wheel moves a window in depth: the one that is held, or with Super the one under the pointer. Away from the person is farther.
    ///
    /// - Returns: whether it did.
    mutating func scrollDepth(_ axis: PointerAxis, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let measures = screenful.workspace.idiom.depth, !axis.isHorizontal, axis.value != 0 else { return false }
        let way = -axis.value / screenful.measures.wheelNotch * measures.step
        if case .move(var move) = grab, var hold = move.hold {
            hold.depth = measures.clamped(hold.depth + way)
            hold.isDeeper = true
            move.hold = hold
            grab = .move(move)
            follow(move.contact, &screenful, at: now, &turn)
            return true
        }
        // A bar that is held and was not moved yet counts as well.
        let isSuper = pointer.modifiers.contains(.super), held = pointer.deferred?.window
        guard isSuper || held != nil, grab == nil, let window = held ?? screenful.hit(pointer.point, precise: true, at: now).window,
            let depth = screenful.workspace.depth(of: screenful.workspace.root(of: window))
        else { return false }
        if isSuper { useSuper(&turn) }
        attempt(.depth(window: screenful.workspace.root(of: window), to: depth + way), &screenful, at: now, &turn)
        turn.ask(.settle())
        return true
    }
}
