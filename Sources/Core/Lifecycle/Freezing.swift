import Geometry
import Windows

/// How an app that goes out of sight is frozen: it hands over state, falls silent, freezes; and how it wakes (S-03, S-08,
/// S-13).
extension Lifecycle {
    /// Brings an app's phase in line with its reasons and visibility.
    mutating func review(_ id: AppProcess, _ turn: inout Turn) {
        guard let app = apps[id] else { return }
        let now = turn.now
        if let until = app.awakeUntil, until <= now { apps[id]!.awakeUntil = nil }
        if let retry = app.retryAt, retry <= now || app.isInSight {
            apps[id]!.retryAt = nil
            apps[id]!.failure = nil
        }
        let mayStop = freezes && !app.isInSight && !app.hasMenu && reasons(id).isEmpty
        guard mayStop else {
            apps[id]!.idleSince = nil
            wake(id, &turn)
            return setAlarm(&turn)
        }
        if apps[id]!.idleSince == nil { apps[id]!.idleSince = now }
        switch app.state {
        case .running:
            if apps[id]!.idleSince! + grace(of: app) <= now { beginToStop(id, &turn) }
        case .saving(let until):
            if apps[id]!.saves.isEmpty || until <= now { silence(id, &turn) }
        case .quiet(let until):
            if until <= now {
                apps[id]!.state = .freezing
                turn.effects.append(.freeze(id))
            }
        case .freezing, .frozen, .ending: break
        }
        setAlarm(&turn)
    }

    /// Seconds that an app has out of sight before it is frozen. A game that plays on for a moment is lost by then (S-05).
    private func grace(of app: AppLife) -> Double { games.contains(app.name.lowercased()) ? 0 : grace }

    private mutating func beginToStop(_ id: AppProcess, _ turn: inout Turn) {
        askForState(id, &turn)
        guard !apps[id]!.saves.isEmpty else { return silence(id, &turn) }
        apps[id]!.state = .saving(until: turn.now + rules.savePatience)
    }

    private mutating func silence(_ id: AppProcess, _ turn: inout Turn) {
        // Answers that come later are of a state that is older than what the app may do now.
        apps[id]!.saves.removeAll()
        apps[id]!.state = .quiet(until: turn.now + rules.silence)
        turn.silenced.append(id)
    }

    /// Lets the app run, whatever step towards freezing it had reached.
    mutating func wake(_ id: AppProcess, _ turn: inout Turn) {
        guard let app = apps[id] else { return }
        switch app.state {
        case .running, .ending: return
        case .saving: break
        case .quiet: turn.unsilenced.append(id)
        case .freezing:
            turn.effects.append(.thaw(id))
            turn.unsilenced.append(id)
        case .frozen(let since):
            turn.effects.append(.thaw(id))
            turn.effects.append(.standing(id, app.isInSight ? .inSight : .background))
            turn.effects.append(.resumed(id, frozenFor: turn.now - since))
            turn.unsilenced.append(id)
        }
        apps[id]!.state = .running
        tellWatch(&turn)
    }

    // MARK: Time

    /// The next moment at which something is due.
    private func nextDeadline(after now: Moment) -> Moment? {
        var next: Moment?
        func due(_ moment: Moment?) { if let moment, next.map({ moment < $0 }) ?? true { next = moment } }
        for app in apps.values {
            due(app.awakeUntil)
            due(app.retryAt)
            switch app.state {
            case .running: due(app.idleSince.map { $0 + grace(of: app) })
            case .saving(let until), .quiet(let until): due(until)
            case .freezing, .frozen, .ending: break
            }
        }
        for task in tasks.values { due(task.deadline) }
        for moment in changed.values { due(moment) }
        due(savingAll)
        due(logOut?.deadline(rules))
        // A person sees the seconds that are left.
        if let end = logOut?.end(rules), Lifecycle.seconds(end, now) > 1 { due(end + -Double(Lifecycle.seconds(end, now) - 1)) }
        return next
    }

    mutating func setAlarm(_ turn: inout Turn) {
        let next = nextDeadline(after: turn.now)
        guard next != alarm else { return }
        alarm = next
        turn.alarm = .some(next)
    }
}
