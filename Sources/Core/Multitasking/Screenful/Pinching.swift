import Geometry
import Stage
import Windows

/// Items that a person pinches open (W-21). `PinchOpenGesture` says how fingers do it.
extension Screenful {
    /// The fingers let go far enough apart: the app opens the item, and its picture waits for the window.
    mutating func openPinched(_ item: UInt32, in window: WindowID, at now: Moment, _ turn: inout Turn) {
        guard workspace[window]?.isMapped ?? false, let screen = workspace.screen, stage.pinched != nil else {
            return returnPinched(at: now)
        }
        let launch = workspace.beginPinchedLaunch(from: window, at: now)
        stage.awaitPinched(launch, in: screen.usable, at: now, spring: spring)
        turn.send(.client(.pinched(window, item: item, launch)))
        turn.send(.startTimer(.screen(.pinchPatience), at: now + measures.pinchPatience))
    }

    /// The picture springs back into its window, and the app hears nothing.
    mutating func returnPinched(at now: Moment) {
        guard stage.pinched != nil else { return }
        stage.returnPinched(at: now, spring: spring)
    }

    mutating func pinchPatienceEnded(at now: Moment) {
        guard case .waits = stage.pinched?.phase else { return }
        returnPinched(at: now)
    }

    /// The window of an opened item appeared: it grows out of the picture.
    mutating func pinchedWindowComes(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        guard case .waits(let launch) = stage.pinched?.phase, workspace.isUsed(launch), workspace.isShown(id) else { return }
        stage.openPinched(into: id)
        turn.send(.stopTimer(.screen(.pinchPatience)))
    }
}
