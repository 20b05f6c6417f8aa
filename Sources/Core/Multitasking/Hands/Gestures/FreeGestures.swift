import Geometry
import Stage
import Windows

/// A freely stacked window that is dragged by its title bar, by its app's own one, or with Super held (W-25). At an edge of the
/// screen it fills a half or a quarter, at the upper edge all of it.
struct MoveGesture: Gesture {
    var contact: Int32
    var window: WindowID
    /// Its frame when the drag began.
    var start: Rect
    var target: Tile?
    /// How it is held where windows stand at depths (V-01); nil elsewhere.
    var hold: DepthHold?

    init(contact: Int32, window: WindowID, start: Rect, hold: DepthHold? = nil) {
        self.contact = contact
        self.window = window
        self.start = start
        self.hold = hold
    }

    var contacts: [Int32] { [contact] + (hold?.pinch.map { [$0.contact] } ?? []) }
    var windows: [WindowID] { [window] }
    var grab: Grab { .move(self) }

    private func frame(_ trace: Trace, on screenful: borrowing Screenful) -> Rect {
        screenful.workspace.reachable(hold?.frame(at: trace.point, on: screenful) ?? start.offset(by: trace.translation), of: window)
    }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        if hold != nil { return movedAtDepth(trace, by: &hands, on: &screenful, at: now, &turn) }
        guard trace.farthest > screenful.workspace.idiom.slop else { return }
        hands.takeFromClients(&turn)
        screenful.stage.hold(window, at: frame(trace, on: screenful), now: now)
        let target = screenful.tile(at: trace.point, on: screen)
        guard target != self.target else { return }
        var next = self
        next.target = target
        hands.grab = next.grab
        screenful.stage.showPreview(
            target?.frame(in: screenful.workspace.freeRoom ?? screen.usable).inset(by: screenful.measures.previewHalfInset), at: now,
            spring: screenful.spring)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if let hold { return endedAtDepth(hold, end, on: &screenful) }
        guard !end.isTap else { return hands.tappedTitleBar(of: window, &screenful, at: now) }
        if let target { return _ = try? screenful.workspace.setTile(window, target) }
        // On whole points, where its picture is sharp.
        screenful.workspace.place(window, at: frame(end.trace, on: screenful).rounded.origin)
    }
}

/// A freely stacked window that is resized by its borders.
struct ResizeGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var border: Border
    /// The frame of its content when the drag began.
    var start: Rect
    /// The size at which it is seen, as a share of its own.
    var scale: Double

    init(contact: Int32, window: WindowID, border: Border, start: Rect, scale: Double = 1) {
        self.contact = contact
        self.window = window
        self.border = border
        self.start = start
        self.scale = scale
    }

    var contacts: [Int32] { [contact] }
    var over: WindowID? { window }
    var grab: Grab { .resize(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let way = trace.translation * (1 / scale)
        var frame = start
        frame.width = max(0, start.width + way.dx * Double(border.x))
        frame.height = max(0, start.height + way.dy * Double(border.y))
        if border.x < 0 { frame.x = start.maxX - frame.width }
        if border.y < 0 { frame.y = start.maxY - frame.height }
        screenful.workspace.resize(window, to: frame, by: border)
        screenful.stage.snap([window], screenful.workspace, at: now)
        turn.ask(.settle())
    }
}

extension Screenful {
    /// The part of the screen that a window fills when it is dropped here; nil: it stays where it is.
    func tile(at point: Point, on screen: Screen) -> Tile? {
        let edge = screen.usable, measures = workspace.idiom.free
        let room = workspace.freeRoom ?? edge
        let isLeft = point.x < edge.minX + measures.snap, isRight = point.x >= edge.maxX - measures.snap
        let isHigh = point.y < room.minY + measures.snapCorner, isLow = point.y >= room.maxY - measures.snapCorner
        if isLeft { return isHigh ? .topLeft : isLow ? .bottomLeft : .left }
        if isRight { return isHigh ? .topRight : isLow ? .bottomRight : .right }
        // Below a menu bar, the upper edge begins where a title bar would stand.
        return point.y < max(edge.minY + measures.snap, room.minY + 4) ? .whole : nil
    }
}

extension Hands {
    mutating func beginMove(
        _ id: WindowID, contact: Int32, _ trace: Trace, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        let window = screenful.workspace.moved(by: id)
        try? screenful.workspace.activate(window, isPressed: true)
        turn.ask(.settle())
        let hasDepth = screenful.workspace.depth(of: window) != nil
        guard
            let shown = screenful.stage.take(window, at: now, catching: trace.translation == .zero && !hasDepth ? nil : screenful.catching)
        else {
            return
        }
        if hasDepth { return beginMoveAtDepth(window, contact: contact, trace, shown, &screenful, at: now) }
        var start = shown
        // Out of its half, a window has its own size again, below the finger.
        if screenful.workspace.tile(of: window) != nil, let size = screenful.workspace.ownSize(of: window) {
            let share = shown.width > 0 ? (trace.start.x - shown.x) / shown.width : 0.5
            start = Rect(trace.start.x - size.width * share, shown.y, size.width, size.height)
        }
        grab = .move(MoveGesture(contact: contact, window: window, start: start))
    }

    mutating func beginResize(
        _ window: WindowID, _ border: Border, contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        guard screenful.workspace.isFree(window), let start = screenful.workspace.frames()[window] else { return }
        try? screenful.workspace.activate(window, isPressed: true)
        turn.ask(.settle())
        let scale = screenful.workspace.perspective(of: window).scale
        grab = .resize(ResizeGesture(contact: contact, window: window, border: border, start: start, scale: scale))
    }
}
