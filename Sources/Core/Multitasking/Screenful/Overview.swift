import Geometry
import Interface
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
        guard let overview = interface.overview, overview.isOpen, let views = views(at: now) else { return }
        stage.layCards(
            views.overviewLayout(overview.content), workspace, isFromEnd: views.isFromEnd, isRowHeld: isRowHeld, at: now, spring: spring)
    }

    /// Moves the cards to where their windows are now, or fades them.
    mutating func closeOverview(at now: Moment) {
        guard interface.isOverviewOpen else { return }
        interface.close(.overview, at: now, spring: spring)
        interface.focus = nil
        sendCardsAway(at: now)
    }

    mutating func sendCardsAway(at now: Moment) { stage.sendCardsAway(workspace, at: now, spring: spring) }

    func rowReach(at now: Moment) -> Double {
        guard let overview = interface.overview, let views = views(at: now) else { return 0 }
        return views.overviewLayout(overview.content).reach
    }

    mutating func scrollOverview(to offset: Double, at now: Moment, velocity: Double? = nil) {
        guard let overview = interface.overview, let views = views(at: now) else { return }
        let target = max(0, min(views.overviewLayout(overview.content).reach, offset))
        stage.scroll.retarget(
            target, at: now, spring: momentum,
            velocity: velocity.map { momentum.tamed($0, over: target - stage.scroll.value(at: now)) })
    }

    /// Windows that were asked to close, and are still there, reappear.
    mutating func closePatienceEnded(isRowHeld: Bool, at now: Moment) {
        guard workspace.isAnyCardOut else { return }
        workspace.bringCardsBack()
        layOverview(isRowHeld: isRowHeld, at: now)
    }

    /// A finger pans the space in front along the bottom edge.
    mutating func push(by dx: Double, to step: Int? = nil, at now: Moment) {
        let found = workspace.neighbours(dx, step)
        // It leaves on the side opposite the one from which the next space enters.
        let exit = step.flatMap { step in found.last.map { found.count > 1 || $0.side == Double(step) ? -Double(step) : Double(step) } }
        stage.pan(workspace, neighbours: found, by: dx, exit: exit ?? (dx < 0 ? -1 : 1), at: now)
    }
}
