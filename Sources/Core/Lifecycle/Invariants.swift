import Geometry
import Windows

extension Lifecycle {
    /// Violations of the invariants; empty if there is none.
    public func violations() -> [String] {
        var found: [String] = []
        for (id, app) in apps {
            if app.windows.isEmpty { found.append("\(id) has no window") }
            for window in app.windows where appOfWindow[window] != id { found.append("\(window) is not known to be of \(id)") }
            if app.isActive, !app.isInSight { found.append("\(id) is active and out of sight") }
            if app.state != .running, app.state != .ending {
                if app.isInSight { found.append("S-03: \(id) is in sight and \(app.state)") }
                if !reasons(id).isEmpty { found.append("S-06: \(id) has a reason to run and is \(app.state)") }
                if app.hasMenu { found.append("S-03: \(id) has an open X11 menu and is \(app.state)") }
                if !freezes { found.append("S-05: \(id) is \(app.state) where nothing is frozen") }
            }
            if app.state == .running, app.idleSince != nil, alarm == nil { found.append("law 4: nobody will stop \(id)") }
            if case .saving = app.state, alarm == nil { found.append("law 4: nobody waits for the state of \(id)") }
            if case .quiet = app.state, alarm == nil { found.append("law 4: \(id) is silent for ever") }
            for state in app.saves.keys where savers[state] != id { found.append("\(state) is asked of \(id), which does not offer it") }
            for state in app.saved where savers[state] != id { found.append("\(state) of \(id) is saved, which does not offer it") }
            if !app.canHandOver, !app.saves.isEmpty { found.append("law 4: \(id) stands still and is waited for") }
            if app.awakeUntil != nil, alarm == nil { found.append("law 4: \(id) is awake for ever") }
        }
        for (window, id) in appOfWindow where !(apps[id]?.windows.contains(window) ?? false) {
            found.append("\(window) belongs to \(id), which does not have it")
        }
        for state in changed.keys where savers[state] == nil { found.append("\(state) changed, and nobody offers it") }
        if !changed.isEmpty, alarm == nil { found.append("law 4: what changed is never asked for") }
        if savingAll != nil, alarm == nil { found.append("law 4: everything is saved for ever") }
        if logOut?.deadline(rules) != nil, alarm == nil { found.append("law 4: the session ends for ever") }
        if isLogOutStopped, objections.isEmpty { found.append("law 4: a person is asked to wait for nobody") }
        for id in logOut?.awaited ?? [] where sessionClients[id] == nil { found.append("law 4: \(id) is gone and waited for") }
        if watchesMemory != hasFrozen {
            found.append("S-08: memory pressure is watched although nothing is frozen, or not although something is")
        }
        for task in tasks.values {
            guard let app = apps[task.app] else {
                found.append("law 4: \(task.id) has no app")
                continue
            }
            if !app.isInSight, !task.isExpired, task.expires == nil { found.append("S-06: \(task.id) out of sight never expires") }
        }
        return found
    }
}
