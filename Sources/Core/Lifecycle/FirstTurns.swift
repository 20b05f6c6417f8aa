import Geometry

/// Apps that were frozen, until they have taken their first turn, in which they do the work that was due meanwhile (S-06, S-08).
///
/// A toolkit hands out copied data in the same turn in which its timers are due, and before them. So a password that its app takes
/// back after half a minute would be pasted after that time from an app that was frozen meanwhile. Requests to such an app wait
/// until the app has run and is at rest again, or `longest`. A toolkit that waits in `ppoll` is nudged, or it would wait after the freeze
/// for as long as it had left before.
///
/// It is no part of the session's state: nothing that is shown depends on it. The shell looks at the processes and tells what it saw.
public struct FirstTurns: Hashable, Sendable {
    /// The state of one process at one look.
    public struct Sight: Hashable, Sendable {
        /// How often it gave up the processor, or lost it.
        public var switches: UInt64
        public var state: State

        public enum State: Hashable, Sendable {
            case runs
            /// It waits for something to happen.
            case rests
            /// A signal stopped it, the shell's own or another one, or it has ended.
            case stopped
        }

        public init(switches: UInt64, _ state: State) {
            (self.switches, self.state) = (switches, state)
        }
    }

    private struct Turn: Hashable, Sendable {
        /// When it was frozen.
        var before: [Int32: Sight]
        /// nil: it is frozen.
        var since: Moment?
        /// Something waits for it since then.
        var askedSince: Moment?
        var isNudged = false
        var last: [Int32: Sight] = [:]
        /// Nothing in it has run since then.
        var restsSince: Moment?
    }

    /// Seconds between two looks.
    static let pause = 0.01
    /// Seconds in which nothing of it runs. One process may have to wake the next, as `sleep` wakes the script that empties the clipboard.
    static let rest = 0.03
    /// Seconds after the thaw at the latest. Some toolkits give up a paste after one second.
    static let longest = 0.5
    /// Seconds that something waits for an app that is not thawed.
    static let patience = 0.8

    private var turns: [AppProcess: Turn] = [:]

    public init() {}

    /// The app is frozen.
    public mutating func froze(_ app: AppProcess, _ processes: [Int32: Sight]) { turns[app] = Turn(before: processes) }

    /// The app is about to be thawed.
    public mutating func goesOn(_ app: AppProcess, at now: Moment) {
        guard let turn = turns[app], turn.since == nil else { return }
        turns[app]!.since = now
    }

    /// Something is wanted of the app. Call it only while `waits`.
    public mutating func asked(_ app: AppProcess, at now: Moment) {
        guard turns[app] != nil, turns[app]!.askedSince == nil else { return }
        turns[app]!.askedSince = now
    }

    /// Whether requests to the app have to wait.
    public func waits(_ app: AppProcess, at now: Moment) -> Bool { turns[app].map { !isOver($0, at: now) } ?? false }

    /// The app that a process belonged to when it was frozen.
    public func app(of process: Int32) -> AppProcess? {
        turns.filter { $0.value.before[process] != nil }.map(\.key).min()
    }

    /// All apps that have not taken their turn, in order.
    public var apps: [AppProcess] { turns.keys.sorted() }

    /// The apps to look at: they were thawed, and something waits for them.
    public var toLookAt: [AppProcess] { turns.filter { $0.value.since != nil && $0.value.askedSince != nil }.keys.sorted() }

    /// The apps to nudge, each once: they were thawed, and something waits for them.
    public mutating func takeNudges() -> [AppProcess] {
        let apps = toLookAt.filter { turns[$0]?.isNudged == false }
        for app in apps { turns[app]!.isNudged = true }
        return apps
    }

    /// When to look next; nil: nothing waits.
    public func nextLook(after now: Moment) -> Moment? { turns.values.contains { $0.askedSince != nil } ? now + FirstTurns.pause : nil }

    /// Records the present state of all processes of the app.
    public mutating func looked(_ app: AppProcess, _ processes: [Int32: Sight], at now: Moment) {
        guard var turn = turns[app], turn.since != nil else { return }
        // The shell froze them by signals: they go on a moment later.
        let isBySignals = turn.before.values.allSatisfy { $0.state == .stopped }
        let hasRun = turn.before.allSatisfy { process, before in
            guard isBySignals || before.state != .stopped, let sight = processes[process] else { return true }
            return sight.switches != before.switches || (sight.state == .stopped && !isBySignals)
        }
        let rests = hasRun && processes == turn.last && processes.values.allSatisfy { $0.state != .runs }
        if !rests { turn.restsSince = nil } else if turn.restsSince == nil { turn.restsSince = now }
        turn.last = processes
        turns[app] = turn
    }

    /// Forgets the apps that have taken their turn. Returns whether there were any.
    public mutating func review(at now: Moment) -> Bool {
        let count = turns.count
        turns = turns.filter { !isOver($0.value, at: now) }
        return turns.count != count
    }

    private func isOver(_ turn: Turn, at now: Moment) -> Bool {
        guard let since = turn.since else { return turn.askedSince.map { now - $0 >= FirstTurns.patience } ?? false }
        return now - since >= FirstTurns.longest || turn.restsSince.map { now - $0 >= FirstTurns.rest } ?? false
    }
}
