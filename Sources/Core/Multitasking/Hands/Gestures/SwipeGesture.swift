import Geometry
import Interface
import Stage
import Windows

/// The card of a space that a finger swipes up from the bottom edge.
struct SwipedCard: Hashable, Codable, Sendable {
    var space: SpaceID
    /// Its size when the swipe began, and the finger's position in it as a share of that.
    var size: Size
    var anchor: Point
    /// The finger rested, so the app switcher has opened around the card.
    var isInSwitcher = false
    /// It was caught on its way home, this far above its place.
    var flown: Double?
    /// The control of the home screen below the finger that caught it. A tap is meant for that.
    var pressed: ControlID?
    /// From the finger to the anchor, if the finger is not on the card.
    var offset: Vector?

    /// The card's frame: smaller the higher it goes. The point that was touched first stays under the finger.
    func frame(_ trace: Trace, on screen: Screen, _ measures: GestureMeasures) -> Rect {
        let up = rubberBand(-trace.translation.dy, low: -(flown ?? 0), high: screen.size.height, give: measures.swipeResistance)
        let taken = size.width / max(1, screen.size.width)
        let shrunk = taken - measures.swipeShrink * up / max(1, screen.size.height)
        let scale = max(min(measures.swipeLeast, taken), shrunk) / max(0.001, taken)
        let width = size.width * min(scale, max(1, 1 / max(0.001, taken))), height = size.height * width / max(1, size.width)
        let offset = offset ?? .zero, y = trace.start.y + offset.dy - up - anchor.y * height
        return Rect(trace.point.x + offset.dx - anchor.x * width, max(y, -height * measures.swipeOutside), width, height)
    }
}

/// A swipe up from the bottom edge: the dock, the app switcher, home.
struct SwipeGesture: Gesture {
    var contact: Int32
    /// nil: the finger carries no space; the home screen or the app switcher is under it.
    var card: SwipedCard?
    /// How much of the dock was in sight when the swipe began; nil if the swipe brings none.
    var dock: Double?

    var contacts: [Int32] { [contact] }
    var isOfSpace: Bool { true }
    var isCarrying: Bool { card != nil }
    var grab: Grab { .swipe(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let measures = screenful.measures
        if let card {
            screenful.stage.holdCard(.space(card.space), at: card.frame(trace, on: screen, measures), now: now, spring: screenful.catching)
        }
        if let dock { screenful.raiseDock(from: dock, by: -trace.translation.dy, at: now, &turn) }
        if rise(trace, screenful) > measures.switcherRise, !screenful.interface.isOverviewOpen {
            turn.send(.startTimer(.hands(.swipeHold), at: now + measures.swipeHold))
        } else {
            turn.send(.stopTimer(.hands(.swipeHold)))
        }
    }

    /// How far the finger has moved up since the gesture was recognised.
    private func rise(_ trace: Trace, _ screenful: borrowing Screenful) -> Double { -trace.translation.dy - screenful.workspace.idiom.slop }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        turn.send(.stopTimer(.hands(.swipeHold)))
        defer { if dock != nil, !keepsDock(end, screenful) { screenful.settleDock(false, speed: -end.velocity.dy, at: now) } }
        screenful.stage.releaseCards(at: now)
        if let card, card.isInSwitcher, screenful.interface.isOverviewOpen {
            leaveInSwitcher(end, on: &screenful, at: now, &turn)
        } else if let card, card.flown != nil {
            endFlight(card, end, by: &hands, on: &screenful, at: now, &turn)
        } else if screenful.interface.isOverviewOpen || screenful.workspace.showsHome {
            endOverViews(end, on: &screenful, at: now, &turn)
        } else {
            endOverApp(end, on: &screenful, at: now, &turn)
        }
    }

    /// Ends a card lifted out of the switcher: flung up it goes home, pulled down back to the app, else into the row.
    private func leaveInSwitcher(_ end: GestureEnd, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let measures = screenful.measures, speed = -end.velocity.dy
        if speed > measures.homeSpeed {
            try? screenful.goHome(at: now, &turn)
        } else if speed < -measures.homeSpeed || rise(end.trace, screenful) < measures.switcherBack {
            screenful.closeOverview(at: now)
        } else {
            screenful.layOverview(at: now)
        }
    }

    /// Ends a flight home that was caught: it continues, unless the finger brings the app back down. A tap opens what it meets on the
    /// home screen, for example the icon that the app flies into.
    private func endFlight(
        _ card: SwipedCard, _ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        let measures = screenful.measures, down = end.trace.translation.dy, speed = end.velocity.dy
        guard speed > measures.homeStaySpeed || (down > measures.switcherBack && speed > -measures.homeStaySpeed) else {
            try? screenful.goHome(at: now, &turn)
            guard end.isTap, let pressed = card.pressed, let began = end.trace.began, now - began < measures.longPress else { return }
            PressGesture(contact: contact, id: pressed).ended(end, by: &hands, on: &screenful, at: now, &turn)
            return
        }
        guard let space = screenful.workspace.currentSpace else { return }
        screenful.stage.moveCard(.space(space.id), to: end.screen.bounds, leaving: true, at: now, spring: screenful.spring)
    }

    private func endOverViews(_ end: GestureEnd, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let measures = screenful.measures, up = rise(end.trace, screenful), speed = -end.velocity.dy
        guard up > measures.plainRise || speed > measures.plainSpeed else { return }
        if screenful.interface.isOverviewOpen {
            try? screenful.goHome(at: now, &turn)
        } else if speed < measures.swipeHoldSpeed, up > measures.switcherRise {
            try? screenful.openOverview(.switcher, at: now)
        } else {
            // Home is already in front.
            screenful.endSearch(at: now)
            screenful.showPage(0, at: now)
        }
    }

    /// A short swipe leaves the dock open.
    private func keepsDock(_ end: GestureEnd, _ screenful: borrowing Screenful) -> Bool {
        let up = rise(end.trace, screenful), measures = screenful.measures, isHome = screenful.workspace.showsHome,
            isOverview = screenful.interface.isOverviewOpen
        return !isHome && !isOverview && up > measures.dockRise && up <= measures.switcherRise && -end.velocity.dy > -measures.staySpeed
    }

    private func endOverApp(_ end: GestureEnd, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let measures = screenful.measures, screen = end.screen, t = end.trace.translation
        let up = rise(end.trace, screenful), speed = -end.velocity.dy
        let isSideways = abs(t.dx) > abs(t.dy) * measures.sidewaysSlope
        let along = abs(t.dx) + abs(end.velocity.dx) * measures.sidewaysThrow
        if isSideways, along > screen.size.width * measures.sidewaysShare, screenful.workspace.hasNeighbour(t.dx < 0 ? 1 : -1),
            up < measures.sidewaysRise
        {
            let id = screenful.workspace.current
            try? screenful.workspace.showNeighbour(t.dx < 0 ? 1 : -1, wraps: false)
            screenful.settleDock(false, speed: 0, at: now)
            guard let id else { return }
            let frame = screenful.stage.cardFrame(.space(id), at: now) ?? screen.bounds
            let away = frame.offset(by: Vector(t.dx < 0 ? -screen.size.width : screen.size.width, 0))
            screenful.stage.moveCard(.space(id), to: away, opacity: 0, leaving: true, at: now, spring: screenful.spring)
        } else if speed > measures.homeSpeed || (up > screen.size.height * measures.homeRiseShare && speed > -measures.homeStaySpeed) {
            try? screenful.goHome(at: now, &turn)
        } else if up > measures.switcherRise, speed > -measures.staySpeed {
            try? screenful.openOverview(.switcher, at: now)
        } else {
            if up > measures.dockRise, speed > -measures.staySpeed {
                if screenful.interface.isDockOpen {
                    screenful.settleDock(true, speed: speed, at: now)
                } else {
                    screenful.interface.openDock(at: now, spring: screenful.spring)
                }
            }
            guard let space = screenful.workspace.currentSpace else { return }
            screenful.stage.moveCard(.space(space.id), to: screen.bounds, leaving: true, at: now, spring: screenful.spring)
        }
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if dock != nil { screenful.settleDock(false, speed: 0, at: now) }
        if screenful.interface.isOverviewOpen { screenful.layOverview(at: now) } else { screenful.sendCardsAway(at: now) }
    }
}

extension Hands {
    /// Mostly sideways the swipe changes spaces; mostly upwards it opens the dock, the app switcher or home.
    mutating func beginAtBottom(_ contact: Int32, _ way: Vector, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if abs(way.dx) > abs(way.dy), let space = screenful.workspace.currentSpace, screenful.stage.cards[.space(space.id)] == nil {
            beginPan(contact, way, &screenful, at: now)
        } else {
            beginSwipe(contact, &screenful, at: now)
        }
    }

    /// A finger at the bottom edge stops the space that is moving there: sideways, or as a card.
    mutating func catchSpace(_ contact: Int32, _ screenful: inout Screenful, at now: Moment) -> Bool {
        guard let space = screenful.workspace.currentSpace else { return false }
        if let card = screenful.stage.cards[.space(space.id)], !card.isSettled(at: now) {
            beginSwipe(contact, &screenful, at: now)
            return true
        }
        guard screenful.stage.cards[.space(space.id)] == nil, screenful.stage.isPanning(screenful.workspace, at: now) else { return false }
        beginPan(contact, .zero, &screenful, at: now)
        return true
    }

    /// A finger catches an app that flies home: until it lets go, the app is in front again.
    mutating func catchFlight(_ contact: Int32, _ space: SpaceID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let frame = screenful.stage.cardFrame(.space(space), at: now), let screen = screenful.workspace.screen,
            (try? screenful.workspace.setHome(false)) != nil
        else { return }
        screenful.stage.update(screenful.workspace, at: now, spring: screenful.spring)
        screenful.stage.snapSpaces(screenful.workspace)
        // The home screen's dock stays where it is.
        screenful.interface.openDock(at: now, spring: screenful.spring)
        screenful.interface.dock?.take(at: 1, catching: nil, now: now)
        beginSwipe(contact, &screenful, at: now)
        guard case .swipe(var swipe) = grab else { return }
        swipe.card?.flown = max(0, screen.bounds.maxY - frame.maxY)
        if case .view(let id) = self.contact(contact)?.hit { swipe.card?.pressed = id }
        if let card = swipe.card, let start = self.contact(contact)?.trace.start {
            let anchor = Point(max(0, min(1, card.anchor.x)), max(0, min(1, card.anchor.y)))
            swipe.card!.anchor = anchor
            swipe.card!.offset = frame.map(anchor, from: Rect(0, 0, 1, 1)) - start
        }
        grab = swipe.grab
        turn.ask(.settle())
    }

    /// The finger that stopped the spaces moves up instead of sideways.
    mutating func turnUp(_ contact: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        _ = letGo(&screenful, at: now, &turn)
        screenful.stage.letGoOfSpaces(at: now)
        for index in contacts.indices where contacts[index].id == contact { contacts[index].owner = .shell }
        beginSwipe(contact, &screenful, at: now)
        turn.ask(.settle())
    }

    private mutating func beginSwipe(_ contact: Int32, _ screenful: inout Screenful, at now: Moment) {
        grab = .swipe(SwipeGesture(contact: contact))
        screenful.interface.close(.shelf, at: now, spring: screenful.spring)
        if screenful.interface.focus?.area == .shelf { screenful.interface.focus = nil }
        guard let space = screenful.workspace.currentSpace, !screenful.interface.isOverviewOpen else { return }
        screenful.stage.beginCard(.space(space.id), screenful.workspace, at: now)
        guard let frame = screenful.stage.cardFrame(.space(space.id), at: now), let trace = self.contact(contact)?.trace else { return }
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        let dock = max(0, min(1, screenful.interface.dock?.presence(at: now) ?? 0))
        grab = .swipe(
            SwipeGesture(
                contact: contact, card: SwipedCard(space: space.id, size: frame.size, anchor: anchor), dock: dock))
        // A card caught in flight stays where it is drawn.
        if trace.translation == .zero {
            screenful.stage.holdCard(.space(space.id), at: frame, now: now, spring: .instant, fade: screenful.catching)
        }
    }

    /// The finger rests: the app switcher opens around the card, which stays with the finger.
    mutating func swipeHeld(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard case .swipe(var swipe) = grab, !screenful.interface.isOverviewOpen, let trace = contact(swipe.contact)?.trace,
            trace.velocity(at: now).length < screenful.measures.swipeHoldSpeed
        else { return }
        let hasCard = swipe.card != nil
        if hasCard {
            swipe.card!.isInSwitcher = true
            grab = swipe.grab
        }
        try? screenful.openOverview(.switcher, at: now)
        guard !hasCard else { return }
        // The finger carries nothing: from now on it scrolls the row.
        for index in contacts.indices where contacts[index].id == swipe.contact { contacts[index].trace.restart() }
        catchScrolling(swipe.contact, &screenful, at: now)
    }
}
