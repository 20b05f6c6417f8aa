import Geometry

/// An app that is started again for its placeholders (W-20).
///
/// Some apps open all their windows again by themselves. So one process is started for all windows that one process had. Its
/// windows fill their placeholders: by title, then in order. The process is asked for the remaining windows only when no more come.
public struct Restart: Hashable, Codable, Sendable {
    /// The process that had the windows before.
    public var origin: KeptProcess?
    /// Set if every placeholder of this app is meant, whatever process it had.
    public var app: String?
    /// Set for a browser: the placeholders of `app` are meant that this command brings back.
    var start: [String]?
    /// The launches that were made for it.
    public var launches: [LaunchID] = []
    /// Processes that run for it.
    public var processes: [Int32] = []
    public var began: Moment
    /// When it last brought a window by itself.
    public var last: Moment?
    /// The placeholder for its first window, if there is no launch that names it.
    public var first: WindowID?

    /// Seconds after a window in which the app may bring the next one by itself.
    static let patience = 5.0
    /// Seconds that it has for its first window.
    static let firstPatience = 15.0

    /// When it has had enough time to bring windows by itself.
    public var deadline: Moment { last.map { $0 + Restart.patience } ?? began + Restart.firstPatience }
}

/// A placeholder, as far as restarts need to know it.
public struct Vacancy: Hashable, Sendable {
    public var id: WindowID
    public var app: String
    public var title: String
    public var command: [String]
    public var origin: KeptProcess?
    /// The launch that was made for it.
    public var launch: LaunchID?
    /// The start of a program that serves the placeholder.
    var kin: Kin
    /// Whether a person sees it.
    var isShown = false
    /// Whether the window that belongs there has come, and stands elsewhere until the app has brought the others.
    var isClaimed = false

    public init(id: WindowID, app: String, title: String = "", command: [String] = [], origin: KeptProcess? = nil, launch: LaunchID? = nil)
    {
        kin = Kin(origin: origin)
        self.id = id
        self.app = app
        self.title = title
        self.command = command
        self.origin = origin
        self.launch = launch
    }
}

extension Launches {
    /// A launch was made to fill this placeholder.
    ///
    /// - Parameter isWhole: whether every placeholder of its app is meant.
    mutating func restarts(_ vacancy: Vacancy, by launch: LaunchID, isWhole: Bool = false, at now: Moment) {
        edit(launch) { $0.placeholder = vacancy.id }
        if let index = restarts.firstIndex(where: { $0.covers(vacancy) }) {
            restarts[index].launches.append(launch)
        } else {
            let start = isWhole ? nil : vacancy.kin.start
            restarts.append(
                Restart(origin: vacancy.origin, app: isWhole ? vacancy.app : vacancy.kin.app, start: start, launches: [launch], began: now))
        }
    }

    /// A process that the shell did not start opens something in an app whose windows are placeholders.
    mutating func adopt(_ process: Int32, for vacancy: Vacancy, at now: Moment) {
        restarts.append(Restart(app: vacancy.app, processes: [process], began: now, last: now, first: vacancy.id))
    }

    /// Forgets restarts whose placeholders are all filled or closed.
    mutating func forgetRestarts(without vacancies: [Vacancy], at now: Moment) {
        restarts.removeAll { restart in
            // A browser that is gone brings its session back when it is started again.
            if restart.start != nil, restart.processes.isEmpty, restart.deadline <= now { return true }
            return restart.deadline <= now
                && !vacancies.contains { restart.covers($0) || $0.launch.map(restart.launches.contains) ?? false }
        }
    }

    /// Whether an app that was started may still bring the window of this placeholder by itself.
    public func isExpected(_ vacancy: Vacancy, at now: Moment) -> Bool {
        restarts.contains { $0.covers(vacancy) && now < $0.deadline }
    }

    /// Whether these placeholders were asked for once. From then on each one is asked for by itself.
    func hasRestarted(_ kin: Kin) -> Bool { restarts.contains { $0.serves(kin) } }

    /// When the next placeholder is no longer expected to be filled by itself; nil if none is.
    public func nextDeadline(of vacancies: [Vacancy], at now: Moment) -> Moment? {
        restarts.filter { restart in now < restart.deadline && vacancies.contains { $0.launch == nil && restart.covers($0) } }.map(
            \.deadline
        ).min()
    }

    /// The restart that a new window comes from.
    func restart(of new: Arrival, _ match: Match?, at now: Moment) -> Int? {
        restarts.firstIndex { restart in
            match.map { restart.launches.contains($0.launch) } ?? false || restart.processes.contains(where: new.lineage.contains)
        }
            ?? restarts.firstIndex { restart in
                // The program handed the request to a process of its app.
                restart.processes.isEmpty && now < restart.deadline && restart.launches.contains { self[$0]?.app == new.app }
            }
    }

    /// The placeholder that a new window fills: only one that its own program was started for.
    public func vacancy(for new: Arrival, _ match: Match?, among vacancies: [Vacancy], at now: Moment) -> WindowID? {
        guard !new.isSplash, let index = restart(of: new, match, at: now) else { return nil }
        let restart = restarts[index]
        let launch = match.flatMap { self[$0.launch] }
        let own = vacancies.first { $0.id == launch?.placeholder ?? restart.first }
        let meant = vacancies.filter { vacancy in
            restart.covers(vacancy) || vacancy.id == own?.id || vacancy.launch.map(restart.launches.contains) ?? false
        }
        if !new.title.isEmpty {
            if let same = meant.first(where: { $0.title == new.title }) {
                // An app may not open its other windows before it has drawn the first one, and nothing draws out of sight. Its title
                // moves it where it belongs once the others are there.
                if restart.last == nil, !same.isShown, let own, own.isShown, restart.covers(same), restart.covers(own) { return own.id }
                return same.id
            }
            // A placeholder whose process is not known.
            let like = vacancies.first { other in
                other.origin == nil && other.launch == nil && other.title == new.title && other.app == new.app
                    && restart.launches.contains { self[$0]?.command == other.command }
            }
            if let like { return like.id }
        }
        if let own { return own.id }
        // Windows that the app opens by itself follow each other.
        guard let last = restart.last, now - last <= Restart.patience else { return nil }
        let next = meant.filter { $0.app == new.app && !$0.isClaimed }
        return (next.first(where: \.isShown) ?? next.first)?.id
    }

    /// A restart brought a window.
    mutating func brought(_ new: Arrival, _ match: Match?, at now: Moment) {
        guard let index = restart(of: new, match, at: now) else { return }
        // A window that was asked for later does not mean that more come by themselves.
        if restarts[index].last.map({ now - $0 <= Restart.patience }) ?? true { restarts[index].last = now }
        guard let process = new.lineage.first, process > 0, restarts[index].processes.isEmpty else { return }
        // Another process of the app answers.
        restarts[index].processes = [process]
    }
}

extension Restart {
    func covers(_ vacancy: Vacancy) -> Bool {
        if let app, start == nil { return app == vacancy.app }
        return serves(vacancy.kin)
    }

    func serves(_ kin: Kin) -> Bool {
        if let start { return kin.start == start && kin.app == app }
        if kin.start != nil { return app != nil && app == kin.app }
        return origin != nil && origin == kin.origin
    }
}
