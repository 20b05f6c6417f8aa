import Geometry
import Interface
import Stage
import Windows

/// Pulls the control centre or the list of notifications down from the top edge and back. The panel follows the finger from
/// the first point to the last, and a finger catches it in flight (law 2).
struct PullGesture: Gesture {
    var contact: Int32
    var panel: Interface.Panel
    /// nil: the finger has not moved far enough to hold the panel.
    var hold: Hold?

    struct Hold: Hashable, Codable, Sendable {
        /// How much of the panel was in sight when the finger took it.
        var start: Double
        /// Whether the panel was open, or opening.
        var wasOpen: Bool
        /// Whether the finger came down beside the panel. A tap there closes it.
        var isBeside = false
    }

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .pull(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let hold else { return begin(trace, by: &hands, on: &screenful, at: now, &turn) }
        // Until it is a drag, a finger beside the panel or on it may still be a tap.
        guard let card = screenful.panelCard(at: now), trace.farthest > 0 else { return }
        let presence = held(hold.start + trace.translation.dy / card.way, screenful)
        screenful.interface.panel?.follow(presence, at: now)
    }

    /// Below its place, the panel resists the finger.
    private func held(_ presence: Double, _ screenful: borrowing Screenful) -> Double {
        presence > 1 ? 1 + (presence - 1) * screenful.measures.cardResistance : max(0, presence)
    }

    /// The finger moved down far enough to be a drag: the panel comes with it.
    private func begin(_ trace: Trace, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard trace.translation.dy > 0, trace.farthest > screenful.workspace.idiom.slop, !screenful.interface.isPanelOpen else { return }
        // A panel that is still on its way up comes back from where it is.
        let isSame = screenful.interface.panel?.content == panel
        let start = isSame ? max(0, screenful.interface.panel?.presence(at: now) ?? 0) : 0
        screenful.interface.presentPanel(panel, at: now, spring: screenful.spring)
        let catching = screenful.catching
        screenful.interface.panel?.take(at: start, catching: catching, now: now)
        var next = self
        next.hold = Hold(start: start, wasOpen: false)
        hands.grab = next.grab
        next.moved(trace, on: screenful.workspace.screen!, by: &hands, on: &screenful, at: now, &turn)
        turn.ask(.settle())
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let hold, let shown = screenful.interface.panel, shown.isOpen, let card = screenful.panelCard(at: now) else { return }
        let presence = shown.presence(at: now)
        if end.isTap {
            if hold.isBeside { try? screenful.dismiss(at: now, &turn) }
            return settle(screenful.interface.isPanelOpen && hold.wasOpen, on: &screenful, at: now)
        }
        let opens = stays(hold, end, presence, card.way, screenful.measures, screenful.workspace.idiom)
        let speed = screenful.spring.tamed(end.velocity.dy, over: ((opens ? 1 : 0) - presence) * card.way)
        screenful.interface.panel?.letGo(speed: speed / card.way, at: now)
        settle(opens, on: &screenful, at: now)
    }

    /// Whether the panel is open after the finger let go.
    private func stays(_ hold: Hold, _ end: GestureEnd, _ presence: Double, _ way: Double, _ measures: GestureMeasures, _ idiom: Idiom)
        -> Bool
    {
        let down = end.trace.translation.dy, thrown = down + end.projected.dy, speed = end.velocity.dy
        if hold.wasOpen {
            return !(down < 0 && speed < measures.panelTurn && -thrown > min(measures.panelDistance, way * measures.panelShare))
        }
        guard speed > -measures.panelTurn else { return false }
        return hold.start > 0 ? presence * way + end.projected.dy > way / 2 : thrown > idiom.pull.distance
    }

    private func settle(_ opens: Bool, on screenful: inout Screenful, at now: Moment) {
        guard screenful.interface.isPanelOpen else { return }
        let spring = screenful.spring
        if opens {
            screenful.interface.panel?.comeBack(at: now, spring: spring)
        } else {
            screenful.interface.close(.panel, at: now, spring: spring)
        }
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let hold else { return }
        settle(hold.wasOpen, on: &screenful, at: now)
    }
}

extension Screenful {
    /// Whether a panel takes the input, and no popover stands over it.
    var isPanelInFront: Bool { interface.isPanelOpen && !interface.isPopoverOpen }

    /// The place of the panel that is in sight, and its way until it is out of sight.
    func panelCard(at now: Moment) -> (frame: Rect, way: Double)? { views(at: now)?.panelCard }

    func isPanelMoving(at point: Point, at now: Moment) -> Bool {
        interface.panel != nil && views(at: now)?.isPanelMoving(at: point) ?? false
    }
}

extension Hands {
    /// A finger takes the panel where it is drawn. `after`: how far the finger moved before the gesture was recognised.
    mutating func takePanel(
        _ contact: Int32, isBeside: Bool = false, after way: Vector = .zero, _ screenful: inout Screenful, at now: Moment,
        _ turn: inout Turn
    ) {
        guard let shown = screenful.interface.panel, screenful.panelCard(at: now) != nil else { return }
        let presence = shown.presence(at: now), wasOpen = shown.isOpen
        let spring = screenful.spring, catching = way == .zero ? nil : screenful.catching
        if !wasOpen {
            screenful.interface.panel!.reopen(shown.content, at: now, spring: spring)
            turn.ask(.settle())
        }
        screenful.interface.panel!.take(at: presence, catching: catching, now: now)
        screenful.interface.focus = nil
        let start = presence > 1 ? 1 + (presence - 1) / screenful.measures.cardResistance : presence
        grab = .pull(PullGesture(contact: contact, panel: shown.content, hold: .init(start: start, wasOpen: wasOpen, isBeside: isBeside)))
    }

    /// A finger catches a panel that moves, and takes one that it came down beside.
    mutating func takePanel(for hit: Hit, contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let point = self.contact(contact)?.trace.point, !screenful.interface.isPopoverOpen else { return false }
        switch hit {
        case .outside where screenful.isPanelInFront: takePanel(contact, isBeside: true, &screenful, at: now, &turn)
        case .panel where screenful.isPanelInFront: takePanel(contact, &screenful, at: now, &turn)
        case .panel where screenful.isPanelMoving(at: point, at: now): takePanel(contact, &screenful, at: now, &turn)
        case .view where screenful.isPanelInFront && screenful.isPanelMoving(at: point, at: now):
            takePanel(contact, &screenful, at: now, &turn)
        default: return false
        }
        return true
    }
}
