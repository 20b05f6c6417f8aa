import Geometry
import Interface
import Stage
import Windows

/// The pages of the home screen; pulled down they give way to the search.
struct HomePanGesture: Gesture {
    var contact: Int32
    /// How far they were scrolled.
    var start: Double

    var contacts: [Int32] { [contact] }
    var grab: Grab { .homePan(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        // The control that the keyboard is at may leave the screen with its page.
        system.interface.focus = nil
        let place = start - trace.translation.dx * system.readingWay
        system.interface.home.scroll.set(rubberBand(place, low: 0, high: system.pageReach(at: now)))
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let width = max(1, end.screen.usable.width), t = end.trace.translation
        if end.isTap {
            if system.interface.home.search != nil { system.endSearch(at: now) }
            system.showPage(Int((start / width).rounded()), at: now)
        } else if system.interface.home.search == nil, t.dy > system.measures.searchPull, t.dy > abs(t.dx) {
            try? system.beginSearch(nil, at: now)
        } else {
            let page = Int((start / width).rounded()), speed = end.velocity.dx * system.readingWay
            let here = start - t.dx * system.readingWay - projectedDistance(velocity: speed)
            // A flick turns one page, however hard it was.
            system.showPage(max(page - 1, min(page + 1, Int((here / width).rounded()))), at: now, velocity: -speed)
        }
    }

    func cancelled(in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.showPage(system.interface.home.page, at: now)
    }
}

/// The row of the app switcher.
struct RowPanGesture: Gesture {
    var contact: Int32
    /// How far it was scrolled.
    var start: Double
    /// It was still scrolling.
    var isCaught: Bool

    var contacts: [Int32] { [contact] }
    var grab: Grab { .overviewPan(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        // The card that the keyboard is at may leave the screen.
        system.interface.focus = nil
        system.stage.scroll.set(rubberBand(start - trace.translation.dx, low: 0, high: system.rowReach(at: now)))
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        if end.isTap, !isCaught { return system.closeOverview(at: now) }
        let here = start - end.trace.translation.dx
        system.scrollOverview(to: here - end.velocity.dx * system.measures.rowThrow, at: now, velocity: -end.velocity.dx)
    }

    func cancelled(in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.scrollOverview(to: system.stage.scroll.target, at: now)
        system.layOverview(at: now)
    }
}

/// A card of the app switcher, upwards to close it (W-08).
struct CarryGesture: Gesture {
    var contact: Int32
    var card: CardID
    var start: Rect
    /// The control that the card is, while the finger that caught it in flight has not moved.
    var caught: ControlID?

    var contacts: [Int32] { [contact] }
    var grab: Grab { .carry(self) }

    func moved(_ trace: Trace, on screen: Screen, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        let t = trace.translation, measures = system.measures
        if caught != nil, trace.farthest > system.workspace.idiom.slop {
            guard abs(t.dy) >= abs(t.dx) else {
                // It was the row that was meant.
                system.stage.releaseCards(at: now)
                system.catchScrolling(contact, after: t, at: now)
                return system.layOverview(at: now)
            }
            var next = self
            next.caught = nil
            system.grab = next.grab
        }
        // Down it gives way only a little.
        let dy = t.dy < 0 ? t.dy : t.dy * measures.cardSink
        system.stage.holdCard(
            card, at: start.offset(by: Vector(0, dy)), now: now,
            opacity: max(measures.cardPalest, 1 + min(0, dy) / screen.size.height), spring: system.catching)
    }

    func ended(_ end: GestureEnd, in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        if let caught, end.isTap {
            system.stage.releaseCards(at: now)
            guard let press = system.control(caught, at: now)?.press else { return system.layOverview(at: now) }
            return system.attempt(press, at: now, &effects)
        }
        // Flung or carried up far enough the card's windows close; else it goes back.
        guard let frame = system.stage.cardFrame(card, at: now) else { return }
        let measures = system.measures
        let rise = -(end.trace.translation.dy + end.projected.dy)
        system.stage.releaseCards(at: now)
        guard rise > max(measures.cardRise, frame.height * measures.cardRiseShare), end.velocity.dy < measures.cardFallSpeed
        else { return system.layOverview(at: now) }
        system.closeOut(system.windows(of: card), at: now, &effects)
        system.stage.moveCard(
            card, to: Rect(frame.x, -frame.height - measures.cardAway, frame.width, frame.height), opacity: 0, at: now, spring: system.spring)
        system.layOverview(at: now)
    }

    func cancelled(in system: inout System, at now: Moment, _ effects: inout [Effect]) {
        system.scrollOverview(to: system.stage.scroll.target, at: now)
        system.layOverview(at: now)
    }
}

extension System {
    /// `after`: what the finger went before it was known to turn the pages.
    mutating func catchPages(_ contact: Int32, after way: Vector = .zero, at now: Moment) {
        let here = interface.home.scroll.value(at: now)
        interface.home.scroll.set(here)
        let start = unbanded(here, low: 0, high: pageReach(at: now)) + way.dx * readingWay
        grab = .homePan(HomePanGesture(contact: contact, start: start))
    }

    func pageReach(at now: Moment) -> Double {
        views(at: now).map { Double($0.pageCount - 1) * $0.pageStep } ?? 0
    }

    func rowReach(at now: Moment) -> Double {
        guard let overview = interface.overview, let views = views(at: now) else { return 0 }
        return views.overviewLayout(overview.content).reach
    }

    mutating func catchScrolling(_ contact: Int32, after way: Vector = .zero, at now: Moment) {
        let here = stage.scroll.value(at: now)
        let isCaught = stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving)
        let start = unbanded(here, low: 0, high: rowReach(at: now)) + way.dx
        grab = .overviewPan(RowPanGesture(contact: contact, start: start, isCaught: isCaught))
        stage.scroll.set(here)
    }

    /// A finger on something that moves stops it, and presses nothing.
    mutating func catchMoving(_ id: ControlID, contact: Int32, at now: Moment) -> Bool {
        if interface.isOverviewOpen, case .card(let card) = control(id, at: now)?.drag {
            if stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving) {
                catchScrolling(contact, at: now)
                return true
            }
            guard let frame = stage.cardFrame(card, at: now), stage.isInFlight(card, at: now) else { return false }
            grab = .carry(CarryGesture(contact: contact, card: card, start: frame, caught: id))
            stage.holdCard(card, at: frame, now: now, spring: .instant)
            return true
        }
        guard id.area == .home, interface.home.scroll.isOnItsWay(at: now, by: Stage.stillMoving) else { return false }
        catchPages(contact, at: now)
        return true
    }

    /// 1 where people read from left to right, -1 where they read from right to left: pages follow the other way.
    var readingWay: Double { preferences.appearance.isRightToLeft ? -1 : 1 }
}
