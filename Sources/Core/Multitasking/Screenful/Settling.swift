import Geometry
import Interface
import Stage
import Windows

/// The steps on the screen after a change to the windows. `System.settle` calls them in order.
extension Screenful {
    /// The part of the screen that a finger moves, which the screen itself then leaves alone.
    enum Held {
        case nothing
        /// The space in front, swiped up from the bottom edge.
        case space
        /// The row of the app switcher.
        case row
        /// The pages of the home screen.
        case pages
    }

    /// A client committed. Returns false if the commit needs no further work.
    mutating func changes(_ id: WindowID, _ commit: WindowCommit) -> Bool {
        // Most commits bring new content and nothing else.
        guard !workspace.isKnown(commit, of: id) else { return false }
        // The answer to a configure changes nothing if the window is hidden and nothing waits for the answer.
        let isQuiet =
            stage.shown[id] == nil && stage.cards.isEmpty && workspace.dividerDrag == nil
            && workspace.isAnswerAlone(commit, of: id)
        workspace.committed(id, commit)
        return !isQuiet
    }

    mutating func windowComes(_ window: MappedWindow, at now: Moment) {
        let placeholders = workspace.placeholders
        workspace.mapped(window.id, window.commit, at: now)
        // The window replaces its placeholder, so it does not animate in.
        if workspace.placeholders.count < placeholders.count, let taken = placeholders.first(where: { workspace[$0] == nil }) {
            stage.exchange(taken, by: window.id)
        }
        // The shell's own views would cover it and have the keys. Alerts stay: a person sees where the keys are.
        if workspace.focus == window.id, workspace.isPrompt(window.id), !interface.isAlertOpen {
            closeViews(at: now)
        }
        // A person asked for this window, so show it to them.
        if interface.isOverviewOpen, workspace.focus == window.id { closeOverview(at: now) }
    }

    mutating func setScreen(_ screen: Screen, at now: Moment) {
        let old = workspace.screen?.bounds
        workspace.setScreen(screen)
        if let old { stage.reshapeCards(from: old, to: screen.bounds, at: now, spring: spring) }
        fitViews(at: now)
    }

    /// Gives windows their places and sends their clients the changes. Returns whether any client got a new size or state.
    mutating func arrange(at now: Moment, _ turn: inout Turn) -> Bool {
        if workspace.dividerDrag == nil { releaseHeld(&turn) }
        let hasBar = workspace.idiom.free.menuBar > 0 && preferences.appearance.textScale != 1
        workspace.setMenuBar(height: hasBar ? views(at: now)?.menuBarHeight : nil)
        let needsDock = workspace.idiom.home.dockStands || (workspace.hasFloating && interface.showsDock(over: workspace))
        workspace.setDockArea(needsDock ? views(at: now)?.dockArea : nil)
        return tellClients(&turn)
    }

    /// Sends clients the differences from the last configure (W-10). Returns whether any client got a new size or state.
    @discardableResult
    mutating func tellClients(_ turn: inout Turn) -> Bool {
        var isTold = false
        for telling in workspace.configures() {
            switch telling {
            case .configure(let id, let configure):
                turn.send(.configure(id, configure))
                isTold = true
            case .place(let id, let origin): turn.send(.place(id, origin))
            }
        }
        return isTold
    }

    /// Releases content that was held while its window was resized.
    mutating func releaseHeld(_ turn: inout Turn) {
        for id in workspace.releaseAll() { turn.send(.release(id)) }
    }

    /// A person acts in a window, which makes it active.
    mutating func personActs(in window: WindowID, at now: Moment, _ turn: inout Turn) {
        if workspace.retryPlaceholder(window, at: now) { turn.ask(.settle()) }
        guard workspace.pressTarget(of: window) != workspace.focus else { return }
        workspace.setFocus(pressed: window)
        // Before the touch itself hides the dots.
        turn.ask(.showDots)
        turn.ask(.settle())
    }

    /// Menus that hold the input close when another window becomes active.
    func dismissPopups(outside active: WindowID?, _ turn: inout Turn) {
        for id in workspace.popupOwners where workspace[id]!.popupGrab && workspace.root(of: id) != active { dismissPopups(of: id, &turn) }
    }

    /// Asks a window to close its menus. A frozen app cannot (law 7): its menus stay until a touch beside them.
    func dismissPopups(of id: WindowID, _ turn: inout Turn) {
        guard let window = workspace[id], !window.isSuspended else { return }
        turn.send(.dismissPopups(id))
    }

    /// Moves the windows in sight towards their new places.
    mutating func move(thrown: WindowID?, at now: Moment) {
        if stage.hasSlots(workspace) || !stage.slots.isEmpty {
            stage.followSlots(views(at: now)?.dockSlots.map { ($0.window, $0.frame) } ?? [], workspace)
        }
        stage.mirrorsBars = preferences.appearance.isRightToLeft ? true : nil
        stage.update(workspace, at: now, spring: spring, thrown: thrown)
    }

    // MARK: Views

    /// Closes views of windows and apps that are gone.
    mutating func followWindows(at now: Moment, _ turn: inout Turn) {
        launchCards(.settled, at: now, &turn)
        followSwitcher(at: now)
        if interface.picking != nil, !workspace.showsHome { interface.picking = nil }
        if case .controls(let window) = interface.popover?.content, interface.isPopoverOpen, !workspace.isShown(window) {
            interface.close(.popover, at: now, spring: spring)
        }
        if case .unresponsive(let window, _) = interface.popover?.content, interface.isPopoverOpen, workspace[window]?.isMapped != true {
            interface.close(.popover, at: now, spring: spring)
        }
        if let shelf = interface.shelf, shelf.isOpen, workspace.windows(of: shelf.content).isEmpty {
            interface.close(.shelf, at: now, spring: spring)
        }
        if case .appMenu(let app, _) = interface.popover?.content, interface.isPopoverOpen, workspace.app(app) == nil,
            workspace.windows(of: app).isEmpty
        {
            interface.close(.popover, at: now, spring: spring)
        }
    }

    /// Closes views over things that no longer exist.
    mutating func closeLostViews(at now: Moment) {
        if interface.isDockOpen, workspace.showsHome || workspace.hasStandingDock { interface.close(.dock, at: now, spring: spring) }
        if case .expose(let app) = interface.overview?.content, interface.isOverviewOpen, workspace.windows(of: app).isEmpty {
            closeOverview(at: now)
        }
        if interface.home.search != nil, !workspace.showsHome { interface.home.search = nil }
        interface.forgetFinished(workspace, at: now)
    }

    /// Moves cards and pages to their places, except those that a finger holds.
    mutating func layViews(_ held: Held, at now: Moment, _ turn: inout Turn) {
        if interface.isOverviewOpen {
            layOverview(isRowHeld: held == .row, at: now)
        } else {
            if held != .space, stage.cards.values.contains(where: { !$0.isLeaving }) { sendCardsAway(at: now) }
            stage.forgetFinishedCards(workspace, at: now)
        }
        if held != .pages { keepPage(at: now) }
        if !workspace.isAnyCardOut, waits.isClosing { turn.send(.stopTimer(.screen(.closePatience))) }
        waits.isClosing = workspace.isAnyCardOut
        repairFocus(isRowHeld: held == .row, at: now)
    }

    /// Keeps the current page valid after apps came or went, and as wide as the screen.
    private mutating func keepPage(at now: Moment) {
        guard workspace.showsHome, let views = views(at: now) else { return }
        let target = Double(interface.home.page) * views.pageStep
        if interface.home.page >= views.pageCount || interface.home.scroll.target != target {
            showPage(interface.home.page, at: now)
        }
    }

    /// Places the cards of starting apps where their windows will be, on whatever screen.
    mutating func fitViews(at now: Moment) {
        guard let screen = workspace.screen, let views = views(at: now) else { return }
        interface.home.scroll.set(Double(interface.home.page) * views.pageStep)
        var places: [LaunchID: Rect] = [:]
        for id in interface.launches.waiting {
            places[id] = workspace.launches[id]?.destination.map { workspace.expectedFrame($0, on: screen) } ?? screen.usable
        }
        _ = interface.launches.handle(.moved(places), in: LaunchCards.Context(spring: spring), at: now)
    }
}
