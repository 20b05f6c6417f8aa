import Geometry
import Interface
import Lifecycle
import Stage
import Status
import Windows

/// The end of the session as a person sees it: the view that names apps, and the windows that are asked to close.
extension Life {
    /// Shows, updates or closes the view.
    mutating func showLogOut(on screenful: inout Screenful, at now: Moment) {
        guard let content = logOutContent(screenful, at: now) else {
            if isLogOutShown, screenful.isLogOutOpen { screenful.interface.close(.popover, at: now, spring: screenful.spring) }
            isLogOutShown = false
            return
        }
        if screenful.isLogOutOpen {
            if screenful.interface.popover?.content != content { screenful.interface.popover?.content = content }
        } else if !isLogOutShown, !screenful.isLocked {
            screenful.closeViews(at: now)
            screenful.interface.present(content, at: now, spring: screenful.spring)
        }
        isLogOutShown = true
    }

    private func logOutContent(_ screenful: Screenful, at now: Moment) -> Interface.Popover? {
        func named(_ objections: [LogOutObjection]) -> [Interface.Objection] { objections.map { objection($0, screenful.workspace) } }
        var end: MachineEnd?
        switch afterwards {
        case .end(let wanted), .endAnyway(let wanted): end = wanted
        default: break
        }
        guard !lifecycle.isLogOutStopped else { return .logOut(named(lifecycle.objections + marked(screenful.workspace)), end) }
        guard let seconds = lifecycle.secondsLeft(at: now) else { return nil }
        let apps = lifecycle.isSessionEnding ? lifecycle.remaining : lifecycle.objections
        // Most apps end so soon that a person would see the view only flash.
        let isLong = Double(seconds) <= lifecycle.rules.leavePatience - 1
        guard isLogOutShown || !apps.isEmpty && (isLong || !lifecycle.isSessionEnding) else { return nil }
        return .sessionEnds(named(apps), seconds: seconds, turnsOff: lifecycle.isShuttingDown)
    }

    /// Closing the view, or locking the screen, cancels the log-out. So does going to an app that objects: otherwise the session would
    /// end later, perhaps when the person closes that window for another reason.
    mutating func followLogOut(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard isLogOutShown, lifecycle.isLogOutStopped, !screenful.isLogOutOpen else { return false }
        keptForNext = nil
        return change([.logOutCancelled], &screenful, at: now, &turn)
    }

    // MARK: Windows are asked to close

    /// Asks every window to close as a dismissal would, but for those of apps that end by themselves.
    mutating func askWindows(_ workspace: Workspace, _ turn: inout Turn) -> [(window: WindowID, app: SessionOwner)] {
        keepForNext(workspace, &turn)
        var asked: [(window: WindowID, app: SessionOwner)] = []
        for window in workspace.windows.values
        where window.isMapped && window.placeholder == nil && workspace.root(of: window.id) == window.id {
            let app = lifecycle.app(of: window.id)
            if let app, lifecycle.endsByItself(app) { continue }
            asked.append((window.id, SessionOwner(process: app, name: window.app)))
            turn.send(.close(window.id))
        }
        return asked
    }

    /// Keeps the present arrangement for the next session, which brings back windows that close from now on (W-20).
    mutating func keepForNext(_ workspace: Workspace, _ turn: inout Turn) {
        guard keptForNext == nil else { return }
        for window in workspace.shownRoots where workspace[window]?.placeholder == nil { turn.send(.keepPicture(window)) }
        keptForNext = arrangement(workspace)
    }

    /// The picture may be ready when its window is gone.
    mutating func pictureKept(_ id: WindowID, _ name: String) {
        guard let index = keptForNext?.windows.firstIndex(where: { $0.number == id.raw }) else { return }
        keptForNext!.windows[index].picture = name
    }

    /// Windows with unsaved work object to the end of the session, with the words of their question (M-10).
    func unsaved(_ workspace: Workspace) -> [LogOutObjection] {
        workspace.windows.values.compactMap { window in
            guard window.isMapped, window.placeholder == nil, let unsaved = window.facts.hints?.unsaved else { return nil }
            return LogOutObjection(
                owner: SessionOwner(process: lifecycle.app(of: window.id), name: window.app), .says(unsaved.title), window: window.id)
        }
    }

    /// Windows that are not asked to close as long as another app objects, and whose titles say that something is not saved: the deciding
    /// person reads of them, too. A title alone stops no log-out. Such a window is asked to close then, and has its own question.
    func marked(_ workspace: Workspace) -> [LogOutObjection] {
        guard lifecycle.isLogOutStoppedEarly else { return [] }
        let objecting = lifecycle.objections.flatMap { lifecycle.apps(of: $0.owner) }
        var found: [LogOutObjection] = []
        for window in workspace.windows.values where window.isMapped && window.placeholder == nil && window.facts.saysUnsaved {
            guard let app = lifecycle.app(of: window.id), !objecting.contains(app), !lifecycle.endsByItself(app),
                !found.contains(where: { $0.owner.process == app })
            else { continue }
            found.append(LogOutObjection(owner: SessionOwner(process: app, name: window.app), .unsaved, window: window.id))
        }
        return found
    }

    func logOutViolations(_ screenful: Screenful) -> [String] {
        var found: [String] = []
        if lifecycle.isLogOutStopped, !screenful.isLogOutOpen || !isLogOutShown {
            found.append("a person is not asked about the end of the session")
        }
        if screenful.isLogOutOpen, !isLogOutShown { found.append("a person is asked about the end of the session, which does not end") }
        if isLogOutShown, !lifecycle.isLoggingOut { found.append("a person sees the end of the session, which does not end") }
        return found
    }

    private func objection(_ objection: LogOutObjection, _ workspace: Workspace) -> Interface.Objection {
        var objection = objection
        // The question of an earlier log-out, which is still unanswered.
        if objection.cause == .stays, !lifecycle.isSessionEnding, let dialog = objection.window.flatMap({ workspace.dialogs(of: $0).last })
        {
            (objection.cause, objection.window) = (.asks, dialog)
        }
        let reason: Text =
            switch objection.cause {
            case .says(let words): words.isEmpty ? .message(.busy) : .verbatim(words)
            case .doesNotAnswer: .message(.notAnswering)
            case .asks: .message(.awaitsAnswer)
            case .stays: .message(.stillOpen)
            case .unsaved: .message(.unsavedChanges)
            }
        let first = lifecycle.apps(of: objection.owner).first.flatMap { lifecycle.apps[$0]?.windows.first }
        let window = [objection.window, first].compactMap(\.self).first { workspace[$0]?.isMapped ?? false }
        // A window in a sandbox chooses its own app id: only the vouched app gives its row a name and an icon.
        let owner =
            window.map { workspace[$0]?.facts.sandbox == nil ? objection.owner.name : workspace.trustedApp(of: $0) } ?? objection.owner.name
        let app = workspace.app(owner) ?? window.flatMap { workspace.app(workspace.trustedApp(of: $0)) }
        if let app {
            return Interface.Objection(icon: AppIcon(name: app.icon, title: app.name), name: app.name, reason: reason, window: window)
        }
        let name = window.map(workspace.appName) ?? objection.owner.name
        return Interface.Objection(icon: AppIcon(name: owner.lowercased(), title: name), name: name, reason: reason, window: window)
    }
}

extension Screenful {
    var isLogOutOpen: Bool {
        switch interface.popover?.content {
        case .logOut, .sessionEnds: interface.isPopoverOpen
        default: false
        }
    }
}
