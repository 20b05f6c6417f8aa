import Geometry
import Interface
import Seat
import Stage
import Windows

/// The crown of a watch, which is a wheel (S-11): in an app it scrolls; with Super, or on the line at the lower edge, it goes to the
/// app used before and back.
extension Hands {
    mutating func turnCrown(_ axis: PointerAxis, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard screenful.workspace.idiom.wrist != nil, !axis.isHorizontal, axis.value != 0, grab == nil else { return false }
        if screenful.isWristDown { return true }
        guard !screenful.interface.isOverviewOpen, !screenful.interface.isModal, screenful.workspace.currentSpace != nil,
            let screen = screenful.workspace.screen
        else { return false }
        let isAtEdge = screenful.workspace.idiom.homeLine != nil && pointer.point.y >= screen.usable.maxY - screenful.workspace.idiom.edge
        guard pointer.modifiers.contains(.super) || isAtEdge else { return false }
        useSuper(&turn)
        // One notch is one app, and no more until it has arrived.
        guard abs(axis.value) > 4, !screenful.stage.isMoving(at: now) else { return true }
        attempt(axis.value > 0 ? .nextSpace : .previousSpace, &screenful, at: now, &turn)
        turn.ask(.settle())
        return true
    }
}
