import Geometry
import Interface
import Stage
import Windows

/// A space in the hand that is swiped up from the bottom edge.
struct SwipedCard: Hashable, Codable, Sendable {
    var space: SpaceID
    /// As it was taken: its size, and where in it the finger is, as a share of that.
    var size: Size
    var anchor: Point
    /// The finger rested, and the app switcher has opened around it.
    var isInSwitcher = false

    /// The space under the finger, smaller the higher it goes; the point of it that was taken stays under the finger.
    func frame(_ trace: Trace, on screen: Screen, _ measures: GestureMeasures) -> Rect {
        let up = rubberBand(-trace.translation.dy, low: 0, high: screen.size.height, give: measures.swipeResistance)
        let taken = size.width / max(1, screen.size.width)
        let shrunk = taken - measures.swipeShrink * up / max(1, screen.size.height)
        let scale = max(min(measures.swipeLeast, taken), shrunk) / max(0.001, taken)
        let width = size.width * min(scale, max(1, 1 / max(0.001, taken))), height = size.height * width / max(1, size.width)
        let y = trace.start.y - up - anchor.y * height
        return Rect(trace.point.x - anchor.x * width, max(y, -height * measures.swipeOutside), width, height)
    }
}

/// Up from the bottom edge: the dock, the app switcher, home.
struct SwipeGesture: Gesture {
    var contact: Int32
    /// nil: there is no space in the hand, but the home screen or the app switcher under the finger.
    var card: SwipedCard?

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var isCarrying: Bool { card != nil }
    var grab: Grab { .swipe(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let measures = system.measures
        if let card {
            system.stage.holdCard(.space(card.space), at: card.frame(trace, on: screen, measures), now: now, spring: system.catching)
        }
        if rise(trace, in: system) > measures.switcherRise, !system.interface.isOverviewOpen {
            effects.append(.startTimer(.swipeHold, at: now + measures.swipeHold))
        } else {
            effects.append(.stopTimer(.swipeHold))
        }
    }

    /// How far a finger went up since it is known to.
    private func rise(_ trace: Trace, in system: System) -> Double { -trace.translation.dy - system.workspace.idiom.slop }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        effects.append(.stopTimer(.swipeHold))
        system.stage.releaseCards(at: now)
        if let card, card.isInSwitcher, system.interface.isOverviewOpen {
            leaveInSwitcher(end, in: &system, at: now)
        } else if system.interface.isOverviewOpen || system.workspace.showsHome {
            endOverViews(end, in: &system, at: now)
        } else {
            endOverApp(end, in: &system, at: now)
        }
    }

    /// Lifted out of the switcher: flung up home, down again back to the app, else it takes its place there.
    private func leaveInSwitcher(_ end: GestureEnd, in system: inout System, at now: Moment) {
        let measures = system.measures, speed = -end.velocity.dy
        if speed > measures.homeSpeed {
            try? system.goHome(at: now)
        } else if speed < -measures.homeSpeed || rise(end.trace, in: system) < measures.switcherBack {
            system.closeOverview(at: now)
        } else {
            system.layOverview(at: now)
        }
    }

    private func endOverViews(_ end: GestureEnd, in system: inout System, at now: Moment) {
        let measures = system.measures, up = rise(end.trace, in: system), speed = -end.velocity.dy
        guard up > measures.plainRise || speed > measures.plainSpeed else { return }
        if system.interface.isOverviewOpen {
            try? system.goHome(at: now)
        } else if speed < measures.swipeHoldSpeed, up > measures.switcherRise {
            try? system.openOverview(.switcher, at: now)
        } else {
            // Home it is already.
            system.endSearch(at: now)
            system.showPage(0, at: now)
        }
    }

    private func endOverApp(_ end: GestureEnd, in system: inout System, at now: Moment) {
        let measures = system.measures, screen = end.screen, t = end.trace.translation
        let up = rise(end.trace, in: system), speed = -end.velocity.dy
        let isSideways = abs(t.dx) > abs(t.dy) * measures.sidewaysSlope
        let along = abs(t.dx) + abs(end.velocity.dx) * measures.sidewaysThrow
        if isSideways, along > screen.size.width * measures.sidewaysShare, system.workspace.spaces.count > 1, up < measures.sidewaysRise {
            let id = system.workspace.current
            try? system.workspace.showNeighbour(t.dx < 0 ? 1 : -1)
            guard let id else { return }
            let frame = system.stage.cardFrame(.space(id), at: now) ?? screen.bounds
            let away = frame.offset(by: Vector(t.dx < 0 ? -screen.size.width : screen.size.width, 0))
            system.stage.moveCard(.space(id), to: away, opacity: 0, leaving: true, at: now, spring: system.spring)
        } else if speed > measures.homeSpeed || (up > screen.size.height * measures.homeRiseShare && speed > -measures.homeStaySpeed) {
            try? system.goHome(at: now)
        } else if up > measures.switcherRise, speed > -measures.staySpeed {
            try? system.openOverview(.switcher, at: now)
        } else {
            if up > measures.dockRise, speed > -measures.staySpeed { system.openDock(at: now) }
            guard let space = system.workspace.currentSpace else { return }
            system.stage.moveCard(.space(space.id), to: screen.bounds, leaving: true, at: now, spring: system.spring)
        }
    }

    func cancelled(in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        if system.interface.isOverviewOpen { system.layOverview(at: now) } else { system.sendCardsAway(at: now) }
    }
}

extension System {
    /// Mostly along the edge it goes between spaces, mostly up to the dock, the app switcher and home.
    mutating func beginAtBottom(_ contact: Int32, _ way: Vector, at now: Moment, _ effects: inout [Effect]) {
        if abs(way.dx) > abs(way.dy), let space = workspace.currentSpace, stage.cards[.space(space.id)] == nil {
            beginPan(contact, way, at: now)
        } else {
            beginSwipe(contact, at: now)
        }
    }

    /// A finger at the bottom edge stops the space that is on its way there: from the side, or as a card.
    mutating func catchSpace(_ contact: Int32, at now: Moment) -> Bool {
        guard let space = workspace.currentSpace else { return false }
        if let card = stage.cards[.space(space.id)], !card.isSettled(at: now) {
            beginSwipe(contact, at: now)
            return true
        }
        guard stage.cards[.space(space.id)] == nil, stage.isPanning(workspace, at: now) else { return false }
        beginPan(contact, .zero, at: now)
        revision &+= 1
        return true
    }

    /// The finger that stopped the spaces goes up, not along.
    mutating func turnUp(_ contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        _ = letGo(at: now, &effects)
        stage.letGoOfSpaces(at: now)
        for index in contacts.indices where contacts[index].id == contact { contacts[index].owner = .shell }
        beginSwipe(contact, at: now)
        reconcile(at: now, &effects)
    }

    private mutating func beginSwipe(_ contact: Int32, at now: Moment) {
        grab = .swipe(SwipeGesture(contact: contact))
        interface.close(.shelf, at: now, spring: spring)
        guard let space = workspace.currentSpace, !interface.isOverviewOpen else { return }
        stage.beginCard(.space(space.id), workspace, at: now)
        guard let frame = stage.cardFrame(.space(space.id), at: now), let trace = self.contact(contact)?.trace else { return }
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        grab = .swipe(SwipeGesture(contact: contact, card: SwipedCard(space: space.id, size: frame.size, anchor: anchor)))
        // Caught in flight it stays where it is drawn.
        if trace.translation == .zero { stage.holdCard(.space(space.id), at: frame, now: now, spring: .instant) }
        revision &+= 1
    }

    /// The finger rests: the app switcher opens around the card, which stays in the hand.
    mutating func swipeHeld(at now: Moment, _ effects: inout [Effect]) {
        guard case .swipe(var swipe) = grab, !interface.isOverviewOpen, let trace = contact(swipe.contact)?.trace,
            trace.velocity(at: now).length < measures.swipeHoldSpeed
        else { return }
        let hasCard = swipe.card != nil
        if hasCard {
            swipe.card!.isInSwitcher = true
            grab = swipe.grab
        }
        try? openOverview(.switcher, at: now)
        guard !hasCard else { return }
        // There is nothing in the hand: the finger goes on with the row.
        for index in contacts.indices where contacts[index].id == swipe.contact { contacts[index].trace.restart() }
        catchScrolling(swipe.contact, at: now)
    }
}
