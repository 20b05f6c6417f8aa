import Geometry
import Interface
import Stage
import Windows

/// Scrolls the pages of the home screen; a pull down opens the search.
struct HomePanGesture: Gesture {
    var contact: Int32
    /// The scroll position when the pan began.
    var start: Double

    var contacts: [Int32] { [contact] }
    var grab: Grab { .homePan(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        // The focused control may leave the screen with its page.
        screenful.interface.focus = nil
        let place = start - trace.translation.dx * screenful.readingWay
        screenful.interface.home.scroll.set(rubberBand(place, low: 0, high: screenful.pageReach(at: now)))
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let width = max(1, end.screen.usable.width), t = end.trace.translation
        if end.isTap {
            if screenful.interface.home.search != nil { screenful.endSearch(at: now) }
            screenful.showPage(Int(clamping: (start / width).rounded()), at: now)
        } else if screenful.interface.home.search == nil, t.dy > screenful.measures.searchPull, t.dy > abs(t.dx) {
            try? screenful.beginSearch(nil, at: now, &turn)
        } else {
            let page = Int(clamping: (start / width).rounded()), speed = end.velocity.dx * screenful.readingWay
            let here = start - t.dx * screenful.readingWay - projectedDistance(velocity: speed)
            // A flick turns one page, however fast it was.
            screenful.showPage(max(page - 1, min(page + 1, Int(clamping: (here / width).rounded()))), at: now, velocity: -speed)
        }
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.showPage(screenful.interface.home.page, at: now)
    }
}

/// Scrolls the row of the app switcher.
struct RowPanGesture: Gesture {
    var contact: Int32
    /// The scroll position when the pan began.
    var start: Double
    /// Whether the row was still scrolling when the finger came down.
    var isCaught: Bool

    var contacts: [Int32] { [contact] }
    var grab: Grab { .overviewPan(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        // The focused card may leave the screen.
        screenful.interface.focus = nil
        screenful.stage.scroll.set(rubberBand(start - trace.translation.dx, low: 0, high: screenful.rowReach(at: now)))
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if end.isTap, !isCaught { return screenful.closeOverview(at: now) }
        let here = start - end.trace.translation.dx
        screenful.scrollOverview(to: here - end.velocity.dx * screenful.measures.rowThrow, at: now, velocity: -end.velocity.dx)
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.scrollOverview(to: screenful.stage.scroll.target, at: now)
        screenful.layOverview(at: now)
    }
}

/// Carries a card of the app switcher; upwards closes it (S-02).
struct CarryGesture: Gesture {
    var contact: Int32
    var card: CardID
    var start: Rect
    /// The control for the card, while the finger that caught it in flight has not moved.
    var caught: ControlID?

    var contacts: [Int32] { [contact] }
    var grab: Grab { .carry(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        let t = trace.translation, measures = screenful.measures
        if caught != nil, trace.farthest > screenful.workspace.idiom.slop {
            guard abs(t.dy) >= abs(t.dx) else {
                // The person meant the row.
                screenful.stage.releaseCards(at: now)
                hands.catchScrolling(contact, after: t, &screenful, at: now)
                return screenful.layOverview(at: now)
            }
            var next = self
            next.caught = nil
            hands.grab = next.grab
        }
        // Downwards the card yields only a little.
        let dy = t.dy < 0 ? t.dy : t.dy * measures.cardSink
        // A card that can be dropped on a space follows the finger wherever it goes.
        let dx = screenful.workspace.idiom.free.spaces && caught == nil ? t.dx : 0
        screenful.stage.holdCard(
            card, at: start.offset(by: Vector(dx, dy)), now: now,
            opacity: max(measures.cardPalest, 1 + min(0, dy) / screen.size.height), spring: screenful.catching)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if let caught, end.isTap {
            screenful.stage.releaseCards(at: now)
            guard let press = screenful.control(caught, at: now)?.press else { return screenful.layOverview(at: now) }
            return hands.attempt(press, &screenful, at: now, &turn)
        }
        if case .window(let window) = card, let space = screenful.views(at: now)?.spaceTile(at: end.trace.point) {
            screenful.stage.releaseCards(at: now)
            hands.attempt(.putInSpace(window: window, space), &screenful, at: now, &turn)
            return screenful.layOverview(at: now)
        }
        // Flung or carried up far enough, the card's windows close; otherwise it goes back.
        guard let frame = screenful.stage.cardFrame(card, at: now) else { return }
        let measures = screenful.measures
        let rise = -(end.trace.translation.dy + end.projected.dy)
        screenful.stage.releaseCards(at: now)
        guard rise > max(measures.cardRise, frame.height * measures.cardRiseShare), end.velocity.dy < measures.cardFallSpeed
        else { return screenful.layOverview(at: now) }
        screenful.stage.moveCard(
            card, to: Rect(frame.x, -frame.height - measures.cardAway, frame.width, frame.height), opacity: 0, at: now,
            spring: screenful.spring)
        // The others move to their places when everything settles.
        turn.ask(.close(screenful.workspace.windows(of: card)))
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.scrollOverview(to: screenful.stage.scroll.target, at: now)
        screenful.layOverview(at: now)
    }
}

extension Hands {
    /// `after`: how far the finger moved before the gesture was recognised.
    mutating func catchPages(_ contact: Int32, after way: Vector = .zero, _ screenful: inout Screenful, at now: Moment) {
        let here = screenful.interface.home.scroll.value(at: now)
        screenful.interface.home.scroll.set(here)
        let start = unbanded(here, low: 0, high: screenful.pageReach(at: now)) + way.dx * screenful.readingWay
        grab = .homePan(HomePanGesture(contact: contact, start: start))
    }

    mutating func catchScrolling(_ contact: Int32, after way: Vector = .zero, _ screenful: inout Screenful, at now: Moment) {
        let here = screenful.stage.scroll.value(at: now)
        let isCaught = screenful.stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving)
        let start = unbanded(here, low: 0, high: screenful.rowReach(at: now)) + way.dx
        grab = .overviewPan(RowPanGesture(contact: contact, start: start, isCaught: isCaught))
        screenful.stage.scroll.set(here)
    }

    /// A finger on something that moves stops it and presses nothing.
    mutating func catchMoving(_ id: ControlID, contact: Int32, _ screenful: inout Screenful, at now: Moment) -> Bool {
        if screenful.interface.isOverviewOpen, case .card(let card) = screenful.control(id, at: now)?.drag {
            if screenful.stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving) {
                catchScrolling(contact, &screenful, at: now)
                return true
            }
            guard let frame = screenful.stage.cardFrame(card, at: now), screenful.stage.isInFlight(card, at: now) else { return false }
            grab = .carry(CarryGesture(contact: contact, card: card, start: frame, caught: id))
            screenful.stage.holdCard(card, at: frame, now: now, spring: .instant)
            // A card that is not at rest has no header, where the keyboard may be.
            screenful.interface.focus = nil
            return true
        }
        if id.area == .modal { return catchCard(screenful.cardView(of: id, at: now), contact: contact, &screenful, at: now) }
        guard id.area == .home, screenful.interface.home.scroll.isOnItsWay(at: now, by: Stage.stillMoving) else { return false }
        catchPages(contact, &screenful, at: now)
        return true
    }
}
