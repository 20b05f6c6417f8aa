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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let way = trace.translation
        if !isDecided {
            guard trace.farthest > screenful.workspace.idiom.slop else { return }
            guard way.dy > 0, way.dy >= abs(way.dx) else {
                screenful.stage.letGoOfSheet(window, screenful.workspace, at: now)
                hands.beginLift(window, contact: contact, trace: trace, screen, &screenful, at: now)
                hands.follow(contact, &screenful, at: now, &turn)
                return
            }
            var next = self
            next.isDecided = true
            hands.grab = next.grab
            // The sheet catches up with the finger's way so far.
            screenful.stage.catchUp(sheet: window, screenful.workspace, by: screenful.catching)
        }
        screenful.stage.holdSheet(
            window, down: start.y - place(screenful).y + sunk(way.dy, screenful.measures), screenful.workspace, at: now)
    }

    /// Above the sheet's place, the sheet resists the finger.
    private func sunk(_ way: Double, _ measures: GestureMeasures) -> Double { way >= 0 ? way : way * measures.cardResistance }

    private func place(_ screenful: Screenful) -> Rect { screenful.stage.shown[window]?.place ?? start }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.stage.letGoOfSheet(window, screenful.workspace, at: now)
        if end.isTap, !isDecided { return screenful.openControls(of: hands.contact(contact)?.hit.window ?? window, at: now) }
        let down = end.trace.translation.dy, way = down + end.projected.dy
        guard down > 0, way > min(screenful.measures.sheetDistance, start.height * screenful.measures.sheetShare) else { return }
        turn.ask(.dismissSheet(window))
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.stage.letGoOfSheet(window, screenful.workspace, at: now)
    }
}

extension Hands {
    /// A dialog appeared on the sheet that a finger drags: the sheet springs back, because the dialog comes first (M-08).
    mutating func sheetGetsDialog(_ dialog: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard case .sheet(let gesture) = grab, dialog != gesture.window, screenful.workspace.stands(dialog, on: gesture.window) else {
            return
        }
        cancelGrab(&screenful, at: now, &turn)
    }

    /// Begins a drag on a sheet's grip. A view that stands on the sheet has to close first (M-08).
    mutating func beginSheet(
        _ window: WindowID, contact: Int32, isDecided: Bool = false, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        if let blocker = screenful.workspace.blocker(of: window) { return screenful.nudge(blocker, at: now, &turn) }
        // A view that covers its window has that window's grip: only a button dismisses it (M-04).
        if !screenful.stage.isPulled(window), let contact = self.contact(contact), let screen = screenful.workspace.screen {
            return beginLift(window, contact: contact.id, trace: contact.trace, screen, &screenful, at: now)
        }
        // Law 2: a sheet in flight is the finger's from the first point on.
        let isFlying = screenful.stage.isInFlight(window, at: now)
        guard let start = screenful.stage.takeSheet(window, screenful.workspace, at: now) else { return }
        var gesture = SheetGesture(contact: contact, window: window, start: start)
        gesture.isDecided = isDecided || isFlying
        grab = .sheet(gesture)
    }
}
