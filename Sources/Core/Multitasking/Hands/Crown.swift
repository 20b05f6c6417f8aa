import Geometry
import Interface
import Seat
import Stage
import Windows

/// The crown of a watch, which is a wheel (S-11): in an app it scrolls; with Super, or on the line at the lower edge, it goes to the
/// app used before and back.
extension Hands {
    mutating func turnCrown(_ axis: PointerAxis, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) -> Bool {
        guard desk.workspace.idiom.wrist != nil, !axis.isHorizontal, axis.value != 0, grab == nil else { return false }
        if desk.isWristDown { return true }
        guard !desk.interface.isOverviewOpen, !desk.interface.isModal, desk.workspace.currentSpace != nil,
            let screen = desk.workspace.screen
        else { return false }
        let isAtEdge = desk.workspace.idiom.homeLine != nil && pointer.point.y >= screen.usable.maxY - desk.workspace.idiom.edge
        guard pointer.modifiers.contains(.super) || isAtEdge else { return false }
        useSuper(&turn)
        // One notch is one app, and no more until it has arrived.
        guard abs(axis.value) > 4, !desk.stage.isMoving(at: now) else { return true }
        attempt(axis.value > 0 ? .nextSpace : .previousSpace, &desk, at: now, &turn)
        turn.ask(.settle())
        return true
    }
}
