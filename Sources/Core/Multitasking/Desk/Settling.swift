import Geometry
import Interface
import Stage
import Windows

/// What follows here from what happened to the windows. `System.settle` calls these in order.
extension Desk {
    /// What of the desk's own a finger moves now, so that the desk itself does not.
    enum Held {
        case nothing
        /// The space in front, swiped up from the bottom edge.
        case space
        /// The row of the app switcher.
        case row
        /// The pages of the home screen.
        case pages
    }

    /// A client committed. False: nobody has to do anything about it.
    mutating func changes(_ id: WindowID, _ commit: WindowCommit) -> Bool {
        // Most commits bring a new picture and nothing else.
        guard !workspace.isKnown(commit, of: id) else { return false }
        // An answer changes nothing when the window is hidden and nobody waits for it.
        let isQuiet = stage.shown[id] == nil && stage.cards.isEmpty && workspace.dividerDrag == nil
            && workspace.isAnswerAlone(commit, of: id)
        workspace.committed(id, commit)
        return !isQuiet
    }

    mutating func windowComes(_ window: MappedWindow, at now: Moment) {
        let placeholders = workspace.placeholders
        workspace.mapped(window.id, window.commit, at: now)
        // It is shown where its placeholder is, and does not come in.
        if workspace.placeholders.count < placeholders.count, let taken = placeholders.first(where: { workspace[$0] == nil }) {
            stage.exchange(taken, by: window.id)
        }
        // A person asked for it, so it is what they want to see.
        if interface.isOverviewOpen, workspace.focus == window.id { closeOverview(at: now) }
    }

    mutating func setScreen(_ screen: Screen, at now: Moment) {
        let old = workspace.screen?.bounds
        workspace.setScreen(screen)
        if let old { stage.reshapeCards(from: old, to: screen.bounds, at: now, spring: spring) }
        fitViews(at: now)
    }

    /// Gives windows their places and tells their clients. True if any client got a new size or state.
    mutating func arrange(at now: Moment, _ turn: inout Turn) -> Bool {
        revision &+= 1
        if workspace.dividerDrag == nil { releaseHeld(&turn) }
        workspace.setDockArea(workspace.hasFloating ? views(at: now)?.dockArea : nil)
        return tellClients(&turn)
    }

    /// Tells clients what differs from what they were told last (W-10). True if any client got a new size or state.
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

    /// Pictures that were held while their windows were resized go on.
    mutating func releaseHeld(_ turn: inout Turn) {
        for id in workspace.releaseAll() { turn.send(.release(id)) }
    }

    /// One step of the divider that is dragged (W-04). True: windows were told another size, so that everything has to be
    /// settled before the next step.
    mutating func stepDivider(wanted: Double?, at now: Moment, _ turn: inout Turn) -> Bool {
        while workspace.dividerDrag != nil, let split = workspace.currentSpace?.split {
            switch workspace.stepDividerDrag(wanted: wanted, at: now) {
            case .wait: return false
            case .told(let deadline):
                workspace.hold([split.first, split.second])
                turn.send(.hold(split.first))
                turn.send(.hold(split.second))
                turn.send(.startTimer(.dividerPatience, at: deadline))
                return true
            case .shown:
                // An answer may free the next step at once.
                releaseHeld(&turn)
                turn.send(.stopTimer(.dividerPatience))
                stage.snap([split.first, split.second], workspace, at: now)
                revision &+= 1
            }
        }
        return false
    }

    /// Acting in a window makes it active.
    mutating func personActs(in window: WindowID, at now: Moment, _ turn: inout Turn) {
        if workspace.retryPlaceholder(window) { turn.ask(.settle()) }
        guard workspace.root(of: window) != workspace.focus.map(workspace.root) else { return }
        workspace.setFocus(window)
        // Before the touch itself counts for its dots.
        followArrangement(at: now, &turn)
        turn.ask(.settle())
    }

    /// Menus that hold the input close when another window becomes active.
    func dismissPopups(outside active: WindowID?, _ turn: inout Turn) {
        for id in workspace.popupOwners where workspace[id]!.popupGrab && !workspace[id]!.isStill && workspace.root(of: id) != active {
            turn.send(.dismissPopups(id))
        }
    }

    /// What is shown goes towards its new place.
    mutating func move(thrown: WindowID?, at now: Moment, _ turn: inout Turn) {
        stage.update(workspace, at: now, spring: spring, thrown: thrown)
        followArrangement(at: now, &turn)
        stage.forgetFinished(at: now)
    }

    // MARK: Views

    /// Views of windows and apps that are gone go, too.
    mutating func followWindows(at now: Moment, _ turn: inout Turn) {
        showViews(at: now)
        for (id, card) in interface.launches where !card.isLeaving {
            let launch = workspace.admission.launches.first { $0.id == id }
            if launch == nil || launch!.isUsed {
                leave(id, at: now)
                interface.picking = nil
                growIntoPlace(card, at: now)
            }
        }
        let isLaunching = interface.launches.values.contains { !$0.isLeaving }
        if !isLaunching, waits.isLaunching { turn.send(.stopTimer(.launchPatience)) }
        waits.isLaunching = isLaunching

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

    /// Views that lie over what is not there any more go.
    mutating func closeLostViews(at now: Moment, _ turn: inout Turn) {
        syncPipControls(at: now, &turn)
        askWindowsAside(at: now)
        if interface.isDockOpen, workspace.showsHome { interface.close(.dock, at: now, spring: spring) }
        if case .expose(let app) = interface.overview?.content, interface.isOverviewOpen, workspace.windows(of: app).isEmpty {
            closeOverview(at: now)
        }
        if interface.home.search != nil, !workspace.showsHome { interface.home.search = nil }
        interface.forgetFinished(workspace, at: now)
    }

    /// Cards and pages go to their places, but for those that a finger holds.
    mutating func layViews(_ held: Held, at now: Moment, _ turn: inout Turn) {
        if interface.isOverviewOpen {
            layOverview(isRowHeld: held == .row, at: now)
        } else {
            if held != .space, stage.cards.values.contains(where: { !$0.isLeaving }) { sendCardsAway(at: now) }
            stage.forgetFinishedCards(workspace, at: now)
        }
        if held != .pages { keepPage(at: now) }
        if interface.closing.isEmpty, waits.isClosing { turn.send(.stopTimer(.closePatience)) }
        waits.isClosing = !interface.closing.isEmpty
        repairFocus(at: now)
    }

    /// Apps came or went, the screen turned: a page that is there, as wide as the screen is now.
    private mutating func keepPage(at now: Moment) {
        guard workspace.showsHome, let views = views(at: now) else { return }
        let target = Double(interface.home.page) * views.pageStep
        if interface.home.page >= views.pageCount || interface.home.scroll.target != target {
            showPage(interface.home.page, at: now)
        }
    }

    /// Cards of apps that start stand where their windows will, on whatever screen.
    mutating func fitViews(at now: Moment) {
        guard let screen = workspace.screen, let views = views(at: now) else { return }
        interface.home.scroll.set(Double(interface.home.page) * views.pageStep)
        for (id, card) in interface.launches where !card.isLeaving {
            let destination = workspace.admission.launches.first { $0.id == id }?.destination
            let place = destination.map { workspace.expectedFrame($0, on: screen) } ?? screen.usable
            interface.launches[id]!.frame.retarget(place, at: now, spring: spring)
        }
    }
}
