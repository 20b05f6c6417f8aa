import Geometry
import Rooms
import Windows

/// An app over the lock screen of the shell: the emergency call, the camera, or another one that the configuration names.
///
/// The session stays locked. One window is shown and gets input: the last one of the program that a person started here. Windows of other
/// programs stay out of sight: those that were there before, because they may show something of the session, and those that this program
/// starts, such as a browser for its help.
public struct OverLock: Room {
    /// The app in front; nil: the lock screen itself is.
    public private(set) var app: String?
    /// Why the app in front has no window.
    public private(set) var trouble: Trouble?
    private var runs: [Run] = []
    /// Windows that are new since the session was locked, and are not shown here.
    private var fresh: [WindowID] = []
    /// Until when the app in front has time to show a window.
    private var until: Moment?
    /// The moment for which a timer runs.
    private var awaited: Moment?

    /// A program that was started over the lock, and its windows, oldest first.
    private struct Run: Hashable, Codable, Sendable {
        var app: String
        var launch: LaunchID?
        var process: Int32?
        /// The connection of its first window. Only this one shows windows.
        var client: UInt64?
        var windows: [WindowID] = []
        var hasEnded = false
    }

    public enum Trouble: String, Hashable, Codable, Sendable, CaseIterable {
        /// It could not be started, failed, or shows nothing.
        case failed
        /// It runs in the session already, and shows its window there.
        case elsewhere
    }

    /// Seconds that a program has to show its window, and that another process has once the program handed its work on.
    public static let patience = 20.0, handingOn = 5.0

    public init() {}

    /// The window that is shown over the lock.
    public var window: WindowID? { app.flatMap { app in runs.first { $0.app == app }?.windows.last } }

    /// The windows of the emergency call that a person left. They are not frozen, as if they were in sight.
    public func kept(in context: Context) -> [WindowID] { runs.first { $0.app == context.emergency }?.windows ?? [] }

    public enum Event: Hashable, Sendable {
        /// A person wants this app.
        case asked(String)
        /// It is being started.
        case begins(app: String, LaunchID)
        /// It cannot be started.
        case cannot(app: String)
        case launched(LaunchID, process: Int32)
        case ended(LaunchID, failed: Bool)
        /// A window of this connection is new, and belongs to this launch by its token, or to a process with these ancestors.
        case comes(WindowID, client: UInt64, launch: LaunchID?, lineage: [Int32])
        /// A program shows the token of this launch for a window that is there.
        case token(WindowID, client: UInt64, LaunchID)
        case leaves(WindowID)
        /// A window that may not be shown here belongs to a process with these ancestors.
        case staysBehind(lineage: [Int32])
        /// A person goes back to the lock screen, or the screen is dark.
        case back
        /// The session is open, or another locker has it.
        case ends
        case timeIsUp
    }

    public struct Context: Hashable, Sendable {
        /// An app that is not asked to close when a person leaves it, because it may be in a call.
        public var emergency: String

        public init(emergency: String) { self.emergency = emergency }
    }

    public enum Outcome: Hashable, Sendable {
        /// Start this app.
        case start(String)
        /// Ask a window to close.
        case close(WindowID)
        /// The session is open: this window stays in front.
        case keeps(WindowID)
        case timer(Moment?)
        case changed
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        let before = self
        var out = take(event, context, at: now)
        if window != nil { (until, trouble) = (nil, nil) }
        if app == nil { (until, trouble) = (nil, nil) }
        if (app, window, trouble) != (before.app, before.window, before.trouble) { out.append(.changed) }
        if until != awaited {
            awaited = until
            out.append(.timer(until))
        }
        return out
    }

    private mutating func take(_ event: Event, _ context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .asked(let name):
            guard app != name else { return [] }
            let out = leave(context)
            (app, trouble) = (name, nil)
            until = now + Self.patience
            // A program that still starts, or is still there, is not started again.
            if runs.contains(where: { $0.app == name && (!$0.windows.isEmpty || !$0.hasEnded) }) { return out }
            runs.removeAll { $0.app == name }
            runs.append(Run(app: name))
            return out + [.start(name)]
        case .begins(let name, let launch): edit(where: { $0.app == name && $0.launch == nil }) { $0.launch = launch }
        case .cannot(let name):
            runs.removeAll { $0.app == name && $0.windows.isEmpty }
            if app == name { (trouble, until) = (.failed, nil) }
        case .launched(let launch, let process): edit(where: { $0.launch == launch }) { $0.process = process }
        case .ended(let launch, let failed):
            guard let run = runs.first(where: { $0.launch == launch }) else { return [] }
            edit(where: { $0.launch == launch }) { $0.hasEnded = true }
            guard run.windows.isEmpty, app == run.app else { return [] }
            if failed { (trouble, until) = (.failed, nil) } else { until = min(until ?? now, now + Self.handingOn) }
        case .comes(let window, let client, let launch, let lineage):
            guard !fresh.contains(window), !runs.contains(where: { $0.windows.contains(window) }) else { return [] }
            let run = run(of: client) { isByToken($0, launch, context) || $0.process.map(lineage.contains) ?? false }
            guard let run else {
                fresh.append(window)
                break
            }
            return give(window, client, to: run, context)
        case .token(let window, let client, let launch):
            // One that was there before the session was locked stays out of sight.
            guard fresh.contains(window), let run = run(of: client, else: { isByToken($0, launch, context) }) else { return [] }
            fresh.removeAll { $0 == window }
            return give(window, client, to: run, context)
        case .leaves(let window):
            fresh.removeAll { $0 == window }
            guard let run = runs.first(where: { $0.windows.contains(window) }) else { return [] }
            edit(where: { $0.app == run.app }) { $0.windows.removeAll { $0 == window } }
            // The app closed its last window, or died.
            if app == run.app, run.windows.count == 1 { app = nil }
        case .staysBehind(let lineage):
            guard let run = runs.first(where: { $0.app == app }), run.windows.isEmpty, run.process.map(lineage.contains) ?? false else {
                return []
            }
            (trouble, until) = (.elsewhere, nil)
        case .back: return leave(context)
        case .ends:
            let shown = window
            let before = self
            self = OverLock()
            awaited = before.awaited
            return shown.map { [.keeps($0)] } ?? []
        case .timeIsUp:
            awaited = nil
            guard let until, until <= now, let app else { return [] }
            let hasEnded = runs.first { $0.app == app }?.hasEnded ?? true
            (trouble, self.until) = (hasEnded ? .elsewhere : .failed, nil)
        }
        return []
    }

    /// A service of calls runs before a person calls. Any other app that runs already has something of the session.
    private func isByToken(_ run: Run, _ launch: LaunchID?, _ context: Context) -> Bool {
        run.app == context.emergency && run.launch.map { $0 == launch } ?? false
    }

    /// The program with this connection, or, as long as its connection is not known, the one that is meant.
    private func run(of client: UInt64, else isMeant: (Run) -> Bool) -> Int? {
        runs.firstIndex { run in run.client.map { $0 == client } ?? isMeant(run) }
    }

    /// A window that comes after a person left its app closes as those that were there.
    private mutating func give(_ window: WindowID, _ client: UInt64, to index: Int, _ context: Context) -> [Outcome] {
        runs[index].client = client
        runs[index].windows.append(window)
        return [app, context.emergency].contains(runs[index].app) ? [] : [.close(window)]
    }

    private mutating func edit(where isMeant: (Run) -> Bool, _ change: (inout Run) -> Void) {
        if let index = runs.firstIndex(where: isMeant) { change(&runs[index]) }
    }

    /// Back to the lock screen. A camera that films unseen would be a danger, and a call that ends would be, too.
    private mutating func leave(_ context: Context) -> [Outcome] {
        guard let left = app else { return [] }
        app = nil
        guard left != context.emergency, let run = runs.first(where: { $0.app == left }) else { return [] }
        return run.windows.map { .close($0) }
    }

    public func violations(in context: Context) -> [String] {
        var found: [String] = []
        let windows = runs.flatMap(\.windows) + fresh
        if Set(windows).count != windows.count { found.append("X-10: a window stands twice over the lock") }
        if Set(runs.map(\.app)).count != runs.count { found.append("X-10: an app was started twice over the lock") }
        if app == nil, until != nil || trouble != nil { found.append("X-10: the lock waits for no app") }
        if until != nil, window != nil { found.append("X-10: the lock waits for a window that is there") }
        return found
    }
}
