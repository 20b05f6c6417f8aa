import Geometry
import Stage
import Windows

/// Sheets: dialogs of apps on their windows (M-01 to M-03).
extension Screenful {
    /// A person acts on a window behind a modal view: the view shows that it has to be answered first (M-02).
    mutating func touchedInert(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        if let blocker = workspace.blocker(of: id), !workspace.isPopover(blocker) { nudge(blocker, at: now, &turn) }
    }

    mutating func nudge(_ sheet: WindowID, at now: Moment, _ turn: inout Turn) {
        personActs(in: sheet, at: now, &turn)
        stage.nudge(sheet, workspace, at: now, spring: spring)
    }
}
