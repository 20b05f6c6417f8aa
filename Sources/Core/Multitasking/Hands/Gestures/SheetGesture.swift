import Geometry
import Stage
import Windows

/// Drags a sheet by its grip: down to dismiss it (M-03); sideways or up, the finger lifts the window below (W-17).
struct SheetGesture: Gesture {
    var contact: Int32
    var window: WindowID
    var start: Rect
    /// Whether the finger first moved down, so that it moves the sheet.
    var isDecided = false

    init(contact: Int32, window: WindowID, start: Rect) {
        self.contact = contact
        self.window = window
        self.start = start
    }

    var contacts: [Int32] { [contact] }
    var windows: [WindowID] { [window] }
    var isOfSpace: Bool { true }
    var grab: Grab { .sheet(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        let way = trace.translation
        if !isDecided {
            guard trace.farthest > desk.workspace.idiom.slop else { return }
            guard way.dy > 0, way.dy >= abs(way.dx) else {
                desk.stage.letGoOfSheet(window, desk.workspace, at: now)
                hands.beginLift(window, contact: contact, trace: trace, screen, &desk, at: now)
                hands.follow(contact, &desk, at: now, &turn)
                return
            }
            var next = self
            next.isDecided = true
            hands.grab = next.grab
            // The sheet catches up with the finger's way so far.
            desk.stage.catchUp(sheet: window, desk.workspace, by: desk.catching)
        }
        desk.stage.holdSheet(window, down: start.y - place(desk).y + sunk(way.dy, desk.measures), desk.workspace, at: now)
    }

    /// Above the sheet's place, the sheet resists the finger.
    private func sunk(_ way: Double, _ measures: GestureMeasures) -> Double { way >= 0 ? way : way * measures.cardResistance }

    private func place(_ desk: Desk) -> Rect { desk.stage.shown[window]?.place ?? start }

    func ended(_ end: GestureEnd, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        desk.stage.letGoOfSheet(window, desk.workspace, at: now)
        if end.isTap, !isDecided { return desk.openControls(of: hands.contact(contact)?.hit.window ?? window, at: now) }
        let down = end.trace.translation.dy, way = down + end.projected.dy
        guard down > 0, way > min(desk.measures.sheetDistance, start.height * desk.measures.sheetShare) else { return }
        turn.ask(.dismissSheet(window))
    }

    func cancelled(by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        desk.stage.letGoOfSheet(window, desk.workspace, at: now)
    }
}

extension Hands {
    /// A dialog appeared on the sheet that a finger drags: the sheet springs back, because the dialog comes first (M-08).
    mutating func sheetGetsDialog(_ dialog: WindowID, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard case .sheet(let gesture) = grab, dialog != gesture.window, desk.workspace.stands(dialog, on: gesture.window) else { return }
        cancelGrab(&desk, at: now, &turn)
    }

    /// Begins a drag on a sheet's grip. A view that stands on the sheet has to close first (M-08).
    mutating func beginSheet(
        _ window: WindowID, contact: Int32, isDecided: Bool = false, _ desk: inout Desk, at now: Moment, _ turn: inout Turn
    ) {
        if let blocker = desk.workspace.blocker(of: window) { return desk.nudge(blocker, at: now, &turn) }
        // A view that covers its window has that window's grip: only a button dismisses it (M-04).
        if !desk.stage.isPulled(window), let contact = self.contact(contact), let screen = desk.workspace.screen {
            return beginLift(window, contact: contact.id, trace: contact.trace, screen, &desk, at: now)
        }
        // Law 2: a sheet in flight is the finger's from the first point on.
        let isFlying = desk.stage.isInFlight(window, at: now)
        guard let start = desk.stage.takeSheet(window, desk.workspace, at: now) else { return }
        var gesture = SheetGesture(contact: contact, window: window, start: start)
        gesture.isDecided = isDecided || isFlying
        grab = .sheet(gesture)
    }
}
