import Geometry
import Interface
import Stage
import Windows

/// The smaller views of the shell: dock, shelf, popovers, panels.
extension Screenful {
    /// Closes everything that lies over the windows.
    mutating func closeViews(at now: Moment, keepOverview: Bool = false) {
        interface.closeViews(at: now, spring: spring)
        if !keepOverview { closeOverview(at: now) }
    }

    mutating func toggleDock(at now: Moment) throws(Refusal) {
        if workspace.showsHome { throw Refusal("the home screen shows the dock already") }
        if workspace.hasStandingDock { return focusStandingDock(at: now) }
        if interface.isDockOpen {
            interface.close(.dock, at: now, spring: spring)
        } else {
            closeViews(at: now)
            interface.openDock(at: now, spring: spring)
        }
    }

    func requireSeveralWindows() throws(Refusal) {
        guard workspace.idiom.windowsOfApp == .several else {
            throw Refusal("the idiom \(workspace.idiom.name) shows one window of an app")
        }
    }

    mutating func toggleShelf(_ app: String?, at now: Moment) throws(Refusal) {
        try requireSeveralWindows()
        let app = try workspace.named(app)
        if interface.isShelfOpen, interface.shelf?.content == app {
            interface.close(.shelf, at: now, spring: spring)
            return
        }
        guard !workspace.windows(of: app).isEmpty else { throw Refusal("no window of \(app) is open") }
        closeViews(at: now)
        interface.openShelf(app, at: now, spring: spring)
    }

    mutating func toggleControlPage(_ page: ControlPage, at now: Moment) {
        if page == .focusPeople { interface.findPeople(notices) }
        interface.toggleControlPage(page, at: now, spring: spring)
    }

    mutating func toggleControls(_ window: WindowID?, at now: Moment) throws(Refusal) {
        guard let id = window ?? workspace.focus else { throw Refusal("no window is active") }
        guard workspace.isShown(id) else { throw Refusal("\(id) is not shown") }
        guard workspace.idiom.dressing == .dots || workspace.root(of: id) != id else {
            throw Refusal("the idiom \(workspace.idiom.name) has no multitasking controls")
        }
        if interface.isPopoverOpen, interface.popover?.content == .controls(id) {
            interface.close(.popover, at: now, spring: spring)
            return
        }
        closeViews(at: now)
        interface.present(.controls(id), at: now, spring: spring)
    }

    mutating func openMenu(of app: String, at now: Moment) throws(Refusal) {
        let app = try workspace.named(app)
        let bounds = workspace.screen?.bounds ?? .zero
        let controls = self.controls(at: now)
        let icon =
            interface.pressed.flatMap { id in controls.last { $0.id == id } }
            ?? controls.last { $0.id == ControlID(.dock, app) || $0.id == ControlID(.home, app) }
        // Keep the menu clear of the label below an icon on the pages, of the icons beside it, and of the dock's edge.
        let anchor = icon.map { $0.id.area == .home ? $0.target : $0.frame.inset(by: -Views.dockPadding) }
        interface.present(.appMenu(app: app, anchor: anchor ?? Rect(center: bounds.center, size: .zero)), at: now, spring: spring)
    }

    /// Goes one step back. Throws if nothing is open.
    mutating func dismiss(at now: Moment, _ turn: inout Turn) throws(Refusal) {
        if !interface.isModal {
            switch liveEntry {
            case .view(let view)?:
                guard view.dismissal != .refused else { throw Refusal("\(view.id) has to be answered") }
                return turn.ask(.dismissView(view.id.raw))
            case .notice(_, .reply)?: return interface.leaveReply()
            default: break
            }
        }
        if !interface.isAlertOpen, dismissLaunches(at: now, &turn) { return }
        switch try interface.stepBack(workspace, at: now, spring: spring) {
        case .closed: break
        case .alert: turn.ask(.alert(.closed))
        case .home: try leaveHome(at: now)
        case .search: endSearch(at: now)
        case .overview: closeOverview(at: now)
        case .pictureControls: closePipControls(at: now)
        case .banner: turn.ask(.banner(.later))
        }
        interface.focus = nil
        interface.pressed = nil
    }

    mutating func scroll(_ pages: Int, at now: Moment) throws(Refusal) {
        guard (-100...100).contains(pages) else { throw Refusal("scroll by at most 100 pages") }
        if let window = views(at: now)?.listPlan?.window {
            scrollList(to: interface.listScroll.target + Double(pages) * window.height * 0.8, at: now)
        } else if interface.isOverviewOpen {
            scrollOverview(
                to: stage.scroll.target + (views(at: now)?.isFromEnd ?? false ? -1 : 1) * Double(pages)
                    * (workspace.screen?.usable.width ?? 0) * 0.8,
                at: now)
        } else if workspace.showsHome {
            showPage(interface.home.page + pages, at: now)
        } else {
            throw Refusal("nothing that scrolls is in front")
        }
    }

    func requireNoAlert() throws(Refusal) {
        // Nothing of the shell stands over one (M-11).
        if interface.isAlertOpen { throw Refusal("an alert is open") }
    }

    /// - Parameter wanted: nil toggles.
    mutating func callScreenKeyboard(_ wanted: Bool?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let isShown = interface.screenKeyboard else { throw Refusal("no on-screen keyboard runs that can be called") }
        let shows = wanted ?? !isShown
        // A person who calls it wants to type into the window below.
        if shows, interface.isPanelOpen { interface.close(.panel, at: now, spring: spring) }
        turn.send(.showScreenKeyboard(shows))
        try choose(.screenKeyboard(shows), &turn)
    }
}
