import Geometry
import Interface
import OrderedCollections
import Stage
import Windows

/// What a person asks of the shell's own views: open, choose, close.
extension System {
    /// Everything that lies over the windows goes away.
    mutating func closeViews(at now: Moment, keepOverview: Bool = false) {
        let spring = self.spring
        interface.close(.popover, at: now, spring: spring)
        interface.close(.panel, at: now, spring: spring)
        interface.close(.shelf, at: now, spring: spring)
        interface.close(.dock, at: now, spring: spring)
        interface.pressed = nil
        interface.focus = nil
        if !keepOverview { closeOverview(at: now) }
    }

    // MARK: Home

    mutating func goHome(at now: Moment) throws(Refusal) {
        guard let screen = workspace.screen else { throw Refusal("there is no screen") }
        let wasOverview = interface.isOverviewOpen
        if workspace.isHome || (workspace.showsHome && !wasOverview) {
            if interface.home.search != nil || interface.isModal || interface.isShelfOpen {
                endSearch(at: now)
                return closeViews(at: now)
            }
            guard !workspace.spaces.isEmpty || !workspace.slideOver.stack.isEmpty else { return showPage(0, at: now) }
            return try leaveHome(at: now)
        }
        let video = keepVideoInSight(at: now)
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
            .space(space.id), to: iconRect(of: space, at: now), opacity: 0, leaving: true, at: now, spring: spring)
    }

    /// Back to what was in front before.
    private mutating func leaveHome(at now: Moment) throws(Refusal) {
        let space = workspace.current.flatMap(workspace.space)
        try workspace.setHome(false)
        closeViews(at: now)
        if let space { growFromIcon(space, at: now) }
    }

    /// The icon that a space goes to and comes from; the middle of the screen if it is not in sight.
    private func iconRect(of space: Space, at now: Moment) -> Rect {
        let bounds = workspace.screen?.bounds ?? .zero
        let app = space.windows.compactMap { workspace[$0]?.app }.first ?? ""
        return views(at: now)?.iconFrame(of: app) ?? Rect(center: bounds.center, size: bounds.size * 0.3)
    }

    /// A space opens out of its app's icon.
    mutating func growFromIcon(_ space: Space, at now: Moment) {
        guard let screen = workspace.screen else { return }
        stage.beginCard(.space(space.id), from: iconRect(of: space, at: now), opacity: 0, workspace, at: now)
        stage.moveCard(.space(space.id), to: screen.bounds, leaving: true, at: now, spring: spring)
        stage.update(workspace, at: now, spring: spring)
        stage.snapSpaces(workspace)
    }

    mutating func showPage(_ page: Int, at now: Moment, velocity: Double? = nil) {
        guard let views = views(at: now) else { return }
        let last = views.pageCount - 1
        interface.home.page = max(0, min(last, page))
        let target = Double(interface.home.page) * views.pageStep
        interface.home.scroll.retarget(
            target, at: now, spring: spring,
            velocity: velocity.map { tamed($0, over: target - interface.home.scroll.value(at: now), spring) })
    }

    /// However hard it was flicked, it goes hardly further than where it comes to rest.
    private func tamed(_ velocity: Double, over way: Double, _ spring: Spring) -> Double {
        guard spring.response > 0 else { return 0 }
        let most = (abs(way) + 40) * 2 * .pi / spring.response
        return max(-most, min(most, velocity))
    }

    mutating func endSearch(at now: Moment) {
        guard interface.home.search != nil else { return }
        interface.home.search = nil
        showPage(0, at: now)
    }

    mutating func beginSearch(_ text: String?, at now: Moment) throws(Refusal) {
        guard workspace.screen != nil else { throw Refusal("there is no screen") }
        guard (text ?? "").utf8.count <= 256 else { throw Refusal("a search is at most 256 bytes long") }
        if !workspace.showsHome { try goHome(at: now) }
        closeViews(at: now)
        interface.home.search = text ?? interface.home.search ?? ""
        showPage(0, at: now)
    }

    // MARK: App switcher and App Exposé

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
            // Cards of the other kind make room.
            for id in stage.cards.keys {
                let frame = stage.cardFrame(id, at: now) ?? screen.bounds
                if !(stage.cards[id]?.isHeld ?? false), interface.overview != nil {
                    stage.moveCard(id, to: frame, opacity: 0, leaving: true, at: now, spring: spring)
                }
            }
            let isMirrored = preferences.appearance.isRightToLeft
            stage.scroll.set(isMirrored ? views(at: now)?.overviewLayout(kind).reach ?? 0 : 0)
        }
        interface.overview.present(kind, at: now, spring: spring)
        layOverview(at: now)
    }

    /// Cards go to their places: windows came or went, the screen turned, a finger let go.
    mutating func layOverview(at now: Moment) {
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
                    // The others come in from where reading goes on, the stack's from below; none fades, which would
                    // cost more than moving.
                    let side = preferences.appearance.isRightToLeft ? -screen.size.width : screen.size.width
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
        if case .overviewPan = grab { return }
        let within = max(0, min(layout.reach, stage.scroll.target))
        if stage.scroll.target != within { stage.scroll.retarget(within, at: now, spring: spring) }
    }

    /// Drawn in its place right now, so that its card begins there.
    private func isSeen(_ card: CardID) -> Bool {
        switch card {
        case .space(let space): workspace.currentSpace?.id == space
        case .window(let window): workspace.isShown(window)
        }
    }

    private func isClosing(_ card: CardID) -> Bool { windows(of: card).contains(where: interface.closing.contains) }

    func windows(of card: CardID) -> [WindowID] {
        switch card {
        case .space(let space): workspace.space(space)?.windows ?? []
        case .window(let window): [window]
        }
    }

    /// The cards go to where their windows are now, or fade.
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
                    // Out of the way of the one that grows.
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

    mutating func scrollOverview(to offset: Double, at now: Moment, velocity: Double? = nil) {
        guard let overview = interface.overview, let views = views(at: now) else { return }
        let target = max(0, min(views.overviewLayout(overview.content).reach, offset))
        stage.scroll.retarget(
            target, at: now, spring: momentum,
            velocity: velocity.map { tamed($0, over: target - stage.scroll.value(at: now), momentum) })
    }

    /// Things that were flicked glide to where they come to rest.
    var momentum: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: 0.55 / preferences.animationSpeed, damping: 1)
    }

    /// Asks windows to close, out of sight. One that has not gone after a second comes back: its app may have a question.
    mutating func closeOut(_ windows: [WindowID], at now: Moment, _ effects: inout [Effect]) {
        for window in windows where workspace[window]?.isMapped ?? false {
            effects.append(.close(window))
            if interface.isOverviewOpen || interface.isShelfOpen { interface.closing.append(window) }
        }
        if !interface.closing.isEmpty { effects.append(.startTimer(.closePatience, at: now + 1)) }
    }

    mutating func closePatienceEnded(at now: Moment) {
        guard !interface.closing.isEmpty else { return }
        interface.closing.removeAll()
        layOverview(at: now)
    }

    // MARK: Small views

    mutating func toggleDock(at now: Moment) throws(Refusal) {
        if workspace.showsHome { throw Refusal("the home screen shows the dock already") }
        if interface.isDockOpen {
            interface.close(.dock, at: now, spring: spring)
        } else {
            closeViews(at: now)
            openDock(at: now)
        }
    }

    mutating func openDock(at now: Moment) {
        interface.dock.present(true, at: now, spring: spring)
    }

    private func requireSeveralWindows() throws(Refusal) {
        guard workspace.idiom.hasWindowControls else {
            throw Refusal("the idiom \(workspace.idiom.name) shows one window of an app")
        }
    }

    mutating func toggleShelf(_ app: String?, at now: Moment) throws(Refusal) {
        try requireSeveralWindows()
        let app = try named(app)
        if interface.isShelfOpen, interface.shelf?.content == app {
            interface.close(.shelf, at: now, spring: spring)
            return
        }
        guard !workspace.windows(of: app).isEmpty else { throw Refusal("no window of \(app) is open") }
        closeViews(at: now)
        openShelf(app, at: now)
    }

    mutating func openShelf(_ app: String, at now: Moment) {
        interface.shelf.present(app, at: now, spring: spring)
    }

    /// The app that is named, or that of the active window.
    func named(_ app: String?) throws(Refusal) -> String {
        if let app {
            guard workspace.app(app) != nil || !workspace.windows(of: app).isEmpty else {
                throw Refusal("no app is called \"\(app)\"")
            }
            return app
        }
        guard let focus = workspace.focus.map(workspace.root), let app = workspace[focus]?.app, !app.isEmpty else {
            throw Refusal("no app is active")
        }
        return app
    }

    mutating func present(_ popover: Interface.Popover, at now: Moment) {
        interface.focus = nil
        interface.popover.present(popover, at: now, spring: spring)
    }

    mutating func togglePanel(_ panel: Interface.Panel, at now: Moment) {
        if interface.isPanelOpen, interface.panel?.content == panel {
            interface.close(.panel, at: now, spring: spring)
            return
        }
        presentPanel(panel, at: now)
    }

    private mutating func presentPanel(_ panel: Interface.Panel, at now: Moment) {
        interface.close(.popover, at: now, spring: spring)
        interface.focus = nil
        interface.controlPage = .main
        interface.panel.present(panel, at: now, spring: spring)
    }

    mutating func toggleControlPage(_ page: ControlPage, at now: Moment) {
        let isOpen = interface.isPanelOpen && interface.panel?.content == .controlCentre
        if isOpen, interface.controlPage == page { return interface.close(.panel, at: now, spring: spring) }
        if !isOpen { presentPanel(.controlCentre, at: now) }
        interface.controlPage = page
        interface.focus = nil
    }

    mutating func toggleControls(_ window: WindowID?, at now: Moment) throws(Refusal) {
        guard let id = window ?? workspace.focus else { throw Refusal("no window is active") }
        guard workspace.isShown(id) else { throw Refusal("\(id) is not shown") }
        guard workspace.idiom.hasWindowControls || workspace.root(of: id) != id else {
            throw Refusal("the idiom \(workspace.idiom.name) has no multitasking controls")
        }
        if interface.isPopoverOpen, interface.popover?.content == .controls(id) {
            interface.close(.popover, at: now, spring: spring)
            return
        }
        closeViews(at: now)
        present(.controls(id), at: now)
    }

    mutating func openMenu(of app: String, at now: Moment) throws(Refusal) {
        let app = try named(app)
        let bounds = workspace.screen?.bounds ?? .zero
        let controls = self.controls(at: now)
        let icon = interface.pressed.flatMap { id in controls.last { $0.id == id } }
            ?? controls.last { $0.id == ControlID(.dock, app) || $0.id == ControlID(.home, app) }
        // The menu keeps clear of the label under an icon of the pages, and so of those beside it, and of the dock's edge.
        let anchor = icon.map { $0.id.area == .home ? $0.target : $0.frame.inset(by: -Views.dockPadding) }
        present(.appMenu(app: app, anchor: anchor ?? Rect(center: bounds.center, size: .zero)), at: now)
    }

    /// One step back. Throws if nothing is open.
    mutating func dismiss(at now: Moment) throws(Refusal) {
        if dismissLaunches(at: now) { return }
        if interface.isPopoverOpen {
            interface.close(.popover, at: now, spring: spring)
        } else if interface.isPanelOpen, interface.panel?.content == .controlCentre, interface.controlPage != .main {
            interface.controlPage = .main
        } else if interface.isPanelOpen {
            interface.close(.panel, at: now, spring: spring)
        } else if interface.picking != nil {
            interface.picking = nil
            if workspace.isHome { try leaveHome(at: now) }
        } else if interface.home.search != nil, workspace.showsHome {
            endSearch(at: now)
        } else if interface.isOverviewOpen {
            closeOverview(at: now)
        } else if interface.isShelfOpen {
            interface.close(.shelf, at: now, spring: spring)
        } else if interface.isDockOpen {
            interface.close(.dock, at: now, spring: spring)
        } else if interface.isPipControlsOpen {
            closePipControls(at: now)
        } else {
            throw Refusal("there is nothing to close")
        }
        interface.focus = nil
        interface.pressed = nil
    }

    mutating func pressControl(_ id: ControlID, at now: Moment, _ effects: inout [Effect]) throws(Refusal) {
        guard let control = controls(at: now).last(where: { $0.id == id }) else { throw Refusal("no control \"\(id)\" is shown") }
        guard let press = control.press else { throw Refusal("\"\(id)\" cannot be pressed") }
        try press == .press(view: id) ? () : perform(press, at: now, &effects)
        usePipControl(id)
    }

    mutating func scroll(_ pages: Int, at now: Moment) throws(Refusal) {
        guard (-100...100).contains(pages) else { throw Refusal("scroll by at most 100 pages") }
        if interface.isOverviewOpen {
            scrollOverview(to: stage.scroll.target + readingWay * Double(pages) * (workspace.screen?.usable.width ?? 0) * 0.8, at: now)
        } else if workspace.showsHome {
            showPage(interface.home.page + pages, at: now)
        } else {
            throw Refusal("nothing that scrolls is in front")
        }
    }

    mutating func setDock(_ change: (inout [String]) -> Void) {
        var apps = Dock.apps(chosen: interface.dockApps, preferences.appearance.dock, installed: workspace.apps)
        change(&apps)
        interface.dockApps = apps
    }
}
