import Geometry
import Windows

/// A job that a person started and that needs no further input (S-06).
public struct BackgroundTask: Hashable, Codable, Sendable {
    public let id: TaskID
    public let app: AppProcess
    /// The name that people read: "Export".
    public var name: String
    /// From 0 to 1; nil if the app does not report it.
    public var progress: Double?
    /// Whether its app was in sight when it began: then a person started it.
    var isByPerson: Bool
    /// When the task expires unless it makes progress; nil while its app is in sight, where no time counts.
    var expires: Moment?
    var isWarned = false
    /// Whether it has stopped keeping its app awake.
    public internal(set) var isExpired = false
    /// The moment from which its time is counted.
    var countedSince: Moment?

    /// When the task next needs attention.
    var deadline: Moment? { isExpired ? nil : isWarned ? expires : warning }
    var warning: Moment?
}

extension Lifecycle {
    mutating func beginTask(_ id: TaskID, of app: AppProcess, _ name: String, _ turn: inout Turn) {
        guard apps[app] != nil, tasks[id] == nil else { return turn.effects.append(.taskExpired(id)) }
        guard tasks.values.count(where: { $0.app == app }) < rules.mostTasks else { return turn.effects.append(.taskExpired(id)) }
        tasks[id] = BackgroundTask(id: id, app: app, name: name, isByPerson: apps[app]!.isInSight)
        if !apps[app]!.isInSight { runTime(of: id, &turn) }
        review(app, &turn)
    }

    mutating func advanceTask(_ id: TaskID, to progress: Double, _ turn: inout Turn) {
        guard let task = tasks[id], !task.isExpired, progress.isFinite else { return }
        let new = max(0, min(1, progress))
        let isFurther = new > (task.progress ?? 0)
        tasks[id]!.progress = new
        guard isFurther, task.expires != nil else { return }
        count(id, &turn)
        runTime(of: id, &turn)
        setAlarm(&turn)
    }

    mutating func endTask(_ id: TaskID, _ turn: inout Turn) {
        guard let task = tasks[id] else { return }
        count(id, &turn)
        tasks[id] = nil
        review(task.app, &turn)
    }

    /// The task, if its end may be told (S-07): a person started it, and does not see its app now. A person who ended it knows.
    public func telling(_ id: TaskID) -> BackgroundTask? {
        guard let task = tasks[id], task.isByPerson, !task.isExpired, let app = apps[task.app], !app.isInSight else { return nil }
        return task
    }

    /// A person ends the task before its time.
    mutating func cancelTask(_ id: TaskID, _ turn: inout Turn) {
        if let task = tasks[id], !task.isExpired { expire(task, &turn) }
    }

    /// Whether a person can end the task.
    public func hasTask(_ id: TaskID) -> Bool { tasks[id]?.isExpired == false }

    /// The app went out of sight: starts the time of its tasks.
    mutating func beginTaskTime(of app: AppProcess, _ turn: inout Turn) {
        for id in tasks.keys where tasks[id]!.app == app && !tasks[id]!.isExpired { runTime(of: id, &turn) }
    }

    private mutating func runTime(of id: TaskID, _ turn: inout Turn) {
        guard let task = tasks[id], let app = apps[task.app] else { return }
        if turn.now - app.periodBegan > rules.taskQuotaPeriod {
            apps[task.app]!.periodBegan = turn.now
            apps[task.app]!.taskSeconds = 0
        }
        let left = max(0, rules.taskQuota - apps[task.app]!.taskSeconds)
        let expires = turn.now + min(rules.taskPatience, left)
        tasks[id]!.expires = expires
        tasks[id]!.warning = expires + -rules.taskWarning
        tasks[id]!.isWarned = false
        tasks[id]!.countedSince = turn.now
    }

    private mutating func count(_ id: TaskID, _ turn: inout Turn) {
        guard let task = tasks[id], let since = task.countedSince else { return }
        apps[task.app]?.taskSeconds += turn.now - since
        tasks[id]!.countedSince = turn.now
    }

    mutating func reviewTask(_ id: TaskID, _ turn: inout Turn) {
        guard let task = tasks[id], !task.isExpired, let expires = task.expires, let app = apps[task.app] else { return }
        guard !app.isInSight else {
            // While the app is in sight, no time counts.
            count(id, &turn)
            tasks[id]!.expires = nil
            tasks[id]!.warning = nil
            tasks[id]!.countedSince = nil
            return
        }
        if expires <= turn.now {
            expire(task, &turn)
        } else if !task.isWarned, let warning = task.warning, warning <= turn.now {
            tasks[id]!.isWarned = true
            turn.effects.append(.taskExpires(id, in: expires - turn.now))
        }
    }

    private mutating func expire(_ task: BackgroundTask, _ turn: inout Turn) {
        count(task.id, &turn)
        tasks[task.id]!.isExpired = true
        turn.effects.append(.taskExpired(task.id))
        review(task.app, &turn)
    }
}
