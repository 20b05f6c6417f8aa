import Geometry
import Idioms

/// Where a lifted window goes if it is let go.
public enum DropTarget: Hashable, Codable, Sendable {
    case fullScreen
    case split(Side)
    case slideOver(Side)
    case picture(Corner)
}

/// Places where a window or an icon may be dropped, and the effect there (W-17).
extension Workspace {
    /// - Parameter p: in points of the screen.
    public func dropTarget(_ p: Point, _ window: WindowID, _ screen: Screen) -> DropTarget? {
        let room = screen.usable, measures = idiom.gestures
        let edge = max(measures.dropEdge, room.width * measures.dropEdgeShare)
        let corner = max(measures.dropCorner, min(room.width, room.height) * measures.dropCornerShare)
        if admits(.pictureInPicture), p.y > room.maxY - corner, p.x < room.minX + corner || p.x > room.maxX - corner,
            p.y > room.maxY - edge || (p.x > room.minX + edge && p.x < room.maxX - edge)
        {
            return .picture(Corner(top: false, left: p.x < room.center.x))
        }
        if admits(.splitView(.left)), splitPartner(for: window) != nil || isInSplit(window) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
            if !screen.size.isLandscape {
                if p.y < room.minY + edge { return .split(.top) }
                if p.y > room.maxY - edge { return .split(.bottom) }
            }
        }
        if admits(.slideOver) {
            let share = room.width * measures.dropSlideOverShare
            if p.x < room.minX + share { return .slideOver(.left) }
            if p.x > room.maxX - share { return .slideOver(.right) }
        }
        return .fullScreen
    }

    private func isInSplit(_ window: WindowID) -> Bool {
        if case .split = place(of: window) { true } else { false }
    }

    /// `window`: nil for an app that has no window yet.
    public func previewFrame(_ target: DropTarget, _ window: WindowID?, _ screen: Screen) -> Rect? {
        let window = window ?? WindowID(0)
        switch target {
        case .fullScreen: return screen.usable.inset(by: idiom.gestures.previewInset)
        case .split(let side):
            let pair = splitFrames(
                Split(first: window, second: window, portraitAxis: side.axis), fraction: 0.5, on: screen)
            return (side.isFirst ? pair.first : pair.second).inset(by: idiom.gestures.previewHalfInset)
        case .slideOver(let side): return slideOverCard(on: screen, side: side, isHidden: false)
        case .picture(let corner):
            var picture = PictureInPicture(
                window: window, corner: corner, width: min(screen.size.width, screen.size.height) * idiom.picture.first,
                aspect: 16.0 / 9)
            if let pip = pip, pip.window == window {
                picture = pip
                picture.corner = corner
            }
            return pipFrame(picture, on: screen)
        }
    }

    public mutating func drop(_ window: WindowID, on target: DropTarget) throws(Refusal) {
        switch target {
        case .fullScreen: try move(window, to: .fullScreen)
        case .split(let side): try move(window, to: .splitView(side))
        case .slideOver(let side):
            try move(window, to: .slideOver)
            try setSlideOverSide(side)
        case .picture(let corner):
            try move(window, to: .pictureInPicture)
            try setPipCorner(corner)
        }
    }
}
