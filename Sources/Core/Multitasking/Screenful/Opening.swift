import Geometry
import Interface
import Stage
import Windows

/// Apps: bringing them forward, starting them, and the cards until their windows appear.
extension Screenful {
    mutating func openApp(_ name: String, to destination: Destination?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let app = try workspace.named(name)
        let picking = interface.picking
        let destination = picking.map { .splitView($0.side.opposite) } ?? destination
        let open = workspace.windows(of: app).filter { $0 != picking?.window }
        if open.isEmpty {
            // The app is starting already: a second tap does not start it again.
            if interface.launches.values.contains(where: { $0.app == app && !$0.isLeaving }) { return }
            return try newWindow(of: app, to: destination, at: now, &turn)
        }
        guard let window = workspace.windowToOpen(of: app, among: open, to: destination) else {
            return try newWindow(of: app, to: destination, at: now, &turn)
        }
        let isPip = workspace.place(of: window) == .pictureInPicture
        if destination == nil { workspace.raiseApp(app) }
        try show(window, to: destination ?? (isPip ? .fullScreen : nil), at: now)
        // Its other windows are one tap away (W-08).
        if open.count > 1, destination == nil, workspace.idiom.windowsOfApp == .several, !workspace.isFreelyStacked {
            interface.openShelf(app, at: now, spring: spring)
        }
    }

    /// Brings a window forward, out of its app's icon if the home screen is in front.
    mutating func show(_ window: WindowID, to destination: Destination? = nil, at now: Moment) throws(Refusal) {
        let wasHome = workspace.isHome
        let picking = interface.picking
        workspace.reopenPlaceholder(window, at: now)
        interface.picking = nil
        if let picking, window != picking.window, workspace[picking.window]?.isMapped ?? false {
            try workspace.move(picking.window, to: .fullScreen)
            try workspace.move(window, to: .splitView(picking.side.opposite))
        } else if let destination {
            try workspace.move(window, to: destination)
        } else if workspace.waiting.contains(window) {
            try workspace.admitWaiting(window, to: .fullScreen)
        } else {
            try workspace.activate(window)
        }
        endSearch(at: now)
        let wasOverview = interface.isOverviewOpen
        closeViews(at: now)
        if wasHome, !wasOverview, let space = workspace.currentSpace, space.contains(workspace.root(of: window)) {
            growFromIcon(space, at: now)
        }
    }

    mutating func showSpace(_ id: SpaceID, at now: Moment) throws(Refusal) {
        guard let space = workspace.space(id) else { throw Refusal("there is no space \(id.raw)") }
        if let picking = interface.picking, let window = space.windows.first(where: { $0 != picking.window }) {
            return try show(window, at: now)
        }
        let wasHome = workspace.isHome
        let wasOverview = interface.isOverviewOpen
        try workspace.showSpace(id)
        for window in space.windows { workspace.reopenPlaceholder(window, at: now) }
        closeViews(at: now)
        if wasHome, !wasOverview { growFromIcon(space, at: now) }
    }

    /// Opens another window of an app: by the action in its desktop entry, or else by starting it again.
    mutating func newWindow(of name: String?, to destination: Destination?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let id = try workspace.named(name)
        guard let app = workspace.app(id) else { throw Refusal("\"\(id)\" is not installed, so it cannot be started") }
        if app.isSingleWindow || workspace.idiom.windowsOfApp == .one, let window = workspace.windows(of: id).first {
            return try show(window, to: destination, at: now)
        }
        let hasWindow = !workspace.windows(of: id).isEmpty
        let own = app.actions.first { ["new-window", "newwindow", "new_window"].contains($0.id.lowercased()) }
        try start(app, hasWindow ? own?.command ?? app.command : app.command, to: destination, at: now, &turn)
    }

    mutating func appAction(_ name: String, _ action: String, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let app = workspace.app(name) else { throw Refusal("no app is called \"\(name)\"") }
        guard let found = app.actions.first(where: { $0.id == action }) else {
            throw Refusal("\(app.name) has no action \"\(action)\"")
        }
        try start(app, found.command, to: nil, at: now, &turn)
    }

    mutating func start(
        _ app: App, _ command: [String], to destination: Destination?, at now: Moment, _ turn: inout Turn
    ) throws(Refusal) {
        guard let screen = workspace.screen else { throw Refusal("there is no screen") }
        var destination = destination
        if let picking = interface.picking { destination = .splitView(picking.side.opposite) }
        let pressed = interface.pressed.flatMap { $0.path == app.id ? control($0, at: now)?.frame : nil }
        let from = pressed ?? views(at: now)?.iconFrame(of: app.id) ?? Rect(center: screen.bounds.center, size: Size(64, 64))
        let id = workspace.beginLaunch(of: app.id, command, to: destination, at: now)
        turn.ask(.life(.launches(app: app.id)))
        turn.send(.launch(id, command: command, directory: app.directory))
        closeViews(at: now)
        // The card stands where the window will be, or over the whole screen if the launch names no place.
        let place = destination.map { workspace.expectedFrame($0, on: screen) } ?? screen.usable
        launchCards(
            .began(id, app: app.id, icon: AppIcon(name: app.icon, title: app.name), from: from, to: place), at: now, &turn)
    }

    @discardableResult
    mutating func launch(
        _ command: [String], to destination: Destination?, at now: Moment, _ turn: inout Turn
    ) throws(Refusal) -> LaunchID {
        guard let program = command.first, !program.isEmpty else { throw Refusal("a command to launch is missing") }
        let app = workspace.app(startedBy: command)
        if let app { turn.ask(.life(.launches(app: app))) }
        let id = workspace.beginLaunch(of: app, command, to: destination, at: now)
        turn.send(.launch(id, command: command))
        return id
    }

    // MARK: Cards of starting apps

    mutating func launchCards(_ event: LaunchCards.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in interface.launches.handle(event, in: interface.launches.context(workspace.launches, spring: spring), at: now) {
            switch outcome {
            case .timer(let moment): turn.setTimer(.screen(.launchPatience), moment)
            case .over(let card):
                interface.picking = nil
                growIntoPlace(card, at: now)
            }
        }
    }

    /// A person cancels the wait. Returns whether there was a launch to dismiss.
    mutating func dismissLaunches(at now: Moment, _ turn: inout Turn) -> Bool {
        guard !interface.launches.waiting.isEmpty else { return false }
        launchCards(.dismissed, at: now, &turn)
        return true
    }

    /// The window appeared while its card was still moving: it continues the card's motion.
    mutating func growIntoPlace(_ card: Interface.LaunchCard, at now: Moment) {
        stage.update(workspace, at: now, spring: spring)
        stage.snapSpaces(workspace)
        guard !card.frame.isSettled(at: now), !workspace.idiom.home.iconsTellStarts, let screen = workspace.screen,
            let space = workspace.currentSpace,
            space.split == nil, space.windows.contains(where: { workspace[$0]?.app == card.app })
        else { return }
        stage.removeCard(.space(space.id))
        stage.beginCard(.space(space.id), moving: card.frame)
        stage.moveCard(.space(space.id), to: screen.bounds, leaving: true, at: now, spring: spring)
    }

    /// Opens the window that the banner names.
    mutating func openBanner(_ banner: Interface.Banner, to destination: Destination?, at now: Moment) throws(Refusal) {
        if workspace.waiting.contains(banner.window) {
            try workspace.admitWaiting(banner.window, to: destination ?? .fullScreen)
        } else if workspace.pip?.window == banner.window {
            try workspace.setPipStashed(nil)
        } else {
            try show(banner.window, at: now)
        }
    }
}
