import Geometry
import Interface
import OrderedCollections
import Stage
import Windows

/// The app switcher and App Exposé: all spaces or windows as cards.
extension Screenful {
    mutating func toggleOverview(_ kind: Interface.Overview, at now: Moment) throws(Refusal) {
        if interface.isOverviewOpen, interface.overview?.content == kind { return closeOverview(at: now) }
        try openOverview(kind, at: now)
    }

    mutating func openOverview(_ kind: Interface.Overview, at now: Moment) throws(Refusal) {
        guard let screen = workspace.screen else { throw Refusal("there is no screen") }
        if case .expose = kind { try requireSeveralWindows() }
        if case .expose(let app) = kind, workspace.windows(of: app).isEmpty { throw Refusal("no window of \(app) is open") }
        closeViews(at: now, keepOverview: true)
        endSearch(at: now)
        if interface.overview?.content != kind {
            // Cards of the other kind leave.
            for id in stage.cards.keys {
                let frame = stage.cardFrame(id, at: now) ?? screen.bounds
                if !(stage.cards[id]?.isHeld ?? false), interface.overview != nil {
                    stage.moveCard(id, to: frame, opacity: 0, leaving: true, at: now, spring: spring)
                }
            }
            let views = views(at: now)
            stage.scroll.set(views?.isFromEnd ?? false ? views?.overviewLayout(kind).reach ?? 0 : 0)
        }
        interface.overview.present(kind, at: now, spring: spring)
        layOverview(at: now)
    }

    /// Moves the cards to their places after windows came or went, the screen turned or a finger let go.
    mutating func layOverview(isRowHeld: Bool = false, at now: Moment) {
        guard let overview = interface.overview, overview.isOpen, let views = views(at: now), let screen = workspace.screen
        else { return }
        let layout = views.overviewLayout(overview.content)
        var placed: OrderedSet<CardID> = []
        for place in layout.places {
            placed.append(place.card)
            if stage.cards[place.card] == nil {
                if isSeen(place.card) || windows(of: place.card).contains(where: { stage.shown[$0] != nil }) {
                    stage.beginCard(place.card, workspace, at: now)
                } else {
                    // Other cards slide in from the reading direction, those of the stack from below. None fades, which would cost
                    // more than moving.
                    let side = views.isFromEnd ? -screen.size.width : screen.size.width
                    let way = place.isScrolled ? Vector(side, 0) : Vector(0, screen.size.height - place.frame.minY + 40)
                    stage.beginCard(place.card, from: place.frame.offset(by: way), workspace, at: now)
                }
            }
            guard !(stage.cards[place.card]?.isHeld ?? false) else { continue }
            stage.moveCard(
                place.card, to: place.frame, scrolled: place.isScrolled, at: now, spring: spring)
        }
        for id in stage.cards.keys where !placed.contains(id) && !(stage.cards[id]?.isLeaving ?? true) && !isClosing(id) {
            let frame = stage.cardFrame(id, at: now) ?? screen.bounds
            stage.moveCard(id, to: frame, opacity: 0, leaving: true, at: now, spring: spring)
        }
        guard !isRowHeld else { return }
        let within = max(0, min(layout.reach, stage.scroll.target))
        if stage.scroll.target != within { stage.scroll.retarget(within, at: now, spring: spring) }
    }

    /// Whether it is drawn in its place right now, so that its card starts there.
    private func isSeen(_ card: CardID) -> Bool {
        switch card {
        case .space(let space): workspace.currentSpace?.id == space
        case .window(let window): workspace.isShown(window)
        }
    }

    private func isClosing(_ card: CardID) -> Bool { windows(of: card).contains(where: workspace.isCardOut) }

    func windows(of card: CardID) -> [WindowID] {
        switch card {
        case .space(let space): workspace.space(space)?.windows ?? []
        case .window(let window): [window]
        }
    }

    /// Moves the cards to where their windows are now, or fades them.
    mutating func closeOverview(at now: Moment) {
        guard interface.isOverviewOpen else { return }
        interface.close(.overview, at: now, spring: spring)
        interface.focus = nil
        sendCardsAway(at: now)
    }

    mutating func sendCardsAway(at now: Moment) {
        guard let screen = workspace.screen else { return }
        let frames = workspace.frames()
        let chosen = stage.cards.keys.first { isSeen($0) }.flatMap { stage.cardFrame($0, at: now) }
        let middle = chosen?.center.x ?? screen.bounds.center.x
        for id in stage.cards.keys where !(stage.cards[id]?.isLeaving ?? true) {
            let here = stage.cardFrame(id, at: now) ?? screen.bounds
            guard isSeen(id) else {
                if workspace.showsHome {
                    stage.moveCard(id, to: here, opacity: 0, leaving: true, at: now, spring: spring)
                } else {
                    // The other cards move out of the way of the one that grows.
                    let side = here.center.x < middle ? -screen.size.width : screen.size.width
                    stage.moveCard(id, to: here.offset(by: Vector(side, 0)), leaving: true, at: now, spring: spring)
                }
                continue
            }
            switch id {
            case .space: stage.moveCard(id, to: screen.bounds, leaving: true, at: now, spring: spring)
            case .window(let window):
                stage.moveCard(id, to: frames[window] ?? here, leaving: true, at: now, spring: spring)
            }
        }
        stage.update(workspace, at: now, spring: spring)
        stage.snapSpaces(workspace)
    }

    func rowReach(at now: Moment) -> Double {
        guard let overview = interface.overview, let views = views(at: now) else { return 0 }
        return views.overviewLayout(overview.content).reach
    }

    mutating func scrollOverview(to offset: Double, at now: Moment, velocity: Double? = nil) {
        guard let overview = interface.overview, let views = views(at: now) else { return }
        let target = max(0, min(views.overviewLayout(overview.content).reach, offset))
        stage.scroll.retarget(
            target, at: now, spring: momentum,
            velocity: velocity.map { tamed($0, over: target - stage.scroll.value(at: now), momentum) })
    }

    /// Windows that were asked to close, and are still there, reappear.
    mutating func closePatienceEnded(isRowHeld: Bool, at now: Moment) {
        guard workspace.isAnyCardOut else { return }
        workspace.bringCardsBack()
        layOverview(isRowHeld: isRowHeld, at: now)
    }
}
