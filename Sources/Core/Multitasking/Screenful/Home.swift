import Geometry
import Interface
import Stage
import Windows

/// The home screen: going there and back, its pages, and the search.
extension Screenful {
    mutating func goHome(at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let screen = workspace.screen else { throw Refusal("there is no screen") }
        let wasOverview = interface.isOverviewOpen
        // A program's view over the whole screen does not keep a person from home.
        let standsAside = modality.hasViewsOverScreen
        if standsAside { turn.ask(.modality(.standsAside)) }
        if workspace.isHome || (workspace.showsHome && !wasOverview) {
            if standsAside || interface.home.search != nil || interface.isModal || interface.isShelfOpen {
                endSearch(at: now)
                return closeViews(at: now)
            }
            guard !workspace.spaces.isEmpty || !workspace.slideOver.stack.isEmpty else {
                turn.ask(.modality(.comesBack))
                return showPage(0, at: now)
            }
            return try leaveHome(at: now)
        }
        let video = keepVideoInSight(at: now, &turn)
        let space = video == nil ? workspace.currentSpace : nil
        try workspace.setHome(true)
        closeViews(at: now, keepOverview: true)
        interface.close(.overview, at: now, spring: spring)
        for id in stage.cards.keys where space.map({ id != .space($0.id) }) ?? true {
            let frame = stage.cardFrame(id, at: now) ?? screen.bounds
            stage.moveCard(id, to: frame, opacity: 0, leaving: true, at: now, spring: spring)
        }
        guard let space else { return }
        stage.beginCard(.space(space.id), workspace, at: now)
        stage.moveCard(
            .space(space.id), to: views(at: now)?.iconRect(of: space) ?? screen.bounds, opacity: 0, leaving: true, at: now, spring: spring)
    }

    /// Goes back to the windows that were in front before the home screen.
    mutating func leaveHome(at now: Moment) throws(Refusal) {
        let space = workspace.current.flatMap(workspace.space)
        try workspace.setHome(false)
        closeViews(at: now)
        if let space { growFromIcon(space, at: now) }
    }

    /// The space that visibly flies home, if a finger at this point catches it: on it, or at the bottom edge.
    func flyingHome(at point: Point, _ now: Moment) -> SpaceID? {
        guard workspace.isHome, !interface.isModal, !stage.cards.isEmpty, let id = workspace.current, let screen = workspace.screen,
            let card = stage.cards[.space(id)], card.isLeaving, stage.isInFlight(.space(id), at: now),
            stage.cardOpacity(.space(id), at: now) > measures.flightSeen, let frame = stage.cardFrame(.space(id), at: now),
            frame.contains(point) || Stage.edge(at: point, screen, workspace.idiom, precise: false) == .bottom
        else { return nil }
        return id
    }

    /// A space opens out of its app's icon.
    mutating func growFromIcon(_ space: Space, at now: Moment) {
        guard let icon = views(at: now)?.iconRect(of: space) else { return }
        stage.grow(space.id, from: icon, workspace, at: now, spring: spring)
    }

    func pageReach(at now: Moment) -> Double {
        views(at: now).map { Double($0.pageCount - 1) * $0.pageStep } ?? 0
    }

    mutating func showPage(_ page: Int, at now: Moment, velocity: Double? = nil) {
        interface.followHome(workspace)
        guard let views = views(at: now) else { return }
        interface.home.page = max(0, min(views.pageCount - 1, page))
        let target = Double(interface.home.page) * views.pageStep
        interface.home.scroll.retarget(
            target, at: now, spring: spring,
            velocity: velocity.map { spring.tamed($0, over: target - interface.home.scroll.value(at: now)) })
    }

    mutating func endSearch(at now: Moment) {
        guard interface.home.search != nil else { return }
        interface.home.search = nil
        showPage(0, at: now)
    }

    mutating func beginSearch(_ text: String?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard workspace.screen != nil else { throw Refusal("there is no screen") }
        guard (text ?? "").utf8.count <= 256 else { throw Refusal("a search is at most 256 bytes long") }
        if !workspace.showsHome { try goHome(at: now, &turn) }
        closeViews(at: now)
        interface.home.search = text ?? interface.home.search ?? ""
        showPage(0, at: now)
    }
}
