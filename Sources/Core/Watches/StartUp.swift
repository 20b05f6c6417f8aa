import Geometry
import Idioms
import Rooms
import Windows

/// The programs with which the shell starts. A shell for one app starts them again when they end (`LifecycleRules.startsAgain`).
public struct StartUp: Room {
    /// A program that was started and has shown no window yet, and until when one is awaited.
    private struct Pending: Hashable, Codable, Sendable {
        var launch: LaunchID
        var until: Moment
    }

    public private(set) var commands: [[String]] = []
    /// When they are started again; nil: nothing waits for it.
    private var again: Moment?
    private var pending: [Pending] = []
    /// Whether `again` is the end of the time for pending ones.
    private var isAwaiting = false
    /// Until when a program that hid its window may show it again; nil: none did.
    private var hiddenUntil: Moment?
    /// How often they ended soon in a row, or showed no window.
    private var failures = 0
    /// Since when a window is there.
    private var seen: Moment?
    /// Whether a window was known to be theirs. Other windows do not count then.
    private var hadOwn = false

    /// Seconds until they are started again: after they ran for a while, and after they ended soon. Together with the time that an app
    /// needs to show a window, a person waits five seconds at most.
    static let delay = 0.5, delayAfterFailure = 1.5
    /// Seconds that a window has to be there to count as a success.
    static let success = 10.0
    /// Seconds in which a program has to show a window, and in which another process does that its program told before it ended.
    static let patience = 30.0, handover = 4.0

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A program of the configuration or the command line.
        case began([String])
        case launched(LaunchID)
        /// A program ended before it showed a window.
        case ended(LaunchID, failed: Bool)
        /// A change settled.
        case settled
        case timeIsUp
    }

    public struct Context: Hashable, Sendable {
        public var startsAgain = false
        public var isLocked = false
        /// Whether a window of the programs is there, in sight or not.
        public var hasOwn = false
        /// Whether one is awaited: its program was started again, or outlived the last shell.
        public var isOwnAwaited = false
        /// Whether a program that showed a window is still there.
        public var isProgramThere = false
        /// Whether another app has a window, where the idiom shows other apps.
        public var hasOthers = false
        /// Launches that have shown no window yet.
        public var unused: Set<LaunchID> = []
        /// Commands whose program runs and never showed a window, such as a keyboard.
        public var helpers: Set<[String]> = []
        /// Whether only the wallpaper is in sight.
        public var isEmpty = false

        public init() {}
    }

    public enum Outcome: Hashable, Sendable {
        case starts([String])
        /// The timer; nil: it stops.
        case timer(Moment?)
        /// The message on an empty screen.
        case says(Note?)
    }

    /// That the app starts, or starts again.
    public enum Note: Hashable, Sendable {
        case starts, startsAgain
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .began(let command):
            if !commands.contains(command) { commands.append(command) }
            return []
        case .launched(let launch):
            pending.append(Pending(launch: launch, until: now + StartUp.patience))
            return []
        case .ended(let launch, let failed):
            guard let index = pending.firstIndex(where: { $0.launch == launch }) else { return [] }
            if failed { pending.remove(at: index) } else { pending[index].until = min(pending[index].until, now + StartUp.handover) }
            return []
        case .settled: return follow(context, at: now)
        case .timeIsUp: return startAgain(context, at: now)
        }
    }

    private var pause: Double { failures == 0 ? StartUp.delay : StartUp.delayAfterFailure }

    /// Whether a window of the programs is there: any window, if none was known to be theirs.
    private func isThere(_ context: Context) -> Bool {
        context.hasOwn || context.isOwnAwaited || (!hadOwn && context.hasOthers)
    }

    private mutating func follow(_ context: Context, at now: Moment) -> [Outcome] {
        let isWatched = context.startsAgain && !commands.isEmpty && !context.isLocked
        if context.hasOwn { hadOwn = true }
        let isThere = isWatched && isThere(context), isHidden = isWatched && !isThere && context.isProgramThere
        hiddenUntil = isHidden ? hiddenUntil ?? now + StartUp.patience : nil
        let isMissing = isWatched && !isThere && !context.hasOwn
        // Says on an empty screen that the app comes, so that a person does not take the wallpaper for all there is (law 12).
        let isAgain = !isHidden && (hadOwn || failures > 0)
        let note = Outcome.says(isMissing && context.isEmpty ? isAgain ? .startsAgain : .starts : nil)
        guard isWatched, !isThere else {
            if isThere {
                seen = seen ?? now
                pending.removeAll()
            }
            return [note] + wait(until: nil)
        }
        if let seen {
            failures = now - seen >= StartUp.success ? 0 : failures + 1
            self.seen = nil
        }
        pending.removeAll { $0.until <= now || !context.unused.contains($0.launch) }
        let hidden = hiddenUntil.flatMap { $0 > now ? $0 : nil }
        if let until = (pending.map(\.until) + [hidden].compactMap(\.self)).max() {
            isAwaiting = true
            return [note] + wait(until: until)
        }
        guard again == nil || isAwaiting else { return [note] }
        isAwaiting = false
        return [note] + wait(until: now + pause)
    }

    private mutating func wait(until moment: Moment?) -> [Outcome] {
        guard moment != again else { return [] }
        again = moment
        return [.timer(moment)]
    }

    private mutating func startAgain(_ context: Context, at now: Moment) -> [Outcome] {
        guard again != nil else { return [] }
        again = nil
        isAwaiting = false
        pending.removeAll { $0.until <= now }
        guard context.startsAgain, !isThere(context), !context.isLocked, pending.isEmpty else { return [] }
        failures += 1
        // A helper runs on.
        let ended = commands.filter { !context.helpers.contains($0) }
        return (ended.isEmpty ? commands : ended).map { .starts($0) }
    }
}
