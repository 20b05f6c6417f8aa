import Geometry
import Interface
import Lifecycle
import Stage
import Windows

/// The view that names the apps that object to the end of the session.
extension Life {
    /// Shows, updates or closes the view.
    mutating func showLogOut(on desk: inout Desk, at now: Moment) {
        guard lifecycle.isLogOutStopped else {
            if isLogOutShown, desk.isLogOutOpen { desk.interface.close(.popover, at: now, spring: desk.spring) }
            isLogOutShown = false
            return
        }
        let content = Interface.Popover.logOut(lifecycle.objections.map { objection($0, desk.workspace) })
        if desk.isLogOutOpen {
            if desk.interface.popover?.content != content { desk.interface.popover?.content = content }
        } else if !isLogOutShown, !desk.isLocked {
            desk.closeViews(at: now)
            desk.present(content, at: now)
        }
        isLogOutShown = true
    }

    /// Closing the view, or locking the screen, cancels the log-out.
    mutating func followLogOut(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) -> Bool {
        guard isLogOutShown, lifecycle.isLogOutStopped, !desk.isLogOutOpen else { return false }
        return change(&desk, at: now, &turn) { $0.cancelLogOut(&$1) }
    }

    /// Windows with unsaved work object to the end of the session, with the words of their question (M-10).
    func unsaved(_ workspace: Workspace) -> [LogOutObjection] {
        workspace.windows.values.compactMap { window in
            guard window.isMapped, window.placeholder == nil, let unsaved = window.facts.hints?.unsaved else { return nil }
            return LogOutObjection(owner: SessionOwner(process: lifecycle.app(of: window.id), name: window.app), reason: unsaved.title)
        }
    }

    func logOutViolations(_ desk: Desk) -> [String] {
        let isSeen = lifecycle.isLogOutStopped
        return isSeen == desk.isLogOutOpen && isSeen == isLogOutShown ? [] : ["a person is asked about the end of the session, or not, wrongly"]
    }

    private func objection(_ objection: LogOutObjection, _ workspace: Workspace) -> Interface.Objection {
        let reason: Text = objection.reason.map { $0.isEmpty ? .message(.busy) : .verbatim($0) } ?? .message(.notAnswering)
        let window = lifecycle.apps(of: objection.owner).first.flatMap { lifecycle.apps[$0]?.windows.first }
        let app = workspace.app(objection.owner.name) ?? window.flatMap { workspace[$0] }.flatMap { workspace.app($0.app) }
        if let app { return Interface.Objection(icon: AppIcon(name: app.icon, title: app.name), name: app.name, reason: reason) }
        let name = window.map(workspace.appName) ?? objection.owner.name
        return Interface.Objection(icon: AppIcon(name: objection.owner.name.lowercased(), title: name), name: name, reason: reason)
    }
}

extension Desk {
    var isLogOutOpen: Bool { if case .logOut = interface.popover?.content { interface.isPopoverOpen } else { false } }
}
