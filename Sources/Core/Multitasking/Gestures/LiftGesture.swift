import Geometry
import Stage
import Windows

/// Where a lifted window goes if it is let go.
enum DropTarget: Hashable, Codable, Sendable {
    case fullScreen
    case split(Side)
    case slideOver(Side)
    case picture(Corner)
}

/// A window in the hand, small, on its way to another place (W-17). A tap opens its controls (W-07).
struct LiftGesture: Gesture {
    var contact: Int32
    var window: WindowID
    /// In the hand.
    var size: Size
    /// Where in the window the finger is, as a share of its size.
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

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        guard trace.farthest > system.workspace.idiom.slop else { return }
        system.takeFromClients(&effects)
        let p = trace.point, near = system.measures.dropDistance
        let frame = Rect(p.x - anchor.x * size.width, p.y - anchor.y * size.height, size.width, size.height)
        system.stage.hold(window, at: frame, now: now)
        // Near where it was taken it goes back, but for an edge that it came back to from elsewhere.
        var target: DropTarget? = system.dropTarget(p, window, screen)
        if trace.translation.length <= near {
            if case .split = target, trace.farthest > near {} else { target = nil }
        }
        guard target != self.target else { return }
        var next = self
        next.target = target
        system.grab = next.grab
        system.stage.showPreview(target.flatMap { system.previewFrame($0, window, screen) }, at: now, spring: system.spring)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        // It stayed a tap: the controls, of the dialog itself if it was on its dots (W-13).
        if end.isTap { return system.openControls(of: system.contact(contact)?.hit.window ?? window, at: now) }
        if let target { try? system.drop(window, on: target) }
    }
}

extension System {
    /// A window is taken by its grip, by its own title bar, or by Super and a drag.
    mutating func beginLift(_ window: WindowID, contact: Int32, trace: Trace, _ screen: Screen, at now: Moment) {
        let window = workspace.root(of: window)
        guard let frame = stage.frame(of: window, at: now) else { return }
        let scale = min(1, measures.liftShare * min(screen.size.width / frame.width, screen.size.height / frame.height))
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        grab = .lift(LiftGesture(contact: contact, window: window, size: frame.size * scale, anchor: anchor))
        _ = stage.take(window, at: now, catching: lifting)
    }

    func dropTarget(_ p: Point, _ window: WindowID, _ screen: Screen) -> DropTarget? {
        let room = screen.usable, idiom = workspace.idiom
        let edge = max(measures.dropEdge, room.width * measures.dropEdgeShare)
        let corner = max(measures.dropCorner, min(room.width, room.height) * measures.dropCornerShare)
        if idiom.hasPictureInPicture, p.y > room.maxY - corner, p.x < room.minX + corner || p.x > room.maxX - corner,
            p.y > room.maxY - edge || (p.x > room.minX + edge && p.x < room.maxX - edge)
        {
            return .picture(Corner(top: false, left: p.x < room.center.x))
        }
        if idiom.hasSplitView, workspace.splitPartner(for: window) != nil || isInSplit(window) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
            if !screen.size.isLandscape {
                if p.y < room.minY + edge { return .split(.top) }
                if p.y > room.maxY - edge { return .split(.bottom) }
            }
        }
        if idiom.hasSlideOver {
            let share = room.width * measures.dropSlideOverShare
            if p.x < room.minX + share { return .slideOver(.left) }
            if p.x > room.maxX - share { return .slideOver(.right) }
        }
        return .fullScreen
    }

    private func isInSplit(_ window: WindowID) -> Bool {
        if case .split = workspace.place(of: window) { true } else { false }
    }

    /// `window`: nil for an app that has none yet.
    func previewFrame(_ target: DropTarget, _ window: WindowID?, _ screen: Screen) -> Rect? {
        let window = window ?? WindowID(0)
        switch target {
        case .fullScreen: return screen.usable.inset(by: measures.previewInset)
        case .split(let side):
            let pair = workspace.splitFrames(
                Split(first: window, second: window, portraitAxis: side.axis), fraction: 0.5, on: screen)
            return (side.isFirst ? pair.first : pair.second).inset(by: measures.previewHalfInset)
        case .slideOver(let side): return workspace.slideOverCard(on: screen, side: side, isHidden: false)
        case .picture(let corner):
            var picture = PictureInPicture(
                window: window, corner: corner, width: min(screen.size.width, screen.size.height) * workspace.idiom.pipFirst,
                aspect: 16.0 / 9)
            if let pip = workspace.pip, pip.window == window { picture = pip; picture.corner = corner }
            return workspace.pipFrame(picture, on: screen)
        }
    }

    mutating func drop(_ window: WindowID, on target: DropTarget) throws(Refusal) {
        switch target {
        case .fullScreen: try workspace.move(window, to: .fullScreen)
        case .split(let side): try workspace.move(window, to: .splitView(side))
        case .slideOver(let side):
            try workspace.move(window, to: .slideOver)
            try workspace.setSlideOverSide(side)
        case .picture(let corner):
            try workspace.move(window, to: .pictureInPicture)
            try workspace.setPipCorner(corner)
        }
    }
}
