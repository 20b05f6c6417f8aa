import Geometry
import Interface
import Stage
import Windows

/// Fingers and the pointer on the shell's own views.
extension System {
    /// A finger or the left button comes down where no app is.
    /// `way`: what it went before that was known.
    mutating func beginOnInterface(_ hit: Hit, _ way: Vector, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        switch hit {
        case .view(let id) where control(id, at: now)?.slide != nil: beginSlide(id, contact: contact, at: now, &effects)
        case .view(let id) where catchMoving(id, contact: contact, at: now): break
        case .view(let id):
            interface.pressed = id
            grab = .view(contact: contact, id: id, isHeld: false)
            if control(id, at: now)?.menu != nil { effects.append(.startTimer(.longPress, at: now + System.longPress)) }
        case .home: catchPages(contact, at: now)
        case .overview: catchScrolling(contact, at: now)
        case .edge(.bottom): beginAtBottom(contact, way, at: now, &effects)
        case .edge: break
        case .outside:
            try? dismiss(at: now)
            settle(at: now, &effects)
        default: break
        }
        revision &+= 1
    }

    /// `after`: what the finger went before it was known to turn the pages.
    private mutating func catchPages(_ contact: Int32, after way: Vector = .zero, at now: Moment) {
        let here = interface.home.scroll.value(at: now)
        interface.home.scroll.set(here)
        grab = .homePan(contact: contact, start: unbanded(here, low: 0, high: pageReach(at: now)) + way.dx * readingWay)
    }

    private func pageReach(at now: Moment) -> Double {
        views(at: now).map { Double($0.pageCount - 1) * $0.pageStep } ?? 0
    }

    private func rowReach(at now: Moment) -> Double {
        guard let overview = interface.overview, let views = views(at: now) else { return 0 }
        return views.overviewLayout(overview.content).reach
    }

    private mutating func catchScrolling(_ contact: Int32, after way: Vector = .zero, at now: Moment) {
        let here = stage.scroll.value(at: now)
        let isCaught = stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving)
        grab = .overviewPan(contact: contact, start: unbanded(here, low: 0, high: rowReach(at: now)) + way.dx, isCaught: isCaught)
        stage.scroll.set(here)
    }

    /// A finger on something that moves stops it, and presses nothing.
    private mutating func catchMoving(_ id: String, contact: Int32, at now: Moment) -> Bool {
        if interface.isOverviewOpen, case .card(let card) = control(id, at: now)?.drag {
            if stage.scroll.isOnItsWay(at: now, by: Stage.stillMoving) {
                catchScrolling(contact, at: now)
                return true
            }
            guard let frame = stage.cardFrame(card, at: now), stage.isInFlight(card, at: now) else { return false }
            grab = .carry(contact: contact, card: card, start: frame, caught: id)
            stage.holdCard(card, at: frame, now: now, spring: .instant)
            return true
        }
        guard id.hasPrefix("home/"), interface.home.scroll.isOnItsWay(at: now, by: Stage.stillMoving) else { return false }
        catchPages(contact, at: now)
        return true
    }

    /// Seconds that a finger rests before a menu opens.
    static let longPress = 0.5
    /// Seconds that a finger which came up from the bottom edge rests before the app switcher opens.
    static let swipeHold = 0.18

    mutating func followOnInterface(_ grab: Grab, _ trace: Trace, at now: Moment, _ effects: inout [Effect]) {
        guard let screen = workspace.screen else { return }
        let t = trace.translation
        switch grab {
        case .view(let contact, let id, let isHeld):
            guard trace.farthest > workspace.idiom.slop else { return }
            if !isHeld { effects.append(.stopTimer(.longPress)) }
            dragFromView(contact, id, isHeld: isHeld, trace, at: now, &effects)
        case .homePan(_, let start):
            interface.home.scroll.set(rubberBand(start - t.dx * readingWay, low: 0, high: pageReach(at: now)))
        case .overviewPan(_, let start, _):
            stage.scroll.set(rubberBand(start - t.dx, low: 0, high: rowReach(at: now)))
        case .carry(let contact, let card, let start, let caught):
            if caught != nil, trace.farthest > workspace.idiom.slop {
                guard abs(t.dy) >= abs(t.dx) else {
                    // It was the row that was meant.
                    stage.releaseCards(at: now)
                    catchScrolling(contact, after: t, at: now)
                    return layOverview(at: now)
                }
                self.grab = .carry(contact: contact, card: card, start: start, caught: nil)
            }
            // Down it gives way only a little.
            let dy = t.dy < 0 ? t.dy : t.dy * 0.2
            stage.holdCard(
                card, at: start.offset(by: Vector(0, dy)), now: now,
                opacity: max(0.3, 1 + min(0, dy) / screen.size.height), spring: catching)
        case .icon(let contact, let app, let old):
            interface.lifted = .init(app: app, center: trace.point)
            let target = iconTarget(trace, app, screen)
            if target != old {
                self.grab = .icon(contact: contact, app: app, target: target)
                stage.showPreview(target.flatMap { previewFrame($0, nil, screen) }, at: now, spring: spring)
            }
        case .swipe(_, let card): followSwipe(card, trace, screen, at: now, &effects)
        case .slide(let contact, let id, let start): followSlide(id, from: start, trace, isPointer: contact == Contact.pointer, at: now, &effects)
        case .pull(_, let panel):
            guard t.dy > workspace.idiom.pullDistance, !interface.isPanelOpen else { return }
            togglePanel(panel, at: now)
            settle(at: now, &effects)
        default: break
        }
    }

    /// A press became a drag: of the icon, of the card, or of what is behind them.
    private mutating func dragFromView(
        _ contact: Int32, _ id: String, isHeld: Bool, _ trace: Trace, at now: Moment, _ effects: inout [Effect]
    ) {
        let drag = control(id, at: now)?.drag ?? dragUnderMenu(id)
        let t = trace.translation
        let isUpright = abs(t.dy) > abs(t.dx)
        interface.pressed = nil
        switch drag {
        case .app(let app) where isHeld || id.hasPrefix("dock/") || contact == Contact.pointer:
            interface.close(.popover, at: now, spring: spring)
            grab = .icon(contact: contact, app: app, target: nil)
        case .card(let card) where isUpright && t.dy < 0:
            guard let frame = stage.cardFrame(card, at: now) else { return }
            grab = .carry(contact: contact, card: card, start: frame, caught: nil)
        case .app where id.hasPrefix("home/"):
            catchPages(contact, after: t, at: now)
        case _ where isPipControl(id):
            // The picture is moved by its buttons, too.
            guard let window = workspace.pip?.window else { return }
            begin(.picture(window), contact: contact, at: now, &effects)
        case _ where interface.isOverviewOpen:
            catchScrolling(contact, after: t, at: now)
        case _ where id == "indicator":
            beginAtBottom(contact, t, at: now, &effects)
        default:
            // Once it has left the control nothing is pressed.
            if !isHeld, isInside(id, trace.point, at: now) { interface.pressed = id }
            return
        }
        if let grab { follow(grab, at: now, &effects) }
    }

    /// Under its own menu an icon is no control, but the finger still holds it.
    private func dragUnderMenu(_ id: String) -> ViewControl.Drag? {
        for prefix in ["home/", "dock/"] where id.hasPrefix(prefix) { return .app(String(id.dropFirst(prefix.count))) }
        return nil
    }

    private func isInside(_ id: String, _ point: Point, at now: Moment) -> Bool {
        guard let control = control(id, at: now) else { return false }
        return control.target.inset(by: -8).contains(point)
    }

    mutating func endOnInterface(_ grab: Grab, _ trace: Trace, _ velocity: Vector, _ screen: Screen, at now: Moment, _ effects: inout [Effect]) {
        let isTap = trace.farthest <= workspace.idiom.slop
        switch grab {
        case .view(_, let id, let isHeld):
            effects.append(.stopTimer(.longPress))
            interface.pressed = nil
            let t = trace.translation
            if !isHeld, t.dy < -40, abs(t.dy) > abs(t.dx), let close = control(id, at: now)?.close {
                // Flicked up: a window of the shelf closes, as a card of the app switcher does.
                do { try perform(close, at: now, &effects) } catch { effects.append(.refuse(error)) }
                return
            }
            guard !isHeld, isInside(id, trace.point, at: now), let press = control(id, at: now)?.press else { return }
            interface.focus = nil
            // What it opens comes out of it.
            interface.pressed = id
            do { try perform(press, at: now, &effects) } catch { effects.append(.refuse(error)) }
            interface.pressed = nil
            usePipControl(id)
        case .homePan(_, let start):
            let width = max(1, screen.usable.width)
            if isTap {
                if interface.home.search != nil { endSearch(at: now) }
                showPage(Int((start / width).rounded()), at: now)
            } else if interface.home.search == nil, trace.translation.dy > 60, trace.translation.dy > abs(trace.translation.dx) {
                try? beginSearch(nil, at: now)
            } else {
                let page = Int((start / width).rounded()), speed = velocity.dx * readingWay
                let here = start - trace.translation.dx * readingWay - projectedDistance(velocity: speed)
                // A flick turns one page, however hard it was.
                showPage(max(page - 1, min(page + 1, Int((here / width).rounded()))), at: now, velocity: -speed)
            }
        case .overviewPan(_, let start, let isCaught):
            if isTap, !isCaught { return closeOverview(at: now) }
            let here = start - trace.translation.dx
            scrollOverview(to: here - velocity.dx * 0.45, at: now, velocity: -velocity.dx)
        case .carry(_, _, _, let caught?) where isTap:
            stage.releaseCards(at: now)
            guard let press = control(caught, at: now)?.press else { return layOverview(at: now) }
            do { try perform(press, at: now, &effects) } catch { effects.append(.refuse(error)) }
        case .carry(_, let card, _, _): endCarry(card, trace, velocity, screen, at: now, &effects)
        case .icon(_, let app, let target):
            interface.lifted = nil
            guard let target else { return }
            let destination: Destination? = switch target {
            case .fullScreen: nil
            case .split(let side): .splitView(side)
            case .slideOver: .slideOver
            case .picture: .pictureInPicture
            }
            do {
                try openApp(app, to: destination, at: now, &effects)
                if case .slideOver(let side) = target, workspace.slideOver.front != nil { try workspace.setSlideOverSide(side) }
            } catch { effects.append(.refuse(error)) }
        case .swipe(_, let card): endSwipe(card, trace, velocity, screen, at: now, &effects)
        case .slide: endSlide(at: now, &effects)
        default: break
        }
    }

    /// 1 where people read from left to right, -1 where they read from right to left: pages follow the other way.
    var readingWay: Double { preferences.appearance.isRightToLeft ? -1 : 1 }

    /// Flung or carried up far enough the card's windows close; else it goes back.
    private mutating func endCarry(_ card: CardID, _ trace: Trace, _ velocity: Vector, _ screen: Screen, at now: Moment, _ effects: inout [Effect]) {
        guard let frame = stage.cardFrame(card, at: now) else { return }
        let rise = -(trace.translation.dy + projectedDistance(velocity: velocity.dy))
        guard rise > max(120, frame.height * 0.4), velocity.dy < 120 else {
            stage.releaseCards(at: now)
            return layOverview(at: now)
        }
        stage.releaseCards(at: now)
        closeOut(windows(of: card), at: now, &effects)
        stage.moveCard(
            card, to: Rect(frame.x, -frame.height - 80, frame.width, frame.height), opacity: 0, at: now, spring: spring)
        layOverview(at: now)
    }

    // MARK: An icon in the hand

    /// Edges make a split, the middle Slide Over.
    private func iconTarget(_ trace: Trace, _ app: String, _ screen: Screen) -> DropTarget? {
        guard trace.translation.length > 60 else { return nil }
        let room = screen.usable, p = trace.point
        if p.y > room.maxY - 110 { return nil }
        // Over the home screen there is no place to drop it: it goes back.
        guard workspace.currentSpace != nil else { return nil }
        let edge = max(72, room.width * 0.1)
        let open = workspace.windows(of: app).first
        let isAlone = workspace.currentSpace.map { space in open.map { space.windows == [$0] } ?? false } ?? false
        if workspace.idiom.hasSplitView, !isAlone || !(workspace.app(app)?.isSingleWindow ?? true) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
        }
        guard workspace.idiom.hasSlideOver else { return .fullScreen }
        return .slideOver(p.x < room.center.x ? .left : .right)
    }

    mutating func longPressed(at now: Moment, _ effects: inout [Effect]) {
        guard case .view(let contact, let id, _) = grab, let menu = control(id, at: now)?.menu else { return }
        grab = .view(contact: contact, id: id, isHeld: true)
        do { try perform(menu, at: now, &effects) } catch { effects.append(.refuse(error)) }
        interface.pressed = nil
    }

    // MARK: Up from the bottom edge

    /// Mostly along the edge it goes between spaces, mostly up to the dock, the app switcher and home.
    mutating func beginAtBottom(_ contact: Int32, _ way: Vector, at now: Moment, _ effects: inout [Effect]) {
        if abs(way.dx) > abs(way.dy), let space = workspace.currentSpace, stage.cards[.space(space.id)] == nil {
            beginPan(contact, way, at: now)
        } else {
            beginSwipe(contact, at: now)
        }
    }

    private mutating func beginPan(_ contact: Int32, _ way: Vector, at now: Moment) {
        stage.takeSpace(workspace, at: now, catching: way == .zero ? nil : catching)
        let start = stage.panned(workspace, at: now)
        grab = .pan(contact: contact, start: start)
        if way == .zero { push(by: start, at: now) }
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
        settle(at: now, &effects)
    }

    mutating func beginSwipe(_ contact: Int32, at now: Moment) {
        grab = .swipe(contact: contact, nil)
        interface.close(.shelf, at: now, spring: spring)
        guard let space = workspace.currentSpace, !interface.isOverviewOpen else { return }
        stage.beginCard(.space(space.id), workspace, at: now)
        guard let frame = stage.cardFrame(.space(space.id), at: now), let trace = contacts.first(where: { $0.id == contact })?.trace
        else { return }
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        grab = .swipe(contact: contact, SwipedCard(space: space.id, size: frame.size, anchor: anchor))
        // Caught in flight it stays where it is drawn.
        if trace.translation == .zero { stage.holdCard(.space(space.id), at: frame, now: now, spring: .instant) }
        revision &+= 1
    }

    private mutating func followSwipe(_ card: SwipedCard?, _ trace: Trace, _ screen: Screen, at now: Moment, _ effects: inout [Effect]) {
        if let card { stage.holdCard(.space(card.space), at: swipeFrame(card, trace, screen), now: now, spring: catching) }
        if rise(trace) > 90, !interface.isOverviewOpen {
            effects.append(.startTimer(.swipeHold, at: now + System.swipeHold))
        } else {
            effects.append(.stopTimer(.swipeHold))
        }
    }

    /// How far a finger went up since it is known to.
    private func rise(_ trace: Trace) -> Double { -trace.translation.dy - workspace.idiom.slop }

    /// The space under the finger, smaller the higher it goes; the point of it that was taken stays under the finger.
    private func swipeFrame(_ card: SwipedCard, _ trace: Trace, _ screen: Screen) -> Rect {
        let up = rubberBand(-trace.translation.dy, low: 0, high: screen.size.height, give: 0.1)
        let taken = card.size.width / max(1, screen.size.width)
        let scale = max(min(0.28, taken), taken - 1.15 * up / max(1, screen.size.height)) / max(0.001, taken)
        let width = card.size.width * min(scale, max(1, 1 / max(0.001, taken))), height = card.size.height * width / max(1, card.size.width)
        let y = trace.start.y - up - card.anchor.y * height
        return Rect(trace.point.x - card.anchor.x * width, max(y, -height * 0.2), width, height)
    }

    /// The finger rests: the app switcher opens around the card, which stays in the hand.
    mutating func swipeHeld(at now: Moment, _ effects: inout [Effect]) {
        guard case .swipe(let contact, let card) = grab, !interface.isOverviewOpen,
            let trace = contacts.first(where: { $0.id == contact })?.trace, trace.velocity(at: now).length < 250
        else { return }
        if var card {
            card.isInSwitcher = true
            grab = .swipe(contact: contact, card)
        }
        try? openOverview(.switcher, at: now)
        guard card == nil else { return }
        // There is nothing in the hand: the finger goes on with the row.
        for index in contacts.indices where contacts[index].id == contact { contacts[index].trace.restart() }
        catchScrolling(contact, at: now)
    }

    private mutating func endSwipe(
        _ card: SwipedCard?, _ trace: Trace, _ velocity: Vector, _ screen: Screen, at now: Moment, _ effects: inout [Effect]
    ) {
        effects.append(.stopTimer(.swipeHold))
        stage.releaseCards(at: now)
        let t = trace.translation
        let up = rise(trace), speed = -velocity.dy
        let isSideways = abs(t.dx) > abs(t.dy) * 1.2
        if let card, card.isInSwitcher, interface.isOverviewOpen {
            // Lifted out of the switcher: flung up home, down again back to the app, else it takes its place there.
            if speed > 350 {
                try? goHome(at: now)
            } else if speed < -350 || up < 60 {
                closeOverview(at: now)
            } else {
                layOverview(at: now)
            }
            return
        }
        if interface.isOverviewOpen || workspace.showsHome {
            guard up > 40 || speed > 300 else { return }
            if interface.isOverviewOpen {
                try? goHome(at: now)
            } else if speed < 250, up > 90 {
                try? openOverview(.switcher, at: now)
            } else {
                // Home it is already.
                endSearch(at: now)
                showPage(0, at: now)
            }
            return
        }
        if isSideways, abs(t.dx) + abs(velocity.dx) * 0.2 > screen.size.width * 0.12, workspace.spaces.count > 1, up < 140 {
            let id = workspace.current
            try? workspace.showNeighbour(t.dx < 0 ? 1 : -1)
            if let id {
                let frame = stage.cardFrame(.space(id), at: now) ?? screen.bounds
                let away = frame.offset(by: Vector(t.dx < 0 ? -screen.size.width : screen.size.width, 0))
                stage.moveCard(.space(id), to: away, opacity: 0, leaving: true, at: now, spring: spring)
            }
        } else if speed > 350 || (up > screen.size.height * 0.45 && speed > -100) {
            try? goHome(at: now)
        } else if up > 90, speed > -150 {
            try? openOverview(.switcher, at: now)
        } else {
            if up > 14, speed > -150 { openDock(at: now) }
            if let space = workspace.currentSpace {
                stage.moveCard(.space(space.id), to: screen.bounds, leaving: true, at: now, spring: spring)
            }
        }
    }

    /// Something took the finger away: what it held goes back.
    mutating func cancelOnInterface(_ grab: Grab, at now: Moment, _ effects: inout [Effect]) {
        interface.pressed = nil
        interface.lifted = nil
        interface.sliding = nil
        effects.append(.stopTimer(.longPress))
        effects.append(.stopTimer(.swipeHold))
        stage.releaseCards(at: now)
        switch grab {
        case .homePan: showPage(interface.home.page, at: now)
        case .swipe: interface.isOverviewOpen ? layOverview(at: now) : sendCardsAway(at: now)
        case .carry, .overviewPan:
            scrollOverview(to: stage.scroll.target, at: now)
            layOverview(at: now)
        default: break
        }
    }
}
