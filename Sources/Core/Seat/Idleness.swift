import Geometry
import Rooms
import Windows

/// A program's request to hear that the device is unused for a while, by a number of the adapter.
public struct IdleWatchID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    /// The shell's own, which adapters never give to a program.
    public static let shell = IdleWatchID(.max)
    /// Likewise, for the lock of the session.
    public static let lock = IdleWatchID(.max - 1)

    public static func < (a: IdleWatchID, b: IdleWatchID) -> Bool { a.raw < b.raw }

    public var description: String { "idle watch \(raw)" }
}

/// A program's wish that the device counts as in use while something is visible, by a number of the adapter.
public struct IdleInhibitorID: Hashable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public var description: String { "idle inhibitor \(raw)" }
}

/// The surface of an inhibitor.
public enum IdleInhibitorPlace: Hashable, Codable, Sendable {
    case window(WindowID)
    case panel(PanelID)
    /// A surface that is part of neither, or not yet.
    case nothing
}

public enum IdleEvent: Hashable, Codable, Sendable {
    /// A person used the device in a way that is no other event: behind a lock, or in an app that holds the pointer.
    case activity
    case watchAdded(IdleWatchID, milliseconds: UInt32)
    case watchGone(IdleWatchID)
    /// Its program says that a person uses the device. That counts for this watch alone.
    case watchRestarted(IdleWatchID)
    /// An inhibitor is new, or its surface became part of something else.
    case inhibitor(IdleInhibitorID, on: IdleInhibitorPlace)
    case inhibitorGone(IdleInhibitorID)
}

public enum IdleEffect: Hashable, Codable, Sendable {
    /// The device is unused, or in use again.
    case tell(IdleWatchID, isIdle: Bool)
    /// Call `timeIsUp` at this moment; nil: not at all.
    case wake(at: Moment?)
}

/// The programs that wait for the device to be idle, the inhibitors that keep it from being idle, and the programs that were told that it
/// is.
///
/// An inhibitor counts while its window is shown, or its panel is mapped, and no locker hides them. A window that shows as a card
/// of the app switcher is not shown. When the last inhibitor ends, idle time begins anew.
public struct Idleness: Room {
    private struct Watch: Hashable, Codable, Sendable {
        /// Nanoseconds.
        var timeout: Int64
        /// The time from which it counts, unless there was activity later.
        var from: Moment
        var isIdle = false
    }

    private var watches: [IdleWatchID: Watch] = [:]
    private var inhibitors: [IdleInhibitorID: IdleInhibitorPlace] = [:]
    /// How many inhibitors stand on each, so that many of them do not slow down each change of the screen.
    private var onWindows: [WindowID: Int] = [:], onPanels: [PanelID: Int] = [:]
    private var lastActivity = Moment.zero
    /// How many watches were told that the device is idle.
    private var idleCount = 0
    /// The moment of the timer.
    private var alarm: Moment?
    /// Whether anything keeps the device from being idle.
    public private(set) var isInhibited = false

    public init() {}

    // MARK: Events

    public mutating func handle(_ event: IdleEvent, in context: Void = (), at now: Moment) -> [IdleEffect] {
        switch event {
        case .activity: return used(at: now)
        case .watchAdded(let id, let milliseconds):
            guard watches[id] == nil else { return [] }
            watches[id] = Watch(timeout: Int64(milliseconds) * 1_000_000, from: now)
            return review(at: now)
        case .watchGone(let id):
            guard let watch = watches.removeValue(forKey: id) else { return [] }
            if watch.isIdle { idleCount -= 1 }
            // An extra alarm is harmless, but the shell sets none without a waiting program.
            return watches.count == idleCount ? set(nil) : []
        case .watchRestarted(let id):
            guard let watch = watches[id] else { return [] }
            watches[id]!.from = now
            guard watch.isIdle else { return [] }
            return [resume(id)] + review(at: now)
        case .inhibitor(let id, let place):
            count(inhibitors.updateValue(place, forKey: id), -1)
            count(place, 1)
        case .inhibitorGone(let id): count(inhibitors.removeValue(forKey: id), -1)
        }
        return []
    }

    /// A person uses the device. Almost always that only stores the time: the timer notices it later.
    public mutating func used(at now: Moment) -> [IdleEffect] {
        lastActivity = max(lastActivity, now)
        return idleCount == 0 ? [] : resumeAll() + review(at: now)
    }

    public mutating func timeIsUp(at now: Moment) -> [IdleEffect] {
        alarm = nil
        return review(at: now)
    }

    /// Something was shown or hidden.
    ///
    /// - Parameters:
    ///   - isHeld: the device counts as in use, whatever is shown.
    ///   - windows: those that are shown.
    ///   - isSeen: whether a panel is visible.
    public mutating func follow(isHeld: Bool, windows: [WindowID], isSeen: (PanelID) -> Bool, at now: Moment) -> [IdleEffect] {
        let isInhibited = isHeld || windows.contains { onWindows[$0] != nil } || onPanels.keys.contains(where: isSeen)
        guard isInhibited != self.isInhibited else { return [] }
        self.isInhibited = isInhibited
        if isInhibited { return resumeAll() + set(nil) }
        lastActivity = max(lastActivity, now)
        return review(at: now)
    }

    /// Whether any inhibitor stands on something, so that it matters what is shown.
    public var hasInhibitors: Bool { !onWindows.isEmpty || !onPanels.isEmpty }

    private mutating func count(_ place: IdleInhibitorPlace?, _ change: Int) {
        func add<ID>(_ id: ID, _ counts: inout [ID: Int]) {
            let sum = counts[id, default: 0] + change
            counts[id] = sum == 0 ? nil : sum
        }
        switch place {
        case .window(let id): add(id, &onWindows)
        case .panel(let id): add(id, &onPanels)
        case .nothing, nil: break
        }
    }

    // MARK: Effects

    private mutating func resume(_ id: IdleWatchID) -> IdleEffect {
        watches[id]!.isIdle = false
        idleCount -= 1
        return .tell(id, isIdle: false)
    }

    private mutating func resumeAll() -> [IdleEffect] {
        guard idleCount > 0 else { return [] }
        return watches.filter(\.value.isIdle).keys.sorted().map { resume($0) }
    }

    /// Tells those whose time has passed, and sets the timer for the next one.
    private mutating func review(at now: Moment) -> [IdleEffect] {
        guard !isInhibited, watches.count > idleCount else { return set(nil) }
        var due: [IdleWatchID] = []
        var next: Moment?
        for (id, watch) in watches where !watch.isIdle {
            let end = max(lastActivity, watch.from).nanoseconds &+ watch.timeout
            if end <= now.nanoseconds { due.append(id) } else { next = min(next ?? Moment(nanoseconds: end), Moment(nanoseconds: end)) }
        }
        for id in due { watches[id]!.isIdle = true }
        idleCount += due.count
        return due.sorted().map { .tell($0, isIdle: true) } + set(next)
    }

    /// Sets the timer, unless it fires earlier than needed already: then it is set again when it fires.
    private mutating func set(_ moment: Moment?) -> [IdleEffect] {
        if let alarm, let moment, alarm <= moment { return [] }
        guard alarm != moment else { return [] }
        alarm = moment
        return [.wake(at: moment)]
    }

    /// Violated invariants; empty if all hold.
    public func violations(in context: Void = ()) -> [String] {
        var found: [String] = []
        let idle = watches.values.count(where: \.isIdle)
        if idle != idleCount { found.append("\(idle) idle watches are counted as \(idleCount)") }
        if isInhibited, idle > 0 { found.append("the device is in use, and \(idle) programs were told that it is idle") }
        let waiting = isInhibited ? [] : watches.values.filter { !$0.isIdle }
        let next = waiting.map { max(lastActivity, $0.from).nanoseconds &+ $0.timeout }.min()
        if let next {
            if alarm.map({ $0.nanoseconds > next }) ?? true { found.append("law 4: nobody will notice that the device is idle") }
        } else if alarm != nil {
            found.append("a timer runs for idleness, and nobody waits for it")
        }
        for count in Array(onWindows.values) + Array(onPanels.values) where count < 1 { found.append("\(count) inhibitors are counted") }
        let all = onWindows.values.reduce(0, +) + onPanels.values.reduce(0, +)
        if all != inhibitors.values.count(where: { $0 != .nothing }) {
            found.append("\(all) idle inhibitors are counted of \(inhibitors.count)")
        }
        return found
    }
}
