import Geometry
import Interface
import Lifecycle
import Stage
import Windows

/// Carries out a person's actions.
extension Screenful {
    /// `Hands.perform` runs first: it makes a finger let go of items that the action moves, and resolves controls to actions.
    mutating func perform(_ action: Action, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        try workspace.requireOffer(of: action)
        if let wish = action.wish { return turn.ask(wish) }
        switch try workspace.perform(action) {
        case .done: return
        case .closesViews: return closeViews(at: now)
        case .closesMenu: return interface.close(.popover, at: now, spring: spring)
        case .notItsOwn: break
        }
        switch action {
        case .fullScreen(let window): try arrange(workspace.named(window), to: .fullScreen, at: now)
        case .splitView(let window, let side): try split(workspace.named(window), side, at: now, &turn)
        case .slideOver(let window): try arrange(workspace.named(window), to: .slideOver, at: now)
        case .pictureInPicture(let window): try arrange(workspace.named(window), to: .pictureInPicture, at: now)
        case .quitApp(let app):
            turn.ask(.close(workspace.windows(of: try workspace.named(app))))
            interface.close(.popover, at: now, spring: spring)
        case .switchApps(let step): try stepSwitcher(step, isOfWindows: false, isHeld: false, at: now, &turn)
        case .switchWindows(let step): try stepSwitcher(step, isOfWindows: true, isHeld: false, at: now, &turn)
        case .barMenu(let name): try openBarMenu(name, at: now)
        case .chooseMenuItem(let window, let number):
            interface.close(.popover, at: now, spring: spring)
            guard workspace.canChoose(number, in: window) else { throw Refusal("\(window) has no such menu item") }
            // A window that the item opens counts as requested (W-19).
            workspace.noteInput(window, at: now)
            turn.send(.menus(.choose(window, number)))
        case .magnify(let window, let change): try magnify(workspace.named(window), change)
        case .close(let window):
            let id = try workspace.named(window)
            guard workspace[id] != nil else { throw Refusal("there is no \(id)") }
            interface.close(.popover, at: now, spring: spring)
            if putsAway(id, &turn) { return }
            turn.ask(.close([id], isSheet: true))
        case .closeSpace(let id):
            guard let space = workspace.space(id) else { throw Refusal("there is no space \(id.raw)") }
            turn.ask(.close(space.windows))
        case .focus(let window):
            try show(window, at: now)
            workspace.setFocus(pressed: window)
        case .slideOverNext, .slideOverPrevious:
            stage.flipStack(forward: action == .slideOverNext, workspace, at: now)
            try workspace.flipSlideOver(forward: action == .slideOverNext)
        case .pipControls: try togglePipControls(at: now)
        case .pipSwap: try swapPicture(at: now)

        case .nextSpace: try showNeighbour(1, at: now)
        case .previousSpace: try showNeighbour(-1, at: now)
        case .showSpace(let space): try showSpace(space, at: now)

        case .openWaiting(let window, let destination):
            if window == nil, interface.isNoticeOpen, let notice = interface.notices.banner?.content.notice.id {
                // A person who sees the banner means what it says.
                return turn.ask(.notice(.open(notice)))
            }
            if window == nil, interface.isBannerOpen, let banner = interface.banner?.content {
                // A person who sees the banner means its window.
                try openBanner(banner, to: destination, at: now)
            } else {
                guard let id = window ?? workspace.waiting.first else { throw Refusal("no window is waiting") }
                try workspace.admitWaiting(id, to: destination ?? .fullScreen)
            }
            closeViews(at: now)
        case .launch(_, .slideOver?) where !workspace.admits(.slideOver), .openApp(_, .slideOver?) where !workspace.admits(.slideOver),
            .newWindow(_, .slideOver?) where !workspace.admits(.slideOver):
            try workspace.require(.slideOver)
        case .launch(let command, let destination):
            try launch(command, to: destination, at: now, &turn)

        case .openApp(let app, let destination): try openApp(app, to: destination, at: now, &turn)
        case .newWindow(let app, let destination): try newWindow(of: app, to: destination, at: now, &turn)
        case .appAction(let app, let action): try appAction(app, action, at: now, &turn)
        case .idiom(let name): turn.ask(.idiom(try idiom(named: name)))
        case .home: try goHome(at: now, &turn)
        case .appSwitcher: try toggleOverview(.switcher, at: now)
        case .dock: try toggleDock(at: now)
        case .appShelf(let app): try toggleShelf(app, at: now)
        case .appExpose(let app): try toggleOverview(.expose(app: workspace.named(app)), at: now)
        case .controls(let window): try toggleControls(window, at: now)
        case .appMenu(let app): try openMenu(of: app, at: now)
        case .search(let text): try beginSearch(text, at: now, &turn)
        case .notifications: interface.togglePanel(.notifications, at: now, spring: spring)
        case .controlCentre: interface.togglePanel(.controlCentre, at: now, spring: spring)
        case .keyHelp:
            guard interface.isPopoverOpen, interface.isHelpSeen else { return interface.present(.keyHelp, at: now, spring: spring) }
            try dismiss(at: now, &turn)
        case .sensors:
            guard sight.isWatched else { throw Refusal("nothing uses the microphone or a camera, and nothing sees the screen") }
            interface.toggleSensors(at: now, spring: spring)
        case .dismiss: try dismiss(at: now, &turn)
        case .keyFocus(let view): try giveKeyFocus(to: view, at: now)
        case .scroll(let pages): try scroll(pages, at: now)
        case .addToDock(let app):
            let app = try workspace.named(app)
            try setDock(&turn) { if !$0.contains(app) { $0.append(app) } }
            interface.close(.popover, at: now, spring: spring)
        case .removeFromDock(let app):
            guard dockApps.contains(app) else { throw Refusal("the dock has no app \"\(app)\"") }
            try setDock(&turn) { $0.removeAll { $0 == app } }
            interface.close(.popover, at: now, spring: spring)
        case .darkAppearance(let wanted): try choose(.darkAppearance(wanted), &turn)
        case .reducedMotion(let wanted): try choose(.reducedMotion(wanted), &turn)
        case .textSize(let scale):
            guard Appearance.textScales.contains(scale) else { throw Refusal("a text size is from 1 to 2, not \(scale)") }
            try choose(.textSize(scale), &turn)

        case .endApp(let window):
            interface.close(.popover, at: now, spring: spring)
            turn.ask(.life(.endApp(of: window)))
        case .openWithoutState(let name):
            let app = try workspace.named(name)
            interface.close(.popover, at: now, spring: spring)
            turn.ask(.life(.withholdState(from: app)))
            try openApp(app, to: nil, at: now, &turn)
        case .moreApps(let view): try interface.moreApps(view, modality)
        case .screenKeyboard(let wanted): try callScreenKeyboard(wanted, at: now, &turn)
        case .rotate(let turns):
            guard (0...3).contains(turns) else { throw Refusal("a rotation is 0, 1, 2 or 3 quarter turns, not \(turns)") }
            turn.send(.configureScreen(size: nil, scale: nil, rotation: turns))
            try choose(.rotation(turns), &turn)
        case .resizeScreen(let size, let scale):
            try ScreenWish.check(size, scale: scale)
            // Where the file says one, this one holds until the next start.
            if let scale, preferences.fixes(.scale(scale)) == nil { turn.ask(.choose(.scale(scale))) }
            turn.send(.configureScreen(size: size, scale: scale, rotation: nil))
        case .controlPage(let page): toggleControlPage(page, at: now)
        case .volumeView(let window): try toggleVolumeView(window, at: now)
        case .playSound(let name):
            guard Sound.isName(name) else { throw Refusal("\"\(name)\" is no name of a sound: such as \"message-new-instant\"") }
            turn.ask(.sound(.systemSound(name, .asked)))
        case .keyClicks(let wanted): try choose(.keyClicks(wanted ?? !preferences.audio.keyClicks), &turn)
        case .keepRunning(let app, let wanted): try keepRunning(workspace.named(app), wanted, &turn)
        case .stopInBackground(let app): turn.ask(.life(.stop(app: try workspace.named(app))))
        case .bannerLater:
            guard interface.isNoticeOpen || interface.isBannerOpen else { throw Refusal("no banner is shown") }
            turn.ask(.banner(.later))
        default: throw Refusal("the hands carry out this action")
        }
    }

    private mutating func arrange(_ window: WindowID, to destination: Destination, at now: Moment) throws(Refusal) {
        try workspace.move(window, to: destination)
        interface.picking = nil
        closeViews(at: now)
    }

    /// Puts a window beside the one in front. If no other window is open, a person chooses one on the home screen.
    private mutating func split(_ window: WindowID, _ side: Side, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let root = workspace.root(of: window)
        let isPair: Bool = if case .split = workspace.place(of: root) { true } else { false }
        guard interface.isPopoverOpen, workspace.admits(.splitView(.left)), !isPair, workspace.splitPartner(for: root) == nil,
            workspace[root]?.isMapped ?? false, !workspace.isHome
        else { return try arrange(window, to: .splitView(side), at: now) }
        try goHome(at: now, &turn)
        interface.picking = .init(window: root, side: side)
    }

    /// Opens the multitasking controls, as a tap on the dots does (W-07).
    mutating func openControls(of window: WindowID, at now: Moment) {
        workspace.setFocus(window)
        try? toggleControls(window, at: now)
    }

    private mutating func showNeighbour(_ step: Int, at now: Moment) throws(Refusal) {
        try workspace.showNeighbour(step)
        closeViews(at: now)
    }

}
