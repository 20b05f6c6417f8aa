import Geometry
import Windows

/// The shape of the pointer over the shell's own items.
public enum Cursor: String, Hashable, Codable, Sendable {
    case arrow, hand, grabbing
    case resizeHorizontally, resizeVertically
    /// From the upper left to the lower right, and from the lower left to the upper right.
    case resizeDiagonally, resizeUpwards
}

/// The meaning of a press for what it hits.
extension Stage {
    /// Whether a finger here belongs to the shell from the beginning.
    public func isOfShell(_ hit: Hit, _ workspace: Workspace) -> Bool {
        switch hit {
        case .divider(let over): over == nil
        case .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip): true
        // A tap shows its controls. An app that made its own Picture in Picture window has its own handles (xx-pip).
        case .picture(let window): !(workspace[window]?.facts.isPip ?? false)
        case .window, .background: false
        case .view, .home, .overview, .panel, .outside, .edge, .inert: true
        }
    }

    /// The axis along which a drag that begins here is the shell's; nil if it never is.
    public func dragAxis(of hit: Hit, _ workspace: Workspace) -> Trace.DragAxis? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return nil }
            return split.axis(on: screen.size) == .horizontal ? .horizontal : .vertical
        case .picture: return .any
        case .window(_, .grip), .window(_, .cardTop): return .any
        case .window(_, .bottom): return .any
        case .window(_, .cardBottom): return .horizontal
        case .window(let id, .sheet): return workspace.blocker(of: id) == nil && !workspace.sinking.contains(id) ? .down : nil
        case .window(_, .top): return .vertical
        case .window(_, nil), .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .background, .view, .home, .overview,
            .panel, .outside, .edge, .inert:
            return nil
        }
    }

    /// Whether the item that a finger would hold here is still in motion: then the finger catches it at once, where it is drawn.
    public func isInFlight(_ hit: Hit, _ workspace: Workspace, at now: Moment) -> Bool {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split else { return false }
            return isInFlight(split.first, at: now) || isInFlight(split.second, at: now)
        case .picture(let id), .window(let id, .cardTop), .window(let id, .cardBottom), .cardTop(let id), .cardBottom(let id),
            .window(let id, .sheet):
            return isInFlight(id, at: now)
        default: return false
        }
    }

    public func cursor(for hit: Hit, _ workspace: Workspace, isModal: Bool) -> Cursor? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return .arrow }
            return split.axis(on: screen.size) == .horizontal ? .resizeHorizontally : .resizeVertically
        case .border(_, let border):
            return border.y == 0
                ? .resizeHorizontally : border.x == 0 ? .resizeVertically : border.x == border.y ? .resizeDiagonally : .resizeUpwards
        case .window(let id, .grip) where workspace.isFree(id): return .arrow
        case .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip), .view: return .hand
        case .overview, .panel, .outside, .edge, .inert: return .arrow
        case .home: return isModal ? .arrow : nil
        case .window, .picture, .background: return nil
        }
    }

    /// The window at a point, with its border and its bar (V-02).
    public func windowLookedAt(_ point: Point, _ workspace: Workspace, at now: Moment) -> WindowID? {
        switch hit(point, workspace, precise: true, at: now) {
        case .window(let id, _), .border(let id, _), .inert(let id): id
        case .view: windowOfBar(at: point, workspace, at: now)
        default: nil
        }
    }
}
