import Geometry
import Interface
import Stage
import Windows

/// The target of a finger or the pointer (`Views.hit`), and what a press there closes.
extension Screenful {
    func hit(_ point: Point, precise: Bool = false, at now: Moment) -> Hit {
        guard workspace.screen != nil else { return .background }
        guard Views.mayBeHit(point, precise: precise, interface, workspace) else {
            return stage.hit(point, workspace, precise: precise, at: now)
        }
        return views(at: now)?.hit(point, precise: precise) ?? .background
    }

    func edgeClaim(_ point: Point, _ hit: Hit) -> Side? { Views.edgeClaim(point, hit, workspace, stage, isModal: interface.isModal) }

    func control(_ id: ControlID, at now: Moment) -> ViewControl? {
        views(at: now)?.control(id)
    }

    /// A press outside closes the menus that hold the input.
    mutating func dismissPopups(outside hit: Hit, at now: Moment, _ turn: inout Turn) {
        // A view of the shell over a popover leaves it alone (M-11).
        if workspace.hasChildren, !hit.isOfInterface {
            for popover in workspace.popovers(outside: hit.window) { turn.ask(.dismissSheet(popover)) }
        }
        for id in workspace.popupOwners where hit.window != id && stage.shown[id] != nil && workspace[id]!.popupGrab {
            dismissPopups(of: id, &turn)
        }
    }

    /// Views that lie over an app go away when the app is touched (W-08).
    mutating func leaveViews(for hit: Hit, at now: Moment, _ turn: inout Turn) {
        if interface.focus?.area == .dock, workspace.hasStandingDock, !hit.isOfInterface {
            interface.focus = nil
            turn.ask(.settle())
        }
        guard interface.isShelfOpen || interface.isDockOpen, !hit.isOfInterface else { return }
        interface.close(.shelf, at: now, spring: spring)
        interface.close(.dock, at: now, spring: spring)
        turn.ask(.settle())
    }
}
