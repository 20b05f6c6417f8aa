import Geometry
import Interface
import Stage
import Windows

/// Pushes the dock over an app back down. The dock follows the finger, and a finger catches it in flight (law 2).
struct DockGesture: Gesture {
    var contact: Int32
    /// How much of the dock was in sight when the finger took it.
    var start: Double
    /// Whether the dock was open, or opening.
    var wasOpen: Bool

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .dock(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        // Until it is a drag, the finger may only stop the dock.
        guard let card = screenful.dockCard(at: now), trace.farthest > 0 else { return }
        let presence = start - trace.translation.dy / card.way
        // Above its place, the dock resists the finger.
        let held = presence > 1 ? 1 + (presence - 1) * screenful.measures.cardResistance : max(0, presence)
        screenful.interface.dock?.follow(held, at: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let presence = screenful.interface.dock?.presence(at: now), let card = screenful.dockCard(at: now) else { return }
        guard !end.isTap else { return screenful.settleDock(wasOpen, speed: 0, at: now) }
        screenful.settleDock(stays(end, presence * card.way, card.way, screenful.measures), speed: -end.velocity.dy, at: now)
    }

    /// Whether the dock is open after the finger let go with so many points of it in sight.
    private func stays(_ end: GestureEnd, _ sight: Double, _ way: Double, _ measures: GestureMeasures) -> Bool {
        let down = end.trace.translation.dy, speed = end.velocity.dy
        if wasOpen { return !(down > 0 && speed > -measures.panelTurn && down + end.projected.dy > way * measures.panelShare) }
        return speed < measures.panelTurn && sight - end.projected.dy > way / 2
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.settleDock(wasOpen, speed: 0, at: now)
    }
}

extension Screenful {
    /// The place of the dock over an app, and its way until it is out of sight; nil if there is nothing in it.
    func dockCard(at now: Moment) -> (frame: Rect, way: Double)? { views(at: now)?.dockCard }

    func isDock(at point: Point?, at now: Moment) -> Bool {
        point.map { point in interface.dock != nil && views(at: now)?.isDock(at: point) ?? false } ?? false
    }

    /// A finger that swipes up from the bottom edge brings the dock along, `up` points above where it came down.
    /// - Parameter start: how much of the dock was in sight then.
    mutating func raiseDock(from start: Double, by up: Double, at now: Moment, _ turn: inout Turn) {
        guard !workspace.showsHome, !interface.isOverviewOpen, let card = dockCard(at: now) else { return }
        if !interface.isDockOpen {
            guard up > 0 else { return }
            interface.openDock(at: now, spring: spring)
            let catching = self.catching
            interface.dock?.take(at: start, catching: catching, now: now)
            turn.ask(.settle())
        }
        interface.dock?.follow(max(0, min(1, start + up / card.way)), at: now)
    }

    /// A finger let go of the dock at this speed, in points per second upwards.
    mutating func settleDock(_ opens: Bool, speed: Double, at now: Moment) {
        guard interface.isDockOpen, let card = dockCard(at: now) else { return }
        let spring = self.spring, presence = interface.dock?.presence(at: now) ?? 0
        let tame = spring.tamed(speed, over: ((opens ? 1 : 0) - presence) * card.way)
        interface.dock?.letGo(speed: tame / card.way, at: now)
        if opens { interface.dock?.comeBack(at: now, spring: spring) } else { interface.close(.dock, at: now, spring: spring) }
    }
}

extension Hands {
    /// A finger takes the dock where it is drawn. `after`: how far the finger moved before the gesture was recognised.
    mutating func takeDock(_ contact: Int32, after way: Vector = .zero, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let shown = screenful.interface.dock, screenful.dockCard(at: now) != nil else { return }
        let presence = shown.presence(at: now), catching = way == .zero ? nil : screenful.catching
        if !shown.isOpen {
            screenful.interface.openDock(at: now, spring: screenful.spring)
            turn.ask(.settle())
        }
        screenful.interface.dock?.take(at: presence, catching: catching, now: now)
        let start = presence > 1 ? 1 + (presence - 1) / screenful.measures.cardResistance : presence
        grab = .dock(DockGesture(contact: contact, start: start, wasOpen: shown.isOpen))
    }
}
